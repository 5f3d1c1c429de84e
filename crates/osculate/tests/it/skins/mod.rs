//! Random bodies with bones, and worlds of them: every kind of surface, weight and bone that is
//! legal.

use crate::common::{Rng, ball, ring, vector};
use osculate::{Affine, BodyId, BodySettings, Build, Mesh, Model, Pose, Skin, Split, World};
use std::sync::Arc;

/// A pose of a body.
#[derive(Clone, Debug)]
pub(crate) enum Frame {
    Bones(Vec<Affine>),
    Vertices(Vec<[f64; 3]>),
}

impl Frame {
    pub(crate) fn pose(&self) -> Pose<'_> {
        match self {
            Frame::Bones(bones) => bones.into(),
            Frame::Vertices(vertices) => vertices.into(),
        }
    }

    /// The same pose, by vertices.
    pub(crate) fn vertices(&self, skin: &Skin) -> Frame {
        match self {
            Frame::Bones(bones) => Frame::Vertices(skin.pose(bones)),
            Frame::Vertices(_) => self.clone(),
        }
    }
}

/// A body of a random world, and its next pose; it rests without one.
#[derive(Clone)]
pub(crate) struct Body {
    pub(crate) model: Arc<Model>,
    /// The skin of the model, or the one that it would have.
    pub(crate) skin: Arc<Skin>,
    pub(crate) settings: BodySettings,
    pub(crate) start: Frame,
    pub(crate) end: Option<Frame>,
}

/// The scale and position of everything in a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) scale: f64,
    pub(crate) offset: [f64; 3],
}

impl Place {
    pub(crate) const PLAIN: Place = Place { scale: 1.0, offset: [0.0; 3] };

    /// Of unit size in most; tiny, large or far away in some; beyond the range of f32 in few.
    pub(crate) fn random(rng: &mut Rng) -> Place {
        let far = |rng: &mut Rng| vector(|| rng.pick(&[1e6, -1e6, 0.0]));
        match rng.below(16) {
            0 | 1 => Place { scale: 1e-6, ..Place::PLAIN },
            2 | 3 => Place { scale: 1e6, ..Place::PLAIN },
            4 | 5 => Place { offset: far(rng), ..Place::PLAIN },
            6 => Place { scale: rng.pick(&[2f64.powi(-170), 2f64.powi(150)]), ..Place::PLAIN },
            _ => Place::PLAIN,
        }
    }

    /// Maps from the neighborhood of the origin to this place.
    fn put(&self, map: &Affine) -> Affine {
        let mut map = map.map(|row| row.map(|x| self.scale * x));
        (0..3).for_each(|i| map[i][3] += self.offset[i]);
        map
    }
}

/// A surface: closed or open, a soup, one triangle or none; with duplicate vertices, loose ones,
/// and triangles without area.
fn surface(rng: &mut Rng) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let points = |rng: &mut Rng, n: u64| (0..n).map(|_| vector(|| rng.signed())).collect::<Vec<_>>();
    let (faces, mut rest) = match rng.below(12) {
        0 => (vec![[0, 1, 2]], points(rng, 3)),
        1 => {
            let n = rng.below(4);
            (vec![], points(rng, n))
        }
        2 | 3 => ball(0),
        4 => ball(1),
        5 => ring(5, 4),
        6 | 7 => sheet(2 + rng.below(2) as u32, 2 + rng.below(3) as u32),
        8 => sheet(8, 1),
        9 => ((2..7).map(|v| [0, 1, v]).collect(), points(rng, 7)),
        _ => {
            let face = |rng: &mut Rng| loop {
                let [a, b, c] = [0; 3].map(|_| rng.below(10) as u32);
                if a != b && b != c && c != a {
                    return [a, b, c];
                }
            };
            let mut faces: Vec<[u32; 3]> = (0..9).map(|_| face(rng)).collect();
            faces.push(faces[0]);
            (faces, points(rng, 10))
        }
    };
    let n = rest.len() as u64;
    if rng.one_in(3) {
        let stretch = vector(|| rng.pick(&[0.1, 0.5, 1.0, 2.0]));
        rest.iter_mut().for_each(|p| *p = std::array::from_fn(|i| p[i] * stretch[i]));
    }
    if rng.one_in(3) {
        rest.iter_mut().for_each(|p| *p = p.map(|x| (2.0 * x).round() / 2.0));
    }
    if 1 < n && rng.one_in(4) {
        for _ in 0..=rng.below(3) {
            rest[rng.below(n) as usize] = rest[rng.below(n) as usize];
        }
    }
    if rng.one_in(4) {
        let far = rng.pick(&[1.0, 100.0]);
        rest.push(vector(|| far * rng.signed()));
    }
    (faces, rest)
}

/// A sheet of n times m squares, two units long.
fn sheet(n: u32, m: u32) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let quads = (0..n * m).map(|i| (i / m) * (m + 1) + i % m);
    let faces = quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
    let side = |i: u32, n: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let rest =
        (0..(n + 1) * (m + 1)).map(|i| [side(i / (m + 1), n), 0.5 * side(i % (m + 1), m), 0.0]).collect();
    (faces, rest)
}

/// Some bones with positive weights that sum to one up to rounding; in few cases a bone occurs
/// twice.
fn some_bones(rng: &mut Rng, n_bones: u64) -> Vec<(u32, f64)> {
    let n = 1 + rng.below(5.min(n_bones));
    let mut bones: Vec<u32> = Vec::new();
    while bones.len() < n as usize {
        let bone = rng.below(n_bones) as u32;
        if !bones.contains(&bone) || rng.one_in(8) {
            bones.push(bone);
        }
    }
    let sharp = rng.integer(1, 6);
    let shares: Vec<f64> = bones.iter().map(|_| (0.01 + rng.unit()).powi(sharp)).collect();
    let sum: f64 = shares.iter().sum();
    bones.into_iter().zip(shares).map(|(bone, share)| (bone, share / sum)).collect()
}

/// Bones and weights of each vertex: rigid parts, smooth joints, or random; in some rounded to f32
/// or to bytes.
fn influences(rng: &mut Rng, rest: &[[f64; 3]], n_bones: u64) -> Vec<Vec<(u32, f64)>> {
    let kind = rng.below(8);
    let rounding = rng.below(4);
    let of_all = some_bones(rng, n_bones);
    let mut of_vertex = |p: &[f64; 3]| -> Vec<(u32, f64)> {
        // Along x, from the first bone to the last.
        let along = (0.5 * (p[0] + 1.0)).clamp(0.0, 1.0) * (n_bones - 1) as f64;
        let (bone, rest) = (along.floor() as u32, along.fract());
        match kind {
            0 => vec![(along.round() as u32, 1.0)],
            1 | 2 if (bone as u64) < n_bones - 1 => vec![(bone, 1.0 - rest), (bone + 1, rest)],
            1 | 2 => vec![(bone, 1.0)],
            3 => of_all.clone(),
            4 => {
                let mut bones = some_bones(rng, n_bones);
                bones.iter_mut().for_each(|entry| entry.1 = 0.0);
                let n = bones.len() as u64;
                bones[rng.below(n) as usize].1 = 1.0;
                bones
            }
            _ => some_bones(rng, n_bones),
        }
    };
    let round = |exact: Vec<(u32, f64)>| -> Vec<(u32, f64)> {
        let rounded: Vec<(u32, f64)> = match rounding {
            0 => exact.iter().map(|&(bone, weight)| (bone, f64::from(weight as f32))).collect(),
            1 => exact.iter().map(|&(bone, weight)| (bone, (255.0 * weight).round() / 255.0)).collect(),
            _ => return exact,
        };
        let sum: f64 = rounded.iter().map(|entry| entry.1).sum();
        if (sum - 1.0).abs() < 1.0 / 128.0 { rounded } else { exact }
    };
    rest.iter().map(|p| round(of_vertex(p))).collect()
}

/// A model with a skin, and the skin; few models have no skin, or one for a different shape than
/// the tree was built for.
fn model(rng: &mut Rng) -> (Arc<Model>, Arc<Skin>) {
    let (faces, rest) = surface(rng);
    let n_bones = 1 + rng.below(9);
    let skin = Skin::new(n_bones as usize, &rest, influences(rng, &rest, n_bones)).unwrap();
    let mesh = Mesh::new(faces, rest.len()).unwrap();
    let split = rng.pick(&[Split::Median, Split::SurfaceArea, Split::ConnectedPatches]);
    let how = Build { split, arity: rng.integer(2, 4) as usize };
    let built_for =
        if rng.one_in(8) { rest.iter().map(|&[x, y, z]| [z, 9.0 * x, y]).collect() } else { rest };
    let model = Model::with_build(mesh, &built_for, &how).unwrap();
    let model = if rng.one_in(10) { model } else { model.with_skin(skin.clone()).unwrap() };
    (Arc::new(model), Arc::new(skin))
}

/// The linear map of a turn.
fn turn(rng: &mut Rng) -> [[f64; 3]; 3] {
    let q: [f64; 4] = std::array::from_fn(|_| rng.signed() + 1e-3);
    let s = 2.0 / q.iter().map(|x| x * x).sum::<f64>();
    let [w, x, y, z] = q;
    [
        [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
    ]
}

/// A bone of any kind: rigid, scaled, sheared, singular, mirrored, with integer entries, tiny,
/// huge, or far away.
fn bone(rng: &mut Rng) -> Affine {
    let mut linear = turn(rng);
    let mut translation = vector(|| 1.2 * rng.signed());
    match rng.below(11) {
        0 => linear = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        1 => {
            let scale = rng.pick(&[0.3, 0.7, 1.5, 3.0]);
            linear = linear.map(|row| row.map(|x| scale * x));
        }
        2 | 3 => linear = std::array::from_fn(|_| vector(|| 1.5 * rng.signed())),
        4 => {
            // Onto a plane, a line or a point.
            let kept = rng.below(3) as usize;
            linear[kept..].iter_mut().for_each(|row| *row = [0.0; 3]);
            if rng.one_in(2) {
                linear[2] = linear[0];
            }
        }
        5 => linear.iter_mut().for_each(|row| row[0] = -row[0]),
        6 | 7 => {
            linear = std::array::from_fn(|_| vector(|| rng.whole(-1, 1)));
            translation = vector(|| rng.whole(-1, 1));
        }
        8 if rng.one_in(2) => {
            let scale = rng.pick(&[1e-6, 1e6]);
            linear = linear.map(|row| row.map(|x| scale * x));
        }
        9 if rng.one_in(2) => translation[rng.below(3) as usize] = rng.pick(&[1e6, -1e6]),
        _ => {}
    }
    std::array::from_fn(|i| [linear[i][0], linear[i][1], linear[i][2], translation[i]])
}

/// A map that differs by about `amount`.
fn shaken(rng: &mut Rng, map: &Affine, amount: f64) -> Affine {
    map.map(|row| row.map(|x| x + amount * rng.signed()))
}

/// The bones of a body: all similar, all the same, or independent.
fn bones(rng: &mut Rng, n: usize, place: &Place) -> Vec<Affine> {
    let first = bone(rng);
    let kind = rng.below(8);
    let bend = rng.pick(&[0.01, 0.1, 0.4]);
    let mut bones = Vec::new();
    for _ in 0..n {
        let next = match kind {
            0 => first,
            1..5 => shaken(rng, &first, bend),
            _ if !bones.is_empty() && rng.one_in(4) => rng.pick(&bones),
            _ => bone(rng),
        };
        bones.push(next);
    }
    bones.iter().map(|map| place.put(map)).collect()
}

/// A pose of a body.
pub(crate) fn frame(rng: &mut Rng, body: &Body, by_bones: bool, place: &Place) -> Frame {
    let bones = Frame::Bones(bones(rng, body.skin.n_bones(), place));
    if by_bones && body.model.skin().is_some() { bones } else { bones.vertices(&body.skin) }
}

/// The next pose of a body: unchanged, slightly moved, far away, moved by integers, or anywhere.
pub(crate) fn next(rng: &mut Rng, body: &Body, place: &Place) -> Frame {
    if rng.one_in(6) {
        return frame(rng, body, matches!(body.start, Frame::Bones(_)), place);
    }
    let by = place.scale * rng.pick(&[0.0, 0.02, 0.2, 1.0]);
    let shift = rng.one_in(4).then(|| vector(|| place.scale * rng.whole(-1, 1)));
    match &body.start {
        Frame::Bones(bones) => {
            let mut of_bone = |map: &Affine| match shift {
                Some(d) => std::array::from_fn(|i| [map[i][0], map[i][1], map[i][2], map[i][3] + d[i]]),
                None if rng.one_in(3) => *map,
                None => shaken(rng, map, by),
            };
            Frame::Bones(bones.iter().map(&mut of_bone).collect())
        }
        Frame::Vertices(vertices) => {
            let mut of_vertex = |p: &[f64; 3]| match shift {
                Some(d) => std::array::from_fn(|i| p[i] + d[i]),
                None => p.map(|x| x + by * rng.signed()),
            };
            Frame::Vertices(vertices.iter().map(&mut of_vertex).collect())
        }
    }
}

/// A body posed by bones or, once in five times, by vertices; it may share its model with an
/// earlier one.
pub(crate) fn body(rng: &mut Rng, others: &[Body], place: &Place) -> Body {
    let (model, skin) = if !others.is_empty() && rng.one_in(3) {
        let other = &others[rng.below(others.len() as u64) as usize];
        (other.model.clone(), other.skin.clone())
    } else {
        model(rng)
    };
    let settings = BodySettings::new()
        .is_static(rng.one_in(6))
        .self_contact(!rng.one_in(4))
        .groups(1 << rng.below(2))
        .touches(if rng.one_in(4) { 1 } else { u32::MAX });
    let start = Frame::Vertices(Vec::new());
    let mut body = Body { model, skin, settings, start, end: None };
    let by_bones = !rng.one_in(5);
    body.start = frame(rng, &body, by_bones, place);
    if !rng.one_in(5) {
        body.end = Some(next(rng, &body, place));
    }
    body
}

/// One to six bodies; few in most.
pub(crate) fn bodies(rng: &mut Rng, place: &Place) -> Vec<Body> {
    let n = 1 + rng.below(1 + rng.clone().below(6));
    let mut bodies = Vec::new();
    for _ in 0..n {
        bodies.push(body(rng, &bodies, place));
    }
    bodies
}

/// The same bodies, all by vertices.
pub(crate) fn by_vertices(bodies: &[Body]) -> Vec<Body> {
    let of_body = |body: &Body| Body {
        start: body.start.vertices(&body.skin),
        end: body.end.as_ref().map(|end| end.vertices(&body.skin)),
        ..body.clone()
    };
    bodies.iter().map(of_body).collect()
}

/// A world of bodies at the start of the step.
pub(crate) fn world_of(bodies: &[Body]) -> (World, Vec<BodyId>) {
    let mut world = World::new();
    let add = |body: &Body| world.add_with(body.model.clone(), body.start.pose(), body.settings).unwrap();
    let ids = bodies.iter().map(add).collect();
    (world, ids)
}

/// The next poses of bodies.
pub(crate) fn ends<'a>(bodies: &'a [Body], ids: &[BodyId]) -> Vec<(BodyId, Pose<'a>)> {
    ids.iter().zip(bodies).filter_map(|(&id, body)| Some((id, body.end.as_ref()?.pose()))).collect()
}

/// Whether two bodies, or a body and itself, may touch.
pub(crate) fn may_touch(bodies: &[Body], i: usize, j: usize) -> bool {
    let (a, b) = (bodies[i].settings, bodies[j].settings);
    if i == j {
        a.self_contact && !a.is_static
    } else {
        !(a.is_static && b.is_static) && a.touches & b.groups != 0 && b.touches & a.groups != 0
    }
}

/// A straight tube of n rings of eight, open at its ends, along x from 0 to `length`; with a bone
/// for each unit of length.
pub(crate) fn tube(n: u32, length: u32) -> (Arc<Model>, Arc<Skin>) {
    const CORNERS: [[f64; 2]; 8] = [
        [2.0, 0.0],
        [1.5, 1.5],
        [0.0, 2.0],
        [-1.5, 1.5],
        [-2.0, 0.0],
        [-1.5, -1.5],
        [0.0, -2.0],
        [1.5, -1.5],
    ];
    let m = CORNERS.len() as u32;
    let along = |i: u32| f64::from(i * length) / f64::from(n - 1);
    let ring = |i: u32| CORNERS.map(|[y, z]| [along(i), 0.1 * y, 0.1 * z]);
    let rest: Vec<[f64; 3]> = (0..n).flat_map(ring).collect();
    let quads = (0..(n - 1) * m).map(|k| (k / m, k % m));
    let at = |i: u32, j: u32| i * m + j % m;
    let faces = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    let mesh = Mesh::new(faces.collect(), rest.len()).unwrap();
    let of_vertex = |p: &[f64; 3]| {
        let bone = p[0].floor().min(f64::from(length) - 1.0);
        [(bone as u32, 1.0 - (p[0] - bone)), (bone as u32 + 1, p[0] - bone)]
    };
    let skin = Skin::new(length as usize + 1, &rest, rest.iter().map(of_vertex)).unwrap();
    let model = Model::new(mesh, &rest).unwrap().with_skin(skin.clone()).unwrap();
    (Arc::new(model), Arc::new(skin))
}
