//! The error type of the crate: the file, the place in it, and what was found.

use std::path::PathBuf;

use crate::printable::printable;

/// Why an input was rejected. The message is one sentence that names the file and the place in it.
///
/// The message is safe to print: text from files is made [`printable`]. It is complete: no variant
/// has a [`source`](std::error::Error::source) that would repeat it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read a file or folder.
    #[error("{}: {error}", printable(&path.to_string_lossy()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system error.
        error: std::io::Error,
    },
    /// The list of inputs is invalid: empty, of mixed kinds, or of an unknown kind.
    #[error("{}", printable(problem))]
    Inputs {
        /// What is wrong with the list.
        problem: String,
    },
    /// The content of a file breaks the rules of its format.
    #[error("{}: {}: {}", printable(file), printable(place), printable(problem))]
    Malformed {
        /// Name of the file.
        file: String,
        /// The faulty element, row, accessor or byte.
        place: String,
        /// What was found there, and what is allowed.
        problem: String,
    },
    /// The file is valid as far as it was read, but uses something that is not supported.
    #[error("{}: {} is not supported; {advice}", printable(file), printable(what))]
    Unsupported {
        /// Name of the file.
        file: String,
        /// What the file uses.
        what: String,
        /// What to do instead.
        advice: String,
    },
    /// The file announces or expands to more memory than it may, see
    /// [`Options::memory`](crate::Options::memory).
    #[error(
        "{}: {} would take {needed} bytes of memory or more, but {left} are left of the {limit} that the file may take \
         (--memory sets another limit)",
        printable(file),
        printable(what)
    )]
    TooLarge {
        /// Name of the file.
        file: String,
        /// What was about to be read.
        what: String,
        /// Bytes of memory that it needs, at least.
        needed: u64,
        /// Bytes of memory that remain.
        left: u64,
        /// Memory limit of the file in bytes.
        limit: u64,
    },
    /// No animation has the requested name.
    #[error("{}: there is no clip named '{}'; {}", printable(file), printable(clip), printable(available))]
    NoSuchClip {
        /// Name of the file.
        file: String,
        /// The requested name.
        clip: String,
        /// The available names, as text.
        available: String,
    },
    /// Two files of a sequence do not have the same triangles.
    #[error(
        "{}: {}; all frames of a sequence need the triangles of {}",
        printable(file),
        printable(difference),
        printable(first)
    )]
    FacesDiffer {
        /// Name of the faulty file.
        file: String,
        /// Name of the first file of the sequence.
        first: String,
        /// What differs, and where.
        difference: String,
    },
    /// The clip has no such frame.
    #[error("clip '{}' has no frame {frame}; it has {frames}", printable(clip))]
    NoSuchFrame {
        /// Name of the clip.
        clip: String,
        /// The requested frame.
        frame: usize,
        /// Number of frames.
        frames: usize,
    },
    /// A setting is out of range.
    #[error("{name} is {value}; it must be {allowed}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value found.
        value: f64,
        /// What is allowed, as text.
        allowed: &'static str,
    },
}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Returns an [`Error::Malformed`].
pub(crate) fn malformed(file: &str, place: impl Into<String>, problem: impl Into<String>) -> Error {
    Error::Malformed { file: file.to_owned(), place: place.into(), problem: problem.into() }
}
