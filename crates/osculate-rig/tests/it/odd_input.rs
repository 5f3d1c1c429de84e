//! Input that is legal but out of the ordinary.

use osculate::method::Observer;
use osculate::{Mesh, Model};
use osculate_rig::{Clustering, Settings, Skeleton, cluster};

/// A tube along the x axis, from 0 to `length`, with round ends: a capsule.
fn capsule(radius: f64, length: f64) -> (Vec<[u32; 3]>, Vec<[f64; 3]>) {
    const AROUND: u32 = 16;
    let mut profile: Vec<[f64; 2]> = Vec::new();
    for k in 1..8 {
        let (sin, cos) = (f64::from(k) / 8.0 * std::f64::consts::FRAC_PI_2).sin_cos();
        profile.push([-radius * cos, radius * sin]);
    }
    let n = (length / radius * 2.0) as u32;
    profile.extend((0..=n).map(|k| [length * f64::from(k) / f64::from(n), radius]));
    let cap: Vec<[f64; 2]> = profile[..7].iter().rev().map(|&[x, r]| [length - x, r]).collect();
    profile.extend(cap);

    let mut points = vec![[-radius, 0.0, 0.0], [length + radius, 0.0, 0.0]];
    for &[x, r] in &profile {
        for k in 0..AROUND {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(AROUND)).sin_cos();
            points.push([x, r * cos, r * sin]);
        }
    }
    let at = |ring: u32, k: u32| 2 + ring * AROUND + k % AROUND;
    let last = profile.len() as u32 - 1;
    let mut faces = Vec::new();
    for k in 0..AROUND {
        faces.push([0, at(0, k + 1), at(0, k)]);
        faces.push([1, at(last, k), at(last, k + 1)]);
        for ring in 0..last {
            let [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    (faces, points)
}

fn clusters_of(faces: &[[u32; 3]], points: &[[f64; 3]], skeleton: &Skeleton) -> Clustering {
    let model = Model::new(Mesh::new(faces.to_vec(), points.len()).unwrap(), points).unwrap();
    let made = cluster(&model, points, skeleton, &Settings::default(), None).unwrap();
    assert_eq!(made.clusters.of_triangles().len(), faces.len());
    made
}

#[test]
fn a_capsule_is_one_cluster() {
    let (faces, points) = capsule(1.0, 10.0);
    let bone = Skeleton::new(vec![[0.0; 3], [10.0, 0.0, 0.0]], vec![[0, 1]]).unwrap();
    let made = clusters_of(&faces, &points, &bone);
    assert_eq!((made.n_before, made.clusters.len()), (1, 1));
    // Cut into five bones it is put together again, in part.
    let joints: Vec<_> = (0..6).map(|k| [2.0 * f64::from(k), 0.0, 0.0]).collect();
    let chain = Skeleton::new(joints, (0..5).map(|k| [k, k + 1]).collect()).unwrap();
    let made = clusters_of(&faces, &points, &chain);
    println!("capsule: {} -> {}: {:?}", made.n_before, made.clusters.len(), made.clusters.observers());
    assert_eq!(made.n_before, 5);
    assert!(made.clusters.len() <= 3);
}

#[test]
fn a_waisted_capsule_is_seen_from_its_bone() {
    let (faces, mut points) = capsule(1.0, 10.0);
    for p in &mut points {
        let thickness = 1.0 + 0.4 * (1.7 * p[0]).sin();
        (p[1], p[2]) = (thickness * p[1], thickness * p[2]);
    }
    let bone = Skeleton::new(vec![[0.0; 3], [10.0, 0.0, 0.0]], vec![[0, 1]]).unwrap();
    let made = clusters_of(&faces, &points, &bone);
    assert_eq!(made.clusters.observers(), [Observer::Bone([0, 1])]);
}

#[test]
fn one_joint_is_a_skeleton() {
    let (faces, points) = capsule(1.0, 2.0);
    let made = clusters_of(&faces, &points, &Skeleton::new(vec![[1.0, 0.0, 0.0]], vec![[0, 0]]).unwrap());
    assert_eq!(made.clusters.observers(), [Observer::Joint(0)]);
    // The same bone three times, and one of no length at its end.
    let joints = vec![[0.0; 3], [2.0, 0.0, 0.0]];
    let bones = vec![[0, 1], [0, 1], [1, 0], [1, 1]];
    let made = clusters_of(&faces, &points, &Skeleton::new(joints, bones).unwrap());
    assert!(made.clusters.len() <= 2);
}

#[test]
fn joints_may_be_anywhere() {
    let (faces, points) = capsule(1.0, 4.0);
    let mut state = 5_u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    for size in [1.0, 8.0, 1e6] {
        for _ in 0..5 {
            let joints: Vec<[f64; 3]> = (0..12).map(|_| [0; 3].map(|_| size * (next() - 0.5))).collect();
            let bones = (0..12).map(|k| [k, (next() * 12.0) as u32]).collect();
            clusters_of(&faces, &points, &Skeleton::new(joints, bones).unwrap());
        }
    }
    // On vertices, and on a face.
    let joints = vec![points[40], points[90], [-1.0, 0.0, 0.0]];
    clusters_of(&faces, &points, &Skeleton::new(joints, vec![[0, 1], [1, 2], [2, 2]]).unwrap());
}

#[test]
fn surfaces_may_be_degenerate() {
    let skeleton =
        Skeleton::new(vec![[0.0; 3], [3.0, 0.0, 0.0], [9.0, 1.0, 0.0]], vec![[0, 1], [1, 2]]).unwrap();
    clusters_of(&[], &[], &skeleton);
    clusters_of(&[], &[[1.0; 3]], &skeleton);
    // Without area, or without extent, or as large as numbers get.
    let strip: Vec<[u32; 3]> = (0..20).map(|k| [k, k + 1, k + 2]).collect();
    let line: Vec<[f64; 3]> = (0..22).map(|k| [f64::from(k), 0.0, 0.0]).collect();
    clusters_of(&strip, &line, &skeleton);
    clusters_of(&strip, &[[2.0; 3]; 22], &skeleton);
    let huge: Vec<[f64; 3]> =
        (0..22).map(|k| [0, 1, 2].map(|i| 1e307 * f64::from(k * (i + 3) % 7))).collect();
    clusters_of(&strip, &huge, &skeleton);
    let tiny: Vec<[f64; 3]> = huge.iter().map(|p| p.map(|x| x * 1e-307 * 1e-310)).collect();
    clusters_of(&strip, &tiny, &skeleton);
    // A capsule with some triangles collapsed to segments, and needles beside them.
    let (faces, mut points) = capsule(1.0, 6.0);
    for k in 0..8 {
        points[50 + 20 * k] = points[51 + 20 * k];
        points[60 + 20 * k][1] += 1e-12;
    }
    let made = clusters_of(&faces, &points, &skeleton);
    assert!(made.bone_of_triangle.contains(&0) && made.bone_of_triangle.contains(&1));
    // Open, and with an edge of three triangles.
    let mut open = faces[..faces.len() / 2].to_vec();
    open.push([open[7][0], open[7][1], 1]);
    clusters_of(&open, &points, &skeleton);
}
