//! A sheet is wrung: its two ends rotate against each other.

use crate::scene::Scene;
use crate::sheet::Grid;
use crate::simulated::Clip;
use crate::solver::{Handling, Material, Object, Settings};
use crate::vector::{TAU, Vector, sin_cos};

const N_FRAMES: usize = 100;
/// From this frame on the sheet may pass through itself.
const TANGLES: usize = 75;
/// 2 · 200 · 160 = 64,000 triangles.
pub(crate) const SHEET: Grid = Grid { columns: 200, rows: 160 };
/// Rotations of each end, in the whole clip.
const TURNS: f64 = 1.3;

pub(crate) fn twist() -> Scene {
    let about = "A sheet of 64,000 triangles is wrung from both ends. Nothing touches up to frame 74; from then on it is not kept off \
                 itself, and its folds pass through each other.";
    Clip {
        name: "twist",
        about,
        version: 1,
        objects: objects(),
        settings: Settings { gravity: [0.0, -1.0, 0.0], drag: 2.0, friction: 0.1, ..Settings::CLOTH },
        n_frames: N_FRAMES,
        handling: &|frame| if frame < TANGLES { Handling::Full } else { Handling::Off },
        held: &wring,
        push: &|_, _| [0.0; 3],
    }
    .scene()
}

/// The sheet, slightly waved to determine the folds, with both short edges held.
pub(crate) fn objects() -> Vec<(&'static str, Object)> {
    let points =
        SHEET.points(|u, v| [1.6 * u - 0.8, 1.0 + 0.002 * sin_cos(TAU * 2.5 * v).0, 0.64 - 1.28 * v]);
    let spans = [4, 16, 64].into_iter().flat_map(|length| SHEET.spans(length)).collect();
    let held = (0..=SHEET.rows).flat_map(|row| [0, SHEET.columns].map(|column| SHEET.vertex(column, row)));
    vec![(
        "Sheet",
        Object { faces: SHEET.faces(), points, spans, held: held.collect(), material: Material::Cloth },
    )]
}

/// The ends rotate about the long axis, and approach as the sheet gets shorter.
fn wring(frame: usize, [x, y, z]: Vector) -> Vector {
    let t = frame as f64 / (N_FRAMES - 1) as f64;
    let (s, c) = sin_cos(x.signum() * 0.5 * TAU * TURNS * t);
    let y = y - 1.0;
    [x * (1.0 - 0.42 * t * t), 1.0 + y * c - z * s, y * s + z * c]
}
