//! Many instances of a scene.

use osculate::{BodySettings, Mesh, Model, Query, World};
use osculate_scenes::{build, crowd};
use std::sync::Arc;

#[test]
fn a_crowd_is_free_at_first_and_crowds_later() {
    let scene = &build("dwarf").unwrap();
    let mesh = Mesh::new(scene.faces.clone(), scene.rest.len()).unwrap();
    let model = Arc::new(Model::new(mesh, &scene.rest).unwrap());
    let places = crowd(scene, 50, 1);
    assert_eq!(places, crowd(scene, 50, 1));
    assert_ne!(places, crowd(scene, 50, 2));
    let crossings = |frame: usize| {
        let mut world = World::new();
        let mut pose = Vec::new();
        for place in &places {
            place.pose(scene, frame, &mut pose);
            let settings = BodySettings { self_contact: false, ..BodySettings::default() };
            world.add_with(model.clone(), &pose, settings).unwrap();
        }
        world.crossings(&Query::count()).unwrap().count
    };
    assert_eq!(crossings(0), 0);
    assert!(0 < crossings(100));
}
