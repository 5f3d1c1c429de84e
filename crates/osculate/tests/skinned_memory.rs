//! Repeated queries about skinned bodies allocate nothing: the world keeps all scratch memory. Only
//! results are returned in new memory, and exact arithmetic, where filters cannot decide, allocates
//! some.

use osculate::method::{Shape, SphereTree};
use osculate::{Affine, BodySettings, Mesh, Method, Model, Query, Results, Skin, World};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::sync::Arc;

#[global_allocator]
static GLOBAL: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A tube along x around three bones, whose weights change along it.
fn tube() -> Model {
    const ROUND: u32 = 12;
    const LONG: u32 = 60;
    let vertex = |i: u32, k: u32| i * ROUND + k % ROUND;
    let mut rest = Vec::new();
    let mut influences = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=LONG {
        let along = f64::from(i) / f64::from(LONG);
        for k in 0..ROUND {
            let angle = f64::from(k) / f64::from(ROUND) * std::f64::consts::TAU;
            rest.push([3.0 * along, 0.2 * angle.cos(), 0.2 * angle.sin()]);
            let second = (2.0 * along).min(2.0 - 2.0 * along);
            let other = if along < 0.5 { 0 } else { 2 };
            influences.push(vec![(1, second), (other, 1.0 - second)]);
            if i < LONG {
                triangles.push([vertex(i, k), vertex(i + 1, k), vertex(i + 1, k + 1)]);
                triangles.push([vertex(i, k), vertex(i + 1, k + 1), vertex(i, k + 1)]);
            }
        }
    }
    let skin = Skin::new(3, &rest, influences).unwrap();
    Model::new(Mesh::new(triangles, rest.len()).unwrap(), &rest).unwrap().with_skin(skin).unwrap()
}

/// Three bones, bent by an angle each, of a body.
fn bones(bend: f64, k: usize) -> [Affine; 3] {
    let ([s, c], at) = (tilted(k), place(k));
    [0.0, 1.0, 2.0].map(|bone| {
        let (sin, cos) = (bend * (bone - 1.0)).sin_cos();
        [[cos, -sin, 0.0, at[0]], [c * sin, c * cos, -s, at[1]], [s * sin, s * cos, c, at[2]]]
    })
}

/// The position of a body, in general position.
fn place(k: usize) -> [f64; 3] {
    let k = k as f64;
    [0.07 * (1.7 * k).sin(), 0.31 * k + 0.03 * (2.9 * k).cos(), 0.11 * (0.9 * k + 0.4).sin()]
}

/// A slight rotation about x, so that no two triangles are parallel.
fn tilted(k: usize) -> [f64; 2] {
    let (sin, cos) = (0.37 * (k as f64) + 0.1).sin_cos();
    [sin, cos]
}

#[test]
fn queries_that_have_been_asked_before_allocate_nothing() {
    let model = Arc::new(tube());
    let settings = BodySettings::default().self_contact(false);
    let mut world = World::new();
    let ids: Vec<_> =
        (0..12).map(|k| world.add_with(model.clone(), &bones(0.1, k), settings).unwrap()).collect();
    let mut found = 0;
    let mut run = |world: &mut World, bend: f64| {
        for shape in [Shape::Ball, Shape::Box] {
            for want in [Results::Any, Results::Count] {
                let method = Method::SphereTree(SphereTree::new().shape(shape));
                let query = Query::all().method(method).results(want);
                for (k, &id) in ids.iter().enumerate() {
                    world.set_pose(id, &bones(bend + 0.013 * k as f64, k)).unwrap();
                }
                found += world.crossings(&query).unwrap().count;
                let next = bones(bend + 0.09, 3);
                let contacts = world.contacts(&[(ids[3], &next)], &query).unwrap();
                let narrow = contacts.stats.narrow;
                assert_eq!(
                    narrow.exact_hits + narrow.exact_misses,
                    0,
                    "exact arithmetic has memory of its own"
                );
                found += contacts.count;
                found += world.contacts((), &query).unwrap().count;
            }
        }
    };
    for bend in [0.3, 0.2, 0.3] {
        run(&mut world, bend);
    }
    let region = Region::new(GLOBAL);
    run(&mut world, 0.3);
    run(&mut world, 0.2);
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
    assert!(100 < found, "{found} found");
}
