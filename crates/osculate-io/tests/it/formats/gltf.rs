//! glTF: accessors, primitives, skins, welding, the node graph, and broken files.

use serde_json::{Value, json};

use super::support::{Gltf, assert_near, check_error, clip, pose};

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const POINTS: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn one_mesh(primitive: Value) -> Value {
    json!({"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}]})
}

#[test]
fn lists_strips_and_fans() {
    let mut gltf = Gltf::default();
    let position =
        gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
    let indices = gltf.u16s("SCALAR", &[0, 1, 2, 3, 4]);
    let check = |mode: u32, expected: &[[u32; 3]]| {
        for indices in [Some(indices), None] {
            let mut primitive = json!({"attributes": {"POSITION": position}, "mode": mode});
            if let Some(indices) = indices {
                primitive["indices"] = json!(indices);
            }
            let clip = clip(&gltf.glb(one_mesh(primitive)), "a.glb");
            assert_eq!(clip.surface.faces, expected);
        }
    };
    check(5, &[[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    check(6, &[[1, 2, 0], [2, 3, 0], [3, 4, 0]]);
    let list = json!({"attributes": {"POSITION": position}, "mode": 4});
    check_error(&gltf.glb(one_mesh(list)), "a.glb", "primitive 0 of mesh 0: 5 indices with mode 4");
    let six = gltf.u8s("SCALAR", &[0, 1, 2, 2, 1, 3], false);
    let list = json!({"attributes": {"POSITION": position}, "indices": six});
    assert_eq!(clip(&gltf.glb(one_mesh(list)), "a.glb").surface.faces, [[0, 1, 2], [2, 1, 3]]);
    let unknown = json!({"attributes": {"POSITION": position}, "mode": 7});
    check_error(&gltf.glb(one_mesh(unknown)), "a.glb", "mode 7");
    // Lines beside a triangle are skipped; alone they are no surface.
    let lines = json!({"attributes": {"POSITION": position}, "mode": 1});
    check_error(&gltf.glb(one_mesh(lines.clone())), "a.glb", "there are no triangles");
    let mut root = one_mesh(json!({"attributes": {"POSITION": position}, "indices": six}));
    root["meshes"][0]["primitives"].as_array_mut().unwrap().push(lines);
    assert_eq!(clip(&gltf.glb(root), "a.glb").surface.skipped, 1);
}

#[test]
fn triangles_that_a_strip_repeats_are_dropped() {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let indices = gltf.u16s("SCALAR", &[0, 1, 2, 2, 3]);
    let strip = json!({"attributes": {"POSITION": position}, "indices": indices, "mode": 5});
    let clip = clip(&gltf.glb(one_mesh(strip)), "a.glb");
    assert_eq!(clip.surface.faces, [[0, 1, 2]]);
    assert_eq!(clip.surface.welding.as_ref().unwrap().collapsed, 2);
}

#[test]
fn seams_are_welded_where_nothing_differs() {
    let mut gltf = Gltf::default();
    // Vertices 3 and 4 repeat 1 and 2; -0 is 0.
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, -0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let position = gltf.floats("VEC3", &corners);
    let indices = gltf.u16s("SCALAR", &[0, 1, 2, 3, 5, 4]);
    let joints =
        gltf.u8s("VEC4", &[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0], false);
    let half = [0.5, 0.5, 0.0, 0.0];
    let weights = gltf
        .floats("VEC4", &[half, [0.25, 0.75, 0.0, 0.0], half, [0.75, 0.25, 0.0, 0.0], half, half].concat());
    let delta = gltf
        .floats("VEC3", &[[0.0; 3], [0.0; 3], [0.0, 0.0, 1.0], [0.0; 3], [0.0, 0.0, 2.0], [0.0; 3]].concat());
    let attributes = json!({"POSITION": position});
    let skinned = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let check = |primitive: Value, skin: bool, expected: &[u32]| {
        let mut root = one_mesh(primitive);
        root["nodes"] = json!([{"mesh": 0}, {}, {}]);
        root["skins"] = json!([{"joints": [1, 2]}]);
        if skin {
            root["nodes"][0]["skin"] = json!(0);
        }
        let clip = clip(&gltf.glb(root), "a.glb");
        let welding = clip.surface.welding.as_ref().unwrap();
        assert_eq!(welding.source.iter().map(|s| s.vertex).collect::<Vec<_>>(), expected);
        assert_eq!(welding.welded, 6 - expected.len());
        assert_eq!(clip.surface.n_vertices, expected.len());
    };
    check(json!({"attributes": attributes, "indices": indices}), false, &[0, 1, 2, 5]);
    // The same weights in another order are the same.
    check(json!({"attributes": skinned, "indices": indices}), true, &[0, 1, 2, 5]);
    let targets = json!([{"POSITION": delta}]);
    check(json!({"attributes": attributes, "indices": indices, "targets": targets}), false, &[0, 1, 2, 4, 5]);
}

#[test]
fn primitives_of_a_mesh_are_welded_but_instances_are_not() {
    let mut gltf = Gltf::default();
    let a = gltf.floats("VEC3", &TRIANGLE);
    let b = gltf.floats("VEC3", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let root = json!({"nodes": [{"mesh": 0, "name": "one"}, {"mesh": 0, "translation": [0, 0, 9]}, {"mesh": 0}],
        "scenes": [{"nodes": [0, 1]}],
        "meshes": [{"name": "m", "primitives": [{"attributes": {"POSITION": a}}, {"attributes": {"POSITION": b}}]}]});
    let clip = clip(&gltf.glb(root), "a.glb");
    assert_eq!(clip.surface.objects, ["one", "m"]);
    assert_eq!(clip.surface.vertex_object, [0, 0, 0, 0, 1, 1, 1, 1]);
    let source = clip.surface.welding.as_ref().unwrap().source[7];
    assert_eq!((source.node, source.mesh, source.primitive, source.vertex), (1, 0, 1, 2));
    assert_eq!(pose(&clip, 0)[7], [1.0, 1.0, 9.0]);
}

#[test]
fn sparse_strided_quantised_and_missing_values() {
    let mut gltf = Gltf::default();
    let check = |gltf: &Gltf, position: usize, expected: &[[f64; 3]]| {
        let clip = clip(&gltf.glb(one_mesh(json!({"attributes": {"POSITION": position}}))), "a.glb");
        assert_eq!(pose(&clip, 0), expected);
    };
    // Zeros with two rows replaced.
    let indices = gltf.view(&[1, 2]);
    let values = gltf.view(&TRIANGLE[3..].iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
    let sparse = json!({"count": 2, "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": values}});
    let accessor = json!({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse});
    let position = gltf.accessor(accessor.clone());
    check(&gltf, position, &POINTS);
    let mut beyond = accessor;
    beyond["count"] = json!(2);
    let position = gltf.accessor(beyond);
    let bytes = gltf.glb(one_mesh(json!({"attributes": {"POSITION": position}})));
    check_error(&bytes, "a.glb", "accessor 1: a sparse index is beyond its 2 values");
    // Bytes of KHR_mesh_quantization, normalized and not, four bytes apart.
    let view = gltf.view(&[0, 0, 0, 9, 127, 0, 0, 9, 0, 0x80, 0, 9]);
    gltf.views[view]["byteStride"] = json!(4);
    for (normalized, expected) in [
        (true, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]),
        (false, [[0.0; 3], [127.0, 0.0, 0.0], [0.0, -128.0, 0.0]]),
    ] {
        let position = gltf
            .accessor(json!({"bufferView": view, "componentType": 5120, "type": "VEC3", "count": 3,
            "normalized": normalized}));
        let mut root = one_mesh(json!({"attributes": {"POSITION": position}}));
        root["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        assert_eq!(pose(&clip(&gltf.glb(root), "a.glb"), 0), expected);
    }
}

/// Two joints, the second a child of the first; vertices follow up to six influences in two sets.
pub(crate) fn skinned() -> (Gltf, Value) {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &TRIANGLE);
    let joints = gltf.u8s("VEC4", &[0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0], false);
    let more = gltf.u8s("VEC4", &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], false);
    let weights = gltf.u8s("VEC4", &[10, 20, 30, 40, 255, 0, 0, 0, 0, 0, 0, 0], true);
    let more_weights = gltf.u8s("VEC4", &[50, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], true);
    #[rustfmt::skip]
    let inverse_bind = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0,
    ];
    let inverse_bind = gltf.floats("MAT4", &inverse_bind);
    let root = json!({
        "nodes": [
            {"mesh": 0, "skin": 0, "translation": [100, 100, 100], "name": "body"},
            {"name": "root", "children": [2], "scale": [1, 2, 1]},
            {"children": [3]},
            {"translation": [1, 0, 0], "scale": [2, 1, 1], "rotation": [0, 0, 1, 0], "children": [4]},
            {"name": "sword", "mesh": 1},
        ],
        "scenes": [{"nodes": [0, 1]}], "scene": 0,
        "skins": [{"joints": [1, 3], "inverseBindMatrices": inverse_bind, "skeleton": 1}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights,
                "JOINTS_1": more, "WEIGHTS_1": more_weights}}]},
            {"primitives": [{"attributes": {"POSITION": position}}]},
        ],
    });
    (gltf, root)
}

#[test]
fn a_skin_follows_its_joints_and_not_its_node() {
    let (gltf, root) = skinned();
    let clip = clip(&gltf.glb(root), "folder/hero.glb");
    assert_eq!((clip.name.as_str(), clip.n_frames(), clip.time(0)), ("hero", 1, 0.0));
    // Bone 0 doubles y; bone 1 is a half turn about (1, 0, 0) with x doubled, under bone 0.
    let turned = |[x, y, z]: [f64; 3]| [1.0 - 2.0 * (x - 1.0), -2.0 * y, z];
    let mut expected: Vec<[f64; 3]> = POINTS.to_vec();
    expected[0] = [3.0 * 110.0 / 200.0, 0.0, 0.0];
    expected[1] = turned(POINTS[1]);
    // All weights are 0: it follows the root of the skin.
    expected[2] = [0.0, 2.0, 0.0];
    let sword = |[x, y, z]: [f64; 3]| [1.0 - 2.0 * x, -2.0 * y, z];
    expected.extend(POINTS.map(sword));
    assert_near(&pose(&clip, 0), &expected, 1e-15);
    let skin = clip.surface.skin.as_ref().unwrap();
    let bones: Vec<_> = skin.bones.iter().map(|b| (b.name.as_str(), b.parent, b.head)).collect();
    let expected =
        [("root", None, [0.0; 3]), ("joint 1", Some(0), [1.0, 0.0, 0.0]), ("sword", Some(1), [0.0; 3])];
    assert_eq!(bones, expected);
    assert_eq!((0..6).map(|v| skin.dominant_bone(v).unwrap()).collect::<Vec<_>>(), [1, 1, 0, 2, 2, 2]);
    assert_eq!(skin.influences(0).len(), 2);
    assert!((skin.influences(0).iter().map(|i| i.weight).sum::<f64>() - 1.0).abs() < 1e-15);
    assert!(!clip.has_morphs());
    let note = "1 vertex with weights that are no numbers, or none above 0 (vertex 2 of primitive 0 of mesh 0); \
        bound to the root of the skin";
    assert_eq!(clip.surface.notes, [note]);
}

#[test]
fn weights_that_say_nothing_are_counted() {
    let (mut gltf, mut root) = skinned();
    // The root of the skin is not its first joint.
    root["skins"][0]["joints"] = json!([3, 1]);
    let bad = [f32::NAN, 0.0, 0.0, 0.0, 0.5, -0.5, 0.0, 0.0, 1.0, f32::INFINITY, 0.0, 0.0];
    let weights = gltf.floats("VEC4", &bad);
    root["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let clip = clip(&gltf.glb(root), "a.glb");
    let skin = clip.surface.skin.as_ref().unwrap();
    assert_eq!(skin.bones[1].name, "root");
    for vertex in 0..3 {
        assert_eq!(skin.influences(vertex), [osculate_io::Influence { bone: 1, weight: 1.0 }]);
    }
    let starts =
        ["2 vertices with weights that are no numbers", "1 vertex with negative weights (vertex 1 of"];
    assert_eq!(clip.surface.notes.len(), 2);
    assert!(clip.surface.notes.iter().zip(starts).all(|(note, start)| note.starts_with(start)));
}

#[test]
fn faults_of_skins_are_named() {
    let check = |change: &dyn Fn(&mut Gltf, &mut Value), part: &str| {
        let (mut gltf, mut root) = skinned();
        change(&mut gltf, &mut root);
        check_error(&gltf.glb(root), "a.glb", part);
    };
    check(&|_, root| root["skins"][0]["joints"] = json!([1]), "vertex 0 follows joint 1, but its skin has 1");
    check(&|_, root| root["skins"][0]["joints"] = json!([1, 9]), "its joint 1 is node 9");
    check(&|_, root| root["skins"][0]["joints"] = json!([1, 3, 2]), "3 joints, but 2 inverse bind matrices");
    check(&|_, root| root["nodes"][0]["skin"] = json!(5), "skin 5: it does not exist");
    check(
        &|gltf, _| gltf.accessors[1]["normalized"] = json!(true),
        "accessor 1: its values must be unsigned",
    );
    check(&|gltf, _| gltf.accessors[3]["count"] = json!(2), "JOINTS_0 or WEIGHTS_0 does not have 3 vertices");
    let attributes = |root: &mut Value| root["meshes"][0]["primitives"][0]["attributes"].take();
    check(&|_, root| drop(attributes(root)["POSITION"].take()), "invalid type: null");
    check(
        &|_, root| {
            let mut map = attributes(root);
            map.as_object_mut().unwrap().remove("WEIGHTS_1");
            root["meshes"][0]["primitives"][0]["attributes"] = map;
        },
        "JOINTS_1 has no WEIGHTS_1",
    );
}

#[test]
fn graphs_that_are_no_trees_are_refused() {
    let check = |nodes: Value, part: &str| {
        let mut gltf = Gltf::default();
        let position = gltf.floats("VEC3", &TRIANGLE);
        let root =
            json!({"nodes": nodes, "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}]});
        check_error(&gltf.glb(root), "a.glb", part);
    };
    check(json!([{"children": [0]}]), "node 0: it is its own ancestor");
    check(json!([{"mesh": 0}, {"children": [2]}, {"children": [1]}]), "node 1: it is its own ancestor");
    check(json!([{"children": [2]}, {"children": [2]}, {}]), "node 2: it is a child of 0 and of 1");
    check(json!([{"children": [7]}]), "its child 7 does not exist");
    check(json!([{"mesh": 4}]), "node 0: mesh 4 does not exist");
}

#[test]
fn a_deep_chain_of_nodes_is_no_problem() {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &TRIANGLE);
    let mut nodes: Vec<Value> =
        (1..50_000).map(|i| json!({"children": [i], "translation": [0, 0, 1]})).collect();
    nodes.push(json!({"mesh": 0}));
    let root = json!({"nodes": nodes, "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}]});
    assert_eq!(pose(&clip(&gltf.glb(root), "a.glb"), 0)[0], [0.0, 0.0, 49_999.0]);
}

#[test]
fn data_may_be_in_the_json() {
    let mut gltf = Gltf::default();
    let position = gltf.u8s("VEC3", &[0, 0, 0, 1, 0, 0, 0, 1, 0], false);
    let root = one_mesh(json!({"attributes": {"POSITION": position}}));
    let uri = "data:application/octet-stream;base64,AAAAAQAAAAEA";
    assert_eq!(pose(&clip(&gltf.json(root.clone(), uri), "a.gltf"), 0), POINTS);
    check_error(&gltf.json(root.clone(), "data:,x"), "a.gltf", "buffer 0: its data URI is not base64");
    check_error(&gltf.json(root.clone(), "data:;base64,AAAA"), "a.gltf", "should have 9 bytes, but has 3");
    check_error(&gltf.json(root, "a.bin"), "a.gltf", "buffer 0: it is in another file");
}

#[test]
fn unknown_extensions_are_refused_by_name() {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &TRIANGLE);
    let mut root = one_mesh(json!({"attributes": {"POSITION": position}}));
    root["extensionsRequired"] = json!(["XYZ_other"]);
    check_error(&gltf.glb(root.clone()), "a.glb", "the extension XYZ_other is not supported");
    root["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_texture_transform", "VRMC_vrm"]);
    assert_eq!(clip(&gltf.glb(root), "a.vrm").surface.faces.len(), 1);
    // A buffer that has nothing, and a view that is not packed.
    let root = json!({"nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36}]});
    check_error(root.to_string().as_bytes(), "a.gltf", "buffer 0 has neither a URI nor a chunk of a GLB");
}

#[test]
fn what_is_invisible_is_left_out() {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &TRIANGLE);
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    let shown = json!({"KHR_node_visibility": {"visible": true}});
    let mut root = one_mesh(json!({"attributes": {"POSITION": position}}));
    root["nodes"] = json!([
        {"name": "a", "mesh": 0, "extensions": shown},
        {"name": "b", "mesh": 0, "extensions": hidden, "children": [2]},
        {"name": "c", "mesh": 0, "extensions": shown},
    ]);
    root["extensionsRequired"] = json!(["KHR_node_visibility", "KHR_animation_pointer"]);
    // One channel that would show a node, one of a material, and one that moves a node.
    let times = gltf.floats("SCALAR", &[0.0, 1.0]);
    let moves = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 6.0]);
    let channel = |pointer: &str| {
        json!({"sampler": 0, "target": {"path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}})
    };
    root["animations"] = json!([{
        "channels": [
            channel("/nodes/1/extensions/KHR_node_visibility/visible"),
            channel("/materials/0/emissiveFactor"),
            channel("/nodes/0/translation"),
        ],
        "samplers": [{"input": times, "output": moves}],
    }]);
    let clip = clip(&gltf.glb(root.clone()), "a.glb");
    assert_eq!(clip.surface.objects, ["a"]);
    assert_eq!(pose(&clip, 15)[1], [1.0, 0.0, 3.0]);
    let notes = [
        "2 meshes left out, as they are invisible",
        "1 animated property is ignored (/nodes/1/extensions/KHR_node_visibility/visible)",
    ];
    assert_eq!(clip.surface.notes, notes);
    root["nodes"][0]["extensions"] = hidden;
    check_error(&gltf.glb(root), "a.glb", "there are no triangles");
}

#[test]
fn lengths_that_lie_are_refused() {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &TRIANGLE);
    let zeros = gltf.accessor(json!({"componentType": 5126, "type": "VEC3", "count": 4_000_000_000u64}));
    let many = gltf.accessor(json!({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4}));
    check_error(
        &gltf.glb(one_mesh(json!({"attributes": {"POSITION": zeros}}))),
        "a.glb",
        "accessor 1 would take",
    );
    let bytes = gltf.glb(one_mesh(json!({"attributes": {"POSITION": many}})));
    check_error(&bytes, "a.glb", "accessor 2: value 3 of 4 lies outside buffer view 0");
    check_error(
        &gltf.glb(one_mesh(json!({"attributes": {"POSITION": 9}}))),
        "a.glb",
        "accessor 9: there are only 3",
    );
    gltf.views[0]["byteLength"] = json!(37);
    check_error(&gltf.glb(one_mesh(json!({"attributes": {"POSITION": position}}))), "a.glb", "buffer view 0");
    // Morph targets without end.
    let mut gltf = Gltf::default();
    let position = gltf.accessor(json!({"componentType": 5126, "type": "VEC3", "count": 30_000}));
    let targets: Vec<Value> = (0..100_000).map(|_| json!({})).collect();
    let bytes = gltf.glb(one_mesh(json!({"attributes": {"POSITION": position}, "targets": targets})));
    check_error(&bytes, "a.glb", "bytes of memory");
    check_error(b"glTF\x02\0\0\0\0\0", "a.glb", "byte 12");
    check_error(b"glTF\x01\0\0\0\0\0", "a.glb", "version 1");
    check_error(b"{\"nodes\": 3}", "a.gltf", "JSON: invalid type");
}

/// A mirror turns what is outside; so do the triangles.
#[test]
fn mirrored_meshes_are_turned() {
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let root = json!({
        "nodes": [{"mesh": 0, "scale": [1, -1, 1]}, {"mesh": 0, "scale": [1, -1, -1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}],
    });
    assert_eq!(clip(&gltf.glb(root), "a.glb").surface.faces, [[0, 2, 1], [3, 4, 5]]);

    // With a skin, the node counts for this, and for nothing else.
    let joints = gltf.u8s("VEC4", &[0; 12], false);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    for (scale, faces) in [(-1, [[0, 2, 1]]), (1, [[0, 1, 2]])] {
        let root = json!({
            "nodes": [{"mesh": 0, "skin": 0, "scale": [scale, 1, 1]}, {}],
            "skins": [{"joints": [1]}],
            "meshes": [{"primitives": [{"attributes": attributes}]}],
        });
        let clip = clip(&gltf.glb(root), "a.glb");
        assert_eq!(clip.surface.faces, faces);
        assert_eq!(pose(&clip, 0)[1], [1.0, 0.0, 0.0]);
    }
}
