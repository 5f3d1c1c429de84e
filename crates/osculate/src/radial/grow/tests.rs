use super::*;
use crate::hierarchy::{Split, build};
use std::f64::consts::TAU;

fn grown(faces: &[[u32; 3]], pose: &[[f64; 3]]) -> Clusters {
    let mesh = Mesh::new(faces.to_vec(), pose.len()).unwrap();
    let hierarchy = build(&mesh, pose, Split::ConnectedPatches);
    let clusters = grow(&mesh, pose, &hierarchy);
    assert_eq!(clusters.of_triangles().len(), faces.len());
    let mut is_there = vec![false; clusters.len()];
    clusters.of_triangles().iter().for_each(|&c| is_there[c as usize] = true);
    assert!(is_there.into_iter().all(|x| x), "a cluster without triangles");
    assert_eq!(grow(&mesh, pose, &hierarchy), clusters);
    clusters
}

/// A surface around an axis, closed in one direction or in both; poles are rings of coincident
/// vertices.
fn around(
    n: u32,
    m: u32,
    closes: bool,
    place: impl Fn(f64, f64) -> [f64; 3],
) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    let n_rings = n + u32::from(!closes);
    let at = |i: u32, j: u32| (i % n_rings) * m + j % m;
    let squares = (0..n * m).map(|k| (k / m, k % m));
    let faces = squares
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let pose = (0..n_rings * m)
        .map(|v| place(f64::from(v / m) / f64::from(n), TAU * f64::from(v % m) / f64::from(m)))
        .collect();
    (faces, pose)
}

/// A capsule of radius 1 with a straight part of this length.
fn capsule(length: f64) -> impl Fn(f64, f64) -> [f64; 3] {
    move |u, phi| {
        let theta = std::f64::consts::PI * u;
        [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos() + if u < 0.5 { length } else { 0.0 }]
    }
}

fn torus(u: f64, phi: f64) -> [f64; 3] {
    let r = 1.0 + 0.3 * phi.cos();
    [r * (TAU * u).cos(), r * (TAU * u).sin(), 0.3 * phi.sin()]
}

#[test]
fn round_bodies() {
    let count = |(faces, pose): (Vec<[u32; 3]>, Vec<[f64; 3]>)| grown(&faces, &pose).len();
    assert_eq!(count(around(24, 24, false, capsule(0.0))), 1);
    assert_eq!(count(around(25, 24, false, capsule(3.0))), 1);
    let long = count(around(25, 24, false, |u, phi| {
        let [x, y, z] = capsule(0.0)(u, phi);
        [x, y, 20.0 * z]
    }));
    let ring = count(around(48, 16, true, torus));
    println!("a long spindle: {long} clusters, a torus: {ring}");
    assert!((1..=5).contains(&long) && (3..=10).contains(&ring), "{long} {ring}");
}

/// Two separate spheres stay separate; flat, empty, tiny and zero-area meshes are partitioned too.
#[test]
fn other_meshes() {
    let (mut faces, mut pose) = around(12, 12, false, capsule(0.0));
    let n = pose.len() as u32;
    faces.extend(faces.clone().iter().map(|t| t.map(|v| v + n)));
    pose.extend(pose.clone().iter().map(|p| [p[0] + 5.0, p[1], p[2]]));
    assert_eq!(grown(&faces, &pose).len(), 2);
    // One inside of the other, of the same orientation.
    let nested: Vec<_> = pose
        .iter()
        .zip(0..)
        .map(|(p, v)| if v < n { *p } else { [0.5 * (p[0] - 5.0), 0.5 * p[1], 0.5 * p[2]] })
        .collect();
    assert_eq!(grown(&faces, &nested).len(), 2);
    assert!(!grown(&faces, &pose.iter().map(|p| [p[0], p[1], 0.0]).collect::<Vec<_>>()).is_empty());
    assert!(!grown(&faces, &vec![[1.0; 3]; pose.len()]).is_empty());
    assert!(!grown(&faces, &pose.iter().map(|p| p.map(|x| 1e300 * x)).collect::<Vec<_>>()).is_empty());
    assert_eq!(grown(&[[0, 1, 2]], &pose[20..23]).len(), 1);
    assert_eq!(grown(&[], &[]).len(), 0);
}
