//! Triangles of the cloth-ball mesh that cross, on request.
//!
//! `crossings FOLDER` reads `positions.f64` and `faces.u32` there (rows of x0 y0 z0 x1 y1 z1, of
//! which the last three count, and of three vertices), and answers the lines `crossings`, `once`
//! and `pairs` as `engine.py` does. The mesh is tested against itself: pairs of leaves whose boxes
//! overlap, and then pairs of triangles.

use std::error::Error;
use std::io::BufRead as _;
use std::path::Path;
use std::time::Instant;

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::shape::TriMesh;

use crate::answers::send;
use crate::rows::read_rows;

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let positions: Vec<[f64; 6]> = read_rows(&folder.join("positions.f64"), f64::from_le_bytes)?;
    let faces: Vec<[u32; 3]> = read_rows(&folder.join("faces.u32"), u32::from_le_bytes)?;
    let vertices: Vec<Vector> = positions.iter().map(|&[.., x, y, z]| Vector::new(x, y, z)).collect();
    send(r#"{"version": "0.31", "threads": 1, "prepare_seconds": 0}"#)?;
    let mut found = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.trim() {
            "crossings" | "once" => {
                let start = Instant::now();
                let mesh = TriMesh::new(vertices.clone(), faces.clone())?;
                found = crossings(&mesh);
                let seconds = start.elapsed().as_secs_f64();
                send(&format!(r#"{{"seconds": {seconds}, "any": {}}}"#, !found.is_empty()))?;
            }
            "pairs" => {
                let bytes: Vec<u8> =
                    found.iter().flatten().flat_map(|face: &u32| face.to_le_bytes()).collect();
                std::fs::write(folder.join("crossings-parry.u32"), bytes)?;
                send(&format!(r#"{{"pairs": {}}}"#, found.len()))?;
            }
            _ => return Err(format!("unknown command: {line}").into()),
        }
    }
    Ok(())
}

/// Pairs of triangles of a mesh that touch, also those that share a vertex.
fn crossings(mesh: &TriMesh) -> Vec<[u32; 2]> {
    let leaves = mesh.bvh().leaf_pairs(mesh.bvh(), |a, b| a.intersects(b));
    let pairs = leaves.map(|(a, b)| [a, b]).filter(|[a, b]| a < b);
    pairs
        .filter(|&[a, b]| {
            let [a, b] = [a, b].map(|face| mesh.triangle(face));
            intersection_test_support_map_support_map(&Pose::IDENTITY, &a, &b)
        })
        .collect()
}
