//! Text that is written before what stands in front of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::PathBuf;

/// Number of bytes that are kept in memory; more go to a temporary file.
const IN_MEMORY: usize = 8 << 20;

/// A text of any length, to be copied elsewhere.
#[derive(Debug, Default)]
pub(super) struct Spool {
    memory: Vec<u8>,
    file: Option<(PathBuf, BufWriter<File>)>,
}

impl Spool {
    /// Copies everything that was written.
    pub(super) fn copy_to(mut self, out: &mut impl Write) -> io::Result<()> {
        if let Some((_, file)) = &mut self.file {
            file.flush()?;
            let file = file.get_mut();
            file.seek(SeekFrom::Start(0))?;
            let mut buffer = vec![0; 1 << 16];
            loop {
                match file.read(&mut buffer)? {
                    0 => break,
                    n => out.write_all(&buffer[..n])?,
                }
            }
        }
        out.write_all(&self.memory)
    }

    /// Moves the text in memory to the temporary file.
    fn spill(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            let mut attempt = 0;
            let made = loop {
                let name = format!("osculate-{}-{attempt}.part", std::process::id());
                let path = std::env::temp_dir().join(name);
                match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                    Ok(file) => break (path, BufWriter::new(file)),
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => {
                        attempt += 1;
                    }
                    Err(error) => return Err(error),
                }
            };
            self.file = Some(made);
        }
        if let Some((_, file)) = &mut self.file {
            file.write_all(&self.memory)?;
            self.memory.clear();
        }
        Ok(())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.memory.extend_from_slice(bytes);
        if IN_MEMORY < self.memory.len() {
            self.spill()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if let Some((path, file)) = self.file.take() {
            drop(file);
            // A failure cannot be reported.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_into_memory_comes_back_in_order() {
        let mut spool = Spool::default();
        let mut expected = Vec::new();
        for i in 0..1_500_000_u32 {
            let text = format!("{i},");
            spool.write_all(text.as_bytes()).unwrap();
            expected.extend_from_slice(text.as_bytes());
        }
        let path = spool.file.as_ref().map(|(path, _)| path.clone()).expect("more than fits");
        let mut out = Vec::new();
        spool.copy_to(&mut out).unwrap();
        assert!(out == expected && !path.exists());
    }
}
