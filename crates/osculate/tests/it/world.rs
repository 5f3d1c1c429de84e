//! Worlds of small random bodies: every method, for any number of threads, must find exactly what
//! testing all feature pairs individually finds.

use crate::common::Rng;
use crate::methods::complete_methods;
use osculate::narrow::{Kind, Outcome, Settings, Shared, Stats, TriangleStats, decide, triangle_triangle};
use osculate::{
    BodyId, BodySettings, Build, Contact, ContactKey, Crossing, Error, Mesh, Method, Model, MovingPoint,
    Query, Results, Split, World,
};
use std::collections::HashSet;
use std::sync::Arc;

/// All methods of the registry that find everything, and some with several options.
fn methods() -> Vec<Method> {
    let mut methods: Vec<Method> = complete_methods().collect();
    for name in ["normal-cone:no-pairs,simple,one-kernel,radial,aabb", "cbc:aabb", "radial:16dop"] {
        methods.push(name.parse().unwrap());
    }
    methods
}

/// A body of a random world: connectivity and the poses at both ends of the step.
pub(crate) struct Shape {
    mesh: Mesh,
    t0: Vec<[f64; 3]>,
    pub(crate) t1: Vec<[f64; 3]>,
    settings: BodySettings,
}

/// Triangles of many kinds: a closed octahedron, an open grid, a fan around an edge, a soup with
/// duplicates and loose vertices.
fn triangles(rng: &mut Rng) -> (Vec<[u32; 3]>, usize) {
    match rng.below(4) {
        0 => {
            let faces =
                [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
            (faces.to_vec(), 6)
        }
        1 => {
            let n = 3;
            let quads = (0..n * n).map(|i| (i / n) * (n + 1) + i % n);
            let faces = quads.flat_map(|v| [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]]);
            (faces.collect(), ((n + 1) * (n + 1)) as usize)
        }
        2 => ((2..7).map(|v| [0, 1, v]).collect(), 7),
        _ => {
            let n_vertices = 9;
            let face = |rng: &mut Rng| loop {
                let [a, b, c] = [0; 3].map(|_| rng.below(8) as u32);
                if a != b && b != c && c != a {
                    return [a, b, c];
                }
            };
            let mut faces: Vec<[u32; 3]> = (0..8).map(|_| face(rng)).collect();
            faces.push(faces[0]);
            (faces, n_vertices)
        }
    }
}

pub(crate) fn shape(rng: &mut Rng) -> Shape {
    let (faces, n_vertices) = triangles(rng);
    let coarse = rng.one_in(3);
    let place = |rng: &mut Rng| -> [f64; 3] {
        [0; 3].map(|_| if coarse { rng.whole(-2, 2) } else { 2.0 * rng.signed() })
    };
    let t0: Vec<[f64; 3]> = (0..n_vertices).map(|_| place(rng)).collect();
    let motion = [0.0, 0.1, 1.0][rng.below(3) as usize];
    let t1 =
        t0.iter().map(|p| if coarse { place(rng) } else { p.map(|x| x + motion * rng.signed()) }).collect();
    let settings = BodySettings::new()
        .is_static(rng.one_in(6))
        .self_contact(!rng.one_in(6))
        .groups(1 << rng.below(2))
        .touches(if rng.one_in(4) { 1 } else { u32::MAX });
    Shape { mesh: Mesh::new(faces, n_vertices).unwrap(), t0, t1, settings }
}

pub(crate) fn world_of(shapes: &[Shape], how: &Build) -> (World, Vec<BodyId>) {
    let mut world = World::new();
    let add = |shape: &Shape| {
        let model = Arc::new(Model::with_build(shape.mesh.clone(), &shape.t0, how).unwrap());
        world.add_with(model, &shape.t0, shape.settings).unwrap()
    };
    let ids = shapes.iter().map(add).collect();
    (world, ids)
}

fn may_touch(shapes: &[Shape], i: usize, j: usize) -> bool {
    let (a, b) = (shapes[i].settings, shapes[j].settings);
    if i == j {
        a.self_contact && !a.is_static
    } else {
        !(a.is_static && b.is_static) && a.touches & b.groups != 0 && b.touches & a.groups != 0
    }
}

/// Bodies, kind, features and bracket of a contact.
type Plain = ([usize; 2], Kind, [u32; 2], f64, f64);

/// All contacts, by testing every feature pair individually.
fn expected_contacts(shapes: &[Shape], settings: &Settings) -> Vec<Plain> {
    let mut found = Vec::new();
    let point =
        |body: usize, v: u32| MovingPoint::new(shapes[body].t0[v as usize], shapes[body].t1[v as usize]);
    let mut check = |bodies: [usize; 2], kind, ids, points: [MovingPoint; 4]| {
        if let Outcome::Hit { lo, hi } = decide(kind, &points, settings, &mut Stats::default()).unwrap() {
            found.push((bodies, kind, ids, lo, hi));
        }
    };
    for i in 0..shapes.len() {
        for j in 0..shapes.len() {
            if !may_touch(shapes, i, j) {
                continue;
            }
            let (a, b) = (&shapes[i].mesh, &shapes[j].mesh);
            for v in 0..a.n_vertices() as u32 {
                // A vertex of no triangle is no part of the surface.
                if a.triangles_of_vertex(v).is_empty() {
                    continue;
                }
                for (t, &[x, y, z]) in b.triangles().iter().enumerate() {
                    if i != j || ![x, y, z].contains(&v) {
                        let points = [point(i, v), point(j, x), point(j, y), point(j, z)];
                        check([i, j], Kind::VertexFace, [v, t as u32], points);
                    }
                }
            }
            for (e, &[p, q]) in a.edges().iter().enumerate() {
                for (f, &[r, s]) in b.edges().iter().enumerate() {
                    let is_first = if i == j { e < f && p != r && p != s && q != r && q != s } else { i < j };
                    if is_first {
                        let points = [point(i, p), point(i, q), point(j, r), point(j, s)];
                        check([i, j], Kind::EdgeEdge, [e as u32, f as u32], points);
                    }
                }
            }
        }
    }
    found.sort_by_key(|c| (c.0, c.1, c.2));
    found
}

fn expected_crossings(shapes: &[Shape]) -> Vec<([usize; 2], [u32; 2])> {
    let mut found = Vec::new();
    for i in 0..shapes.len() {
        for j in i..shapes.len() {
            if !may_touch(shapes, i, j) {
                continue;
            }
            let corners = |body: usize, t: [u32; 3]| t.map(|v| shapes[body].t0[v as usize]);
            for (s, &a) in shapes[i].mesh.triangles().iter().enumerate() {
                for (t, &b) in shapes[j].mesh.triangles().iter().enumerate() {
                    if i == j && t <= s {
                        continue;
                    }
                    let shared = if i == j { Shared::between(a, b) } else { Shared::NONE };
                    let stats = &mut TriangleStats::default();
                    if triangle_triangle(&corners(i, a), &corners(j, b), shared, stats).unwrap().is_crossing()
                    {
                        found.push(([i, j], [s as u32, t as u32]));
                    }
                }
            }
        }
    }
    found
}

fn plain(contact: &Contact) -> Plain {
    let ContactKey { bodies, kind, features } = contact.key;
    (bodies.map(BodyId::index), kind, features, contact.lo, contact.hi)
}

fn plain_crossing(crossing: &Crossing) -> ([usize; 2], [u32; 2]) {
    (crossing.bodies.map(BodyId::index), crossing.triangles)
}

/// Runs `check` for worlds of one to three bodies.
fn for_random_worlds(n: u64, check: impl Fn(&str, &[Shape], &mut Rng)) {
    for index in 0..n {
        let mut rng = Rng::for_item(21, index);
        let n_bodies = 1 + rng.below(3);
        let shapes: Vec<Shape> = (0..n_bodies).map(|_| shape(&mut rng)).collect();
        check(&format!("world {index}"), &shapes, &mut rng);
    }
}

#[test]
fn contacts_of_every_method() {
    for_random_worlds(250, |context, shapes, rng| {
        let settings = Settings { time_width: 0.5f64.powi(rng.integer(0, 40)), ..Settings::default() };
        let expected = expected_contacts(shapes, &settings);
        let split = rng.pick(&[Split::Median, Split::SurfaceArea, Split::ConnectedPatches]);
        let how = Build { split, arity: rng.integer(2, 4) as usize };
        let (mut world, ids) = world_of(shapes, &how);
        let next: Vec<_> = ids.iter().zip(shapes).map(|(&id, shape)| (id, &shape.t1[..])).collect();
        for method in methods() {
            let query = Query::all().method(method).narrow(settings);
            let report = world.contacts(&next, &query).unwrap();
            let found: Vec<_> = report.found.iter().map(plain).collect();
            assert_eq!(found, expected, "{context} {method:?}");
            assert_eq!(report.count, expected.len() as u64);
            let narrow = report.stats.narrow;
            let misses = narrow.box_misses + narrow.cubic_misses + narrow.root_misses;
            assert_eq!(narrow.queries, misses + narrow.split_misses + narrow.exact_misses + narrow.hits());
            assert_eq!(report.stats.found, report.count);

            let count = world.contacts(&next, &query.results(Results::Count)).unwrap();
            assert_eq!((count.count, count.found.len()), (report.count, 0), "{context} {method:?}");
            let any = world.contacts(&next, &query.results(Results::Any)).unwrap();
            assert_eq!(any.count, report.count.min(1), "{context} {method:?}");
            let earliest = world.contacts(&next, &query.results(Results::Earliest)).unwrap();
            let least =
                report.found.iter().copied().reduce(|a, b| if (b.lo, b.hi) < (a.lo, a.hi) { b } else { a });
            assert_eq!(earliest.found.first().copied(), least, "{context} {method:?}");
            let free = world.largest_free_step(&next, &query).unwrap();
            assert_eq!((free.size, free.limit), (least.map_or(1.0, |c| c.lo), least), "{context} {method:?}");
        }
    });
}

#[test]
fn crossings_of_every_method() {
    for_random_worlds(300, |context, shapes, _| {
        let expected = expected_crossings(shapes);
        let (mut world, _) = world_of(shapes, &Build::default());
        for method in methods() {
            let report = world.crossings(&Query::all().method(method)).unwrap();
            let found: Vec<_> = report.found.iter().map(plain_crossing).collect();
            assert_eq!(found, expected, "{context} {method:?}");
            let any = world.crossings(&Query::any().method(method)).unwrap();
            assert_eq!(any.count, report.count.min(1));
            let count = world.crossings(&Query::count().method(method)).unwrap();
            assert_eq!(count.count, report.count);
        }
    });
}

#[test]
fn separation_is_the_same_for_every_method() {
    for_random_worlds(12, |context, shapes, rng| {
        let narrow = Settings { min_separation: 0.3 * rng.unit(), ..Settings::default() };
        let (mut world, ids) = world_of(shapes, &Build::default());
        let next: Vec<_> = ids.iter().zip(shapes).map(|(&id, shape)| (id, &shape.t1[..])).collect();
        let mut answer =
            |method| world.contacts(&next, &Query::all().method(method).narrow(narrow)).unwrap().found;
        let brute = answer(Method::Brute);
        for method in methods() {
            assert_eq!(answer(method), brute, "{context} {method:?}");
        }
    });
}

/// A crumpled sheet that folds through itself, large enough for several tasks.
fn sheet(n: usize) -> Shape {
    let mut rng = Rng::for_item(4, 0);
    let vertex = |i: usize| [(i / (n + 1)) as f64, (i % (n + 1)) as f64, 0.0];
    let t0: Vec<[f64; 3]> =
        (0..(n + 1) * (n + 1)).map(vertex).map(|p| p.map(|x| x + 0.4 * rng.signed())).collect();
    let t1 = t0.iter().map(|&[x, y, z]| [(x - 0.5 * n as f64).abs(), y, z + rng.signed()]).collect();
    let quads = (0..n * n).map(|i| ((i / n) * (n + 1) + i % n) as u32);
    let m = n as u32;
    let faces = quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
    Shape { mesh: Mesh::new(faces, t0.len()).unwrap(), t0, t1, settings: BodySettings::default() }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let shapes = [sheet(40)];
    let mut answers = Vec::new();
    for n_threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let (mut world, ids) = world_of(&shapes, &Build::default());
            let next = [(ids[0], &shapes[0].t1[..])];
            let contacts = world.contacts(&next, &Query::all()).unwrap();
            let earliest = world.contacts(&next, &Query::earliest()).unwrap().found;
            world.set_pose(ids[0], &shapes[0].t1).unwrap();
            let crossings = world.crossings(&Query::all()).unwrap();
            assert!(1000 < contacts.count && 1000 < crossings.count);
            answers.push((contacts, earliest, crossings));
        });
    }
    for answer in &answers[1..] {
        assert!(*answer == answers[0]);
    }
}

#[test]
fn exclusions() {
    let shapes = [sheet(12)];
    let (mut world, ids) = world_of(&shapes, &Build::default());
    let next = [(ids[0], &shapes[0].t1[..])];
    let all = world.contacts(&next, &Query::all()).unwrap();
    // Known contacts are excluded, and only they.
    let known: HashSet<ContactKey> = all.found.iter().step_by(2).map(|c| c.key).collect();
    let new = world.contacts(&next, &Query::all().known(&known)).unwrap();
    let expected: Vec<_> = all.found.iter().filter(|c| !known.contains(&c.key)).copied().collect();
    assert_eq!(new.found, expected);
    assert_eq!(new.stats.excluded, known.len() as u64);
    // Rings: by breadth-first search over edges.
    let mesh = &shapes[0].mesh;
    let distance = |from: &[u32], to: &[u32]| {
        let mut steps = vec![u32::MAX; mesh.n_vertices()];
        from.iter().for_each(|&v| steps[v as usize] = 0);
        for round in 0..4 {
            for &[a, b] in mesh.edges() {
                for (a, b) in [(a, b), (b, a)] {
                    if steps[a as usize] == round && round + 1 < steps[b as usize] {
                        steps[b as usize] = round + 1;
                    }
                }
            }
        }
        to.iter().map(|&v| steps[v as usize]).min().unwrap()
    };
    let of_contact = |c: &Contact| {
        let n_first = if c.key.kind == Kind::VertexFace { 1 } else { 2 };
        distance(&c.vertices[..n_first], &c.vertices[n_first..])
    };
    for rings in 1..4 {
        let query = Query::all().exclude_rings(rings);
        let expected: Vec<_> = all.found.iter().filter(|c| rings < of_contact(c)).copied().collect();
        assert_eq!(world.contacts(&next, &query).unwrap().found, expected, "{rings} rings");
        assert!(expected.len() < all.found.len());
    }
    // Of crossings, those of triangles within the rings.
    let (mut folded, _) = world_of(&[Shape { t0: shapes[0].t1.clone(), ..sheet(12) }], &Build::default());
    let all = folded.crossings(&Query::all()).unwrap().found;
    let of_crossing = |c: &Crossing| {
        let [first, second] = c.triangles.map(|t| mesh.triangles()[t as usize]);
        distance(&first, &second)
    };
    let mut n_before = all.len();
    for rings in 1..4 {
        let expected: Vec<_> = all.iter().filter(|c| rings < of_crossing(c)).copied().collect();
        assert!(!expected.is_empty() && expected.len() < n_before, "{rings} rings");
        n_before = expected.len();
        for method in methods() {
            let query = Query::all().exclude_rings(rings).method(method);
            let report = folded.crossings(&query).unwrap();
            assert_eq!(report.found, expected, "{rings} rings, {method}");
            assert_eq!(report.stats.excluded, (all.len() - expected.len()) as u64, "{rings} rings, {method}");
            let count = folded.crossings(&query.results(Results::Count)).unwrap().count;
            assert_eq!(count, expected.len() as u64, "{rings} rings, {method}");
        }
    }
    // Crossings of two bodies have no rings.
    let (mut two, _) = world_of(&[sheet(12), sheet(12)], &Build::default());
    let [plain, within] = [0, 3].map(|rings| {
        let found = two.crossings(&Query::all().exclude_rings(rings)).unwrap().found;
        found.iter().filter(|c| c.bodies[0] != c.bodies[1]).count()
    });
    assert!(0 < plain && plain == within, "{plain} {within}");
    // A filter that allows nothing.
    let query = Query::all().filter(&|_, _| false);
    assert_eq!(world.contacts(&next, &query).unwrap().count, 0);
}

#[test]
fn bad_input_is_named() {
    let shapes = [sheet(2)];
    let (mut world, ids) = world_of(&shapes, &Build::default());
    let mut pose = shapes[0].t1.clone();
    pose[3][1] = f64::NAN;
    let error = world.contacts(&[(ids[0], &pose)], &Query::all()).unwrap_err();
    assert!(error.to_string().contains("vertex 3"), "{error}");
    let error = world.contacts(&[(ids[0], &pose[..4])], &Query::all()).unwrap_err();
    assert!(matches!(error, Error::Pose { .. }), "{error}");
    // Nothing has changed.
    let report = world.contacts(&[(ids[0], &shapes[0].t0)], &Query::all()).unwrap();
    let fresh = world_of(&shapes, &Build::default()).0.contacts((), &Query::all()).unwrap();
    assert_eq!(report, fresh);
}
