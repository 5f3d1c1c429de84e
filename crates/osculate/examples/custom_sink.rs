//! Results as they are found: contacts counted by region, and a search that stops early.
//!
//! `cargo run --release --example custom_sink`

use osculate::{Contact, Error, Mesh, Model, Query, Sink, SinkFlow, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts contacts on each side of x = 0, and stores none.
#[derive(Default)]
struct Sides {
    left: AtomicU64,
    right: AtomicU64,
}

impl Sink<Contact> for Sides {
    fn take(&self, contact: &Contact) -> SinkFlow {
        let side = if contact.at.point[0] < 0.0 { &self.left } else { &self.right };
        side.fetch_add(1, Ordering::Relaxed);
        SinkFlow::Continue
    }
}

fn main() -> Result<(), Error> {
    let (faces, flat) = grid(40);
    let model = Arc::new(Model::new(Mesh::new(faces, flat.len())?, &flat)?);
    let mut world = World::new();
    world.add(model.clone(), &flat)?;
    let at = |height: f64| -> Vec<[f64; 3]> {
        flat.iter().map(|&[x, y, _]| [x + 0.013, y + 0.007, height + 0.3 * x]).collect()
    };
    let sheet = world.add(model, &at(1.0))?;
    let next = at(-1.0);

    // The whole step.
    let sides = Sides::default();
    let stats = world.contacts_into(&[(sheet, &next)], &Query::all(), &sides)?;
    println!(
        "{} contacts on the left, {} on the right, {} pairs of features",
        sides.left.into_inner(),
        sides.right.into_inner(),
        stats.narrow.queries
    );

    // Closures are sinks too. This one stops after ten contacts.
    let seen = AtomicU64::new(0);
    let enough = |_: &Contact| match seen.fetch_add(1, Ordering::Relaxed) {
        0..9 => SinkFlow::Continue,
        _ => SinkFlow::Stop,
    };
    let stats = world.contacts_into(&[(sheet, &next)], &Query::all(), &enough)?;
    println!(
        "at least ten contacts: {}, {} pairs of features",
        10 <= seen.into_inner(),
        stats.narrow.queries
    );
    Ok(())
}

/// A square sheet of n by n quads, cut into triangles.
fn grid(n: u32) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let row = n + 1;
    let place = |i: u32| f64::from(i) / f64::from(n) * 2.0 - 1.0;
    let positions = (0..row * row).map(|v| [place(v % row), place(v / row), 0.0]).collect();
    let quads = (0..n * n).map(|q| q / n * row + q % n);
    let faces = quads.flat_map(|v| [[v, v + 1, v + row], [v + 1, v + row + 1, v + row]]).collect();
    (faces, positions)
}
