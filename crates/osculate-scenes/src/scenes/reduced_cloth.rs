//! A cloth of 231 control vertices, subdivided: it rolls up until it touches itself.
//!
//! Every control vertex is a bone whose map is a translation, and the weights of the subdivision
//! are the skin weights. So a vertex is its rest position plus the weighted shifts of at most a
//! dozen control vertices.

use crate::body::skinned;
use crate::loop_subdivision::Fine;
use crate::scene::{Affine, Bone, Scene, Skin};
use crate::sheet::Grid;
use crate::vector::{TAU, Vector, add, sin, smooth, sub};

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
         Loop subdivision; each control vertex is a bone that only shifts."
    );
    let control = control_points(0);
    let fine = topology(levels);
    let rest = fine.points(&control);
    let maps = (0..N_FRAMES).map(|frame| control_points(frame).iter().zip(&control).map(shift).collect());
    let maps = maps.collect();
    let mut skin = Skin { bones: bones(&control), offsets: vec![0], influences: Vec::new() };
    for mut row in fine.rows {
        row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        skin.influences.extend(row);
        skin.offsets.push(skin.influences.len() as u32);
    }
    skinned(name, &about, (fine.faces, rest), skin, maps)
}

/// The subdivided control mesh.
pub(crate) fn topology(levels: usize) -> Fine {
    let control = Fine::control(CONTROL.slanted_faces(), CONTROL.n_vertices());
    (0..levels).fold(control, |fine, _| fine.subdivided())
}

fn bones(control: &[Vector]) -> Vec<Bone> {
    let bone = |(i, &head): (usize, &Vector)| Bone {
        name: format!("Control.{}", i + 1),
        parent: None,
        head,
        tail: add(head, [0.0, 0.05, 0.0]),
    };
    control.iter().enumerate().map(bone).collect()
}

fn shift((now, rest): (&Vector, &Vector)) -> Affine {
    let [x, y, z] = sub(*now, *rest);
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
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
