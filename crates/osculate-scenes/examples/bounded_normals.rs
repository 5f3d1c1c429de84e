//! A beast with 40 bones walks, or jumps, or another scene with few parameters, and is tested
//! against itself: time of each frame and vertices moved, by bounded normal trees and by methods
//! that move all vertices.
//!
//! `cargo run --release -p osculate-scenes --example bounded_normals -- beast-walk 16 bn-tree hsc`

use osculate::{Method, Query, World};
use osculate_scenes::build;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("beast-walk", String::as_str);
    let n_frames: usize = arguments.get(1).map_or(Ok(16), |n| n.parse())?;
    let mut methods: Vec<Method> = Vec::new();
    for name in arguments.iter().skip(2) {
        methods.push(name.parse()?);
    }
    if methods.is_empty() {
        for name in ["bn-tree", "bn-tree:no-contour", "hsc", "normal-cone", "normal-cone:front"] {
            methods.push(name.parse()?);
        }
    }

    let scene = build(name).ok_or("there is a scene of that name")?;
    let model = Arc::new(scene.model()?);
    let pose = |frame: usize| scene.model_pose(frame % scene.n_frames());
    println!("{name}: {} triangles, {} frames", scene.faces.len(), n_frames);

    // The methods in turn, frame by frame, so that a busy machine is equally busy for all.
    let mut worlds = Vec::new();
    for method in &methods {
        let mut world = World::new();
        let body = world.add(model.clone(), pose(0))?;
        let start = Instant::now();
        world.contacts(&[(body, pose(1))], &Query::all().method(*method))?;
        println!(
            "{method}: {:.2} s for the first frame, with data computed once",
            start.elapsed().as_secs_f64()
        );
        worlds.push((world, body, Vec::new(), [0; 7]));
    }
    for frame in 1..n_frames {
        for (method, (world, body, times, sums)) in methods.iter().zip(&mut worlds) {
            world.set_pose(*body, pose(frame))?;
            let start = Instant::now();
            let report = world.contacts(&[(*body, pose(frame + 1))], &Query::all().method(*method))?;
            times.push(start.elapsed().as_secs_f64());
            sums[0] += report.count;
            sums[1] += report.stats.skinning.vertices;
            let proofs = report.stats.certificates;
            sums[2] += proofs.triangles_cleared;
            sums[3] += proofs.patches;
            sums[4] += proofs.patches_cleared;
            sums[5] += proofs.pairs;
            sums[6] += proofs.pairs_cleared;
        }
    }
    println!(
        "| method | ms per frame, median | mean | contacts | vertices moved | triangles cleared | patches | cleared | pairs | cleared |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (method, (_, _, times, sums)) in methods.iter().zip(&mut worlds) {
        times.sort_by(f64::total_cmp);
        let n = times.len() as u64;
        let mean = times.iter().sum::<f64>() / n as f64;
        println!(
            "| {method} | {:.1} | {:.1} | {} | {} | {} | {} | {} | {} | {} |",
            1e3 * times[times.len() / 2],
            1e3 * mean,
            sums[0] / n,
            sums[1] / n,
            sums[2] / n,
            sums[3] / n,
            sums[4] / n,
            sums[5] / n,
            sums[6] / n
        );
    }
    Ok(())
}
