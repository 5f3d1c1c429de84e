//! A file with the surface at the start of the last step, with a color for each triangle.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use osculate_io::Clip;
use osculate_io::write::{AtomicFile, Painted, painted_glb, ply};

use crate::bodies::Parts;
use crate::terminal;

/// Fails if the extension of a file is not that of a format for painted surfaces.
pub(super) fn check_name(option: &str, path: &Path) -> Result<()> {
    let is_known = ["ply", "glb"].into_iter().any(|format| has_extension(path, format));
    ensure!(is_known, "{}: {option} writes a file whose name ends in .ply or .glb", path.display());
    Ok(())
}

fn has_extension(path: &Path, format: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(format))
}

/// The file, and what it shows.
pub(super) struct Painting<'a> {
    path: &'a Path,
    file: AtomicFile,
    words: String,
}

impl<'a> Painting<'a> {
    /// Opens the file, before frames are checked.
    pub(super) fn open(path: &'a Path) -> Result<Painting<'a>> {
        Ok(Painting { path, file: AtomicFile::create(path)?, words: String::new() })
    }

    /// Writes the surface at the pose of the world, with a color and a value for each triangle;
    /// `words` say what it shows.
    pub(super) fn paint(
        &mut self,
        parts: &mut Parts,
        clip: &Clip,
        (property, values): (&str, &[u32]),
        colors: &[[u8; 3]],
        words: String,
    ) -> Result<()> {
        let positions = parts.vertices(clip.surface.n_vertices)?;
        let faces = &clip.surface.faces;
        let painted = Painted { name: &clip.name, positions: &positions, faces, colors, property, values };
        let write = if has_extension(self.path, "glb") { painted_glb } else { ply };
        self.file.write_all(&write(&painted)?).with_context(|| self.path.display().to_string())?;
        self.words = words;
        Ok(())
    }

    /// Gives the file its name; returns a line about it.
    pub(super) fn finish(self, what: &str) -> Result<String> {
        self.file.finish()?;
        Ok(format!("{what} written to {}, {}\n", terminal::shown(self.path), self.words))
    }
}
