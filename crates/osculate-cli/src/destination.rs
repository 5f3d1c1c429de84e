//! Output destinations: a file, or standard output for `-`.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use osculate_io::write::AtomicFile;

use crate::terminal::Stdout;

/// A file, written atomically; or standard output. A file that is really called `-` is reached as
/// `./-`.
pub(crate) enum Destination {
    File(AtomicFile),
    Stdout(BufWriter<Stdout>),
}

impl Destination {
    /// Opens an output.
    pub(crate) fn create(path: &Path) -> Result<Destination> {
        Ok(match is_stdout(path) {
            true => Destination::Stdout(BufWriter::new(Stdout)),
            false => Destination::File(AtomicFile::create(path)?),
        })
    }

    /// Finishes the output; a file gets its final name.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Destination::File(file) => Ok(file.finish()?),
            Destination::Stdout(mut out) => Ok(out.flush().map_err(named)?),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::File(file) => file.write(bytes),
            Destination::Stdout(out) => out.write(bytes).map_err(named),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::File(file) => file.flush(),
            Destination::Stdout(out) => out.flush().map_err(named),
        }
    }
}

/// Writes a whole text.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let mut out = Destination::create(path)?;
    out.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
    out.finish()
}

/// Whether a path means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Fails if two outputs have the same path, or if the `binary` one would go to a terminal.
pub(crate) fn check(outputs: &[&PathBuf], binary: Option<&PathBuf>) -> Result<()> {
    for (i, output) in outputs.iter().enumerate() {
        let is_twice = outputs[..i].contains(output);
        ensure!(!is_twice || !is_stdout(output), "-: standard output cannot hold two outputs");
        ensure!(!is_twice, "{}: cannot hold two outputs", output.display());
    }
    let is_shown = binary.is_some_and(|path| is_stdout(path)) && io::stdout().is_terminal();
    ensure!(!is_shown, "-: Parquet is not for a terminal; send standard output to a file or another program");
    Ok(())
}

/// An error that says what could not be written.
fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}
