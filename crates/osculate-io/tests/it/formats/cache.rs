//! Point caches with the triangles of an OBJ file.

use osculate_io::{Clip, Options, Result, files_of, open, read_bytes, read_cache};

use super::sequence::Folder;
use super::support::pose;

/// A square of two triangles, far from the points of the caches.
pub(crate) const MESH: &[u8] = b"o square\nv 9 9 9\nv 8 9 9\nv 8 8 9\nv 9 8 9\nf 1 2 3 4\n";

const N_FRAMES: usize = 3;

fn frame(i: usize) -> Vec<[f32; 3]> {
    let z = i as f32 * 0.1;
    vec![[0.0, 0.0, z], [1.0, 0.0, -z], [1.0, 1.0, 1e-20], [0.0, 1.0, 3e38]]
}

/// The bytes of a header and of all positions, with the numbers in their order.
fn file(header: &[u8], swap: impl Fn([u8; 4]) -> [u8; 4]) -> Vec<u8> {
    let positions = (0..N_FRAMES).flat_map(frame).flatten();
    header.iter().copied().chain(positions.flat_map(|x| swap(x.to_le_bytes()))).collect()
}

fn pc2_with(version: i32, n_points: i32, per_sample: f32, n_samples: i32) -> Vec<u8> {
    let mut header = b"POINTCACHE2\0".to_vec();
    header.extend(version.to_le_bytes());
    header.extend(n_points.to_le_bytes());
    header.extend(7f32.to_le_bytes());
    header.extend(per_sample.to_le_bytes());
    header.extend(n_samples.to_le_bytes());
    file(&header, |bytes| bytes)
}

fn mdd_with(n_frames: i32, n_points: i32, times: &[f32]) -> Vec<u8> {
    let mut header = n_frames.to_be_bytes().to_vec();
    header.extend(n_points.to_be_bytes());
    header.extend(times.iter().flat_map(|time| time.to_be_bytes()));
    file(&header, |[a, b, c, d]| [d, c, b, a])
}

pub(crate) fn pc2() -> Vec<u8> {
    pc2_with(1, 4, 1.0, N_FRAMES as i32)
}

pub(crate) fn mdd() -> Vec<u8> {
    mdd_with(N_FRAMES as i32, 4, &[0.0, 1.0 / 24.0, 2.0 / 24.0])
}

fn read(bytes: &[u8], name: &str) -> Result<Clip> {
    read_cache(bytes.to_vec(), name, MESH, &Options::default())
}

fn check_error(bytes: &[u8], name: &str, part: &str) {
    let message = read(bytes, name).expect_err("the file is broken").to_string();
    assert!(message.starts_with(name) && message.contains(part), "expected '{part}' in: {message}");
}

fn check_clip(clip: &Clip, name: &str) {
    assert_eq!((clip.name.as_str(), clip.n_frames()), (name, N_FRAMES));
    assert_eq!(clip.surface.faces, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(clip.surface.objects, ["square"]);
    for i in 0..N_FRAMES {
        let expected: Vec<[f64; 3]> = frame(i).iter().map(|p| p.map(f64::from)).collect();
        assert_eq!(pose(clip, i), expected, "frame {i}");
    }
    assert!(clip.pose(N_FRAMES, &mut Vec::new()).is_err());
    assert!(!clip.rest(&mut Vec::new()));
}

#[test]
fn frames_and_triangles() {
    for (name, bytes, fps) in [("a.pc2", pc2(), 30.0), ("b.MDD", mdd(), 24.0)] {
        let clip = read(&bytes, name).unwrap();
        check_clip(&clip, &name[..1]);
        assert_eq!((clip.fps, clip.surface.notes.len()), (fps, 0), "{name}");
    }
}

#[test]
fn the_mesh_is_beside_the_cache() {
    let folder = Folder::new("cache");
    let (a, b) = (folder.write("a.pc2", pc2()), folder.write("a.b.mdd", mdd()));
    for path in [&a, &b] {
        let message = open(std::slice::from_ref(path), &Options::default()).unwrap_err().to_string();
        let missing = format!("{}, which is missing", path.with_extension("obj").display());
        assert!(message.starts_with(&path.display().to_string()) && message.ends_with(&missing), "{message}");
        assert_eq!(files_of(path).unwrap(), std::slice::from_ref(path));
    }
    let message = open(&[folder.0.join("gone.pc2")], &Options::default()).unwrap_err().to_string();
    assert!(message.contains("gone.pc2: ") && message.contains("(os error 2)"), "{message}");
    let meshes = [folder.write("a.obj", MESH), folder.write("a.b.OBJ", MESH)];
    let clips = open(&[a.clone(), b.clone()], &Options::default()).unwrap();
    for (clip, name) in clips.iter().zip(["a", "a.b"]) {
        check_clip(clip, name);
    }
    for (path, mesh) in [&a, &b].into_iter().zip(&meshes) {
        assert_eq!(files_of(path).unwrap().len(), 2);
        assert!(files_of(path).unwrap()[1].is_file());
        let message = open(&[mesh.clone(), path.clone()], &Options::default()).unwrap_err().to_string();
        assert!(message.contains("a point cache is given without its .obj file"), "{message}");
    }
    // The mesh alone is one frame, as ever.
    assert_eq!(open(&meshes[..1], &Options::default()).unwrap()[0].n_frames(), 1);
    // The mesh is limited as any other.
    let options = Options { memory: Some(100), ..Options::default() };
    assert!(open(&[a], &options).unwrap_err().to_string().contains("--memory"));
}

#[test]
fn both_files_are_needed() {
    let message = read_bytes(&pc2(), "a.pc2", &Options::default()).unwrap_err().to_string();
    assert!(message.contains("read with an .obj file"), "{message}");
    check_error(&pc2(), "a.obj", "point caches are .pc2 and .mdd files");
    let mesh = String::from_utf8(MESH.into()).unwrap().replace("f 1", "f 5");
    let read = |mesh: &str| read_cache(mdd(), "x/a.mdd", mesh.as_bytes(), &Options::default());
    let message = read(&mesh).unwrap_err().to_string();
    assert!(message.contains("a.obj: line 6: vertex 5, but there are 4 vertices"), "{message}");
    let message = read(&mesh.replacen("v", "v 0 0 0\nv", 1)).unwrap_err().to_string();
    assert!(message.contains("a.mdd: header: the cache has 4 points, but "), "{message}");
    assert!(message.ends_with("a.obj has 5 vertices"), "{message}");
}

#[test]
fn rates() {
    let fps = |bytes: &[u8], name: &str, fps| {
        let clip = read_cache(bytes.to_vec(), name, MESH, &Options { fps, ..Options::default() }).unwrap();
        (clip.fps, clip.surface.notes.len())
    };
    assert_eq!(fps(&pc2_with(1, 4, 0.5, 3), "a.pc2", 25.0), (50.0, 0));
    assert_eq!(fps(&pc2_with(1, 4, 2.0, 3), "a.pc2", 25.0), (12.5, 0));
    for per_sample in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        check_error(&pc2_with(1, 4, per_sample, 3), "a.pc2", "frames per sample");
    }
    let of_times = |times: [f32; 3]| fps(&mdd_with(3, 4, &times), "a.mdd", 25.0);
    for rate in [23.976, 24.0, 29.97, 30.0, 60.0, 120.0] {
        assert_eq!(of_times([0.0, (1.0 / rate) as f32, (2.0 / rate) as f32]), (rate, 0));
    }
    // Not of a rate in thousandths.
    let last = 2f32 / 29.970_03;
    assert_eq!(of_times([0.0, last / 2.0, last]), (2.0 / f64::from(last), 0));
    assert_eq!(of_times([10.0, 10.5, 11.0]), (2.0, 0));
    let (infinite, nan) = (f32::INFINITY, f32::NAN);
    for times in [[0.0; 3], [0.0, 2.0, 1.0], [0.0, nan, 1.0], [0.0, 1.0, infinite], [-infinite, 0.0, 1.0]] {
        assert_eq!(of_times(times), (25.0, 1), "{times:?}");
    }
    // A single frame has no rate, whatever its time is.
    let mut single = mdd_with(1, 4, &[nan]);
    single.truncate(12 + 48);
    assert_eq!(fps(&single, "a.mdd", 25.0), (25.0, 0));
}

#[test]
fn damaged_headers() {
    check_error(b"POINTCACHE1\0", "a.pc2", "does not begin with POINTCACHE2");
    check_error(&pc2_with(2, 4, 1.0, 3), "a.pc2", "version 2 is not read");
    for n in [0, -1, i32::MIN] {
        check_error(&pc2_with(1, n, 1.0, 3), "a.pc2", &format!("header: {n} points"));
        check_error(&pc2_with(1, 4, 1.0, n), "a.pc2", &format!("header: {n} frames"));
        check_error(&mdd_with(3, n, &[0.0, 1.0, 2.0]), "a.mdd", &format!("header: {n} points"));
        check_error(&mdd_with(n, 4, &[0.0, 1.0, 2.0]), "a.mdd", &format!("header: {n} frames"));
    }
    // Huge numbers, and one too many or too few, do not fit the length.
    for n in [2, 4, 1 << 28, 1 << 30, i32::MAX] {
        let part = format!("header: {n} frames of 4 points need ");
        check_error(&pc2_with(1, 4, 1.0, n), "a.pc2", &part);
        check_error(&mdd_with(n, 4, &[0.0, 1.0, 2.0]), "a.mdd", &part);
    }
    for n in [3, 5, 1 << 28, 1 << 30, i32::MAX] {
        let part = format!("header: 3 frames of {n} points need ");
        check_error(&pc2_with(1, n, 1.0, 3), "a.pc2", &part);
        check_error(&mdd_with(3, n, &[0.0, 1.0, 2.0]), "a.mdd", &part);
    }
    let most = i32::MAX as u128;
    let part = |header: u128| format!("points need {} bytes, not", header + 12 * most * most);
    check_error(&pc2_with(1, i32::MAX, 1.0, i32::MAX), "a.pc2", &part(32));
    check_error(&mdd_with(i32::MAX, i32::MAX, &[]), "a.mdd", &part(8 + 4 * most));
}

#[test]
fn every_other_length_is_an_error() {
    for (name, bytes) in [("a.pc2", pc2()), ("a.mdd", mdd())] {
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length], name).is_err(), "{length} bytes of {name}");
        }
        check_error(&bytes[..bytes.len() - 1], name, &format!("need {} bytes, not", bytes.len()));
        check_error(&[&bytes[..], &[0]].concat(), name, &format!("need {} bytes, not", bytes.len()));
    }
}

#[test]
fn positions_that_are_not_finite_are_named() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for (frame, vertex, axis) in [(0, 0, 0), (1, 3, 1), (2, 3, 2)] {
            let at = 4 * (12 * frame + 3 * vertex + axis);
            let part = format!("frame {frame}, vertex {vertex}: it is not finite");
            let mut bytes = pc2();
            bytes[32 + at..][..4].copy_from_slice(&value.to_le_bytes());
            check_error(&bytes, "a.pc2", &part);
            let mut bytes = mdd();
            bytes[20 + at..][..4].copy_from_slice(&value.to_be_bytes());
            check_error(&bytes, "a.mdd", &part);
        }
    }
}
