//! The painted surfaces of a run: `--cleared`, `--colors` and `--survivors`.

use std::ops::Range;

use anyhow::Result;
use osculate_io::Clip;

use super::args::Args;
use super::cleared::Cleared;
use super::sets::Sets;
use crate::bodies::Parts;

/// The files that are wanted.
pub(super) struct Paintings<'a> {
    cleared: Cleared<'a>,
    sets: Sets<'a>,
}

impl<'a> Paintings<'a> {
    /// Opens the files, before the frames are checked.
    pub(super) fn new(args: &'a Args, checked: Range<usize>) -> Result<Paintings<'a>> {
        Ok(Paintings { cleared: Cleared::new(args, checked.clone())?, sets: Sets::new(args, checked)? })
    }

    /// Takes what the query about a frame has found out.
    pub(super) fn look(&mut self, parts: &mut Parts, clip: &Clip, frame: usize) -> Result<()> {
        self.cleared.look(parts, clip, frame)?;
        self.sets.look(parts, clip, frame)
    }

    /// Gives the files their names; returns lines about them, or nothing.
    pub(super) fn finish(self) -> Result<String> {
        Ok(self.cleared.finish()? + &self.sets.finish()?)
    }
}
