//! Output files that are written atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file under a temporary name, in the same folder unless another one is given, renamed when it
/// is [finished](Self::finish).
///
/// If dropped before that, it is removed, and any file at its path is unchanged. Writing is
/// buffered. Targets that are not regular files, such as pipes and terminals, are written directly.
/// The permissions of an existing file are kept, and the target of a link is replaced.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// The temporary file; `None` if `path` is written directly.
    temporary: Option<PathBuf>,
    /// `None` only after it is closed.
    file: Option<BufWriter<File>>,
}

/// Has the names in the folder of a file put on the disk, so that a file that was renamed or
/// removed is so after a power failure, too. Systems that cannot do that do nothing.
pub fn sync_folder_of(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Windows does not open folders, and has no need to: it keeps a journal of names.
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}

impl AtomicFile {
    /// Creates a file that will be at `path`.
    pub fn create(path: &Path) -> Result<Self> {
        Self::try_create(path, None).map_err(|error| Error::Io { path: path.to_owned(), error })
    }

    /// The same, with the temporary file in `folder`, which must be in the same file system. So the
    /// folder of `path` has finished files only, even if the process is killed.
    pub fn create_in(path: &Path, folder: &Path) -> Result<Self> {
        Self::try_create(path, Some(folder)).map_err(|error| Error::Io { path: path.to_owned(), error })
    }

    fn try_create(path: &Path, folder: Option<&Path>) -> io::Result<Self> {
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
            let temporary = match folder {
                Some(folder) => folder.join(hidden),
                None => path.with_file_name(hidden),
            };
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

    /// Returns the path of the unfinished file, for removing it without a drop.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Renames the file to its final name once all bytes are on the disk, and has its folder put on
    /// the disk, too, where the system can do that.
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
            sync_folder_of(&self.path);
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
            // The rest of the buffer is discarded.
            drop(self.file.take().map(BufWriter::into_parts));
            // A failure cannot be reported.
            let _ = fs::remove_file(temporary);
        }
    }
}
