//! Builders of small files.

use std::io::Write as _;
use std::time::{Duration, Instant};

use osculate_io::{Clip, Error, Options, read_bytes};
use serde_json::{Value, json};

/// Returns the clips of a file, which must be readable.
pub(crate) fn clips(bytes: &[u8], name: &str) -> Vec<Clip> {
    read_bytes(bytes, name, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the only clip of a file.
pub(crate) fn clip(bytes: &[u8], name: &str) -> Clip {
    let mut clips = clips(bytes, name);
    assert_eq!(clips.len(), 1);
    clips.remove(0)
}

/// Returns the error that reading ends with.
pub(crate) fn error(bytes: &[u8], name: &str) -> Error {
    read_bytes(bytes, name, &Options::default()).expect_err("the file is broken")
}

/// Checks that reading fails with a message that names the file and contains `part`.
pub(crate) fn check_error(bytes: &[u8], name: &str, part: &str) {
    let message = error(bytes, name).to_string();
    assert!(message.starts_with(name) && message.contains(part), "expected '{part}' in: {message}");
}

/// Most memory that a damaged file may take, in bytes, and the longest that it may be read.
const MAX_MEMORY: u64 = 2 << 30;
const MAX_TIME: Duration = Duration::from_secs(10);

/// Calls `read`, and returns what it returns. Checks that it took neither too long nor too much
/// memory.
pub(crate) fn bounded<T>(what: &str, read: impl FnOnce() -> T) -> T {
    let (start, start_of_work) = (Instant::now(), processor_time());
    let out = read();
    // A busy machine is no fault of the reader.
    let work = processor_time().zip(start_of_work).map(|(end, start)| end - start);
    let took = work.map_or(start.elapsed(), |work| work.min(start.elapsed()));
    assert!(took < MAX_TIME, "{what} took {took:?}");
    if let Some(peak) = peak() {
        assert!(peak < MAX_MEMORY, "{what} took {peak} bytes");
    }
    out
}

/// Returns the time that all threads of this process have used processors so far, where the system
/// says it.
fn processor_time() -> Option<Duration> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, in parentheses: the 12th and 13th, in hundredths of a second.
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

/// Returns the most memory that this process has used so far, in bytes, where the system says it;
/// that of C code counts, too.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Checks that a file is refused, by an error that names what is wrong, within the time and the
/// memory for damaged files; returns the error.
pub(crate) fn refused(bytes: &[u8], name: &str, what: &str) -> String {
    let error = match bounded(what, || read_bytes(bytes, name, &Options::default())) {
        Err(error) => error,
        Ok(_) => panic!("{what} was read"),
    };
    let is_named =
        matches!(error, Error::Malformed { .. } | Error::TooLarge { .. } | Error::Unsupported { .. });
    assert!(is_named, "{what}: {error}");
    error.to_string()
}

pub(crate) fn pose(clip: &Clip, frame: usize) -> Vec<[f64; 3]> {
    let mut out = vec![[7.0; 3]; 3];
    clip.pose(frame, &mut out).unwrap();
    assert_eq!(out.len(), clip.surface.n_vertices);
    out
}

pub(crate) fn assert_near(a: &[[f64; 3]], b: &[[f64; 3]], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance), "{a:?} is not {b:?}");
    }
}

/// Returns the bytes of an .npy array.
pub(crate) fn npy(descr: &str, shape: &str, fortran: bool, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

pub(crate) fn npy_f32(shape: &str, values: &[f32]) -> Vec<u8> {
    npy("<f4", shape, false, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())
}

pub(crate) fn npy_i32(shape: &str, values: &[i32]) -> Vec<u8> {
    npy("<i4", shape, false, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())
}

pub(crate) fn npy_texts(texts: &[&str], width: usize) -> Vec<u8> {
    let mut data = Vec::new();
    for text in texts {
        let mut codes: Vec<u32> = text.chars().map(u32::from).collect();
        codes.resize(width, 0);
        data.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
    }
    npy(&format!("<U{width}"), &format!("({},)", texts.len()), false, &data)
}

/// Returns a ZIP archive of .npy members.
pub(crate) fn npz(members: &[(&str, Vec<u8>)], deflate: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let name = format!("{name}.npy");
        let packed = if deflate {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        } else {
            content.clone()
        };
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let mut common = vec![20, 0, 0, 0, if deflate { 8 } else { 0 }, 0, 0, 0, 0, 0];
        common.extend(crc.sum().to_le_bytes());
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(&packed);
    }
    let (start, n) = (bytes.len() as u32, members.len() as u16);
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(n.to_le_bytes());
    bytes.extend(n.to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// Collects accessors, one buffer view for each, and puts them under a document.
#[derive(Default)]
pub(crate) struct Gltf {
    pub(crate) bin: Vec<u8>,
    pub(crate) views: Vec<Value>,
    pub(crate) accessors: Vec<Value>,
}

impl Gltf {
    /// Adds bytes as a buffer view and returns its index.
    pub(crate) fn view(&mut self, data: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": data.len()}));
        self.bin.extend(data);
        self.views.len() - 1
    }

    pub(crate) fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let view = self.view(&values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
        let count = values.len() / width(kind);
        self.accessor(json!({"bufferView": view, "componentType": 5126, "type": kind, "count": count}))
    }

    pub(crate) fn u16s(&mut self, kind: &str, values: &[u16]) -> usize {
        let view = self.view(&values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
        let count = values.len() / width(kind);
        self.accessor(json!({"bufferView": view, "componentType": 5123, "type": kind, "count": count}))
    }

    pub(crate) fn u8s(&mut self, kind: &str, values: &[u8], normalized: bool) -> usize {
        let view = self.view(values);
        let count = values.len() / width(kind);
        let accessor = json!({"bufferView": view, "componentType": 5121, "type": kind, "count": count,
            "normalized": normalized});
        self.accessor(accessor)
    }

    fn document(&self, mut root: Value, buffer: Value) -> Vec<u8> {
        root["asset"] = json!({"version": "2.0"});
        root["buffers"] = json!([buffer]);
        root["bufferViews"] = json!(self.views);
        root["accessors"] = json!(self.accessors);
        root.to_string().into_bytes()
    }

    /// Returns a GLB with the given nodes, meshes and so on.
    pub(crate) fn glb(&self, root: Value) -> Vec<u8> {
        let mut json = self.document(root, json!({"byteLength": self.bin.len()}));
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend((28 + json.len() as u32 + self.bin.len() as u32).to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(&json);
        bytes.extend((self.bin.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend(&self.bin);
        bytes
    }

    /// Returns a .gltf whose buffer is behind a URI.
    pub(crate) fn json(&self, root: Value, uri: &str) -> Vec<u8> {
        self.document(root, json!({"byteLength": self.bin.len(), "uri": uri}))
    }
}

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

/// A generator of numbers for seeded tests (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}
