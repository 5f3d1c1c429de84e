//! Frames that take long to compute are cached in files below the target folder, and recomputed if
//! a file is invalid.
//!
//! A file consists of 8-byte little-endian numbers: a mark, a fingerprint of the input of the
//! computation, the number of frames, the number of vertices, all coordinates, and a checksum of
//! everything before it.

use crate::vector::Vector;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// "oscscene", the first eight bytes of every file.
const MARK: u64 = u64::from_le_bytes(*b"oscscene");
/// The subfolder of the target folder.
const FOLDER: &str = "osculate-scenes";

/// A checksum: FNV-1a, over 8-byte numbers instead of single bytes.
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) fn new() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn add(&mut self, word: u64) {
        // The second step carries high bits down, which a product alone never does.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }

    pub(crate) fn add_points(&mut self, points: &[Vector]) {
        points.iter().flatten().for_each(|x| self.add(x.to_bits()));
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }
}

/// The expected frames: their name and version, the fingerprint of their input, and the numbers of
/// frames and vertices.
pub(crate) struct Wanted<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: u32,
    pub(crate) fingerprint: u64,
    pub(crate) n_frames: usize,
    pub(crate) n_vertices: usize,
}

/// Returns the frames of that name, from the file if it is valid, otherwise computed and written to
/// it. Write errors are ignored.
pub(crate) fn cached(wanted: &Wanted, compute: impl FnOnce() -> Vec<Vec<Vector>>) -> Vec<Vec<Vector>> {
    cached_in(target_folder().map(|target| target.join(FOLDER)).as_deref(), wanted, compute)
}

fn cached_in(
    folder: Option<&Path>,
    wanted: &Wanted,
    compute: impl FnOnce() -> Vec<Vec<Vector>>,
) -> Vec<Vec<Vector>> {
    let file = folder.map(|folder| folder.join(format!("{}-{}.bin", wanted.name, wanted.version)));
    let found = file.as_ref().and_then(|file| fs::read(file).ok()).and_then(|bytes| decode(&bytes, wanted));
    found.unwrap_or_else(|| {
        let frames = compute();
        if let Some(file) = file {
            write(&file, &encode(&frames, wanted));
        }
        frames
    })
}

/// The build folder: the one named by the environment, or the nearest `target` above the program or
/// the current folder.
fn target_folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("CARGO_TARGET_DIR") {
        return Some(folder.into());
    }
    let program = env::current_exe().ok();
    let above = program.iter().flat_map(|program| program.ancestors());
    if let Some(folder) = above.into_iter().find(|folder| folder.file_name() == Some(OsStr::new("target"))) {
        return Some(folder.to_owned());
    }
    let here = env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("target")).find(|target| target.is_dir())
}

fn header(wanted: &Wanted) -> [u64; 4] {
    [MARK, wanted.fingerprint, wanted.n_frames as u64, wanted.n_vertices as u64]
}

fn encode(frames: &[Vec<Vector>], wanted: &Wanted) -> Vec<u8> {
    let mut sum = Checksum::new();
    let mut bytes = Vec::with_capacity(8 * (5 + 3 * wanted.n_frames * wanted.n_vertices));
    let coordinates = frames.iter().flatten().flatten().map(|x| x.to_bits());
    for word in header(wanted).into_iter().chain(coordinates) {
        sum.add(word);
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(sum.value().to_le_bytes());
    bytes
}

/// The frames in a file, if they are the expected ones and nothing is damaged.
fn decode(bytes: &[u8], wanted: &Wanted) -> Option<Vec<Vec<Vector>>> {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut words = words.iter().map(|&word| u64::from_le_bytes(word));
    if !rest.is_empty() || words.len() != 5 + 3 * wanted.n_frames * wanted.n_vertices {
        return None;
    }
    let mut sum = Checksum::new();
    let mut next = || {
        let word = words.next()?;
        sum.add(word);
        Some(word)
    };
    for expected in header(wanted) {
        if next()? != expected {
            return None;
        }
    }
    let mut frames = Vec::with_capacity(wanted.n_frames);
    for _ in 0..wanted.n_frames {
        let mut frame = Vec::with_capacity(wanted.n_vertices);
        for _ in 0..wanted.n_vertices {
            frame.push([next()?, next()?, next()?].map(f64::from_bits));
        }
        frames.push(frame);
    }
    (words.next()? == sum.value()).then_some(frames)
}

/// Writes a file atomically. Errors are ignored; the frames are then computed again next time.
fn write(file: &Path, bytes: &[u8]) {
    let half_done = file.with_extension(format!("{}.part", std::process::id()));
    let make_folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = make_folder.and_then(|()| fs::write(&half_done, bytes));
    if written.and_then(|()| fs::rename(&half_done, file)).is_err() {
        let _ = fs::remove_file(&half_done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_right_is_taken_from_a_file() {
        let folder = env::temp_dir().join(format!("osculate-scenes-cache-{}", std::process::id()));
        let frames =
            vec![vec![[1.0, 2.0, 3.0], [4.0, 5.0, -0.0]], vec![[0.5, 0.25, 7.0], [1e-300, 9.0, 8.0]]];
        let wanted = Wanted { name: "two", version: 3, fingerprint: 17, n_frames: 2, n_vertices: 2 };
        let is_computed = |wanted: &Wanted| {
            let mut is_computed = false;
            let found = cached_in(Some(&folder), wanted, || {
                is_computed = true;
                frames.clone()
            });
            assert_eq!(found, frames);
            is_computed
        };
        assert!(is_computed(&wanted));
        assert!(!is_computed(&wanted));
        let file = folder.join("two-3.bin");
        let right = fs::read(&file).unwrap();
        for i in 0..right.len() {
            let mut wrong = right.clone();
            wrong[i] ^= 1 << (i % 8);
            fs::write(&file, &wrong).unwrap();
            assert!(is_computed(&wanted), "byte {i}");
        }
        for length in [0, 7, 8, right.len() - 8, right.len() - 1] {
            fs::write(&file, &right[..length]).unwrap();
            assert!(is_computed(&wanted), "{length} bytes");
        }
        assert!(!is_computed(&wanted));
        assert!(is_computed(&Wanted { fingerprint: 18, ..wanted }), "computed from something else");
        assert!(is_computed(&Wanted { version: 4, ..wanted }));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left half done");
        fs::remove_dir_all(&folder).unwrap();
    }
}
