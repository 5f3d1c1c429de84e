//! The colors of the meshes of real files: both constraints hold.

use std::path::Path;

use osculate::Mesh;
use osculate::chromatic::{Coloring, Size};
use osculate_io::{Options, open};

use crate::{Outcome, ensure};

/// Colors the surfaces of a file, or of a folder of frames, with primitives of all sizes.
pub(crate) fn check(path: &Path) -> Outcome {
    let clips = open(&[path.to_owned()], &Options::default())?;
    let mut done: Vec<&[[u32; 3]]> = Vec::new();
    for clip in &clips {
        let surface = &clip.surface;
        // The clips of a file mostly share one surface.
        if done.contains(&surface.faces.as_slice()) {
            continue;
        }
        done.push(&surface.faces);
        let mut rest = Vec::new();
        clip.pose(0, &mut rest)?;
        let mesh = Mesh::new(surface.faces.clone(), surface.n_vertices)?;
        for size in [Size::One, Size::Two, Size::Four] {
            let coloring = Coloring::of(&mesh, &rest, size);
            let most = constraints(&mesh, &coloring)?;
            ensure(coloring.lower_bound() == most, || format!("{size:?}: the lower bound is {most}"))?;
            let n_colors = coloring.n_colors();
            ensure(most <= n_colors, || format!("{size:?}: {n_colors} colors, at least {most}"))?;
        }
    }
    ensure(!done.is_empty(), || "no clip".to_owned())
}

/// Fails if a primitive and its neighbors do not all have different colors; returns the largest
/// number of a primitive and its neighbors.
fn constraints(mesh: &Mesh, coloring: &Coloring) -> Result<usize, String> {
    let mut most = 0;
    for p in 0..coloring.n_primitives() as u32 {
        let mut around: Vec<u32> = (coloring.triangles(p).iter())
            .flat_map(|&t| mesh.triangles()[t as usize])
            .flat_map(|v| mesh.triangles_of_vertex(v))
            .map(|&t| coloring.primitives()[t as usize])
            .collect();
        around.sort_unstable();
        around.dedup();
        most = most.max(around.len());
        let mut colors: Vec<u32> = around.iter().map(|&q| coloring.colors()[q as usize]).collect();
        colors.sort_unstable();
        colors.dedup();
        if colors.len() != around.len() {
            return Err(format!("primitive {p}: two of its {} neighbors have one color", around.len()));
        }
    }
    Ok(most)
}
