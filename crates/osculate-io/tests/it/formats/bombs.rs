//! Small files that need much memory: honest ones are read, false ones are rejected at once.

use std::time::{Duration, Instant};

use osculate_io::{Error, Options, read_bytes};
use serde_json::{Value, json};

use super::support::{Gltf, clip, npy_f32, npy_i32, npz};

/// Checks that a file is refused for its size, fast.
fn check_refused(bytes: &[u8], name: &str, options: &Options) {
    let start = Instant::now();
    match read_bytes(bytes, name, options) {
        Err(error @ Error::TooLarge { .. }) => assert!(error.to_string().contains("--memory"), "{error}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{name} was read"),
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{name} took {:?}", start.elapsed());
}

/// Returns positions of a grid of `n` by `n` vertices, and its triangles.
fn grid(gltf: &mut Gltf, n: u32) -> Value {
    let positions: Vec<f32> = (0..n * n).flat_map(|i| [(i % n) as f32, (i / n) as f32, 0.0]).collect();
    let corners = (0..(n - 1) * (n - 1)).map(|i| i % (n - 1) + i / (n - 1) * n);
    let indices: Vec<u16> =
        corners.flat_map(|a| [a, a + 1, a + n, a + n, a + 1, a + n + 1].map(|v| v as u16)).collect();
    let (position, indices) = (gltf.floats("VEC3", &positions), gltf.u16s("SCALAR", &indices));
    json!({"attributes": {"POSITION": position}, "indices": indices})
}

#[test]
fn meshes_that_are_used_often_are_read() {
    let mut gltf = Gltf::default();
    let mesh = json!({"primitives": [grid(&mut gltf, 40)]});
    let nodes: Vec<Value> = (0..400).map(|i| json!({"mesh": 0, "translation": [0, 0, i]})).collect();
    let bytes = gltf.glb(json!({"nodes": nodes, "meshes": [mesh]}));
    assert!(bytes.len() < 60_000);
    let clip = clip(&bytes, "a.glb");
    assert_eq!((clip.surface.objects.len(), clip.surface.n_vertices), (400, 640_000));
}

#[test]
fn thousands_of_copies_of_a_large_mesh_are_refused() {
    let mut gltf = Gltf::default();
    let mesh = json!({"primitives": [grid(&mut gltf, 200)]});
    let places = gltf.accessor(json!({"componentType": 5126, "type": "VEC3", "count": 100_000}));
    let instancing = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    let root = json!({"nodes": [{"mesh": 0, "extensions": instancing}], "meshes": [mesh]});
    check_refused(&gltf.glb(root), "a.glb", &Options::default());
    let nodes: Vec<Value> = (0..20_000).map(|_| json!({"mesh": 0})).collect();
    check_refused(&gltf.glb(json!({"nodes": nodes, "meshes": [mesh]})), "a.glb", &Options::default());
}

/// Work that leaves nothing behind is bounded, too: here each of many skins has the mesh decoded
/// again, and all of its vertices are merged.
#[test]
fn work_for_nothing_is_refused() {
    let mut gltf = Gltf::default();
    let zeros =
        |kind: &str, component: u32| json!({"componentType": component, "type": kind, "count": 30_000});
    let (position, joints) = (gltf.accessor(zeros("VEC3", 5126)), gltf.accessor(zeros("VEC4", 5121)));
    let weights = gltf.accessor(zeros("VEC4", 5126));
    let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let nodes: Vec<Value> = (0..20_000).map(|i| json!({"mesh": 0, "skin": i})).collect();
    let skins: Vec<Value> = (0..20_000).map(|_| json!({"joints": [0]})).collect();
    let root =
        json!({"nodes": nodes, "skins": skins, "meshes": [{"primitives": [{"attributes": attributes}]}]});
    check_refused(&gltf.glb(root), "a.glb", &Options { memory: Some(100 << 20), ..Options::default() });
}

#[test]
fn counts_that_lie_are_refused() {
    let mut gltf = Gltf::default();
    let view = gltf.view(&[0; 64]);
    let part = json!({"bufferView": view, "componentType": 5125});
    let sparse = json!({"count": 1, "indices": part, "values": part});
    let position =
        gltf.accessor(json!({"componentType": 5126, "type": "VEC3", "count": 1u64 << 31, "sparse": sparse}));
    let primitive = json!({"attributes": {"POSITION": position}});
    let mesh = json!({"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}]});
    check_refused(&gltf.glb(mesh.clone()), "a.glb", &Options::default());

    gltf.accessors[0] = json!({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3});
    let meshopt =
        json!({"buffer": 0, "byteLength": 64, "byteStride": 12, "count": 1u64 << 31, "mode": "ATTRIBUTES"});
    gltf.views[0]["extensions"] = json!({"EXT_meshopt_compression": meshopt});
    check_refused(&gltf.glb(mesh), "a.glb", &Options::default());
}

/// Draco data of a header only, of either connectivity, that announces 2^31 triangles and vertices.
#[test]
fn draco_headers_that_lie_are_refused() {
    let many = [0x80, 0x80, 0x80, 0x80, 0x08];
    for method in [0, 1] {
        for tail in [&[1u8; 40][..], &[0; 40], &[0x7f; 400]] {
            let mut data = b"DRACO\x02\x02\x01".to_vec();
            data.extend([method, 0, 0]);
            data.extend(if method == 1 { &[0u8][..] } else { &[] });
            data.extend([many, many].concat());
            data.extend(tail);
            let mut gltf = Gltf::default();
            let view = gltf.view(&data);
            let position = gltf.accessor(json!({"componentType": 5126, "type": "VEC3", "count": 3}));
            let draco = json!({"bufferView": view, "attributes": {"POSITION": 0}});
            let primitive = json!({"attributes": {"POSITION": position},
                "extensions": {"KHR_draco_mesh_compression": draco}});
            let root = json!({"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}]});
            let start = Instant::now();
            let error = read_bytes(&gltf.glb(root), "a.glb", &Options::default()).unwrap_err();
            assert!(error.to_string().contains("primitive 0 of mesh 0"), "{error}");
            assert!(start.elapsed() < Duration::from_secs(1), "took {:?}", start.elapsed());
        }
    }
}

#[test]
fn archives_that_unpack_to_much_are_refused() {
    // 100 MB of zeros deflate to 100 kB; that is read if it may be.
    let zeros = npy_f32("(1000, 8000, 3)", &vec![0.0; 24_000_000]);
    let faces = ("faces", npy_i32("(1, 3)", &[0, 1, 2]));
    let mut bytes = npz(&[("frames", zeros), faces], true);
    assert!(bytes.len() < 200_000);
    assert_eq!(read_bytes(&bytes, "a.npz", &Options::default()).unwrap()[0].n_frames(), 1000);
    check_refused(&bytes, "a.npz", &Options { memory: Some(50_000_000), ..Options::default() });
    // A size that no file has.
    let at = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap() + 24;
    bytes[at..at + 4].copy_from_slice(&[0xf0, 0xff, 0xff, 0xff]);
    let error = read_bytes(&bytes, "a.npz", &Options::default()).unwrap_err();
    assert!(error.to_string().contains("larger than its packed bytes can be"), "{error}");
}
