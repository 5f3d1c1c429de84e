//! Every method of the registry, on the same steps: complete ones find what brute force finds,
//! those that guarantee the first contact find that, and none reports spurious contacts.

mod common;

use common::{Rng, closed};
use osculate::method::facts;
use osculate::{BodyId, Contact, Crossing, Error, Guarantee, Mesh, Method, Model, Query, World};
use std::collections::HashSet;
use std::sync::Arc;

#[test]
fn names_are_unique_and_one_line_each() {
    let names: HashSet<&str> = facts().iter().map(|facts| facts.name).collect();
    assert_eq!(names.len(), facts().len());
    for facts in facts() {
        assert!(!facts.line.is_empty() && !facts.line.contains('\n'), "{}", facts.name);
        assert_eq!(facts.name.parse::<Method>(), Ok(facts.method));
    }
    let error = "magic".parse::<Method>().unwrap_err();
    assert!(matches!(&error, Error::NoSuchMethod { name } if name == "magic"));
    assert!(error.to_string().contains("normal-cone"), "{error}");
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
        let brute = Query { method: Method::Brute, ..Query::all() };
        let expected = contacts(&mut world, &next, &brute).unwrap();
        let first =
            contacts(&mut world, &next, &Query { method: Method::Brute, ..Query::earliest() }).unwrap();
        let crossings: Vec<Crossing> = world.crossings(&brute).unwrap().found;
        n_found += expected.len();
        for facts in facts() {
            let (method, name) = (facts.method, facts.name);
            let found = world.crossings(&Query { method, ..Query::all() }).unwrap().found;
            let is_complete = method.guarantee() != Guarantee::Nothing;
            assert!(found == crossings || !is_complete, "{name}, seed {seed}: crossings");
            let found = match contacts(&mut world, &next, &Query { method, ..Query::all() }) {
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
                    let earliest = contacts(&mut world, &next, &Query { method, ..Query::earliest() });
                    assert_eq!(earliest.unwrap(), first, "{name}, seed {seed}");
                }
                Guarantee::Nothing => {}
            }
        }
    }
    assert!(1000 < n_found, "{n_found} contacts");
}
