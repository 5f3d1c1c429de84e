//! `--colored`: the worst frames as glTF with vertex colors, one beside the other.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Value, json};

use super::raster::{FIRST, SECOND, ramp};
use super::scenery::{Scenery, Shot};
use super::{Problem, Subject};

/// Number of problems that are written.
const MOST: usize = 12;

/// Returns a GLB file with a mesh for the worst frame of each of the worst problems: gray, the two
/// parts in blue and orange, and enclosed surface by its depth. Without problems, the first frame.
pub(super) fn glb(subject: &Subject, problems: &[Problem], scenery: &mut Scenery) -> Result<Vec<u8>> {
    let mut shots: Vec<(String, Shot)> = Vec::new();
    for (i, problem) in problems.iter().enumerate().filter(|(_, problem)| problem.is_new()).take(MOST) {
        let [a, b] = &problem.pair.parts;
        let frame = problem.pair.worst().worst_frame;
        shots.push((format!("{}, frame {frame}: {a} x {b}", problem.report.name), scenery.shot(i)?));
    }
    if shots.is_empty() {
        let clip = &subject.report.clips[0];
        shots.push((format!("{}, frame {}", clip.name, clip.frames[0]), scenery.overview(0)?));
    }
    let mut buffer = Buffer::default();
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    let mut indices: BTreeMap<usize, usize> = BTreeMap::new();
    let mut place = 0.0;
    for (i, (name, shot)) in shots.iter().enumerate() {
        let (low, high) = bounds(&shot.pose);
        let positions: Vec<u8> =
            shot.pose.as_flattened().iter().flat_map(|&x| (x as f32).to_le_bytes()).collect();
        let position = buffer.accessor(
            &positions,
            json!({ "componentType": 5126, "count": shot.pose.len(), "type": "VEC3", "min": low, "max": high }),
            34962,
        );
        let colors: Vec<u8> = colors(shot).into_iter().flatten().collect();
        let color = buffer.accessor(
            &colors,
            json!({ "componentType": 5121, "normalized": true, "count": shot.pose.len(), "type": "VEC4" }),
            34962,
        );
        // Frames of one file share their triangles.
        let file = problems.get(i).map_or(0, |problem| problem.report.file);
        let index = *indices.entry(file).or_insert_with(|| {
            let corners: Vec<u8> = shot.faces.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
            let count = 3 * shot.faces.len();
            buffer.accessor(
                &corners,
                json!({ "componentType": 5125, "count": count, "type": "SCALAR" }),
                34963,
            )
        });
        let primitive = json!({
            "attributes": { "POSITION": position, "COLOR_0": color },
            "indices": index,
            "material": 0,
        });
        meshes.push(json!({ "name": name, "primitives": [primitive] }));
        nodes.push(json!({ "name": name, "mesh": i, "translation": [place, 0.0, 0.0] }));
        place += 1.15 * f64::from(high[0] - low[0]);
    }
    let material = json!({
        "name": "depth",
        "doubleSided": true,
        "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.9 },
    });
    let all: Vec<usize> = (0..nodes.len()).collect();
    Ok(buffer.file(json!({
        "asset": { "version": "2.0", "generator": "osculate" },
        "scene": 0,
        "scenes": [{ "nodes": all }],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [material],
    })))
}

fn bounds(pose: &[[f64; 3]]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for p in pose {
        for k in 0..3 {
            low[k] = low[k].min(p[k] as f32);
            high[k] = high[k].max(p[k] as f32);
        }
    }
    (low, high)
}

/// Linear colors of vertices.
fn colors(shot: &Shot) -> Vec<[u8; 4]> {
    let mut colors = vec![[0.725, 0.757, 0.796]; shot.pose.len()];
    for (face, part) in shot.faces.iter().zip(&shot.of_triangles) {
        let color = match shot.parts {
            Some([first, _]) if first == *part => FIRST,
            Some([_, second]) if second == *part => SECOND,
            _ => continue,
        };
        face.iter().for_each(|&v| colors[v as usize] = color);
    }
    let most = shot.mark.most();
    for &(vertex, depth) in shot.mark.depths.iter().filter(|(_, depth)| 0.0 < *depth) {
        colors[vertex as usize] = ramp(depth / most);
    }
    let linear = |x: f64| if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
    colors
        .into_iter()
        .map(|[r, g, b]| [linear(r), linear(g), linear(b), 1.0].map(|x| (255.0 * x).round() as u8))
        .collect()
}

/// The binary part of a file, and what is in it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds bytes as an accessor with these members, and returns its number.
    fn accessor(&mut self, bytes: &[u8], mut members: Value, target: u32) -> usize {
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
            "target": target,
        }));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        members["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(members);
        self.accessors.len() - 1
    }

    /// The file with a document to which the buffer is added.
    fn file(self, mut document: Value) -> Vec<u8> {
        document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        document["bufferViews"] = Value::Array(self.views);
        document["accessors"] = Value::Array(self.accessors);
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut file = Vec::with_capacity(28 + text.len() + self.bytes.len());
        let total = (28 + text.len() + self.bytes.len()) as u32;
        for word in [0x4654_6c67, 2, total, text.len() as u32, 0x4e4f_534a] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend(text);
        for word in [self.bytes.len() as u32, 0x004e_4942] {
            file.extend(u32::to_le_bytes(word));
        }
        file.extend(self.bytes);
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::page::look;
    use crate::check::page::marks::Mark;

    /// Three triangles: of another part, of the first one, and of the second one, whose vertices
    /// are outside, half as deep as the deepest, and the deepest.
    #[test]
    fn vertices_have_the_colors_of_their_parts_and_depths() {
        let pose: Vec<[f64; 3]> = (0..9).map(|i| [f64::from(i), f64::from(i * i), 0.0]).collect();
        let shot = |parts| Shot {
            pose: pose.clone(),
            faces: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]],
            of_triangles: vec![7, 4, 2],
            parts,
            mark: Mark { depths: vec![(6, -0.3), (7, 0.1), (8, 0.2)], ..Mark::default() },
            view: look::overview(&pose),
        };
        // The linear values of the sRGB colors #b9c1cb, #5a9ce8 and #f0a34a.
        let (gray, blue, orange) = ([124, 136, 152, 255], [26, 85, 206, 255], [222, 93, 17, 255]);
        let middle = [221, 24, 3, 255];
        let deepest = [65, 1, 27, 255];
        let all = colors(&shot(Some([4, 2])));
        assert_eq!(all, [gray, gray, gray, blue, blue, blue, orange, middle, deepest]);
        let all = colors(&shot(Some([2, 4])));
        assert_eq!(all, [gray, gray, gray, orange, orange, orange, blue, middle, deepest]);
        assert_eq!(colors(&Shot { mark: Mark::default(), ..shot(None) }), [gray; 9]);
    }
}
