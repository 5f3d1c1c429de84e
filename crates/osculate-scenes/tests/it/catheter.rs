//! The shapes of the scene `catheter`, and which of them touch.

use osculate::{BodyId, BodySettings, Mesh, Model, Query, World};
use osculate_scenes::{build, catheter_route};
use std::sync::Arc;

#[test]
fn a_closed_catheter_enters_a_tree_of_vessels_that_is_open_at_the_inlet_and_does_not_move() {
    let scene = build("catheter").unwrap();
    assert_eq!(
        (scene.objects.join(" "), scene.static_objects.as_slice()),
        ("Catheter Vessel".to_owned(), &[1][..])
    );
    let [catheter, vessel] = &scene.parts()[..] else { panic!("two objects") };
    assert!(!catheter.is_static && vessel.is_static);
    let describe = |faces: &Vec<[u32; 3]>, n: usize| Mesh::new(faces.clone(), n).unwrap().describe();
    assert!(describe(&catheter.faces, catheter.vertices.len()).is_closed());
    let found = describe(&vessel.faces, vessel.vertices.len());
    assert!(found.is_manifold() && found.is_oriented() && 20 < found.boundary_edges);
    assert_eq!(
        found.vertices + found.triangles,
        found.edges + 1,
        "a disk: one rim, and no branches that meet again"
    );

    let (mut first, mut pose) = (Vec::new(), Vec::new());
    scene.pose(0, &mut first);
    let route = catheter_route();
    let rim = first[5_002..].iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    assert!((rim - route[0][1]).abs() < 0.003, "the inlet is where the route starts");
    for frame in [1, 50, 99] {
        scene.pose(frame, &mut pose);
        assert_eq!(vessel.pose(&pose), vessel.pose(&first));
        assert_ne!(catheter.pose(&pose), catheter.pose(&first));
    }
}

#[test]
fn the_catheter_touches_the_vessel_only_when_it_is_pushed_too_far_and_never_itself() {
    let scene = build("catheter").unwrap();
    let mut world = World::new();
    let mut bodies = Vec::new();
    for part in scene.parts() {
        let rest = part.pose(&scene.rest);
        let model = Model::new(Mesh::new(part.faces.clone(), rest.len()).unwrap(), &rest).unwrap();
        let settings = BodySettings::default().is_static(part.is_static);
        bodies.push((world.add_with(Arc::new(model), &rest, settings).unwrap(), part));
    }
    let (catheter, part) = &bodies[0];
    let vertices = |frame: usize| {
        let mut pose = Vec::new();
        scene.pose(frame, &mut pose);
        part.pose(&pose)
    };
    for (from, to, touches) in
        [(0, 1, false), (30, 31, false), (60, 61, false), (88, 89, false), (89, 90, true), (98, 99, true)]
    {
        world.set_pose(*catheter, &vertices(from)).unwrap();
        let found = world.contacts(&[(*catheter, &vertices(to))], &Query::all()).unwrap().found;
        assert_eq!(!found.is_empty(), touches, "step {from}");
        let others: Vec<[BodyId; 2]> = found.iter().map(|contact| contact.key.bodies).collect();
        assert!(others.iter().all(|[a, b]| a != b));
    }
    world.set_pose(*catheter, &vertices(88)).unwrap();
    assert_eq!(world.crossings(&Query::any()).unwrap().count, 0);
    world.set_pose(*catheter, &vertices(99)).unwrap();
    assert_ne!(world.crossings(&Query::any()).unwrap().count, 0);
}
