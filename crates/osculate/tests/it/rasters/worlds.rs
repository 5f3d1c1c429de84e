//! Random worlds, on which a rasterizer must lose nothing.

use crate::common::{Rng, ball, closed, vector};
use osculate::chromatic::Size;
use osculate::method::{Chromatic, SetTests};
use osculate::raster::Raster;
use osculate::{BodyId, BodySettings, Mesh, Method, Model, Query, World};
use std::ops::Range;
use std::sync::Arc;

/// With tests of sets in every query.
pub(crate) fn sets(size: Size) -> Method {
    Method::Chromatic(Chromatic::new().sets(SetTests::Always).size(size))
}

pub(crate) type Points = Vec<[f64; 3]>;

/// A sheet of n times m squares, folded over itself by a random wave.
pub(crate) fn sheet(rng: &mut Rng) -> (Vec<[u32; 3]>, Points) {
    let (n, m) = (1 + rng.below(9) as u32, 1 + rng.below(9) as u32);
    let (wave, fold) = (vector(|| 4.0 * rng.signed()), rng.pick(&[0.2, 1.0, 3.0]));
    let side = |i: u32, n: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let point = |i: u32, j: u32| {
        let (x, y) = (side(i, n), side(j, m));
        [x * (fold * wave[0] * x).cos(), y, 0.4 * fold * (wave[1] * x + wave[2] * y).sin()]
    };
    let points = (0..=n).flat_map(|i| (0..=m).map(move |j| (i, j))).map(|(i, j)| point(i, j)).collect();
    let quads = (0..n).flat_map(|i| (0..m).map(move |j| i * (m + 1) + j));
    let faces = quads.flat_map(|v| [[v, v + m + 1, v + 1], [v + 1, v + m + 1, v + m + 2]]).collect();
    (faces, points)
}

/// Triangles over random vertices: non-manifold, with vertices of many triangles.
pub(crate) fn soup(rng: &mut Rng) -> (Vec<[u32; 3]>, Points) {
    let n = 4 + rng.below(20);
    let points = (0..n).map(|_| vector(|| rng.signed())).collect();
    let mut faces = Vec::new();
    for _ in 0..rng.below(40) {
        let [a, b, c] = [0; 3].map(|_| rng.below(n) as u32);
        if a != b && b != c && c != a {
            faces.push([a, b, c]);
        }
    }
    (faces, points)
}

pub(crate) fn shape(rng: &mut Rng) -> (Vec<[u32; 3]>, Points) {
    match rng.below(5) {
        0 => closed(rng),
        1 => soup(rng),
        2 => ball(2),
        _ => sheet(rng),
    }
}

pub(crate) fn moved(rng: &mut Rng, points: &Points, by: f64) -> Points {
    let shift = vector(|| by * rng.signed());
    points.iter().map(|p| [0, 1, 2].map(|k| p[k] + shift[k] + 0.5 * by * rng.signed())).collect()
}

/// What was counted in worlds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) contacts: usize,
    /// Triangles with a candidate pair, before and after the tests of sets of single triangles.
    pub(crate) marked: u64,
    pub(crate) left: u64,
}

/// Checks random worlds of sheets, closed surfaces and soups, in consecutive steps: with tests of
/// sets by a rasterizer, the answers are those of brute force.
pub(crate) fn check_worlds(seeds: Range<u64>, raster: impl Fn() -> Option<Box<dyn Raster>>) -> Counts {
    let mut counts = Counts::default();
    for seed in seeds {
        let mut rng = Rng::for_item(0x5e75, seed);
        let mut world = World::new();
        world.set_raster(raster());
        let n_bodies = rng.pick(&[1, 1, 2, 3]);
        let mut bodies: Vec<(BodyId, Points, bool)> = Vec::new();
        for k in 0..n_bodies {
            let (faces, points) = shape(&mut rng);
            let is_static = k == 2;
            let model = Arc::new(Model::new(Mesh::new(faces, points.len()).unwrap(), &points).unwrap());
            let place = moved(&mut rng, &points, 0.6);
            let settings = BodySettings::default().is_static(is_static);
            bodies.push((world.add_with(model, &place, settings).unwrap(), place, is_static));
        }
        let size = rng.pick(&[Size::One, Size::One, Size::Two, Size::Four]);
        let method = sets(size);
        for step in 0..2 {
            let by = rng.pick(&[0.02, 0.2, 0.6]);
            let next: Vec<(BodyId, Points)> = bodies
                .iter()
                .filter(|body| !body.2)
                .map(|(id, place, _)| (*id, moved(&mut rng, place, by)))
                .collect();
            let moves: Vec<(BodyId, &Points)> = next.iter().map(|(id, place)| (*id, place)).collect();
            let query = |method| Query::all().method(method);
            for (id, place, _) in &bodies {
                world.set_pose(*id, place).unwrap();
            }
            let expected = world.crossings(&query(Method::Brute)).unwrap().found;
            let found = world.crossings(&query(method)).unwrap().found;
            assert!(found == expected, "world {seed}, step {step}: crossings by {method}");
            // Both queries begin at the same places.
            let places: Vec<(BodyId, Points)> =
                bodies.iter().map(|(id, place, _)| (*id, place.clone())).collect();
            let mut contacts = |method| {
                for (id, place) in &places {
                    world.set_pose(*id, place).unwrap();
                }
                world.contacts(&moves[..], &query(method)).unwrap()
            };
            let (expected, report) = (contacts(Method::Brute).found, contacts(method));
            assert!(report.found == expected, "world {seed}, step {step}: contacts by {method}");
            counts.contacts += expected.len();
            // Single triangles of larger primitives are always left.
            if size == Size::One {
                counts.marked += report.stats.sets.marked;
                counts.left += report.stats.sets.left;
            }
            for (id, place) in next {
                bodies.iter_mut().find(|body| body.0 == id).unwrap().1 = place;
            }
        }
        assert_eq!(world.raster_fault(), None, "world {seed}");
    }
    counts
}
