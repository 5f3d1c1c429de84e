//! Computes a value for every node of a hierarchy, bottom-up.

use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::threads;

/// Subtrees of fewer nodes are not processed in parallel.
const PARALLEL: usize = 2048;

/// Sets `nodes` to one value for each node: what `join` returns for the values of its children, in
/// order. The values of the triangles are given in depth-first order.
///
/// The values do not depend on the number of threads, since each join has the same arguments.
pub(super) fn fold<T: Copy + Send + Sync>(
    hierarchy: &Hierarchy,
    nodes: &mut Vec<T>,
    placeholder: T,
    triangles: &[T],
    join: &(impl Fn(&[T]) -> T + Sync),
) {
    nodes.resize(hierarchy.n_nodes(), placeholder);
    if !nodes.is_empty() {
        Fold { hierarchy, placeholder, join }.part(0, nodes, triangles);
    }
}

struct Fold<'a, T, J> {
    hierarchy: &'a Hierarchy,
    placeholder: T,
    join: &'a J,
}

impl<T: Copy + Send + Sync, J: Fn(&[T]) -> T + Sync> Fold<'_, T, J> {
    /// Sets the values of the node `first` and of all nodes below it, given those of the triangles
    /// below it.
    fn part(&self, first: u32, nodes: &mut [T], triangles: &[T]) {
        if nodes.len() < PARALLEL {
            // Children come after their parents, so a pass from the end meets them first.
            for i in (0..nodes.len()).rev() {
                let start = self.hierarchy.range(first + i as u32).start - self.hierarchy.range(first).start;
                nodes[i] = self.node(first, i, nodes, &triangles[start..]);
            }
            return;
        }
        let (mut rest, mut rest_triangles) = (&mut nodes[1..], triangles);
        let mut parts = Vec::with_capacity(WIDTH);
        for lane in 0..WIDTH {
            match self.hierarchy.child(first, lane) {
                Child::None => {}
                Child::Triangle(_) => rest_triangles = &rest_triangles[1..],
                Child::Node(child) => {
                    let n_nodes = (self.hierarchy.end(child) - child) as usize;
                    let n_triangles = self.hierarchy.range(child).len();
                    let part;
                    (part, rest) = rest.split_at_mut(n_nodes);
                    let part_triangles;
                    (part_triangles, rest_triangles) = rest_triangles.split_at(n_triangles);
                    parts.push((child, part, part_triangles));
                }
            }
        }
        threads::for_each(parts, |(child, part, triangles)| self.part(child, part, triangles));
        nodes[0] = self.node(first, 0, nodes, triangles);
    }

    /// Returns the value of the `i`th node of a part that starts with the node `first`; the
    /// triangles below the node come first in `triangles`.
    #[inline(always)]
    fn node(&self, first: u32, i: usize, nodes: &[T], mut triangles: &[T]) -> T {
        let (mut children, mut n_children) = ([self.placeholder; WIDTH], 0);
        for lane in 0..WIDTH {
            children[n_children] = match self.hierarchy.child(first + i as u32, lane) {
                Child::None => continue,
                Child::Triangle(_) => {
                    let (&triangle, rest) = triangles.split_first().expect("a leaf has a triangle");
                    triangles = rest;
                    triangle
                }
                Child::Node(child) => {
                    triangles = &triangles[self.hierarchy.range(child).len()..];
                    nodes[(child - first) as usize]
                }
            };
            n_children += 1;
        }
        (self.join)(&children[..n_children])
    }
}
