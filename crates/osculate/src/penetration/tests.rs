//! Depths of boxes, balls and capsules that were pushed into each other by known distances: at
//! rest, rotated, scaled, divided more finely; of one surface that passes through itself; and of
//! surfaces that only touch.

use super::*;
use crate::random::random;
use crate::{Query, World};
use std::collections::HashMap;
use std::sync::Arc;

type Point = [f64; 3];
type Faces = Vec<[u32; 3]>;
type Shape = (Vec<Point>, Faces);

/// A box around the origin with these half sides.
fn cuboid(half: Point) -> Shape {
    let points = (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] }));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let faces = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    (points.collect(), faces.collect())
}

/// A capsule along x: a ball of radius r, pulled apart by 2 h. With `h` 0, it is a ball.
fn capsule(r: f64, h: f64, n: u32) -> Shape {
    let mut points = vec![[-h - r, 0.0, 0.0]];
    // The middle ring twice, unless it is a ball.
    let mut rings: Vec<(u32, f64)> = (1..=n).map(|i| (i, -h)).collect();
    rings.extend((if h == 0.0 { n + 1 } else { n }..2 * n).map(|i| (i, h)));
    for &(i, shift) in &rings {
        let angle = std::f64::consts::FRAC_PI_2 * f64::from(i) / f64::from(n);
        for j in 0..4 * n {
            let turn = std::f64::consts::FRAC_PI_2 * f64::from(j) / f64::from(n);
            points.push([
                shift - r * angle.cos(),
                r * angle.sin() * turn.cos(),
                r * angle.sin() * turn.sin(),
            ]);
        }
    }
    points.push([h + r, 0.0, 0.0]);
    let (ring, last, rows) = (4 * n, points.len() as u32 - 1, rings.len() as u32 + 1);
    let at = |i: u32, j: u32| 1 + (i - 1) * ring + j % ring;
    let mut faces = Vec::new();
    for j in 0..ring {
        faces.push([0, at(1, j + 1), at(1, j)]);
        faces.push([last, at(rows - 1, j), at(rows - 1, j + 1)]);
        for i in 1..rows - 1 {
            faces.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    (points, faces)
}

/// Each triangle as four.
fn divided((mut points, faces): Shape) -> Shape {
    let mut middles = HashMap::new();
    let mut finer = Vec::new();
    for [a, b, c] in faces {
        let mut middle = |v: u32, w: u32| {
            *middles.entry([v.min(w), v.max(w)]).or_insert_with(|| {
                points.push(scale(0.5, plus(points[v as usize], points[w as usize])));
                points.len() as u32 - 1
            })
        };
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    (points, finer)
}

fn moved((points, faces): Shape, by: Point) -> Shape {
    (points.into_iter().map(|p| plus(p, by)).collect(), faces)
}

/// Rotated by the quaternion, then scaled.
fn turned(points: &[Point], q: [f64; 4], by: f64) -> Vec<Point> {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z, w] = q.map(|x| x / length);
    let rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    points.iter().map(|&p| rows.map(|row| by * dot(row, p))).collect()
}

/// All shapes as one mesh, each a part.
fn joined(shapes: &[Shape]) -> (Shape, Vec<u32>) {
    let (mut points, mut faces, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for (part, (of_shape, triangles)) in (0..).zip(shapes) {
        let first = points.len() as u32;
        points.extend_from_slice(of_shape);
        faces.extend(triangles.iter().map(|face| face.map(|v| v + first)));
        parts.resize(faces.len(), part);
    }
    ((points, faces), parts)
}

fn overlaps((points, faces): &Shape, parts: &[u32], wanted: Wanted) -> Vec<Overlap> {
    let mesh = Mesh::new(faces.clone(), points.len()).unwrap();
    let mut world = World::new();
    world.add(Arc::new(Model::new(mesh.clone(), points).unwrap()), points).unwrap();
    let found = world.crossings(&Query::all()).unwrap().found;
    let crossings: Vec<Pierced> = found.iter().map(|c| Pierced::of(c, |k| c.triangles[k])).collect();
    let anatomy = Anatomy::new(mesh, points, parts.to_vec()).unwrap();
    anatomy.overlaps(points, &crossings, |_| Some(wanted)).unwrap()
}

/// The depth of the one pair of parts that overlaps.
fn depth(shape: &Shape, parts: &[u32]) -> f64 {
    let [overlap] = &overlaps(shape, parts, Wanted::All)[..] else { panic!("one pair") };
    overlap.depth.expect("both are closed")
}

/// Two shapes, as they are and divided, rotated and scaled: the depth is always `expected`.
fn assert_depth(name: &str, a: Shape, b: Shape, expected: f64) {
    let mut random = random(11);
    for (k, shapes) in
        [[a.clone(), b.clone()], [divided(a.clone()), b.clone()], [a.clone(), divided(divided(b.clone()))]]
            .into_iter()
            .enumerate()
    {
        let ((points, faces), parts) = joined(&shapes);
        for by in if k == 0 { &[1.0, 37.5, 0.001][..] } else { &[1.0] } {
            let q = [0; 4].map(|_| random() - 0.5);
            let points = if *by == 1.0 { points.clone() } else { turned(&points, q, *by) };
            let found = depth(&(points, faces.clone()), &parts) / by;
            assert!((found - expected).abs() <= 0.02 * expected, "{name} {k}: {found}, not {expected}");
        }
    }
}

#[test]
fn boxes_are_as_deep_as_they_were_pushed() {
    let ground = || cuboid([4.0, 4.0, 1.0]);
    for d in [0.02, 0.3, 0.9] {
        // Face first: the whole lower face is at this depth.
        let flat = moved(cuboid([1.0, 1.0, 1.0]), [0.13, -0.21, 2.0 - d]);
        assert_depth("flat", ground(), flat, d);
        // Corner first.
        let (points, faces) = cuboid([1.0, 1.0, 1.0]);
        let points = turned(&points, [0.37, -0.15, 0.0, 0.92], 1.0);
        let lowest = points.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
        assert_depth("corner", ground(), moved((points, faces), [0.1, 0.2, 1.0 - d - lowest]), d);
    }
}

#[test]
fn edges_that_cross_are_deep_though_no_vertex_is_enclosed() {
    // Two beams on edge, across each other; the ridges are 0.4 too deep. The deepest points are on
    // the ridges, at a distance of 0.4 / √2 from the flanks of the other beam.
    let half = std::f64::consts::FRAC_PI_8;
    let beam = || {
        let (points, faces) = cuboid([5.0, 1.0, 1.0]);
        (turned(&points, [half.sin(), 0.0, 0.0, half.cos()], 1.0), faces)
    };
    let (points, faces) = beam();
    let across: Vec<Point> = points.iter().map(|&[x, y, z]| [-y, x, z + 8f64.sqrt() - 0.4]).collect();
    assert_depth("beams", beam(), (across, faces), 0.4 / 2f64.sqrt());
}

#[test]
fn balls_and_capsules_are_as_deep_as_they_were_pushed() {
    for d in [0.1, 0.5] {
        let ball = || capsule(1.0, 0.0, 8);
        assert_depth("balls", ball(), moved(ball(), [2.0 - d, 0.0, 0.0]), d);
        let along = moved(capsule(0.5, 1.0, 6), [0.0, 0.0, 1.5 - d]);
        assert_depth("capsule on a ball", ball(), along, d);
        assert_depth(
            "capsule in the ground",
            moved(cuboid([4.0, 4.0, 1.0]), [0.0, 0.0, -2.5 + d]),
            moved(capsule(0.5, 1.0, 6), [0.0, 0.0, -1.0]),
            d,
        );
    }
}

#[test]
fn a_plate_through_a_ball_is_as_deep_as_the_ball() {
    // Neither the vertices nor the edges of the plate are enclosed. Its faces are 0.05 from the
    // center of the ball, which is a polyhedron, a little smaller than the ball.
    let found = depth_of(&[capsule(1.0, 0.0, 12), cuboid([3.0, 3.0, 0.05])]);
    assert!((0.935..=0.9501).contains(&found), "{found}");
}

fn depth_of(shapes: &[Shape]) -> f64 {
    let (shape, parts) = joined(shapes);
    depth(&shape, &parts)
}

/// A tube bent so that its ends overlap: one component, whose parts are its two halves.
fn bent(n_around: u32, n_along: u32, gap: f64) -> (Shape, Vec<u32>) {
    let (mut points, mut faces, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    let turn = std::f64::consts::TAU;
    // A "C" of radius 2 whose ends pass each other sideways by `gap` along z.
    for i in 0..=n_along {
        let s = f64::from(i) / f64::from(n_along);
        let angle = turn * 1.04 * s;
        for j in 0..n_around {
            let around = turn * f64::from(j) / f64::from(n_around);
            let r = 2.0 + 0.5 * around.cos();
            points.push([r * angle.cos(), r * angle.sin(), 0.5 * around.sin() + gap * s]);
        }
    }
    let at = |i: u32, j: u32| i * n_around + j % n_around;
    for i in 0..n_along {
        for j in 0..n_around {
            faces.extend([
                [at(i, j), at(i + 1, j), at(i + 1, j + 1)],
                [at(i, j), at(i + 1, j + 1), at(i, j + 1)],
            ]);
            parts.extend([u32::from(n_along / 2 <= i); 2]);
        }
    }
    for (i, is_end) in [(0, false), (n_along, true)] {
        for j in 1..n_around - 1 {
            let [a, b, c] = [at(i, 0), at(i, j), at(i, j + 1)];
            faces.push(if is_end { [a, c, b] } else { [a, b, c] });
            parts.push(u32::from(is_end));
        }
    }
    let volume: f64 = faces
        .iter()
        .map(|face| {
            let [a, b, c] = face.map(|v| points[v as usize]);
            dot(a, crate::math::vector::cross(b, c))
        })
        .sum();
    if volume < 0.0 {
        faces.iter_mut().for_each(|face| face.reverse());
    }
    ((points, faces), parts)
}

/// Against a dense sampling that shares nothing with the search: for points all over the surface,
/// the winding number by the sum of solid angles, and the distance to all triangles of the other
/// part and of the outer shell.
#[test]
fn one_surface_that_passes_through_itself_is_as_deep_as_its_samples() {
    for gap in [0.55, 0.8] {
        let (shape, parts) = bent(12, 60, gap);
        let found = depth(&shape, &parts);
        let sampled = sampled_depth(&shape, &parts);
        assert!((found - sampled).abs() <= 0.03 * sampled, "{gap}: {found}, not {sampled}");
        // About as much as the tubes of diameter 1 overlap along z.
        assert!(0.6 * (1.0 - gap) < found && found < 1.25 * (1.0 - gap), "{gap}: {found}");
        let finer = divided(shape.clone());
        let of_parts: Vec<u32> = parts.iter().flat_map(|&part| [part; 4]).collect();
        let of_finer = depth(&finer, &of_parts);
        assert!((of_finer - found).abs() <= 0.03 * found, "{gap}: {of_finer}, not {found}");
    }
}

fn sampled_depth((points, faces): &Shape, parts: &[u32]) -> f64 {
    let corners: Vec<[Point; 3]> = faces.iter().map(|face| face.map(|v| points[v as usize])).collect();
    let winding = |p: Point| -> f64 {
        let angle = |[a, b, c]: &[Point; 3]| {
            let [a, b, c] = [a, b, c].map(|&q| minus(q, p));
            let [la, lb, lc] = [a, b, c].map(|v| dot(v, v).sqrt());
            let normal = crate::math::vector::cross(b, c);
            let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
            2.0 * dot(a, normal).atan2(below)
        };
        corners.iter().map(angle).sum::<f64>() / (2.0 * std::f64::consts::TAU)
    };
    let n = 4;
    let samples = |[a, b, c]: [Point; 3]| {
        (0..=n).flat_map(move |i| (0..=n - i).map(move |j| (i, j))).map(move |(i, j)| {
            let [v, w] = [i, j].map(|k| 0.001 + 0.997 * f64::from(k) / f64::from(n));
            plus(scale(1.0 - v - w, a), plus(scale(v, b), scale(w, c)))
        })
    };
    let outside = |t: usize, p: Point| {
        let [a, b, c] = corners[t];
        let normal = crate::math::vector::cross(minus(b, a), minus(c, a));
        winding(plus(p, scale(1e-6 / dot(normal, normal).sqrt(), normal))).round() as i32
    };
    let is_out: Vec<Vec<(Point, bool)>> =
        (0..faces.len()).map(|t| samples(corners[t]).map(|p| (p, outside(t, p) == 0)).collect()).collect();
    let mut deepest: f64 = 0.0;
    for t in 0..faces.len() {
        for &(p, is_out_here) in &is_out[t] {
            if is_out_here {
                continue;
            }
            let mut least = f64::INFINITY;
            for u in 0..faces.len() {
                let is_shell = is_out[u].iter().all(|&(_, is_out)| is_out);
                if parts[u] != parts[t] || is_shell {
                    for (q, _) in samples(corners[u]).map(|q| (q, ())) {
                        least = least.min(dot(minus(q, p), minus(q, p)));
                    }
                }
            }
            deepest = deepest.max(least.sqrt());
        }
    }
    deepest
}

/// An elbow that is bent too far: both inner sides are in the other part, from the crease on, so
/// that what is enclosed of both parts is one patch. The way out of a part leads through the inner
/// side of the other one.
#[test]
fn an_elbow_bent_too_far_is_as_deep_as_its_inner_sides_are_apart() {
    // The section, from the crease along the lower part (4 long) and back along the upper one (2
    // long), which goes 0.2 down for each unit. Half widths beside it, so that no faces coincide.
    let (down, along) = (0.2, 0.96f64.sqrt());
    let upper = |u: f64, n: f64| [u * along + n * down, n * along - u * down];
    let section = [
        ([0.0, 0.0], 1.0),
        ([4.0, 0.0], 1.5),
        ([4.0, -1.0], 1.5),
        ([-1.0, -1.0], 1.5),
        ([-1.0, 1.2], 0.5),
        (upper(2.0, 1.0), 0.5),
        (upper(2.0, 0.0), 0.5),
    ];
    let n = section.len() as u32;
    let points: Vec<Point> =
        [-1.0, 1.0].iter().flat_map(|y| section.map(|([x, z], half)| [x, y * half, z])).collect();
    let is_upper = |k: u32| u32::from(4 <= k);
    let (mut faces, mut parts) = (Vec::new(), Vec::new());
    for k in 0..n {
        let next = (k + 1) % n;
        faces.extend([[k, next, next + n], [k, next + n, k + n]]);
        parts.extend([is_upper(k); 2]);
    }
    for k in 1..n - 1 {
        faces.extend([[0, k + 1, k], [n, k + n, k + 1 + n]]);
        parts.extend([is_upper(k); 2]);
    }
    let shape = (points, faces);
    let found = depth(&shape, &parts);
    assert!((found - 0.4).abs() <= 0.008, "{found}");
    let of_finer = depth(&divided(shape), &parts.iter().flat_map(|&part| [part; 4]).collect::<Vec<_>>());
    assert!((of_finer - 0.4).abs() <= 0.008, "{of_finer}");
}

#[test]
fn what_only_touches_has_no_depth() {
    // Two boxes with a common face; the vertices of one are on the faces of the other.
    let (shape, parts) =
        joined(&[cuboid([1.0, 1.0, 1.0]), moved(cuboid([0.5, 0.5, 1.0]), [0.25, 0.25, 2.0])]);
    let [overlap] = &overlaps(&shape, &parts, Wanted::All)[..] else { panic!("one pair") };
    assert_eq!(overlap.depth, Some(0.0));
    assert_eq!(overlap.parts, [0, 1]);
}

#[test]
fn open_surfaces_have_a_curve_instead_of_a_depth() {
    let sheet = |flip: bool| -> Shape {
        let points = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[u, v]| if flip { [u, 0.0, v] } else { [u, v, 0.1] });
        (points.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
    };
    let (shape, parts) = joined(&[sheet(false), sheet(true)]);
    let [overlap] = &overlaps(&shape, &parts, Wanted::All)[..] else { panic!("one pair") };
    assert_eq!((overlap.depth, overlap.area), (None, None));
    assert!((overlap.length - 2.0).abs() < 1e-9 && (overlap.extent - 2.0).abs() < 1e-9, "{overlap:?}");
    // A sheet in a box is as deep as it is in it, though it has no inside.
    let (shape, parts) = joined(&[moved(sheet(true), [0.0, 0.0, 1.4]), cuboid([2.0, 2.0, 1.0])]);
    let found = depth(&shape, &parts);
    assert!((found - 0.6).abs() < 0.012, "{found}");
}

#[test]
fn the_enclosed_area_is_that_of_both_surfaces() {
    for d in [0.25, 0.5] {
        let upper = moved(cuboid([0.5, 0.5, 1.0]), [0.1, 0.2, 2.0 - d]);
        // The lower face and the sides of the upper box, and as much of the lower box.
        let expected = 1.0 + 4.0 * d + 1.0;
        for shapes in [
            [cuboid([1.0, 1.0, 1.0]), upper.clone()],
            [divided(divided(cuboid([1.0, 1.0, 1.0]))), divided(divided(divided(upper)))],
        ] {
            let (shape, parts) = joined(&shapes);
            let area = overlaps(&shape, &parts, Wanted::All)[0].area.unwrap();
            assert!((area - expected).abs() < 0.03 * expected, "{d}: {area}, not {expected}");
        }
    }
    // Two balls, as both are and one divided: each has a cap of the height d / 2 in the other.
    for d in [0.2, 0.5] {
        let expected = std::f64::consts::TAU * d;
        let far = moved(capsule(1.0, 0.0, 16), [2.0 - d, 0.0, 0.0]);
        for shapes in [[capsule(1.0, 0.0, 16), far.clone()], [divided(capsule(1.0, 0.0, 16)), far]] {
            let (shape, parts) = joined(&shapes);
            for (q, by) in [([0.0, 0.0, 0.0, 1.0], 1.0), ([0.3, -0.5, 0.2, 0.7], 20.0)] {
                let shape = (turned(&shape.0, q, by), shape.1.clone());
                let area = overlaps(&shape, &parts, Wanted::All)[0].area.unwrap() / (by * by);
                assert!((area - expected).abs() < 0.03 * expected, "{d}: {area}, not {expected}");
            }
        }
    }
}

/// What is known from other poses saves work, and does not change the answer.
#[test]
fn a_depth_above_a_number_is_the_same_as_without_it() {
    let (bent, halves) = bent(12, 60, 0.7);
    let balls = joined(&[capsule(1.0, 0.0, 10), moved(capsule(1.0, 0.0, 9), [1.6, 0.1, 0.2])]);
    let plate = joined(&[capsule(1.0, 0.0, 12), cuboid([3.0, 3.0, 0.05])]);
    let flat = joined(&[cuboid([4.0, 4.0, 1.0]), moved(cuboid([1.0, 1.0, 1.0]), [0.13, -0.21, 1.7])]);
    for (shape, parts) in [(bent, halves), balls, plate, flat] {
        let all = overlaps(&shape, &parts, Wanted::All).remove(0);
        let depth = all.depth.unwrap();
        for part in [0.0, 0.5, 0.9, 0.99, 0.999, 1.0 - 1e-12, 1.0, 1.001, 2.0] {
            for of_least in [0.0, 0.7, 1.0] {
                let [least, above] = [of_least * part * depth, part * depth];
                let found = overlaps(&shape, &parts, Wanted::Depth { least, above }).remove(0);
                let what = format!("{depth}: above {above}, least {least}");
                if above < depth {
                    assert_eq!((found.depth, found.deepest), (Some(depth), all.deepest), "{what}");
                } else if least < depth {
                    let any = found.depth.unwrap();
                    assert!(least < any && any <= depth && found.deepest.is_some(), "{what}: {any}");
                } else {
                    assert_eq!((found.depth, found.deepest), (Some(0.0), None), "{what}");
                }
                assert_eq!(found.area, None);
            }
        }
        let area = overlaps(&shape, &parts, Wanted::Area).remove(0);
        assert_eq!((area.depth, area.area), (None, all.area));
    }
}
