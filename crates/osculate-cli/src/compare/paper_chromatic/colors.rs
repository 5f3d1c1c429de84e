//! Colors of the meshes of the scenes, and of a large mesh: how many, and how long they take.

use anyhow::Result;
use osculate::Mesh;
use osculate::chromatic::{Coloring, Size};
use osculate_scenes::Scene;

use crate::clock::now;
use crate::compare::race::median;
use crate::source::build_scene;

/// A mesh of 100,352 triangles that is no grid: this scene, with each triangle split into four.
const LARGE: &str = "box";

/// The coloring of a mesh.
pub(super) struct Colors {
    /// The scene, and the object if there are several.
    pub(super) mesh: String,
    pub(super) triangles: usize,
    /// The largest number of triangles of a primitive.
    pub(super) size: usize,
    pub(super) primitives: usize,
    pub(super) colors: usize,
    pub(super) lower_bound: usize,
    /// Milliseconds: the median over all repetitions.
    pub(super) ms: f64,
}

/// Colors the objects of a scene that differ in their meshes.
pub(super) fn of_scene(scene: &Scene, repeat: usize) -> Result<Vec<Colors>> {
    let (parts, mut all) = (scene.parts(), Vec::new());
    for (i, part) in parts.iter().enumerate() {
        if parts[..i].iter().all(|other| other.faces != part.faces) {
            let name = format!("{}, {}", scene.name, scene.objects[i]);
            all.extend(color(&name, &part.faces, &part.pose(&scene.rest), repeat)?);
        }
    }
    Ok(all)
}

/// Colors the large mesh.
pub(super) fn of_large_mesh(repeat: usize) -> Result<Vec<Colors>> {
    let scene = osculate_scenes::subdivided(&build_scene(LARGE)?, 1);
    color(&format!("{LARGE}, subdivided"), &scene.faces, &scene.rest, repeat)
}

/// The colorings with primitives of one, two and four triangles.
fn color(name: &str, faces: &[[u32; 3]], rest: &[[f64; 3]], repeat: usize) -> Result<Vec<Colors>> {
    let mesh = Mesh::new(faces.to_vec(), rest.len())?;
    let of_size = |(n, size): (usize, Size)| {
        let mut times = Vec::new();
        let mut coloring = None;
        for _ in 0..repeat {
            let start = now();
            coloring = Some(Coloring::of(&mesh, rest, size));
            times.push(1e-6 * (now() - start) as f64);
        }
        coloring.map(|coloring| Colors {
            mesh: name.to_owned(),
            triangles: faces.len(),
            size: n,
            primitives: coloring.n_primitives(),
            colors: coloring.n_colors(),
            lower_bound: coloring.lower_bound(),
            ms: median(&times),
        })
    };
    Ok([(1, Size::One), (2, Size::Two), (4, Size::Four)].into_iter().filter_map(of_size).collect())
}
