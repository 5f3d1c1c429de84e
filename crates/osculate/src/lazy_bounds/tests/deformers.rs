//! Bounds contain the vertices of Loop surfaces, particles and modes at random poses, and are tight
//! where the surface only moves.

use super::{Case, KINDS, Random, Vector, apply, bone, check, influences};
use crate::deformer::{LoopSurface, Modes, Particle, Particles};
use crate::lazy_bounds::balls::{Ball, Gathered};
use crate::lazy_bounds::bound::Bound;
use crate::lazy_bounds::boxes::BoxBound;
use crate::lazy_bounds::maps::Maps;
use crate::lazy_bounds::parts::{Influences, Parts};
use crate::motion::{Deformer, Line, Placement};
use crate::{Affine, Skin};

/// The node of some vertices at two poses by parameters; `None` if a pose leaves the range of f64.
fn case_of(deformer: Box<dyn Deformer>, vertices: &[u32], poses: &[Vec<f64>; 2]) -> Option<Case> {
    let governors = deformer.governors().unwrap();
    let mut parts = Parts::default();
    parts.push(&Influences::new(governors), governors.rest(), &mut vertices.to_vec());
    let mut maps = [Maps::default(), Maps::default()];
    let mut ends = [Vec::new(), Vec::new()];
    for k in 0..2 {
        deformer.check(&poses[k]).ok()?;
        let amplitudes = deformer.amplitudes(&poses[k]);
        maps[k].set(&deformer.maps(&poses[k]), amplitudes, governors, parts.most_joints());
        let mut lines = vec![Line([0.0; 8]); deformer.n_vertices()];
        Placement::new(lines.len(), &poses[k]).place_all(&*deformer, &mut lines);
        ends[k] = vertices.iter().map(|&v| lines[v as usize].end(0)).collect();
    }
    Some(Case { deformer, parts, maps, ends })
}

/// The vertices near a random one; all, few, or one.
fn some_vertices(r: &mut Random, rest: &[Vector]) -> Vec<u32> {
    let from = rest[r.below(rest.len())];
    let mut vertices: Vec<u32> = (0..rest.len() as u32).collect();
    vertices.sort_by(|&a, &b| {
        let apart = |v: u32| super::distance(rest[v as usize], from);
        apart(a).total_cmp(&apart(b))
    });
    let n = [1, 3, 6, 20, rest.len()][r.below(5)];
    vertices.truncate(n);
    vertices
}

/// A control mesh: a sheet, a closed surface, or a fan around a vertex of any valence.
fn control_mesh(r: &mut Random, size: f64) -> (Vec<[u32; 3]>, Vec<Vector>) {
    let (triangles, points): (Vec<[u32; 3]>, Vec<Vector>) = match r.below(4) {
        0 => (
            vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [5, 2, 1], [5, 3, 2], [5, 4, 3], [5, 1, 4]],
            vec![
                [0.0, 0.0, 1.0],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [-1.0, 0.0, 0.0],
                [0.0, -1.0, 0.0],
                [0.0, 0.0, -1.0],
            ],
        ),
        1 => {
            let n = 3 + r.below(9) as u32;
            let rim = (0..n).map(|k| {
                let angle = f64::from(k) * std::f64::consts::TAU / f64::from(n);
                [angle.cos(), angle.sin(), 0.2]
            });
            let is_closed = r.below(2) == 0;
            let last = if is_closed { n } else { n - 1 };
            (
                (0..last).map(|k| [0, 1 + k, 1 + (k + 1) % n]).collect(),
                std::iter::once([0.0; 3]).chain(rim).collect(),
            )
        }
        _ => {
            let (n, m) = (1 + r.below(5) as u32, 1 + r.below(4) as u32);
            let quads = (0..n * m).map(|i| (i / m) * (m + 1) + i % m);
            let triangles =
                quads.flat_map(|v| [[v, v + 1, v + m + 1], [v + 1, v + m + 2, v + m + 1]]).collect();
            let at = |i: u32| [f64::from(i / (m + 1)), f64::from(i % (m + 1)), 0.0];
            (triangles, (0..(n + 1) * (m + 1)).map(at).collect())
        }
    };
    let (shake, away) = ([0.0, 0.1, 0.4][r.below(3)], size * r.magnitude(-3.0, 3.0));
    let middle = r.vector(away);
    let place = |p: &Vector, r: &mut Random| {
        let d = r.vector(shake);
        std::array::from_fn(|i| middle[i] + size * (p[i] + d[i]))
    };
    (triangles, points.iter().map(|p| place(p, r)).collect())
}

#[test]
fn loop_surfaces_are_in_their_bounds() {
    let mut r = Random::new(11);
    let (mut n_finite, mut n_infinite) = (0, 0);
    for round in 0..20_000 {
        let size = if round % 5 == 0 { r.magnitude(-30.0, 30.0) } else { r.magnitude(-3.0, 3.0) };
        let (triangles, control) = control_mesh(&mut r, size);
        let Ok(surface) = LoopSurface::new(&triangles, &control, r.below(3)) else { continue };
        let vertices = some_vertices(&mut r, surface.rest());
        let kind = r.below(KINDS);
        let bend = [0.0, 1e-6, 0.1, 1.0, 10.0][r.below(5)] * size;
        let far = if r.below(2) == 0 { 0.0 } else { size * r.magnitude(-3.0, 6.0) };
        let poses = [0, 1].map(|_| {
            let map = bone(&mut r, kind, 1.0, far);
            let points = control.iter().map(|&x| {
                let (y, d) = (apply(&map, x), r.vector(bend));
                [y[0] + d[0], y[1] + d[1], y[2] + d[2]]
            });
            points.collect::<Vec<_>>().as_flattened().to_vec()
        });
        let Some(case) = case_of(Box::new(surface), &vertices, &poses) else { continue };
        if check(&mut r, &case) {
            n_finite += 1;
        } else {
            n_infinite += 1;
        }
    }
    assert!(15_000 < n_finite && 500 < n_infinite, "{n_finite} {n_infinite}");
}

#[test]
fn particles_are_in_their_bounds() {
    let mut r = Random::new(12);
    let mut n_checked = 0;
    for round in 0..20_000 {
        let size = if round % 5 == 0 { r.magnitude(-30.0, 30.0) } else { r.magnitude(-3.0, 3.0) };
        let rest: Vec<Vector> = (0..1 + r.below(30)).map(|_| r.vector(size)).collect();
        let n = 1 + r.below(20);
        let particle = |r: &mut Random| Particle {
            center: rest[r.below(rest.len())].map(|x| x + 0.3 * size * r.signed()),
            radius: size * (0.5 + 3.0 * r.unit()),
        };
        let mut particles: Vec<Particle> = (0..n).map(|_| particle(&mut r)).collect();
        particles.push(Particle { center: [0.0; 3], radius: 2.0 * size });
        let Ok(deformer) = Particles::new(&particles, &rest) else { continue };
        let vertices = some_vertices(&mut r, &rest);
        let kind = r.below(KINDS + 1);
        let far = if r.below(2) == 0 { size } else { size * r.magnitude(-3.0, 6.0) };
        let poses = [0, 1].map(|_| {
            let of_particle = |_| {
                let kind = if kind == KINDS { r.below(KINDS) } else { kind };
                bone(&mut r, kind, 1.0, far)
            };
            (0..particles.len())
                .map(of_particle)
                .collect::<Vec<Affine>>()
                .as_flattened()
                .as_flattened()
                .to_vec()
        });
        let Some(case) = case_of(Box::new(deformer), &vertices, &poses) else { continue };
        check(&mut r, &case);
        n_checked += 1;
    }
    assert!(15_000 < n_checked, "{n_checked}");
}

#[test]
fn modes_are_in_their_bounds() {
    let mut r = Random::new(13);
    let (mut n_finite, mut n_infinite) = (0, 0);
    for round in 0..30_000 {
        let size = if round % 5 == 0 { r.magnitude(-30.0, 30.0) } else { r.magnitude(-3.0, 3.0) };
        let middle = r.vector(size);
        let patch = size * r.magnitude(-4.0, 0.0);
        let rest: Vec<Vector> = (0..1 + r.below(12))
            .map(|_| {
                let v = r.vector(patch);
                std::array::from_fn(|i| middle[i] + v[i])
            })
            .collect();
        let is_tame = round % 3 != 0;
        let modes: Vec<Vec<Vector>> = (0..r.below(7))
            .map(|_| {
                let scale = if is_tame { 1.0 } else { r.magnitude(-45.0, 45.0) };
                // Alike for all vertices, or not.
                let (all, width) = (r.vector(scale), [0.0, 1e-3, 1.0][r.below(3)]);
                let of_vertex = |_| {
                    let d = r.vector(width * scale);
                    std::array::from_fn(|i| all[i] + d[i])
                };
                rest.iter().map(of_vertex).collect()
            })
            .collect();
        let with_skin = r.below(2) == 0;
        let n_bones = if with_skin { 1 + r.below(12) } else { 0 };
        let deformer = if with_skin {
            let base = influences(&mut r, n_bones, 3, &[]);
            let style = r.below(4);
            let of_vertices: Vec<_> =
                rest.iter().map(|_| influences(&mut r, n_bones, style, &base)).collect();
            let Ok(skin) = Skin::new(n_bones, &rest, of_vertices) else { continue };
            Modes::under(skin, &modes).unwrap()
        } else {
            Modes::new(&rest, &modes).unwrap()
        };
        let far = if r.unit() < 0.2 { 0.0 } else { size * r.magnitude(-3.0, 6.0) };
        let poses = [0, 1].map(|_| {
            let mut parameters = Vec::new();
            for _ in 0..n_bones {
                let kind = r.below(KINDS);
                parameters.extend_from_slice(bone(&mut r, kind, 1.0, far).as_flattened());
            }
            for mode in &modes {
                let scale = mode[0].iter().fold(1e-60, |most: f64, x| most.max(x.abs()));
                parameters.push(match r.below(6) {
                    0 => 0.0,
                    1 => r.signed() * r.magnitude(-20.0, 20.0),
                    // Cancels what another mode does, up to rounding.
                    _ => size / scale * r.signed() * [1e-3, 1.0, 1e4][r.below(3)],
                });
            }
            parameters
        });
        let vertices: Vec<u32> = (0..rest.len() as u32).collect();
        let Some(case) = case_of(Box::new(deformer), &vertices, &poses) else { continue };
        if check(&mut r, &case) {
            n_finite += 1;
        } else {
            n_infinite += 1;
        }
    }
    assert!(10_000 < n_finite && 3000 < n_infinite, "{n_finite} {n_infinite}");
}

/// A patch of a Loop surface that is only turned or stretched has a ball and a box hardly larger
/// than the smallest ones, however many control points it has.
#[test]
fn loop_surfaces_that_only_move_have_tight_bounds() {
    let mut r = Random::new(14);
    for _ in 0..2000 {
        let (triangles, control) = control_mesh(&mut r, 1.0);
        let surface = LoopSurface::new(&triangles, &control, 2).unwrap();
        let rest = surface.rest().to_vec();
        let vertices = some_vertices(&mut r, &rest);
        let map = bone(&mut r, 0, 2.0, 1.0);
        let points: Vec<Vector> = control.iter().map(|&x| apply(&map, x)).collect();
        let largest =
            points.as_flattened().iter().chain(control.as_flattened()).fold(1.0, |m: f64, x| m.max(x.abs()));
        let pose = points.as_flattened().to_vec();
        let case = case_of(Box::new(surface), &vertices, &[pose.clone(), pose]).unwrap();
        assert!(check(&mut r, &case));
        let at_rest: Vec<Vector> = vertices.iter().map(|&v| rest[v as usize]).collect();
        let (_, radius) = crate::lazy_bounds::smallest_ball::smallest_ball(&at_rest);
        let found =
            f64::from(Ball::on_demand(&case.parts, 0, &case.maps[0], &mut Gathered::default()).ball().1);
        // The norm of a map that flattens is known only up to a factor of 1.16.
        assert!(found <= 2.0 * radius * 1.16 + 1e-4 * largest, "{found} {radius} {largest}");
        let side = |k: usize| {
            at_rest
                .iter()
                .map(|p| p[k])
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], x| [lo.min(x), hi.max(x)])
        };
        let half: f64 = (0..3).map(|k| (side(k)[1] - side(k)[0]).powi(2)).sum::<f64>().sqrt();
        let of_box = BoxBound::on_demand(&case.parts, 0, &case.maps[0], &mut Gathered::default());
        assert!(f64::from(of_box.ball().1) <= 3_f64.sqrt() * half * 1.001 + 2e-4 * largest);
    }
}
