//! Sets of crossing pairs, and their differences.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, ensure};

/// How the pairs of a peer, all without a shared vertex, differ from ours.
pub(super) struct Difference {
    pub(super) name: &'static str,
    /// All pairs that the peer reports, with or without a shared vertex.
    pub(super) n_reported: u64,
    pub(super) n_theirs: usize,
    pub(super) n_ours: usize,
    pub(super) only_theirs: usize,
    pub(super) only_ours: usize,
}

impl Difference {
    pub(super) fn new(
        name: &'static str,
        n_reported: u64,
        theirs: &BTreeSet<[u32; 2]>,
        ours: &BTreeSet<[u32; 2]>,
    ) -> Difference {
        Difference {
            name,
            n_reported,
            n_theirs: theirs.len(),
            n_ours: ours.len(),
            only_theirs: theirs.difference(ours).count(),
            only_ours: ours.difference(theirs).count(),
        }
    }
}

/// Reads a file of little-endian rows of two faces.
pub(super) fn read(path: &Path) -> anyhow::Result<BTreeSet<[u32; 2]>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    let (rows, more) = numbers.as_chunks::<2>();
    ensure!(
        rest.is_empty() && more.is_empty(),
        "{}: {} bytes are not whole rows",
        path.display(),
        bytes.len()
    );
    Ok(rows.iter().map(|row| row.map(u32::from_le_bytes)).map(|[a, b]| [a.min(b), a.max(b)]).collect())
}
