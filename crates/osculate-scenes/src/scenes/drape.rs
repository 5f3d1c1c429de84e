//! A sheet falls on a ball.

use crate::ball::ball_at;
use crate::scene::Scene;
use crate::sheet::Grid;
use crate::simulated::Clip;
use crate::solver::{Handling, Material, Object, Settings};

const N_FRAMES: usize = 100;
/// From this frame on the sheet may pass through itself.
const TANGLES: usize = 50;
/// 2 · 160 · 200 = 64,000 triangles, without the ball.
pub(crate) const SHEET: Grid = Grid { columns: 200, rows: 160 };
/// 12 · 24² = 6,912 triangles.
const BALL: u32 = 24;

pub(crate) fn drape() -> Scene {
    let about = "A sheet falls on a ball and hangs down around it. The sheet alone has 64,000 triangles, the ball 6,912 more. Nothing \
                 touches up to frame 49; from then on the sheet is kept off the ball but not off itself, and its folds tangle.";
    Clip {
        name: "drape",
        about,
        version: 1,
        objects: objects(),
        settings: Settings::CLOTH,
        n_frames: N_FRAMES,
        handling: &|frame| if frame < TANGLES { Handling::Full } else { Handling::ObstaclesOnly },
        held: &|_, rest| rest,
        push: &|_, _| [0.0; 3],
    }
    .scene()
}

/// The sheet, and the ball below it.
pub(crate) fn objects() -> Vec<(&'static str, Object)> {
    let points = SHEET.points(|u, v| [1.0 - 2.0 * u, 1.32, 1.6 * v - 0.8]);
    let spans = [4, 16, 64].into_iter().flat_map(|length| SHEET.spans(length)).collect();
    let sheet = Object { faces: SHEET.faces(), points, spans, held: Vec::new(), material: Material::Cloth };
    let (faces, points) = ball_at(BALL, [0.05, 1.0, 0.03], 0.3);
    let held = (0..points.len() as u32).collect();
    let ball = Object { faces, points, spans: Vec::new(), held, material: Material::Obstacle };
    vec![("Sheet", sheet), ("Ball", ball)]
}
