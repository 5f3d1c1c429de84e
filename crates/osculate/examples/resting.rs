//! A sheet falls onto a ball and a floor, and onto itself; soft cubes fall onto each other: 500
//! steps without a crossing, with and without a minimum separation.
//!
//! `cargo run --release --example resting [STEPS]`
//!
//! Each step is planned by a small position-based solver, which pushes apart what
//! [`World::proximities`] finds close, and is then cut to a part of what
//! [`World::largest_free_step`] allows, so that nothing ever touches. If nearly nothing is allowed,
//! only pushes are applied: what moves apart is free to move.
//!
//! After each step, nothing crosses itself or another, nothing is within the separation, and the
//! solver does not stall: of the motion planned for ten steps in a row, at least a tenth is made.

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

/// The surface of a cube with corners at 0 and 1, divided into `n` quads along each edge.
fn cube(n: u32) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let on_surface = |p: &[u32; 3]| p.iter().any(|&x| x == 0 || x == n);
    let all = (0..(n + 1).pow(3)).map(|i| [i % (n + 1), i / (n + 1) % (n + 1), i / (n + 1).pow(2)]);
    let points: Vec<[u32; 3]> = all.filter(on_surface).collect();
    let number = |p: [u32; 3]| points.iter().position(|q| *q == p).map_or(0, |i| i as u32);
    let mut faces = Vec::new();
    for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, n)]) {
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            let corner = |di: u32, dj: u32| {
                let mut p = [side; 3];
                (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (i + di, j + dj);
                number(p)
            };
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
            // Seen from outside, counterclockwise.
            let quad = if side == 0 { [[a, c, b], [b, c, d]] } else { [[a, b, c], [b, d, c]] };
            faces.extend(quad);
        }
    }
    (faces, points.iter().map(|p| p.map(|x| f64::from(x) / f64::from(n))).collect())
}

/// Soft bodies, and what they may touch.
struct Soft {
    name: &'static str,
    world: World,
    /// Each with the number of its first vertex.
    bodies: Vec<(BodyId, usize)>,
    /// Pairs of vertices, with their distances at rest.
    links: Vec<(usize, usize, f64)>,
    at: Vec<Vector>,
    velocity: Vec<Vector>,
    /// The minimum separation, and the distance that features are pushed to.
    separation: f64,
    room: f64,
}

impl Soft {
    fn new(name: &'static str, separation: f64) -> Result<Soft, Error> {
        let room = if separation == 0.0 { 4e-3 } else { 1.5 * separation };
        let mut soft = Soft {
            name,
            world: World::new(),
            bodies: Vec::new(),
            links: Vec::new(),
            at: Vec::new(),
            velocity: Vec::new(),
            separation,
            room,
        };
        soft.add_fixed(grid(6, 6, |u, v| [3.0 * u - 1.5, 3.0 * v - 1.5, -0.3]))?;
        Ok(soft)
    }

    /// A sheet above a ball.
    fn sheet(separation: f64) -> Result<Soft, Error> {
        let mut soft = Soft::new("sheet on a ball", separation)?;
        soft.add_fixed(grid(12, 24, |u, v| {
            let ((s, z), (y, x)) = ((3.0 * u + 0.07).sin_cos(), (std::f64::consts::TAU * v).sin_cos());
            [0.25 * s * x, 0.25 * s * y, 0.25 * z]
        }))?;
        let wave = |u: f64, v: f64| 0.35 + 0.01 * (9.0 * u + 5.0 * v).sin();
        // Diagonals resist shear.
        let diagonals = (0..N * N).map(|i| (i / N) * (N + 1) + i % N).map(|v| (v, v + N + 2));
        soft.add(grid(N, N, |u, v| [u - 0.45, v - 0.55, wave(u, v)]), diagonals)?;
        Ok(soft)
    }

    /// Three cubes above each other, each a little aside.
    fn cubes(separation: f64) -> Result<Soft, Error> {
        let mut soft = Soft::new("three soft cubes", separation)?;
        for k in 0..3 {
            let (faces, unit) = cube(5);
            // Struts between vertices that face each other keep the volume.
            let mirrored =
                |p: Vector, flip: u32| [0, 1, 2].map(|i| if flip >> i & 1 == 1 { 1.0 - p[i] } else { p[i] });
            let find = |p: Vector| unit.iter().position(|q| dot(add(*q, -1.0, p), add(*q, -1.0, p)) < 1e-9);
            let pairs = (0..unit.len()).flat_map(|v| (1..8).map(move |flip| (v, flip)));
            let strut = |(v, flip): (usize, u32)| Some((v, find(mirrored(unit[v], flip))?));
            let struts: Vec<(usize, usize)> = pairs.filter_map(strut).filter(|&(a, b)| a < b).collect();
            let height = -0.25 + 0.4 * f64::from(k);
            let place = |p: &Vector| {
                [0.3 * p[0] + 0.07 * f64::from(k), 0.3 * p[1] - 0.04 * f64::from(k), 0.3 * p[2] + height]
            };
            let at = unit.iter().map(place).collect();
            soft.add((faces, at), struts)?;
        }
        Ok(soft)
    }

    fn add_fixed(&mut self, (faces, points): (Vec<[u32; 3]>, Vec<Vector>)) -> Result<(), Error> {
        let model = Arc::new(Model::new(Mesh::new(faces, points.len())?, &points)?);
        self.world.add_with(model, &points, BodySettings::new().is_static(true).self_contact(false))?;
        Ok(())
    }

    /// Adds a body whose edges keep their lengths, and so do further pairs of its vertices.
    fn add(
        &mut self,
        (faces, points): (Vec<[u32; 3]>, Vec<Vector>),
        more: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<(), Error> {
        let mesh = Mesh::new(faces, points.len())?;
        let first = self.at.len();
        let edges: Vec<(usize, usize)> =
            mesh.edges().iter().map(|&[a, b]| (a as usize, b as usize)).collect();
        for (a, b) in edges.into_iter().chain(more) {
            let d = add(points[a], -1.0, points[b]);
            self.links.push((first + a, first + b, dot(d, d).sqrt()));
        }
        let body = self.world.add(Arc::new(Model::new(mesh, &points)?), &points)?;
        self.bodies.push((body, first));
        self.velocity.resize(first + points.len(), [0.0; 3]);
        self.at.extend(points);
        Ok(())
    }

    /// The poses of the bodies at given positions of all vertices.
    fn poses<'a>(&self, at: &'a [Vector]) -> Vec<(BodyId, &'a [Vector])> {
        let ends = self.bodies.iter().skip(1).map(|&(_, first)| first).chain([at.len()]);
        self.bodies.iter().zip(ends).map(|(&(body, first), end)| (body, &at[first..end])).collect()
    }

    /// Pushes close features apart, to the distance that leaves room, in `next`.
    fn push(&self, close: &[Proximity], next: &mut [Vector]) {
        for near in close {
            let n_first = if near.key.kind == osculate::narrow::Kind::VertexFace { 1 } else { 2 };
            let sign = |k: usize| if k < n_first { near.at.weights[k] } else { -near.at.weights[k] };
            // The vertices that move, with their weights: positive ones increase the gap.
            let mut moving = Vec::with_capacity(4);
            for k in 0..4 {
                let body = near.key.bodies[usize::from(n_first <= k)];
                if let Some(&(_, first)) = self.bodies.iter().find(|soft| soft.0 == body) {
                    moving.push((first + near.vertices[k] as usize, sign(k)));
                }
            }
            let moved =
                |&(v, sign): &(usize, f64)| sign * dot(near.at.normal, add(next[v], -1.0, self.at[v]));
            let missing = self.room - near.at.distance - moving.iter().map(moved).sum::<f64>();
            let squared: f64 = moving.iter().map(|(_, sign)| sign * sign).sum();
            if 0.0 < missing && 0.0 < squared {
                for (v, sign) in moving {
                    next[v] = add(next[v], missing * sign / squared, near.at.normal);
                }
            }
        }
    }

    /// Advances by a step. Returns the part of the planned motion that was made: of the way that
    /// the solver planned, how far the bodies went along it.
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
        let planned = next.clone();
        let mut free = self.world.largest_free_step(&self.poses(&next), &query)?;
        if free.size < 0.05 {
            // What is moved apart is free.
            next.copy_from_slice(&self.at);
            (0..8).for_each(|_| self.push(&close, &mut next));
            free = self.world.largest_free_step(&self.poses(&next), &query)?;
        }
        // Features may also touch just at the end of the step.
        let (is_whole, part) = (free.limit.is_none(), PART * free.size);
        let (mut made, mut wanted) = (0.0, 0.0);
        for (((p, end), plan), v) in self.at.iter_mut().zip(&next).zip(&planned).zip(&mut self.velocity) {
            let moved = if is_whole { *end } else { add(*p, part, add(*end, -1.0, *p)) };
            let (way, plan) = (add(moved, -1.0, *p), add(*plan, -1.0, *p));
            (made, wanted) = (made + dot(way, plan), wanted + dot(plan, plan));
            *v = way.map(|x| x / TIME);
            *p = moved;
        }
        let poses = self.poses(&self.at);
        self.world.set_poses(&poses)?;
        Ok(if 0.0 < wanted { made / wanted } else { 1.0 })
    }
}

fn main() -> Result<(), Error> {
    let n_steps: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(500);
    run_all(n_steps)
}

fn run_all(n_steps: usize) -> Result<(), Error> {
    for make in [Soft::sheet, Soft::cubes] {
        for separation in [0.0, 4e-3] {
            run(make(separation)?, n_steps)?;
        }
    }
    Ok(())
}

/// Runs the steps, checks each, and tells how they went.
fn run(mut soft: Soft, n_steps: usize) -> Result<(), Error> {
    let Soft { name, separation, .. } = soft;
    let mut parts = Vec::new();
    for step in 0..n_steps {
        parts.push(soft.step()?);
        // Bodies with themselves, and with each other.
        let crossings = soft.world.crossings(&Query::any())?.count;
        let close = soft.world.proximities(separation, &Query::any())?.count;
        assert_eq!((crossings, close), (0, 0), "{name}, separation {separation}, step {step}");
    }
    let mean = soft.at.iter().map(|p| p[2]).sum::<f64>() / soft.at.len() as f64;
    let close = soft.world.proximities(2.0 * soft.room, &Query::count())?.count;
    let nearly_whole = parts.iter().filter(|&&part| 0.99 < part).count();
    let all = parts.iter().sum::<f64>() / n_steps as f64;
    let least = parts.windows(10).map(|ten| ten.iter().sum::<f64>() / 10.0).fold(1.0, f64::min);
    println!(
        "{name}, separation {separation}: {nearly_whole} of {n_steps} steps whole; {all:.2} of the \
         planned motion made, {least:.2} in the worst ten steps; mean height {mean:.3}, {close} close \
         pairs of features"
    );
    assert!(0.1 < least, "{name}, separation {separation}: it stalls");
    Ok(())
}

#[cfg(test)]
mod tests {
    /// Long enough for the sheet to touch the ball, and for the cubes to touch each other.
    #[test]
    fn nothing_crosses_or_stalls() {
        super::run_all(60).unwrap();
    }
}
