//! Top-down construction: split a set of triangles in two, and each part again, until single
//! triangles are left.

use super::{EMPTY, Hierarchy, LEAF, WIDTH, patches, planes};
use crate::Mesh;

/// How a set of triangles is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// In two halves of equal number, along the longest extent of the centers (the papers' tree).
    Median,
    /// Where the surface-area heuristic expects the least work, among 16 planes on each axis.
    #[default]
    SurfaceArea,
    /// Along the surface, so that the triangles of a node are connected over shared edges wherever
    /// those of the mesh are, and nearly all nodes are disks with a short contour: what proofs
    /// about patches need.
    ConnectedPatches,
}

impl Split {
    /// Whether the tree is only a matter of where the triangles are: such a tree can be replaced by
    /// one that is built at another pose.
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
    /// Children of a node at most; brought into 2 to 4, which is as many as there can be. Fewer
    /// children mean more nodes, and so more patches that may be proved free of contact.
    pub arity: usize,
}

impl Default for Build {
    fn default() -> Self {
        Split::default().into()
    }
}

impl From<Split> for Build {
    /// Splits like this, with as many children as there can be.
    fn from(split: Split) -> Build {
        Build { split, arity: WIDTH }
    }
}

/// Triangles below this number are not worth a task of their own.
const PARALLEL: usize = 4096;

/// Returns the tree over the triangles of `mesh` at the positions of a pose. Only its quality
/// depends on the pose: bounds are kept elsewhere.
///
/// The same tree comes out at any number of threads.
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
    /// Numbers the vertices in the order in which they are met.
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

/// What a tree is grown over: a triangle with all that its way of splitting wants to know.
pub(super) trait Item: Send {
    fn triangle(&self) -> u32;
}

/// The tree over `items`. `cut` reorders two items or more and returns where the second part
/// starts; both parts have items. `S` is its scratch memory.
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
    // Cut the largest part in two until there are as many as a node has children.
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
        use rayon::prelude::*;
        parts.into_par_iter().map_init(S::default, below).collect()
    };
    graft(grown, n_items)
}

/// A subtree, or a triangle in its place.
pub(super) enum Grown {
    Leaf(u32),
    Tree(Hierarchy),
}

/// A node above the given subtrees, which have `n_triangles` together.
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
