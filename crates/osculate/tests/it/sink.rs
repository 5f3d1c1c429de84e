//! Sinks: pushed results equal reported ones; a search can be stopped or shortened.

use crate::common::Rng;
use crate::methods::complete_methods;
use osculate::{
    BodyId, Contact, ContactKey, Crossing, Error, Mesh, Method, Model, Proximity, Query, SinkFlow, World,
    on_this_thread,
};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Two wavy sheets that pass through each other and themselves.
fn tangle(seed: u64) -> (World, BodyId, Vec<[f64; 3]>) {
    tangle_of(12, seed)
}

/// The same with `4 n²` triangles.
fn tangle_of(n: u32, seed: u64) -> (World, BodyId, Vec<[f64; 3]>) {
    let mut rng = Rng::new(seed);
    let row = n + 1;
    let quads = (0..n * n).map(|q| q / n * row + q % n);
    let faces = quads.flat_map(|v| [[v, v + 1, v + row], [v + 1, v + row + 1, v + row]]).collect();
    let mut sheet = |height: f64| -> Vec<[f64; 3]> {
        let place = |i: u32| f64::from(i) / f64::from(n);
        (0..row * row)
            .map(|v| {
                [place(v % row), place(v / row), height + 0.4 * rng.signed()].map(|x| x + 0.05 * rng.signed())
            })
            .collect()
    };
    let (floor, start, end) = (sheet(0.0), sheet(1.0), sheet(-1.0));
    let model = Arc::new(Model::new(Mesh::new(faces, floor.len()).unwrap(), &floor).unwrap());
    let mut world = World::new();
    world.add(model.clone(), &floor).unwrap();
    let body = world.add(model, &start).unwrap();
    (world, body, end)
}

#[test]
fn pushes_what_it_reports() {
    for seed in 0..4 {
        let (mut world, body, end) = tangle(seed);
        let expected = world.contacts(&[(body, &end)], &Query::all()).unwrap();
        assert!(100 < expected.found.len());
        let pushed = Mutex::new(Vec::new());
        let sink = |contact: &Contact| {
            pushed.lock().unwrap().push(*contact);
            SinkFlow::Continue
        };
        let stats = world.contacts_into(&[(body, &end)], &Query::any(), &sink).unwrap();
        assert_eq!(stats, expected.stats);
        let mut pushed = pushed.into_inner().unwrap();
        pushed.sort_by_key(|contact| contact.key);
        assert_eq!(pushed, expected.found);

        world.set_pose(body, &end.iter().map(|&[x, y, z]| [x, y, z + 1.0]).collect::<Vec<_>>()).unwrap();
        let expected = world.crossings(&Query::all()).unwrap();
        assert!(10 < expected.found.len());
        let pushed = Mutex::new(Vec::new());
        let sink = |crossing: &Crossing| {
            pushed.lock().unwrap().push(*crossing);
            SinkFlow::Until(0.0)
        };
        assert_eq!(world.crossings_into(&Query::count(), &sink).unwrap(), expected.stats);
        let mut pushed = pushed.into_inner().unwrap();
        pushed.sort_by_key(|crossing| (crossing.bodies, crossing.triangles));
        assert_eq!(pushed, expected.found);
    }
}

/// A sink that asks for ever earlier contacts must receive all that begin no later than the last
/// time it asked for.
#[test]
fn a_tightened_search_keeps_what_is_early() {
    for seed in 0..6 {
        let (mut world, body, end) = tangle(seed);
        let all = world.contacts(&[(body, &end)], &Query::all()).unwrap().found;
        let until = AtomicU64::new(2f64.to_bits());
        let pushed: Mutex<Vec<ContactKey>> = Mutex::new(Vec::new());
        let sink = |contact: &Contact| {
            pushed.lock().unwrap().push(contact.key);
            until.fetch_min((contact.hi + 0.01).to_bits(), Ordering::Relaxed);
            SinkFlow::Until(f64::from_bits(until.load(Ordering::Relaxed)))
        };
        world.contacts_into(&[(body, &end)], &Query::all(), &sink).unwrap();
        let until = f64::from_bits(until.into_inner());
        let mut pushed = pushed.into_inner().unwrap();
        pushed.sort();
        let early: Vec<ContactKey> = all.iter().filter(|c| c.lo <= until).map(|c| c.key).collect();
        assert!(early.iter().all(|key| pushed.binary_search(key).is_ok()), "seed {seed}");
        assert!(early.len() < all.len() && pushed.len() < all.len(), "seed {seed}: nothing was saved");
    }
}

#[test]
fn a_time_that_says_nothing_changes_nothing() {
    let (mut world, body, end) = tangle(9);
    let n_all = world.contacts(&[(body, &end)], &Query::count()).unwrap().count;
    for t in [f64::NAN, f64::INFINITY, 1.0, 7.0] {
        let n_pushed = AtomicU64::new(0);
        let sink = |_: &Contact| {
            n_pushed.fetch_add(1, Ordering::Relaxed);
            SinkFlow::Until(t)
        };
        world.contacts_into(&[(body, &end)], &Query::all(), &sink).unwrap();
        assert_eq!(n_pushed.into_inner(), n_all, "until {t}");
    }
}

/// Most boxes in the cells of a spatial hash do not overlap, and never become candidates.
#[test]
fn a_search_that_is_over_compares_no_more_boxes() {
    let (mut world, body, end) = tangle_of(30, 3);
    let mut n_tests = |query: Query| {
        let query = query.method(Method::SpatialHash);
        on_this_thread(|| world.contacts(&[(body, &end)], &query)).unwrap().stats.bounds_tests
    };
    let [all, any] = [n_tests(Query::all()), n_tests(Query::any())];
    assert!(2 * any < all, "{any} of {all}");
}

#[test]
fn stops_when_told() {
    let (mut world, body, end) = tangle(3);
    let n_all = world.contacts(&[(body, &end)], &Query::count()).unwrap().count;
    let n_pushed = AtomicU64::new(0);
    let sink = |_: &Contact| {
        n_pushed.fetch_add(1, Ordering::Relaxed);
        SinkFlow::Stop
    };
    world.contacts_into(&[(body, &end)], &Query::all(), &sink).unwrap();
    let n_pushed = n_pushed.into_inner();
    assert!(0 < n_pushed && n_pushed < n_all, "{n_pushed} of {n_all}");
}

/// Asks with a sink that sets the flag at its first result, and with a flag that is set before: the
/// query must end before it has pushed all results, and before it has pushed any.
fn is_stopped(
    flag: &AtomicBool,
    n_all: usize,
    mut ask: impl FnMut(&(dyn Fn() -> SinkFlow + Sync)) -> Result<(), Error> + Send,
) {
    for is_set_before in [false, true] {
        flag.store(is_set_before, Ordering::Relaxed);
        let n_pushed = AtomicUsize::new(0);
        let push = || {
            flag.store(true, Ordering::Relaxed);
            n_pushed.fetch_add(1, Ordering::Relaxed);
            SinkFlow::Continue
        };
        let result = on_this_thread(|| ask(&push));
        assert!(matches!(result, Err(Error::Stopped)), "{result:?}");
        let n = n_pushed.into_inner();
        assert!(if is_set_before { n == 0 } else { 0 < n && n < n_all }, "{n} of {n_all}");
    }
    flag.store(false, Ordering::Relaxed);
}

#[test]
fn a_flag_ends_a_query() {
    for method in complete_methods() {
        let (mut world, body, end) = tangle(1);
        let all = Query::all().method(method);
        let contacts = world.contacts(&[(body, &end)], &all).unwrap();
        let flag = AtomicBool::new(false);
        let query = all.stop(&flag);
        is_stopped(&flag, contacts.found.len(), |push| {
            world.contacts_into(&[(body, &end)], &query, &|_: &Contact| push()).map(drop)
        });
        // Nothing of a query that was stopped is left in the world.
        assert_eq!(world.contacts(&[(body, &end)], &query).unwrap().found, contacts.found);

        world.set_pose(body, &end.iter().map(|&[x, y, z]| [x, y, z + 1.0]).collect::<Vec<_>>()).unwrap();
        let n_crossings = world.crossings(&all).unwrap().found.len();
        is_stopped(&flag, n_crossings, |push| world.crossings_into(&query, &|_: &Crossing| push()).map(drop));
        let n_proximities = world.proximities(0.2, &all).unwrap().found.len();
        is_stopped(&flag, n_proximities, |push| {
            world.proximities_into(0.2, &query, &|_: &Proximity| push()).map(drop)
        });
        assert_eq!(world.crossings(&query).unwrap().found.len(), n_crossings);
    }
}
