//! A small animated file.

use std::fs;
use std::path::Path;

use serde_json::json;

/// A clip: its name, and heights at times in seconds, between which they are interpolated.
pub(crate) type Clip<'a> = (&'a str, Vec<[f32; 2]>);

/// Writes a glTF file `NAME.gltf`, with `NAME.bin`: a tetrahedron that falls through a sheet of two
/// triangles once in each clip, given by its name and duration in seconds. `nodes` are the names of
/// the sheet and the tetrahedron.
pub(crate) fn gltf(folder: &Path, name: &str, nodes: [&str; 2], clips: &[(&str, f32)]) {
    let clips: Vec<Clip> =
        clips.iter().map(|&(clip, seconds)| (clip, vec![[0.0, 2.0], [seconds, -2.0]])).collect();
    gltf_at(folder, name, nodes, 2.0, &clips);
}

/// The same, with the height of the tetrahedron in the bind pose, and in each clip. It is 1 high,
/// stands on its tip, and at a height of 0, the sheet divides it in the middle.
pub(crate) fn gltf_at(folder: &Path, name: &str, nodes: [&str; 2], rest: f32, clips: &[Clip]) {
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut accessors = Vec::new();
    let mut add = |data: Vec<u8>, component: u32, kind: &str, count: usize| {
        views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": data.len()}));
        accessors.push(
            json!({"bufferView": views.len() - 1, "componentType": component, "type": kind, "count": count}),
        );
        bytes.extend(data);
        accessors.len() - 1
    };
    let floats = |values: &[f32]| values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let indices = |values: &[u16]| values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let sheet = [-2.0, -2.0, 0.0, 2.0, -2.0, 0.0, 2.0, 2.0, 0.0, -2.0, 2.0, 0.0];
    let body = [0.3, 0.1, -0.5, 0.8, -0.4, 0.5, -0.2, 0.9, 0.5, -0.7, -0.6, 0.5];
    let mut meshes = Vec::new();
    for (positions, corners) in
        [(sheet, &[0, 1, 2, 0, 2, 3][..]), (body, &[0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2])]
    {
        let positions = add(floats(&positions), 5126, "VEC3", 4);
        let corners = add(indices(corners), 5123, "SCALAR", corners.len());
        meshes.push(json!({"primitives": [{"attributes": {"POSITION": positions}, "indices": corners}]}));
    }
    let mut animations = Vec::new();
    for (clip, heights) in clips {
        let [mut times, mut places] = [Vec::new(), Vec::new()];
        for [time, height] in heights {
            times.push(*time);
            places.extend([0.0, 0.0, *height]);
        }
        let input = add(floats(&times), 5126, "SCALAR", times.len());
        let output = add(floats(&places), 5126, "VEC3", times.len());
        animations.push(json!({
            "name": clip,
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
            "samplers": [{"input": input, "output": output}],
        }));
    }
    let root = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": nodes[0], "mesh": 0}, {"name": nodes[1], "mesh": 1, "translation": [0.0, 0.0, rest]}],
        "meshes": meshes,
        "animations": animations,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"uri": format!("{name}.bin"), "byteLength": bytes.len()}],
    });
    fs::write(folder.join(format!("{name}.gltf")), root.to_string()).unwrap();
    fs::write(folder.join(format!("{name}.bin")), bytes).unwrap();
}
