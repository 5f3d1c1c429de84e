//! Painted surfaces, read back, and faulty ones.

use osculate_io::write::{Painted, painted_glb, ply};
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
fn a_glb_reads_back_as_the_same_surface_and_has_the_colors() {
    let positions = [[0.25, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, -1.5], [0.0, 1e30, 5.0]];
    let painted = Painted { positions: &positions, ..PAINTED };
    let bytes = painted_glb(&painted).unwrap();
    let clips = read_bytes(&bytes, "square.glb", &Options::default()).unwrap();
    let (surface, mut pose) = (&clips[0].surface, Vec::new());
    clips[0].pose(0, &mut pose).unwrap();
    assert_eq!((surface.n_vertices, surface.faces.len()), (4, 2));
    for (found, wanted) in surface.faces.iter().zip(PAINTED.faces) {
        let wanted = wanted.map(|corner| positions[corner as usize].map(|x| f64::from(x as f32)));
        assert_eq!(found.map(|corner| pose[corner as usize]), wanted);
    }
    // Positions, colors and indices, in this order, of six corners each.
    let value = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let colors = bytes.len() - 4 * 6 - 12 * 6;
    let color = |corner: usize| [0, 1, 2].map(|k| value(colors + 12 * corner + 4 * k));
    assert!((0..3).all(|corner| color(corner) == [1.0, 0.0, 0.0]));
    let dark = [1.0, 2.0, 3.0].map(|x| x / 255.0 / 12.92);
    assert!((3..6).all(|corner| color(corner) == dark), "{:?}", color(3));

    let nothing = Painted { faces: &[], colors: &[], values: &[], ..painted };
    assert!(painted_glb(&nothing).unwrap().starts_with(b"glTF"));
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
        for write in [ply, painted_glb] {
            let message = write(&painted).unwrap_err().to_string();
            assert!(message.starts_with("square: ") && message.contains(part), "{message}");
        }
    }
    let message = painted_glb(&PAINTED).unwrap_err().to_string();
    assert_eq!(message, "square: positions: some are too large for the f32 of a GLB file");
}
