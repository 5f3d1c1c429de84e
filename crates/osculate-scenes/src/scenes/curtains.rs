//! Two curtains are drawn toward each other, and blow in the wind.

use crate::scene::Scene;
use crate::sheet::Grid;
use crate::simulated::Clip;
use crate::solver::{Handling, Material, Object, Settings};
use crate::vector::{TAU, Vector, sin, smooth};

const N_FRAMES: usize = 100;
/// From this frame on, contacts are not resolved.
const TANGLES: usize = 70;
/// 2 · 125 · 130 = 32,500 triangles for each curtain.
pub(crate) const CURTAIN: Grid = Grid { columns: 125, rows: 130 };
const WIDTH: f64 = 1.25;
const HEIGHT: f64 = 1.3;
/// Folds of a curtain at the rail.
const FOLDS: f64 = 6.0;

pub(crate) fn curtains() -> Scene {
    let about = "Two curtains of 32,500 triangles each are drawn toward each other and blown about. Nothing touches up to frame 69; \
                 from then on nothing is kept apart, and they pass through themselves and each other.";
    Clip {
        name: "curtains",
        about,
        version: 1,
        objects: objects(),
        settings: Settings { friction: 0.2, ..Settings::CLOTH },
        n_frames: N_FRAMES,
        handling: &|frame| if frame < TANGLES { Handling::Full } else { Handling::Off },
        held: &rail,
        push: &wind,
    }
    .scene()
}

/// The curtains, flat, with their upper edges held.
pub(crate) fn objects() -> Vec<(&'static str, Object)> {
    let curtain = |side: f64| {
        // One is mirrored, so that both face forward.
        let points = CURTAIN.points(|u, v| {
            let from_middle = if side < 0.0 { 1.0 - u } else { u };
            [side * (0.03 + WIDTH * from_middle), HEIGHT * (v - 1.0) + 1.5, 0.0]
        });
        let spans = [4, 16, 64].into_iter().flat_map(|length| CURTAIN.spans(length)).collect();
        let held = (0..=CURTAIN.columns).map(|column| CURTAIN.vertex(column, CURTAIN.rows)).collect();
        Object { faces: CURTAIN.faces(), points, spans, held, material: Material::Cloth }
    };
    vec![("Curtain.L", curtain(1.0)), ("Curtain.R", curtain(-1.0))]
}

/// The upper edges move together and are laid in folds, which take up the excess length.
fn rail(frame: usize, [x, y, _]: Vector) -> Vector {
    let drawn = smooth(frame as f64 / 75.0);
    let (side, along) = (x.signum(), (x.abs() - 0.03) / WIDTH);
    // The inner ends cross the middle a little; the outer ends follow.
    let from_middle = 0.03 - 0.10 * drawn + WIDTH * along * (1.0 - 0.45 * drawn);
    let depth = 0.085 * drawn.sqrt();
    let fold = depth * sin(TAU * FOLDS * along + 0.8 * side) * smooth(8.0 * along + 0.4);
    // One in front of the other, where they overlap.
    [side * from_middle, y, fold + 0.1 * side * drawn]
}

/// Gusts that run along the rail, from both sides of the curtains alternately.
fn wind(frame: usize, [x, y, z]: Vector) -> Vector {
    let t = frame as f64 / 60.0;
    let gust = 4.0 * sin(TAU * (0.9 * t - 0.35 * x)) + 2.5 * sin(TAU * (2.3 * t + 0.8 * y - 0.6 * x));
    // Finally toward the middle, where the two meet.
    let inward = -1.5 * x.signum() * smooth((t - 0.6) / 0.5);
    [inward, 0.0, gust - 3.0 * z]
}
