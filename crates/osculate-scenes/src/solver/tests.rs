use super::*;
use crate::ball::ball_at;
use crate::sheet::Grid;
use crate::vector::{distance, length};
use osculate::{Mesh, Model, Query, World};
use std::sync::Arc;

const CLOTH: Grid = Grid { columns: 20, rows: 20 };

fn settings() -> Settings {
    Settings { iterations: 4, drag: 0.5, thickness: 0.01, ..Settings::CLOTH }
}

fn cloth(held: Vec<u32>) -> Object {
    let points = CLOTH.points(|u, v| [0.5 - u, 0.35, v - 0.5]);
    Object { faces: CLOTH.faces(), points, spans: CLOTH.spans(4), held, material: Material::Cloth }
}

fn obstacle() -> Object {
    let (faces, points) = ball_at(5, [0.02, 0.0, 0.01], 0.25);
    let held = (0..points.len() as u32).collect();
    Object { faces, points, spans: Vec::new(), held, material: Material::Obstacle }
}

/// All poses of a small sheet that falls on a ball.
fn falling(n_steps: usize, handling: Handling) -> Vec<Vec<Vector>> {
    let objects = [cloth(Vec::new()), obstacle()];
    let mut solver = Solver::new(objects.iter(), settings());
    let rest = solver.positions.clone();
    let mut poses = vec![rest.clone()];
    for _ in 0..n_steps {
        solver.step(handling, |i| rest[i], |_| [0.0; 3]);
        poses.push(solver.positions.clone());
    }
    poses
}

/// The number of steps with contacts, found by a separate world.
fn n_touching(poses: &[Vec<Vector>]) -> usize {
    let objects = [cloth(Vec::new()), obstacle()];
    let n = objects[0].points.len();
    let mut world = World::new();
    let bodies = objects.map(|object| {
        let mesh = Mesh::new(object.faces, object.points.len()).unwrap();
        world.add(Arc::new(Model::new(mesh, &object.points).unwrap()), &object.points).unwrap()
    });
    let touches = |ends: &[Vec<Vector>]| {
        for (body, part) in bodies.into_iter().zip([&ends[0][..n], &ends[0][n..]]) {
            world.set_pose(body, part).unwrap();
        }
        let next = [(bodies[0], &ends[1][..n]), (bodies[1], &ends[1][n..])];
        0 < world.contacts(&next, &Query::any()).unwrap().count
    };
    poses.windows(2).map(touches).filter(|&touches| touches).count()
}

#[test]
fn a_sheet_never_passes_through_a_ball_or_itself() {
    let poses = falling(60, Handling::Full);
    assert_eq!(n_touching(&poses), 0);
    let lowest = poses[60][..CLOTH.n_vertices()].iter().fold(f64::INFINITY, |low, point| low.min(point[1]));
    assert!((-1.0..0.1).contains(&lowest), "it hangs on the ball: {lowest}");
}

#[test]
fn what_is_not_handled_touches() {
    assert!(0 < n_touching(&falling(40, Handling::Off)));
}

#[test]
fn bits_do_not_depend_on_threads() {
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| falling(30, Handling::Full))
    };
    let one = run(1);
    assert!(one == run(1) && one == run(3));
}

#[test]
fn links_keep_momentum_and_lengths() {
    let object = cloth(Vec::new());
    let mut positions = object.points.clone();
    for (i, point) in positions.iter_mut().enumerate() {
        let shake = |axis: usize| 0.02 * ((i * (axis + 7) * 2_654_435_761) % 1000) as f64 / 1000.0;
        *point = add(*point, [shake(0), shake(1), shake(2)]);
    }
    let middle = |points: &[Vector]| points.iter().fold([0.0; 3], |sum, &point| add(sum, point));
    let (before, mobility) = (middle(&positions), vec![1.0; positions.len()]);
    let links: Vec<Link> = stretch(&object, 0).collect();
    assert_eq!(links.len(), 20 * 21 * 2 + 400);
    for _ in 0..300 {
        hold(&links, &mut positions, &mobility, 1.0);
    }
    assert!(distance(before, middle(&positions)) < 1e-10);
    let worst = object.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|ends| {
        let [now, rest] = [&positions, &object.points].map(|points| {
            let [p, q] = ends.map(|end| points[end as usize]);
            distance(p, q)
        });
        (now / rest - 1.0).abs()
    });
    assert!(worst.fold(0.0, f64::max) < 0.02);
}

#[test]
fn a_hanging_sheet_comes_to_rest_and_hardly_stretches() {
    let corners = [CLOTH.vertex(0, 20), CLOTH.vertex(20, 20)];
    let object = cloth(corners.to_vec());
    let mut solver = Solver::new([&object].into_iter(), Settings { drag: 4.0, ..settings() });
    let rest = object.points.clone();
    for _ in 0..240 {
        solver.step(Handling::Off, |i| rest[i], |_| [0.0; 3]);
    }
    let fastest = solver.velocities.iter().map(|&velocity| length(velocity)).fold(0.0, f64::max);
    assert!(fastest < 0.3, "{fastest}");
    for corner in corners {
        assert_eq!(solver.positions[corner as usize], rest[corner as usize]);
    }
    let worst = object.faces.iter().map(|&[a, b, _]| {
        let [a, b] = [a, b].map(|end| end as usize);
        distance(solver.positions[a], solver.positions[b]) / distance(rest[a], rest[b])
    });
    assert!(worst.fold(0.0, f64::max) < 1.15);
}
