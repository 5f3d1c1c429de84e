//! Bodies posed by Loop subdivision, particles and modes. Positions are what is documented; Loop
//! surfaces are those of repeated subdivision; hundreds of random worlds show that methods find
//! what all pairs of triangles give with all vertices deformed beforehand; errors name bad input.

use crate::common::{Rng, ball, vector};
use osculate::deformer::{AnyDeformer, LoopSurface, Modes, Particle, Particles};
use osculate::method::{NormalCone, Shape, SphereTree, Volume};
use osculate::{Affine, BodyId, BodySettings, Error, Mesh, Method, Model, Pose, Query, Skin, World};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Surface = (Vec<[u32; 3]>, Vec<[f64; 3]>);

/// A sheet of n times m squares.
fn sheet(n: u32, m: u32) -> Surface {
    let quads = (0..n * m).map(|i| (i / m) * (m + 1) + i % m);
    let faces = quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
    let at = |i: u32| [f64::from(i / (m + 1)) - 0.5 * f64::from(n), f64::from(i % (m + 1)), 0.0];
    (faces, (0..(n + 1) * (m + 1)).map(at).collect())
}

/// Triangles around a vertex, all the way round or not.
fn fan(n: u32, is_closed: bool) -> Surface {
    let rim = (0..n).map(|k| {
        let angle = f64::from(k) * std::f64::consts::TAU / f64::from(n);
        [angle.cos(), angle.sin(), 0.3]
    });
    let last = if is_closed { n } else { n - 1 };
    ((0..last).map(|k| [0, 1 + k, 1 + (k + 1) % n]).collect(), std::iter::once([0.0; 3]).chain(rim).collect())
}

/// Both surfaces, side by side.
fn together(a: &Surface, b: &Surface) -> Surface {
    let n = a.1.len() as u32;
    let faces = a.0.iter().copied().chain(b.0.iter().map(|face| face.map(|v| v + n)));
    (faces.collect(), a.1.iter().copied().chain(b.1.iter().map(|&[x, y, z]| [x, y, z + 2.0])).collect())
}

fn control_mesh(rng: &mut Rng) -> Surface {
    let mut surface = match rng.below(6) {
        0 => ball(0),
        1 => {
            let n = 3 + rng.below(7) as u32;
            fan(n, rng.one_in(2))
        }
        2 => {
            let other = fan(4, rng.one_in(2));
            together(&sheet(1, 2), &other)
        }
        3 => (
            vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]],
            (0..4).map(|_| vector(|| rng.signed())).collect(),
        ),
        _ => sheet(1 + rng.below(3) as u32, 1 + rng.below(2) as u32),
    };
    let shake = rng.pick(&[0.0, 0.1, 0.4]);
    surface.1.iter_mut().for_each(|p| *p = p.map(|x| x + shake * rng.signed()));
    // The same surface, with some triangles turned over: not oriented alike.
    if rng.one_in(4) {
        surface.0.iter_mut().filter(|_| rng.one_in(3)).for_each(|face| face.reverse());
    }
    surface
}

/// Loop subdivision of positions, straight from the rules: neighbors are sets found by looking at
/// all triangles.
fn subdivided((faces, points): &Surface) -> Surface {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]];
    let mut opposite: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for [a, b, c] in faces.iter().flat_map(sides) {
        opposite.entry((a.min(b), a.max(b))).or_default().push(c);
    }
    let at = |v: u32| points[v as usize];
    let mean = |parts: &[(f64, u32)]| -> [f64; 3] {
        std::array::from_fn(|i| parts.iter().map(|&(w, v)| w * at(v)[i]).sum())
    };
    let mut fine: Vec<[f64; 3]> = (0..points.len() as u32)
        .map(|v| {
            let is_at = |edge: &(u32, u32)| edge.0 == v || edge.1 == v;
            let other = |edge: &(u32, u32)| if edge.0 == v { edge.1 } else { edge.0 };
            let around: BTreeSet<u32> = opposite.keys().filter(|e| is_at(e)).map(other).collect();
            let rim = opposite.iter().filter(|(e, tips)| is_at(e) && tips.len() == 1);
            let rim: Vec<u32> = rim.map(|(e, _)| other(e)).collect();
            match (rim.len(), around.len() as f64) {
                (2, _) => mean(&[(0.75, v), (0.125, rim[0]), (0.125, rim[1])]),
                (_, 0.0) => at(v),
                (_, n) => {
                    let beta = if n == 3.0 { 3.0 / 16.0 } else { 3.0 / (8.0 * n) };
                    let mut parts = vec![(1.0 - n * beta, v)];
                    parts.extend(around.iter().map(|&u| (beta, u)));
                    mean(&parts)
                }
            }
        })
        .collect();
    let mut number = BTreeMap::new();
    for (&(a, b), tips) in &opposite {
        number.insert((a, b), fine.len() as u32);
        fine.push(match tips[..] {
            [c, d] => mean(&[(0.375, a), (0.375, b), (0.125, c), (0.125, d)]),
            _ => mean(&[(0.5, a), (0.5, b)]),
        });
    }
    let split = |&[a, b, c]: &[u32; 3]| {
        let on = |a: u32, b: u32| number[&(a.min(b), a.max(b))];
        let [p, q, r] = [on(a, b), on(b, c), on(c, a)];
        [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
    };
    (faces.iter().flat_map(split).collect(), fine)
}

#[test]
fn loop_surfaces_are_those_of_repeated_subdivision() {
    for index in 0..1500 {
        let mut rng = Rng::for_item(51, index);
        let control = control_mesh(&mut rng);
        let levels = rng.below(4) as usize;
        let surface = LoopSurface::new(&control.0, &control.1, levels).unwrap();
        assert_eq!(surface.control(), control.1);
        assert_eq!((surface.control_triangles(), surface.levels()), (&*control.0, levels));
        for v in 0..surface.rest().len() {
            let row = surface.influences(v);
            assert!(row.is_sorted_by(|a, b| a.0 < b.0) && row.iter().all(|entry| 0.0 < entry.1));
            let sum: f64 = row.iter().map(|entry| entry.1).sum();
            assert!((sum - 1.0).abs() < 1e-14, "{sum}");
        }
        // At rest, and with other control points.
        let moved: Vec<[f64; 3]> = control.1.iter().map(|_| vector(|| 3.0 * rng.signed())).collect();
        assert_eq!(surface.vertices(&control.1), surface.rest());
        for points in [control.1.clone(), moved] {
            let found = surface.vertices(&points);
            let referee = (0..levels).fold((control.0.clone(), points), |coarse, _| subdivided(&coarse));
            assert_eq!(surface.triangles().len(), referee.0.len());
            assert_eq!(found.len(), referee.1.len());
            for (a, b) in surface.triangles().iter().zip(&referee.0) {
                for k in 0..3 {
                    let (p, q) = (found[a[k] as usize], referee.1[b[k] as usize]);
                    assert!((0..3).all(|i| (p[i] - q[i]).abs() < 1e-13), "world {index}: {p:?} {q:?}");
                }
            }
        }
    }
}

/// A deformer with what tests need of it.
#[derive(Clone)]
enum Kind {
    Loop(LoopSurface),
    Particles(Particles, Vec<[f64; 3]>),
    Modes(Modes, Option<Skin>),
}

impl Kind {
    fn any(&self) -> AnyDeformer {
        match self.clone() {
            Kind::Loop(surface) => surface.into(),
            Kind::Particles(particles, _) => particles.into(),
            Kind::Modes(modes, _) => modes.into(),
        }
    }

    /// All vertices, by the formulas of the documentation.
    fn vertices(&self, parameters: &[f64]) -> Vec<[f64; 3]> {
        let maps: &[Affine] = parameters.as_chunks().0.as_chunks().0;
        let blended = |row: &[(u32, f64)], [x, y, z]: [f64; 3], map: &dyn Fn(u32) -> Affine| {
            let mut sum = [[0.0; 4]; 3];
            for &(k, weight) in row {
                let map = map(k);
                sum.as_flattened_mut().iter_mut().zip(map.as_flattened()).for_each(|(s, m)| *s += weight * m);
            }
            sum.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
        };
        match self {
            Kind::Loop(surface) => {
                let at = |v: usize| {
                    let mut sum = [0.0; 3];
                    for &(k, weight) in surface.influences(v) {
                        (0..3).for_each(|i| sum[i] += weight * parameters[3 * k as usize + i]);
                    }
                    sum
                };
                (0..surface.rest().len()).map(at).collect()
            }
            Kind::Particles(particles, centers) => {
                let map = |k: u32| {
                    let [x, y, z] = centers[k as usize];
                    maps[k as usize].map(|[a, b, c, d]| [a, b, c, d - (a * x + b * y + c * z)])
                };
                let rest = particles.rest();
                (0..rest.len()).map(|v| blended(particles.influences(v), rest[v], &map)).collect()
            }
            Kind::Modes(modes, skin) => {
                let amplitudes = &parameters[12 * modes.n_bones()..];
                let at = |v: usize| {
                    let mut shape = modes.rest()[v];
                    for (q, d) in amplitudes.iter().zip(modes.displacements(v)) {
                        (0..3).for_each(|i| shape[i] += q * d[i]);
                    }
                    match skin {
                        Some(skin) => blended(skin.influences(v), shape, &|k| maps[k as usize]),
                        None => shape,
                    }
                };
                (0..modes.rest().len()).map(at).collect()
            }
        }
    }
}

/// A map near the identity, singular, or any.
fn map(rng: &mut Rng) -> Affine {
    let away = rng.pick(&[0.0, 0.1, 0.5, 1.5]);
    let flat = rng.one_in(8);
    std::array::from_fn(|i| {
        std::array::from_fn(|k| {
            let one = f64::from(u8::from(i == k));
            if k < 3 && flat { 0.0 } else { one + away * rng.signed() }
        })
    })
}

/// A model with a deformer of the given kind, and the numbers of its parameters.
fn model(rng: &mut Rng, which: usize) -> (Arc<Model>, Kind, Vec<f64>) {
    let identity: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let (kind, (faces, rest), at_rest): (Kind, Surface, Vec<f64>) = if which == 0 {
        let (faces, control) = control_mesh(rng);
        let levels = if faces.len() <= 4 { 1 + rng.below(2) as usize } else { 1 };
        let surface = LoopSurface::new(&faces, &control, levels).unwrap();
        let (faces, rest) = (surface.triangles().to_vec(), surface.rest().to_vec());
        (Kind::Loop(surface), (faces, rest), control.as_flattened().to_vec())
    } else {
        let (faces, rest) = match rng.below(3) {
            0 => ball(1),
            1 => sheet(3, 3),
            _ => sheet(8, 1),
        };
        if which == 1 {
            let mut particles = vec![Particle { center: [0.0, 0.5, 0.0], radius: 9.0 }];
            for _ in 0..rng.below(6) {
                let center = rest[rng.below(rest.len() as u64) as usize].map(|x| x + 0.3 * rng.signed());
                particles.push(Particle { center, radius: 1.0 + rng.unit() });
            }
            let centers: Vec<[f64; 3]> = particles.iter().map(|particle| particle.center).collect();
            let at_rest = centers.iter().flat_map(|c| {
                let row = |i: usize| [identity[i][0], identity[i][1], identity[i][2], c[i]];
                [row(0), row(1), row(2)].concat()
            });
            let at_rest = at_rest.collect();
            (Kind::Particles(Particles::new(&particles, &rest).unwrap(), centers), (faces, rest), at_rest)
        } else {
            let displacement = |rng: &mut Rng| rest.iter().map(|_| vector(|| rng.signed())).collect();
            let n_modes = rng.below(4);
            let modes: Vec<Vec<[f64; 3]>> = (0..n_modes).map(|_| displacement(rng)).collect();
            let skin = (which == 3).then(|| {
                let weight = |p: &[f64; 3]| [(0, 1.0 - p[0].abs() / 8.0), (1, p[0].abs() / 8.0)];
                Skin::new(2, &rest, rest.iter().map(weight)).unwrap()
            });
            let deformer = match &skin {
                Some(skin) => Modes::under(skin.clone(), &modes).unwrap(),
                None => Modes::new(&rest, &modes).unwrap(),
            };
            let mut at_rest = vec![identity; deformer.n_bones()].as_flattened().as_flattened().to_vec();
            at_rest.extend(modes.iter().map(|_| 0.0));
            (Kind::Modes(deformer, skin), (faces, rest), at_rest)
        }
    };
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let model = Model::new(mesh, &rest).unwrap().with_deformer(kind.any()).unwrap();
    (Arc::new(model), kind, at_rest)
}

/// The parameters of a pose near the given one.
fn next(rng: &mut Rng, kind: &Kind, parameters: &[f64]) -> Vec<f64> {
    let by = rng.pick(&[0.0, 0.05, 0.3, 0.8]);
    let mut next: Vec<f64> = parameters.iter().map(|x| x + by * rng.signed()).collect();
    if rng.one_in(4) {
        let n_maps = match kind {
            Kind::Loop(_) => 0,
            Kind::Particles(particles, _) => particles.n_particles(),
            Kind::Modes(modes, _) => modes.n_bones(),
        };
        if n_maps != 0 {
            let k = rng.below(n_maps as u64) as usize;
            next[12 * k..][..12].copy_from_slice(map(rng).as_flattened());
        }
    }
    // Exactly where something else may be.
    if rng.one_in(6) {
        next.iter_mut().for_each(|x| *x = (4.0 * *x).round() / 4.0);
    }
    next
}

fn methods() -> [Method; 7] {
    let tree = SphereTree::new();
    [
        Method::SphereTree(tree),
        Method::SphereTree(tree.certificates(false)),
        Method::SphereTree(tree.shape(Shape::Box)),
        Method::SphereTree(tree.shape(Shape::Box).certificates(false).always_parallel(true)),
        Method::Bvh(Volume::MovingAabb),
        Method::NormalCone(NormalCone::new()),
        Method::NormalCone(NormalCone::new().front(true)),
    ]
}

/// Worlds of one or two bodies with the same kind of deformer, over consecutive steps: contacts and
/// crossings are those of all pairs, with all vertices evaluated beforehand.
fn worlds(seed: u64, which: usize, n: u64) {
    let (mut n_contacts, mut n_crossings) = (0, 0);
    for index in 0..n {
        let mut rng = Rng::for_item(seed, index);
        let settings = BodySettings::new().self_contact(!rng.one_in(4));
        let (mut world, mut plain) = (World::new(), World::new());
        let mut bodies: Vec<(BodyId, Arc<Model>, Kind, Vec<f64>)> = Vec::new();
        for _ in 0..1 + rng.below(2) {
            let (model, kind, at_rest) = match bodies.first() {
                Some((_, model, kind, at_rest)) if rng.one_in(3) => {
                    (model.clone(), kind.clone(), at_rest.clone())
                }
                _ => model(&mut rng, which),
            };
            let start = next(&mut rng, &kind, &at_rest);
            let id = world.add_with(model.clone(), Pose::parameters(&start), settings).unwrap();
            plain.add_with(model.clone(), &kind.vertices(&start), settings).unwrap();
            bodies.push((id, model, kind, start));
        }
        for step in 0..2 {
            let ends: Vec<Vec<f64>> =
                bodies.iter().map(|(_, _, kind, at)| next(&mut rng, kind, at)).collect();
            for (id, _, kind, at) in &bodies {
                let bits = |points: &[[f64; 3]]| {
                    points.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
                };
                assert_eq!(bits(&world.vertices(*id).unwrap()), bits(&kind.vertices(at)), "world {index}");
            }
            let moves: Vec<(BodyId, Pose)> =
                bodies.iter().zip(&ends).map(|((id, ..), end)| (*id, Pose::parameters(end))).collect();
            let of_vertices: Vec<Vec<[f64; 3]>> =
                bodies.iter().zip(&ends).map(|((_, _, kind, _), end)| kind.vertices(end)).collect();
            let plain_moves: Vec<(BodyId, Pose)> =
                bodies.iter().zip(&of_vertices).map(|((id, ..), end)| (*id, Pose::from(end))).collect();
            let brute = Query::all().method(Method::Brute);
            let contacts = plain.contacts(&plain_moves, &brute).unwrap().found;
            let crossings = plain.crossings(&brute).unwrap().found;
            for method in methods() {
                let query = Query::all().method(method);
                let found = world.contacts(&moves, &query).unwrap().found;
                assert_eq!(found, contacts, "world {index}, step {step}: {method:?}");
                let found = world.crossings(&query).unwrap().found;
                assert_eq!(found, crossings, "world {index}, step {step}: {method:?}");
            }
            n_contacts += u64::from(!contacts.is_empty());
            n_crossings += u64::from(!crossings.is_empty());
            for ((id, _, kind, at), end) in bodies.iter_mut().zip(ends) {
                world.set_pose(*id, Pose::parameters(&end)).unwrap();
                plain.set_pose(*id, &kind.vertices(&end)).unwrap();
                *at = end;
            }
        }
    }
    assert!(n / 4 < n_contacts && n / 10 < n_crossings, "{n_contacts} {n_crossings}");
}

#[test]
fn worlds_of_loop_surfaces() {
    worlds(52, 0, 800);
}

#[test]
fn worlds_of_particles() {
    worlds(53, 1, 800);
}

#[test]
fn worlds_of_modes() {
    worlds(54, 2, 800);
}

#[test]
fn worlds_of_modes_under_skins() {
    worlds(55, 3, 800);
}

/// Some triangles of a surface as a body of its own: positions are those of the whole, and methods
/// find what brute force finds with these positions.
#[test]
fn parts_are_where_the_whole_is() {
    let mut n_contacts = 0;
    for index in 0..200 {
        let mut rng = Rng::for_item(58, index);
        let (whole, kind, start) = model(&mut rng, index as usize % 4);
        let end = next(&mut rng, &kind, &start);
        let triangles = whole.mesh().triangles();
        let first = rng.below(1 + triangles.len() as u64 / 4) as usize;
        let taken = &triangles[first..];
        let vertices: BTreeSet<u32> = taken.iter().flatten().copied().collect();
        let vertices: Vec<u32> = vertices.into_iter().collect();
        let number = |v: u32| vertices.binary_search(&v).unwrap() as u32;
        let part = kind.any().part(&vertices).unwrap();
        assert_eq!(part.n_vertices(), vertices.len());
        let [from, to] = [&start, &end].map(|parameters| {
            let of_whole = kind.any().vertices(parameters).unwrap();
            assert_eq!(of_whole, kind.vertices(parameters));
            let of_part: Vec<[f64; 3]> = vertices.iter().map(|&v| of_whole[v as usize]).collect();
            assert_eq!(part.vertices(parameters).unwrap(), of_part);
            of_part
        });
        let mesh = Mesh::new(taken.iter().map(|t| t.map(number)).collect(), vertices.len()).unwrap();
        let model = Arc::new(Model::new(mesh, &from).unwrap().with_deformer(part).unwrap());
        let mut world = World::new();
        let body = world.add(model, &from).unwrap();
        let brute = world.contacts(&[(body, &to)], &Query::all().method(Method::Brute)).unwrap();
        n_contacts += brute.count;
        world.set_pose(body, Pose::parameters(&start)).unwrap();
        for method in methods() {
            let moved = [(body, Pose::parameters(&end))];
            let report = world.contacts(&moved, &Query::all().method(method)).unwrap();
            assert_eq!(report.found, brute.found, "part {index}: {method}");
        }
        let n = whole.mesh().n_vertices();
        let missing = kind.any().part(&[0, n as u32]).unwrap_err();
        assert_eq!(missing, Error::PartVertex { vertex: n as u32, vertices: n });
    }
    assert!(100 < n_contacts, "{n_contacts}");
}

#[test]
fn bad_control_meshes_are_named() {
    let points = |n: usize| (0..n).map(|k| [k as f64, (k * k) as f64, 0.0]).collect::<Vec<_>>();
    let error = |faces: &[[u32; 3]], n: usize| LoopSurface::new(faces, &points(n), 1).unwrap_err();
    assert_eq!(
        error(&[[0, 1, 2], [0, 1, 3], [1, 0, 4]], 5),
        Error::ControlEdge { edge: [0, 1], triangles: 3 }
    );
    assert_eq!(error(&[[0, 1, 2], [0, 3, 4]], 5), Error::ControlVertex { vertex: 0 });
    assert_eq!(error(&[[0, 1, 2], [3, 4, 5], [4, 3, 2], [5, 0, 1]], 6), Error::ControlVertex { vertex: 2 });
    assert_eq!(error(&[[0, 1, 2], [2, 1, 0]], 3), Error::ControlTwins { triangles: [0, 1] });
    assert!(error(&[[0, 1, 3]], 3).to_string().contains("triangle 0 names vertex 3"));
    assert!(error(&[[0, 1, 1]], 3).to_string().contains("vertex 1 more than once"));
    let bad = LoopSurface::new(&[[0, 1, 2]], &[[0.0; 3], [0.0, f64::NAN, 0.0], [1.0; 3]], 1).unwrap_err();
    assert!(bad.to_string().contains("vertex 1"), "{bad}");
    let huge = LoopSurface::new(&[[0, 1, 2]], &[[0.0; 3], [f64::MAX; 3], [1.0; 3]], 1).unwrap_err();
    assert_eq!(huge, Error::ControlRange { point: 1 });
    // Nothing to subdivide, and a loose control point.
    assert_eq!(LoopSurface::new(&[], &points(2), 40).unwrap().rest(), points(2));
    let loose = LoopSurface::new(&[[0, 1, 2]], &points(4), 2).unwrap();
    assert!(loose.rest().contains(&points(4)[3]));
}

#[test]
fn subdivision_that_is_too_large_is_refused() {
    let (faces, points) = fan(4000, true);
    let error = LoopSurface::new(&faces, &points, 4).unwrap_err();
    assert!(matches!(error, Error::LoopSize { level: 2..=4, .. }), "{error}");
}

#[test]
fn bad_particles_are_named() {
    let rest = [[0.0; 3], [1.0, 0.0, 0.0], [5.0, 0.0, 0.0]];
    let at = |x: f64, radius: f64| Particle { center: [x, 0.0, 0.0], radius };
    let error = |particles: &[Particle]| Particles::new(particles, &rest).unwrap_err();
    assert_eq!(error(&[at(0.0, 4.0)]), Error::VertexWithoutParticle { vertex: 2 });
    assert_eq!(error(&[at(0.0, 5.0)]), Error::VertexWithoutParticle { vertex: 2 });
    assert_eq!(error(&[]), Error::VertexWithoutParticle { vertex: 0 });
    assert_eq!(error(&[at(0.0, 9.0), at(20.0, 1.0)]), Error::IdleParticle { particle: 1 });
    for radius in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(error(&[at(0.0, 9.0), at(0.0, radius)]), Error::ParticleRadius { particle: 1, radius });
    }
    assert!(matches!(error(&[at(0.0, f64::NAN)]), Error::ParticleRadius { particle: 0, .. }));
    let expected = Error::ParticleNotFinite { particle: 1, axis: 0, value: f64::INFINITY };
    assert_eq!(error(&[at(0.0, 9.0), at(f64::INFINITY, 1.0)]), expected);
    let bad = Particles::new(&[at(0.0, 9.0)], &[[0.0; 3], [0.0, 0.0, f64::NAN]]).unwrap_err();
    assert!(bad.to_string().contains("vertex 1"), "{bad}");
}

#[test]
fn bad_modes_are_named() {
    let rest = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let good = vec![[1.0; 3]; 3];
    let error = |modes: &[Vec<[f64; 3]>]| Modes::new(&rest, modes).unwrap_err();
    let expected = Error::ModeLength { mode: 1, given: 2, vertices: 3 };
    assert_eq!(error(&[good.clone(), vec![[1.0; 3]; 2]]), expected);
    let bad = vec![[1.0; 3], [0.0, f64::INFINITY, 0.0], [1.0; 3]];
    let expected = Error::ModeNotFinite { mode: 1, vertex: 1, axis: 1, value: f64::INFINITY };
    assert_eq!(error(&[good.clone(), bad.clone()]), expected);
    let skin = Skin::new(1, &rest, [[(0, 1.0)]; 3]).unwrap();
    assert_eq!(Modes::under(skin, &[good, bad]).unwrap_err(), expected);
}

#[test]
fn bad_parameters_are_named() {
    let identity: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let rest = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let model = |deformer: AnyDeformer| {
        let mesh = Mesh::new(vec![[0, 1, 2]], 3).unwrap();
        Model::new(mesh, &rest).unwrap().with_deformer(deformer).map(Arc::new)
    };
    let add = |model: &Arc<Model>, parameters: &[f64]| {
        World::new().add(model.clone(), Pose::parameters(parameters))
    };
    let check = |model: &Arc<Model>, parameters: &[f64], expected: &Error| {
        assert_eq!(add(model, parameters).as_ref(), Err(expected));
    };

    let surface = LoopSurface::new(&[[0, 1, 2]], &rest, 0).unwrap();
    let of_loop = model(surface.clone().into()).unwrap();
    assert!(World::new().add(of_loop.clone(), surface.pose(&rest)).is_ok());
    check(&of_loop, &[0.0; 8], &Error::ParameterCount { given: 8, parameters: 9 });
    let mut points = rest;
    points[2][1] = f64::NAN;
    check(&of_loop, points.as_flattened(), &Error::ControlRange { point: 2 });

    let particles = Particles::new(&[Particle { center: [0.5; 3], radius: 3.0 }; 2], &rest).unwrap();
    let of_particles = model(particles.clone().into()).unwrap();
    assert!(World::new().add(of_particles.clone(), particles.pose(&[identity; 2])).is_ok());
    check(&of_particles, &[0.0; 12], &Error::ParameterCount { given: 12, parameters: 24 });
    for bad in [f64::NAN, f64::INFINITY, f64::MAX] {
        let mut maps = [identity; 2];
        maps[1][0][2] = bad;
        check(&of_particles, maps.as_flattened().as_flattened(), &Error::ParticleRange { particle: 1 });
    }

    let modes = Modes::new(&rest, &[[[1.0; 3]; 3], [[2.0; 3]; 3]]).unwrap();
    let of_modes = model(modes.clone().into()).unwrap();
    assert!(World::new().add(of_modes.clone(), modes.pose(&[], &[0.5, -0.5])).is_ok());
    check(&of_modes, &[0.0], &Error::ParameterCount { given: 1, parameters: 2 });
    let is_named = |found: Result<BodyId, Error>| matches!(found, Err(Error::AmplitudeRange { mode: 1, .. }));
    for bad in [f64::NAN, f64::NEG_INFINITY, f64::MAX] {
        assert!(is_named(add(&of_modes, &[1.0, bad])), "{bad}");
    }
    let skin = Skin::new(1, &rest, [[(0, 1.0)]; 3]).unwrap();
    let modes = Modes::under(skin, &[[[1.0; 3]; 3]; 2]).unwrap();
    let of_modes = model(modes.clone().into()).unwrap();
    assert!(World::new().add(of_modes.clone(), modes.pose(&[identity], &[0.5, -0.5])).is_ok());
    check(&of_modes, &[0.0; 13], &Error::ParameterCount { given: 13, parameters: 14 });
    let mut parameters = [identity.as_flattened(), &[0.5, f64::NAN]].concat();
    assert!(is_named(add(&of_modes, &parameters)));
    parameters[13] = 0.5;
    parameters[0] = f64::NAN;
    check(&of_modes, &parameters, &Error::BoneRange { bone: 0 });

    // Made for another number of vertices.
    let other = LoopSurface::new(&[[0, 1, 2]], &rest, 1).unwrap();
    let found = model(other.into()).map(|_| ());
    assert_eq!(found, Err(Error::OtherDeformer { deformer: 6, vertices: 3 }));
}
