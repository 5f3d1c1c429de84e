//! Counts and shapes of scenes that are slow to build, without building them.

mod coloring;

use super::{catheter, curtains, drape, jelly, reduced_cloth, spikes, twist};
use crate::solver::{Material, Object, enclosed};
use crate::vector::{Vector, area_normal, cross, distance, dot, sub};
use osculate::{Mesh, Model, Query, World};
use std::sync::Arc;

fn counts(objects: &[(&str, Object)]) -> Vec<(usize, usize, usize)> {
    let of_object = |(_, object): &(&str, Object)| {
        let found = Mesh::new(object.faces.clone(), object.points.len()).unwrap().describe();
        assert!(found.is_manifold() && found.is_oriented());
        assert_eq!((found.components, found.isolated_vertices), (1, 0));
        assert_eq!(found.is_closed(), object.material != Material::Cloth);
        (object.faces.len(), object.points.len(), object.held.len())
    };
    objects.iter().map(of_object).collect()
}

#[test]
fn simulated_scenes_have_their_counts() {
    assert_eq!(counts(&drape::objects()), [(64_000, 32_361, 0), (6_912, 3_458, 3_458)]);
    assert_eq!(counts(&curtains::objects()), [(32_500, 16_506, 126); 2]);
    assert_eq!(counts(&twist::objects()), [(64_000, 32_361, 322)]);
    let ball = (4800, 2402, 0);
    assert_eq!(counts(&jelly::objects()), [ball, ball, ball, ball, (3888, 1946, 1946)]);
}

#[test]
fn both_curtains_face_forward() {
    for (name, object) in curtains::objects() {
        let corners = |face: &[u32; 3]| face.map(|vertex| object.points[vertex as usize]);
        assert!(object.faces.iter().all(|face| 0.0 < area_normal(corners(face))[2]), "{name}");
    }
}

#[test]
fn the_balls_and_the_bowl_of_jelly_face_outward_and_are_apart() {
    let mut world = World::new();
    for (name, object) in jelly::objects() {
        assert!(0.0 < enclosed(&object.faces, &object.points), "{name}");
        let mesh = Mesh::new(object.faces, object.points.len()).unwrap();
        world.add(Arc::new(Model::new(mesh, &object.points).unwrap()), &object.points).unwrap();
    }
    assert_eq!(world.crossings(&Query::any()).unwrap().count, 0);
}

#[test]
fn the_ball_of_spikes_has_a_million_triangles_that_face_outward() {
    let (faces, points) = spikes::topology();
    assert_eq!((faces.len(), points.len()), (1_000_000, 500_002));
    let is_outward = |[a, b, c]: [Vector; 3]| 0.0 < dot(cross(sub(b, a), sub(c, a)), a);
    assert!(faces.iter().all(|face| is_outward(face.map(|vertex| points[vertex as usize]))));
    let mut directed: Vec<[u32; 2]> = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    directed.sort_unstable();
    assert!(directed.iter().all(|&[a, b]| directed.binary_search(&[b, a]).is_ok()), "it is closed");
}

#[test]
fn cloth_is_subdivided_by_convex_local_weights_that_keep_planes() {
    for (levels, n_faces) in [(0, 400), (1, 1600), (2, 6400), (3, 25_600)] {
        let surface = reduced_cloth::surface(levels);
        assert_eq!(surface.triangles().len(), n_faces);
        for vertex in 0..surface.rest().len() {
            let row = surface.influences(vertex);
            assert!(row.len() <= 12 && row.iter().all(|entry| 0.0 < entry.1));
            assert!((row.iter().map(|entry| entry.1).sum::<f64>() - 1.0).abs() < 1e-13);
        }
        let flat = reduced_cloth::CONTROL.points(|u, v| [u, v, 0.5 * u - 2.0 * v]);
        let points = surface.vertices(&flat);
        assert!(points.iter().all(|&[x, y, z]| (z - 0.5 * x + 2.0 * y).abs() < 1e-13));
        let corners = |face: &[u32; 3]| face.map(|vertex| points[vertex as usize]);
        assert!(
            surface.triangles().iter().all(|face| 0.0 < area_normal(corners(face))[2]),
            "nothing is turned over"
        );
    }
}

#[test]
fn the_center_line_of_the_catheter_keeps_its_length_and_enters_through_the_inlet() {
    let lines = catheter::center_lines();
    assert_eq!(lines.len(), 100);
    for (frame, line) in lines.iter().enumerate() {
        let pieces = line.windows(2).map(|ends| distance(ends[0], ends[1]));
        assert!(pieces.into_iter().all(|piece| (piece - 0.002).abs() < 1e-12), "frame {frame}");
        assert!(line[0][1] < 0.22, "its end stays outside in frame {frame}");
        let outside = line.iter().filter(|place| place[1] < 0.22);
        assert!(outside.into_iter().all(|place| place[0].abs() < 1e-12 && place[2].abs() < 1e-12));
    }
    let (tip, end) = (lines[88][110], *catheter::route().last().unwrap());
    assert!(distance(tip, end) < 0.015, "it reaches the end of the route before anything touches");
}
