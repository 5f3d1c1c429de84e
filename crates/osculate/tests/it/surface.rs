//! Closest points, signed distances and ray casts, compared with all triangles one by one.

use crate::common::{Rng, ball};
use crate::distance::{exact, length, sub};
use osculate::narrow::{Kind, contact_point};
use osculate::segment::Passage;
use osculate::{Error, Mesh, Model, MovingPoint, World};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A ball with dents, and a world with it.
fn dented() -> (World, osculate::BodyId, Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let (faces, mut points) = ball(3);
    for [x, y, z] in &mut points {
        let dent = 1.0 + 0.3 * (5.0 * *x).sin() * (4.0 * *y + *z).cos();
        (*x, *y, *z) = (*x * dent, *y * dent, *z * dent);
    }
    let mesh = Mesh::new(faces.clone(), points.len()).unwrap();
    let mut world = World::new();
    let body = world.add(Arc::new(Model::new(mesh, &points).unwrap()), &points).unwrap();
    (world, body, faces, points)
}

#[test]
fn closest_points_and_signed_distances() {
    let (mut world, body, faces, mut points) = dented();
    let mut n_inside = 0;
    for i in 0..400 {
        let mut rng = Rng::for_item(71, i);
        if i == 200 {
            // Elsewhere: the bounds follow the pose.
            points.iter_mut().for_each(|p| p[2] += 0.5);
            world.set_pose(body, &points).unwrap();
        }
        let mut p: [f64; 3] = std::array::from_fn(|_| 1.6 * rng.signed());
        match i % 10 {
            0 => p = points[rng.below(points.len() as u64) as usize],
            1 => p = p.map(|x| 1e9 * x),
            _ => {}
        }
        let found = world.closest_point(body, p).unwrap().unwrap();
        let corners = faces[found.triangle as usize].map(|v| points[v as usize]);
        let weighted: [f64; 3] =
            std::array::from_fn(|k| (0..3).map(|c| found.weights[c] * corners[c][k]).sum());
        assert!(length(sub(weighted, found.point)) < 1e-12);
        let error = 1e-13 * (1.0 + length(p));
        assert!((length(sub(found.point, p)) - found.distance).abs() <= error, "{i} {found:?}");
        // No triangle is closer.
        for face in &faces {
            let [a, b, c] = face.map(|v| MovingPoint::fixed(points[v as usize]));
            let query = [MovingPoint::fixed(p), a, b, c];
            let less = found.distance - error;
            let distance = contact_point(Kind::VertexFace, &query, 0.0).distance;
            assert!(less <= distance, "{i}");
            if distance < found.distance * 1.000_001 {
                assert!(less <= 0.0 || !exact::distance(Kind::VertexFace, &query, 0.0).is_at_most(less));
            }
        }
        // The solid angle of the surface tells inside from outside, away from it.
        let signed = world.signed_distance(body, p).unwrap();
        assert_eq!(signed.abs(), found.distance);
        if 1e-6 < found.distance {
            let angle: f64 =
                faces.iter().map(|face| solid_angle(face.map(|v| sub(points[v as usize], p)))).sum();
            let is_inside = 1.0 < angle.abs();
            assert_eq!(signed < 0.0, is_inside, "{i} {angle}");
            n_inside += usize::from(is_inside);
        }
    }
    assert!(20 < n_inside && n_inside < 250, "{n_inside}");
}

fn solid_angle([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let triple = a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    let (la, lb, lc) = (length(a), length(b), length(c));
    2.0 * triple.atan2(la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
}

#[test]
fn rays_meet_what_segments_pass_first() {
    let (mut world, body, faces, points) = dented();
    let mut n_hits = 0;
    for i in 0..2000 {
        let mut rng = Rng::for_item(72, i);
        let mut random = || -> [f64; 3] { std::array::from_fn(|_| 1.5 * rng.signed()) };
        let (mut from, mut to) = (random(), random());
        match i % 8 {
            // Through a vertex, along an axis, without length.
            0 => {
                let p = points[i as usize % points.len()];
                from = [0.0; 3];
                to = p.map(|x| 2.0 * x);
            }
            1 => to = [from[0], from[1], -from[2]],
            2 => to = from,
            _ => {}
        }
        let found = world.ray_cast(body, from, to).unwrap();
        let surface = world.surface(body).unwrap();
        let mut met = Vec::new();
        let _ = surface.crossings(from, to, |triangle, passage| {
            met.push((triangle, passage));
            ControlFlow::Continue(())
        });
        assert_eq!(found.is_none(), met.is_empty(), "{i}");
        let Some(found) = found else { continue };
        n_hits += 1;
        assert!(met.contains(&(found.triangle, found.passage)), "{i}");
        // The point is on the triangle, and no other is met before it.
        let [a, b, c] = faces[found.triangle as usize].map(|v| MovingPoint::fixed(points[v as usize]));
        let at = contact_point(Kind::VertexFace, &[MovingPoint::fixed(found.point), a, b, c], 0.0);
        assert!(at.distance < 1e-12, "{i} {found:?} {at:?}");
        let before: [f64; 3] = std::array::from_fn(|k| from[k] + (found.fraction - 1e-9) * (to[k] - from[k]));
        if 1e-9 < found.fraction && from != to {
            let mut others = 0;
            let _ = surface.crossings(from, before, |_, _| {
                others += 1;
                ControlFlow::Continue(())
            });
            assert_eq!(others, 0, "{i} {found:?}");
        }
    }
    assert!(500 < n_hits, "{n_hits}");
    let hit = world.ray_cast(body, [0.01, 0.02, 5.0], [0.01, 0.02, 0.0]).unwrap().unwrap();
    assert_eq!(hit.passage, Passage::Inward);
}

#[test]
fn bad_points_and_open_bodies_are_errors() {
    let (mut world, body, ..) = dented();
    let bad = [f64::NAN, 0.0, 0.0];
    assert!(matches!(world.closest_point(body, bad), Err(Error::Point { .. })));
    assert!(matches!(world.signed_distance(body, [f64::INFINITY; 3]), Err(Error::Point { .. })));
    assert!(matches!(world.ray_cast(body, [0.0; 3], bad), Err(Error::Point { .. })));
    let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let model = Arc::new(Model::new(Mesh::new(vec![[0, 1, 2]], 3).unwrap(), &triangle).unwrap());
    let open = world.add(model, &triangle).unwrap();
    assert_eq!(world.signed_distance(open, [0.0; 3]), Err(Error::NotClosed { body: open, open: 3 }));
    assert_eq!(world.closest_point(open, [0.25, 0.25, 2.0]).unwrap().unwrap().distance, 2.0);
    let nothing = Arc::new(Model::new(Mesh::new(vec![], 0).unwrap(), &[]).unwrap());
    let nothing = world.add(nothing, &[][..] as &[[f64; 3]]).unwrap();
    assert_eq!(world.closest_point(nothing, [0.0; 3]), Ok(None));
    assert_eq!(world.ray_cast(nothing, [0.0; 3], [1.0; 3]), Ok(None));
    assert_eq!(world.signed_distance(nothing, [0.0; 3]), Ok(f64::INFINITY));
    world.remove(open).unwrap();
    assert!(world.closest_point(open, [0.0; 3]).is_err());
    // Very small and very large bodies.
    for scale in [1e-200, 1e-100, 1e100, 1e200] {
        let small = triangle.map(|p| p.map(|x| x * scale));
        let model = Arc::new(Model::new(Mesh::new(vec![[0, 1, 2]], 3).unwrap(), &small).unwrap());
        let id = world.add(model, &small).unwrap();
        let found = world.closest_point(id, [0.25 * scale, 0.25 * scale, 2.0 * scale]).unwrap().unwrap();
        assert!((found.distance / scale - 2.0).abs() < 1e-12, "{scale}: {found:?}");
    }
}
