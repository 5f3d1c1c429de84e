//! Results as sets of rows, and their differences.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, ensure};

/// How the results of a peer differ from ours.
#[derive(Default)]
pub(super) struct Difference {
    pub(super) n_found: usize,
    pub(super) only_theirs: usize,
    pub(super) only_ours: usize,
}

impl Difference {
    pub(super) fn new(theirs: &BTreeSet<Vec<u32>>, ours: &BTreeSet<Vec<u32>>) -> Difference {
        Difference {
            n_found: theirs.len(),
            only_theirs: theirs.difference(ours).count(),
            only_ours: ours.difference(theirs).count(),
        }
    }
}

/// Reads a file of little-endian rows of `width` numbers.
pub(super) fn read(path: &Path, width: usize) -> anyhow::Result<BTreeSet<Vec<u32>>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(
        bytes.len().is_multiple_of(4 * width),
        "{}: {} bytes are not whole rows",
        path.display(),
        bytes.len()
    );
    let (numbers, _) = bytes.as_chunks::<4>();
    Ok(numbers
        .chunks(width)
        .map(|row| row.iter().map(|&number| u32::from_le_bytes(number)).collect())
        .collect())
}
