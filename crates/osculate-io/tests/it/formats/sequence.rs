//! Files as frames, the order of their names, and the list of inputs.

use std::path::PathBuf;

use osculate_io::{Options, open};

use super::support::{Gltf, npy_f32, npy_i32, npz, pose};

/// A folder of its own for a test, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("osculate-io-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn triangle(x: f64) -> String {
    format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
}

#[test]
fn frames_are_in_natural_order() {
    let folder = Folder::new("order");
    let mut paths: Vec<PathBuf> =
        [10, 9, 2, 100, 1].map(|i| folder.write(&format!("f{i}.obj"), triangle(f64::from(i)))).into();
    folder.write("notes.txt", "not a frame");
    let options = Options { fps: 10.0, ..Default::default() };
    for inputs in [vec![folder.0.clone()], paths.clone()] {
        let clips = open(&inputs, &options).unwrap();
        assert_eq!((clips.len(), clips[0].n_frames(), clips[0].time(4)), (1, 5, 0.4));
        let first: Vec<f64> = (0..5).map(|frame| pose(&clips[0], frame)[0][0]).collect();
        assert_eq!(first, [1.0, 2.0, 9.0, 10.0, 100.0]);
        assert!(clips[0].pose(5, &mut Vec::new()).unwrap_err().to_string().contains("no frame 5; it has 5"));
    }
    // One file is one frame.
    paths.truncate(1);
    assert_eq!(open(&paths, &options).unwrap()[0].n_frames(), 1);
}

#[test]
fn a_frame_that_differs_is_named() {
    let folder = Folder::new("differ");
    folder.write("a1.obj", triangle(0.0));
    folder.write("a2.obj", triangle(0.0).replace("f 1 2 3", "f 1 3 2"));
    folder.write("a3.obj", format!("v 0 0 0\n{}", triangle(0.0)));
    folder.write("a4.obj", format!("{}f 3 2 1\n", triangle(0.0)));
    folder.write("a5.obj", "v 1 2");
    let clip = &open(std::slice::from_ref(&folder.0), &Options::default()).unwrap()[0];
    let expected =
        ["triangle 0 is [0, 2, 1]", "4 vertices instead of 3", "2 triangles instead of 1", "line 1"];
    for (frame, part) in (1..).zip(expected) {
        let message = clip.pose(frame, &mut Vec::new()).unwrap_err().to_string();
        assert!(message.contains(&format!("a{}.obj", frame + 1)) && message.contains(part), "{message}");
    }
}

#[test]
fn clips_may_be_shared_by_threads() {
    fn check<T: Send + Sync + Clone>() {}
    check::<osculate_io::Clip>();
}

#[test]
fn the_list_of_inputs_is_checked() {
    let folder = Folder::new("inputs");
    let check = |inputs: &[PathBuf], part: &str| {
        let message = open(inputs, &Options::default()).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    check(&[], "there are no .ply or .obj files");
    check(std::slice::from_ref(&folder.0), "there are no .ply or .obj files in it");
    check(&[folder.0.join("a.glb")], "a.glb");
    let ply = folder.write("a.ply", super::ply::TEXT);
    check(&[folder.write("a.stl", "")], "files of this kind are not read");
    let frames = npy_f32("(1, 3, 3)", &[0.0; 9]);
    let archive = npz(&[("frames", frames), ("faces", npy_i32("(1, 3)", &[0, 1, 2]))], true);
    let archive = folder.write("a.npz", archive);
    assert_eq!(open(&[archive.clone(), archive.clone()], &Options::default()).unwrap().len(), 2);
    check(&[archive, ply], "cannot be read together");
    folder.write("b.obj", triangle(0.0));
    check(std::slice::from_ref(&folder.0), "it holds 1 .ply and 1 .obj files");
    for fps in [0.0, -1.0, f64::NAN] {
        let options = Options { fps, ..Default::default() };
        assert!(open(&[], &options).unwrap_err().to_string().starts_with("fps is"));
    }
}

#[test]
fn buffers_beside_the_file() {
    let folder = Folder::new("buffers");
    let mut gltf = Gltf::default();
    let position = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let root = serde_json::json!({"nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}]});
    folder.write("the data.bin", &gltf.bin);
    let good = folder.write("good.gltf", gltf.json(root.clone(), "the%20data.bin"));
    assert_eq!(open(&[good], &Options::default()).unwrap()[0].surface.n_vertices, 3);
    for uri in ["../a.bin", "/etc/hostname", "http://x/a.bin", "missing.bin", "."] {
        let bad = folder.write("bad.gltf", gltf.json(root.clone(), uri));
        assert!(open(&[bad], &Options::default()).is_err(), "{uri}");
    }
}

/// The command prints an error with all its sources, so none may repeat the message.
#[test]
fn what_the_system_says_is_said_once() {
    let folder = Folder::new("missing");
    let error = open(&[folder.0.join("gone.glb")], &Options::default()).unwrap_err();
    assert!(error.to_string().contains("(os error 2)"), "{error}");
    assert!(std::error::Error::source(&error).is_none());
}
