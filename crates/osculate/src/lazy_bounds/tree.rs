//! The tree: patches below patches, with a few triangles per leaf, and the bounds of its nodes at
//! rest.
//!
//! It is a hierarchy with some nodes removed: a node whose sphere is nearly as large as that of its
//! parent culls little, so its children are attached to the parent (paper 002, section 3.1).
//! Therefore a node has any number of children.

use super::parts::{Influences, Parts};
use super::smallest_ball::smallest_ball;
use crate::Mesh;
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::motion::Governors;
use std::ops::Range;

/// A node is removed if the radius of its sphere is more than this fraction of that of its parent.
const LARGE: f64 = 0.6;

/// Maximum number of triangles per leaf: as many as boxes are compared at once.
const LEAF: usize = WIDTH;

/// Nodes are no longer removed once their parent has this many children.
const MOST_CHILDREN: usize = 24;

/// A node of a [`LazyTree`]. The root is node 0; the children of a node are contiguous, after it,
/// from a multiple of four on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The first child; for a leaf, the first triangle in [`LazyTree::triangles`].
    first: u32,
    /// The number of children or triangles.
    n: u16,
    is_leaf: bool,
    /// The depth.
    level: u8,
    /// The node of the hierarchy with the same triangles; `u32::MAX` if there is none: for a
    /// triangle that is a child of a node, and for an unused number.
    patch: u32,
}

impl Node {
    /// Its children, unless it is a leaf.
    #[inline(always)]
    pub(crate) fn children(&self) -> Option<Range<u32>> {
        (!self.is_leaf).then(|| self.first..self.first + u32::from(self.n))
    }

    #[inline(always)]
    pub(crate) fn is_leaf(&self) -> bool {
        self.is_leaf
    }

    /// The range of the triangles of a leaf.
    #[inline(always)]
    pub(crate) fn triangles(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.n)
    }

    /// The node of the hierarchy with the same triangles, if there is one.
    pub(crate) fn patch(&self) -> Option<u32> {
        (self.patch != u32::MAX).then_some(self.patch)
    }
}

/// A tree of patches with bounds that can be refitted in any order.
#[derive(Clone, Debug)]
pub(crate) struct LazyTree {
    nodes: Vec<Node>,
    /// The triangles of the leaves, and their corners as indices into the vertices of the leaf.
    triangles: Vec<u32>,
    corners: Vec<[u8; 3]>,
    /// The vertices of the leaves, each once per leaf, and the first of each node; only leaves have
    /// any.
    vertices: Vec<u32>,
    vertices_from: Vec<u32>,
    /// The parts of each node, if the vertices are governed.
    parts: Option<Parts>,
    /// The radius of the smallest enclosing ball of each node at rest.
    radii: Vec<f64>,
    /// Number of nodes, without unused numbers.
    n_bounds: usize,
}

impl LazyTree {
    /// The tree of a mesh at rest, from the nodes of a hierarchy.
    pub(crate) fn new(
        mesh: &Mesh,
        hierarchy: &Hierarchy,
        rest: &[[f64; 3]],
        governors: Option<&Governors>,
    ) -> LazyTree {
        let mut builder = Builder {
            mesh,
            hierarchy,
            rest,
            influences: governors.map(Influences::new),
            radii: Vec::new(),
            points: Vec::new(),
            is_met: vec![false; mesh.n_vertices()],
        };
        builder.radii = (0..hierarchy.n_nodes() as u32).map(|node| builder.radius(node)).collect();
        builder.build()
    }

    /// Size of the numbering of nodes, with unused numbers; 0 for a mesh without triangles.
    #[inline(always)]
    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Number of nodes, without unused numbers.
    pub(crate) fn n_bounds(&self) -> usize {
        self.n_bounds
    }

    #[inline(always)]
    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The triangles of the leaves.
    #[inline(always)]
    pub(crate) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// The corners of these triangles, as indices into the [vertices](LazyTree::vertices) of their
    /// leaf.
    #[inline(always)]
    pub(crate) fn corners(&self) -> &[[u8; 3]] {
        &self.corners
    }

    /// The vertices of a leaf.
    #[inline(always)]
    pub(crate) fn vertices(&self, leaf: u32) -> &[u32] {
        let leaf = leaf as usize;
        &self.vertices[self.vertices_from[leaf] as usize..self.vertices_from[leaf + 1] as usize]
    }

    /// The parts of the nodes, if the vertices are governed.
    #[inline(always)]
    pub(crate) fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref()
    }

    /// Whether a number is unused: children are numbered from multiples of four on.
    pub(crate) fn is_nothing(&self, node: u32) -> bool {
        let node = &self.nodes[node as usize];
        node.is_leaf && node.n == 0
    }

    /// The depth of a node.
    pub(crate) fn level(&self, node: u32) -> usize {
        usize::from(self.nodes[node as usize].level)
    }

    /// The radius of the smallest enclosing ball of a node at rest.
    pub(crate) fn radius_at_rest(&self, node: u32) -> f64 {
        self.radii[node as usize]
    }

    /// Heap memory of the tree in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
            + size_of_val(self.triangles.as_slice())
            + size_of_val(self.corners.as_slice())
            + size_of_val(self.vertices.as_slice())
            + size_of_val(self.vertices_from.as_slice())
            + size_of_val(self.radii.as_slice())
            + self.parts.as_ref().map_or(0, Parts::memory_bytes)
    }
}

/// A child of a node under construction.
#[derive(Clone, Copy)]
enum Below {
    Patch(u32),
    Triangle(u32),
    Nothing,
}

/// Pads the length to a multiple of four.
fn fill_up(numbered: &mut Vec<(Below, u8)>) {
    numbered.resize(numbered.len().next_multiple_of(WIDTH), (Below::Nothing, 0));
}

struct Builder<'a> {
    mesh: &'a Mesh,
    hierarchy: &'a Hierarchy,
    rest: &'a [[f64; 3]],
    influences: Option<Influences<'a>>,
    /// For each node of the hierarchy, the radius of the smallest enclosing ball of its vertices.
    radii: Vec<f64>,
    points: Vec<[f64; 3]>,
    is_met: Vec<bool>,
}

impl Builder<'_> {
    /// Adds the vertices of triangles, each once.
    fn vertices_of(&mut self, triangles: &[u32], vertices: &mut Vec<u32>) {
        let start = vertices.len();
        for &triangle in triangles {
            for v in self.mesh.triangles()[triangle as usize] {
                if !std::mem::replace(&mut self.is_met[v as usize], true) {
                    vertices.push(v);
                }
            }
        }
        for &v in &vertices[start..] {
            self.is_met[v as usize] = false;
        }
    }

    /// The radius of the smallest enclosing ball of a patch.
    fn radius(&mut self, patch: u32) -> f64 {
        let (hierarchy, mut vertices) = (self.hierarchy, Vec::new());
        self.vertices_of(hierarchy.triangles_below(patch), &mut vertices);
        self.points.clear();
        self.points.extend(vertices.iter().map(|&v| self.rest[v as usize]));
        smallest_ball(&self.points).1
    }

    /// Adds the children of a node; a child that is removed is replaced by its own children.
    fn gather(&self, patch: u32, radius: f64, below: &mut Vec<Below>) {
        for lane in 0..WIDTH {
            match self.hierarchy.child(patch, lane) {
                Child::None => {}
                Child::Triangle(triangle) => below.push(Below::Triangle(triangle)),
                Child::Node(child) => {
                    let is_small = self.hierarchy.range(child).len() <= LEAF;
                    if !is_small && LARGE * radius < self.radii[child as usize] && below.len() < MOST_CHILDREN
                    {
                        self.gather(child, radius, below);
                    } else {
                        below.push(Below::Patch(child));
                    }
                }
            }
        }
    }

    fn build(mut self) -> LazyTree {
        let mut tree = LazyTree {
            nodes: Vec::new(),
            triangles: Vec::new(),
            corners: Vec::new(),
            vertices: Vec::new(),
            vertices_from: vec![0],
            parts: self.influences.as_ref().map(|_| Parts::default()),
            radii: Vec::new(),
            n_bounds: 0,
        };
        if self.hierarchy.n_nodes() == 0 {
            return tree;
        }
        // The nodes numbered so far, in order, with their depth.
        let mut numbered = vec![(Below::Patch(0), 0)];
        fill_up(&mut numbered);
        let (mut below, mut vertices) = (Vec::new(), Vec::new());
        let hierarchy = self.hierarchy;
        let mut at = 0;
        while at < numbered.len() {
            let (what, level) = numbered[at];
            at += 1;
            let single;
            let (patch, triangles, radius) = match what {
                Below::Patch(patch) => (patch, hierarchy.triangles_below(patch), self.radii[patch as usize]),
                Below::Triangle(triangle) => {
                    single = [triangle];
                    (u32::MAX, &single[..], 0.0)
                }
                Below::Nothing => (u32::MAX, &[][..], 0.0),
            };
            vertices.clear();
            self.vertices_of(triangles, &mut vertices);
            let is_leaf = triangles.len() <= LEAF;
            let first = if is_leaf {
                let first = tree.triangles.len();
                tree.triangles.extend_from_slice(triangles);
                let place = |v: u32| vertices.iter().position(|&other| other == v).unwrap_or(0) as u8;
                let corners = triangles.iter().map(|&t| self.mesh.triangles()[t as usize].map(place));
                tree.corners.extend(corners);
                tree.vertices.extend_from_slice(&vertices);
                below.clear();
                first
            } else {
                below.clear();
                self.gather(patch, radius, &mut below);
                let first = numbered.len();
                numbered.extend(below.iter().map(|&what| (what, level.saturating_add(1))));
                fill_up(&mut numbered);
                first
            };
            self.points.clear();
            self.points.extend(vertices.iter().map(|&v| self.rest[v as usize]));
            tree.radii.push(if patch == u32::MAX { smallest_ball(&self.points).1 } else { radius });
            tree.vertices_from.push(tree.vertices.len() as u32);
            tree.n_bounds += usize::from(!triangles.is_empty());
            tree.nodes.push(Node {
                first: first as u32,
                n: if is_leaf { triangles.len() } else { below.len() } as u16,
                is_leaf,
                level,
                patch,
            });
            if let (Some(parts), Some(influences)) = (&mut tree.parts, &self.influences) {
                parts.push(influences, self.rest, &mut vertices);
            }
        }
        tree
    }
}
