//! NPZ with control points, particles and modes: broken files are errors that name the array.

use super::npz::skin;
use super::support::{check_error, clip, npy, npy_f32, npy_i32, npz, pose};

type Arrays = Vec<(&'static str, Vec<u8>)>;

const QUAD: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];

fn two_frames(values: &[f32]) -> Vec<f32> {
    values.iter().copied().chain(values.iter().map(|x| x + 1.0)).collect()
}

/// A square of two triangles, at rest and moved by (1, 1, 1).
fn control() -> Arrays {
    vec![
        ("control_faces", npy_i32("(2, 3)", &[0, 1, 2, 0, 2, 3])),
        ("control_vertices", npy_f32("(2, 4, 3)", &two_frames(&QUAD))),
        ("subdivision_levels", npy_i32("()", &[1])),
    ]
}

fn surface() -> Arrays {
    vec![("rest_vertices", npy_f32("(4, 3)", &QUAD)), ("faces", npy_i32("(2, 3)", &[0, 1, 2, 0, 2, 3]))]
}

/// Two particles with linear maps of their own; the second frame is shifted.
fn particles() -> Arrays {
    let map = |shift: f32| [1.0, 0.0, 0.0, shift, 0.0, 1.0, 0.0, shift, 0.0, 0.0, 1.0, shift];
    let maps: Vec<f32> = [0.0, 0.0, 1.0, 1.0].iter().flat_map(|&shift| map(shift)).collect();
    let mut arrays = surface();
    arrays.extend([
        ("particle_rest", npy_f32("(2, 3)", &[0.0; 6])),
        ("particle_radii", npy_f32("(2,)", &[2.0, 3.0])),
        ("particle_matrices", npy_f32("(2, 2, 3, 4)", &maps)),
    ]);
    arrays
}

/// A mode that moves everything up.
fn modes() -> Arrays {
    let up: Vec<f32> = [0.0, 0.0, 1.0].repeat(4);
    let mut arrays = surface();
    arrays
        .extend([("modes", npy_f32("(1, 4, 3)", &up)), ("amplitudes", npy_f32("(3, 1)", &[0.0, 0.5, -2.0]))]);
    arrays
}

/// The arrays with one replaced, added, or left out.
fn with(mut arrays: Arrays, name: &'static str, array: Option<Vec<u8>>) -> Vec<u8> {
    arrays.retain(|(other, _)| *other != name);
    arrays.extend(array.map(|array| (name, array)));
    npz(&arrays, true)
}

#[test]
fn control_points_particles_and_modes_move_vertices() {
    let surface = clip(&npz(&control(), false), "a.npz");
    assert_eq!((surface.n_frames(), surface.surface.faces.len(), surface.surface.n_vertices), (2, 8, 9));
    assert_eq!(surface.deformer().unwrap().governors(), "control points");
    let [rest, moved] = [0, 1].map(|frame| pose(&surface, frame));
    assert!(rest.iter().zip(&moved).all(|(a, b)| (0..3).all(|i| (b[i] - a[i] - 1.0).abs() < 1e-15)));
    assert_eq!(rest[0], [0.125, 0.125, 0.0], "the rim is a B-spline");

    let clip_of_particles = clip(&npz(&particles(), true), "a.npz");
    assert_eq!(pose(&clip_of_particles, 0)[2], [1.0, 1.0, 0.0]);
    assert_eq!(pose(&clip_of_particles, 1)[2], [2.0, 2.0, 1.0]);
    assert_eq!(clip_of_particles.deformer().unwrap().governors(), "particles");

    let clip_of_modes = clip(&npz(&modes(), true), "a.npz");
    assert_eq!(pose(&clip_of_modes, 2)[1], [1.0, 0.0, -2.0]);
    assert_eq!(clip_of_modes.parameters(2), Some(&[-2.0][..]));
    assert_eq!(clip_of_modes.deformer().unwrap().governors(), "modes");
}

#[test]
fn modes_may_be_under_a_skin() {
    let plain = clip(&npz(&skin(), true), "a.npz");
    let n = plain.surface.n_vertices;
    let up: Vec<f32> = [0.0, 0.0, 0.25].repeat(n);
    let mut arrays = skin();
    arrays.push(("modes", npy_f32(&format!("(1, {n}, 3)"), &up)));
    arrays.push(("amplitudes", npy_f32(&format!("({}, 1)", plain.n_frames()), &vec![2.0; plain.n_frames()])));
    let moved = clip(&npz(&arrays, true), "a.npz");
    assert_eq!(moved.deformer().unwrap().governors(), "bones and modes");
    for frame in 0..plain.n_frames() {
        assert_eq!(moved.bone_matrices(frame).unwrap(), plain.bone_matrices(frame).unwrap());
        assert_ne!(pose(&moved, frame), pose(&plain, frame));
    }
    let short = with(arrays, "amplitudes", Some(npy_f32("(7, 1)", &[0.0; 7])));
    check_error(&short, "a.npz", "array 'bone_matrices': its shape is");
}

#[test]
fn faults_name_the_array_and_the_row() {
    let nan = |shape: &str, n: usize, at: usize| {
        let mut values = vec![0.5; n];
        values[at] = f32::NAN;
        Some(npy_f32(shape, &values))
    };
    let cases: Vec<(Arrays, &'static str, Option<Vec<u8>>, &str)> = vec![
        (
            control(),
            "control_vertices",
            nan("(2, 4, 3)", 24, 19),
            "'control_vertices': control point 2 of frame 1 is not finite",
        ),
        (
            control(),
            "control_vertices",
            Some(npy_f32("(8, 3)", &two_frames(&QUAD))),
            "'control_vertices': its shape is [8, 3]",
        ),
        (
            control(),
            "control_vertices",
            Some(npy_f32("(0, 4, 3)", &[])),
            "'control_vertices': there are no frames",
        ),
        (control(), "control_faces", None, "the array 'control_faces' is missing"),
        (
            control(),
            "control_faces",
            Some(npy_i32("(1, 3)", &[0, 1, 4])),
            "'control_faces': triangle 0 names control point 4 of 4",
        ),
        (
            control(),
            "control_faces",
            Some(npy_i32("(2, 3)", &[0, 1, 2, 0, 2, -3])),
            "'control_faces': triangle 1 names vertex -3",
        ),
        (control(), "control_faces", Some(npy_i32("(2, 3)", &[0, 1, 2, 2, 3, 3])), "'control_faces'"),
        (
            control(),
            "control_faces",
            Some(npy_i32("(3, 3)", &[0, 1, 2, 0, 1, 3, 1, 0, 3])),
            "'control_faces': the edge of control points 0 and 1 has 3 triangles",
        ),
        (control(), "subdivision_levels", None, "the array 'subdivision_levels' is missing"),
        (
            control(),
            "subdivision_levels",
            Some(npy_i32("()", &[-1])),
            "'subdivision_levels': it must hold one number from 0 to 31",
        ),
        (control(), "subdivision_levels", Some(npy_i32("()", &[31])), "31 levels of subdivision"),
        (
            control(),
            "subdivision_levels",
            Some(npy_f32("()", &[1.0])),
            "'subdivision_levels': its values are not integers",
        ),
        (
            control(),
            "faces",
            Some(npy_i32("(2, 3)", &[0, 1, 2, 0, 2, 3])),
            "'faces': triangle 0 is not that of the subdivided control mesh",
        ),
        (
            control(),
            "frames",
            Some(npy_f32("(1, 1, 3)", &[0.0; 3])),
            "both an array 'frames' and 'control_vertices'",
        ),
        (
            control(),
            "vertex_object",
            Some(npy("|u1", "(4,)", false, &[0; 4])),
            "'vertex_object': its shape is [4], but must be [9]",
        ),
        (
            particles(),
            "particle_matrices",
            nan("(2, 2, 3, 4)", 48, 14),
            "'particle_matrices': particle 1 of frame 0 is not finite",
        ),
        (
            particles(),
            "particle_matrices",
            Some(npy_f32("(2, 2, 4, 4)", &[0.0; 64])),
            "'particle_matrices': its shape is",
        ),
        (particles(), "particle_rest", None, "the array 'particle_rest' is missing"),
        (particles(), "particle_rest", nan("(2, 3)", 6, 4), "'particle_rest': particle 1 is not finite"),
        (
            particles(),
            "particle_rest",
            Some(npy_f32("(2, 3)", &[9.0; 6])),
            "'particle_rest': no particle reaches vertex 0",
        ),
        (
            particles(),
            "particle_radii",
            Some(npy_f32("(2,)", &[1.0, 0.0])),
            "'particle_radii': particle 1 has radius 0, which must be positive",
        ),
        (
            particles(),
            "particle_radii",
            Some(npy_f32("(3,)", &[1.0; 3])),
            "'particle_radii': its shape is [3], but must be [2]",
        ),
        (particles(), "rest_vertices", nan("(4, 3)", 12, 11), "'rest_vertices': vertex 3 is not finite"),
        (particles(), "faces", Some(npy_i32("(1, 3)", &[0, 1, 4])), "triangle 0: vertex 4"),
        (modes(), "amplitudes", nan("(3, 1)", 3, 2), "'amplitudes': mode 0 of frame 2 is not finite"),
        (
            modes(),
            "amplitudes",
            Some(npy_f32("(3, 2)", &[0.0; 6])),
            "'modes': its shape is [1, 4, 3], but must be [2, 4, 3]",
        ),
        (modes(), "modes", None, "the array 'modes' is missing"),
        (modes(), "modes", nan("(1, 4, 3)", 12, 7), "'modes': mode 0 displaces vertex 2 by a non-finite y"),
        (
            modes(),
            "modes",
            Some(npy_f32("(1, 5, 3)", &[0.0; 15])),
            "'modes': its shape is [1, 5, 3], but must be [1, 4, 3]",
        ),
        (modes(), "amplitudes", Some(npy_f32("(0, 1)", &[])), "there are no frames"),
    ];
    for (arrays, name, array, words) in cases {
        check_error(&with(arrays, name, array), "a.npz", words);
    }
}

/// A fan of many triangles around a point, and particles that all reach everything: small files
/// that would take gigabytes.
#[test]
fn bombs_end_at_the_budget() {
    let n = 20_000;
    let fan: Vec<i32> = (1..n - 1).flat_map(|i| [0, i, i + 1]).collect();
    let points = vec![0.5_f32; 3 * n as usize];
    let arrays = vec![
        ("control_faces", npy_i32(&format!("({}, 3)", n - 2), &fan)),
        ("control_vertices", npy_f32(&format!("(1, {n}, 3)"), &points)),
        ("subdivision_levels", npy_i32("()", &[3])),
    ];
    check_error(&npz(&arrays, true), "a.npz", "3 levels of subdivision");
    let n = 8000;
    let arrays = vec![
        ("rest_vertices", npy_f32(&format!("({n}, 3)"), &points[..3 * n])),
        ("faces", npy_i32("(1, 3)", &[0, 1, 2])),
        ("particle_rest", npy_f32(&format!("({n}, 3)"), &points[..3 * n])),
        ("particle_radii", npy_f32(&format!("({n},)"), &points[..n])),
        ("particle_matrices", npy_f32(&format!("(1, {n}, 3, 4)"), &vec![0.0; 12 * n])),
    ];
    check_error(&npz(&arrays, true), "a.npz", "the weights of particles");
}
