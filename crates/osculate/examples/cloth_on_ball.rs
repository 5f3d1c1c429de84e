//! A sheet falls onto a ball and a floor, and onto itself: 500 steps without a crossing, with and
//! without a minimum separation.
//!
//! `cargo run --release --example cloth_on_ball [STEPS]`
//!
//! Each step is planned by a small position-based solver, which pushes apart what
//! [`World::proximities`] finds close, and is then cut to a part of what
//! [`World::largest_free_step`] allows, so that nothing ever touches. If nearly nothing is allowed,
//! only pushes are applied: what moves apart is free to move.

use osculate::{BodyId, BodySettings, Error, Mesh, Model, Proximity, Query, World};
use std::sync::Arc;

type Vector = [f64; 3];

/// Number of quads along a side of the sheet.
const N: usize = 24;
const TIME: f64 = 1.0 / 100.0;
/// Part of the free step that is taken: what is left keeps features apart.
const PART: f64 = 0.8;

fn add(a: Vector, s: f64, b: Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A grid of vertices and its triangles.
fn grid(n: usize, m: usize, place: impl Fn(f64, f64) -> Vector) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let vertex = |i: usize| place((i / (m + 1)) as f64 / n as f64, (i % (m + 1)) as f64 / m as f64);
    let quads = (0..n * m).map(|i| ((i / m) * (m + 1) + i % m) as u32);
    let row = m as u32 + 1;
    let faces = quads.flat_map(|v| [[v, v + 1, v + row], [v + 1, v + row + 1, v + row]]);
    (faces.collect(), (0..(n + 1) * (m + 1)).map(vertex).collect())
}

/// The sheet, and what it may touch.
struct Cloth {
    world: World,
    sheet: BodyId,
    /// Edges of triangles and diagonals of quads, with their lengths at rest.
    links: Vec<(usize, usize, f64)>,
    at: Vec<Vector>,
    velocity: Vec<Vector>,
    /// The minimum separation, and the distance that features are pushed to.
    separation: f64,
    room: f64,
}

impl Cloth {
    fn new(separation: f64) -> Result<Cloth, Error> {
        let mut world = World::new();
        let (faces, at) = grid(N, N, |u, v| [u - 0.45, v - 0.55, 0.35 + 0.01 * (9.0 * u + 5.0 * v).sin()]);
        let mesh = Mesh::new(faces, at.len())?;
        let mut links: Vec<(usize, usize, f64)> = Vec::new();
        let mut link = |a: usize, b: usize| {
            let d = add(at[a], -1.0, at[b]);
            links.push((a, b, dot(d, d).sqrt()));
        };
        mesh.edges().iter().for_each(|&[a, b]| link(a as usize, b as usize));
        (0..N * N).map(|i| (i / N) * (N + 1) + i % N).for_each(|v| link(v, v + N + 2));
        let sheet = world.add(Arc::new(Model::new(mesh, &at)?), &at)?;
        let ball = grid(12, 24, |u, v| {
            let ((s, z), (y, x)) = ((3.0 * u + 0.07).sin_cos(), (std::f64::consts::TAU * v).sin_cos());
            [0.25 * s * x, 0.25 * s * y, 0.25 * z]
        });
        let floor = grid(6, 6, |u, v| [3.0 * u - 1.5, 3.0 * v - 1.5, -0.3]);
        for (faces, points) in [ball, floor] {
            let model = Arc::new(Model::new(Mesh::new(faces, points.len())?, &points)?);
            world.add_with(model, &points, BodySettings::new().is_static(true).self_contact(false))?;
        }
        let velocity = vec![[0.0; 3]; at.len()];
        let room = if separation == 0.0 { 4e-3 } else { 1.5 * separation };
        Ok(Cloth { world, sheet, links, at, velocity, separation, room })
    }

    /// Pushes close features apart, to the distance that leaves room, in `next`.
    fn push(&self, close: &[Proximity], next: &mut [Vector]) {
        for near in close {
            let n_first = if near.key.kind == osculate::narrow::Kind::VertexFace { 1 } else { 2 };
            let side = |k: usize| usize::from(n_first <= k);
            let is_sheet = |k: usize| near.key.bodies[side(k)] == self.sheet;
            let sign = |k: usize| if k < n_first { near.at.weights[k] } else { -near.at.weights[k] };
            // How the gap changes, by the vertices of the sheet alone; others do not move.
            let (mut gap, mut moving) = (near.at.distance, 0.0);
            for k in (0..4).filter(|&k| is_sheet(k)) {
                let vertex = near.vertices[k] as usize;
                gap += sign(k) * dot(near.at.normal, add(next[vertex], -1.0, self.at[vertex]));
                moving += sign(k) * sign(k);
            }
            let missing = self.room - gap;
            if 0.0 < missing && 0.0 < moving {
                for k in (0..4).filter(|&k| is_sheet(k)) {
                    let vertex = near.vertices[k] as usize;
                    next[vertex] = add(next[vertex], missing * sign(k) / moving, near.at.normal);
                }
            }
        }
    }

    /// Advances by a step. Returns the part of the planned motion that was made.
    fn step(&mut self) -> Result<f64, Error> {
        let close = self.world.proximities(2.0 * self.room, &Query::all())?.found;
        let mut next: Vec<Vector> = self.at.clone();
        for (p, v) in next.iter_mut().zip(&self.velocity) {
            *p = add(add(*p, 0.995 * TIME, *v), -9.81 * TIME * TIME, [0.0, 0.0, 1.0]);
        }
        for _ in 0..20 {
            for &(a, b, length) in &self.links {
                let d = add(next[a], -1.0, next[b]);
                let excess = 0.5 * (1.0 - length / dot(d, d).sqrt().max(1e-9));
                (next[a], next[b]) = (add(next[a], -excess, d), add(next[b], excess, d));
            }
            self.push(&close, &mut next);
        }
        let query = Query::all().min_separation(self.separation);
        let mut free = self.world.largest_free_step(&[(self.sheet, &next)], &query)?;
        if free.size < 0.05 {
            // What is moved apart is free.
            next.copy_from_slice(&self.at);
            (0..8).for_each(|_| self.push(&close, &mut next));
            free = self.world.largest_free_step(&[(self.sheet, &next)], &query)?;
        }
        // Features may also touch just at the end of the step.
        let (is_whole, part) = (free.limit.is_none(), PART * free.size);
        for ((p, end), v) in self.at.iter_mut().zip(&next).zip(&mut self.velocity) {
            let moved = if is_whole { *end } else { add(*p, part, add(*end, -1.0, *p)) };
            *v = add(moved, -1.0, *p).map(|x| x / TIME);
            *p = moved;
        }
        self.world.set_pose(self.sheet, &self.at)?;
        Ok(if is_whole { 1.0 } else { part })
    }
}

fn main() -> Result<(), Error> {
    let n_steps: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(500);
    for separation in [0.0, 4e-3] {
        let mut cloth = Cloth::new(separation)?;
        let (mut parts, mut crossings) = (Vec::new(), 0);
        for _ in 0..n_steps {
            parts.push(cloth.step()?);
            crossings += cloth.world.crossings(&Query::any())?.count;
        }
        let mean = cloth.at.iter().map(|p| p[2]).sum::<f64>() / cloth.at.len() as f64;
        let close = cloth.world.proximities(2.0 * cloth.room, &Query::count())?.count;
        let whole = parts.iter().filter(|&&part| part == 1.0).count();
        let all: f64 = parts.iter().sum::<f64>() / n_steps as f64;
        let stalled = parts.chunks(10).filter(|parts| parts.iter().sum::<f64>() < 0.1).count();
        println!(
            "separation {separation}: {whole} of {n_steps} steps whole, {all:.2} of all motion made; \
             {stalled} times ten steps that made less than a hundredth of theirs; {crossings} crossings"
        );
        println!("    mean height {mean:.3}, {close} close pairs of features");
        assert_eq!(crossings, 0, "the sheet crosses something");
    }
    Ok(())
}
