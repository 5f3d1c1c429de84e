//! A strip of paper folds onto itself: when does it first touch, and where?
//!
//! `cargo run --release --example getting_started`

use osculate::{Error, Mesh, Model, Query, World};
use std::sync::Arc;

fn main() -> Result<(), Error> {
    // A strip of 8 squares, two triangles each, lying flat.
    let n = 8;
    let flat: Vec<[f64; 3]> =
        (0..=n).flat_map(|i| [[f64::from(i), 0.0, 0.0], [f64::from(i), 1.0, 0.0]]).collect();
    let triangles = (0..n as u32).flat_map(|i| {
        let v = 2 * i;
        [[v, v + 2, v + 1], [v + 1, v + 2, v + 3]]
    });
    let mesh = Mesh::new(triangles.collect(), flat.len())?;
    println!("{}", mesh.describe());

    // The right half swings over to the left, a little askew, and passes through it.
    let folded: Vec<[f64; 3]> = flat
        .iter()
        .map(|&[x, y, _]| if x <= 4.0 { [x, y, 0.0] } else { [8.2 - x, y + 0.1, 0.25 * (4.0 - x)] })
        .collect();
    let lifted: Vec<[f64; 3]> =
        flat.iter().map(|&[x, y, _]| if x <= 4.0 { [x, y, 0.0] } else { [4.0, y, x - 4.0] }).collect();

    let model = Arc::new(Model::new(mesh, &flat)?);
    let mut world = World::new();
    let strip = world.add(model, &lifted)?;

    let report = world.contacts(&[(strip, &folded)], &Query::all())?;
    println!("{} contacts on the way down", report.count);
    if let Some(first) = world.contacts(&[(strip, &folded)], &Query::earliest())?.found.first() {
        println!("the first between t = {} and {}, at {:?}", first.lo, first.hi, first.at.point);
    }
    world.set_pose(strip, &folded)?;
    let crossings = world.crossings(&Query::count())?.count;
    println!("{crossings} pairs of triangles cross in the end: a look at the end alone would have missed it");
    Ok(())
}
