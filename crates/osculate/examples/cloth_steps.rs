//! A sheet rolls up onto itself over many steps: new contacts of each step, and the work done.
//!
//! `cargo run --release --example cloth_steps`

use osculate::{ContactKey, Error, Mesh, Model, Query, Stats, World};
use std::collections::HashSet;
use std::sync::Arc;

/// The sheet at a time: a grid that rolls up, with ripples that make its layers touch.
fn pose(n: usize, time: f64) -> Vec<[f64; 3]> {
    let vertex = |i: usize| {
        let (u, v) = ((i / (n + 1)) as f64 / n as f64, (i % (n + 1)) as f64 / n as f64);
        let curvature = 0.1 + 8.0 * time;
        let ripple = 1.0 + 0.05 * time * (7.0 * v + 9.0 * u).sin();
        let (sin, cos) = (curvature * u).sin_cos();
        [ripple * sin / curvature, v, (1.0 - ripple * cos) / curvature]
    };
    (0..(n + 1) * (n + 1)).map(vertex).collect()
}

fn main() -> Result<(), Error> {
    let n = 100;
    let m = n as u32;
    let quads = (0..m * m).map(|i| (i / m) * (m + 1) + i % m);
    let triangles = quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
    let start = pose(n, 0.0);
    let model = Arc::new(Model::new(Mesh::new(triangles, start.len())?, &start)?);
    let mut world = World::new();
    let sheet = world.add(model, &start)?;

    let mut known: HashSet<ContactKey> = HashSet::new();
    let mut stats = Stats::default();
    for step in 1..=40 {
        let next = pose(n, f64::from(step) / 40.0);
        let report = world.contacts(&[(sheet, &next)], &Query::all().known(&known))?;
        if 0 < report.count {
            println!("step {step}: {} new contacts", report.count);
        }
        known.extend(report.found.iter().map(|contact| contact.key));
        stats += report.stats;
        world.set_pose(sheet, &next)?;
    }
    println!(
        "{} box tests, {} pairs, {} feature pairs",
        stats.bounds_tests, stats.pairs, stats.narrow.queries
    );
    println!("{} of them needed exact arithmetic", stats.narrow.exact());
    Ok(())
}
