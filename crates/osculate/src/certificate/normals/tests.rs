use super::*;
use crate::Mesh;
use crate::hierarchy::{Split, build};
use crate::math::integer::IntegerPoints;
use crate::random::random;
use num_bigint::BigInt;
use num_traits::Signed;
use std::array::from_fn;

type Corners = [[[f64; 3]; 2]; 3];

/// Whether `n(t) . axis > 0` for all t in [0, 1], in integers: the ends, and the middle coefficient
/// against the root of their product.
fn faces([a, b, c]: &Corners, axis: [f32; 3], is_instant: bool) -> bool {
    let points = IntegerPoints::new([&a[0], &a[1], &b[0], &b[1], &c[0], &c[1]]).big();
    let [axis] = IntegerPoints::new([&axis.map(f64::from)]).big();
    let edge = |k: usize, t: usize| -> [BigInt; 3] { from_fn(|x| &points[2 * k + t][x] - &points[t][x]) };
    let triple = |e: &[BigInt; 3], f: &[BigInt; 3]| -> BigInt {
        let part = |x: usize| {
            let (i, j) = ((x + 1) % 3, (x + 2) % 3);
            (&e[i] * &f[j] - &e[j] * &f[i]) * &axis[x]
        };
        part(0) + part(1) + part(2)
    };
    let (e0, e1, f0, f1) = (edge(1, 0), edge(1, 1), edge(2, 0), edge(2, 1));
    let [k0, k1, k2]: [BigInt; 3] =
        [triple(&e0, &f0) * 2, triple(&e0, &f1) + triple(&e1, &f0), triple(&e1, &f1) * 2];
    if is_instant {
        return k0.is_positive();
    }
    k0.is_positive() && k2.is_positive() && (!k1.is_negative() || &k1 * &k1 < k0 * k2)
}

/// The claims about each of several separate triangles, for an axis.
fn claims(triangles: &[Corners], axis: [f32; 3], is_instant: bool) -> Vec<bool> {
    let faces: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let t0: Vec<[f64; 3]> = triangles.iter().flatten().map(|p| p[0]).collect();
    let lines: Vec<Line> = triangles.iter().flatten().map(|[p, q]| Line::new(p, q)).collect();
    let mesh = Mesh::new(faces, t0.len()).unwrap();
    let hierarchy = build(&mesh, &t0, Split::ConnectedPatches);
    let mut normals = Normals::default();
    // Previous contents must not matter.
    normals.refit(&hierarchy, &lines, !is_instant);
    normals.refit(&hierarchy, &lines, is_instant);
    let mut claims = vec![false; triangles.len()];
    for (place, &t) in hierarchy.triangles_below(0).iter().enumerate() {
        claims[t as usize] = normals.all_face(place..place + 1, axis);
    }
    // A range faces the axis if each of its triangles does.
    let in_order: Vec<bool> = hierarchy.triangles_below(0).iter().map(|&t| claims[t as usize]).collect();
    for start in 0..in_order.len() {
        for end in start + 1..=in_order.len().min(start + 20) {
            assert_eq!(normals.all_face(start..end, axis), in_order[start..end].iter().all(|&c| c));
        }
    }
    claims
}

fn unit(v: [f64; 3]) -> [f32; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| (x / length) as f32)
}

#[test]
fn claims_are_true() {
    let mut next = random(21);
    let (mut n_claims, mut n_true) = (0, 0);
    for round in 0..1500 {
        let mut signed = || 2.0 * next() - 1.0;
        let axis = unit(from_fn(|_| signed()));
        let (speed, away) = ([0.0, 0.2, 1.0, 3.0][round % 4], [0.0, 1e3, 1e9][round / 4 % 3]);
        let scale = [1.0, 2f64.powi(-300), 2f64.powi(60)][round / 12 % 3];
        let mut triangle = |_| -> Corners {
            from_fn(|_| {
                let p: [f64; 3] = from_fn(|_| away + signed());
                [p, from_fn(|i| p[i] + speed * signed())].map(|p| p.map(|x| x * scale))
            })
        };
        let triangles: Vec<Corners> = (0..19).map(&mut triangle).collect();
        let is_instant = round % 5 == 0;
        for (corners, claim) in triangles.iter().zip(claims(&triangles, axis, is_instant)) {
            let truly = faces(corners, axis, is_instant);
            assert!(truly || !claim, "{corners:?} {axis:?}");
            n_claims += usize::from(claim);
            n_true += usize::from(truly);
        }
    }
    println!("{n_claims} of {n_true} claimed");
    assert!(n_true / 2 < n_claims, "{n_claims} of {n_true}");
}

/// Triangles whose plane nearly contains the axis, slivers, and triangles without area: only those
/// that face it are claimed.
#[test]
fn claims_are_true_at_the_border() {
    let mut next = random(22);
    let (mut n_claims, mut n_true, mut n_false) = (0, 0, 0);
    for round in 0..1500 {
        let mut signed = || 2.0 * next() - 1.0;
        let axis = unit(from_fn(|_| signed()));
        let l = axis.map(f64::from);
        let away: [f64; 3] = from_fn(|_| [0.0, 10.0, 1e7][round % 3] * signed());
        let triangles: Vec<Corners> = (0..17)
            .map(|i| {
                let d: [f64; 3] = from_fn(|_| signed());
                // Across the axis and d, and off the plane of both by little; one in four is a
                // sliver along d.
                let across =
                    [d[1] * l[2] - d[2] * l[1], d[2] * l[0] - d[0] * l[2], d[0] * l[1] - d[1] * l[0]];
                let off = signed() * 2f64.powi(-(i % 5) * 8);
                let thin = if i % 4 == 0 { 2f64.powi(-9 * (i / 4)) } else { 1.0 };
                let corner = |s: f64, t: f64| -> [f64; 3] {
                    from_fn(|k| away[k] + s * d[k] + thin * t * (l[k] + off * across[k]))
                };
                let place = [corner(0.0, 0.0), corner(1.0, 0.0), corner(signed(), 1.0)];
                let motion: [f64; 3] = from_fn(|_| signed());
                let swing = if i % 3 == 0 { 1e-3 * signed() } else { 0.0 };
                place.map(|p| [p, from_fn(|k| p[k] + motion[k] + swing * signed())])
            })
            .collect();
        for (corners, claim) in triangles.iter().zip(claims(&triangles, axis, false)) {
            let truly = faces(corners, axis, false);
            assert!(truly || !claim, "{corners:?} {axis:?}");
            n_claims += usize::from(claim);
            n_true += usize::from(truly);
            n_false += usize::from(!truly);
        }
    }
    println!("{n_claims} of {n_true} claimed, {n_false} do not face");
    assert!(n_true / 3 < n_claims && n_true / 3 < n_false, "{n_claims} of {n_true}, {n_false}");
}

#[test]
fn nothing_is_claimed_without_area() {
    let still = |corners: [[f64; 3]; 3]| corners.map(|p| [p; 2]);
    let up = [0.0, 0.0, 1.0];
    let flat = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(claims(&[still(flat)], up, false), [true]);
    let scaled = |factor: f64| flat.map(|p| p.map(|x| x * factor));
    let line = [[0.1, 0.1, 0.1], [0.2, 0.2, 0.2], [0.3, 0.3, 0.3]];
    for corners in [[flat[1]; 3], [flat[0], flat[1], flat[1]], line, scaled(1e-80), scaled(1e-170)] {
        assert_eq!(claims(&[still(corners)], up, false), [false], "{corners:?}");
        assert_eq!(claims(&[still(corners)], up, true), [false], "{corners:?}");
    }
    assert_eq!(claims(&[still(scaled(1e-70)), still(scaled(2f64.powi(99)))], up, false), [true; 2]);
    // Flipped in the middle of the step, flat at one of its ends, or flipped there; and the ends
    // alone at an instant.
    let [a, b, c] = flat.map(|p| [p; 2]);
    let turning = [a, b, [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]];
    let half = [a, [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]];
    let flattened = [a, b, [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]];
    for corners in [turning, half, flattened] {
        assert_eq!(claims(&[corners, [a, b, c]], up, false), [false, true]);
        assert_eq!(claims(&[corners, [a, b, c]], up, true), [true; 2]);
    }
}

/// Slivers in 53-bit integers whose two edges are equal up to a few units: the f64 products round
/// by as much as the normal is long, so its direction is arbitrary.
#[test]
fn claims_are_true_of_normals_that_are_noise() {
    let mut next = random(23);
    let (mut n_true, mut n_false) = (0, 0);
    for round in 0..300 {
        let mut signed = || 2.0 * next() - 1.0;
        let axis = unit(from_fn(|_| signed()));
        let triangles: Vec<Corners> = (0..17)
            .map(|_| {
                let e: [f64; 3] =
                    from_fn(|_| (2f64.powi(51) * signed()).round() + (2f64.powi(30) * signed()).round());
                let f: [f64; 3] = from_fn(|i| e[i] + (2.0 * signed()).round());
                [[0.0; 3], e, f].map(|p| [p; 2])
            })
            .collect();
        let is_instant = round % 2 == 0;
        for (corners, claim) in triangles.iter().zip(claims(&triangles, axis, is_instant)) {
            let truly = faces(corners, axis, is_instant);
            assert!(truly || !claim, "{corners:?} {axis:?}");
            n_true += usize::from(truly);
            n_false += usize::from(!truly);
        }
    }
    assert!(1000 < n_true && 1000 < n_false, "{n_true} {n_false}");
}
