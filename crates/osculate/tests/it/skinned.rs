//! Bodies posed by bones. Thousands of random worlds show that a sphere tree, with any bounds and
//! refit, finds exactly what all pairs of triangles give with all vertices deformed beforehand;
//! also in a world that is used repeatedly. An answer within a budget is never wrong and says where
//! it is incomplete; errors name bad input and change nothing; and vertices that are not needed are
//! not deformed.

use crate::common::{Rng, vector};
use crate::methods::complete_methods;
use crate::skins::{
    Body, Frame, Place, bodies, body, by_vertices, ends, frame, may_touch, next, tube, world_of,
};
use osculate::method::{NormalCone, Radial, Refit, Shape, SphereTree, Volume};
use osculate::narrow::{Kind, Settings};
use osculate::{
    Affine, BodyFilter, BodyId, BodySettings, Budget, Contact, ContactKey, Crossing, Error, Mesh, Method,
    Model, OpenPair, PartialReport, Pose, Query, Results, SinkFlow, Skin, World,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Every sphere tree.
fn sphere_trees() -> impl Iterator<Item = Method> {
    (0..16).map(|i| {
        let shape = if i & 1 == 0 { Shape::Ball } else { Shape::Box };
        let refit = if i & 2 == 0 { Refit::OnDemand } else { Refit::BottomUp };
        Method::SphereTree(
            SphereTree::new().shape(shape).refit(refit).certificates(i & 4 == 0).always_parallel(i & 8 != 0),
        )
    })
}

/// Every sphere tree, and the other methods of the registry that find everything.
fn methods() -> impl Iterator<Item = Method> {
    sphere_trees().chain(complete_methods().filter(|method| !method.takes_budget()))
}

fn a_sphere_tree(rng: &mut Rng) -> Method {
    let methods: Vec<Method> = sphere_trees().collect();
    rng.pick(&methods)
}

/// Runs `check` for random worlds. It returns the number of results: some worlds must have many,
/// others none.
///
/// Only few worlds that need much exact arithmetic are used: they are slow.
fn for_random_worlds(seed: u64, n: u64, check: impl Fn(&str, &[Body], &Place, &mut Rng) -> usize) {
    let (mut n_found, mut n_empty) = (0, 0);
    for index in 0..n {
        let mut rng = Rng::for_item(seed, index);
        let place = Place::random(&mut rng);
        let bodies = bodies(&mut rng, &place);
        let n_exact = n_exact(&bodies);
        if 500 < n_exact || 50 < n_exact && !rng.one_in(10) {
            continue;
        }
        let found = check(&format!("world {index}"), &bodies, &place, &mut rng);
        n_found += u64::from(0 < found);
        n_empty += u64::from(found == 0);
    }
    assert!(n / 10 < n_found && n / 10 < n_empty, "found in {n_found} worlds, not in {n_empty}");
}

/// The number of exact decisions in a step.
fn n_exact(bodies: &[Body]) -> u64 {
    let bodies = by_vertices(bodies);
    let (mut world, ids) = world_of(&bodies);
    world.contacts(&ends(&bodies, &ids), &Query::all()).unwrap().stats.narrow.exact()
}

/// A contact with the least time, as a query for it promises.
fn earliest(contacts: &[Contact]) -> Option<Contact> {
    contacts.iter().copied().reduce(|a, b| if (b.lo, b.hi) < (a.lo, a.hi) { b } else { a })
}

/// The contacts of a step, by other means: with all vertices deformed, in a separate world.
fn contacts_by_vertices(bodies: &[Body], query: &Query) -> Vec<Contact> {
    let bodies = by_vertices(bodies);
    let (mut world, ids) = world_of(&bodies);
    world.contacts(&ends(&bodies, &ids), query).unwrap().found
}

fn crossings_by_vertices(bodies: &[Body], query: &Query) -> Vec<Crossing> {
    world_of(&by_vertices(bodies)).0.crossings(query).unwrap().found
}

/// Numbers of vertices and of triangles of all bodies.
fn sizes(bodies: &[Body]) -> [u64; 2] {
    let of_body = |body: &Body| [body.model.mesh().n_vertices(), body.model.mesh().triangles().len()];
    bodies.iter().map(of_body).fold([0; 2], |sum, of| [sum[0] + of[0] as u64, sum[1] + of[1] as u64])
}

#[test]
fn positions_are_what_is_documented() {
    let mut n_vertices = 0;
    for index in 0..3000 {
        let mut rng = Rng::for_item(31, index);
        let place = Place::random(&mut rng);
        for Body { skin, start, .. } in bodies(&mut rng, &place) {
            let Frame::Bones(bones) = start else { continue };
            for (v, position) in skin.pose(&bones).into_iter().enumerate() {
                let mut sum = [[0.0; 4]; 3];
                for &(bone, weight) in skin.influences(v) {
                    for (total, entry) in
                        sum.as_flattened_mut().iter_mut().zip(bones[bone as usize].as_flattened())
                    {
                        *total += weight * entry;
                    }
                }
                let [x, y, z] = skin.rest()[v];
                let expected = sum.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]);
                assert_eq!(position.map(f64::to_bits), expected.map(f64::to_bits));
                n_vertices += 1;
            }
        }
    }
    assert!(10_000 < n_vertices);
}

#[test]
fn contacts_of_every_sphere_tree() {
    for_random_worlds(32, 1300, |context, bodies, _, rng| {
        let narrow = Settings { time_width: 0.5f64.powi(rng.integer(0, 30)), ..Settings::default() };
        let query = |method, want| Query::all().method(method).results(want).narrow(narrow);
        let expected = contacts_by_vertices(bodies, &query(Method::Brute, Results::All));
        assert_eq!(
            contacts_by_vertices(bodies, &query(Method::default(), Results::All)),
            expected,
            "{context}"
        );
        let n_expected = expected.len() as u64;
        let first = earliest(&expected);
        let [n_vertices, n_triangles] = sizes(bodies);
        let (mut world, ids) = world_of(bodies);
        let next = ends(bodies, &ids);
        for method in methods() {
            // A world that was not asked before, once in two times.
            if rng.one_in(2) {
                world = world_of(bodies).0;
            }
            let all = world.contacts(&next, &query(method, Results::All)).unwrap();
            assert_eq!(all.found, expected, "{context} {method:?}");
            assert_eq!(all.count, n_expected, "{context} {method:?}");
            assert!(all.stats.skinning.vertices <= n_vertices, "{context} {method:?}");
            assert!(all.stats.skinning.refits <= 4 * n_triangles, "{context} {method:?}");
            if rng.one_in(2) {
                continue;
            }
            let count = world.contacts(&next, &query(method, Results::Count)).unwrap();
            assert_eq!((count.count, count.found.len()), (n_expected, 0), "{context} {method:?}");
            let any = world.contacts(&next, &query(method, Results::Any)).unwrap();
            assert_eq!(any.count, n_expected.min(1), "{context} {method:?}");
            let one = world.contacts(&next, &query(method, Results::Earliest)).unwrap();
            assert_eq!(one.found.first().copied(), first, "{context} {method:?}");
            let free = world.largest_free_step(&next, &query(method, Results::All)).unwrap();
            assert_eq!((free.size, free.limit), (first.map_or(1.0, |c| c.lo), first), "{context} {method:?}");
        }
        expected.len()
    });
}

#[test]
fn crossings_of_every_sphere_tree() {
    for_random_worlds(33, 2000, |context, bodies, _, rng| {
        let query = |method, want| Query::all().method(method).results(want);
        let expected = crossings_by_vertices(bodies, &query(Method::Brute, Results::All));
        assert_eq!(crossings_by_vertices(bodies, &Query::all()), expected, "{context}");
        let n_expected = expected.len() as u64;
        let [n_vertices, n_triangles] = sizes(bodies);
        let (mut world, _) = world_of(bodies);
        for method in methods() {
            if rng.one_in(2) {
                world = world_of(bodies).0;
            }
            let all = world.crossings(&query(method, Results::All)).unwrap();
            assert_eq!(all.found, expected, "{context} {method:?}");
            assert_eq!(all.count, n_expected, "{context} {method:?}");
            assert!(all.stats.skinning.vertices <= n_vertices, "{context} {method:?}");
            assert!(all.stats.skinning.refits <= 4 * n_triangles, "{context} {method:?}");
            let count = world.crossings(&query(method, Results::Count)).unwrap();
            assert_eq!((count.count, count.found.len()), (n_expected, 0), "{context} {method:?}");
            for want in [Results::Any, Results::Earliest] {
                let any = world.crossings(&query(method, want)).unwrap();
                assert_eq!(any.count, n_expected.min(1), "{context} {method:?}");
            }
        }
        expected.len()
    });
}

#[test]
fn separation_is_the_same_for_every_sphere_tree() {
    for_random_worlds(34, 300, |context, bodies, place, rng| {
        // Set inclusion is slow: small worlds only.
        if 16 < sizes(bodies)[1] {
            return 0;
        }
        let min_separation = place.scale * rng.pick(&[0.01, 0.1, 0.3]) * rng.unit();
        let narrow = Settings { min_separation, time_width: 0.5f64.powi(10) };
        let expected = contacts_by_vertices(bodies, &Query::all().narrow(narrow));
        let (mut world, ids) = world_of(bodies);
        for method in [a_sphere_tree(rng), a_sphere_tree(rng)] {
            let query = Query::all().method(method).narrow(narrow);
            let found = world.contacts(&ends(bodies, &ids), &query).unwrap().found;
            assert_eq!(found, expected, "{context} {method:?}");
        }
        expected.len()
    });
}

#[test]
fn what_does_not_count_is_left_out() {
    let filters: [BodyFilter; 3] =
        [&|a, b| a == b, &|a, b| a != b, &|a, b| (a.index() + b.index()).is_multiple_of(2)];
    for_random_worlds(35, 1000, |context, bodies, _, rng| {
        let all = contacts_by_vertices(bodies, &Query::all());
        let known: HashSet<ContactKey> =
            all.iter().filter(|_| rng.one_in(3)).map(|contact| contact.key).collect();
        let mut plain = Query::all().exclude_rings(rng.pick(&[0, 0, 1, 2]));
        plain.known = rng.one_in(2).then_some(&known);
        plain.filter = rng.one_in(2).then(|| rng.pick(&filters));
        let expected = contacts_by_vertices(bodies, &plain);
        let crossings = crossings_by_vertices(bodies, &plain);
        let (mut world, ids) = world_of(bodies);
        for method in sphere_trees() {
            let query = plain.method(method);
            let report = world.contacts(&ends(bodies, &ids), &query).unwrap();
            assert_eq!(report.found, expected, "{context} {method:?}");
            assert_eq!(report.stats.found, report.count + report.stats.excluded, "{context} {method:?}");
            let any = world.contacts(&ends(bodies, &ids), &query.results(Results::Any)).unwrap();
            assert_eq!(any.count, report.count.min(1), "{context} {method:?}");
            assert_eq!(world.crossings(&query).unwrap().found, crossings, "{context} {method:?}");
        }
        expected.len()
    });
}

#[test]
fn sinks_take_what_reports_say() {
    for_random_worlds(36, 500, |context, bodies, _, rng| {
        let contacts = contacts_by_vertices(bodies, &Query::all());
        let crossings = crossings_by_vertices(bodies, &Query::all());
        let (mut world, ids) = world_of(bodies);
        let query = Query::all().method(a_sphere_tree(rng));
        let taken = Mutex::new(Vec::new());
        let take = |contact: &Contact| {
            taken.lock().unwrap().push(*contact);
            SinkFlow::Continue
        };
        world.contacts_into(&ends(bodies, &ids), &query, &take).unwrap();
        let mut taken = taken.into_inner().unwrap();
        taken.sort_by_key(|contact| contact.key);
        assert_eq!(taken, contacts, "{context}");
        let taken = Mutex::new(Vec::new());
        let take = |crossing: &Crossing| {
            taken.lock().unwrap().push(*crossing);
            SinkFlow::Continue
        };
        world.crossings_into(&query, &take).unwrap();
        let mut taken = taken.into_inner().unwrap();
        taken.sort_by_key(|crossing| (crossing.bodies, crossing.triangles));
        assert_eq!(taken, crossings, "{context}");
        contacts.len()
    });
}

/// Any method that is complete; a sphere tree in most.
fn a_method(rng: &mut Rng) -> Method {
    match rng.below(10) {
        0 => Method::Brute,
        1 => Method::Bvh(rng.pick(&[Volume::MovingAabb, Volume::Aabb, Volume::Dop16])),
        2 => Method::NormalCone(NormalCone::new().front(rng.one_in(2))),
        3 => Method::Radial(Radial::new()),
        4 => Method::SpatialHash,
        _ => a_sphere_tree(rng),
    }
}

/// Poses a body again: at its last target, unchanged, nearby, or anywhere; by bones or by vertices.
fn pose_anew(rng: &mut Rng, body: &mut Body, place: &Place) {
    let by_bones = rng.one_in(2);
    body.start = match rng.below(5) {
        0 => body.start.clone(),
        1 | 2 => body.end.clone().unwrap_or_else(|| body.start.clone()),
        3 => next(rng, body, place),
        _ => frame(rng, body, by_bones, place),
    };
    if rng.one_in(6) {
        body.start = body.start.vertices(&body.skin);
    }
}

/// An operation that fails; the world must stay unchanged.
fn fail(rng: &mut Rng, world: &mut World, ids: &[BodyId], bodies: &[Body]) {
    let i = rng.below(ids.len() as u64) as usize;
    let n_bones = bodies[i].skin.n_bones();
    let bad = vec![[[f64::NAN; 4]; 3]; n_bones];
    let long = vec![[[1.0; 4]; 3]; n_bones + 1];
    let bad = if rng.one_in(2) { &bad } else { &long };
    let mut steps = ends(bodies, ids);
    steps.push((ids[i], bad.into()));
    match rng.below(3) {
        0 => assert!(world.set_pose(ids[i], bad).is_err()),
        1 => assert!(world.set_model(ids[i], bodies[i].model.clone(), bad).is_err()),
        _ => assert!(world.contacts(&steps, &Query::all()).is_err()),
    }
}

#[test]
fn a_world_in_use_answers_as_a_new_one() {
    for_random_worlds(37, 250, |context, given, place, rng| {
        let mut bodies = given.to_vec();
        let (mut world, mut ids) = world_of(&bodies);
        let mut n_found = 0;
        for round in 0..12 {
            for (body, &id) in bodies.iter_mut().zip(&ids) {
                if rng.one_in(2) {
                    pose_anew(rng, body, place);
                    world.set_pose(id, body.start.pose()).unwrap();
                }
            }
            if rng.one_in(10) {
                let i = rng.below(ids.len() as u64) as usize;
                let settings = bodies[i].settings;
                bodies[i] = Body { settings, ..body(rng, &bodies, place) };
                world.set_model(ids[i], bodies[i].model.clone(), bodies[i].start.pose()).unwrap();
            }
            if rng.one_in(20) {
                let body = body(rng, &bodies, place);
                ids.push(world.add_with(body.model.clone(), body.start.pose(), body.settings).unwrap());
                bodies.push(body);
            }
            if rng.one_in(6) {
                fail(rng, &mut world, &ids, &bodies);
            }
            for _ in 0..=rng.below(3) {
                for body in &mut bodies {
                    body.end = (!rng.one_in(4)).then(|| next(rng, body, place));
                }
                let query = Query::all().method(a_method(rng));
                let context = format!("{context} round {round} {:?}", query.method);
                let next = ends(&bodies, &ids);
                let budget = Budget::Refits(rng.below(20));
                match rng.below(5) {
                    0 | 1 => {
                        let expected = contacts_by_vertices(&bodies, &Query::all());
                        assert_eq!(world.contacts(&next, &query).unwrap().found, expected, "{context}");
                        n_found += expected.len();
                    }
                    2 => {
                        let expected = earliest(&contacts_by_vertices(&bodies, &Query::all()));
                        let limit = world.largest_free_step(&next, &query).unwrap().limit;
                        assert_eq!(limit, expected, "{context}");
                    }
                    // Interrupted, and then used for another query.
                    3 if matches!(query.method, Method::SphereTree(_)) => {
                        if rng.one_in(2) {
                            world.contacts_within(&next, &query, budget).unwrap();
                        } else {
                            world.crossings_within(&query, budget).unwrap();
                        }
                    }
                    _ => {
                        let expected = crossings_by_vertices(&bodies, &Query::all());
                        assert_eq!(world.crossings(&query).unwrap().found, expected, "{context}");
                        n_found += expected.len();
                    }
                }
            }
        }
        // Worlds without results are excluded: rare ones count as empty.
        if n_found < 20 { 0 } else { n_found }
    });
}

/// Long tubes that wind at random: enough for several tasks.
fn tangle() -> Vec<Body> {
    let (model, skin) = tube(24, 6);
    let mut rng = Rng::for_item(38, 0);
    let mut pose = || {
        let mut bones: Vec<Affine> = Vec::new();
        for i in 0..skin.n_bones() {
            // Where the bone before left off, in another direction.
            let [along, up, aside] = [0; 3].map(|_| vector(|| rng.signed()));
            let x = i as f64;
            let joint: [f64; 3] = match bones.last() {
                Some(map) => std::array::from_fn(|k| map[k][0] * x + map[k][3]),
                None => vector(|| rng.signed()),
            };
            bones.push(std::array::from_fn(|k| [along[k], up[k], aside[k], joint[k] - along[k] * x]));
        }
        Frame::Bones(bones)
    };
    let mut of_body = || Body {
        model: model.clone(),
        skin: skin.clone(),
        settings: BodySettings::default(),
        start: pose(),
        end: Some(pose()),
    };
    vec![of_body(), of_body(), of_body()]
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let bodies = tangle();
    let contacts = contacts_by_vertices(&bodies, &Query::all());
    let crossings = crossings_by_vertices(&bodies, &Query::all());
    assert!(1000 < contacts.len() && 100 < crossings.len(), "{} {}", contacts.len(), crossings.len());
    for n_threads in [1, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            for method in sphere_trees() {
                let query = Query::all().method(method);
                let (mut world, ids) = world_of(&bodies);
                let next = ends(&bodies, &ids);
                assert!(world.contacts(&next, &query).unwrap().found == contacts, "{n_threads} {method:?}");
                assert!(world.crossings(&query).unwrap().found == crossings, "{n_threads} {method:?}");
            }
        });
    }
}

/// Fails if an answer within a budget is wrong. `full` is the complete answer, and `bodies_of`
/// returns the bodies of an item.
fn check_partial<T: PartialEq + std::fmt::Debug>(
    context: &str,
    partial: &PartialReport<T>,
    full: &[T],
    bodies_of: impl Fn(&T) -> [BodyId; 2],
    bodies: &[Body],
) {
    let found = &partial.report.found;
    assert_eq!(partial.report.count, found.len() as u64, "{context}");
    // What was found is there, in the order of the full answer, nothing twice.
    let mut rest = full.iter();
    for item in found {
        assert!(rest.any(|other| other == item), "{context}: {item:?}");
    }
    match partial.answer() {
        Some(true) => assert!(!full.is_empty(), "{context}"),
        Some(false) => assert!(full.is_empty(), "{context}"),
        None => assert!(found.is_empty() && !partial.left.is_empty(), "{context}"),
    }
    if partial.left.is_empty() {
        assert_eq!(found.as_slice(), full, "{context}");
    }
    let left: HashSet<[BodyId; 2]> = partial.left.iter().map(|open| sorted(open.bodies)).collect();
    for item in full.iter().filter(|item| !found.contains(item)) {
        assert!(left.contains(&sorted(bodies_of(item))), "{context}: {item:?} is neither found nor left");
    }
    for [a, b] in left {
        assert!(may_touch(bodies, a.index(), b.index()), "{context}: {a:?} and {b:?} may not touch");
    }
}

fn sorted([a, b]: [BodyId; 2]) -> [BodyId; 2] {
    [a.min(b), a.max(b)]
}

/// From nothing to more than enough.
const BUDGETS: [u64; 13] = [0, 1, 2, 3, 4, 6, 9, 14, 21, 34, 55, 144, u64::MAX];

#[test]
fn an_answer_within_a_budget_is_never_wrong() {
    for_random_worlds(39, 1400, |context, bodies, _, rng| {
        let contacts = contacts_by_vertices(bodies, &Query::all());
        let crossings = crossings_by_vertices(bodies, &Query::all());
        let (mut world, ids) = world_of(bodies);
        let next = ends(bodies, &ids);
        for refits in BUDGETS {
            let query = Query::all().method(a_sphere_tree(rng));
            let context = format!("{context} {refits} {:?}", query.method);
            if rng.one_in(2) {
                world = world_of(bodies).0;
            }
            let budget = if rng.one_in(2) { Budget::Refits(refits) } else { Budget::Tests(refits) };
            let context = format!("{context} {budget:?}");
            let partial = world.contacts_within(&next, &query, budget).unwrap();
            check_partial(&context, &partial, &contacts, |contact| contact.key.bodies, bodies);
            assert!(refits < u64::MAX || partial.left.is_empty(), "{context}");
            let partial = world.crossings_within(&query, budget).unwrap();
            check_partial(&context, &partial, &crossings, |crossing| crossing.bodies, bodies);
            assert!(refits < u64::MAX || partial.left.is_empty(), "{context}");
        }
        contacts.len().min(crossings.len())
    });
}

#[test]
fn within_a_budget_less_may_be_wanted() {
    for_random_worlds(40, 600, |context, bodies, _, rng| {
        let full = contacts_by_vertices(bodies, &Query::all());
        let (mut world, ids) = world_of(bodies);
        let next = ends(bodies, &ids);
        for refits in BUDGETS {
            let method = a_sphere_tree(rng);
            let context = format!("{context} {refits} {method:?}");
            let mut within = |want| {
                let query = Query::all().method(method).results(want);
                world.contacts_within(&next, &query, Budget::Refits(refits)).unwrap()
            };
            let any = within(Results::Any);
            assert!(any.report.count <= full.len().min(1) as u64, "{context}");
            assert!(any.answer() != Some(false) || full.is_empty(), "{context}");
            let count = within(Results::Count);
            assert!(count.report.count <= full.len() as u64, "{context}");
            assert!(!count.left.is_empty() || count.report.count == full.len() as u64, "{context}");
            let one = within(Results::Earliest);
            let found = one.report.found.first().copied();
            assert!(found.is_none_or(|contact| full.contains(&contact)), "{context}");
            assert!(!one.left.is_empty() || found == earliest(&full), "{context}");
            if refits == u64::MAX {
                assert_eq!(any.report.count, full.len().min(1) as u64, "{context}");
                assert!(count.left.is_empty() && one.left.is_empty(), "{context}");
            }
        }
        full.len()
    });
}

/// The pairs of bodies of contacts, or bodies and themselves, ascending.
fn pairs_of(contacts: &[Contact]) -> Vec<[BodyId; 2]> {
    let mut pairs: Vec<[BodyId; 2]> = contacts.iter().map(|contact| contact.key.bodies).collect();
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// What is found within a number of tests does not depend on the run, and a few tests tell which
/// bodies touch, long before all contacts are known.
#[test]
fn a_budget_of_tests_finds_which_bodies_touch() {
    let bodies = tangle();
    let all = contacts_by_vertices(&bodies, &Query::all());
    let touching = pairs_of(&all);
    assert_eq!(touching.len(), 5, "pairs of bodies, or of a body with itself");
    for method in sphere_trees() {
        let within = |tests: u64| {
            let (mut world, ids) = world_of(&bodies);
            let query = Query::all().method(method);
            world.contacts_within(&ends(&bodies, &ids), &query, Budget::Tests(tests)).unwrap()
        };
        let doubled = || std::iter::successors(Some(64), |&tests| Some(2 * tests));
        let first = doubled().find(|&tests| pairs_of(&within(tests).report.found) == touching);
        let (partial, again) = (within(first.unwrap()), within(first.unwrap()));
        assert_eq!((&partial.report.found, &partial.left), (&again.report.found, &again.left), "{method:?}");
        let (n_found, n_all) = (partial.report.found.len(), all.len());
        assert!(8 * n_found < n_all, "{method:?}: {n_found} of {n_all} contacts");
        let last = doubled().map(within).find(|partial| partial.left.is_empty());
        assert!(last.unwrap().report.found == all, "{method:?}");
    }
}

/// A clock that advances by a microsecond at each call.
fn ticking() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1000, Relaxed)
}

#[test]
fn an_answer_within_some_time_is_never_wrong() {
    for_random_worlds(41, 400, |context, bodies, _, rng| {
        let contacts = contacts_by_vertices(bodies, &Query::all());
        let crossings = crossings_by_vertices(bodies, &Query::all());
        let (mut world, ids) = world_of(bodies);
        let next = ends(bodies, &ids);
        for nanoseconds in [0, 1, 1500, 3500, 10_000, 50_000, u64::MAX] {
            let method = a_sphere_tree(rng);
            let query = Query::all().method(method).clock(ticking);
            let context = format!("{context} {nanoseconds} {method:?}");
            let budget = Budget::Nanoseconds(nanoseconds);
            let partial = world.contacts_within(&next, &query, budget).unwrap();
            check_partial(&context, &partial, &contacts, |contact| contact.key.bodies, bodies);
            assert!(nanoseconds < u64::MAX || partial.left.is_empty(), "{context}");
            let partial = world.crossings_within(&query, budget).unwrap();
            check_partial(&context, &partial, &crossings, |crossing| crossing.bodies, bodies);
            assert!(nanoseconds < u64::MAX || partial.left.is_empty(), "{context}");
        }
        contacts.len().min(crossings.len())
    });
}

/// Whether a ball contains all points of a feature.
fn holds((center, radius): ([f32; 3], f32), vertices: &[u32], pose: &[[f64; 3]]) -> bool {
    vertices.iter().all(|&v| {
        let p = pose[v as usize];
        let apart = (0..3).map(|i| (p[i] - f64::from(center[i])).powi(2)).sum::<f64>().sqrt();
        apart <= f64::from(radius) || radius == f32::INFINITY
    })
}

/// Whether two features lie in patches that are left to be looked at.
fn is_open(open: &OpenPair, bodies: [BodyId; 2], vertices: [&[u32]; 2], poses: &[Vec<[f64; 3]>]) -> bool {
    let is = |[i, j]: [usize; 2]| {
        open.bodies == [bodies[i], bodies[j]]
            && [i, j]
                .iter()
                .zip(open.balls)
                .all(|(&k, ball)| holds(ball, vertices[k], &poses[bodies[k].index()]))
    };
    is([0, 1]) || is([1, 0])
}

#[test]
fn what_is_missing_lies_in_the_balls_that_are_left() {
    for_random_worlds(42, 700, |context, bodies, _, rng| {
        let contacts = contacts_by_vertices(bodies, &Query::all());
        let crossings = crossings_by_vertices(bodies, &Query::all());
        let pose = |body: &Body| match body.start.vertices(&body.skin) {
            Frame::Vertices(vertices) => vertices,
            Frame::Bones(_) => unreachable!("these are vertices"),
        };
        let poses: Vec<Vec<[f64; 3]>> = bodies.iter().map(pose).collect();
        let (mut world, ids) = world_of(bodies);
        let next = ends(bodies, &ids);
        for refits in BUDGETS {
            let query = Query::all().method(a_sphere_tree(rng));
            let context = format!("{context} {refits} {:?}", query.method);
            let partial = world.contacts_within(&next, &query, Budget::Refits(refits)).unwrap();
            for contact in contacts.iter().filter(|contact| !partial.report.found.contains(contact)) {
                let (a, b) =
                    contact.vertices.split_at(if contact.key.kind == Kind::VertexFace { 1 } else { 2 });
                let is_left = |open: &OpenPair| is_open(open, contact.key.bodies, [a, b], &poses);
                assert!(partial.left.iter().any(is_left), "{context}: {contact:?}");
            }
            let partial = world.crossings_within(&query, Budget::Refits(refits)).unwrap();
            for crossing in crossings.iter().filter(|crossing| !partial.report.found.contains(crossing)) {
                let corners = |i: usize| {
                    let mesh = bodies[crossing.bodies[i].index()].model.mesh();
                    mesh.triangles()[crossing.triangles[i] as usize]
                };
                let is_left =
                    |open: &OpenPair| is_open(open, crossing.bodies, [&corners(0), &corners(1)], &poses);
                assert!(partial.left.iter().any(is_left), "{context}: {crossing:?}");
            }
        }
        contacts.len()
    });
}

/// A triangle that follows two bones.
fn triangle() -> (Mesh, [[f64; 3]; 3], Skin) {
    let rest = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let weights: [&[(u32, f64)]; 3] = [&[(0, 1.0)], &[(0, 0.25), (1, 0.75)], &[(1, 1.0)]];
    (Mesh::new(vec![[0, 1, 2]], 3).unwrap(), rest, Skin::new(2, &rest, weights).unwrap())
}

/// A separation beyond f32, in a world with a body without triangles: nothing panics, and contacts
/// are those of other methods.
#[test]
fn a_separation_beyond_f32_and_a_body_of_nothing() {
    let (mesh, rest, skin) = triangle();
    let whole = Arc::new(Model::new(mesh, &rest).unwrap().with_skin(skin).unwrap());
    let nothing = Arc::new(Model::new(Mesh::new(Vec::new(), 0).unwrap(), &[]).unwrap());
    let mut world = World::new();
    world.add(nothing, &[[0.0; 3]; 0]).unwrap();
    for x in [0.0, 3.0] {
        world.add(whole.clone(), &rest.map(|[_, y, z]| [x, y, z])).unwrap();
    }
    let narrow = Settings { min_separation: 1e200, ..Settings::default() };
    let mut count = |method| {
        let query = Query::all().method(method).narrow(narrow).results(Results::Count);
        world.contacts((), &query).unwrap().count
    };
    let expected = count(Method::Brute);
    assert_ne!(expected, 0);
    for method in sphere_trees() {
        assert_eq!(count(method), expected, "{method:?}");
    }
}

#[test]
fn bad_skins_are_named() {
    let (mesh, rest, skin) = triangle();
    let new = |weights: [&[(u32, f64)]; 3]| Skin::new(2, &rest, weights).map(|_| ());
    let good: &[(u32, f64)] = &[(0, 0.5), (1, 0.5)];
    assert_eq!(new([good; 3]), Ok(()));
    assert_eq!(
        new([good, good, &[(1, 0.5), (2, 0.5)]]),
        Err(Error::NoSuchBone { vertex: 2, bone: 2, bones: 2 })
    );
    let error = new([good, &[(0, 1.5), (1, -0.5)], good]);
    assert_eq!(error, Err(Error::SkinWeight { vertex: 1, bone: 1, weight: -0.5 }));
    assert!(error.unwrap_err().to_string().contains("vertex 1"));
    for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::MIN_POSITIVE] {
        let error = new([good, good, &[(0, 1.0), (1, weight)]]).unwrap_err();
        assert!(matches!(error, Error::SkinWeight { vertex: 2, bone: 1, .. }), "{error}");
    }
    assert_eq!(new([&[], good, good]), Err(Error::SkinWeightSum { vertex: 0, sum: 0.0 }));
    assert_eq!(
        new([good, &[(0, 1.0), (1, 0.0625)], good]),
        Err(Error::SkinWeightSum { vertex: 1, sum: 1.0625 })
    );
    assert_eq!(new([good, good, &[(0, 0.75)]]), Err(Error::SkinWeightSum { vertex: 2, sum: 0.75 }));
    for sum in [1.0 - 1.0 / 128.0, 1.0 + 1.0 / 128.0] {
        assert_eq!(new([good, good, &[(1, sum)]]), Ok(()), "just within");
        let beyond = if sum < 1.0 { sum.next_down() } else { sum.next_up() };
        assert!(new([good, good, &[(1, beyond)]]).is_err(), "just beyond");
    }
    let error = Skin::new(2, &rest, [good; 2]).unwrap_err();
    assert_eq!(error, Error::OtherSkin { skin: 2, vertices: 3 });
    let error = Skin::new(2, &rest, [good; 4]).unwrap_err();
    assert_eq!(error, Error::OtherSkin { skin: 4, vertices: 3 });
    let error = Skin::new(2, &[rest[0], [0.0, f64::NAN, 0.0], rest[2]], [good; 3]).unwrap_err();
    assert!(error.to_string().contains("vertex 1"), "{error}");
    let two = Skin::new(2, &rest[..2], [good; 2]).unwrap();
    let model = || Model::new(mesh.clone(), &rest).unwrap();
    let error = model().with_skin(two).unwrap_err();
    assert_eq!(error, Error::OtherSkin { skin: 2, vertices: 3 });
    let with = model().with_skin(skin.clone()).unwrap();
    assert_eq!(with.skin(), Some(&skin));
    assert!(model().skin().is_none());
}

#[test]
fn bad_poses_are_named_and_change_nothing() {
    const REST: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let at = |x: f64, z: f64| {
        let mut map = REST;
        (map[0][3], map[2][3]) = (x, z);
        map
    };
    let (mesh, rest, skin) = triangle();
    let bare = Arc::new(Model::new(mesh.clone(), &rest).unwrap());
    let model = Arc::new(Model::new(mesh, &rest).unwrap().with_skin(skin).unwrap());
    for method in sphere_trees() {
        let query = Query::all().method(method);
        let mut world = World::new();
        let plain = world.add(bare.clone(), &rest).unwrap();
        // Stands across the first.
        let boned =
            world.add(model.clone(), &[at(0.0, -0.5), [[0.0, 0.0, 1.0, 0.2], REST[1], REST[0]]]).unwrap();
        let ends = [at(0.1, 0.5), at(0.3, 0.5)];
        let good: (BodyId, Pose) = (boned, (&ends).into());
        let answers = |world: &mut World| {
            let crossings = world.crossings(&query).unwrap().found;
            (world.contacts(std::slice::from_ref(&good), &query).unwrap().found, crossings, world.len())
        };
        let before = answers(&mut world);
        assert!(!before.0.is_empty() && !before.1.is_empty());
        let steps = |body: BodyId, pose: Pose<'static>| [good.clone(), (body, pose)];
        let check = |world: &mut World, result: Result<(), Error>, expected: &Error| {
            assert_eq!(result.as_ref(), Err(expected), "{method:?}");
            assert_eq!(answers(world), before, "{method:?}: {expected}");
        };

        // Bones for what has none.
        const TWO: &[Affine] = &[REST, REST];
        let no_skin = Error::NoDeformer { body: plain };
        let result = world.set_pose(plain, TWO);
        check(&mut world, result, &no_skin);
        let result = world.set_model(boned, bare.clone(), TWO);
        check(&mut world, result, &Error::NoDeformer { body: boned });
        let result = world.add(bare.clone(), TWO).map(|_| ());
        assert!(matches!(result, Err(Error::NoDeformer { body }) if body.index() == 2), "{result:?}");
        assert_eq!(answers(&mut world), before);

        // Too few bones, too many, and bones that are out of range.
        const INFINITE: Affine = [[0.0; 4], [0.0, f64::NEG_INFINITY, 0.0, 0.0], [0.0; 4]];
        const NAN: Affine = [[0.0; 4], [0.0; 4], [0.0, 0.0, 0.0, f64::NAN]];
        const LARGE: Affine = [[f64::MAX, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]];
        let bad: [(&[Affine], Error); 6] = [
            (&[], Error::BoneCount { given: 0, bones: 2 }),
            (&[REST], Error::BoneCount { given: 1, bones: 2 }),
            (&[REST; 3], Error::BoneCount { given: 3, bones: 2 }),
            (&[REST, NAN], Error::BoneRange { bone: 1 }),
            (&[INFINITE, REST], Error::BoneRange { bone: 0 }),
            (&[REST, LARGE], Error::BoneRange { bone: 1 }),
        ];
        for (bones, expected) in &bad {
            let bones = *bones;
            let result = world.set_pose(boned, bones);
            check(&mut world, result, expected);
            let result = world.set_model(boned, model.clone(), bones);
            check(&mut world, result, expected);
            let result = world.set_model(plain, model.clone(), bones);
            check(&mut world, result, expected);
            let result = world.add(model.clone(), bones).map(|_| ());
            check(&mut world, result, expected);
            let next = steps(boned, bones.into());
            let result = world.contacts(&next, &query).map(|_| ());
            check(&mut world, result, expected);
            let result = world.contacts_within(&next, &query, Budget::Refits(9)).map(|_| ());
            check(&mut world, result, expected);
            let result = world.largest_free_step(&next, &query).map(|_| ());
            check(&mut world, result, expected);
            let result = world.contacts_into(&next, &query, &|_: &Contact| SinkFlow::Stop).map(|_| ());
            check(&mut world, result, expected);
        }

        // A step from bones to vertices, or back.
        const PLACES: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let result = world.contacts(&steps(boned, PLACES.into()), &query).map(|_| ());
        check(&mut world, result, &Error::PoseKinds { body: boned, parameters: true });
        let result = world.contacts(&steps(plain, TWO.into()), &query).map(|_| ());
        check(&mut world, result, &Error::PoseKinds { body: plain, parameters: false });

        // Budgets.
        let result = world.crossings_within(&query, Budget::Nanoseconds(5)).map(|_| ());
        check(&mut world, result, &Error::NoClock);
        let result =
            world.contacts_within(std::slice::from_ref(&good), &query, Budget::Nanoseconds(5)).map(|_| ());
        check(&mut world, result, &Error::NoClock);
        for other in [Method::Brute, Method::default(), Method::NormalCone(NormalCone::new())] {
            let query = Query::all().method(other).clock(ticking);
            for budget in [Budget::Refits(7), Budget::Nanoseconds(7)] {
                let result = world.crossings_within(&query, budget).map(|_| ());
                check(&mut world, result, &Error::NoBudget);
                let result = world.contacts_within(std::slice::from_ref(&good), &query, budget).map(|_| ());
                check(&mut world, result, &Error::NoBudget);
            }
        }
    }
}

#[test]
fn vertices_that_nobody_asks_for_are_not_moved() {
    let (model, skin) = tube(100, 10);
    let settings = BodySettings::default().self_contact(false);
    let at = |x: f64| {
        let map = [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.03]];
        Frame::Bones(vec![map; skin.n_bones()])
    };
    let a_body = |from: f64, to: f64| Body {
        model: model.clone(),
        skin: skin.clone(),
        settings,
        start: at(from),
        end: Some(at(to)),
    };
    let n_vertices = 2 * model.mesh().n_vertices() as u64;
    for shape in [Shape::Ball, Shape::Box] {
        for certificates in [false, true] {
            let method = Method::SphereTree(SphereTree::new().shape(shape).certificates(certificates));
            let query = Query::all().method(method);
            // Far from each other.
            let bodies = [a_body(0.0, 1.0), a_body(30.0, 25.0)];
            let (mut world, ids) = world_of(&bodies);
            let contacts = world.contacts(&ends(&bodies, &ids), &query).unwrap();
            assert_eq!((contacts.count, contacts.stats.skinning.vertices), (0, 0), "{method:?}");
            let crossings = world.crossings(&query).unwrap();
            assert_eq!((crossings.count, crossings.stats.skinning.vertices), (0, 0), "{method:?}");
            // One reaches a little into the other: a tenth of its length.
            let bodies = [a_body(0.0, 0.1), a_body(9.2, 9.0)];
            let (mut world, ids) = world_of(&bodies);
            let contacts = world.contacts(&ends(&bodies, &ids), &query).unwrap();
            let moved = contacts.stats.skinning.vertices;
            assert!(0 < contacts.count && 0 < moved && moved < n_vertices / 2, "{method:?} {moved}");
            let crossings = world.crossings(&query).unwrap();
            let moved = crossings.stats.skinning.vertices;
            assert!(0 < crossings.count && 0 < moved && moved < n_vertices / 2, "{method:?} {moved}");
            // Once for a pose.
            let again = world.crossings(&query).unwrap();
            assert_eq!(again.found, crossings.found);
            assert_eq!((again.stats.skinning.vertices, again.stats.skinning.refits), (0, 0), "{method:?}");
        }
    }
}
