//! Clears patches of a body whose vertices are placed on demand.

use super::{Cleared, LEAST, LEAST_PAIR, PARALLEL, PAYING_SIZE, Patience, Workspace};
use crate::certificate::bounded_normals::BoundedTest;
use crate::certificate::pairs::Pair;
use crate::certificate::plug::{Asked, Certificate, Verdict, Weighed};
use crate::certificate::stats::Stats;
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use crate::motion::{Deformer, Line, Placement};
use crate::threads;
use std::sync::atomic::Ordering::Relaxed;

/// Places vertices of a body.
pub(crate) struct Placer<'a> {
    pub(crate) deformer: &'a dyn Deformer,
    pub(crate) placement: &'a mut Placement,
    pub(crate) lines: &'a mut [Line],
    /// How many were placed.
    pub(crate) n_placed: u64,
}

impl Placer<'_> {
    fn place(&mut self, vertices: impl IntoIterator<Item = u32>) {
        self.n_placed += self.placement.place(self.deformer, vertices, self.lines);
    }
}

/// The nodes that a proof may succeed for, from one subtree, with the vertices that it needs.
#[derive(Default)]
struct Found {
    asked: Vec<(u32, Asked)>,
    vertices: Vec<u32>,
    stats: Stats,
}

/// Proofs that a worker confirms at a time.
const GRAIN: usize = 32;

impl Cleared {
    /// Clears the topmost patches that pass the test, as [`refit`](Cleared::refit) does. Only
    /// vertices of patches that pass the first part of the test are placed.
    ///
    /// In rounds: from the nodes of a round down to the topmost ones that pass the first part;
    /// their vertices are placed; those that fail the second part are the parents of the next
    /// round. A patch that has failed repeatedly is skipped for some steps, as the nodes above the
    /// update front of the paper (section 4.3) are.
    pub(crate) fn refit_on_demand(&mut self, test: &BoundedTest, placer: &mut Placer) -> Stats {
        let n_nodes = test.hierarchy.n_nodes();
        self.clear(n_nodes);
        self.patience.resize_with(n_nodes, Patience::default);
        let mut stats = Stats::default();
        placer.n_placed += placer.placement.place_expected(placer.deformer, placer.lines);
        let mut nodes: Vec<u32> = if n_nodes == 0 { Vec::new() } else { vec![0] };
        while !nodes.is_empty() {
            let found = threads::map(nodes.chunks(GRAIN), |nodes| {
                let mut found = Found::default();
                nodes.iter().for_each(|&node| self.descend(test, node, &mut found));
                found
            });
            placer.place(found.iter().flat_map(|found| &found.vertices).copied());
            let asked: Vec<(u32, Asked)> = found
                .into_iter()
                .flat_map(|found| {
                    stats += found.stats;
                    found.asked
                })
                .collect();
            let lines = &*placer.lines;
            let confirm = |asked: &[(u32, Asked)]| {
                let (mut workspace, mut below) = (Workspace::default(), Vec::new());
                for &(node, asked) in asked {
                    let clears = test.confirm(node, asked, lines, &mut workspace);
                    self.patience[node as usize].remember(clears);
                    if clears {
                        self.clear_below(test.hierarchy, node, &mut workspace.stats);
                    } else {
                        below.extend(children(test.hierarchy, node));
                    }
                }
                (below, workspace.stats)
            };
            let confirmed = threads::map(asked.chunks(GRAIN), confirm);
            nodes.clear();
            for (below, of_chunk) in confirmed {
                nodes.extend(below);
                stats += of_chunk;
            }
        }
        self.pairs_pay = PAYING_SIZE * stats.patches_cleared <= stats.triangles_cleared;
        stats
    }

    /// Marks a node and all nodes below as cleared.
    fn clear_below(&self, hierarchy: &Hierarchy, node: u32, stats: &mut Stats) {
        let below = node as usize..hierarchy.end(node) as usize;
        self.nodes[below].iter().for_each(|cleared| cleared.store(true, Relaxed));
        stats.patches_cleared += 1;
        stats.triangles_cleared += hierarchy.range(node).len() as u64;
    }

    /// Finds the topmost nodes that pass the first part of the test.
    fn descend(&self, test: &BoundedTest, node: u32, found: &mut Found) {
        let n = test.hierarchy.range(node).len();
        if n < LEAST {
            return;
        }
        if test.patches.is_eligible(node) && self.is_due(node, &mut found.stats) {
            let weighed = test.weigh(node, &mut found.stats);
            found.stats.patches += 1;
            match weighed {
                Weighed::Asks(asked) => {
                    test.list(node, &mut found.vertices);
                    return found.asked.push((node, asked));
                }
                Weighed::Known(Verdict::Cleared) => {
                    self.patience[node as usize].remember(true);
                    return self.clear_below(test.hierarchy, node, &mut found.stats);
                }
                Weighed::Known(_) => self.patience[node as usize].remember(false),
            }
        }
        let below = children(test.hierarchy, node);
        if n < PARALLEL {
            return below.for_each(|child| self.descend(test, child, found));
        }
        let of_children = threads::map(below, |child| {
            let mut found = Found::default();
            self.descend(test, child, &mut found);
            found
        });
        for of_child in of_children {
            found.asked.extend(of_child.asked);
            found.vertices.extend(of_child.vertices);
            found.stats += of_child.stats;
        }
    }
}

/// The child nodes of a node.
fn children(hierarchy: &Hierarchy, node: u32) -> impl Iterator<Item = u32> {
    (0..WIDTH).filter_map(move |lane| match hierarchy.child(node, lane) {
        Child::Node(child) => Some(child),
        Child::Triangle(_) | Child::None => None,
    })
}

/// The proofs about a body whose vertices are placed on demand.
pub(crate) struct BoundedProofs<'a> {
    pub(crate) cleared: &'a Cleared,
    pub(crate) test: BoundedTest<'a>,
}

impl Certificate for BoundedProofs<'_> {
    fn asks_pairs(&self) -> bool {
        true
    }

    fn clears(&self, node: u32, _: &mut Workspace) -> bool {
        self.cleared.nodes[node as usize].load(Relaxed)
    }

    /// Nothing is known without vertices.
    fn clears_pair(&self, _: u32, _: u32, _: &mut Workspace) -> Verdict {
        Verdict::Open
    }

    fn weighs_pair(&self, a: u32, b: u32, workspace: &mut Workspace, vertices: &mut Vec<u32>) -> Weighed {
        let [n, m] = [a, b].map(|node| self.test.hierarchy.range(node).len());
        if n + m < LEAST_PAIR {
            return Weighed::Known(Verdict::Hopeless);
        }
        if !self.cleared.pairs_pay {
            workspace.stats.pairs_skipped += 1;
            return Weighed::Known(Verdict::Hopeless);
        }
        // What cannot be proven of a patch can hardly be proven of two.
        let mut may_pass = |node: u32, n: usize| n < LEAST || self.clears(node, workspace);
        if !(may_pass(a, n) && may_pass(b, m)) {
            return Weighed::Known(Verdict::Open);
        }
        let Workspace { union, stats, .. } = workspace;
        let pair = self.cleared.pairs.get(self.test.patches, [a, b], union);
        let Pair::Glued { contour, patience } = &*pair else {
            let is_apart = matches!(&*pair, Pair::Apart);
            return Weighed::Known(if is_apart { Verdict::Hopeless } else { Verdict::Open });
        };
        if !patience.is_due() {
            stats.pairs_skipped += 1;
            return Weighed::Known(Verdict::Open);
        }
        let weighed = self.test.weigh_pair([a, b], contour, stats, vertices);
        if let Weighed::Known(verdict) = weighed {
            patience.remember(verdict == Verdict::Cleared);
        }
        weighed
    }

    fn confirms_pair(
        &self,
        nodes: [u32; 2],
        asked: Asked,
        vertices: &[u32],
        lines: &[Line],
        workspace: &mut Workspace,
    ) -> Verdict {
        let is_proven = self.test.confirm_pair(nodes, asked, vertices, lines, workspace);
        if let Pair::Glued { patience, .. } =
            &*self.cleared.pairs.get(self.test.patches, nodes, &mut workspace.union)
        {
            patience.remember(is_proven);
        }
        if is_proven { Verdict::Cleared } else { Verdict::Open }
    }
}
