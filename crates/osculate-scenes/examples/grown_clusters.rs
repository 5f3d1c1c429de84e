//! Prints, for the bodies of scenes, the clusters grown without a skeleton: their number, the share
//! of triangles that face away from a point in their cluster at rest, and the time. With names,
//! only these scenes.
//!
//! `cargo run --release -p osculate-scenes --example grown_clusters`

use osculate::{Mesh, MeshFaults, Model, Split};
use osculate_scenes::{build, names};
use std::array::from_fn;
use std::time::Instant;

type Vector = [f64; 3];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.is_empty() {
        wanted = names().into_iter().map(str::to_owned).collect();
    }
    println!(
        "| scene | body | triangles | clusters | facing away | milliseconds |\n|---|---|---|---|---|---|"
    );
    for name in &wanted {
        let Some(scene) = build(name) else {
            eprintln!("there is no scene '{name}'");
            continue;
        };
        for (object, part) in scene.objects.iter().zip(scene.parts()) {
            let rest = part.pose(&scene.rest);
            let mesh: Result<Mesh, MeshFaults> = Mesh::new(part.faces.clone(), rest.len());
            // The tree of patches is the model's own, and not part of the time.
            let model = Model::with_build(mesh?, &rest, &Split::ConnectedPatches.into())?;
            let start = Instant::now();
            let clusters = model.clusters();
            let elapsed = start.elapsed().as_secs_f64();
            let n_facing = (0..clusters.len() as u32)
                .map(|cluster| {
                    let of_triangles = clusters.of_triangles().iter().zip(&part.faces);
                    let faces = of_triangles.filter(|(c, _)| **c == cluster).map(|(_, face)| *face).collect();
                    n_facing(faces, &rest)
                })
                .sum::<usize>();
            println!(
                "| {name} | {object} | {} | {} | {:.1} % | {:.0} |",
                part.faces.len(),
                clusters.len(),
                100.0 * n_facing as f64 / part.faces.len() as f64,
                1e3 * elapsed
            );
        }
    }
    Ok(())
}

/// The number of triangles that face away from a point: initially their mean, which then moves away
/// from the planes that it is in front of, or nearly.
fn n_facing(faces: Vec<[u32; 3]>, rest: &[Vector]) -> usize {
    let planes: Vec<(Vector, Vector)> = faces.iter().map(|f| plane(f.map(|v| rest[v as usize]))).collect();
    let n = planes.len() as f64;
    let mut q: Vector = from_fn(|k| planes.iter().map(|(p, _)| p[k]).sum::<f64>() / n);
    let behind = |q: Vector, (p, n): &(Vector, Vector)| (0..3).map(|k| n[k] * (p[k] - q[k])).sum::<f64>();
    let mut most = 0;
    for round in 1..200 {
        most = most.max(planes.iter().filter(|plane| 0.0 < behind(q, plane)).count());
        let mean = planes.iter().map(|plane| behind(q, plane)).sum::<f64>() / n;
        let step = |k: usize| {
            planes.iter().map(|plane| (behind(q, plane) - mean).min(0.0) * plane.1[k]).sum::<f64>()
        };
        let step: Vector = from_fn(step);
        q = from_fn(|k| q[k] + 2.0 * step[k] / n / f64::from(round).sqrt());
    }
    most
}

/// A corner, and the unit normal.
fn plane([a, b, c]: [Vector; 3]) -> (Vector, Vector) {
    let [e, f]: [Vector; 2] = [b, c].map(|p| from_fn(|k| p[k] - a[k]));
    let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    (a, n.map(|x| x / length))
}
