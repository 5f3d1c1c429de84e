//! Painted surfaces, read back, and faulty ones.

use osculate_io::write::{Painted, ply};
use osculate_io::{Options, read_bytes};

const POSITIONS: [[f64; 3]; 4] =
    [[0.1, 0.0, 0.0], [1.0, 0.0, 1.0 / 3.0], [1.0, 1.0, -0.0], [0.0, 1e300, 5.0]];
const PAINTED: Painted = Painted {
    name: "square",
    positions: &POSITIONS,
    faces: &[[0, 1, 2], [0, 2, 3]],
    colors: &[[255, 0, 0], [1, 2, 3]],
    property: "cleared_patch",
    values: &[0, 70_000],
};

#[test]
fn a_surface_reads_back_bit_for_bit() {
    let bytes = ply(&PAINTED).unwrap();
    let clips = read_bytes(&bytes, "square.ply", &Options::default()).unwrap();
    assert_eq!(clips[0].surface.faces, PAINTED.faces);
    let mut pose = Vec::new();
    clips[0].pose(0, &mut pose).unwrap();
    let bits = |positions: &[[f64; 3]]| positions.iter().map(|p| p.map(f64::to_bits)).collect::<Vec<_>>();
    assert_eq!(bits(&pose), bits(&POSITIONS));
    // A triangle is its number of corners, the corners, a color and a value.
    assert_eq!(bytes[bytes.len() - 7..], [1, 2, 3, 0x70, 0x11, 1, 0]);
}

#[test]
fn faults_are_named() {
    let faulty = [
        (Painted { colors: &[[0; 3]], ..PAINTED }, "one color and one value for each triangle"),
        (Painted { values: &[1], ..PAINTED }, "one color and one value for each triangle"),
        (Painted { property: "a\nb", ..PAINTED }, "letters, digits and underscores"),
        (Painted { property: "", ..PAINTED }, "letters, digits and underscores"),
        (Painted { faces: &[[0, 1, 2], [0, 2, 4]], ..PAINTED }, "triangle 1: a corner does not exist"),
        (
            Painted { positions: &[[0.0, f64::NAN, 0.0]; 4], ..PAINTED },
            "vertex 0: its position is not finite",
        ),
    ];
    for (painted, part) in faulty {
        let message = ply(&painted).unwrap_err().to_string();
        assert!(message.starts_with("square: ") && message.contains(part), "{message}");
    }
}
