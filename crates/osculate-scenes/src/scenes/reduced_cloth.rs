//! A cloth of 231 control vertices, subdivided: it rolls up until it touches itself.
//!
//! The subdivision is that of the library: every vertex is a fixed convex combination of at most a
//! dozen control vertices.

use crate::body::moved;
use crate::scene::{Motion, Scene};
use crate::sheet::Grid;
use crate::vector::{TAU, Vector, sin, smooth};
use osculate::deformer::LoopSurface;

const N_FRAMES: usize = 90;
/// 21 · 11 = 231 vertices, 400 triangles.
pub(crate) const CONTROL: Grid = Grid { columns: 20, rows: 10 };
const LENGTH: f64 = 2.0;
const WIDTH: f64 = 1.0;

/// Two levels: 6,400 triangles.
pub(crate) fn reduced_cloth_2() -> Scene {
    reduced_cloth("reduced-cloth-2", 2)
}

/// Three levels: 25,600 triangles.
pub(crate) fn reduced_cloth_3() -> Scene {
    reduced_cloth("reduced-cloth-3", 3)
}

/// Four levels: 102,400 triangles.
pub(crate) fn reduced_cloth_4() -> Scene {
    reduced_cloth("reduced-cloth-4", 4)
}

fn reduced_cloth(name: &str, levels: usize) -> Scene {
    let about = format!(
        "A cloth flutters and rolls up until it touches itself. Its vertices are fixed combinations of 231 control vertices, by {levels} levels of \
         Loop subdivision."
    );
    let surface = surface(levels);
    let frames = (0..N_FRAMES).map(control_points).collect();
    let shape = (surface.triangles().to_vec(), surface.rest().to_vec());
    moved(name, &about, shape, Motion::Control(surface, frames))
}

/// The subdivided control mesh.
pub(crate) fn surface(levels: usize) -> LoopSurface {
    let surface = LoopSurface::new(&CONTROL.slanted_faces(), &control_points(0), levels);
    surface.expect("a sheet is a manifold")
}

/// The control vertices at a frame.
fn control_points(frame: usize) -> Vec<Vector> {
    let t = frame as f64;
    let rolled = smooth((t - 10.0) / 40.0) * (1.0 - smooth((t - 60.0) / 28.0));
    let flutter = smooth(t / 15.0) * (1.0 - rolled) * (1.0 - smooth((t - 75.0) / 14.0));
    let n = CONTROL.columns as usize;
    let step = LENGTH / n as f64;
    // The profile of the cloth: a curve of constant curvature, as a polyline.
    let mut profile = vec![[0.0, 0.0]];
    let mut angle = 0.0;
    for i in 0..n {
        angle += rolled * 1.22 * TAU / n as f64;
        let [x, y] = profile[i];
        profile.push([x + step * sin(angle + 0.25 * TAU), y + step * sin(angle)]);
    }
    CONTROL.points(|u, v| {
        let [x, y] = profile[(u * n as f64).round() as usize];
        let wave = flutter * 0.07 * sin(TAU * (1.6 * u - t / 22.0) + 1.5 * v);
        [
            x - 0.5 * LENGTH * (1.0 - 0.8 * rolled),
            0.6 + y + wave,
            WIDTH * (0.5 - v) + 0.10 * rolled * (u - 0.5),
        ]
    })
}
