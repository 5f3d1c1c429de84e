//! The colors of the meshes of all scenes: valid, and few.

use super::super::{LARGE, SCENES, curtains, drape, jelly, spikes, twist};
use crate::vector::Vector;
use osculate::Mesh;
use osculate::chromatic::{Coloring, Size};

/// Checks both constraints of a coloring: no neighbor of a primitive has its color, and no two of
/// its neighbors have the same. Returns the largest number of a primitive and its neighbors.
fn check(name: &str, mesh: &Mesh, coloring: &Coloring) -> usize {
    let mut most = 0;
    for p in 0..coloring.n_primitives() as u32 {
        let mut around: Vec<u32> = (coloring.triangles(p).iter())
            .flat_map(|&t| mesh.triangles()[t as usize])
            .flat_map(|v| mesh.triangles_of_vertex(v))
            .map(|&t| coloring.primitives()[t as usize])
            .collect();
        around.sort_unstable();
        around.dedup();
        assert!(around.contains(&p), "{name}");
        most = most.max(around.len());
        let mut colors: Vec<u32> = around.iter().map(|&q| coloring.colors()[q as usize]).collect();
        colors.sort_unstable();
        assert!(colors.windows(2).all(|two| two[0] != two[1]), "{name}: primitive {p}");
    }
    most
}

/// Colors a mesh with primitives of these sizes.
fn color(name: &str, faces: Vec<[u32; 3]>, rest: &[Vector], sizes: &[Size]) {
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    for &size in sizes {
        let coloring = Coloring::of(&mesh, rest, size);
        let bound = check(name, &mesh, &coloring);
        assert_eq!(coloring.lower_bound(), bound, "{name}");
        let ratio = coloring.n_colors() as f64 / bound as f64;
        println!("{name}, {size:?}: {} colors, at least {bound}: {ratio:.2}", coloring.n_colors());
        assert!((1.0..=1.35).contains(&ratio), "{name}, {size:?}: {} and {bound}", coloring.n_colors());
    }
}

#[test]
fn every_scene_is_colored_validly_with_few_colors() {
    let all = [Size::One, Size::Two, Size::Four];
    let simulated = [drape::objects(), curtains::objects(), twist::objects(), jelly::objects()];
    for (name, object) in simulated.into_iter().flatten() {
        color(name, object.faces, &object.points, &all);
    }
    let is_built = |name: &str| {
        // The first five are above and below, without their frames; both beasts have one mesh.
        !["drape", "curtains", "twist", "jelly", "spikes", "beast-jump"].contains(&name)
    };
    for (name, make) in SCENES.iter().chain(LARGE).filter(|entry| is_built(entry.0)) {
        let scene = make();
        let sizes = if 30_000 < scene.faces.len() { &all[..1] } else { &all };
        for part in scene.parts() {
            color(name, part.faces.clone(), &part.pose(&scene.rest), sizes);
        }
    }
    let (faces, points) = spikes::topology();
    color("spikes", faces, &points, &all[..1]);
}
