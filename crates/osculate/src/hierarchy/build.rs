//! Top-down construction: split a set of triangles in two, recursively, down to single triangles.

use super::{EMPTY, Hierarchy, LEAF, WIDTH, patches, planes};
use crate::Mesh;
use crate::threads;

/// How a set of triangles is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// Into halves of equal number, along the longest extent of the centers (the tree of the
    /// papers).
    Median,
    /// By the surface-area heuristic, with 16 bins on each axis.
    #[default]
    SurfaceArea,
    /// Along the surface, so that the triangles of a node are connected across shared edges
    /// wherever those of the mesh are, and nearly all nodes are disks with a short contour, as
    /// proofs about patches require.
    ConnectedPatches,
}

impl Split {
    /// Whether the tree depends only on positions: such a tree can be rebuilt at another pose.
    pub(crate) fn is_geometric(self) -> bool {
        match self {
            Split::Median | Split::SurfaceArea => true,
            Split::ConnectedPatches => false,
        }
    }
}

/// How a hierarchy is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// How a set of triangles is split.
    pub split: Split,
    /// Maximum number of children of a node, clamped to 2 to 4. Fewer children mean more nodes, and
    /// so more patches that may be cleared.
    pub arity: usize,
}

impl Default for Build {
    fn default() -> Self {
        Split::default().into()
    }
}

impl From<Split> for Build {
    /// This split, with the maximum number of children.
    fn from(split: Split) -> Build {
        Build { split, arity: WIDTH }
    }
}

/// Sets of fewer triangles are not built in parallel.
const PARALLEL: usize = 4096;

/// Returns the tree over the triangles of `mesh` at a pose. The pose affects only its quality:
/// bounds are stored elsewhere.
///
/// The tree does not depend on the number of threads.
pub(crate) fn build(mesh: &Mesh, positions: &[[f64; 3]], how: impl Into<Build>) -> Hierarchy {
    let Build { split, arity } = how.into();
    let arity = arity.clamp(2, WIDTH);
    let mut tree = match split {
        Split::Median => grow(planes::items(mesh, positions), arity, &|items, ()| planes::by_median(items)),
        Split::SurfaceArea => {
            grow(planes::items(mesh, positions), arity, &|items, ()| planes::by_surface_area(items))
        }
        Split::ConnectedPatches => grow(patches::faces(mesh, positions), arity, &patches::cut),
    };
    tree.number_vertices(mesh);
    tree
}

impl Hierarchy {
    /// Numbers the vertices in traversal order.
    pub(super) fn number_vertices(&mut self, mesh: &Mesh) {
        const UNSEEN: u32 = u32::MAX;
        let mut places = vec![UNSEEN; mesh.n_vertices()];
        let Hierarchy { order, vertices, corners, .. } = self;
        let mut place_of = |v: u32| {
            let place = &mut places[v as usize];
            if *place == UNSEEN {
                *place = vertices.len() as u32;
                vertices.push(v);
            }
            *place
        };
        corners.extend(order.iter().map(|&t| mesh.triangles()[t as usize].map(&mut place_of)));
    }
}

/// An element of a tree: a triangle with the data that its split needs.
pub(super) trait Item: Send {
    fn triangle(&self) -> u32;
}

/// The tree over `items`. `cut` reorders two or more items and returns where the second part
/// starts; both parts must be nonempty. `S` is its scratch memory.
fn grow<T: Item, S: Default>(
    mut items: Vec<T>,
    arity: usize,
    cut: &(impl Fn(&mut [T], &mut S) -> usize + Sync),
) -> Hierarchy {
    if items.is_empty() {
        return Hierarchy::default();
    }
    subtree(&mut items, arity, cut, &mut S::default())
}

/// The tree over `items`, with nodes numbered from 0.
pub(super) fn subtree<T: Item, S: Default>(
    items: &mut [T],
    arity: usize,
    cut: &(impl Fn(&mut [T], &mut S) -> usize + Sync),
    scratch: &mut S,
) -> Hierarchy {
    let n_items = items.len();
    // Cut the largest part in two until there are as many parts as children.
    let mut parts: Vec<&mut [T]> = vec![items];
    while parts.len() < arity {
        let Some(largest) = (0..parts.len()).filter(|&i| 1 < parts[i].len()).max_by_key(|&i| parts[i].len())
        else {
            break;
        };
        let part = parts.remove(largest);
        let middle = cut(part, scratch);
        let (left, right) = part.split_at_mut(middle);
        parts.insert(largest, right);
        parts.insert(largest, left);
    }
    let below = |scratch: &mut S, part: &mut [T]| match part {
        [leaf] => Grown::Leaf(leaf.triangle()),
        part => Grown::Tree(subtree(part, arity, cut, scratch)),
    };
    let grown: Vec<Grown> = if n_items < PARALLEL {
        parts.into_iter().map(|part| below(scratch, part)).collect()
    } else {
        threads::map(parts, |part| below(&mut S::default(), part))
    };
    graft(grown, n_items)
}

/// A subtree or a single triangle.
pub(super) enum Grown {
    Leaf(u32),
    Tree(Hierarchy),
}

/// A node above the given subtrees, which have `n_triangles` in total.
pub(super) fn graft(children: Vec<Grown>, n_triangles: usize) -> Hierarchy {
    let n_nodes =
        1 + children.iter().map(|c| if let Grown::Tree(t) = c { t.n_nodes() } else { 0 }).sum::<usize>();
    let mut tree = Hierarchy {
        slots: Vec::with_capacity(n_nodes),
        ends: Vec::with_capacity(n_nodes),
        order: Vec::with_capacity(n_triangles),
        ranges: Vec::with_capacity(n_nodes),
        ..Hierarchy::default()
    };
    tree.slots.push([EMPTY; WIDTH]);
    tree.ends.push(n_nodes as u32);
    tree.ranges.push([0, n_triangles as u32]);
    for (lane, child) in children.into_iter().enumerate() {
        match child {
            Grown::Leaf(triangle) => {
                tree.slots[0][lane] = LEAF | triangle;
                tree.order.push(triangle);
            }
            Grown::Tree(child) => {
                let base = tree.n_nodes() as u32;
                tree.slots[0][lane] = base;
                let shift = |slot: u32| if slot & LEAF == 0 { slot + base } else { slot };
                tree.slots.extend(child.slots.into_iter().map(|slots| slots.map(shift)));
                tree.ends.extend(child.ends.into_iter().map(|end| end + base));
                let first = tree.order.len() as u32;
                tree.ranges.extend(child.ranges.into_iter().map(|range| range.map(|i| i + first)));
                tree.order.extend(child.order);
            }
        }
    }
    tree
}
