//! Refines scenes without changing the surface at rest.

use crate::scene::{Motion, Scene, Skin};
use crate::vector::{Vector, lerp};
use std::collections::HashMap;

/// Returns a scene with each triangle split into four, `levels` times; counts grow by 4, 16, 64.
///
/// New vertices are midpoints of edges, with the mean of the weights at both ends; they may have
/// more than four bones. The shape at rest does not change; at other frames it changes slightly
/// where weights differ, since a skin is not linear between vertices. Scenes that are moved by
/// anything but bones have frames of all vertices then.
#[must_use]
pub fn subdivided(scene: &Scene, levels: usize) -> Scene {
    let mut scene = scene.clone();
    if 0 < levels && !matches!(scene.motion, Motion::Bones(_)) {
        let pose = |frame| {
            let mut pose = Vec::new();
            scene.pose(frame, &mut pose);
            pose
        };
        scene.motion = Motion::Frames((0..scene.n_frames()).map(pose).collect());
    }
    for _ in 0..levels {
        let (faces, edges) = split_faces(&scene.faces, scene.rest.len());
        scene.faces = faces;
        extend_by_midpoints(&mut scene.rest, &edges);
        let objects = edges.iter().map(|&[a, _]| scene.vertex_object[a as usize]);
        let objects: Vec<u32> = objects.collect();
        scene.vertex_object.extend(objects);
        if let Some(skin) = &mut scene.skin {
            extend_by_means(skin, &edges);
        }
        if let Motion::Frames(frames) = &mut scene.motion {
            frames.iter_mut().for_each(|frame| extend_by_midpoints(frame, &edges));
        }
    }
    scene
}

/// Four triangles for each, and the edges that the new vertices bisect.
fn split_faces(faces: &[[u32; 3]], n_vertices: usize) -> (Vec<[u32; 3]>, Vec<[u32; 2]>) {
    let mut numbers: HashMap<[u32; 2], u32> = HashMap::with_capacity(faces.len() * 3 / 2);
    let mut edges = Vec::with_capacity(faces.len() * 3 / 2);
    let mut middle = |a: u32, b: u32| {
        let edge = [a.min(b), a.max(b)];
        *numbers.entry(edge).or_insert_with(|| {
            edges.push(edge);
            (n_vertices + edges.len() - 1) as u32
        })
    };
    let mut split = Vec::with_capacity(faces.len() * 4);
    for &[a, b, c] in faces {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        split.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    (split, edges)
}

fn extend_by_midpoints(points: &mut Vec<Vector>, edges: &[[u32; 2]]) {
    points.reserve(edges.len());
    for &[a, b] in edges {
        points.push(lerp(points[a as usize], points[b as usize], 0.5));
    }
}

fn extend_by_means(skin: &mut Skin, edges: &[[u32; 2]]) {
    for &edge in edges {
        let mut mean: Vec<(u32, f64)> = Vec::new();
        for end in edge {
            for &(bone, weight) in skin.of_vertex(end as usize) {
                match mean.iter_mut().find(|entry| entry.0 == bone) {
                    Some(entry) => entry.1 += 0.5 * weight,
                    None => mean.push((bone, 0.5 * weight)),
                }
            }
        }
        mean.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        skin.influences.extend(mean);
        skin.offsets.push(skin.influences.len() as u32);
    }
}
