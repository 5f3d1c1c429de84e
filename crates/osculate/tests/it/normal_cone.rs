//! Surfaces that fold, wave, wind and cross themselves: traversals with proofs must find exactly
//! what comparing all pairs finds. Heuristics without a contour test do not, and are shown to miss
//! contacts.

use crate::common::Rng;
use osculate::method::{NormalCone, Rival, Volume};
use osculate::narrow::Settings;
use osculate::stats::CertificateStats;
use osculate::{BodyId, Build, Contact, Crossing, Mesh, Method, Model, Query, Report, Results, Split, World};
use std::array::from_fn;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

type Point = [f64; 3];

/// Proofs of many kinds, all of them complete.
const PROOFS: [Method; 9] = [
    Method::NormalCone(NormalCone::new()),
    Method::NormalCone(NormalCone::new().pairs(false).radial(true)),
    Method::NormalCone(NormalCone::new().second_kernel(false).simple(true)),
    Method::NormalCone(NormalCone::new().volume(Volume::Aabb).simple(true)),
    Method::NormalCone(NormalCone::new().volume(Volume::Dop16).radial(true)),
    Method::NormalCone(NormalCone::new().volume(Volume::Dop18)),
    Method::NormalCone(NormalCone::new().volume(Volume::Dop24).second_kernel(false)),
    Method::Rival(Rival::Cbc, Volume::Aabb),
    Method::Rival(Rival::Hsc { contour: true }, Volume::MovingAabb),
];

/// A surface at a number of poses, one after the other.
struct Scene {
    faces: Vec<[u32; 3]>,
    poses: Vec<Vec<Point>>,
}

impl Scene {
    fn world(&self) -> (World, BodyId) {
        let mesh = Mesh::new(self.faces.clone(), self.poses[0].len()).unwrap();
        let mut world = World::new();
        let body = world.add(Arc::new(Model::new(mesh, &self.poses[0]).unwrap()), &self.poses[0]).unwrap();
        (world, body)
    }

    /// The contacts of the first step.
    fn contacts(&self, method: Method) -> Report<Contact> {
        let (mut world, body) = self.world();
        world.contacts(&[(body, &self.poses[1])], &Query::all().method(method)).unwrap()
    }

    /// The crossings of a pose.
    fn crossings(&self, pose: usize, method: Method) -> Report<Crossing> {
        let (mut world, body) = self.world();
        world.set_pose(body, &self.poses[pose]).unwrap();
        world.crossings(&Query::all().method(method)).unwrap()
    }
}

/// The triangles of n by m squares with their corners in rows of m + 1, or of rows and columns that
/// close up. Some squares are left out.
fn squares(n: u32, m: u32, wraps: [bool; 2], is_there: impl Fn(u32, u32) -> bool) -> Vec<[u32; 3]> {
    let rows = m + u32::from(!wraps[1]);
    let columns = n + u32::from(!wraps[0]);
    let at = |i: u32, j: u32| i % columns * rows + j % rows;
    let mut faces = Vec::new();
    for i in 0..n {
        for j in 0..m {
            if is_there(i, j) {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                faces.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
            }
        }
    }
    faces
}

/// The vertices of such a grid, by their place in [0, 1] on both axes.
fn vertices(n: u32, m: u32, wraps: [bool; 2], mut place: impl FnMut(f64, f64) -> Point) -> Vec<Point> {
    let (columns, rows) = (n + u32::from(!wraps[0]), m + u32::from(!wraps[1]));
    (0..columns * rows)
        .map(|v| place(f64::from(v / rows) / f64::from(n), f64::from(v % rows) / f64::from(m)))
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    Waves,
    Fold,
    Twist,
    Spiral,
    Tube,
    Holes,
    Handle,
    Fan,
    Checkers,
    Faults,
    Crossed,
    Swirl,
}

const FAMILIES: [Family; 12] = [
    Family::Waves,
    Family::Fold,
    Family::Twist,
    Family::Spiral,
    Family::Tube,
    Family::Holes,
    Family::Handle,
    Family::Fan,
    Family::Checkers,
    Family::Faults,
    Family::Crossed,
    Family::Swirl,
];

/// A point rotated about the z axis.
fn turned([x, y, z]: Point, angle: f64) -> Point {
    [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos(), z]
}

/// The profile of a wave that leans over, and at its largest goes through itself.
fn wave(u: f64, number: f64, phase: f64, size: f64) -> [f64; 2] {
    let (sin, cos) = (number * u + phase).sin_cos();
    [u - 3.0 * size / number * sin, size * cos]
}

/// A random surface of 30 to 300 triangles, at three poses.
fn scene(family: Family, rng: &mut Rng) -> Scene {
    let (n, m) = (rng.integer(5, 9) as u32, rng.integer(4, 7) as u32);
    let jitter = rng.pick(&[0.0, 0.005, 0.03]);
    let mut wraps = [false; 2];
    let mut faces = squares(n, m, wraps, |_, _| true);
    // Poses are the same map with different parameters, so that much of the surface stays smooth.
    let mut numbers: [[f64; 6]; 3] = from_fn(|_| from_fn(|_| rng.unit()));
    if rng.one_in(2) {
        // A small step.
        let first = numbers[0];
        numbers[1] = from_fn(|i| first[i] + 0.15 * (numbers[1][i] - first[i]));
    }
    let map: Box<dyn Fn([f64; 6], f64, f64) -> Point> = match family {
        Family::Waves => Box::new(|k, u, v| {
            let [x, z] = wave(u, 7.0, 5.0 * k[1], k[0]);
            [x + 0.3 * k[4] * (9.0 * v).sin(), v + 0.3 * k[5] * z, z * (4.0 * v * k[2] + k[3]).cos()]
        }),
        Family::Fold => Box::new(|k, u, v| {
            // Rolled up: by up to one and a half turns.
            let angle = 1.5 * TAU * k[0];
            let (r, a) = (1.0 / angle.max(0.01), angle * u);
            [r * a.sin(), v + 0.2 * k[1] * u, r * (1.0 - a.cos()) + 0.1 * k[2] * v]
        }),
        Family::Twist => Box::new(|k, u, v| {
            let angle = 1.5 * TAU * k[0] * u;
            let across = 0.5 * (v - 0.5);
            let bend = PI * 1.3 * k[1] * u;
            [bend.sin() + across * angle.sin() * 0.3, across * angle.cos(), bend.cos() + across * angle.sin()]
        }),
        Family::Spiral => Box::new(|k, u, v| {
            let angle = TAU * (0.7 + k[0]) * u;
            let r = 1.0 + (0.3 + k[1]) * v - 0.5 * k[2] * u;
            let height = 0.2 * (k[3] - 0.4) * angle + 0.05 * (k[4] - 0.5) * angle * angle;
            [r * angle.cos(), r * angle.sin(), height]
        }),
        Family::Tube => {
            wraps = [true, false];
            faces = squares(n, m, wraps, |_, _| true);
            Box::new(|k, u, v| {
                let r = 0.25 * (1.0 + 1.1 * k[0] * (5.0 * v).sin());
                let angle = TAU * u;
                let (x, bend) = (r * angle.cos(), 5.0 * k[1] * v);
                [
                    (0.6 + x) * bend.cos(),
                    r * angle.sin() * (1.0 - k[2]) + 0.1 * k[3] * v,
                    (0.6 + x) * bend.sin(),
                ]
            })
        }
        Family::Holes => {
            let holes: [[u32; 2]; 3] = from_fn(|_| [rng.below(n.into()) as u32, rng.below(m.into()) as u32]);
            let near = |[x, y]: [u32; 2], i: u32, j: u32| i.abs_diff(x) <= 1 && y == j;
            faces = squares(n, m, wraps, |i, j| !holes.iter().any(|&hole| near(hole, i, j)));
            Box::new(|k, u, v| {
                let [x, z] = wave(u, 8.0, 4.0 * k[1] * v, k[0]);
                [x, v + 0.3 * k[3] * (7.0 * u).sin(), z]
            })
        }
        Family::Handle => {
            wraps = [true, true];
            let hole = rng.below(n.into()) as u32;
            faces = squares(n, m, wraps, |i, j| !(i == hole && j < 2));
            Box::new(|k, u, v| {
                let (a, b, r) = (TAU * u, TAU * v, 0.3 + 1.2 * k[0]);
                let out = 1.0 + r * b.cos();
                [
                    out * a.cos(),
                    out * a.sin() * (1.0 - 0.5 * k[1]),
                    r * b.sin() + 0.5 * k[2] * (2.0 * a).sin(),
                ]
            })
        }
        Family::Fan => {
            // Three sheets that share a row of vertices.
            let rows = m + 1;
            let size = (n + 1) * rows;
            let copy = |sheet: u32, v: u32| if v < rows { v } else { v + sheet * (size - rows) };
            let one = faces;
            faces = (0..3)
                .flat_map(|s| one.iter().map(move |t| t.map(|v| copy(s, v))).collect::<Vec<_>>())
                .collect();
            let angles: [f64; 3] = from_fn(|_| TAU * rng.unit());
            let poses = numbers.map(|k| {
                let mut pose = Vec::new();
                for (sheet, angle) in angles.iter().enumerate() {
                    let angle = angle + 3.0 * (k[sheet] - 0.5);
                    let place = |u: f64, v: f64| {
                        let bent = angle + 4.0 * (k[3] - 0.5) * u;
                        [u * bent.cos(), v + 0.1 * k[4] * u, u * bent.sin()]
                    };
                    pose.extend(vertices(n, m, wraps, place).into_iter().skip(if sheet == 0 {
                        0
                    } else {
                        rows as usize
                    }));
                }
                pose.iter().map(|p| p.map(|x| x + jitter * rng.signed())).collect()
            });
            return Scene { faces, poses: poses.into() };
        }
        Family::Checkers => {
            // Squares that meet in their corners only, here and there.
            let odd = rng.below(3) as u32;
            faces = squares(n, m, wraps, |i, j| !(i + j + odd).is_multiple_of(4) || i % 3 == 0);
            Box::new(|k, u, v| {
                let [x, z] = wave(u, 7.0, 3.0 * k[1] * v, k[0]);
                [x, v - 0.8 * k[3] * z, z + 0.2 * k[2] * v]
            })
        }
        Family::Faults => {
            // Some triangles are turned around, doubled, or without area.
            for _ in 0..rng.below(4) {
                let t = rng.below(faces.len() as u64) as usize;
                match rng.below(3) {
                    0 => faces[t].swap(0, 1),
                    1 => faces.push(faces[t]),
                    _ => faces.push([faces[t][1], faces[t][0], faces[(t + 3) % faces.len()][2]]),
                }
            }
            faces.retain(|[a, b, c]| a != b && b != c && c != a);
            let flat = rng.one_in(2);
            Box::new(move |k, u, v| {
                // A row of slivers, or of triangles without area.
                let u =
                    if (0.4..0.6).contains(&u) { 0.5 + if flat { 0.0 } else { 1e-7 * (u - 0.5) } } else { u };
                let [x, z] = wave(u, 8.0, 3.0 * k[1], k[0]);
                [x, v + 0.2 * k[2] * z, z]
            })
        }
        Family::Crossed => Box::new(|k, u, v| {
            // A loop of a ribbon, which crosses itself at the start.
            let angle = TAU * (1.2 * u - 0.6);
            let open = 0.3 * k[0];
            [(2.0 * angle).sin() + open * u, v + 0.3 * k[1] * u, angle.sin() + 0.2 * k[2] * v]
        }),
        Family::Swirl => Box::new(|k, u, v| {
            let p = [u - 0.5, v - 0.5, 0.3 * (k[1] - 0.5) * (3.0 * (u - k[2])).cos()];
            turned(p, 3.0 * (k[0] - 0.5) + 8.0 * (k[3] - 0.5) * (p[0] * p[0] + p[1] * p[1]))
        }),
    };
    let mut poses: Vec<Vec<Point>> =
        numbers.iter().map(|&k| vertices(n, m, wraps, |u, v| map(k, u, v))).collect();
    for pose in &mut poses {
        pose.iter_mut().for_each(|p| *p = p.map(|x| x + jitter * rng.signed()));
        if family == Family::Faults && rng.one_in(2) {
            // Vertices in the same place.
            let [v, w]: [usize; 2] = from_fn(|_| rng.below(pose.len() as u64) as usize);
            pose[v] = pose[w];
        }
    }
    Scene { faces, poses }
}

/// Counts that show that a test was not vacuous.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    steps: u64,
    cleared: u64,
    pairs_cleared: u64,
    contacts: u64,
    /// Steps with contacts, in which patches were cleared.
    both: u64,
}

impl Sums {
    fn add(&mut self, stats: &CertificateStats, count: u64) {
        self.steps += 1;
        self.cleared += stats.patches_cleared;
        self.pairs_cleared += stats.pairs_cleared;
        self.contacts += count;
        self.both += u64::from(0 < count && 0 < stats.patches_cleared);
    }
}

/// Two steps, and crossings at all poses, in the same worlds.
#[test]
fn every_contact_and_crossing_is_found() {
    let mut of_pairs = 0;
    for (f, family) in FAMILIES.into_iter().enumerate() {
        let (mut of_contacts, mut of_crossings) = (Sums::default(), Sums::default());
        for index in 0..110 {
            let mut rng = Rng::for_item(31 + f as u64, index);
            let scene = scene(family, &mut rng);
            assert!((16..=400).contains(&scene.faces.len()), "{family:?}: {} triangles", scene.faces.len());
            let (mut world, body) = scene.world();
            let methods = [PROOFS[0], PROOFS[1 + index as usize % 6], PROOFS[7], PROOFS[8]];
            for step in 0..2 {
                let next = [(body, &scene.poses[step + 1][..])];
                let ask = |method| Query::all().method(method);
                let brute = world.contacts(&next, &ask(Method::Brute)).unwrap();
                for method in methods {
                    let report = world.contacts(&next, &ask(method)).unwrap();
                    assert_eq!(report.found, brute.found, "{family:?} {index}, step {step}: {method:?}");
                    of_contacts.add(&report.stats.certificates, report.count);
                    of_pairs += report.stats.certificates.pairs_cleared;
                }
                let brute = world.crossings(&ask(Method::Brute)).unwrap();
                for method in methods.into_iter().chain([Method::Rival(Rival::Sct, Volume::Dop16)]) {
                    let report = world.crossings(&ask(method)).unwrap();
                    assert_eq!(report.found, brute.found, "{family:?} {index}, pose {step}: {method:?}");
                    of_crossings.add(&report.stats.certificates, report.count);
                }
                world.set_pose(body, &scene.poses[step + 1]).unwrap();
            }
        }
        println!("{family:?}: contacts {of_contacts:?}\n    crossings {of_crossings:?}");
        for sums in [of_contacts, of_crossings] {
            assert!(100 < sums.cleared && 200 < sums.contacts && 10 < sums.both, "{family:?}: {sums:?}");
        }
    }
    assert!(1000 < of_pairs, "{of_pairs}");
}

/// A step with every kind of query.
#[test]
fn wants_and_separations() {
    let mut n_cleared = 0;
    for index in 0..60 {
        let mut rng = Rng::for_item(51, index);
        let scene = scene(FAMILIES[index as usize % FAMILIES.len()], &mut rng);
        let (mut world, body) = scene.world();
        let next = [(body, &scene.poses[1][..])];
        let mut all = |method, want, narrow| {
            world.contacts(&next, &Query::all().method(method).results(want).narrow(narrow)).unwrap()
        };
        let narrow = Settings { time_width: 0.5f64.powi(rng.integer(4, 40)), ..Settings::default() };
        for method in [PROOFS[0], PROOFS[2], PROOFS[7], PROOFS[8]] {
            for want in [Results::All, Results::Earliest, Results::Any, Results::Count] {
                let (brute, proven) = (all(Method::Brute, want, narrow), all(method, want, narrow));
                assert_eq!(brute.count, proven.count, "{index} {want:?} {method:?}");
                if want != Results::Any {
                    assert_eq!(brute.found, proven.found, "{index} {want:?} {method:?}");
                }
                n_cleared += proven.stats.certificates.patches_cleared;
            }
        }
        if index % 6 == 0 {
            // The proofs do not cover distances: nothing is cleared.
            let narrow = Settings { min_separation: 0.02 * rng.unit() + 1e-9, ..Settings::default() };
            let brute = all(Method::Brute, Results::All, narrow);
            for method in [PROOFS[0], PROOFS[7]] {
                let proven = all(method, Results::All, narrow);
                assert_eq!(brute.found, proven.found, "{index} {method:?}");
                let skipped = CertificateStats { bodies_skipped: 1, ..CertificateStats::default() };
                assert_eq!(proven.stats.certificates, skipped);
            }
        }
    }
    assert!(1000 < n_cleared, "{n_cleared}");
}

/// The trees of patches do not change what is found, nor does how the first hierarchy was built.
#[test]
fn any_tree() {
    for index in 0..60 {
        let mut rng = Rng::for_item(61, index);
        let scene = scene(FAMILIES[index as usize % FAMILIES.len()], &mut rng);
        let brute = scene.contacts(Method::Brute);
        for arity in 2..=4 {
            let mesh = Mesh::new(scene.faces.clone(), scene.poses[0].len()).unwrap();
            let how = Build { split: Split::ConnectedPatches, arity };
            let mut world = World::new();
            let model = Arc::new(Model::with_build(mesh, &scene.poses[0], &how).unwrap());
            let body = world.add(model, &scene.poses[0]).unwrap();
            let query = Query::all().method(PROOFS[0]);
            let report = world.contacts(&[(body, &scene.poses[1])], &query).unwrap();
            assert_eq!(report.found, brute.found, "{index} arity {arity}");
        }
    }
}

/// A body with many poses; patches that fail are skipped for some steps, and clearing in one step
/// implies nothing for the next.
#[test]
fn a_long_motion() {
    let (n, m) = (14, 10);
    let pose = |k: usize| {
        let time = k as f64 / 4.0;
        vertices(n, m, [false; 2], |u, v| {
            let [x, z] = wave(u, 8.0, time + 0.5 * v, 0.6 - 0.4 * (2.0 * time).cos());
            [x, v, z]
        })
    };
    let scene = Scene { faces: squares(n, m, [false; 2], |_, _| true), poses: (0..48).map(pose).collect() };
    let (mut world, body) = scene.world();
    let mut free = scene.world().0;
    let (mut sums, mut n_skipped, mut n_changes, mut was_free) = (Sums::default(), 0, 0, false);
    for k in 1..scene.poses.len() {
        let next = [(body, &scene.poses[k][..])];
        let brute = free.contacts(&next, &Query::all().method(Method::Brute)).unwrap();
        let report = world.contacts(&next, &Query::all().method(PROOFS[0])).unwrap();
        assert_eq!(report.found, brute.found, "step {k}");
        sums.add(&report.stats.certificates, report.count);
        n_skipped += report.stats.certificates.patches_skipped;
        n_changes += u32::from(was_free != (report.count == 0));
        was_free = report.count == 0;
        world.set_pose(body, &scene.poses[k]).unwrap();
        free.set_pose(body, &scene.poses[k]).unwrap();
    }
    println!("{sums:?}, {n_skipped} skipped, {n_changes} times from contacts to none or back");
    assert!(100 < sums.cleared && 100 < sums.contacts && 10 < n_skipped && 4 <= n_changes);
}

/// Checks that the proofs find everything in the first step and at its ends, and that there is
/// something to find.
fn assert_all_found(scene: &Scene) -> (Vec<Contact>, Vec<Crossing>) {
    let contacts = scene.contacts(Method::Brute).found;
    for method in PROOFS {
        assert_eq!(scene.contacts(method).found, contacts, "{method:?}");
    }
    let mut all = Vec::new();
    for pose in 0..2 {
        let crossings = scene.crossings(pose, Method::Brute).found;
        for method in PROOFS.into_iter().chain([Method::Rival(Rival::Sct, Volume::Dop16)]) {
            assert_eq!(scene.crossings(pose, method).found, crossings, "{method:?}");
        }
        all.extend(crossings);
    }
    (contacts, all)
}

/// A disk, with all normals within 14 degrees of the axis, that overlaps itself: no test of normals
/// alone detects it.
#[test]
fn spiral_strip() {
    let n = 120;
    let pose = |height: fn(f64) -> f64| -> Vec<Point> {
        let rib = |i: u32| {
            let angle = 2.0 * TAU * f64::from(i) / f64::from(n - 1);
            [1.0, 2.0].map(|r| [r * angle.cos(), r * angle.sin(), height(angle - TAU)])
        };
        (0..n).flat_map(rib).collect()
    };
    let faces = (0..n - 1).map(|i| 2 * i).flat_map(|a| [[a, a + 1, a + 3], [a, a + 3, a + 2]]).collect();
    let scene = Scene { faces, poses: vec![pose(|a| 0.1 * a), pose(|a| 0.02 * a * a)] };
    for pose in &scene.poses {
        for t in &scene.faces {
            let [a, b, c] = t.map(|v| pose[v as usize]);
            let [e, f]: [Point; 2] = [b, c].map(|p| from_fn(|i| p[i] - a[i]));
            let normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
            let cos = normal[2] / normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((15f64.to_radians()).cos() < cos);
        }
    }
    let (contacts, crossings) = assert_all_found(&scene);
    assert!(20 < contacts.len() && !crossings.is_empty(), "{} {}", contacts.len(), crossings.len());
    for heuristic in
        [Rival::Mcd, Rival::Hsc { contour: false }].map(|rival| Method::Rival(rival, Volume::Dop16))
    {
        let report = scene.contacts(heuristic);
        assert_eq!((report.count, report.stats.certificates.patches_cleared), (0, 1), "{heuristic:?}");
        assert_eq!(scene.crossings(1, heuristic).count, 0, "{heuristic:?}");
    }
    // The proofs clear parts of it.
    assert!(2 <= scene.contacts(PROOFS[0]).stats.certificates.patches_cleared);
}

/// A connected surface with two loops, both simple, one around the other, and all normals facing
/// up: two sheets over one square that are connected across a cut, and cross.
#[test]
fn branched_annulus() {
    use std::collections::HashMap;
    let n = 20i32;
    let x = |i: i32| f64::from(i) / 10.0 - 1.0;
    let (a, b) = (-4, 4);
    // The real part of a square root of (w - a)(w - b), rotated, on one side of the cut between a
    // and b.
    let height = |i: i32, j: i32, is_above: bool| {
        let root = |from: i32| {
            let (x, y) = (f64::from(i - 10 - from) / 10.0, f64::from(j - 10) / 10.0);
            let angle = if j == 10 {
                if 0.0 < x {
                    0.0
                } else if is_above {
                    PI
                } else {
                    -PI
                }
            } else {
                y.atan2(x)
            };
            (x.hypot(y).sqrt(), 0.5 * angle)
        };
        let ((r, alpha), (s, beta)) = (root(a), root(b));
        0.25 * r * s * (alpha + beta + PI / 4.0).cos()
    };
    let mut rng = Rng::new(8);
    let (mut numbers, mut places, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    for sheet in 0..2 {
        for i in 0..n {
            for j in 0..n {
                let is_above = 10 <= j;
                let corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| {
                    let (on, at) = (j == 10, i - 10);
                    let side = if on && (at == a || at == b) {
                        2
                    } else if on && a < at && at < b {
                        3 + i32::from((sheet == 0) == is_above)
                    } else {
                        sheet
                    };
                    *numbers.entry((i, j, side)).or_insert_with(|| {
                        let z = if side == 2 { 0.0 } else { height(i, j, is_above) };
                        let s = if sheet == 1 && (i % n == 0 || j % n == 0) { 0.97 } else { 1.0 };
                        let (x, y) = (s * x(i), s * x(j));
                        let wide = [x * (1.0 + 0.1 * (1.0 - y * y)), y * (1.0 + 0.1 * (1.0 - x * x))];
                        let wide = wide.map(|x| x + 0.002 * rng.signed());
                        places.push([wide[0], wide[1], if sheet == 0 { z } else { -z }]);
                        places.len() as u32 - 1
                    })
                });
                let [p, q, r, s] = corners;
                faces.extend([[p, q, r], [p, r, s]]);
            }
        }
    }
    let next: Vec<Point> = places.iter().map(|&[x, y, z]| [x, y, z + 0.05 * rng.signed()]).collect();
    for pose in [&places, &next] {
        for t in &faces {
            let [a, b, c]: [Point; 3] = t.map(|v: u32| pose[v as usize]);
            assert!(
                0.0 < (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
                "a triangle does not face up"
            );
        }
    }
    let description = Mesh::new(faces.clone(), places.len()).unwrap().describe();
    println!("{description:?}");
    let scene = Scene { faces, poses: vec![places, next] };
    let (contacts, crossings) = assert_all_found(&scene);
    assert!(20 < contacts.len() && 20 < crossings.len(), "{} {}", contacts.len(), crossings.len());
    for heuristic in
        [Rival::Mcd, Rival::Hsc { contour: false }].map(|rival| Method::Rival(rival, Volume::Dop16))
    {
        let report = scene.contacts(heuristic);
        assert_eq!((report.count, report.stats.certificates.patches_cleared), (0, 1), "{heuristic:?}");
    }
}

/// Two sheets, apart or joined in one corner, that face up and pass through each other: not one
/// connected surface.
#[test]
fn two_pieces() {
    for is_joined in [false, true] {
        let n = 8;
        let sheet = |slope: f64, from: f64| {
            vertices(n, n, [false; 2], move |u, v| {
                if is_joined {
                    [u, v * (1.0 - 0.5 * slope), slope * (u - from)]
                } else {
                    [u, v, slope * (u - from)]
                }
            })
        };
        let (flat, tilted, later) = (sheet(0.0, 0.0), sheet(0.4, 0.03), sheet(-0.3, 0.6));
        let size = flat.len() as u32;
        let one = squares(n, n, [false; 2], |_, _| true);
        let corner = |v: u32| if is_joined && v == 0 { 0 } else { v + size };
        let faces = one.iter().copied().chain(one.iter().map(|t| t.map(corner))).collect();
        let scene = Scene { faces, poses: vec![[flat.clone(), tilted].concat(), [flat, later].concat()] };
        let (contacts, crossings) = assert_all_found(&scene);
        assert!(20 < contacts.len() && 20 < crossings.len(), "{} {}", contacts.len(), crossings.len());
        // Without a contour test, too: patches that share a vertex at most are never culled as one.
        let by_masks = scene.contacts(Method::Rival(Rival::Hsc { contour: false }, Volume::Dop16));
        assert!(by_masks.found == contacts && 2 <= by_masks.stats.certificates.patches_cleared);
        // Each sheet is cleared on its own.
        assert!(2 <= scene.contacts(PROOFS[0]).stats.certificates.patches_cleared);
    }
}

/// A sheet that swirls: at both ends it is a graph over the plane, in the middle of the step it is
/// folded.
#[test]
fn a_fold_in_the_middle_of_the_step() {
    let mut rng = Rng::new(9);
    let n = 14;
    let start = vertices(n, n, [false; 2], |u, v| {
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        [x, y, 0.3 * (x * x + y * y) + 0.01 * rng.signed()]
    });
    let swirl = |&[x, y, z]: &Point| turned([x, y, -z], (1.6 * (x * x + y * y)).min(2.9));
    let end: Vec<Point> = start.iter().map(swirl).collect();
    let scene = Scene { faces: squares(n, n, [false; 2], |_, _| true), poses: vec![start, end] };
    for pose in 0..2 {
        assert_eq!(scene.crossings(pose, Method::Brute).count, 0);
    }
    let (contacts, _) = assert_all_found(&scene);
    let inside = contacts.iter().filter(|c| 0.1 < c.lo && c.hi < 0.9).count();
    assert!(50 < inside && inside == contacts.len(), "{inside} of {}", contacts.len());
    let [ends_only, proven] = [Method::Rival(Rival::Hsc { contour: false }, Volume::Aabb), PROOFS[0]]
        .map(|method| scene.contacts(method));
    println!(
        "{} contacts; by the ends alone {}; {:?}",
        proven.count, ends_only.count, proven.stats.certificates
    );
    assert!(ends_only.count < proven.count, "{} of {}", ends_only.count, proven.count);
    assert!(0 < proven.stats.certificates.patches_cleared);
}

/// The heuristics find no more than there is, and less in some.
#[test]
fn heuristics_find_a_part() {
    let mut n_missed = [0; 2];
    for index in 0..240 {
        let mut rng = Rng::for_item(71, index);
        let scene = scene(FAMILIES[index as usize % FAMILIES.len()], &mut rng);
        let brute = scene.contacts(Method::Brute).found;
        for (n_missed, rival) in n_missed.iter_mut().zip([Rival::Mcd, Rival::Hsc { contour: false }]) {
            let found = scene.contacts(Method::Rival(rival, Volume::Aabb)).found;
            assert!(found.iter().all(|c| brute.contains(c)), "{index} {rival:?}");
            *n_missed += usize::from(found.len() < brute.len());
        }
    }
    println!("steps with missed contacts: {n_missed:?} of 240");
    assert!(n_missed.iter().all(|&n| 0 < n), "{n_missed:?}");
}

/// Large enough for the descent and the walk to run in several tasks.
#[test]
fn the_number_of_threads_changes_nothing() {
    let n = 70;
    let pose = |time: f64| {
        vertices(n, n, [false; 2], move |u, v| {
            let [x, z] = wave(u, 9.0, time + 0.5 * v, 0.2 + 0.6 * time * v);
            turned([x, v, z], 0.6 * time)
        })
    };
    let scene = Scene {
        faces: squares(n, n, [false; 2], |i, j| !(20..24).contains(&i) || !(30..33).contains(&j)),
        poses: vec![pose(0.0), pose(0.9), pose(1.3)],
    };
    let reference = scene.contacts(Method::Bvh(Volume::MovingAabb)).found;
    for method in [PROOFS[0], PROOFS[2], PROOFS[7], PROOFS[8]] {
        let mut answers = Vec::new();
        for n_threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            answers.push(pool.install(|| {
                let (mut world, body) = scene.world();
                let query = Query::all().method(method);
                let first = world.contacts(&[(body, &scene.poses[1])], &query).unwrap();
                world.set_pose(body, &scene.poses[1]).unwrap();
                let second = world.contacts(&[(body, &scene.poses[2])], &query).unwrap();
                let crossings = world.crossings(&query).unwrap();
                let stats = [first.stats, second.stats, crossings.stats].map(|stats| stats.certificates);
                (first.found, second.found, crossings.found, stats)
            }));
        }
        assert!(answers[0].0 == reference && 500 < reference.len(), "{method:?}");
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{method:?}");
        let [first, ..] = answers[0].3;
        println!("{} contacts, {first:?}", reference.len());
        assert!(20 < first.patches_cleared && 1000 < first.triangles_cleared);
    }
}
