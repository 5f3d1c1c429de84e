//! Many instances of a scene.

use osculate::{BodySettings, Mesh, Model, Query, Skin, World};
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
            let settings = BodySettings::default().self_contact(false);
            world.add_with(model.clone(), &pose, settings).unwrap();
        }
        world.crossings(&Query::count()).unwrap().count
    };
    assert_eq!(crossings(0), 0);
    assert!(0 < crossings(100));
}

#[test]
fn bones_take_vertices_where_the_pose_does() {
    let scene = &build("man").unwrap();
    let skin = scene.skin.as_ref().unwrap();
    let influences = (0..scene.rest.len()).map(|vertex| skin.of_vertex(vertex));
    let skin = Skin::new(skin.bones.len(), &scene.rest, influences).unwrap();
    let mut pose = Vec::new();
    for (place, frame) in crowd(scene, 9, 3).iter().zip([0, 5, 17, 40, 63, 64, 100, 200, 1000]) {
        place.pose(scene, frame, &mut pose);
        let by_bones = skin.pose(&place.bones(scene, frame));
        let difference = pose.as_flattened().iter().zip(by_bones.as_flattened()).map(|(a, b)| (a - b).abs());
        assert!(difference.fold(0.0, f64::max) < 1e-9, "frame {frame}");
    }
}
