use super::volume::enclosed;
use super::*;
use crate::ball::ball_at;
use crate::vector::{cross, distance, length, sub};
use osculate::{Mesh, Model, Query, World};
use std::sync::Arc;

fn soft(center: Vector) -> Object {
    let (faces, points) = ball_at(8, center, 0.2);
    Object { faces, points, spans: Vec::new(), held: Vec::new(), material: Material::Soft }
}

/// Two soft balls, one of which falls on the other, and that on the plate below it.
fn objects() -> [Object; 3] {
    let (faces, mut points) = ball_at(4, [0.0; 3], 1.0);
    points.iter_mut().for_each(|point| point[1] = 0.1 * point[1] - 0.4);
    let held = (0..points.len() as u32).collect();
    let plate = Object { faces, points, spans: Vec::new(), held, material: Material::Obstacle };
    [soft([0.0, 0.0, 0.0]), soft([0.07, 0.45, 0.03]), plate]
}

fn settings() -> Settings {
    Settings { drag: 2.0, stretching: 0.1, thickness: 0.01, friction: 0.1, ..Settings::CLOTH }
}

/// The poses of two falling soft balls.
fn falling(n_steps: usize, handling: Handling) -> Vec<Vec<Vector>> {
    let mut solver = Solver::new(objects().iter(), settings());
    let rest = solver.positions.clone();
    let mut poses = vec![rest.clone()];
    for _ in 0..n_steps {
        solver.step(handling, |i| rest[i], |_| [0.0; 3]);
        poses.push(solver.positions.clone());
    }
    poses
}

/// A ball whose particles are displaced by up to a fraction of the radius.
fn shaken(object: &Object, part: f64) -> Vec<Vector> {
    let shake = |i: usize, axis: usize| ((i * (axis + 7) * 2_654_435_761) % 1000) as f64 / 500.0 - 1.0;
    let shaken =
        |(i, &point): (usize, &Vector)| add(point, std::array::from_fn(|axis| 0.2 * part * shake(i, axis)));
    object.points.iter().enumerate().map(shaken).collect()
}

#[test]
fn volumes_are_those_of_balls_wherever_they_are() {
    let of_ball = |center: Vector| {
        let (faces, points) = ball_at(40, center, 0.5);
        enclosed(&faces, &points)
    };
    let exact = std::f64::consts::PI / 6.0;
    assert!((of_ball([0.0; 3]) / exact - 1.0).abs() < 2e-3);
    assert!((of_ball([0.0; 3]) - of_ball([3.0, -50.0, 7.0])).abs() < 1e-12);
    assert_eq!(enclosed(&[], &[]), 0.0);
}

#[test]
fn particles_move_along_the_gradient_of_the_volume() {
    let object = soft([0.3, -0.2, 0.1]);
    let volume = Volume::new(&object, 0);
    let start = shaken(&object, 0.1);
    let mut end = start.clone();
    volume.keep(&mut end, &vec![1.0; start.len()]);
    // The gradient by differences: the volume is linear in each coordinate, so they are exact up to
    // rounding.
    let slope = |vertex: usize, axis: usize| {
        let at = |shift: f64| {
            let mut points = start.clone();
            points[vertex][axis] += shift;
            enclosed(&object.faces, &points)
        };
        (at(0.01) - at(-0.01)) / 0.02
    };
    let gradient = |vertex: usize| [0, 1, 2].map(|axis| slope(vertex, axis));
    let moved = |vertex: usize| sub(end[vertex], start[vertex]);
    let ratio = length(moved(0)) / length(gradient(0));
    for vertex in (0..start.len()).step_by(7) {
        let (moved, gradient) = (moved(vertex), gradient(vertex));
        assert!(length(cross(moved, gradient)) < 1e-9 * length(moved) * length(gradient).max(1e-3));
        assert!((length(moved) - ratio * length(gradient)).abs() < 1e-9 * length(moved));
    }
}

#[test]
fn volume_comes_back_quadratically_and_momentum_is_kept() {
    let object = soft([0.3, -0.2, 0.1]);
    let volume = Volume::new(&object, 0);
    let rest = enclosed(&object.faces, &object.points);
    let mut positions: Vec<Vector> =
        shaken(&object, 0.05).into_iter().map(|point| scale(point, 0.9)).collect();
    let middle = |points: &[Vector]| points.iter().fold([0.0; 3], |sum, &point| add(sum, point));
    let before = middle(&positions);
    let missing = |positions: &[Vector]| (enclosed(&object.faces, positions) / rest - 1.0).abs();
    let mut last = missing(&positions);
    assert!(0.2 < last);
    for _ in 0..4 {
        volume.keep(&mut positions, &vec![1.0; object.points.len()]);
        let now = missing(&positions);
        assert!(now <= (last * last).max(1e-14), "{last} to {now}");
        last = now;
    }
    assert!(last <= 1e-14);
    assert!(distance(before, middle(&positions)) < 1e-12);
}

#[test]
fn what_is_held_or_has_no_area_stays() {
    let object = soft([0.0; 3]);
    let volume = Volume::new(&object, 0);
    let shaken = shaken(&object, 0.1);
    let mut positions = shaken.clone();
    volume.keep(&mut positions, &vec![0.0; shaken.len()]);
    assert_eq!(positions, shaken);
    let mut positions = vec![[1.0; 3]; shaken.len()];
    volume.keep(&mut positions, &vec![1.0; shaken.len()]);
    assert_eq!(positions, vec![[1.0; 3]; shaken.len()]);
}

#[test]
fn falling_balls_keep_their_volumes_and_never_touch_but_are_squashed() {
    let objects = objects();
    let poses = falling(60, Handling::Full);
    let mut world = World::new();
    let mut first = 0;
    let bodies = objects.each_ref().map(|object| {
        let mesh = Mesh::new(object.faces.clone(), object.points.len()).unwrap();
        let model = Arc::new(Model::new(mesh, &object.points).unwrap());
        let range = first..first + object.points.len();
        first = range.end;
        (world.add(model, &object.points).unwrap(), range)
    });
    let mut flattest = f64::INFINITY;
    for ends in poses.windows(2) {
        for (body, range) in &bodies {
            world.set_pose(*body, &ends[0][range.clone()]).unwrap();
        }
        let next = bodies.each_ref().map(|(body, range)| (*body, &ends[1][range.clone()]));
        assert_eq!(world.contacts(&next, &Query::any()).unwrap().count, 0);
        for (object, (_, range)) in objects.iter().zip(&bodies).take(2) {
            let now = &ends[1][range.clone()];
            let part = enclosed(&object.faces, now) / enclosed(&object.faces, &object.points);
            assert!((part - 1.0).abs() < 0.05, "{part} of the volume");
            let (low, high) =
                now.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p[1]), high.max(p[1])));
            flattest = flattest.min((high - low) / 0.4);
        }
    }
    assert!((0.3..0.9).contains(&flattest), "{flattest} of the diameter");
}

#[test]
fn bits_do_not_depend_on_threads() {
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| falling(30, Handling::Full))
    };
    let one = run(1);
    assert!(one == run(1) && one == run(2));
}
