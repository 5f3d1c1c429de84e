//! Sets of crossing triangles, and their differences.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, ensure};

/// What a peer finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finds {
    /// The pairs of triangles that cross.
    Pairs,
    /// The triangles that cross others.
    Triangles,
    /// Whether any triangles cross.
    Any,
}

/// How the answer of a peer differs from ours: pairs without a shared vertex, or triangles.
pub(super) struct Difference {
    pub(super) name: &'static str,
    pub(super) finds: Finds,
    /// All that the peer reports and all that we report, with or without a shared vertex.
    pub(super) n_reported: usize,
    pub(super) n_reported_by_us: usize,
    pub(super) n_theirs: usize,
    pub(super) n_ours: usize,
    pub(super) only_theirs: usize,
    pub(super) only_ours: usize,
}

impl Difference {
    /// `theirs` are the rows of the peer, each once, and `ours` are our pairs. Pairs that share a
    /// vertex are left out, as peers differ in which of these they mean. For triangles, those count
    /// that are in any of our pairs.
    pub(super) fn new(
        (name, finds): (&'static str, Finds),
        theirs: &BTreeSet<Vec<u32>>,
        ours: &BTreeSet<Vec<u32>>,
        faces: &[Vec<u32>],
    ) -> Difference {
        let n_reported = theirs.len();
        let is_apart = |pair: &&Vec<u32>| !share_vertex(pair, faces);
        let [theirs, compared]: [BTreeSet<Vec<u32>>; 2] = match finds {
            Finds::Triangles => [theirs.clone(), ours.iter().flatten().map(|&face| vec![face]).collect()],
            _ => [theirs, ours].map(|pairs| pairs.iter().filter(is_apart).cloned().collect()),
        };
        Difference {
            name,
            finds,
            n_reported,
            n_reported_by_us: if finds == Finds::Triangles { compared.len() } else { ours.len() },
            n_theirs: theirs.len(),
            n_ours: compared.len(),
            only_theirs: theirs.difference(&compared).count(),
            only_ours: compared.difference(&theirs).count(),
        }
    }
}

/// Whether two of the triangles of a row have a vertex in common.
fn share_vertex(row: &[u32], faces: &[Vec<u32>]) -> bool {
    let corners = |face: u32| &faces[face as usize];
    matches!(*row, [a, b] if corners(a).iter().any(|vertex| corners(b).contains(vertex)))
}

/// Reads rows of `width` little-endian numbers.
pub(super) fn read(path: &Path, width: usize) -> anyhow::Result<Vec<Vec<u32>>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (numbers, rest) = bytes.as_chunks::<4>();
    ensure!(
        rest.is_empty() && numbers.len().is_multiple_of(width),
        "{}: {} bytes are not whole rows",
        path.display(),
        bytes.len()
    );
    let numbers: Vec<u32> = numbers.iter().map(|&number| u32::from_le_bytes(number)).collect();
    Ok(numbers.chunks(width).map(<[u32]>::to_vec).collect())
}

/// Reads rows of triangles as a set, each row sorted.
pub(super) fn read_set(path: &Path, width: usize, n_faces: usize) -> anyhow::Result<BTreeSet<Vec<u32>>> {
    let rows = read(path, width)?.into_iter().map(|mut row| {
        row.sort_unstable();
        ensure!(
            row.iter().all(|&face| (face as usize) < n_faces),
            "{}: {row:?} is no row of triangles",
            path.display()
        );
        Ok(row)
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[u32]]) -> BTreeSet<Vec<u32>> {
        rows.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn pairs_that_share_a_vertex_are_left_out() {
        let faces = [vec![0, 1, 2], vec![2, 3, 4], vec![5, 6, 7], vec![8, 9, 10]];
        let theirs = rows(&[&[0, 1], &[0, 2], &[1, 3]]);
        let ours = rows(&[&[0, 2], &[2, 3]]);
        let found = Difference::new(("peer", Finds::Pairs), &theirs, &ours, &faces);
        assert_eq!((found.n_reported, found.n_reported_by_us), (3, 2));
        assert_eq!((found.n_theirs, found.n_ours, found.only_theirs, found.only_ours), (2, 2, 1, 1));
    }

    #[test]
    fn triangles_are_compared_with_those_in_pairs() {
        let faces = [vec![0, 1, 2], vec![2, 3, 4], vec![5, 6, 7], vec![8, 9, 10]];
        let found =
            Difference::new(("peer", Finds::Triangles), &rows(&[&[0], &[3]]), &rows(&[&[0, 1]]), &faces);
        assert_eq!((found.n_theirs, found.n_ours, found.only_theirs, found.only_ours), (2, 2, 1, 1));
    }
}
