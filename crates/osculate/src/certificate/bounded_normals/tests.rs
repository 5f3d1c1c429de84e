//! Bounds of normals contain the control normals of all triangles, for random skins, modes and
//! points, at random poses.

use super::*;
use crate::hierarchy::{Split, build};
use crate::math::vector::{cross, dot, minus};
use crate::motion::{Deformer, Governors};
use crate::random::random;
use crate::{Affine, Error, Mesh};
use std::borrow::Cow;

/// Governors whose parameters are the rows of the maps, followed by the amplitudes.
#[derive(Debug)]
struct Test(Governors);

impl Deformer for Test {
    fn n_vertices(&self) -> usize {
        self.0.rest().len()
    }

    fn check(&self, _: &[f64]) -> Result<f64, Error> {
        Ok(1.0)
    }

    fn position_at(&self, v: usize, parameters: &[f64]) -> [f64; 3] {
        let maps = self.maps(parameters);
        let [x, y, z] = self.0.shape(v, self.amplitudes(parameters));
        let mut sum = [[0.0; 4]; 3];
        for &(map, weight) in self.0.influences(v) {
            for i in 0..3 {
                (0..4).for_each(|r| sum[i][r] += weight * maps[map as usize][i][r]);
            }
        }
        sum.map(|[a, b, c, t]| a * x + b * y + c * z + t)
    }

    fn governors(&self) -> Option<&Governors> {
        Some(&self.0)
    }

    fn maps<'a>(&self, parameters: &'a [f64]) -> Cow<'a, [Affine]> {
        Cow::Borrowed(parameters[..12 * self.0.n_maps()].as_chunks().0.as_chunks().0)
    }

    fn amplitudes<'a>(&self, parameters: &'a [f64]) -> &'a [f64] {
        &parameters[12 * self.0.n_maps()..]
    }

    fn memory_bytes(&self) -> usize {
        0
    }
}

/// What governs a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Governed {
    Skin,
    Modes,
    Points,
}

/// A curved sheet of n times n squares, with random governors.
fn surface(r: &mut impl FnMut() -> f64, n: u32, governed: Governed) -> (Mesh, Test) {
    let curve = [0.0, 0.1, 0.4][(3.0 * r()) as usize];
    let scale = [1.0, 1.0, 1e-3, 1e4][(4.0 * r()) as usize];
    let offset = [0.0, 0.0, 100.0][(3.0 * r()) as usize];
    let side = |i: u32| f64::from(i) / f64::from(n);
    let mut rest: Vec<[f64; 3]> = (0..(n + 1) * (n + 1))
        .map(|i| {
            let (x, y) = (side(i / (n + 1)), side(i % (n + 1)));
            let z = curve * (2.0 * x).sin() * (3.0 * y).cos() + 0.01 * r();
            [x + 0.2 * r() / f64::from(n), y, z].map(|x| scale * (x + offset))
        })
        .collect();
    let quads = (0..n * n).map(|i| (i / n) * (n + 1) + i % n);
    let faces = quads.flat_map(|v| [[v, v + n + 1, v + 1], [v + 1, v + n + 1, v + n + 2]]).collect();
    let n_maps = 1 + (6.0 * r()) as usize;
    let centers: Vec<[f64; 2]> = (0..n_maps).map(|_| [r(), r()]).collect();
    let (sharp, rounding) = (1.0 + 6.0 * r(), (4.0 * r()) as u32);
    let influences: Vec<Vec<(u32, f64)>> = (0..rest.len() as u32)
        .map(|v| {
            let (x, y) = (side(v / (n + 1)), side(v % (n + 1)));
            let near = |c: &[f64; 2]| (-sharp * ((x - c[0]).powi(2) + (y - c[1]).powi(2))).exp();
            // On some surfaces, maps that are far away have no weight.
            let near = |c: &[f64; 2]| if rounding == 2 { (near(c) - 0.4).max(1e-9) } else { near(c) };
            let sum: f64 = centers.iter().map(near).sum();
            let round = |w: f64| match rounding {
                0 => f64::from(w as f32),
                1 => (1023.0 * w).round() / 1023.0,
                2 if w < 1e-6 => 0.0,
                _ => w,
            };
            (0..).zip(&centers).map(|(k, c)| (k, round(near(c) / sum))).collect()
        })
        .collect();
    let mut anchors = Vec::new();
    if governed == Governed::Points {
        anchors.extend((0..n_maps).map(|k| {
            let [x, y] = centers[k];
            [x, y, 0.3 * curve * r()].map(|x| scale * (x + offset))
        }));
        for (p, of_vertex) in rest.iter_mut().zip(&influences) {
            *p = [0.0; 3];
            for &(k, w) in of_vertex {
                (0..3).for_each(|i| p[i] += w * anchors[k as usize][i]);
            }
        }
    }
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let mut governors = Governors::new(n_maps, &rest, influences).unwrap();
    if governed == Governed::Points {
        governors = governors.with_anchors(anchors);
    }
    if governed == Governed::Modes {
        let mut mode = || (0..rest.len()).map(|_| [r(), r(), r()].map(|x| 0.05 * scale * x)).collect();
        let modes: Vec<Vec<[f64; 3]>> =
            vec![mode(), mode(), rest.iter().map(|p| [p[1], p[0], 0.0]).collect()];
        governors = governors.with_modes(&modes).unwrap();
    }
    (mesh, Test(governors))
}

/// A random map: a turn, scaled, sheared or singular, near or far away.
fn map(r: &mut impl FnMut() -> f64, kind: u32, size: f64) -> Affine {
    let q: [f64; 4] = std::array::from_fn(|_| 2.0 * r() - 1.0);
    let [w, x, y, z] = q;
    let s = 2.0 / (1e-3 + q.iter().map(|x| x * x).sum::<f64>());
    let mut linear = [
        [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
    ];
    match kind {
        0 => linear = linear.map(|row| row.map(|x| 3.0 * x)),
        1 => linear[0] = std::array::from_fn(|i| linear[0][i] + linear[1][i]),
        2 => linear[2] = linear[1],
        _ => {}
    }
    let far = if kind == 3 { 1e5 } else { 1.0 };
    std::array::from_fn(|i| [linear[i][0], linear[i][1], linear[i][2], far * size * (2.0 * r() - 1.0)])
}

/// A random map of any kind.
fn any(r: &mut impl FnMut() -> f64, size: f64) -> Affine {
    let kind = (8.0 * r()) as u32;
    map(r, kind, size)
}

/// The parameters of a pose: maps near each other, or independent ones.
fn pose(r: &mut impl FnMut() -> f64, test: &Test, near: Option<&[f64]>) -> Vec<f64> {
    let governors = &test.0;
    let n = governors.n_maps();
    let size = governors.reach_at(&[]);
    let mut first = any(r, size);
    if r() < 0.2 {
        // The middle of the surface moves to the origin.
        let middle = governors.rest()[governors.rest().len() / 2];
        first.iter_mut().for_each(|row| row[3] = -(0..3).map(|i| row[i] * middle[i]).sum::<f64>());
    }
    let (bend, is_wild) = ([0.0, 0.01, 0.1, 0.3][(4.0 * r()) as usize], r() < 0.1);
    let mut parameters = Vec::new();
    for k in 0..n {
        let mut of_map = if is_wild { any(r, size) } else { first };
        if let Some(near) = near {
            of_map = near[..12 * n].as_chunks().0.as_chunks().0[k];
        }
        for row in &mut of_map {
            (0..3).for_each(|j| row[j] += bend * (r() - 0.5));
            row[3] += 0.3 * bend * size * (r() - 0.5);
        }
        if let Some(anchors) = governors.anchors() {
            if near.is_none() {
                let [x, y, z] = anchors[k];
                of_map = of_map.map(|[a, b, c, t]| [0.0, 0.0, 0.0, a * x + b * y + c * z + t]);
            } else {
                of_map = of_map.map(|row| [0.0, 0.0, 0.0, row[3]]);
            }
        }
        parameters.extend(of_map.as_flattened());
    }
    parameters.extend((0..governors.n_modes()).map(|_| 0.4 * (r() - 0.5)));
    parameters
}

/// For each patch and many axes, no control normal of a triangle, nor a normal in between, has a
/// smaller product with the axis than the bound says. The normals are those of the f64 positions;
/// they are computed in f64 from differences, with an error that is far smaller than what is
/// allowed for the rounding of positions that are far away.
fn check(seed: u64, governed: Governed, n_rounds: usize) -> [usize; 3] {
    let mut r = random(seed);
    let [mut n_patches, mut n_faces, mut n_tight] = [0; 3];
    for round in 0..n_rounds {
        // The first one has more nodes than a task.
        let n = if round == 0 { 24 } else { 4 + 4 * u32::from(round % 8 == 0) };
        let (mesh, test) = surface(&mut r, n, governed);
        let rest = test.0.rest().to_vec();
        let hierarchy = build(&mesh, &rest, Split::ConnectedPatches);
        let patches = Patches::of(&mesh, &hierarchy);
        let intervals = NormalIntervals::new(&hierarchy, &patches, &test.0);
        for _ in 0..25 {
            let start = pose(&mut r, &test, None);
            let near = r() < 0.8;
            let end = pose(&mut r, &test, near.then_some(&start));
            let mut poses = [Governing::default(), Governing::default()];
            poses[0].set(&test, &test.0, &start);
            poses[1].set(&test, &test.0, &end);
            let is_instant = r() < 0.3;
            let bounds: Vec<_> = (0..intervals.n_bounds()).map(|_| OnceLock::new()).collect();
            let bounded = BoundedTest {
                hierarchy: &hierarchy,
                patches: &patches,
                intervals: &intervals,
                start: &poses[0],
                end: (!is_instant).then_some(&poses[1]),
                bounds: &bounds,
                contour: true,
            };
            let mut lines = vec![Line([0.0; 8]); rest.len()];
            let all: Vec<u32> = (0..rest.len() as u32).collect();
            test.place(&start, Some(&end), &all, &mut lines);
            for node in 0..hierarchy.n_nodes() as u32 {
                let Kind::Bound(at) = intervals.kind(node) else { continue };
                let facing = bounded.facing(at);
                n_patches += 1;
                let mut axes: Vec<[f32; 3]> = facing.axis().into_iter().collect();
                n_faces += usize::from(axes.iter().any(|&axis| facing.faces(axis)));
                axes.push(unit([r(), r(), r()].map(|x| x - 0.5)));
                for axis in axes {
                    let bounds = facing.products(axis);
                    let mut least = [f64::INFINITY; 3];
                    for corners in hierarchy.corners_below(node) {
                        let vertices = corners.map(|v| hierarchy.vertices()[v as usize] as usize);
                        let products =
                            products(vertices.map(|v| rest[v]), vertices.map(|v| lines[v].ends()), axis);
                        let n = if is_instant { 1 } else { 3 };
                        for k in 0..n {
                            let slack = 1e-12 * products[3] + 1e-290;
                            // Nothing is known if the bound is not a number.
                            assert!(
                                bounds[k].is_nan() || bounds[k] - facing.least() <= products[k] + slack,
                                "{governed:?} round {round}, node {node}, control {k}: {bounds:?} {products:?}"
                            );
                            least[k] = least[k].min(products[k]);
                        }
                    }
                    n_tight += usize::from(0.0 < least[0] && 0.8 * least[0] < bounds[0]);
                    let all_face = least.iter().all(|&product| 0.0 < product);
                    assert!(all_face || !bounded.faces(node, axis, LEVELS), "{governed:?} {round} {node}");
                }
            }
        }
    }
    [n_patches, n_faces, n_tight]
}

/// The products of an axis with the control normals of a triangle, over twice its area at rest; and
/// the product of the longest edges, likewise.
fn products(rest: [[f64; 3]; 3], corners: [[[f64; 3]; 2]; 3], axis: [f32; 3]) -> [f64; 4] {
    let edge = |k: usize, end: usize| minus(corners[k][end], corners[0][end]);
    let at_rest = cross(minus(rest[1], rest[0]), minus(rest[2], rest[0]));
    let area = dot(at_rest, at_rest).sqrt();
    let [e0, f0, e1, f1] = [edge(1, 0), edge(2, 0), edge(1, 1), edge(2, 1)];
    let largest = [e0, f0, e1, f1].as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let axis = axis.map(f64::from);
    let mixed = 0.5 * (dot(axis, cross(e0, f1)) + dot(axis, cross(e1, f0)));
    [dot(axis, cross(e0, f0)), mixed, dot(axis, cross(e1, f1)), largest * largest].map(|x| x / area)
}

fn unit(v: [f64; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    v.map(|x| (x / length) as f32)
}

#[test]
fn bounds_contain_the_normals_of_skins() {
    let [n_patches, n_faces, n_tight] = check(1, Governed::Skin, 700);
    assert!(10_000 < n_patches && n_patches < 4 * n_faces, "{n_faces} of {n_patches} face an axis");
    assert!(n_patches < 4 * n_tight, "{n_tight} of {n_patches} are tight");
}

#[test]
fn bounds_contain_the_normals_of_modes() {
    let [n_patches, n_faces, _] = check(2, Governed::Modes, 200);
    assert!(3_000 < n_patches && n_patches < 20 * n_faces, "{n_faces} of {n_patches} face an axis");
}

#[test]
fn bounds_contain_the_normals_of_points() {
    let [n_patches, n_faces, _] = check(3, Governed::Points, 400);
    assert!(1_000 < n_patches && n_patches < 4 * n_faces, "{n_faces} of {n_patches} face an axis");
}

/// A flat sheet that one rigid map moves far away, or from far away to the origin: only the
/// rounding of positions makes bounds loose.
#[test]
fn rounding_of_positions_is_accounted_for() {
    let mut r = random(4);
    let mut n_off = [0; 2];
    for round in 0..400 {
        let is_away_at_rest = round % 2 == 1;
        let (mesh, test) = surface(&mut r, 5, Governed::Skin);
        let size = 0.1 * test.0.reach_at(&[]);
        let far = [0; 3].map(|_| 1e9 * size * (0.5 + r()));
        let place = |p: &[f64; 3]| -> [f64; 3] {
            let p = [0.1 * p[0], 0.1 * p[1], 0.0];
            if is_away_at_rest { std::array::from_fn(|i| p[i] + far[i]) } else { p }
        };
        let rest: Vec<[f64; 3]> = test.0.rest().iter().map(place).collect();
        let governors = Governors::new(1, &rest, rest.iter().map(|_| [(0, 1.0)])).unwrap();
        let test = Test(governors);
        let hierarchy = build(&mesh, &rest, Split::ConnectedPatches);
        let patches = Patches::of(&mesh, &hierarchy);
        let intervals = NormalIntervals::new(&hierarchy, &patches, &test.0);
        let mut moved = map(&mut r, 9, 0.0);
        for i in 0..3 {
            let [a, b, c, _] = moved[i];
            moved[i][3] = if is_away_at_rest { -(a * far[0] + b * far[1] + c * far[2]) } else { far[i] };
        }
        let mut at_start = Governing::default();
        at_start.set(&test, &test.0, moved.as_flattened());
        let bounds: Vec<_> = (0..intervals.n_bounds()).map(|_| OnceLock::new()).collect();
        let bounded = BoundedTest {
            hierarchy: &hierarchy,
            patches: &patches,
            intervals: &intervals,
            start: &at_start,
            end: None,
            bounds: &bounds,
            contour: true,
        };
        for node in 0..hierarchy.n_nodes() as u32 {
            let Kind::Bound(at) = intervals.kind(node) else { continue };
            let facing = bounded.facing(at);
            let axis = facing.axis().unwrap();
            let bound = facing.products(axis)[0];
            for corners in hierarchy.corners_below(node) {
                let vertices = corners.map(|v| hierarchy.vertices()[v as usize] as usize);
                let placed = vertices.map(|v| [test.position_at(v, moved.as_flattened()); 2]);
                let [product, .., size] = products(vertices.map(|v| rest[v]), placed, axis);
                assert!(bound <= product + 1e-13 * size, "round {round}: {bound} {product}");
                n_off[round % 2] += usize::from(product < 0.99999 * (1.0 - 1e-9));
            }
        }
    }
    assert!(n_off.iter().all(|&n| 100 < n), "{n_off:?}");
}
