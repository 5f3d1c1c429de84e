//! Chromatic decomposition with tests of sets: rasterizers answer as all pairs do; thousands of
//! random worlds give what all pairs of triangles give, and so do rasterizers that fail.

use crate::common::{Rng, ball, vector};
use crate::rasters::{check_crowds, check_frames, check_special_frames, check_worlds, sets};
use osculate::chromatic::Size;
use osculate::raster::{AllPairs, CpuRaster, Frame, Hidden, Raster, RasterFault};
use osculate::{Mesh, Method, Model, Query, World};
use std::sync::Arc;

#[test]
fn the_rasterizer_gives_the_answers_of_all_pairs() {
    check_frames(&mut CpuRaster, 0..3000);
    check_crowds(&mut CpuRaster, &[190, 195, 1000]);
    check_special_frames(&mut CpuRaster);
}

#[test]
fn tests_of_sets_lose_nothing() {
    let counts = check_worlds(0..2000, || None);
    assert!(50_000 < counts.contacts, "{counts:?}");
    assert!(10 * counts.left < 9 * counts.marked, "{counts:?}");
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
    let next: Vec<[f64; 3]> = points.iter().map(|_| vector(|| rng.signed())).collect();
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

/// A fan has more triangles around its middle than there are sets. A small triangle falls through
/// one of them after the other; those that are in no set are found as well.
#[test]
fn triangles_in_no_set_are_found() {
    let n = 48;
    let at = |k: u32, radius: f64| {
        let angle = f64::from(k) * std::f64::consts::TAU / f64::from(2 * n);
        [radius * angle.cos(), radius * angle.sin(), 0.0]
    };
    let mut faces: Vec<[u32; 3]> = (0..n).map(|k| [0, 1 + k, 1 + (k + 1) % n]).collect();
    faces.push([n + 1, n + 2, n + 3]);
    let mut points = vec![[0.0; 3]];
    points.extend((0..n).map(|k| at(2 * k, 1.0)));
    points.extend([[0.0; 3]; 3]);
    for k in 0..n {
        let mut place = |height: f64| {
            let [x, y, _] = at(2 * k + 1, 0.8);
            let corners = [[x, y, height], [x + 0.01, y, height], [x, y + 0.01, height]];
            points[n as usize + 1..].copy_from_slice(&corners);
            points.clone()
        };
        let (above, below) = (place(0.5), place(-0.5));
        let mesh = Mesh::new(faces.clone(), above.len()).unwrap();
        let mut world = World::new();
        let body = world.add(Arc::new(Model::new(mesh, &above).unwrap()), &above).unwrap();
        let mut contacts =
            |method| world.contacts(&[(body, &below)], &Query::all().method(method)).unwrap().found;
        let expected = contacts(Method::Brute);
        assert!(!expected.is_empty());
        assert_eq!(contacts(sets(Size::One)), expected, "triangle {k}");
    }
}
