//! A pleated curtain, which is drawn together: contacts and crossings of tests of sets on a GPU are
//! those of a hierarchy, and the sets that they leave are those that the processor leaves.

use crate::rasters::sets;
use osculate::chromatic::Size;
use osculate::raster::Raster;
use osculate::stats::SetStats;
use osculate::{Contact, Crossing, Mesh, Method, Model, Query, World};
use osculate_gpu::GpuRaster;
use std::sync::Arc;

/// Squares of the curtain, across and down.
pub(crate) const N: [u32; 2] = [160, 10];

/// Number of steps.
pub(crate) const N_STEPS: usize = 4;

/// The curtain, which becomes narrower with t.
pub(crate) fn curtain(t: f64) -> Vec<[f64; 3]> {
    let point = |i: u32, j: u32| {
        let (u, v) = (f64::from(i) / f64::from(N[0]), f64::from(j) / f64::from(N[1]));
        let angle = 40.0 * u + 0.7 * v;
        // As the curtain is less than 4 wide, it crosses itself where it turns around.
        [(3.2 - 0.08 * t) * u + 0.05 * (2.0 * angle).sin(), v, 0.3 * angle.sin()]
    };
    (0..=N[0]).flat_map(|i| (0..=N[1]).map(move |j| (i, j))).map(|(i, j)| point(i, j)).collect()
}

/// Its triangles.
pub(crate) fn faces() -> Vec<[u32; 3]> {
    let [n, m] = N;
    let quads = (0..n).flat_map(|i| (0..m).map(move |j| i * (m + 1) + j));
    quads.flat_map(|v| [[v, v + m + 1, v + 1], [v + 1, v + m + 1, v + m + 2]]).collect()
}

/// What is found in steps.
#[derive(PartialEq)]
pub(crate) struct Found {
    pub(crate) contacts: Vec<Vec<Contact>>,
    pub(crate) crossings: Vec<Vec<Crossing>>,
}

/// The results of all steps, with what sets were left, and the world.
pub(crate) fn steps(
    raster: Option<Box<dyn Raster>>,
    method: Method,
    mut between: impl FnMut(usize),
) -> (Found, SetStats, World) {
    let points = curtain(0.0);
    let model = Arc::new(Model::new(Mesh::new(faces(), points.len()).unwrap(), &points).unwrap());
    let mut world = World::new();
    let body = world.add(model, &points).unwrap();
    world.set_raster(raster);
    let (mut found, mut stats) = (Found { contacts: Vec::new(), crossings: Vec::new() }, SetStats::default());
    for k in 0..N_STEPS {
        between(k);
        let next = curtain((k + 1) as f64 / N_STEPS as f64);
        let query = Query::all().method(method);
        let contacts = world.contacts(&[(body, &next)], &query).unwrap();
        world.set_pose(body, &next).unwrap();
        let crossings = world.crossings(&query).unwrap();
        stats += contacts.stats.sets;
        stats += crossings.stats.sets;
        found.contacts.push(contacts.found);
        found.crossings.push(crossings.found);
    }
    (found, stats, world)
}

pub(crate) fn check(gpu: GpuRaster) {
    let (expected, _, _) = steps(None, Method::default(), |_| ());
    let n_contacts: usize = expected.contacts.iter().map(Vec::len).sum();
    let n_crossings: usize = expected.crossings.iter().map(Vec::len).sum();
    assert!(100 < n_contacts && 100 < n_crossings, "{n_contacts} contacts, {n_crossings} crossings");
    for size in [Size::One, Size::Two, Size::Four] {
        let (on_cpu, of_cpu, _) = steps(None, sets(size), |_| ());
        let (on_gpu, of_gpu, world) = steps(Some(Box::new(gpu.share())), sets(size), |_| ());
        assert_eq!(world.raster_fault(), None);
        assert!(on_cpu == expected && on_gpu == expected, "{size:?}");
        assert_eq!(of_gpu, of_cpu, "{size:?}");
        assert!(of_gpu.tests != 0, "{of_gpu:?}");
    }
}
