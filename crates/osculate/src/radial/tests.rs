//! Each part of the method is needed: without it, contacts of small random bodies are missed.

use super::{Clusters, Observer};
use crate::feature::{Hazard, leaving_out};
use crate::random::random;
use crate::{Contact, Mesh, Method, Model, Query, Radial, World};
use std::sync::Arc;

/// A closed surface: a ring of n times m quadrilaterals, drawn together to a point at both ends.
fn spindle(n: u32, m: u32) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let mut points = vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
    for i in 0..n {
        for j in 0..m {
            let [u, v] = [f64::from(i + 1) / f64::from(n + 1), f64::from(j) / f64::from(m)];
            let (r, angle) = ((std::f64::consts::PI * u).sin(), std::f64::consts::TAU * v);
            points.push([r * angle.cos(), r * angle.sin(), -(std::f64::consts::PI * u).cos()]);
        }
    }
    let at = |i: u32, j: u32| 2 + i * m + j % m;
    let mut faces = Vec::new();
    for j in 0..m {
        faces.push([0, at(0, j + 1), at(0, j)]);
        faces.push([1, at(n - 1, j), at(n - 1, j + 1)]);
        for i in 0..n - 1 {
            faces.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    (faces, points)
}

/// Contacts of all pairs, and of the radial method, in each of a few steps.
fn run(seed: u64, hole: bool) -> Vec<[Vec<Contact>; 2]> {
    let mut unit = random(seed);
    let mut below = |n: usize| (unit() * n as f64) as usize;
    let (mut faces, rest) = spindle(5, 8);
    if hole {
        // A slit from end to end: one lip can slide over the other, and both face away.
        let is_slit = |v: u32| (v < 2) || (v - 2).is_multiple_of(8) || v % 8 == 1;
        faces.retain(|face| !face.iter().all(|&v| is_slit(v)));
    }
    let n_clusters = 1 + below(4);
    let by_place = below(2) == 0;
    let of_triangle = (0..faces.len())
        .map(|t| if by_place { t * n_clusters / faces.len() } else { below(n_clusters) } as u32)
        .collect();
    let speed = [0.1, 0.4, 1.0][below(3)];
    let mut signed = || 2.0 * unit() - 1.0;
    let joints: Vec<[f64; 3]> = (0..n_clusters).map(|_| [0; 3].map(|_| 0.5 * signed())).collect();
    let observers = (0..n_clusters as u32).map(Observer::Joint).collect();
    let clusters = Clusters::new(of_triangle, observers, joints).unwrap();
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let model = Arc::new(Model::new(mesh, &rest).unwrap().with_clusters(clusters).unwrap());
    let mut worlds = [World::new(), World::new()];
    let body = worlds.each_mut().map(|world| world.add(model.clone(), &rest).unwrap())[0];
    let mut pose = rest.clone();
    (0..4)
        .map(|_| {
            let next: Vec<[f64; 3]> = if hole {
                // Wound up around the axis, more or less, and wider the further around.
                let [wound, wider] = [1.2 + 0.4 * signed(), 0.5 * signed()];
                let wind = |&[x, y, z]: &[f64; 3]| {
                    let (r, angle) = (x.hypot(y), y.atan2(x).rem_euclid(std::f64::consts::TAU));
                    let (r, angle) = (r * (1.0 + wider * angle / 6.0), wound * angle);
                    [r * angle.cos() + 0.02 * signed(), r * angle.sin(), z]
                };
                rest.iter().map(wind).collect()
            } else {
                pose.iter().map(|p| p.map(|x| x + speed * signed())).collect()
            };
            let answers = [Method::Brute, Method::Radial(Radial::new())].map(|method| {
                let world = &mut worlds[usize::from(method != Method::Brute)];
                world.set_pose(body, &pose).unwrap();
                world.contacts(&[(body, &next)], &Query { method, ..Query::all() }).unwrap().found
            });
            pose = next;
            answers
        })
        .collect()
}

/// The number of runs in which contacts are missed when a part is disabled.
fn n_missing(hazard: Option<Hazard>, hole: bool) -> usize {
    // A part is disabled in one thread only.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let is_missing = |&seed: &u64| {
        let steps = pool.install(|| leaving_out(hazard, || run(seed, hole)));
        steps.iter().any(|[all, found]| all != found)
    };
    (0..150).filter(is_missing).count()
}

#[test]
fn nothing_is_missing_as_it_is() {
    assert_eq!([false, true].map(|hole| n_missing(None, hole)), [0, 0]);
}

#[test]
fn every_part_is_needed() {
    for (hazard, hole) in [
        (Hazard::AdjacentPairs, false),
        (Hazard::LiveOwners, false),
        (Hazard::Orphans, false),
        (Hazard::Wake, false),
        (Hazard::Seeds, false),
        (Hazard::Caps, true),
    ] {
        let n = n_missing(Some(hazard), hole);
        println!("without {hazard:?}: {n} of 150 runs miss contacts");
        assert_ne!(n, 0, "{hazard:?}");
    }
}
