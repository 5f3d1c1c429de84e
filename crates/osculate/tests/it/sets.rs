//! Chromatic decomposition with tests of sets: thousands of random worlds of sheets, closed
//! surfaces and soups, in consecutive steps, give what all pairs of triangles give, and so do
//! rasterizers that fail.

use crate::common::{Rng, ball, closed, vector};
use osculate::chromatic::Size;
use osculate::method::{Chromatic, SetTests};
use osculate::raster::{AllPairs, Frame, Hidden, Raster, RasterFault};
use osculate::{BodyId, BodySettings, Mesh, Method, Model, Query, World};
use std::sync::Arc;

/// With tests of sets in every query.
fn sets(size: Size) -> Method {
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

#[test]
fn tests_of_sets_lose_nothing() {
    let (mut n_contacts, mut n_marked, mut n_left) = (0, 0, 0);
    for seed in 0..2000 {
        let mut rng = Rng::for_item(0x5e75, seed);
        let mut world = World::new();
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
            n_contacts += expected.len();
            // Single triangles of larger primitives are always left.
            if size == Size::One {
                n_marked += report.stats.sets.marked;
                n_left += report.stats.sets.left;
            }
            for (id, place) in next {
                bodies.iter_mut().find(|body| body.0 == id).unwrap().1 = place;
            }
        }
    }
    assert!(50_000 < n_contacts, "{n_contacts}");
    assert!(10 * n_left < 9 * n_marked, "{n_left} of {n_marked} triangles are left");
}

/// Answers a few times, then fails.
struct Failing(u32);

impl Raster for Failing {
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| RasterFault("the device is lost".to_owned()))?;
        AllPairs.hidden(frame)
    }
}

#[test]
fn a_rasterizer_that_fails_loses_no_answer() {
    let mut rng = Rng::new(11);
    let (faces, points) = ball(3);
    let model = Arc::new(Model::new(Mesh::new(faces, points.len()).unwrap(), &points).unwrap());
    let next: Points = points.iter().map(|_| vector(|| rng.signed())).collect();
    let contacts = |raster: Option<Box<dyn Raster>>, method: Method| {
        let mut world = World::new();
        let body = world.add(model.clone(), &points).unwrap();
        world.set_raster(raster);
        let found = world.contacts(&[(body, &next)], &Query::all().method(method)).unwrap().found;
        let fault = world.raster_fault().cloned();
        // It is not asked again.
        world.set_pose(body, &next).unwrap();
        let again = world.crossings(&Query::all().method(method)).unwrap().found.len();
        assert_eq!(world.raster_fault(), fault.as_ref());
        (found, again, fault)
    };
    let (expected, crossings, _) = contacts(None, Method::Brute);
    assert!(!expected.is_empty() && crossings != 0);
    for n_answers in [0, 1, 2, 100] {
        let (found, again, fault) = contacts(Some(Box::new(Failing(n_answers))), sets(Size::One));
        assert!(found == expected && again == crossings, "after {n_answers} answers");
        let message = fault.map(|fault| fault.to_string());
        assert_eq!(message.as_deref(), (n_answers < 100).then_some("the device is lost"));
    }
}
