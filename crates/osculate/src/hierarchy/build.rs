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
    match split {
        Split::Median => {
            tree_of(mesh, planes::items(mesh, positions), arity, &|items, ()| planes::by_median(items))
        }
        Split::SurfaceArea => tree_of(mesh, planes::items(mesh, positions), arity, &planes::by_surface_area),
        Split::ConnectedPatches => tree_of(mesh, patches::faces(mesh, positions), arity, &patches::cut),
    }
}

/// The tree over the `items` of a mesh; see [`subtree`].
pub(super) fn tree_of<T: Item, S: Default>(
    mesh: &Mesh,
    items: Vec<T>,
    arity: usize,
    cut: &(impl Fn(&mut [T], &mut S) -> usize + Sync),
) -> Hierarchy {
    let mut tree = grow(items, arity.clamp(2, WIDTH), cut);
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
    let mut tree = Hierarchy::default();
    // A tree with four children per node has a third as many nodes, if all are full.
    let n_nodes = items.len() / 2;
    tree.order.reserve(items.len());
    tree.slots.reserve(n_nodes);
    tree.ends.reserve(n_nodes);
    tree.ranges.reserve(n_nodes);
    tree.append(items, arity, cut, scratch);
    tree
}

impl Hierarchy {
    /// Appends the tree over `items`; returns its root.
    fn append<T: Item, S: Default>(
        &mut self,
        items: &mut [T],
        arity: usize,
        cut: &(impl Fn(&mut [T], &mut S) -> usize + Sync),
        scratch: &mut S,
    ) -> u32 {
        let root = self.append_node(items.len());
        let sizes = part_sizes(items, arity, cut, scratch);
        let is_parallel = PARALLEL <= items.len() && 1 < rayon::current_num_threads();
        let mut rest = items;
        let mut parts = sizes.into_iter().take_while(|&size| size != 0).map(|size| {
            let (part, behind) = std::mem::take(&mut rest).split_at_mut(size);
            rest = behind;
            part
        });
        if is_parallel {
            let grown = threads::map(parts, |part| match part {
                [leaf] => Grown::Leaf(leaf.triangle()),
                part => Grown::Tree(subtree(part, arity, cut, &mut S::default())),
            });
            self.attach(root, grown);
        } else {
            for lane in 0..WIDTH {
                let child = match parts.next() {
                    None => break,
                    Some([leaf]) => self.append_leaf(leaf.triangle()),
                    Some(part) => self.append(part, arity, cut, scratch),
                };
                self.slots[root as usize][lane] = child;
            }
        }
        self.ends[root as usize] = self.n_nodes() as u32;
        root
    }

    /// Appends a node above this number of triangles, which are appended next; returns the node.
    fn append_node(&mut self, n_triangles: usize) -> u32 {
        let (node, first) = (self.n_nodes() as u32, self.order.len() as u32);
        self.slots.push([EMPTY; WIDTH]);
        self.ends.push(node + 1);
        self.ranges.push([first, first + n_triangles as u32]);
        node
    }

    /// Appends a triangle; returns the slot of its leaf.
    fn append_leaf(&mut self, triangle: u32) -> u32 {
        self.order.push(triangle);
        LEAF | triangle
    }

    /// Appends children to the last node.
    fn attach(&mut self, node: u32, children: Vec<Grown>) {
        for (lane, child) in children.into_iter().enumerate() {
            let slot = match child {
                Grown::Leaf(triangle) => self.append_leaf(triangle),
                Grown::Tree(child) => {
                    let (base, first) = (self.n_nodes() as u32, self.order.len() as u32);
                    let shift = |slot: u32| if slot & LEAF == 0 { slot + base } else { slot };
                    self.slots.extend(child.slots.into_iter().map(|slots| slots.map(shift)));
                    self.ends.extend(child.ends.into_iter().map(|end| end + base));
                    self.ranges.extend(child.ranges.into_iter().map(|range| range.map(|i| i + first)));
                    self.order.extend(child.order);
                    base
                }
            };
            self.slots[node as usize][lane] = slot;
        }
    }
}

/// Cuts the largest part in two until there are as many parts as children. Returns the sizes of the
/// parts, which are not zero, followed by zeros.
fn part_sizes<T, S>(
    items: &mut [T],
    arity: usize,
    cut: &impl Fn(&mut [T], &mut S) -> usize,
    scratch: &mut S,
) -> [usize; WIDTH] {
    let mut sizes = [0; WIDTH];
    sizes[0] = items.len();
    for n_parts in 1..arity {
        let can_be_cut = (0..n_parts).filter(|&i| 1 < sizes[i]);
        let Some(largest) = can_be_cut.max_by_key(|&i| sizes[i]) else { break };
        let start: usize = sizes[..largest].iter().sum();
        let first = cut(&mut items[start..start + sizes[largest]], scratch);
        sizes.copy_within(largest..n_parts, largest + 1);
        sizes[largest] = first;
        sizes[largest + 1] -= first;
    }
    sizes
}

/// A subtree or a single triangle.
pub(super) enum Grown {
    Leaf(u32),
    Tree(Hierarchy),
}

/// A node above the given subtrees, which have `n_triangles` in total.
pub(super) fn graft(children: Vec<Grown>, n_triangles: usize) -> Hierarchy {
    let mut tree = Hierarchy::default();
    let root = tree.append_node(n_triangles);
    tree.attach(root, children);
    tree.ends[root as usize] = tree.n_nodes() as u32;
    tree
}
