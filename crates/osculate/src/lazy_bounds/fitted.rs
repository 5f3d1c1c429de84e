//! The bounds of a body, as far as they were refitted for its current pose or step.

use super::balls::Gathered;
use super::bound::Bound;
use super::boxes::BoxBound;
use super::maps::Maps;
use super::tree::LazyTree;
use crate::bounds::{Projection, Reach, Row, Slabs, Sweep, Wide};
use crate::hierarchy::WIDTH;
use crate::motion::{Deformer, Line, Placement};
use crate::options::Refit;
use crate::stats::Skinning;

/// The bounds of a tree of a body.
#[derive(Clone, Debug)]
pub(crate) struct Fitted<B: Bound> {
    /// The bounds of nodes in groups of four, and the epoch that each group was refitted in.
    fours: Vec<B::Four>,
    stamps: Vec<u32>,
    /// The maps of the bones at both ends of the step.
    maps: [Maps; 2],
    /// For each leaf, the epoch that the boxes of its triangles were computed in, and their index.
    leaves: Vec<(u32, u32)>,
    boxes: Vec<Wide<6>>,
    /// Converts triangles to boxes.
    projection: Projection<6>,
    /// The number of the current refit, and its purpose.
    epoch: u32,
    made_for: Option<Purpose>,
    moves: bool,
    scratch: Box<Gathered>,
}

impl<B: Bound> Fitted<B> {
    pub(crate) fn new(tree: &LazyTree) -> Fitted<B> {
        Fitted {
            fours: vec![B::FOUR; tree.n_nodes() / WIDTH],
            stamps: vec![0; tree.n_nodes() / WIDTH],
            maps: Default::default(),
            leaves: vec![(0, 0); tree.n_nodes()],
            boxes: Vec::new(),
            projection: Projection::new(Reach { sweep: Sweep::Start, margin: 0.0, largest: 0.0 }),
            epoch: 0,
            made_for: None,
            moves: false,
            scratch: Box::default(),
        }
    }

    /// Heap memory of the bounds and boxes in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.fours.as_slice())
            + size_of_val(self.stamps.as_slice())
            + size_of_val(self.leaves.as_slice())
            + self.boxes.capacity() * size_of::<Wide<6>>()
    }

    /// Prepares for a pose or a step.
    ///
    /// All bounds are refitted now if the purpose asks for it, or if they cannot be refitted on
    /// demand.
    pub(crate) fn begin<'a>(
        &mut self,
        tree: &LazyTree,
        driven: Option<(&'a dyn Deformer, &'a Placement)>,
        lines: &[Line],
        purpose: Purpose,
        stats: &mut Skinning,
    ) {
        if self.made_for == Some(purpose) {
            return;
        }
        self.made_for = Some(purpose);
        self.moves = purpose.moves;
        self.boxes.clear();
        self.projection = Projection::new(purpose.reach);
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            self.leaves.fill((0, 0));
            1
        });
        let governed = |(deformer, placement): (&'a dyn Deformer, &'a Placement)| {
            Some((deformer, deformer.governors()?, placement, tree.parts()?))
        };
        if let (Refit::OnDemand, Some((deformer, governors, placement, parts))) =
            (purpose.refit, driven.and_then(governed))
        {
            let (start, end) = placement.ends();
            for (maps, parameters) in self.maps.iter_mut().zip(std::iter::once(start).chain(end)) {
                let amplitudes = deformer.amplitudes(parameters);
                maps.set(&deformer.maps(parameters), amplitudes, governors, parts.most_joints());
            }
        } else {
            self.refit_all(tree, lines);
            stats.refits += tree.n_bounds() as u64;
        }
    }

    /// Refits all bounds bottom-up, from the vertices of the body.
    fn refit_all(&mut self, tree: &LazyTree, lines: &[Line]) {
        let moves = self.moves;
        for node in (0..tree.n_nodes() as u32).rev() {
            let of_node = tree.node(node);
            let ends = match of_node.children() {
                Some(children) => {
                    let (fours, scratch) = (&self.fours, &mut self.scratch);
                    let child = |node: u32| B::get(&fours[node as usize / WIDTH], node as usize % WIDTH);
                    both(moves, |k| B::around(children.clone().map(|node| child(node)[k]), scratch))
                }
                None if of_node.triangles().is_empty() => continue,
                None => {
                    let vertices = tree.vertices(node);
                    both(moves, |k| B::around_points(vertices.iter().map(|&v| lines[v as usize].end(k))))
                }
            };
            B::set(&mut self.fours[node as usize / WIDTH], node as usize % WIDTH, &ends);
        }
        self.stamps.fill(self.epoch);
    }

    /// The bounds of all nodes at the start of the step.
    pub(super) fn all(&mut self, tree: &LazyTree) -> Vec<B> {
        let mut stats = Skinning::default();
        let of_node = |node: u32| {
            let first = node - node % WIDTH as u32;
            let n = (0..WIDTH as u32).filter(|&lane| !tree.is_nothing(first + lane)).count();
            B::get(self.four(tree, first, n, &mut stats), (node - first) as usize)[0]
        };
        (0..tree.n_nodes() as u32).map(of_node).collect()
    }

    /// The bounds of the `n` nodes of a group of four, the first of which is `node`; refitted if
    /// necessary.
    #[inline(always)]
    fn four(&mut self, tree: &LazyTree, node: u32, n: usize, stats: &mut Skinning) -> &B::Four {
        let at = node as usize / WIDTH;
        if self.stamps[at] != self.epoch {
            self.refit(tree, node, n, stats);
        }
        &self.fours[at]
    }

    #[inline(never)]
    fn refit(&mut self, tree: &LazyTree, first: u32, n: usize, stats: &mut Skinning) {
        let before = self.fours[first as usize / WIDTH];
        let four = compute::<B>(before, tree, first, n, &self.maps, self.moves, &mut self.scratch);
        self.put(first, n, four, stats);
    }

    /// Whether the bounds of four nodes, the first of which is `first`, have been refitted.
    pub(crate) fn is_fitted(&self, first: u32) -> bool {
        self.stamps[first as usize / WIDTH] == self.epoch
    }

    /// The bounds of `n` of four nodes, the first of which is `first`, from the maps.
    pub(crate) fn computed(&self, tree: &LazyTree, first: u32, n: usize, scratch: &mut Gathered) -> B::Four {
        compute::<B>(self.fours[first as usize / WIDTH], tree, first, n, &self.maps, self.moves, scratch)
    }

    /// Stores computed bounds of `n` of four nodes.
    pub(crate) fn put(&mut self, first: u32, n: usize, four: B::Four, stats: &mut Skinning) {
        let at = first as usize / WIDTH;
        (self.stamps[at], self.fours[at]) = (self.epoch, four);
        stats.refits += n as u64;
    }

    /// Whether the boxes of the triangles of a leaf have been made.
    pub(crate) fn has_boxes(&self, leaf: u32) -> bool {
        self.leaves[leaf as usize].0 == self.epoch
    }

    /// The boxes of the triangles of a leaf whose vertices have been placed.
    pub(crate) fn computed_boxes(&self, tree: &LazyTree, leaf: u32, lines: &[Line]) -> Wide<6> {
        let mut rows = [Row([0.0; 6]); 3 * WIDTH];
        for (row, &v) in rows.iter_mut().zip(tree.vertices(leaf)) {
            *row = self.projection.rows(lines[v as usize].ends())[0];
        }
        let mut boxes = Wide::EMPTY;
        for (lane, corners) in tree.corners()[tree.node(leaf).triangles()].iter().enumerate() {
            let row = |k: usize| &rows[usize::from(corners[k])];
            let rows = [row(0), row(1), row(2)];
            boxes.set_lane(lane, &self.projection.join(rows, rows));
        }
        boxes
    }

    /// Stores the boxes of the triangles of a leaf, and returns where they are.
    pub(crate) fn put_boxes(&mut self, leaf: u32, boxes: Wide<6>) -> u32 {
        let place = self.boxes.len() as u32;
        self.boxes.push(boxes);
        self.leaves[leaf as usize] = (self.epoch, place);
        place
    }
}

/// Four bounds, the first `n` of which are computed from the maps.
#[inline(always)]
fn compute<B: Bound>(
    mut four: B::Four,
    tree: &LazyTree,
    first: u32,
    n: usize,
    maps: &[Maps; 2],
    moves: bool,
    scratch: &mut Gathered,
) -> B::Four {
    let Some(parts) = tree.parts() else { return four };
    for lane in 0..n {
        let node = first + lane as u32;
        let ends: [B; 2] = both(moves, |k| B::on_demand(parts, node, &maps[k], scratch));
        B::set(&mut four, lane, &ends);
    }
    four
}

/// The values at the start (0) and at the end (1) of a step: equal unless something moves.
#[inline(always)]
fn both<B: Copy>(moves: bool, mut at: impl FnMut(usize) -> B) -> [B; 2] {
    let start = at(0);
    [start, if moves { at(1) } else { start }]
}

/// What bounds are refitted for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Purpose {
    /// A number that changes with the pose and the step of the body.
    pub(crate) version: u64,
    /// Whether the step may end elsewhere than where it starts.
    pub(crate) moves: bool,
    pub(crate) refit: Refit,
    /// What the boxes of triangles must contain.
    pub(crate) reach: Reach,
}

/// What a walk asks of a body.
pub(crate) trait LazySide {
    type Bound: Bound;

    fn tree(&self) -> &LazyTree;

    /// The bounds of four nodes, the first of which is `first`; `n` of them count.
    fn four(&mut self, first: u32, n: usize, stats: &mut Skinning) -> &<Self::Bound as Bound>::Four;

    /// The bounds of a node that has been refitted.
    fn fit(&self, node: u32) -> [Self::Bound; 2];

    /// The boxes of the triangles of a leaf, which move with them.
    fn boxes(&mut self, leaf: u32, stats: &mut Skinning) -> &Wide<6>;
}

/// A body on a serial walk: bounds are refitted when the walk reaches them.
pub(crate) struct Side<'a, B: Bound> {
    pub(crate) tree: &'a LazyTree,
    pub(crate) fitted: &'a mut Fitted<B>,
    pub(crate) vertices: Vertices<'a>,
}

/// The vertices of a body in a walk.
pub(crate) enum Vertices<'a> {
    /// All have been placed.
    Placed(&'a [Line]),
    /// They are placed when the walk reaches them.
    OnDemand(&'a dyn Deformer, &'a mut Placement, &'a mut [Line]),
}

/// A body on a parallel walk: all bounds that the walk reaches have been refitted.
#[derive(Clone, Copy)]
pub(crate) struct Frozen<'a, B: Bound> {
    pub(crate) tree: &'a LazyTree,
    pub(crate) fitted: &'a Fitted<B>,
}

impl<B: Bound> LazySide for Frozen<'_, B> {
    type Bound = B;

    #[inline(always)]
    fn tree(&self) -> &LazyTree {
        self.tree
    }

    #[inline(always)]
    fn four(&mut self, first: u32, _: usize, _: &mut Skinning) -> &B::Four {
        debug_assert!(self.fitted.is_fitted(first));
        &self.fitted.fours[first as usize / WIDTH]
    }

    #[inline(always)]
    fn fit(&self, node: u32) -> [B; 2] {
        B::get(&self.fitted.fours[node as usize / WIDTH], node as usize % WIDTH)
    }

    #[inline(always)]
    fn boxes(&mut self, leaf: u32, _: &mut Skinning) -> &Wide<6> {
        debug_assert!(self.fitted.has_boxes(leaf));
        &self.fitted.boxes[self.fitted.leaves[leaf as usize].1 as usize]
    }
}

impl<B: Bound> LazySide for Side<'_, B> {
    type Bound = B;

    #[inline(always)]
    fn tree(&self) -> &LazyTree {
        self.tree
    }

    #[inline(always)]
    fn four(&mut self, first: u32, n: usize, stats: &mut Skinning) -> &B::Four {
        self.fitted.four(self.tree, first, n, stats)
    }

    #[inline(always)]
    fn fit(&self, node: u32) -> [B; 2] {
        B::get(&self.fitted.fours[node as usize / WIDTH], node as usize % WIDTH)
    }

    #[inline(always)]
    fn boxes(&mut self, leaf: u32, stats: &mut Skinning) -> &Wide<6> {
        let (stamp, place) = self.fitted.leaves[leaf as usize];
        let place = if stamp == self.fitted.epoch { place } else { self.make_boxes(leaf, stats) };
        &self.fitted.boxes[place as usize]
    }
}

impl<B: Bound> Side<'_, B> {
    /// A box around all that moves with it, if there is anything. It is refitted from the bones
    /// even if bounds are of another shape, as it decides about much.
    pub(crate) fn box_around(&mut self, stats: &mut Skinning) -> Option<Slabs<6>> {
        let root = self.root(stats)?;
        let Fitted { maps, scratch, moves, made_for, .. } = &mut *self.fitted;
        let is_on_demand = made_for.is_some_and(|purpose| purpose.refit == Refit::OnDemand);
        match (self.tree.parts(), &self.vertices) {
            (Some(parts), Vertices::OnDemand(..)) if is_on_demand => {
                let ends = both(*moves, |k| BoxBound::on_demand(parts, 0, &maps[k], scratch));
                Some(BoxBound::slabs(&ends))
            }
            _ => Some(B::slabs(&root)),
        }
    }

    /// The bounds of the root, if there are triangles.
    pub(crate) fn root(&mut self, stats: &mut Skinning) -> Option<[B; 2]> {
        (self.tree.n_nodes() != 0).then(|| B::get(self.four(0, 1, stats), 0))
    }

    /// Places the vertices of a leaf, and returns where the boxes of its triangles are.
    #[inline(never)]
    fn make_boxes(&mut self, leaf: u32, stats: &mut Skinning) -> u32 {
        self.place(self.tree.vertices(leaf), stats);
        let boxes = self.fitted.computed_boxes(self.tree, leaf, self.lines());
        self.fitted.put_boxes(leaf, boxes)
    }

    /// Places vertices, unless all have been placed.
    pub(crate) fn place(&mut self, which: &[u32], stats: &mut Skinning) {
        if let Vertices::OnDemand(deformer, placement, lines) = &mut self.vertices {
            stats.vertices += placement.place(*deformer, which.iter().copied(), lines);
        }
    }

    /// The vertices of the body.
    pub(crate) fn lines(&self) -> &[Line] {
        match &self.vertices {
            Vertices::Placed(lines) => lines,
            Vertices::OnDemand(_, _, lines) => lines,
        }
    }
}
