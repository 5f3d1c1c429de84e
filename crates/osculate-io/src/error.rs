//! The one error type of the crate: which file, where in it, and what was found.

use std::path::PathBuf;

use crate::printable::printable;

/// Why an input was refused. The message is one sentence that names the file and the place in it.
///
/// The message is safe to show: what it quotes from a file is made [`printable`]. It is complete,
/// too: no variant has a [`source`](std::error::Error::source) that would say the same again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read a file or folder.
    #[error("{}: {error}", printable(&path.to_string_lossy()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The list of inputs makes no sense as a whole: empty, of mixed kinds, or of an unknown kind.
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
        /// The element, row, accessor or byte at fault.
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
    /// The file announces or unpacks to more than it may, see
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
        /// Bytes of memory that it needs at least.
        needed: u64,
        /// Bytes of memory that are left.
        left: u64,
        /// Bytes of memory that the file may take in all.
        limit: u64,
    },
    /// No animation has the requested name.
    #[error("{}: there is no clip named '{}'; {}", printable(file), printable(clip), printable(available))]
    NoSuchClip {
        /// Name of the file.
        file: String,
        /// The name that was asked for.
        clip: String,
        /// The names there are, in words.
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
        /// Name of the file at fault.
        file: String,
        /// Name of the first file of the sequence.
        first: String,
        /// What differs, and where.
        difference: String,
    },
    /// A frame was asked for that the clip does not have.
    #[error("clip '{}' has no frame {frame}; it has {frames}", printable(clip))]
    NoSuchFrame {
        /// Name of the clip.
        clip: String,
        /// The frame that was asked for.
        frame: usize,
        /// Number of frames.
        frames: usize,
    },
    /// A setting is outside its legal range.
    #[error("{name} is {value}; it must be {allowed}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value found.
        value: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
}

/// What every reader of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Returns an [`Error::Malformed`].
pub(crate) fn malformed(file: &str, place: impl Into<String>, problem: impl Into<String>) -> Error {
    Error::Malformed { file: file.to_owned(), place: place.into(), problem: problem.into() }
}
