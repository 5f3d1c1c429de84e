use super::*;
use crate::Mesh;
use crate::hierarchy::{Hierarchy, Split, build};
use crate::math::integer::IntegerPoints;
use crate::random::random;
use num_bigint::BigInt;
use num_traits::Signed;
use std::array::from_fn;

const TIMES: [u32; 7] = [0, 1, 5, 8, 11, 15, 16];

/// Whether `n(t) . axis > 0` for t = k / 16, in integers.
fn faces(corners: &[[[f64; 3]; 2]; 3], axis: &[f64; 3], k: u32) -> bool {
    let [a, b, c] = corners;
    let points = IntegerPoints::new([&a[0], &a[1], &b[0], &b[1], &c[0], &c[1]]).big();
    let at: [[BigInt; 3]; 3] =
        from_fn(|i| from_fn(|x| &points[2 * i][x] * (16 - k) + &points[2 * i + 1][x] * k));
    let [axis] = IntegerPoints::new([axis]).big();
    let e: [BigInt; 3] = from_fn(|x| &at[1][x] - &at[0][x]);
    let f: [BigInt; 3] = from_fn(|x| &at[2][x] - &at[0][x]);
    let component = |x: usize| {
        let (i, j) = ((x + 1) % 3, (x + 2) % 3);
        (&e[i] * &f[j] - &e[j] * &f[i]) * &axis[x]
    };
    (component(0) + component(1) + component(2)).is_positive()
}

struct Scene {
    triangles: Vec<[u32; 3]>,
    poses: Vec<[[f64; 3]; 2]>,
}

/// Number of nodes, and of nodes with a cone; panics if a cone is wrong.
fn check(scene: &Scene, split: Split) -> [usize; 2] {
    let mesh = Mesh::new(scene.triangles.clone(), scene.poses.len()).unwrap();
    let positions: Vec<[f64; 3]> = scene.poses.iter().map(|p| p[0]).collect();
    let hierarchy = build(&mesh, &positions, split);
    let lines: Vec<Line> = scene.poses.iter().map(|[t0, t1]| Line::new(t0, t1)).collect();
    let mut cones = Cones::default();
    cones.refit(&hierarchy, &lines);
    // One formula: eight triangles at once or one give the same numbers.
    for (cone, corners) in cones.triangles.iter().zip(hierarchy.corners_below(0)) {
        let corners = corners.map(|v| &lines[hierarchy.vertices()[v as usize] as usize]);
        assert_eq!(cone.narrow(), Cone::of_triangle(corners));
    }
    let mut n_certified = 0;
    for node in 0..hierarchy.n_nodes() as u32 {
        let Some(cone) = cones.cone(node) else { continue };
        n_certified += 1;
        assert!(
            (dot(cone.axis, cone.axis) - 1.0).abs() < 1e-14 && (cone.cos.hypot(cone.sin) - 1.0).abs() < 1e-14
        );
        for &t in hierarchy.triangles_below(node) {
            let corners = scene.triangles[t as usize].map(|v| scene.poses[v as usize]);
            for k in TIMES {
                assert!(faces(&corners, &cone.axis, k), "{corners:?} at {k}/16, {cone:?}");
            }
        }
    }
    [hierarchy.n_nodes(), n_certified]
}

/// A grid of 3 by 3 cells that is wavy and moves, with a random frame.
fn patch(next: &mut impl FnMut() -> f64, waviness: f64, speed: f64) -> Scene {
    let mut signed = || 2.0 * next() - 1.0;
    let frame: [[f64; 3]; 3] = from_fn(|_| from_fn(|_| signed()));
    let place = |p: [f64; 3]| from_fn(|x| (0..3).map(|i| frame[i][x] * p[i]).sum());
    let poses = (0..16)
        .map(|i| {
            let t0: [f64; 3] = place([f64::from(i % 4), f64::from(i / 4), waviness * signed()]);
            [t0, t0.map(|x| x + speed * signed())]
        })
        .collect();
    let cells = [0u32, 1, 2, 4, 5, 6, 8, 9, 10].iter();
    Scene { triangles: cells.flat_map(|&a| [[a, a + 1, a + 5], [a, a + 5, a + 4]]).collect(), poses }
}

/// Changes all coordinates.
fn mapped(mut scene: Scene, f: impl Fn(f64) -> f64) -> Scene {
    scene.poses.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x = f(*x));
    scene
}

#[test]
fn random_moving_patches_face_their_axes() {
    let (mut next, mut total) = (random(1), [0; 2]);
    for round in 0..1500 {
        let (waviness, speed) = (2.0 * next(), [0.0, 0.01, 0.1, 0.5][round % 4]);
        let scene = patch(&mut next, waviness, speed);
        let split = [Split::Median, Split::ConnectedPatches][round % 2];
        let [n, certified] = check(&scene, split);
        total = [total[0] + n, total[1] + certified];
    }
    // Neither all nor none: the test would prove little.
    assert!(total[0] < 4 * total[1] && 10 * total[1] < 9 * total[0], "{total:?}");
}

#[test]
fn single_precision_far_from_the_origin() {
    let (mut next, mut total) = (random(2), [0; 2]);
    for round in 0..600 {
        let offset = [1e3, 1e5, 3e6][round % 3];
        let scene = patch(&mut next, 0.4, 0.1);
        let [n, certified] = check(&mapped(scene, |x| f64::from((x + offset) as f32)), Split::Median);
        total = [total[0] + n, total[1] + certified];
    }
    assert!(total[0] < 3 * total[1], "{total:?}");
}

#[test]
fn any_scale_is_never_wrong() {
    for (scale, certifies) in [
        (2f64.powi(97), true),
        (1e-70, true),
        (1e-80, false),
        (1e-140, false),
        (1e-160, false),
        (1e-320, false),
    ] {
        let (mut next, mut n_certified) = (random(3), 0);
        for _ in 0..100 {
            n_certified += check(&mapped(patch(&mut next, 0.2, 0.05), |x| x * scale), Split::Median)[1];
        }
        assert_eq!(0 < n_certified, certifies, "{scale}");
    }
    // Beyond the range of the filters there may be no cone, but no wrong one.
    for scale in [1e75, 1e77, 1e78, 1e100, 1e150, 1e160, 1e300] {
        let mut next = random(4);
        for _ in 0..50 {
            check(&mapped(patch(&mut next, 0.2, 0.05), |x| x * scale), Split::Median);
        }
    }
    // One long edge, one tiny one.
    let mut next = random(5);
    for exponent in 0..300 {
        let tiny = 10f64.powi(-exponent);
        let poses = [[0.0; 3], [next() * 1e29, next(), 0.0], [tiny * next(), tiny * next(), tiny]];
        check(
            &Scene { triangles: vec![[0, 1, 2]], poses: poses.iter().map(|&p| [p; 2]).collect() },
            Split::Median,
        );
    }
}

#[test]
fn slivers_and_collapsing_triangles() {
    let (mut next, mut n_certified) = (random(6), [0; 2]);
    for round in 0..4000 {
        let mut point = || [(); 3].map(|()| 2.0 * next() - 1.0);
        let [a, b, off] = [point(), point(), point()];
        let height = 10f64.powf(-20.0 * (round % 1000) as f64 / 1000.0);
        let near = |s: f64, h: f64| from_fn::<f64, 3, _>(|x| a[x] + s * (b[x] - a[x]) + h * off[x]);
        // Thin all the time; thin at the start; thin at the end; through zero area and to the other
        // side, or nearly.
        let thin = [
            [near(0.4, height), near(0.7, height)],
            [near(0.4, height), near(0.3, 1.0)],
            [near(0.4, 1.0), near(0.3, height)],
            [near(0.4, 1.0), near(0.4, -height)],
            [near(0.4, 1.0), near(0.4, 0.0)],
        ];
        let which = round % thin.len();
        let poses = vec![[a, a], [b, b], thin[which]];
        let [_, certified] = check(&Scene { triangles: vec![[0, 1, 2]], poses }, Split::Median);
        n_certified[usize::from(3 <= which)] += certified;
        if 1e-2 < height && which < 3 {
            assert_eq!(certified, 1);
        }
    }
    assert_eq!(n_certified[1], 0, "a normal that vanishes has no cone");
    assert!(1000 < n_certified[0], "{n_certified:?}");
}

/// A normal that turns over: up at both ends, but not in between.
#[test]
fn both_ends_are_not_enough() {
    let line = |t0: [f64; 3], t1: [f64; 3]| Line::new(&t0, &t1);
    let (a, b) = (line([0.0; 3], [0.0; 3]), line([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]));
    assert_eq!(Cone::of_triangle([&a, &b, &line([0.0, 1.0, 0.0], [0.0, -1.0, 0.0])]), None);
    let slow = line([0.0, 1.0, 0.0], [0.1, 1.0, 0.1]);
    let cone = Cone::of_triangle([&a, &line([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), &slow]).unwrap();
    assert!(cone.axis[2] > 0.99 && cone.sin < 0.06, "{cone:?}");
}

/// Two pages of an open book whose normals are nearly opposite.
#[test]
fn nearly_a_half_space() {
    let mut next = random(7);
    for (exponent, certifies) in (1..=52).map(|e| (e, e < 9)) {
        for _ in 0..40 {
            let half = 2f64.powi(-exponent);
            let mut jitter = || 1e-3 * next();
            let poses =
                [[0.0, 0.0, 0.0], [1.0, jitter(), 0.0], [jitter(), half, 1.0], [jitter(), -half, 1.0]];
            let poses = poses.iter().map(|&p| [p; 2]).collect();
            // Normals (0, -1, half) and (0, 1, half), up to the jitter: the half angle is about 90
            // degrees - half.
            let [_, certified] =
                check(&Scene { triangles: vec![[0, 1, 2], [0, 3, 1]], poses }, Split::Median);
            assert!(certified == 1 || !certifies, "2^-{exponent}");
            assert!(certified == 0 || exponent < 12, "2^-{exponent}");
        }
    }
}

fn angle(p: [f64; 3], q: [f64; 3]) -> f64 {
    let across = cross(p, q);
    dot(across, across).sqrt().atan2(dot(p, q))
}

#[test]
fn a_merge_is_the_smallest_cone_of_both() {
    let (mut next, mut kinds) = (random(8), [0; 3]);
    for round in 0..20_000 {
        let mut direction = |near: [f64; 3], distance: f64| {
            let p: [f64; 3] = from_fn(|x| near[x] + distance * (2.0 * next() - 1.0));
            scale(1.0 / dot(p, p).sqrt(), p)
        };
        let distance = [2.0, 0.5, 1e-3, 1e-8, 1e-15, 0.0][round % 6];
        let l1 = direction([0.0; 3], 1.0);
        let l2 = direction(l1, distance);
        let mut half_angle = || 1.5 * next() * [1.0, 1.0, 1e-4, 1e-12, 0.0][round % 5];
        let (a1, a2) = (half_angle(), half_angle());
        let cone = |axis, a: f64| Cone { axis, cos: a.cos(), sin: a.sin() };
        let merged = cone(l1, a1).merge(&cone(l2, a2));
        let b = angle(l1, l2);
        let expected = a1.max(a2).max(0.5 * (b + a1 + a2));
        let is_contained = b <= (a1 - a2).abs();
        if std::f64::consts::FRAC_PI_2 - 1e-3 < expected {
            assert!(expected < std::f64::consts::FRAC_PI_2 || merged == Cone::FULL);
            kinds[0] += 1;
            continue;
        }
        kinds[1 + usize::from(is_contained)] += 1;
        let a = merged.sin.atan2(merged.cos);
        assert!(expected <= a && a < expected + 2e-11, "{a1} {a2} {b}: {a} for {expected}");
        assert!(angle(merged.axis, l1) + a1 <= a && angle(merged.axis, l2) + a2 <= a, "{a1} {a2} {b}");
    }
    assert!(kinds.iter().all(|&n| 300 < n), "{kinds:?}");
}

#[test]
fn threads_do_not_matter_and_memory_is_kept() {
    let n = 60;
    let vertex = |i: u32, j: u32| i + j * (n + 1);
    let cells = (0..n * n).map(|k| [k % n, k / n]);
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|[i, j]| {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let mut next = random(9);
    let poses: Vec<[f64; 3]> = (0..(n + 1) * (n + 1))
        .map(|k| [f64::from(k % (n + 1)), f64::from(k / (n + 1)), 0.5 * next()])
        .collect();
    let mesh = Mesh::new(triangles, poses.len()).unwrap();
    let hierarchy = build(&mesh, &poses, Split::ConnectedPatches);
    let lines: Vec<Line> = poses.iter().map(|p| Line::new(p, &p.map(|x| x + 0.1))).collect();
    let at = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let mut cones = Cones::default();
        pool.install(|| cones.refit(&hierarchy, &lines));
        cones.nodes
    };
    assert!(2048 < hierarchy.n_nodes(), "more than one task");
    assert_eq!(at(1), at(3));
    let mut cones = Cones::default();
    cones.refit(&hierarchy, &lines);
    assert!(cones.cone(0).is_some_and(|cone| 0.99 < cone.axis[2]));
    cones.refit(&Hierarchy::default(), &[]);
    assert_eq!(cones.memory_bytes(), 0);
}
