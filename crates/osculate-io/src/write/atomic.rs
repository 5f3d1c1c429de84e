//! Output files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file under another name in the same folder, which takes its own name when it is
/// [finished](Self::finish).
///
/// Dropped before that, it is removed, and whatever was at its path stays as it was. Writing is
/// buffered. What is no regular file, such as a pipe or a terminal, is written to directly. Of an
/// existing file the permissions are kept, and of a link what it points to is replaced.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// Where the bytes go now; `None` if they go to `path` itself.
    temporary: Option<PathBuf>,
    /// `None` only once it is closed.
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Starts a file that will be at `path`.
    pub fn create(path: &Path) -> Result<Self> {
        Self::try_create(path).map_err(|error| Error::Io { path: path.to_owned(), error })
    }

    fn try_create(path: &Path) -> io::Result<Self> {
        let before = fs::metadata(path).ok();
        if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Self { path: path.to_owned(), temporary: None, file: Some(BufWriter::new(file)) });
        }
        let permissions = before.map(|metadata| metadata.permissions());
        if permissions.as_ref().is_some_and(fs::Permissions::readonly) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file may not be changed"));
        }
        let path = if permissions.is_some() { path.canonicalize()? } else { path.to_owned() };
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"));
        };
        let mut attempt = 0;
        let (temporary, file) = loop {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{attempt}.part", std::process::id()));
            let temporary = path.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => break (temporary, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
                Err(error) => return Err(error),
            }
        };
        let atomic = Self { path, temporary: Some(temporary), file: Some(BufWriter::new(file)) };
        if let (Some(permissions), Some(file)) = (permissions, &atomic.file) {
            file.get_ref().set_permissions(permissions)?;
        }
        Ok(atomic)
    }

    /// Returns the path of the unfinished file, for those who must remove it without dropping this.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Gives the file its name, when all bytes are on the disk.
    pub fn finish(mut self) -> Result<()> {
        self.try_finish().map_err(|error| Error::Io { path: self.path.clone(), error })
    }

    fn try_finish(&mut self) -> io::Result<()> {
        let Some(mut buffer) = self.file.take() else { return Ok(()) };
        buffer.flush()?;
        if let Some(temporary) = &self.temporary {
            buffer.get_ref().sync_all()?;
            // Some systems do not rename open files.
            drop(buffer);
            fs::rename(temporary, &self.path)?;
            self.temporary = None;
        }
        Ok(())
    }

    /// Returns an error that names the file.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.file.as_mut().map_or(Ok(0), |file| file.write(bytes));
        result.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.file.as_mut().map_or(Ok(()), BufWriter::flush);
        result.map_err(|error| self.named(error))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            // What is still in the buffer is not written any more.
            drop(self.file.take().map(BufWriter::into_parts));
            // There is nobody left to tell if this fails.
            let _ = fs::remove_file(temporary);
        }
    }
}
