//! How far triangles get in the stages of chromatic decomposition: every triangle with a contact is
//! left, and the numbers are those of the statistics.

use crate::common::Rng;
use crate::rasters::worlds::{Points, moved, shape};
use osculate::chromatic::Size;
use osculate::method::{Chromatic, SetStage, SetTests};
use osculate::narrow::Kind;
use osculate::{BodyId, Contact, Mesh, Method, Model, Query, World};
use std::sync::Arc;

const SETS: Method = Method::Chromatic(Chromatic::new().sets(SetTests::Always));

/// The triangles around both features of a contact.
fn around(meshes: &[Arc<Model>], contact: &Contact) -> [Vec<u32>; 2] {
    let n_first = if contact.key.kind == Kind::VertexFace { 1 } else { 2 };
    let (first, second) = contact.vertices.split_at(n_first);
    [(0, first), (1, second)].map(|(side, corners)| {
        let triangles = meshes[contact.key.bodies[side].index()].mesh().triangles();
        let has = |t: &u32| corners.iter().all(|v| triangles[*t as usize].contains(v));
        (0..triangles.len() as u32).filter(has).collect()
    })
}

#[test]
fn every_triangle_with_a_contact_is_left() {
    let (mut n_left, mut n_of_contacts) = ([0; 3], 0);
    for seed in 0..2000 {
        let mut rng = Rng::for_item(0x57a6e, seed);
        let mut world = World::new();
        let (mut models, mut bodies): (Vec<Arc<Model>>, Vec<(BodyId, Points)>) = (Vec::new(), Vec::new());
        for _ in 0..rng.pick(&[1, 1, 2]) {
            let (faces, points) = shape(&mut rng);
            let model = Arc::new(Model::new(Mesh::new(faces, points.len()).unwrap(), &points).unwrap());
            let place = moved(&mut rng, &points, 0.6);
            bodies.push((world.add(model.clone(), &place).unwrap(), place));
            models.push(model);
        }
        let by = rng.pick(&[0.02, 0.2, 0.6]);
        let next: Vec<(BodyId, Points)> =
            bodies.iter().map(|(id, place)| (*id, moved(&mut rng, place, by))).collect();
        let next: Vec<(BodyId, &Points)> = next.iter().map(|(id, place)| (*id, place)).collect();
        let report = world.contacts(&next, &Query::all().method(SETS)).unwrap();
        let stages: Vec<Option<Vec<SetStage>>> =
            bodies.iter().map(|(id, _)| world.set_stages(*id).unwrap()).collect();
        for stage in stages.iter().flatten().flatten() {
            n_left[*stage as usize] += 1;
        }
        for contact in &report.found {
            let [first, second] = around(&models, contact);
            let [i, j] = contact.key.bodies.map(BodyId::index);
            for &a in &first {
                for &b in &second {
                    // Adjacent triangles are compared with others only.
                    if i == j && (a == b || models[i].mesh().are_adjacent(a, b)) {
                        continue;
                    }
                    for (body, triangle) in [(i, a), (j, b)] {
                        let stage = stages[body].as_ref().unwrap()[triangle as usize];
                        assert_eq!(stage, SetStage::Left, "world {seed}: {:?}", contact.key);
                        n_of_contacts += 1;
                    }
                }
            }
        }
    }
    assert!(100_000 < n_of_contacts, "{n_of_contacts}");
    assert!(n_left.iter().all(|&n| 10_000 < n), "{n_left:?}");
}

#[test]
fn they_are_those_of_the_statistics_and_of_the_last_query() {
    let mut rng = Rng::new(5);
    let mut n_tested = 0;
    for _ in 0..40 {
        let (faces, points) = shape(&mut rng);
        let mesh = Mesh::new(faces, points.len()).unwrap();
        let n_triangles = mesh.triangles().len();
        let model = Arc::new(Model::new(mesh, &points).unwrap());
        let mut world = World::new();
        let body = world.add(model.clone(), &points).unwrap();
        assert_eq!(world.set_stages(body).unwrap(), None);
        let next = moved(&mut rng, &points, 0.2);
        let stats = world.contacts(&[(body, &next)], &Query::all().method(SETS)).unwrap().stats.sets;
        let stages = world.set_stages(body).unwrap().unwrap();
        assert_eq!(stages.len(), n_triangles);
        let n = |least: SetStage| stages.iter().filter(|&&stage| least <= stage).count() as u64;
        assert_eq!([n(SetStage::Apart), n(SetStage::Left)], [stats.marked, stats.left]);
        n_tested += stats.marked;
        // At an instant, adjacent triangles are compared, but not for this.
        let stats = world.crossings(&Query::all().method(SETS)).unwrap().stats.sets;
        let stages = world.set_stages(body).unwrap().unwrap();
        let n = |least: SetStage| stages.iter().filter(|&&stage| least <= stage).count() as u64;
        assert_eq!([n(SetStage::Apart), n(SetStage::Left)], [stats.marked, stats.left]);
        for other in [Method::default(), Method::Chromatic(Chromatic::new().sets(SetTests::Never))] {
            world.contacts(&[(body, &next)], &Query::all().method(SETS)).unwrap();
            world.contacts(&[(body, &next)], &Query::all().method(other)).unwrap();
            assert_eq!(world.set_stages(body).unwrap(), None, "{other}");
        }
        assert_eq!(model.coloring(Size::One).n_primitives(), n_triangles);
        world.remove(body).unwrap();
        assert!(world.set_stages(body).is_err());
    }
    assert!(1000 < n_tested, "{n_tested}");
}
