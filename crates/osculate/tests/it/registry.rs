//! Every method of the registry, on the same steps: complete ones find what brute force finds,
//! those that guarantee the first contact find that, and none reports spurious contacts.

use crate::common::{Rng, closed};
use osculate::method::Guarantee;
use osculate::method::{NormalCone, Volume, compared, registry};
use osculate::{BodyId, Contact, Crossing, Error, Mesh, Method, Model, Query, World};
use std::collections::HashSet;
use std::sync::Arc;

#[test]
fn names_are_unique_and_one_line_each() {
    let names: HashSet<&str> = registry().iter().map(|facts| facts.name).collect();
    assert_eq!(names.len(), registry().len());
    for facts in registry() {
        assert!(!facts.line.is_empty() && !facts.line.contains('\n'), "{}", facts.name);
        assert_eq!(facts.name.parse::<Method>(), Ok(facts.method));
        assert_eq!(facts.method.to_string(), facts.name);
    }
    let error = "magic".parse::<Method>().unwrap_err();
    assert!(matches!(&error, Error::NoSuchMethod { name, .. } if name == "magic"));
    assert!(error.to_string().contains("normal-cone"), "{error}");
    for bad in ["bvh:", "bvh:front", "brute:16dop", "normal-cone:front,", "normal-cone:front,magic"] {
        let error = bad.parse::<Method>().unwrap_err();
        assert!(matches!(error, Error::NoSuchMethodOption { .. }), "{bad}: {error}");
    }
}

/// A method with any options is read from the name that it is written as, and the order of options
/// plays no part but for volumes, of which the last counts.
#[test]
fn names_with_options_are_read_back() {
    for facts in registry() {
        let options: Vec<&str> = facts.options().map(|option| option.name).collect();
        let unique: HashSet<&str> = options.iter().copied().collect();
        assert_eq!(unique.len(), options.len(), "{}", facts.name);
        for set in 0_u32..1 << options.len() {
            let of_set = || (0..options.len()).filter(move |k| set & 1 << k != 0).map(|k| options[k]);
            let mut method = facts.method;
            of_set().for_each(|option| method = method.with_option(option).unwrap());
            let name = method.to_string();
            assert_eq!(name.parse(), Ok(method), "{name}");
            assert_eq!(method.facts().name, facts.name);
            if set != 0 {
                let given = format!("{}:{}", facts.name, of_set().collect::<Vec<_>>().join("+"));
                assert_eq!(given.parse(), Ok(method), "{given}");
            }
        }
    }
    let method = Method::NormalCone(NormalCone::new().front(true).radial(true));
    assert_eq!(method.to_string(), "normal-cone:front,radial");
    assert_eq!("bvh:16dop".parse(), Ok(Method::Bvh(Volume::Dop16)));
    assert_eq!("normal-cone-front".parse(), "normal-cone:front".parse::<Method>());
    assert_eq!("sphere-bottom-up".parse(), "sphere-tree:bottom-up".parse::<Method>());
}

/// The next poses of bodies.
type Next = Vec<(BodyId, Vec<[f64; 3]>)>;

/// A world of two closed bodies that move through each other and through themselves, and their next
/// poses.
fn crumpling(rng: &mut Rng) -> (World, Next) {
    let mut world = World::new();
    let next = (0..2).map(|_| {
        let (faces, rest) = closed(rng);
        let mesh = Mesh::new(faces, rest.len()).unwrap();
        let body = world.add(Arc::new(Model::new(mesh, &rest).unwrap()), &rest).unwrap();
        (body, rest.iter().map(|p| p.map(|x| x + 0.4 * rng.signed())).collect())
    });
    let next = next.collect();
    (world, next)
}

fn contacts(
    world: &mut World,
    next: &[(BodyId, Vec<[f64; 3]>)],
    query: &Query,
) -> Result<Vec<Contact>, Error> {
    let next: Vec<(BodyId, &[[f64; 3]])> = next.iter().map(|(body, pose)| (*body, pose.as_slice())).collect();
    Ok(world.contacts(&next, query)?.found)
}

#[test]
fn every_method_keeps_its_word() {
    let mut n_found = 0;
    for seed in 0..20 {
        let rng = &mut Rng::new(9000 + seed);
        let (mut world, next) = crumpling(rng);
        let brute = Query::all().method(Method::Brute);
        let expected = contacts(&mut world, &next, &brute).unwrap();
        let first = contacts(&mut world, &next, &Query::earliest().method(Method::Brute)).unwrap();
        let crossings: Vec<Crossing> = world.crossings(&brute).unwrap().found;
        n_found += expected.len();
        for method in compared() {
            let name = method.to_string();
            let found = world.crossings(&Query::all().method(method)).unwrap().found;
            let is_complete = method.guarantee() != Guarantee::Nothing;
            assert!(found == crossings || !is_complete, "{name}, seed {seed}: crossings");
            let found = match contacts(&mut world, &next, &Query::all().method(method)) {
                Ok(found) => found,
                Err(error) => {
                    assert!(matches!(error, Error::NotForSteps { .. }), "{name}: {error}");
                    continue;
                }
            };
            assert!(found.iter().all(|contact| expected.contains(contact)), "{name}, seed {seed}: invented");
            match method.guarantee() {
                Guarantee::Complete => assert_eq!(found, expected, "{name}, seed {seed}"),
                Guarantee::FirstContact => {
                    let earliest = contacts(&mut world, &next, &Query::earliest().method(method));
                    assert_eq!(earliest.unwrap(), first, "{name}, seed {seed}");
                }
                Guarantee::Nothing => {}
            }
        }
    }
    assert!(1000 < n_found, "{n_found} contacts");
}
