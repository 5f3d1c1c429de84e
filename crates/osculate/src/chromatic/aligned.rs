//! The aligned order of two sets of one color each (paper 001, section 4.3): rows of a primitive of
//! the first and its only neighbor in the second.

use super::NONE;
use super::graph::{Graph, Neighbors};
use super::rows::Rows;

/// Returns the rows `[P, Q]` of the sets of colors i and j: first those of the primitives P of set
/// i in ascending order, with the neighbor of P in set j, or [`NONE`]; then `[NONE, Q]` for the
/// other primitives of set j, in ascending order. For i = j, the rows are `[P, P]`.
///
/// The rows of `(j, i)` are those of `(i, j)` in the same order, with P and Q exchanged; the two
/// passes over them depend on it. Takes time in proportion to the number of neighbors of the
/// primitives of the smaller color.
pub(super) fn rows(graph: &Graph, colors: &[u32], sets: &Rows, i: u32, j: u32) -> Vec<[u32; 2]> {
    let set = |color: u32| if (color as usize) < sets.len() { sets.row(color) } else { &[] };
    if i == j {
        return set(i).iter().map(|&p| [p, p]).collect();
    }
    let [low, high] = [i.min(j), i.max(j)];
    let (mut rows, mut matched) = (Vec::with_capacity(set(low).len()), Vec::new());
    for &p in set(low) {
        let mut around = graph.vertices(p).iter().flat_map(|&v| graph.primitives(v));
        let q = around.find(|&&q| colors[q as usize] == high).copied();
        matched.extend(q);
        rows.push([p, q.unwrap_or(NONE)]);
    }
    matched.sort_unstable();
    let is_single = |q: &&u32| matched.binary_search(q).is_err();
    rows.extend(set(high).iter().filter(is_single).map(|&q| [NONE, q]));
    if i > j {
        rows.iter_mut().for_each(|row| row.reverse());
    }
    rows
}

/// Returns, for each primitive and each of the first `n_sets` colors, `n_sets` in a row, its only
/// neighbor of that color, or [`NONE`]; for its own color, itself.
pub(super) fn table(graph: &Graph, colors: &[u32], n_sets: usize) -> Vec<u32> {
    let mut table = vec![NONE; graph.len() * n_sets];
    let mut neighbors = Neighbors::new(graph);
    for (p, row) in (0..).zip(table.chunks_exact_mut(n_sets.max(1))) {
        for &q in neighbors.of(p).iter().chain([&p]) {
            if let Some(entry) = row.get_mut(colors[q as usize] as usize) {
                *entry = q;
            }
        }
    }
    table
}
