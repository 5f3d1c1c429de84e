//! Bounds contain what they must, for random skins and poses; those of two plausible rules do not.

mod deformers;

use super::balls::{Ball, Gathered};
use super::bound::{Bound, Span};
use super::boxes::BoxBound;
use super::corners::corners;
use super::maps::Maps;
use super::parts::{Form, Influences, Parts};
use crate::motion::Deformer;
use crate::random::random;
use crate::{Affine, Skin};

type Vector = [f64; 3];

/// Random numbers of a few distributions.
struct Random(Box<dyn FnMut() -> f64>);

impl Random {
    fn new(seed: u64) -> Random {
        Random(Box::new(random(seed)))
    }

    fn unit(&mut self) -> f64 {
        (self.0)()
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    fn vector(&mut self, size: f64) -> Vector {
        [0; 3].map(|_| size * self.signed())
    }

    /// Ten to a random power between the two given.
    fn magnitude(&mut self, lo: f64, hi: f64) -> f64 {
        10.0_f64.powf(lo + (hi - lo) * self.unit())
    }

    fn rotation(&mut self) -> [Vector; 3] {
        let q = [0; 4].map(|_| self.signed());
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
        let [w, x, y, z] = q.map(|c| c / length);
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

/// The kinds of bones.
const KINDS: usize = 7;

fn bone(r: &mut Random, kind: usize, stretch: f64, far: f64) -> Affine {
    let mut a = r.rotation();
    match kind {
        0 => {}
        // Inexact rotations, on both sides of the limit for the fast path.
        1 => {
            let away = r.magnitude(-9.0, -4.0);
            a.as_flattened_mut().iter_mut().for_each(|x| *x += away * r.signed());
        }
        2 => {
            let scale = r.magnitude(-3.0, 3.0);
            a.as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
        }
        3 => {
            for k in 0..3 {
                let scale = r.signed() * r.magnitude(-2.0, 2.0);
                a.iter_mut().for_each(|row| row[k] *= scale);
            }
        }
        4 => a = [0; 3].map(|_| r.vector(3.0)),
        // Maps onto a line, or onto a point.
        5 => {
            let (along, out) = (r.vector(2.0), r.vector(1.0));
            a = out.map(|x| along.map(|y| x * y));
        }
        _ => a = [[0.0; 3]; 3],
    }
    let t = r.vector(far);
    std::array::from_fn(|i| [a[i][0] * stretch, a[i][1] * stretch, a[i][2] * stretch, t[i]])
}

/// The weights of a vertex.
fn influences(r: &mut Random, n_bones: usize, style: usize, base: &[(u32, f64)]) -> Vec<(u32, f64)> {
    // Near those of the other vertices, or arbitrary.
    let mut all: Vec<(u32, f64)> = if style < 3 && !base.is_empty() {
        let width = [0.0, 1e-8, 0.2][style];
        base.iter().map(|&(joint, w)| (joint, w * (1.0 + width * r.signed()))).collect()
    } else {
        let n = if r.unit() < 0.1 { 20 } else { 1 + r.below(4) };
        (0..n).map(|_| (r.below(n_bones) as u32, r.unit().powi(3) + 1e-9)).collect()
    };
    let sum: f64 = all.iter().map(|i| i.1).sum();
    all.iter_mut().for_each(|i| i.1 /= sum);
    match r.below(3) {
        0 => {}
        1 => all.iter_mut().for_each(|i| i.1 = f64::from(i.1 as f32)),
        _ => all.iter_mut().for_each(|i| i.1 = (i.1 * 255.0).round() / 255.0),
    }
    all
}

/// A node of a random body, and two poses of it.
struct Case {
    deformer: Box<dyn Deformer>,
    parts: Parts,
    maps: [Maps; 2],
    ends: [Vec<Vector>; 2],
}

/// `size` is that of the body at rest, `stretch` that of its bones, and `far` how far they move.
/// `None` if the sum of weights stored as bytes is too far from one, or if the pose leaves the
/// range of f64.
fn case(r: &mut Random, size: f64, stretch: f64, far: f64) -> Option<Case> {
    let n_bones = 1 + r.below(24);
    let style = r.below(4);
    let base = influences(r, n_bones, 3, &[]);
    let (middle, patch) = (r.vector(size), size * r.magnitude(-4.0, 0.0));
    let rest: Vec<Vector> = (0..1 + r.below(12))
        .map(|_| {
            let v = r.vector(patch);
            std::array::from_fn(|i| middle[i] + v[i])
        })
        .collect();
    let of_vertices: Vec<_> = rest.iter().map(|_| influences(r, n_bones, style, &base)).collect();
    let skin = Skin::new(n_bones, &rest, of_vertices).ok()?;
    let mut parts = Parts::default();
    let mut vertices: Vec<u32> = (0..rest.len() as u32).collect();
    parts.push(&Influences::new(skin.governors().unwrap()), &rest, &mut vertices);
    let kind = r.below(KINDS + 1);
    let shift = r.vector(far);
    let mut poses = Vec::new();
    let mut maps = [Maps::default(), Maps::default()];
    for of_end in &mut maps {
        let mut bones = Vec::new();
        for _ in 0..n_bones {
            let kind = if kind == KINDS { r.below(KINDS) } else { kind };
            let far = if r.unit() < 0.5 { far } else { 1e-3 * far };
            let mut map = bone(r, kind, stretch, far);
            (0..3).for_each(|i| map[i][3] += shift[i]);
            bones.push(map);
        }
        skin.check(bones.as_flattened().as_flattened()).ok()?;
        of_end.set(&bones, &[], skin.governors().unwrap(), parts.most_joints());
        poses.push(skin.pose(&bones));
    }
    let end = poses.pop()?;
    Some(Case { deformer: Box::new(skin), parts, maps, ends: [poses.pop()?, end] })
}

fn distance(a: Vector, b: Vector) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

fn between(a: Vector, b: Vector, t: f64) -> Vector {
    std::array::from_fn(|i| (1.0 - t) * a[i] + t * b[i])
}

/// Asserts that all vertices are in the bounds, at both ends and in between. Returns whether the
/// bounds are finite.
fn check(r: &mut Random, case: &Case) -> bool {
    let mut scratch = Gathered::default();
    let balls = [0, 1].map(|k| Ball::on_demand(&case.parts, 0, &case.maps[k], &mut scratch));
    let boxes = [0, 1].map(|k| BoxBound::on_demand(&case.parts, 0, &case.maps[k], &mut scratch));
    let slabs = BoxBound::slabs(&boxes);
    for t in [0.0, 1.0, 0.5, r.unit(), r.unit()] {
        let mix = |a: f32, b: f32| {
            let (a, b) = (f64::from(a), f64::from(b));
            if t == 0.0 {
                a
            } else if t == 1.0 {
                b
            } else {
                (1.0 - t) * a + t * b
            }
        };
        let [(c, rc), (d, rd)] = [balls[0].ball(), balls[1].ball()];
        let (center, radius) = ([0, 1, 2].map(|i| mix(c[i], d[i])), mix(rc, rd));
        for v in 0..case.ends[0].len() {
            let p = between(case.ends[0][v], case.ends[1][v], t);
            let apart = distance(p, center);
            // A NaN bound overlaps everything only until it is merged with others, so there must be
            // none.
            assert!(apart <= radius, "vertex {v} at {t}: {apart} > {radius}, {balls:?}, {:?}", case.deformer);
            for i in 0..3 {
                let (lo, hi) = (mix(slabs.lo[i], slabs.lo[i + 3]), mix(slabs.hi[i], slabs.hi[i + 3]));
                assert!(lo <= p[i] && p[i] <= hi, "vertex {v} at {t}: {} not in {lo}..{hi}", p[i]);
            }
        }
    }
    balls[0].ball().1.is_finite()
}

#[test]
fn vertices_are_in_their_bounds() {
    let mut r = Random::new(1);
    let mut seen = [0; 3];
    for _ in 0..30_000 {
        let size = r.magnitude(-3.0, 3.0);
        let far = if r.unit() < 0.2 { 0.0 } else { size * r.magnitude(-3.0, 6.0) };
        let Some(case) = case(&mut r, size, 1.0, far) else { continue };
        assert!(check(&mut r, &case));
        for part in case.parts.of(0) {
            match case.parts.part(part).form {
                Form::One => seen[0] += 1,
                Form::Corners(_) => seen[1] += 1,
                Form::Spread | Form::Anchored => seen[2] += 1,
            }
        }
    }
    assert!(seen.iter().all(|&n| 3000 < n), "{seen:?}");
}

#[test]
fn huge_and_tiny_numbers() {
    let mut r = Random::new(2);
    let (mut n_finite, mut n_infinite) = (0, 0);
    for _ in 0..20_000 {
        // The product of size and stretch is often an ordinary length, though neither of them is.
        let size = r.magnitude(-60.0, 60.0);
        let stretch = r.magnitude(-20.0, 20.0) / if r.unit() < 0.7 { size } else { 1.0 };
        let far = if r.unit() < 0.3 { 0.0 } else { r.magnitude(-50.0, 50.0) };
        let Some(case) = case(&mut r, size, stretch, far) else { continue };
        if check(&mut r, &case) {
            n_finite += 1;
        } else {
            n_infinite += 1;
        }
    }
    assert!(3000 < n_finite && 3000 < n_infinite, "{n_finite} {n_infinite}");
    // The ends of the range of f64.
    for (size, stretch) in [(1.7e308, 0.0), (1e-310, 1e308), (0.0, 1e308), (1e39, 1e-39), (1e-39, 1e39)] {
        for _ in 0..300 {
            if let Some(case) = case(&mut r, size, stretch, 1.0) {
                check(&mut r, &case);
            }
        }
    }
}

/// Maps with a NaN or an infinity in any row are rejected, even if all vertices are at the origin
/// at rest.
#[test]
fn maps_that_are_no_numbers() {
    for rest in [[0.0; 3], [1.0, 2.0, 3.0]] {
        let skin = Skin::new(1, &[rest], [[(0, 1.0)]]).unwrap();
        assert!(skin.check(&[1.0; 12]).is_ok());
        for (entry, bad) in
            (0..12).flat_map(|entry| [f64::NAN, f64::INFINITY, f64::MAX].map(|bad| (entry, bad)))
        {
            let mut map: Affine = [[1.0; 4]; 3];
            map.as_flattened_mut()[entry] = bad;
            assert!(skin.check(map.as_flattened()).is_err(), "{entry} {bad}");
        }
    }
}

/// Distant bones that flatten, with a small weight: the radius is that of the nearby bone, and
/// leaves no room for the rounding of the middle of the weights.
#[test]
fn small_shares_of_far_bones() {
    let mut r = Random::new(5);
    let (near, far) = ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1e6);
    for _ in 0..5000 {
        let n_far = 4 + r.below(4);
        let share = 3e-4 + 4e-3 * r.unit();
        let mut rest = vec![[-2.0, 0.0, 0.0]];
        let mut of_vertices = vec![vec![(0, 1.0)]];
        for k in 0..n_far {
            let angle = k as f64;
            rest.push([2.0 * angle.cos(), 2.0 * angle.sin(), 0.0]);
            of_vertices.push(vec![(0, 1.0 - share), (1 + k as u32, share)]);
        }
        let skin = Skin::new(1 + n_far, &rest, of_vertices).unwrap();
        let mut bones: Vec<Affine> = vec![[[0.0, 0.0, 0.0, far], [0.0; 4], [0.0; 4]]; 1 + n_far];
        bones[0] = near.map(|[x, y, z]| [x, y, z, 0.0]);
        let mut parts = Parts::default();
        let mut vertices: Vec<u32> = (0..rest.len() as u32).collect();
        parts.push(&Influences::new(skin.governors().unwrap()), &rest, &mut vertices);
        assert_eq!(parts.part(0).form, Form::Spread);
        let mut maps = [Maps::default(), Maps::default()];
        maps.iter_mut()
            .for_each(|maps| maps.set(&bones, &[], skin.governors().unwrap(), parts.most_joints()));
        let pose = skin.pose(&bones);
        assert!(check(&mut r, &Case { deformer: Box::new(skin), parts, maps, ends: [pose.clone(), pose] }));
    }
}

/// The test of two moving balls must not miss contacts of their contents: here these touch at the
/// end of the step, after the balls have moved straight toward each other.
#[test]
fn balls_that_just_meet() {
    let mut r = Random::new(3);
    for _ in 0..30_000 {
        let content = r.magnitude(-6.0, 1.0);
        let far = r.magnitude(-2.0, 3.0);
        let a = [r.vector(10.0), r.vector(10.0)];
        let direction = r.rotation()[0];
        let along = |from: Vector, s: f64| -> Vector { std::array::from_fn(|i| from[i] + s * direction[i]) };
        let b = [along(a[0], far + 2.0 * content), along(a[1], 2.0 * content)];
        // As constructed: a center rounded to f32, and a radius widened by twice the rounding
        // error.
        let ball = |p: Vector| {
            let largest = p.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let [x, y, z] = p.map(|x| x as f32);
            Ball([x, y, z, (content * (1.0 + 9e-7) + 7e-7 * largest) as f32 + 1e-18])
        };
        let ([a, b], until) = ([a.map(ball), b.map(ball)], 1.0);
        let span = Span { is_instant: false, until, margin: 0.0 };
        assert!(Ball::overlaps(&a, &b, &span));
        let mut four = Ball::FOUR;
        (0..4).for_each(|lane| Ball::set(&mut four, lane, &a));
        assert_eq!(Ball::four_overlap(&four, &b, &span), 15);
        assert_eq!(Ball::fours_overlap(&four, &four, &span), 0xffff);
        // The same at an instant.
        let span = Span { is_instant: true, ..span };
        let (a, b) = ([a[1]; 2], [b[1]; 2]);
        (0..4).for_each(|lane| Ball::set(&mut four, lane, &a));
        assert!(Ball::overlaps(&a, &b, &span));
        assert_eq!(Ball::four_overlap(&four, &b, &span), 15);
    }
}

/// Balls that are apart at both ends of the step, and pass through each other in between.
#[test]
fn balls_that_pass_each_other() {
    let ball = |x: f32| Ball([x, 0.0, 0.0, 0.25]);
    let (a, b) = ([ball(-1.0), ball(1.0)], [ball(1.0), ball(-1.0)]);
    for (until, expected) in [(1.0, true), (0.5, true), (0.375, true), (0.25, false)] {
        let span = Span { is_instant: false, until, margin: 0.0 };
        assert_eq!(Ball::overlaps(&a, &b, &span), expected, "{until}");
    }
}

/// A set of joints, with the least and greatest weight of each.
struct JointSet<'a> {
    joints: &'a [usize],
    lo: &'a [f64],
    hi: &'a [f64],
}

/// The refit of the paper in f64, with one ball for all sets; the stretch of radii by maps is a
/// parameter.
fn refit(
    sets: &[JointSet],
    center: Vector,
    radius: f64,
    bones: &[Affine],
    norm: impl Fn(&Affine) -> f64,
) -> (Vector, f64) {
    let moved: Vec<(Vector, f64)> =
        bones.iter().map(|map| (apply(map, center), norm(map) * radius)).collect();
    let mut balls = Vec::new();
    for set in sets {
        let rows = corners(set.lo, set.hi, 1000).unwrap();
        for row in rows.chunks_exact(set.joints.len()) {
            let mut ball = ([0.0; 3], 0.0);
            for (&w, &j) in row.iter().zip(set.joints) {
                (0..3).for_each(|i| ball.0[i] += w * moved[j].0[i]);
                ball.1 += w * moved[j].1;
            }
            balls.push(ball);
        }
    }
    let o: Vector = std::array::from_fn(|i| balls.iter().map(|b| b.0[i]).sum::<f64>() / balls.len() as f64);
    (o, balls.iter().fold(0.0, |most, b| most.max(distance(o, b.0) + b.1)))
}

fn apply(map: &Affine, [x, y, z]: Vector) -> Vector {
    map.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
}

fn frobenius(map: &Affine) -> f64 {
    map.iter().flat_map(|row| &row[..3]).map(|x| x * x).sum::<f64>().sqrt()
}

/// Bones that stretch: an unchanged radius does not suffice, one multiplied by the norm does.
#[test]
fn radii_must_be_stretched() {
    let mut r = Random::new(4);
    let mut n_outside = 0;
    for _ in 0..2000 {
        let bones = [bone(&mut r, 4, 1.0, 1.0), bone(&mut r, 4, 1.0, 1.0)];
        let w = r.unit();
        let set = JointSet { joints: &[0, 1], lo: &[w, 1.0 - w], hi: &[w, 1.0 - w] };
        let v = r.vector(0.5);
        let p = between(apply(&bones[1], v), apply(&bones[0], v), w);
        let radius = distance(v, [0.0; 3]);
        let as_printed = refit(&[set], [0.0; 3], radius, &bones, |_| 1.0);
        n_outside += usize::from(as_printed.1 + 1e-9 < distance(p, as_printed.0));
        let set = JointSet { joints: &[0, 1], lo: &[w, 1.0 - w], hi: &[w, 1.0 - w] };
        let stretched = refit(&[set], [0.0; 3], radius, &bones, frobenius);
        assert!(distance(p, stretched.0) <= stretched.1 + 1e-12);
    }
    assert!(200 < n_outside, "{n_outside}");
}

/// The sets of joints {0, 1} and {1, 2} together have all joints of a vertex that follows 0 and 2,
/// but their bound does not contain it.
#[test]
fn one_set_must_have_all_joints_of_a_vertex() {
    let at = |t: Vector| -> Affine {
        std::array::from_fn(|i| {
            std::array::from_fn(|k| if k == 3 { t[i] } else { f64::from(u8::from(i == k)) })
        })
    };
    let bones = [at([10.0, 0.0, 0.0]), at([0.0, 0.0, 0.0]), at([0.0, 10.0, 0.0])];
    let first = || JointSet { joints: &[0, 1], lo: &[0.1, 0.9], hi: &[0.1, 0.9] };
    let second = || JointSet { joints: &[1, 2], lo: &[0.9, 0.1], hi: &[0.9, 0.1] };
    let third = JointSet { joints: &[0, 2], lo: &[0.5, 0.5], hi: &[0.5, 0.5] };
    // The vertex with the weights 0.5 and 0.5, at the origin at rest.
    let p = [5.0, 5.0, 0.0];
    let as_printed = refit(&[first(), second()], [0.0; 3], 0.1, &bones, |_| 1.0);
    assert!(5.0 * as_printed.1 < distance(p, as_printed.0));
    let (o, radius) = refit(&[first(), second(), third], [0.0; 3], 0.1, &bones, |_| 1.0);
    assert!(distance(p, o) <= radius);
    // The parts built from the same vertices contain it.
    let rest = [[0.05, 0.0, 0.0], [0.0, 0.05, 0.0], [0.0, 0.0, 0.0]];
    let of_vertices = [[(0, 0.1), (1, 0.9)], [(1, 0.9), (2, 0.1)], [(0, 0.5), (2, 0.5)]];
    let skin = Skin::new(3, &rest, of_vertices).unwrap();
    let mut parts = Parts::default();
    parts.push(&Influences::new(skin.governors().unwrap()), &rest, &mut [0, 1, 2]);
    let mut maps = Maps::default();
    maps.set(&bones, &[], skin.governors().unwrap(), parts.most_joints());
    let (center, radius) = Ball::on_demand(&parts, 0, &maps, &mut Gathered::default()).ball();
    for p in skin.pose(&bones) {
        assert!(distance(p, center.map(f64::from)) <= f64::from(radius));
    }
}
