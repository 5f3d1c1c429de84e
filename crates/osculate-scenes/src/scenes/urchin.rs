//! A sea urchin, longer than it is thick, that bends until its spikes cross.

use crate::body::{Body, skinned};
use crate::remesh::{Meshing, mesh};
use crate::rig::{Pose, Turn};
use crate::scene::Scene;
use crate::skin::bind;
use crate::surface::{Surface, next, previous};
use crate::vector::{Vector, add, area_normal, normalize, scale, smooth};

const N_FRAMES: usize = 90;
const SPIKE: f64 = 0.2;

pub(crate) fn urchin() -> Scene {
    let mut body = Body::new(0.02);
    let joints = [-0.34, -0.17, 0.0, 0.17, 0.34].map(|x| [x, 0.0, 0.0]);
    let first = body.rig.chain("Urchin", None, &joints);
    let radii = [0.10, 0.16, 0.18, 0.16, 0.10];
    let flesh: Vec<_> = (0..4).map(|i| (joints[i + 1], radii[i + 1], first + i)).collect();
    body.flesh((joints[0], radii[0]), &flesh);
    let (faces, smooth_rest) = mesh(&body.field, &Meshing { cube: 0.03, evenness: 0.5, n_faces: 2840 });
    let skin = bind(body.rig.bones.clone(), &body.field, &faces, &smooth_rest, 0.7);
    let rest = with_spikes(&faces, smooth_rest);
    let maps = (0..N_FRAMES).map(|frame| {
        let t = frame as f64;
        let bent = smooth((t - 10.0) / 35.0) * (1.0 - smooth((t - 50.0) / 35.0));
        let mut pose = Pose::rest(&body.rig);
        // The ends rise; the first bone rotates the other way to keep the middle level.
        for (i, part) in [-1.4, 0.9, 1.0, 0.9].into_iter().enumerate() {
            pose.turns[i] = Turn::about([0.0, 0.0, 1.0], part * bent);
        }
        body.rig.maps(&pose)
    });
    let maps = maps.collect();
    let about = "A sea urchin bends until the spikes on its hollow side cross.";
    skinned("urchin", about, (faces, rest), skin, maps)
}

/// Pulls vertices outward that are at least three edges apart.
fn with_spikes(faces: &[[u32; 3]], points: Vec<Vector>) -> Vec<Vector> {
    let surface = Surface::new(faces, points);
    let mut is_taken = vec![false; surface.points.len()];
    let mut rest = surface.points.clone();
    for vertex in surface.vertices() {
        let near: Vec<u32> = surface.neighbors(vertex).flat_map(|middle| surface.neighbors(middle)).collect();
        if near.iter().any(|&other| is_taken[other as usize]) {
            continue;
        }
        is_taken[vertex as usize] = true;
        let normals = surface
            .around(vertex)
            .map(|h| area_normal([h, next(h), previous(h)].map(|e| surface.point(surface.ends(e)[0]))));
        let outward = normalize(normals.fold([0.0; 3], add));
        rest[vertex as usize] = add(surface.point(vertex), scale(outward, SPIKE));
    }
    rest
}
