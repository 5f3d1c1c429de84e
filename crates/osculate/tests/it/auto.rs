//! The default method: what it chooses for each body, and that answers do not depend on it.

use crate::common::Rng;
use osculate::method::Volume;
use osculate::stats::AutoStats;
use osculate::{Affine, BodySettings, Mesh, Method, Model, Query, Skin, World};
use std::sync::Arc;

type Pose = Vec<[f64; 3]>;

/// A sheet of `n` by `n` cells of side 1 / n.
fn sheet(n: u32) -> (Arc<Model>, Pose) {
    let at = |i: u32, j: u32| [f64::from(i) / f64::from(n), f64::from(j) / f64::from(n), 0.0];
    let pose: Pose = (0..=n).flat_map(|j| (0..=n).map(move |i| at(i, j))).collect();
    let cell = |i: u32, j: u32| {
        let [a, b] = [i + j * (n + 1), i + (j + 1) * (n + 1)];
        [[a, a + 1, b + 1], [a, b + 1, b]]
    };
    let faces: Vec<[u32; 3]> = (0..n).flat_map(|j| (0..n).flat_map(move |i| cell(i, j))).collect();
    let mesh = Mesh::new(faces, pose.len()).unwrap();
    (Arc::new(Model::new(mesh, &pose).unwrap()), pose)
}

/// The sheet after a fold along x = 1/2 by an angle, with noise.
fn folded(rest: &Pose, angle: f64, noise: f64, rng: &mut Rng) -> Pose {
    let bend = |&[x, y, z]: &[f64; 3]| {
        let u = (x - 0.5).max(0.0);
        let p = [x.min(0.5) + u * angle.cos(), y, z + u * angle.sin()];
        p.map(|x| x + noise * rng.signed())
    };
    rest.iter().map(bend).collect()
}

/// The choices for two bodies that share a world, over a few steps, and the same answers as those
/// of bounding volumes at each.
#[test]
fn each_body_gets_its_own_method() {
    let rng = &mut Rng::new(77);
    let mut world = World::new();
    let (large, small) = (sheet(32), sheet(12));
    let bodies = [&large, &small].map(|(model, rest)| world.add(model.clone(), rest).unwrap());
    let mut n_found = 0;
    let mut chosen = Vec::new();
    for k in 0..6 {
        let angle = 0.7 * f64::from(k + 1);
        let next =
            [(bodies[0], folded(&large.1, angle, 1e-3, rng)), (bodies[1], folded(&small.1, 0.3, 0.01, rng))];
        let plain = Query::all().method(Method::Bvh(Volume::MovingAabb));
        let moves = next.each_ref().map(|(body, pose)| (*body, pose));
        let report = world.contacts(&moves, &Query::all()).unwrap();
        assert_eq!(report.found, world.contacts(&moves, &plain).unwrap().found, "step {k}");
        n_found += report.count;
        chosen.push(report.stats.auto);
        next.iter().for_each(|(body, pose)| world.set_pose(*body, pose).unwrap());
        let report = world.crossings(&Query::all()).unwrap();
        assert_eq!(report.found, world.crossings(&plain).unwrap().found, "frame {k}");
    }
    assert!(100 < n_found, "{n_found}");
    let of = |stats: &AutoStats| [stats.small, stats.first, stats.proofs + stats.resting];
    assert!(chosen.iter().all(|stats| of(stats) == [1, 0, 1]), "{chosen:?}");
    assert_eq!(chosen[1].to_string(), "normal-cone 1, bvh 1 (1 of few triangles)");
}

/// The same calls give the same choices and counts, in another world with a model of its own too.
#[test]
fn the_choice_depends_on_the_calls_only() {
    let run = || {
        let rng = &mut Rng::new(5);
        let (model, rest) = sheet(32);
        let mut world = World::new();
        let body = world.add(model, &rest).unwrap();
        let step = |k: u32| {
            let next = folded(&rest, 0.6 * f64::from(k), 0.02, rng);
            let stats = world.contacts(&[(body, &next)], &Query::all()).unwrap().stats;
            world.set_pose(body, &next).unwrap();
            stats
        };
        (0..8).map(step).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_pose_that_is_seen_once_needs_no_tree_of_patches() {
    let (model, rest) = sheet(32);
    let mut world = World::new();
    let body = world.add(model.clone(), &rest).unwrap();
    // However often the same pose is asked for, and however a search restarts.
    for query in [Query::all(), Query::earliest(), Query::any()] {
        let auto = world.crossings(&query).unwrap().stats.auto;
        assert_eq!((auto.first, auto.proofs), (1, 0));
    }
    let before = world.memory_bytes();
    let up: Pose = rest.iter().map(|&[x, y, z]| [x, y, z + 1.0]).collect();
    world.set_pose(body, &up).unwrap();
    let auto = world.crossings(&Query::all()).unwrap().stats.auto;
    assert_eq!((auto.first, auto.proofs), (0, 1));
    assert!(before < world.memory_bytes());
    // Another body of the model, which has a tree of patches by now.
    let mut other = World::new();
    other.add(model, &rest).unwrap();
    assert_eq!(other.crossings(&Query::all()).unwrap().stats.auto.proofs, 1);
}

/// Whoever asks about a step has more of them.
#[test]
fn a_step_has_proofs_at_once() {
    let (model, rest) = sheet(32);
    let mut world = World::new();
    let body = world.add(model, &rest).unwrap();
    let up: Pose = rest.iter().map(|&[x, y, z]| [x, y, z + 1.0]).collect();
    let auto = world.contacts(&[(body, &up)], &Query::all()).unwrap().stats.auto;
    assert_eq!((auto.first, auto.proofs), (0, 1));
}

/// Sheets that are posed by one bone each: as long as none is tested against itself, vertices are
/// placed only where they come close.
#[test]
fn crowds_are_placed_on_demand() {
    let (model, rest) = sheet(32);
    let skin = Skin::new(1, &rest, rest.iter().map(|_| [(0, 1.0)]));
    let mesh = Mesh::new(model.mesh().triangles().to_vec(), rest.len()).unwrap();
    let model = Arc::new(Model::new(mesh, &rest).unwrap().with_skin(skin.unwrap()).unwrap());
    let at = |x: f64, z: f64, turn: f64| {
        let (sin, cos) = turn.sin_cos();
        let bone: Affine = [[cos, 0.0, -sin, x], [0.0, 1.0, 0.0, 0.0], [sin, 0.0, cos, z]];
        [bone]
    };
    let mut world = World::new();
    let apart = BodySettings::new().self_contact(false);
    let poses = [at(0.0, 0.0, 0.0), at(0.5, -0.3, 0.7), at(9.0, 0.0, 0.0)];
    let bodies = poses.map(|bones| world.add_with(model.clone(), &bones, apart).unwrap());
    let plain = || Query::all().method(Method::Bvh(Volume::MovingAabb));
    let bones = at(0.6, 0.1, 1.2);
    let moves = [(bodies[2], &bones)];
    for query in [Query::all(), Query::earliest()] {
        let report = world.contacts(&moves, &query).unwrap();
        assert_eq!((report.stats.auto.crowd, report.stats.auto.without_proofs), (3, 0));
        let expected = world.contacts(&moves, &plain().results(query.results)).unwrap();
        assert!(!expected.found.is_empty());
        assert_eq!(report.found, expected.found);
    }
    let report = world.crossings(&Query::all()).unwrap();
    assert_eq!(report.stats.auto.crowd, 3);
    assert_eq!(report.stats.auto.to_string(), "sphere-tree 3 (posed, not tested against themselves)");
    assert!(report.count != 0 && report.found == world.crossings(&plain()).unwrap().found);
    // A body that is tested against itself needs all of its vertices.
    world.add(model, &at(20.0, 0.0, 0.0)).unwrap();
    assert_eq!(world.crossings(&Query::all()).unwrap().stats.auto.crowd, 0);
}

#[test]
fn bodies_prepared_ahead_have_their_trees() {
    let (model, rest) = sheet(32);
    let mut world = World::new();
    let body = world.add(model, &rest).unwrap();
    world.prepare(&Query::all()).unwrap();
    let auto = world.contacts(&[(body, &rest)], &Query::all()).unwrap().stats.auto;
    assert_eq!((auto.first, auto.proofs), (0, 1));
}

#[test]
fn where_proofs_do_not_apply_there_are_none() {
    let (model, rest) = sheet(32);
    let mut world = World::new();
    world.add_with(model.clone(), &rest, BodySettings::new().is_static(true)).unwrap();
    let body = world.add(model, &rest).unwrap();
    let up: Pose = rest.iter().map(|&[x, y, z]| [x, y, z + 1.0]).collect();
    for _ in 0..3 {
        let query = Query::count().min_separation(1e-3);
        let auto = world.contacts(&[(body, &up)], &query).unwrap().stats.auto;
        assert_eq!(auto, {
            let mut all = AutoStats::default();
            all.without_proofs = 2;
            all
        });
    }
    let auto = world.contacts(&[(body, &up)], &Query::count()).unwrap().stats.auto;
    assert_eq!((auto.without_proofs, auto.proofs), (1, 1));
}
