//! Bands that face an axis throughout a step and overlap themselves in it: at its start, in its
//! middle or at its end only. Only their contours tell, and every method must find what testing all
//! pairs finds.

use crate::common::Rng;
use crate::methods::complete_methods;
use osculate::method::{BnTree, Shape, SphereTree};
use osculate::{Affine, Contact, Mesh, Method, Model, Query, Skin, World};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The middle line of a band, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Nearly a whole turn, or somewhat more.
    Spiral,
    /// Three legs beside each other.
    Zigzag,
    Strip,
}

/// Ribs along a band, and squares across it.
const N_RIBS: u32 = 40;
const N_ACROSS: u32 = 3;

/// A point of the middle line, and the direction across it.
fn rib(line: Line, turns: f64, s: f64) -> [[f64; 2]; 2] {
    match line {
        Line::Spiral => {
            let (sin, cos) = (TAU * turns * s).sin_cos();
            let r = 1.0 + 0.4 * s;
            [[r * cos, r * sin], [cos, sin]]
        }
        Line::Zigzag => {
            // Legs along y, connected by half circles.
            let (leg, u) = ((3.0 * s).min(2.999).floor(), (3.0 * s).min(2.999).fract());
            let up = if leg == 1.0 { -1.0 } else { 1.0 };
            if u < 0.6 || leg == 2.0 {
                let u = if leg == 2.0 { u } else { u / 0.6 };
                [[0.8 * leg, up * (2.0 * u - 1.0)], [up, 0.0]]
            } else {
                let (sin, cos) = (0.5 * TAU * (u - 0.6) / 0.4).sin_cos();
                [[0.8 * leg + 0.4 * (1.0 - cos), up * (1.0 + 0.4 * sin)], [up * cos, -sin]]
            }
        }
        Line::Strip => [[4.0 * s - 2.0, 0.2 * (3.0 * s).sin()], [0.0, -1.0]],
    }
}

/// A band with three bones: one for all of it, and one for either end.
fn band(rng: &mut Rng, line: Line) -> Arc<Model> {
    let (turns, width) = (0.9 + 0.3 * rng.unit(), 0.3 + 0.2 * rng.unit());
    let slope = rng.pick(&[0.005, 0.02, 0.1]);
    let along = |i: u32| f64::from(i) / f64::from(N_RIBS);
    let (mut rest, mut influences) = (Vec::new(), Vec::new());
    for i in 0..=N_RIBS {
        let [center, across] = rib(line, turns, along(i));
        // Smooth from the end to a third of the band.
        let smooth = |s: f64| (1.0 - 3.0 * s).max(0.0).powi(2) * (1.0 + 6.0 * s);
        let ends = [smooth(along(i)), smooth(1.0 - along(i))];
        for j in 0..=N_ACROSS {
            let h = width * (f64::from(j) / f64::from(N_ACROSS) - 0.5);
            rest.push([center[0] + h * across[0], center[1] + h * across[1], slope * along(i)]);
            influences.push([(0, 1.0 - ends[0] - ends[1]), (1, ends[0]), (2, ends[1])]);
        }
    }
    let row = N_ACROSS + 1;
    let squares = (0..N_RIBS).flat_map(|i| (0..N_ACROSS).map(move |j| i * row + j));
    let faces = squares.flat_map(|a| [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]).collect();
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let skin = Skin::new(3, &rest, influences).unwrap();
    Arc::new(Model::new(mesh, &rest).unwrap().with_skin(skin).unwrap())
}

/// Where the bones of both ends are: shifted in the plane and across it, and turned a little.
fn bones(rng: &mut Rng, far: f64) -> Vec<Affine> {
    let mut bone = |by: f64| {
        let angle = 0.3 * by * rng.signed();
        let (sin, cos) = angle.sin_cos();
        let [x, y, z] = [by * rng.signed(), by * rng.signed(), 0.1 * by * rng.signed()];
        [[cos, -sin, 0.0, x], [sin, cos, 0.0, y], [0.0, 0.0, 1.0, z]]
    };
    vec![bone(0.0), bone(far), bone(far)]
}

fn complete() -> Vec<Method> {
    let spheres = SphereTree::new();
    let on_demand = [spheres, spheres.shape(Shape::Box), spheres.shape(Shape::Box).always_parallel(true)];
    complete_methods().chain(on_demand.map(Method::SphereTree)).collect()
}

fn contacts(model: &Arc<Model>, [start, end]: [&[Affine]; 2], method: Method) -> Vec<Contact> {
    let mut world = World::new();
    let body = world.add(model.clone(), start).unwrap();
    world.contacts(&[(body, end)], &Query::all().method(method)).unwrap().found
}

fn has_crossings(model: &Arc<Model>, pose: &[Affine]) -> bool {
    let mut world = World::new();
    world.add(model.clone(), pose).unwrap();
    world.crossings(&Query::all().method(Method::Brute)).unwrap().count != 0
}

#[test]
fn bands_that_overlap_for_a_part_of_the_step() {
    let methods = complete();
    let no_contour = Method::BnTree(BnTree::new().contour(false));
    for line in [Line::Spiral, Line::Zigzag, Line::Strip] {
        // Contacts at the end only, in the middle only, none; and what a test of normals misses.
        let [mut n_end, mut n_middle, mut n_none, mut n_missed] = [0; 4];
        for index in 0..300 {
            let rng = &mut Rng::for_item(71, index);
            let model = band(rng, line);
            let far = rng.pick(&[0.3, 0.6, 1.0]);
            let [start, end] = [bones(rng, far), bones(rng, far)];
            let step = [&*start, &*end];
            let expected = contacts(&model, step, Method::Brute);
            if expected.is_empty() {
                n_none += 1;
            } else {
                let [at_start, at_end] = step.map(|pose| has_crossings(&model, pose));
                n_end += u32::from(at_end && !at_start);
                n_middle += u32::from(!at_end && !at_start);
                n_missed += u32::from(contacts(&model, step, no_contour) != expected);
            }
            for &method in &methods {
                assert_eq!(contacts(&model, step, method), expected, "{line:?} {index}, {method}");
            }
        }
        if line != Line::Strip {
            assert!(1 < n_end && 5 < n_middle, "{line:?}: {n_end} {n_middle}");
            assert!(5 < n_none && 5 < n_missed, "{line:?}: {n_none} {n_missed}");
        }
    }
}
