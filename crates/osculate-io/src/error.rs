//! The one error type of the crate: which file, where in it, and what was found.

use std::path::PathBuf;

/// Why an input was refused. The message is one sentence that names the file and the place in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system could not read a file or folder.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The list of inputs makes no sense as a whole: empty, of mixed kinds, or of an unknown kind.
    #[error("{problem}")]
    Inputs {
        /// What is wrong with the list.
        problem: String,
    },
    /// The content of a file breaks the rules of its format.
    #[error("{file}: {place}: {problem}")]
    Malformed {
        /// Name of the file.
        file: String,
        /// The element, row, accessor or byte at fault.
        place: String,
        /// What was found there, and what is allowed.
        problem: String,
    },
    /// The file is valid as far as it was read, but uses something that is not supported.
    #[error("{file}: {what} is not supported; {advice}")]
    Unsupported {
        /// Name of the file.
        file: String,
        /// What the file uses.
        what: String,
        /// What to do instead.
        advice: String,
    },
    /// The file announces or unpacks to more than a file of its size may.
    #[error("{file}: {what} would take {needed} bytes of memory, but {left} are left to a file of this size")]
    TooLarge {
        /// Name of the file.
        file: String,
        /// What was about to be read.
        what: String,
        /// Bytes of memory that it needs.
        needed: u64,
        /// Bytes of memory that are left.
        left: u64,
    },
    /// No animation has the requested name.
    #[error("{file}: there is no clip named '{clip}'; {available}")]
    NoSuchClip {
        /// Name of the file.
        file: String,
        /// The name that was asked for.
        clip: String,
        /// The names there are, in words.
        available: String,
    },
    /// Two files of a sequence do not have the same triangles.
    #[error("{file}: {difference}; all frames of a sequence need the triangles of {first}")]
    FacesDiffer {
        /// Name of the file at fault.
        file: String,
        /// Name of the first file of the sequence.
        first: String,
        /// What differs, and where.
        difference: String,
    },
    /// A frame was asked for that the clip does not have.
    #[error("clip '{clip}' has no frame {frame}; it has {frames}")]
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
