//! All messages of the command, on standard output and standard error. Nothing else writes there.
//!
//! A stream that cannot be written never causes a panic. A closed pipe (`| head`) is no error; any
//! other failure of standard output is one. Failures of standard error are ignored.
//!
//! Text from files (names of clips, bones, objects and files) is escaped with [`printable`] where
//! it is inserted into a line, and again here, line by line, as a safeguard.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use osculate_io::printable;

/// Standard output; discards everything once the pipe is closed.
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        but_for_readers(io::stdout().lock().write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        but_for_readers(io::stdout().lock().flush(), ())
    }
}

/// Replaces the error of a closed pipe by `gone`.
fn but_for_readers<T>(result: io::Result<T>, gone: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(gone),
        result => result,
    }
}

/// Writes lines to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    checked(Stdout.write_all(escaped(text).as_bytes()))
}

/// Fails if writing to standard output failed, or if its buffer cannot be flushed.
pub(crate) fn checked(written: io::Result<()>) -> Result<()> {
    but_for_readers(written, ()).and_then(|()| Stdout.flush()).context("cannot write to standard output")
}

/// Writes lines to standard error.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(escaped(text).as_bytes());
}

/// Who hears about a run of `check`.
#[derive(Clone, Debug, Default)]
pub(crate) enum Audience {
    /// People at a terminal, while it runs.
    #[default]
    People,
    /// A program, which gets the notes with the results. Nothing is printed.
    Program(Arc<Listener>),
}

/// What a program hears.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    notes: Mutex<Vec<String>>,
    /// Number of frames that are done; while the work runs, too.
    n_done: Arc<AtomicUsize>,
}

impl Listener {
    /// A listener that counts frames there.
    pub(crate) fn new(n_done: Arc<AtomicUsize>) -> Listener {
        Listener { n_done, ..Listener::default() }
    }

    /// Takes the notes so far.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Audience {
    /// Whether it is people, for whom progress and summaries are printed.
    pub(crate) fn is_people(&self) -> bool {
        matches!(self, Audience::People)
    }

    /// Counts one more frame as done, for a program.
    pub(crate) fn count(&self) {
        if let Audience::Program(listener) = self {
            listener.n_done.fetch_add(1, Relaxed);
        }
    }

    /// Tells a note about the work to come, in one line.
    pub(crate) fn note(&self, sentence: &str) {
        match self {
            Audience::People => note(sentence),
            Audience::Program(listener) => {
                listener.notes.lock().unwrap_or_else(PoisonError::into_inner).push(printable(sentence));
            }
        }
    }
}

/// Prints a note about the work to come, in one line.
pub(crate) fn note(sentence: &str) {
    say(&format!("note: {}\n", printable(sentence)));
}

/// Prints why the command fails, in one line.
pub(crate) fn complain(sentence: &str) {
    say(&format!("error: {}\n", printable(sentence)));
}

/// An error with its causes, in one sentence. No error type in this workspace includes its cause in
/// its message, so nothing is repeated.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    format!("{error:#}")
}

/// The name of a file, safe to print.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Escapes everything but line feeds.
fn escaped(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_is_quoted_is_said_once() {
        let system = || io::Error::new(ErrorKind::NotFound, "no such file");
        let quoted = osculate_io::Error::Io { path: "a.glb".into(), error: system() };
        assert_eq!(sentence(&quoted.into()), "a.glb: no such file");
        assert_eq!(
            sentence(&anyhow::Error::new(system()).context("cannot read b")),
            "cannot read b: no such file"
        );
        assert_eq!(sentence(&anyhow::anyhow!("plain")), "plain");
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(escaped("a\n\u{1b}[2Jb\n"), "a\n\\u{1b}[2Jb\n");
    }
}
