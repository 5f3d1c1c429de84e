//! Clears patches of a hierarchy, from the root down to where the proofs succeed.

mod on_demand;

pub(crate) use on_demand::{BoundedProofs, Placer};

use super::contour::Contour;
use super::pairs::{Pair, Pairs};
use super::patience::Patience;
use super::plug::{Certificate, Verdict};
use super::radial_contour::RadialContour;
use super::stats::Stats;
use super::union::Union;
use crate::hierarchy::{Child, Hierarchy, Patches, WIDTH};
use crate::motion::Line;
use crate::threads;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The surface of a body in a step, as a tree of patches.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) patches: &'a Patches,
    pub(crate) lines: &'a [Line],
}

/// Scratch memory of a worker.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) contour: Contour,
    pub(super) union: Union,
    pub(super) radial: RadialContour,
    pub(crate) stats: Stats,
}

/// A test whether patches may self-collide: a proof, or a heuristic.
pub(crate) trait PatchTest: Sync {
    /// Whether [`clears_pair`](PatchTest::clears_pair) ever clears anything.
    const ASKS_PAIRS: bool = false;

    /// Whether a pair that has failed repeatedly is skipped for some steps.
    const IS_PATIENT: bool = true;

    /// Whether no two triangles below the node touch in the step.
    fn clears(&self, surface: Surface, node: u32, workspace: &mut Workspace) -> bool;

    /// Whether no triangle below one node touches one below the other. Neither node is below the
    /// other; glued along their contours they are a patch with one loop, `contour`.
    fn clears_pair(&self, _: Surface, _nodes: [u32; 2], _contour: &[u32], _: &mut Workspace) -> bool {
        false
    }
}

/// Patches of fewer triangles are not tested: their pairs cost less than the test.
const LEAST: usize = 8;

/// Patches of fewer triangles are not tested in parallel.
const PARALLEL: usize = 512;

/// Pairs of patches are tested if cleared patches have this many triangles on average. The test of
/// a pair costs time proportional to its contour, and saves box tests along it, of which small
/// patches have few; measured on surfaces with 12 to 60.
const PAYING_SIZE: u64 = 16;

/// The cleared patches of a body in the current step; kept between steps to avoid allocation.
#[derive(Debug, Default)]
pub(crate) struct Cleared {
    /// Whether a node passed the test, or is below one that did.
    nodes: Vec<AtomicBool>,
    /// Whether the nodes were tested in the current step.
    is_current: bool,
    /// Whether pairs of patches are worth a test.
    pairs_pay: bool,
    /// For each node, when it is tested again.
    patience: Vec<Patience>,
    pairs: Pairs,
}

impl Cleared {
    /// Heap memory in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.patience.as_slice()) + self.pairs.memory_bytes()
    }

    /// Forgets that nodes were tested, at the start of a query.
    pub(crate) fn forget(&mut self) {
        self.is_current = false;
    }

    /// For each triangle, the number of triangles of the topmost cleared patch that contains it; 0
    /// if there is none. `None` if patches were not tested in the current step.
    pub(crate) fn sizes(&self, hierarchy: &Hierarchy) -> Option<Vec<u32>> {
        let mut sizes = vec![0; if self.is_current { hierarchy.triangles().len() } else { 0 }];
        let mut node = 0;
        while self.is_current && (node as usize) < self.nodes.len() {
            if !self.nodes[node as usize].load(Relaxed) {
                // The first child, or the next node that is not below this one.
                node += 1;
                continue;
            }
            let below = hierarchy.triangles_below(node);
            below.iter().for_each(|&triangle| sizes[triangle as usize] = below.len() as u32);
            node = hierarchy.end(node);
        }
        self.is_current.then_some(sizes)
    }

    /// Clears the topmost patches that pass the test. A patch that has failed repeatedly is skipped
    /// for some steps.
    pub(crate) fn refit(&mut self, surface: Surface, test: &impl PatchTest) -> Stats {
        let n_nodes = surface.hierarchy.n_nodes();
        self.clear(n_nodes);
        self.patience.resize_with(n_nodes, Patience::default);
        let mut workspace = Workspace::default();
        if n_nodes != 0 {
            self.visit(surface, test, 0, &mut workspace);
        }
        let stats = workspace.stats;
        self.pairs_pay = PAYING_SIZE * stats.patches_cleared <= stats.triangles_cleared;
        stats
    }

    /// Begins a step: resets all nodes to not cleared, before they are tested.
    fn clear(&mut self, n_nodes: usize) {
        self.pairs.begin(n_nodes);
        self.nodes.iter_mut().for_each(|cleared| *cleared.get_mut() = false);
        self.nodes.resize_with(n_nodes, AtomicBool::default);
        self.is_current = true;
    }

    fn visit(&self, surface: Surface, test: &impl PatchTest, node: u32, workspace: &mut Workspace) {
        let n = surface.hierarchy.range(node).len();
        if n < LEAST {
            return;
        }
        if surface.patches.is_eligible(node) && self.is_due(node, &mut workspace.stats) {
            let clears = test.clears(surface, node, workspace);
            self.patience[node as usize].remember(clears);
            workspace.stats.patches += 1;
            if clears {
                let below = node as usize..surface.hierarchy.end(node) as usize;
                self.nodes[below].iter().for_each(|cleared| cleared.store(true, Relaxed));
                workspace.stats.patches_cleared += 1;
                workspace.stats.triangles_cleared += n as u64;
                return;
            }
        }
        let children = (0..WIDTH).filter_map(|lane| match surface.hierarchy.child(node, lane) {
            Child::Node(child) => Some(child),
            Child::Triangle(_) | Child::None => None,
        });
        if n < PARALLEL {
            children.for_each(|child| self.visit(surface, test, child, workspace));
            return;
        }
        let below = threads::map(children, |child| {
            let mut workspace = Workspace::default();
            self.visit(surface, test, child, &mut workspace);
            workspace.stats
        });
        below.into_iter().for_each(|stats| workspace.stats += stats);
    }

    /// Whether a node is tested in this step.
    fn is_due(&self, node: u32, stats: &mut Stats) -> bool {
        let is_due = self.patience[node as usize].is_due();
        stats.patches_skipped += u64::from(!is_due);
        is_due
    }
}

/// The proofs about a body.
pub(crate) struct Proofs<'a, T> {
    pub(crate) cleared: &'a Cleared,
    pub(crate) surface: Surface<'a>,
    /// The test for pairs of adjacent patches, if they are tested.
    pub(crate) test: Option<T>,
}

/// Pairs of patches with fewer triangles in total are not tested.
const LEAST_PAIR: usize = 16;

impl<T: PatchTest> Certificate for Proofs<'_, T> {
    fn asks_pairs(&self) -> bool {
        T::ASKS_PAIRS && self.test.is_some()
    }

    fn clears(&self, node: u32, _: &mut Workspace) -> bool {
        self.cleared.nodes[node as usize].load(Relaxed)
    }

    fn clears_pair(&self, a: u32, b: u32, workspace: &mut Workspace) -> Verdict {
        let [n, m] = [a, b].map(|node| self.surface.hierarchy.range(node).len());
        let Some(test) = &self.test else { return Verdict::Hopeless };
        if n + m < LEAST_PAIR {
            return Verdict::Hopeless;
        }
        if !self.cleared.pairs_pay {
            workspace.stats.pairs_skipped += 1;
            return Verdict::Hopeless;
        }
        // What cannot be proven of a patch can hardly be proven of two.
        let mut may_pass = |node: u32, n: usize| n < LEAST || self.clears(node, workspace);
        if !(may_pass(a, n) && may_pass(b, m)) {
            return Verdict::Open;
        }
        let pair = self.cleared.pairs.get(self.surface.patches, [a, b], &mut workspace.union);
        let (contour, patience) = match &*pair {
            Pair::Apart => return Verdict::Hopeless,
            Pair::Several => return Verdict::Open,
            Pair::Glued { contour, patience } => (contour, patience),
        };
        if T::IS_PATIENT && !patience.is_due() {
            workspace.stats.pairs_skipped += 1;
            return Verdict::Open;
        }
        workspace.stats.pairs += 1;
        let is_proven = test.clears_pair(self.surface, [a, b], contour, workspace);
        patience.remember(is_proven);
        workspace.stats.pairs_cleared += u64::from(is_proven);
        if is_proven { Verdict::Cleared } else { Verdict::Open }
    }
}
