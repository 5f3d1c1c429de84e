//! Curved bodies: balls, limbs, tubes and crumpled ones. Traversals with radial proofs must find
//! exactly what comparing all pairs finds, in one body and in worlds of several.

use crate::common::Rng;
use osculate::method::NormalCone;
use osculate::{Mesh, Method, Model, Query, World};
use std::array::from_fn;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

type Point = [f64; 3];

const PLAIN: NormalCone = NormalCone::new();
const RADIAL: NormalCone = PLAIN.radial(true);

#[derive(Clone, Copy, Debug)]
enum Family {
    Ball,
    Limb,
    Tube,
    Torus,
    Star,
    Crumpled,
}

const FAMILIES: [Family; 6] =
    [Family::Ball, Family::Limb, Family::Tube, Family::Torus, Family::Star, Family::Crumpled];

/// n rings of m vertices, with their triangles; poles are closed by a vertex each, or the first and
/// the last ring are joined, or left open.
fn rings(n: u32, m: u32, family: Family) -> (Vec<[u32; 3]>, Vec<[f64; 2]>) {
    let is_torus = matches!(family, Family::Torus);
    let mut faces = Vec::new();
    for i in 0..if is_torus { n } else { n - 1 } {
        for j in 0..m {
            let at = |i: u32, j: u32| i % n * m + j % m;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    let mut places: Vec<[f64; 2]> = (0..n * m)
        .map(|v| {
            let i = f64::from(v / m);
            let u = if is_torus { i / f64::from(n) } else { (i + 1.0) / f64::from(n + 1) };
            [u, TAU * f64::from(v % m) / f64::from(m)]
        })
        .collect();
    if !matches!(family, Family::Tube | Family::Torus) {
        places.extend([[0.0, 0.0], [1.0, 0.0]]);
        let last = (n - 1) * m;
        faces.extend((0..m).map(|j| [n * m, j, (j + 1) % m]));
        faces.extend((0..m).map(|j| [n * m + 1, last + (j + 1) % m, last + j]));
    }
    (faces, places)
}

/// A point on a body whose shape depends on six parameters in [0, 1].
fn place(family: Family, k: [f64; 6], [u, phi]: [f64; 2]) -> Point {
    let theta = PI * u;
    let round = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()];
    match family {
        // Squashed, and dented up to the other side.
        Family::Ball | Family::Crumpled => {
            let dent = 2.4 * k[0] * (-6.0 * u * u).exp();
            [round[0], round[1] * (1.0 - 0.5 * k[1]), round[2] - dent]
        }
        // Bent, up to a full turn and more.
        Family::Limb | Family::Tube => {
            let bend = 7.5 * k[0] * u;
            let r = 0.25 * (1.0 + 0.4 * k[1] * (9.0 * u).sin());
            let r = if matches!(family, Family::Tube) { r } else { r * theta.sin().max(0.0).sqrt() };
            let out = 0.6 + r * phi.cos();
            [out * bend.cos() + 2.0 * u * (1.0 - k[0]), r * phi.sin() + 0.2 * k[2] * u, out * bend.sin()]
        }
        Family::Torus => {
            let r = 0.3 + 0.9 * k[0];
            let out = 1.0 + r * phi.cos();
            [out * (TAU * u).cos(), out * (TAU * u).sin(), r * phi.sin() + 0.3 * k[1] * (2.0 * TAU * u).sin()]
        }
        // Star-shaped about a point off the center, or inverted in parts.
        Family::Star => {
            let r = 1.0 + 1.6 * k[0] * (3.0 * phi).sin() * theta.sin() + 0.3 * k[1] * (5.0 * theta).cos();
            let off = 0.2 * k[2];
            [off + r * round[0], r * round[1] - off, r * round[2]]
        }
    }
}

/// A body, and its poses one after the other.
fn body(family: Family, rng: &mut Rng) -> (Vec<[u32; 3]>, Vec<Vec<Point>>) {
    let (n, m) = (rng.integer(5, 9) as u32, rng.integer(5, 10) as u32);
    let (mut faces, places) = rings(n, m, family);
    if rng.one_in(3) {
        faces.iter_mut().for_each(|face| face.swap(0, 1));
    }
    let jitter = match family {
        Family::Crumpled => 0.3 * rng.unit(),
        _ => rng.pick(&[0.0, 0.01, 0.05]),
    };
    let mut numbers: [[f64; 6]; 3] = from_fn(|_| from_fn(|_| rng.unit()));
    if rng.one_in(2) {
        let first = numbers[0];
        numbers[1] = from_fn(|i| first[i] + 0.2 * (numbers[1][i] - first[i]));
    }
    let away: Point = from_fn(|_| 4.0 * rng.signed());
    let poses = numbers
        .iter()
        .enumerate()
        .map(|(step, &k)| {
            let at = |&uv: &[f64; 2]| {
                let p = place(family, k, uv);
                from_fn(|i| p[i] + away[i] * step as f64 + jitter * rng.signed())
            };
            places.iter().map(at).collect()
        })
        .collect();
    (faces, poses)
}

/// Two steps, and crossings at three poses, of one body.
#[test]
fn every_contact_and_crossing_is_found() {
    for (f, family) in FAMILIES.into_iter().enumerate() {
        let (mut n_radial, mut n_found, mut n_both) = (0, 0, 0);
        for index in 0..60 {
            let mut rng = Rng::for_item(171 + f as u64, index);
            let (faces, poses) = body(family, &mut rng);
            let mesh = Mesh::new(faces, poses[0].len()).unwrap();
            let mut world = World::new();
            let id = world.add(Arc::new(Model::new(mesh, &poses[0]).unwrap()), &poses[0]).unwrap();
            let methods = [RADIAL, RADIAL.pairs(false).simple(true)].map(Method::NormalCone);
            let ask = |method| Query::all().method(method);
            for step in 0..2 {
                let next = [(id, &poses[step + 1][..])];
                let brute = world.contacts(&next, &ask(Method::Brute)).unwrap();
                for method in methods {
                    let report = world.contacts(&next, &ask(method)).unwrap();
                    assert_eq!(report.found, brute.found, "{family:?} {index}, step {step}: {method:?}");
                    n_radial += report.stats.certificates.radial;
                    n_both += u64::from(0 < report.count && 0 < report.stats.certificates.radial);
                }
                n_found += brute.count;
                let brute = world.crossings(&ask(Method::Brute)).unwrap();
                for method in methods {
                    let report = world.crossings(&ask(method)).unwrap();
                    assert_eq!(report.found, brute.found, "{family:?} {index}, pose {step}: {method:?}");
                    n_radial += report.stats.certificates.radial;
                }
                world.set_pose(id, &poses[step + 1]).unwrap();
            }
        }
        println!("{family:?}: {n_radial} patches cleared, {n_found} contacts, {n_both} steps with both");
        assert!(30 < n_radial && 50 < n_found && 5 < n_both, "{family:?}: {n_radial} {n_found} {n_both}");
    }
}

/// Several bodies of different kinds: clearing in one implies nothing for others.
#[test]
fn worlds_of_several_bodies() {
    let mut n_radial = 0;
    for index in 0..20 {
        let mut rng = Rng::for_item(191, index);
        let mut world = World::new();
        let mut ends = Vec::new();
        for _ in 0..3 {
            let (faces, mut poses) = body(rng.pick(&FAMILIES), &mut rng);
            let off: Point = from_fn(|_| rng.signed());
            poses.iter_mut().flatten().for_each(|p| *p = from_fn(|i| p[i] + off[i]));
            let mesh = Mesh::new(faces, poses[0].len()).unwrap();
            let model = Arc::new(Model::new(mesh, &poses[0]).unwrap());
            ends.push((world.add(model, &poses[0]).unwrap(), poses.swap_remove(1)));
        }
        let next: Vec<_> = ends.iter().map(|(id, end)| (*id, &end[..])).collect();
        let brute = world.contacts(&next, &Query::all().method(Method::Brute)).unwrap();
        let report = world.contacts(&next, &Query::all().method(Method::NormalCone(RADIAL))).unwrap();
        assert_eq!(report.found, brute.found, "{index}");
        n_radial += report.stats.certificates.radial;
        let plain = world.contacts(&next, &Query::all().method(Method::NormalCone(PLAIN))).unwrap();
        assert_eq!(plain.stats.certificates.radial, 0);
    }
    assert!(8 < n_radial, "{n_radial}");
}
