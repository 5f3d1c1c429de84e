//! Bounds of bodies that rest are kept: whatever rests, moves, or is asked in between, answers are
//! those of a new world.

use crate::common::{Rng, closed, vector};
use osculate::method::{Chromatic, NormalCone, Volume};
use osculate::narrow::Settings;
use osculate::{BodyId, BodySettings, Mesh, Method, Model, Query, World};
use std::sync::Arc;

type Points = Vec<[f64; 3]>;

/// A body, and where it is.
struct Thing {
    model: Arc<Model>,
    place: Points,
    settings: BodySettings,
}

fn world_of(things: &[Thing]) -> (World, Vec<BodyId>) {
    let mut world = World::new();
    let add = |thing: &Thing| world.add_with(thing.model.clone(), &thing.place, thing.settings).unwrap();
    let ids = things.iter().map(add).collect();
    (world, ids)
}

fn moved(rng: &mut Rng, points: &Points, by: f64) -> Points {
    let shift = vector(|| by * rng.signed());
    points.iter().map(|p| [0, 1, 2].map(|k| p[k] + shift[k])).collect()
}

#[test]
fn bodies_that_rest_are_found_where_they_are() {
    let methods = [
        Method::Bvh(Volume::MovingAabb),
        Method::Bvh(Volume::Aabb),
        Method::Bvh(Volume::Dop24),
        Method::NormalCone(NormalCone::new()),
        Method::Chromatic(Chromatic::new()),
        Method::Chromatic(Chromatic::new().cones(true)),
    ];
    let mut n_found = [0; 2];
    for seed in 0..150 {
        let mut rng = Rng::for_item(0x2e57, seed);
        let mut things: Vec<Thing> = Vec::new();
        for k in 0..3 {
            let (faces, points) = closed(&mut rng);
            let model = Arc::new(Model::new(Mesh::new(faces, points.len()).unwrap(), &points).unwrap());
            let place = moved(&mut rng, &points, 1.0);
            things.push(Thing { model, place, settings: BodySettings::default().is_static(k == 2) });
        }
        let (mut world, ids) = world_of(&things);
        for query in 0..6 {
            // A static body, too, may be put elsewhere.
            for (thing, &id) in things.iter_mut().zip(&ids) {
                if rng.one_in(4) {
                    thing.place = moved(&mut rng, &thing.place, 0.3);
                    world.set_pose(id, &thing.place).unwrap();
                }
            }
            let mut next: Vec<(usize, Points)> = Vec::new();
            for (i, thing) in things[..2].iter().enumerate() {
                if rng.one_in(2) {
                    next.push((i, moved(&mut rng, &thing.place, 0.5)));
                }
            }
            let moves = |ids: &[BodyId]| next.iter().map(|(i, p)| (ids[*i], p)).collect::<Vec<_>>();
            let thickness = if rng.one_in(30) { 0.05 * rng.unit() } else { 0.0 };
            let narrow = Settings { min_separation: thickness, ..Settings::default() };
            let method = rng.pick(&methods);
            let ask = |method| Query::all().method(method).narrow(narrow);
            let (mut new, new_ids) = world_of(&things);
            let place = format!("seed {seed}, query {query}, {method}");
            if rng.one_in(3) {
                let expected = new.crossings(&ask(Method::Brute)).unwrap().found;
                assert_eq!(world.crossings(&ask(method)).unwrap().found, expected, "{place}");
                n_found[0] += expected.len();
            } else {
                let expected = new.contacts(&moves(&new_ids)[..], &ask(Method::Brute)).unwrap().found;
                assert_eq!(
                    world.contacts(&moves(&ids)[..], &ask(method)).unwrap().found,
                    expected,
                    "{place}"
                );
                n_found[1] += expected.len();
                let earliest = Query::earliest().method(method).narrow(narrow);
                let found = world.contacts(&moves(&ids)[..], &earliest).unwrap().found;
                let of_new = Query::earliest().method(Method::Brute).narrow(narrow);
                assert_eq!(found, new.contacts(&moves(&new_ids)[..], &of_new).unwrap().found, "{place}");
            }
        }
    }
    assert!(n_found.iter().all(|&n| 500 < n), "{n_found:?}");
}
