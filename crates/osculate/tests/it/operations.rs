//! State kept by a world from step to step never affects an answer: after any sequence of
//! operations it answers like a fresh world.

use crate::common::Rng;
use crate::methods::complete_methods;
use osculate::{BodyId, BodySettings, Error, Mesh, Method, Model, Pose, Query, Report, Split, World};
use std::sync::Arc;

/// A body as the test remembers it.
struct Kept {
    model: Arc<Model>,
    pose: Vec<[f64; 3]>,
    settings: BodySettings,
    is_removed: bool,
}

/// A strip of triangles, of any length, none included.
fn strip(rng: &mut Rng) -> Mesh {
    let n = rng.below(12) as u32;
    Mesh::new((0..n).map(|v| [v, v + 1, v + 2]).collect(), n as usize + 2).unwrap()
}

fn random_pose(rng: &mut Rng, n_vertices: usize) -> Vec<[f64; 3]> {
    let center = [0; 3].map(|_| 3.0 * rng.signed());
    (0..n_vertices).map(|_| center.map(|x| x + rng.signed())).collect()
}

fn random_model(rng: &mut Rng) -> (Arc<Model>, Vec<[f64; 3]>) {
    let mesh = strip(rng);
    let rest = random_pose(rng, mesh.n_vertices());
    let split = rng.pick(&[Split::Median, Split::SurfaceArea, Split::ConnectedPatches]);
    (Arc::new(Model::with_build(mesh, &rest, &split.into()).unwrap()), rest)
}

fn fresh(bodies: &[Kept]) -> World {
    let mut world = World::new();
    let add = |body: &Kept| world.add_with(body.model.clone(), &body.pose, body.settings).unwrap();
    let ids: Vec<BodyId> = bodies.iter().map(add).collect();
    for (&id, _) in ids.iter().zip(bodies).filter(|(_, body)| body.is_removed) {
        world.remove(id).unwrap();
    }
    world
}

fn answers<T: Clone>(report: Report<T>) -> (Vec<T>, u64) {
    (report.found, report.count)
}

#[test]
fn random_operations() {
    let methods: Vec<Method> = complete_methods().collect();
    let mut n_found = 0;
    for index in 0..60 {
        let mut rng = Rng::for_item(5, index);
        let mut world = World::new();
        let mut ids: Vec<BodyId> = Vec::new();
        let mut bodies: Vec<Kept> = Vec::new();
        for operation in 0..60 {
            let context = format!("world {index}, operation {operation}");
            let present: Vec<usize> = (0..bodies.len()).filter(|&body| !bodies[body].is_removed).collect();
            assert!(world.bodies().eq(present.iter().map(|&body| ids[body])), "{context}");
            assert_eq!((world.len(), world.is_empty()), (present.len(), present.is_empty()));
            let chosen = if present.is_empty() { 0 } else { rng.pick(&present) };
            match if present.is_empty() { 0 } else { rng.below(8) } {
                0 if present.len() < 6 => {
                    let (model, pose) = random_model(&mut rng);
                    let settings = BodySettings::default().is_static(rng.one_in(5));
                    ids.push(world.add_with(model.clone(), &pose, settings).unwrap());
                    bodies.push(Kept { model, pose, settings, is_removed: false });
                }
                0 | 1 => {
                    let pose = random_pose(&mut rng, bodies[chosen].pose.len());
                    world.set_pose(ids[chosen], &pose).unwrap();
                    bodies[chosen].pose = pose;
                }
                2 => {
                    let (model, pose) = random_model(&mut rng);
                    world.set_model(ids[chosen], model.clone(), &pose).unwrap();
                    (bodies[chosen].model, bodies[chosen].pose) = (model, pose);
                }
                3 if rng.one_in(3) => {
                    world.remove(ids[chosen]).unwrap();
                    bodies[chosen].is_removed = true;
                    let error = world.vertices(ids[chosen]).unwrap_err();
                    assert!(matches!(error, Error::NoSuchBody { .. }), "{context}: {error}");
                }
                4 => {
                    assert_eq!(world.vertices(ids[chosen]).unwrap(), bodies[chosen].pose, "{context}");
                    let pose = world.pose(ids[chosen]).unwrap();
                    assert_eq!(pose, Pose::from(&bodies[chosen].pose), "{context}");
                    world.prepare(&Query::all().method(rng.pick(&methods))).unwrap();
                }
                3 | 5 => {
                    let query = Query::all().method(rng.pick(&methods));
                    let found = answers(world.crossings(&query).unwrap());
                    assert_eq!(found, answers(fresh(&bodies).crossings(&query).unwrap()), "{context}");
                    n_found += found.1;
                }
                _ => {
                    let query = Query::all().method(rng.pick(&methods));
                    let pose = random_pose(&mut rng, bodies[chosen].pose.len());
                    let next = [(ids[chosen], &pose[..])];
                    let found = answers(world.contacts(&next, &query).unwrap());
                    let expected = fresh(&bodies).contacts(&next, &query).unwrap();
                    assert_eq!(found, answers(expected), "{context}");
                    n_found += found.1;
                }
            }
        }
    }
    assert!(1000 < n_found, "{n_found}");
}

#[test]
fn a_model_that_does_not_fit_changes_nothing() {
    let mut rng = Rng::for_item(6, 0);
    let bodies: Vec<Kept> = (0..3)
        .map(|_| {
            let (model, pose) = random_model(&mut rng);
            Kept { model, pose, settings: BodySettings::default(), is_removed: false }
        })
        .collect();
    let mut world = fresh(&bodies);
    let ids: Vec<BodyId> =
        bodies.iter().map(|b| fresh(&bodies).add(b.model.clone(), &b.pose).unwrap()).collect();
    let (model, mut pose) = random_model(&mut rng);
    // The fourth body of another world is none of this one.
    let error = world.set_model(ids[0], model.clone(), &pose).unwrap_err();
    assert!(matches!(error, Error::NoSuchBody { bodies: 3, .. }), "{error}");
    pose[1][2] = f64::INFINITY;
    let body = World::new().add(model.clone(), &bodies[0].pose[..0]).err();
    assert!(matches!(body, Some(Error::Pose { .. })));
    let first = World::new().add(bodies[0].model.clone(), &bodies[0].pose).unwrap();
    let error = world.set_model(first, model, &pose).unwrap_err();
    assert!(error.to_string().contains("vertex 1"), "{error}");
    let query = Query::all();
    assert_eq!(world.crossings(&query).unwrap(), fresh(&bodies).crossings(&query).unwrap());
}

/// Small triangles that fly apart: their positions become ever less related to the initial ones.
fn swarm(n: u32, time: f64) -> Vec<[f64; 3]> {
    let of_triangle = |t: u32| {
        let mut rng = Rng::for_item(7, u64::from(t));
        let at = [0; 3].map(|_| rng.unit());
        let velocity = [0; 3].map(|_| rng.signed());
        [0; 3].map(|_| [0, 1, 2].map(|i| at[i] + time * velocity[i] + 0.05 * rng.signed()))
    };
    (0..n).flat_map(of_triangle).collect()
}

#[test]
fn loose_hierarchies_are_built_anew() {
    let n = 600;
    let mesh = Mesh::new((0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(), 3 * n as usize).unwrap();
    let model = Arc::new(Model::new(mesh, &swarm(n, 0.0)).unwrap());
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let mut world = World::new();
            let body = world.add(model.clone(), &swarm(n, 0.0)).unwrap();
            let mut reports = Vec::new();
            for step in 0..12 {
                let time = |step: u32| 0.1 * f64::from(step * step);
                world.set_pose(body, &swarm(n, time(step))).unwrap();
                let next = swarm(n, time(step + 1));
                let report = world.contacts(&[(body, &next)], &Query::all()).unwrap();
                let query = Query::all().method(Method::Brute);
                let brute = world.contacts(&[(body, &next)], &query).unwrap();
                assert_eq!(report.found, brute.found, "step {step}");
                assert_eq!(brute.stats.rebuilds, 0);
                reports.push(report);
            }
            reports
        })
    };
    let reports = run(1);
    let rebuilds: u64 = reports.iter().map(|report| report.stats.rebuilds).sum();
    assert!((1..=6).contains(&rebuilds), "{rebuilds} rebuilds in {} steps", reports.len());
    assert_eq!(reports[0].stats.rebuilds, 0);
    assert!(100 < reports.iter().map(|report| report.count).sum::<u64>());
    // Not only the answers: the same hierarchies are built for any number of threads.
    assert_eq!(run(4), reports);
}

#[test]
fn a_body_far_from_the_rest_pose_gets_a_hierarchy_of_its_own() {
    let n = 600;
    let mesh = Mesh::new((0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(), 3 * n as usize).unwrap();
    let model = Arc::new(Model::new(mesh.clone(), &swarm(n, 0.0)).unwrap());
    let mut world = World::new();
    world.add(model.clone(), &swarm(n, 0.0)).unwrap();
    world.add(model, &swarm(n, 20.0)).unwrap();
    let first = world.crossings(&Query::all()).unwrap();
    let second = world.crossings(&Query::all()).unwrap();
    assert_eq!((first.stats.rebuilds, second.stats.rebuilds), (1, 0));
    assert_eq!(first.found, second.found);
    // Data about connected patches depends on their hierarchy, so it stays.
    let patches = Model::with_build(mesh, &swarm(n, 0.0), &Split::ConnectedPatches.into()).unwrap();
    let mut world = World::new();
    world.add(Arc::new(patches), &swarm(n, 20.0)).unwrap();
    assert_eq!(world.crossings(&Query::all()).unwrap().stats.rebuilds, 0);
}
