//! Radial view culling on small random bodies, with any clusters and any observers: step after
//! step, it must find exactly what all pairs of triangles give.

use crate::common::{Rng, ball, closed};
use osculate::method::{Clusters, Observer, Radial, Volume};
use osculate::{BodyId, Contact, Mesh, Method, Model, Query, Results, World};
use std::sync::Arc;

/// A moving body with clusters.
struct Body {
    mesh: Mesh,
    clusters: Clusters,
    poses: Vec<Vec<[f64; 3]>>,
}

/// Clusters of all kinds: one cluster, random, by position, in stripes.
fn clusters(rng: &mut Rng, mesh: &Mesh, rest: &[[f64; 3]]) -> Clusters {
    let n_clusters = 1 + rng.below(5) as u32;
    let n_triangles = mesh.triangles().len();
    let of_triangle = match rng.below(4) {
        0 => vec![0; n_triangles],
        1 => (0..n_triangles).map(|_| rng.below(u64::from(n_clusters)) as u32).collect(),
        2 => (0..n_triangles).map(|t| (t * n_clusters as usize / n_triangles) as u32).collect(),
        _ => {
            let seeds: Vec<[f64; 3]> = (0..n_clusters).map(|_| [0; 3].map(|_| rng.signed())).collect();
            let nearest = |corners: &[u32; 3]| {
                let p = rest[corners[0] as usize];
                let distance = |s: &[f64; 3]| (0..3).map(|i| (s[i] - p[i]).powi(2)).sum::<f64>();
                let best =
                    (0..seeds.len()).min_by(|&a, &b| distance(&seeds[a]).total_cmp(&distance(&seeds[b])));
                best.unwrap_or(0) as u32
            };
            mesh.triangles().iter().map(nearest).collect()
        }
    };
    let reach = [0.2, 1.0, 3.0][rng.below(3) as usize];
    let joints: Vec<[f64; 3]> = (0..6).map(|_| [0; 3].map(|_| reach * rng.signed())).collect();
    let observer = |rng: &mut Rng| match rng.below(3) {
        0 => Observer::Free,
        1 => Observer::Joint(rng.below(6) as u32),
        _ => Observer::Bone([0; 2].map(|_| rng.below(6) as u32)),
    };
    let observers = (0..n_clusters).map(|_| observer(rng)).collect();
    Clusters::new(of_triangle, observers, joints).unwrap()
}

/// A body that is closed, or was before some triangles were removed, and moves for some steps.
fn body(rng: &mut Rng, n_steps: usize) -> Body {
    let (mut faces, mut rest) = closed(rng);
    if rng.one_in(3) {
        // A second component, beside, around or through the first.
        let (other, more) = closed(rng);
        let n = rest.len() as u32;
        let scale = [0.5, 1.0, 2.0][rng.below(3) as usize];
        let shift = [0; 3].map(|_| rng.signed());
        faces.extend(other.iter().map(|face| face.map(|v| v + n)));
        rest.extend(more.iter().map(|p| [0, 1, 2].map(|i| scale * p[i] + shift[i])));
    }
    if rng.one_in(3) {
        for _ in 0..=rng.below(3) {
            let t = rng.below(faces.len() as u64) as usize;
            faces.remove(t);
        }
    }
    if rng.one_in(8) {
        let t = rng.below(faces.len() as u64) as usize;
        faces[t].swap(0, 1);
    }
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let clusters = clusters(rng, &mesh, &rest);
    let coarse = rng.one_in(4);
    let speed = [0.02, 0.2, 1.0][rng.below(3) as usize];
    let rough = [0.0, 0.05, 0.3][rng.below(3) as usize];
    let whole = |x: f64| if coarse { (4.0 * x).round() / 4.0 } else { x };
    let mut pose: Vec<[f64; 3]> = rest.iter().map(|p| p.map(|x| whole(x + rough * rng.signed()))).collect();
    let mut poses = vec![pose.clone()];
    for _ in 0..n_steps {
        if rng.one_in(2) {
            // Pinched toward a plane through the middle: far sides meet.
            let axis = rng.below(3) as usize;
            let by = 1.0 - 2.0 * speed * rng.signed().abs();
            pose.iter_mut().for_each(|p| p[axis] = whole(by * p[axis] + 0.1 * speed * rng.signed()));
        } else {
            pose.iter_mut().for_each(|p| *p = p.map(|x| whole(x + speed * rng.signed())));
        }
        poses.push(pose.clone());
    }
    Body { mesh, clusters, poses }
}

fn world(bodies: &[Body]) -> (World, Vec<BodyId>) {
    let mut world = World::new();
    let add = |body: &Body| {
        let model = Model::new(body.mesh.clone(), &body.poses[0]).unwrap();
        let model = model.with_clusters(body.clusters.clone()).unwrap();
        world.add(Arc::new(model), &body.poses[0]).unwrap()
    };
    let ids = bodies.iter().map(add).collect();
    (world, ids)
}

fn run(
    world: &mut World,
    ids: &[BodyId],
    bodies: &[Body],
    step: usize,
    method: Method,
    want: Results,
) -> (Vec<Contact>, u64) {
    for (&id, body) in ids.iter().zip(bodies) {
        world.set_pose(id, &body.poses[step]).unwrap();
    }
    let next: Vec<(BodyId, &[[f64; 3]])> =
        ids.iter().zip(bodies).map(|(&id, body)| (id, body.poses[step + 1].as_slice())).collect();
    let report = world.contacts(&next, &Query::all().method(method).results(want)).unwrap();
    (report.found, report.count)
}

/// A step of a closed body that starts without a contact, in any kind of motion.
fn free_start(rng: &mut Rng) -> Body {
    let (faces, rest) = closed(rng);
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let clusters = clusters(rng, &mesh, &rest);
    let speed = [0.1, 0.5, 2.0][rng.below(3) as usize];
    let coarse = rng.one_in(4);
    let mut moved = |x: f64| {
        let y = x + speed * rng.signed();
        if coarse { y.round() } else { y }
    };
    let next = rest.iter().map(|p| p.map(&mut moved)).collect();
    Body { mesh, clusters, poses: vec![rest, next] }
}

#[test]
fn the_first_contact_is_found_without_a_search_in_its_wake() {
    let (mut n_contacts, mut n_missed) = (0, 0);
    for seed in 0..150 {
        let rng = &mut Rng::new(1000 + seed);
        let bodies = [free_start(rng)];
        let ((mut all, ids), (mut watched, _)) = (world(&bodies), world(&bodies));
        let first = Method::Radial(Radial::new().first_contact(true));
        let (expected, _) = run(&mut all, &ids, &bodies, 0, Method::Brute, Results::All);
        let (earliest, _) = run(&mut all, &ids, &bodies, 0, Method::Brute, Results::Earliest);
        for want in [Results::Earliest, Results::All] {
            let (found, _) = run(&mut watched, &ids, &bodies, 0, first, want);
            let sooner = |a: &Contact, b: &Contact| (a.lo, a.hi).partial_cmp(&(b.lo, b.hi)).unwrap();
            let first_found = found.iter().min_by(|a, b| sooner(a, b)).copied();
            assert_eq!(first_found.into_iter().collect::<Vec<_>>(), earliest, "seed {seed}");
            assert!(found.iter().all(|contact| expected.contains(contact)), "seed {seed}");
            n_missed += if want == Results::All { expected.len() - found.len() } else { 0 };
        }
        n_contacts += expected.len();
    }
    println!("{n_missed} of {n_contacts} later contacts are missed");
    assert_ne!(n_missed, 0, "or else there is nothing that the search in the wake would add");
}

/// Bodies that cross or touch themselves at the start have a first contact too: step after step,
/// whether or not the previous one had contacts.
#[test]
fn the_first_contact_is_found_whatever_crosses_at_the_start() {
    let (mut n_crossed, mut n_contacts) = (0, 0);
    for seed in 0..150 {
        let rng = &mut Rng::new(6000 + seed);
        let bodies = [body(rng, 4)];
        let ((mut all, ids), (mut watched, _)) = (world(&bodies), world(&bodies));
        let first = Method::Radial(Radial::new().first_contact(true));
        for step in 0..4 {
            let (earliest, n) = run(&mut all, &ids, &bodies, step, Method::Brute, Results::Earliest);
            let want = if rng.one_in(2) { Results::All } else { Results::Earliest };
            let (found, _) = run(&mut watched, &ids, &bodies, step, first, want);
            let first_found = found.iter().min_by(|a, b| (a.lo, a.hi).partial_cmp(&(b.lo, b.hi)).unwrap());
            assert_eq!(first_found, earliest.first(), "seed {seed}, step {step}");
            n_contacts += n;
            let crossings = all.crossings(&Query::any().method(Method::Brute)).unwrap();
            n_crossed += crossings.count;
        }
    }
    assert!(
        300 < n_crossed && 300 < n_contacts,
        "{n_crossed} steps start with crossings, {n_contacts} have contacts"
    );
}

#[test]
fn bodies_that_do_not_look_at_themselves_forget() {
    for seed in 0..60 {
        let rng = &mut Rng::new(3000 + seed);
        let bodies = [body(rng, 4), body(rng, 4)];
        let ((mut all, ids), (mut watched, _)) = (world(&bodies), world(&bodies));
        for step in 0..4 {
            let is_one_sided = rng.one_in(2);
            let filter = |a: BodyId, b: BodyId| !is_one_sided || a != b;
            let answers = [(&mut all, Method::Brute), (&mut watched, Method::Radial(Radial::new()))];
            let [expected, found] = answers.map(|(world, method)| {
                for (&id, body) in ids.iter().zip(&bodies) {
                    world.set_pose(id, &body.poses[step]).unwrap();
                }
                let next = [0, 1].map(|i| (ids[i], bodies[i].poses[step + 1].as_slice()));
                world.contacts(&next, &Query::all().method(method).filter(&filter)).unwrap().found
            });
            assert_eq!(found, expected, "seed {seed}, step {step}");
        }
    }
}

#[test]
fn joints_may_be_anywhere() {
    for seed in 0..60 {
        let rng = &mut Rng::new(2000 + seed);
        let bodies = [body(rng, 3)];
        let ((mut all, ids), (mut watched, _)) = (world(&bodies), world(&bodies));
        for step in 0..3 {
            let far = [1.0, 10.0, 1e30][rng.below(3) as usize];
            let [start, end]: [Vec<[f64; 3]>; 2] =
                [0; 2].map(|_| (0..6).map(|_| [0; 3].map(|_| far * rng.signed())).collect());
            watched.set_joints(ids[0], Some([&start, &end])).unwrap();
            let (expected, _) = run(&mut all, &ids, &bodies, step, Method::Brute, Results::All);
            let (found, _) =
                run(&mut watched, &ids, &bodies, step, Method::Radial(Radial::new()), Results::All);
            assert_eq!(found, expected, "seed {seed}, step {step}");
        }
    }
}

#[test]
fn bad_clusters_are_named() {
    let error = |c: Result<Clusters, osculate::Error>| c.unwrap_err().to_string();
    let observers = vec![Observer::Free, Observer::Joint(0)];
    let joints = vec![[0.0; 3]];
    assert_eq!(
        error(Clusters::new(vec![0, 2], observers.clone(), joints.clone())),
        "triangle 1 is in cluster 2, but there are 2 observers"
    );
    assert_eq!(
        error(Clusters::new(vec![0, 1], vec![Observer::Bone([0, 4])], joints.clone())),
        "triangle 1 is in cluster 1, but there are 1 observers"
    );
    assert_eq!(
        error(Clusters::new(vec![0], vec![Observer::Bone([0, 4])], joints)),
        "the observer of cluster 0 is at joint 4, but there are 1 joints"
    );
    assert_eq!(
        error(Clusters::new(vec![0], observers.clone(), vec![[0.0, f64::NAN, 0.0]])),
        "joint 0 has a non-finite y coordinate (NaN)"
    );
    let (faces, rest) = ball(0);
    let model = || Model::new(Mesh::new(faces.clone(), 6).unwrap(), &rest).unwrap();
    let clusters = |n| Clusters::new(vec![0; n], vec![Observer::Joint(0)], vec![[0.0; 3]]).unwrap();
    assert_eq!(
        model().with_clusters(clusters(3)).unwrap_err().to_string(),
        "the clusters were made for 3 triangles, but the mesh has 8"
    );
    let mut world = World::new();
    let body = world.add(Arc::new(model().with_clusters(clusters(8)).unwrap()), &rest).unwrap();
    let two = [[0.0; 3]; 2];
    assert_eq!(
        world.set_joints(body, Some([&two, &two])).unwrap_err().to_string(),
        "2 joints were given, but the clusters of the body have 1"
    );
}

#[test]
fn every_contact_is_found_step_after_step() {
    let (mut n_contacts, mut n_steps, mut n_clean) = (0, 0, 0);
    for seed in 0..400 {
        let rng = &mut Rng::new(seed);
        let n_bodies = 1 + rng.below(2) as usize;
        let bodies: Vec<Body> = (0..n_bodies).map(|_| body(rng, 5)).collect();
        let (mut watched, ids) = world(&bodies);
        let volume = [Volume::MovingAabb, Volume::Dop16, Volume::Aabb][rng.below(3) as usize];
        let method = Method::Radial(Radial::new().volume(volume));
        for step in 0..5 {
            // In the same world: other methods must not mind what this one keeps.
            let (expected, _) = run(&mut watched, &ids, &bodies, step, Method::Brute, Results::All);
            // Some steps are asked about in another way; what is known of the next start must not
            // suffer.
            let want = [Results::All, Results::All, Results::Earliest, Results::Any, Results::Count]
                [rng.below(5) as usize];
            let (found, count) = run(&mut watched, &ids, &bodies, step, method, want);
            n_contacts += expected.len();
            n_steps += 1;
            n_clean += usize::from(expected.is_empty());
            match want {
                Results::All => assert_eq!(found, expected, "seed {seed}, step {step}"),
                Results::Count => assert_eq!(count, expected.len() as u64, "seed {seed}, step {step}"),
                Results::Any => assert_eq!(count, expected.len().min(1) as u64, "seed {seed}, step {step}"),
                Results::Earliest => {
                    let (earliest, _) = run(&mut watched, &ids, &bodies, step, Method::Brute, want);
                    assert_eq!(found, earliest, "seed {seed}, step {step}");
                }
            }
        }
    }
    println!("{n_contacts} contacts in {n_steps} steps, {n_clean} of them without any");
    assert!(n_steps / 10 < n_clean && n_clean < 9 * n_steps / 10);
}
