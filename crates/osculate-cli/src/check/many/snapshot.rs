//! The content of an input, as a hash.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;
use sha2::{Digest as _, Sha256};

/// The files of an input, when they were hashed.
pub(super) struct Snapshot {
    input: PathBuf,
    states: Vec<State>,
    /// The hash of all bytes.
    pub(super) hash: String,
}

/// What changes with a file.
#[derive(PartialEq)]
struct State {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl Snapshot {
    /// Hashes an input: the bytes of its file; or of several, such as the frames in a folder, their
    /// names and hashes.
    pub(super) fn take(input: &Path) -> Result<Snapshot> {
        let states = states(input)?;
        let mut hashes = Vec::new();
        for State { path, .. } in &states {
            hashes.push(of_file(path).map_err(|error| osculate_io::Error::Io { path: path.clone(), error })?);
        }
        let hash = match hashes.as_slice() {
            [one] => one.clone(),
            all => {
                let mut whole = Sha256::new();
                for (State { path, .. }, hash) in states.iter().zip(all) {
                    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
                    whole.update((name.len() as u64).to_le_bytes());
                    whole.update(name);
                    whole.update(hash);
                }
                hex(&whole.finalize())
            }
        };
        Ok(Snapshot { input: input.to_owned(), states, hash })
    }

    /// Whether no file was changed since.
    pub(super) fn is_current(&self) -> bool {
        states(&self.input).is_ok_and(|now| now == self.states)
    }
}

/// The files of an input, as they are now.
fn states(input: &Path) -> Result<Vec<State>> {
    let state = |path: PathBuf| {
        let metadata = fs::metadata(&path);
        let metadata = metadata.map_err(|error| osculate_io::Error::Io { path: path.clone(), error })?;
        Ok(State { length: metadata.len(), modified: metadata.modified().ok(), path })
    };
    osculate_io::files_of(input)?.into_iter().map(state).collect()
}

/// The hash of a file.
pub(super) fn of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            n => hash.update(&buffer[..n]),
        }
    }
}

/// The hash of several texts, which may have any length.
pub(super) fn of_texts(texts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex(&hash.finalize())
}

/// Hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
