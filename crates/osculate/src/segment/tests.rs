use super::*;
use crate::Model;
use crate::math::vector::{cross, dot, plus, scale};
use crate::narrow::{Relation, Shared, TriangleStats, triangle_triangle};
use crate::random::random;

type Surface = (Vec<[u32; 3]>, Vec<Point>);

/// An octahedron, each triangle split into four `n_divisions` times, with every vertex mapped by
/// `place` from its direction.
fn ball(n_divisions: u32, place: impl Fn(Point) -> Point) -> Surface {
    let mut points: Vec<Point> = Vec::new();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut p = [0.0; 3];
            p[axis] = sign;
            points.push(p);
        }
    }
    let mut faces = Vec::new();
    for octant in 0..8_u32 {
        let [x, y, z] = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2)];
        faces.push(if octant.count_ones() % 2 == 0 { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..n_divisions {
        let mut middles = std::collections::HashMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in faces {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[v, w]| {
                *middles.entry([v.min(w), v.max(w)]).or_insert_with(|| {
                    let sum = plus(points[v as usize], points[w as usize]);
                    points.push(scale(1.0 / dot(sum, sum).sqrt(), sum));
                    points.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        faces = finer;
    }
    (faces, points.into_iter().map(place).collect())
}

fn joined(surfaces: &[Surface]) -> Surface {
    let (mut faces, mut points) = (Vec::new(), Vec::new());
    for (more, of_more) in surfaces {
        let first = points.len() as u32;
        faces.extend(more.iter().map(|face| face.map(|v| v + first)));
        points.extend_from_slice(of_more);
    }
    (faces, points)
}

fn model_of((faces, points): &Surface) -> Model {
    Model::new(Mesh::new(faces.clone(), points.len()).unwrap(), points).unwrap()
}

/// The sum of signed solid angles over 4 pi: the winding number, up to rounding (van Oosterom and
/// Strackee 1983).
fn winding_by_solid_angles((faces, points): &Surface, at: Point) -> f64 {
    let solid_angle = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|v| minus(points[v as usize], at));
        let [la, lb, lc] = [a, b, c].map(|v| dot(v, v).sqrt());
        let numerator = dot(a, cross(b, c));
        2.0 * numerator.atan2(la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
    };
    faces.iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn all_crossings(segments: &Segments, from: Point, to: Point) -> Vec<(u32, Passage)> {
    let mut all = Vec::new();
    let end = segments.crossings(from, to, |triangle, passage| {
        all.push((triangle, passage));
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    all.sort_unstable_by_key(|found| found.0);
    all
}

#[test]
fn a_passage_is_what_two_triangles_are_of_which_one_is_a_segment() {
    let mut next = random(7);
    let mut counts = [0; 4];
    for size in [2.0, 3.0, 5.0, 1e6] {
        for _ in 0..20_000 {
            let mut point = || [0; 3].map(|_| (next() * size).floor());
            let (p, q, triangle) = (point(), point(), [point(), point(), point()]);
            let relation =
                triangle_triangle(&[p, q, q], &triangle, Shared::NONE, &mut TriangleStats::default());
            let passage = Passage::of(&p, &q, &triangle);
            match relation.unwrap() {
                Relation::Separate => assert_eq!(passage, None),
                Relation::Piercing => {
                    let [a, b, c] = triangle;
                    let is_outward = 0.0 < dot(cross(minus(b, a), minus(c, a)), minus(q, p));
                    assert_eq!(passage, Some(if is_outward { Passage::Outward } else { Passage::Inward }));
                }
                _ => assert_eq!(passage, Some(Passage::Touching)),
            }
            counts[passage.map_or(3, |passage| passage as usize)] += 1;
        }
    }
    assert!(counts.iter().all(|&n| 100 < n), "{counts:?}");
}

#[test]
fn the_walk_finds_what_all_triangles_one_by_one_tell() {
    let mut next = random(8);
    for (n, size, shift) in
        [(60, 4.0, 0.0), (300, 9.0, 0.0), (200, 1e3, 1e9), (200, 1e-30, 0.0), (100, 1e40, 0.0)]
    {
        // On a grid, so that many segments touch; or off it; or at the scale of f32 rounding, or
        // beyond it.
        let is_grid = size < 100.0 && 1.0 < size;
        let mut point = || {
            [0; 3].map(|_| {
                let x = next() * size;
                shift + if is_grid { x.floor() } else { x }
            })
        };
        let points: Vec<Point> = (0..3 * n).map(|_| point()).collect();
        let faces: Vec<[u32; 3]> = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let model = model_of(&(faces, points.clone()));
        let segments = model.segments(&points).unwrap();
        let mut n_found = 0;
        for _ in 0..300 {
            let (from, to) = (point(), point());
            let expected: Vec<_> =
                (0..n).filter_map(|t| Some((t, Passage::of(&from, &to, &segments.corners(t))?))).collect();
            assert_eq!(all_crossings(&segments, from, to), expected);
            n_found += expected.len();
        }
        assert!(300 < n_found);
    }
}

#[test]
fn thin_triangles_next_to_a_slanted_segment_are_not_lost() {
    // Far from the origin, f32 bounds are coarser than everything here.
    let at = [1e7, -3e7, 2e7];
    let points = [[0.0, 0.0, 0.01], [0.02, 0.01, 0.0], [0.01, 0.03, 0.02]].map(|p| plus(p, at)).to_vec();
    let model = model_of(&(vec![[0, 1, 2]], points.clone()));
    let segments = model.segments(&points).unwrap();
    let middle = scale(1.0 / 3.0, plus(plus(points[0], points[1]), points[2]));
    let mut next = random(9);
    for _ in 0..1000 {
        let arm = [0; 3].map(|_| 100.0 * (next() - 0.5));
        let (from, to) = (minus(middle, arm), plus(middle, arm));
        let expected = Passage::of(&from, &to, &segments.corners(0)).map(|passage| (0, passage));
        assert_eq!(all_crossings(&segments, from, to), Vec::from_iter(expected));
    }
}

#[test]
fn ends_that_are_not_finite_and_meshes_without_triangles_meet_nothing() {
    let surface = ball(1, |p| p);
    let model = model_of(&surface);
    let segments = model.segments(&surface.1).unwrap();
    assert!(all_crossings(&segments, [f64::NAN, 0.0, 0.0], [5.0; 3]).is_empty());
    assert!(all_crossings(&segments, [0.0; 3], [f64::INFINITY, 0.0, 0.0]).is_empty());
    assert_eq!(all_crossings(&segments, [0.1, 0.2, 0.3], [5.0; 3]).len(), 1);
    let empty = model_of(&(Vec::new(), Vec::new()));
    assert!(all_crossings(&empty.segments(&[]).unwrap(), [0.0; 3], [1.0; 3]).is_empty());
    assert!(model.segments(&surface.1[1..]).is_err(), "a pose of another mesh");
}

#[test]
fn nothing_is_around_the_outside_of_a_simple_body() {
    let cube: Vec<Point> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    for (faces, points) in [(faces, cube), ball(3, |p| p)] {
        let model = model_of(&(faces.clone(), points.clone()));
        let segments = model.segments(&points).unwrap();
        let inside_out: Vec<[u32; 3]> = faces.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let turned = model_of(&(inside_out, points.clone()));
        let of_turned = turned.segments(&points).unwrap();
        for triangle in 0..faces.len() as u32 {
            assert_eq!(segments.winding_outside(triangle, |_| true), Some(0));
            assert_eq!(of_turned.winding_outside(triangle, |_| true), Some(-1));
        }
    }
}

#[test]
fn what_is_inside_of_another_piece_is_enclosed() {
    let nested = joined(&[ball(2, |p| p), ball(2, |p| scale(0.5, p)), ball(1, |p| scale(0.2, p))]);
    let model = model_of(&nested);
    let segments = model.segments(&nested.1).unwrap();
    for (triangle, &piece) in (0..).zip(model.mesh().components()) {
        assert_eq!(segments.winding_outside(triangle, |_| true), Some(piece as i32));
        let of_piece = |t: u32| model.mesh().components()[t as usize] == piece;
        assert_eq!(segments.winding_outside(triangle, of_piece), Some(0), "alone");
    }
    // Two that cross: a triangle is enclosed if its center is in the other one, as all triangles
    // are small.
    let crossing = joined(&[ball(3, |p| p), ball(3, |p| plus(p, [0.9, 0.1, 0.05]))]);
    let model = model_of(&crossing);
    let segments = model.segments(&crossing.1).unwrap();
    let mut n_enclosed = 0;
    for triangle in 0..crossing.0.len() as u32 {
        let [a, b, c] = segments.corners(triangle);
        let middle = scale(1.0 / 3.0, plus(plus(a, b), c));
        let normal = cross(minus(b, a), minus(c, a));
        let outside = plus(middle, scale(1e-6 / dot(normal, normal).sqrt(), normal));
        let expected = winding_by_solid_angles(&crossing, outside).round() as i32;
        assert_eq!(segments.winding_outside(triangle, |_| true), Some(expected));
        n_enclosed += expected;
    }
    assert!(100 < n_enclosed);
}

#[test]
fn solid_angles_tell_the_same_of_random_closed_surfaces() {
    let mut next = random(11);
    for round in 0..6 {
        // Balls whose vertices are moved so far that they cross themselves and each other.
        let strength = f64::from(round) * 0.2;
        let (faces, mut points) =
            joined(&[ball(2, |p| p), ball(1, |p| plus(scale(0.7, p), [0.3, 0.2, 0.1]))]);
        for x in points.as_flattened_mut() {
            *x += strength * (next() - 0.5);
        }
        let surface = (faces, points);
        let model = model_of(&surface);
        let segments = model.segments(&surface.1).unwrap();
        for triangle in 0..surface.0.len() as u32 {
            let number = segments.winding_outside(triangle, |_| true).unwrap();
            let [a, b, c] = segments.corners(triangle);
            let normal = cross(minus(b, a), minus(c, a));
            let middle = scale(1.0 / 3.0, plus(plus(a, b), c));
            let outside = plus(middle, scale(1e-8 / dot(normal, normal).sqrt(), normal));
            let expected = winding_by_solid_angles(&surface, outside);
            assert!((f64::from(number) - expected).abs() < 1e-3, "{number} {expected}");
        }
    }
}

#[test]
fn triangles_without_area_or_with_a_double_have_no_number() {
    let (mut faces, mut points) = ball(0, |p| p);
    points.push([2.0, 0.0, 0.0]);
    faces.push([0, 1, 6]);
    faces.push(faces[0]);
    let model = model_of(&(faces, points.clone()));
    let segments = model.segments(&points).unwrap();
    assert_eq!(segments.winding_outside(8, |_| true), None, "no area");
    assert_eq!(segments.winding_outside(0, |_| true), None, "there twice");
    assert_eq!(segments.winding_outside(0, |t| t < 8), Some(0));
}

/// Ray casts against all triangles one by one: on a grid, where segments meet edges and corners and
/// run in planes of triangles and along axes; far from the origin, where bounds are coarse; along
/// edges that differ by an ulp; and beyond the range of f32.
#[test]
fn rays_meet_the_first_of_all_triangles() {
    let mut next = random(10);
    for (n, size, shift) in
        [(60, 4.0, 0.0), (300, 9.0, 0.0), (200, 1e3, 1e9), (100, 1e-30, 0.0), (60, 1e40, 0.0)]
    {
        let is_grid = size < 100.0 && 1.0 < size;
        let mut point = || {
            [0; 3].map(|_| {
                let x = next() * size;
                shift + if is_grid { x.floor() } else { x }
            })
        };
        let points: Vec<Point> = (0..3 * n).map(|_| point()).collect();
        let faces: Vec<[u32; 3]> = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let model = model_of(&(faces, points.clone()));
        let segments = model.segments(&points).unwrap();
        let mut n_found = 0;
        for round in 0..600 {
            let (mut from, mut to) = (point(), point());
            match round % 4 {
                // Through a point of an edge, as far as f64 tells.
                0 => {
                    let t = round as usize % n as usize;
                    let middle = scale(0.5, plus(points[3 * t], points[3 * t + 1]));
                    from = minus(scale(2.0, middle), to);
                }
                1 => to[round as usize / 4 % 3] = from[round as usize / 4 % 3],
                2 => to = [to[0], from[1], from[2]],
                _ => {}
            }
            let met = (0..n).filter_map(|t| Some((t, Passage::of(&from, &to, &segments.corners(t))?)));
            let met: Vec<(u32, Passage)> = met.collect();
            let found = segments.ray_cast(from, to);
            assert_eq!(found.is_some(), !met.is_empty(), "{from:?} {to:?}");
            let Some(found) = found else { continue };
            assert!(met.contains(&(found.triangle, found.passage)), "{found:?}");
            let least = met.iter().map(|&(t, _)| ray::fraction(from, to, segments.corners(t)));
            let least = least.fold(f64::INFINITY, f64::min);
            // Triangles that are met at about the same time may be cut off by that which is found.
            assert!(found.fraction <= least + 1e-9, "{found:?} {least}");
            n_found += 1;
        }
        assert!(100 < n_found, "{size} {shift}: {n_found}");
    }
}
