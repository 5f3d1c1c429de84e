//! Self and pair traversal over slots: a slot is a lane of a node, that is, a child together with its bounds.

use crate::bounds::Bounds;
use crate::hierarchy::{Child, Hierarchy, WIDTH};
use std::ops::ControlFlow;

/// One of the two trees of a walk; both are the same one when a body is tested against itself.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a, const N: usize> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) bounds: &'a Bounds<N>,
}

/// A slot: lane `slot % WIDTH` of node `slot / WIDTH`.
type Slot = u32;

#[inline(always)]
fn slot(node: u32, lane: usize) -> Slot {
    node * WIDTH as u32 + lane as u32
}

/// A part of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    /// All pairs below a node, of the first side, with itself.
    Within(u32),
    /// All pairs between the slot of the first side and that of the second, whose bounds overlap.
    Between(Slot, Slot),
}

/// Counts of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WalkStats {
    /// Tests of a bounding volume against another.
    pub(crate) bounds_tests: u64,
}

impl<const N: usize> Side<'_, N> {
    #[inline(always)]
    fn child(&self, slot: Slot) -> Child {
        self.hierarchy.child(slot / WIDTH as u32, slot as usize % WIDTH)
    }
}

/// Cuts a walk into at least `n` tasks, or as many as there are, in a fixed order.
///
/// `same` says that both sides are one body, tested against itself; otherwise the pairs are those between the two.
pub(crate) fn tasks<const N: usize>(
    first: Side<N>,
    second: Side<N>,
    same: bool,
    n: usize,
    stats: &mut WalkStats,
) -> Vec<Task> {
    if first.hierarchy.n_nodes() == 0 || second.hierarchy.n_nodes() == 0 {
        return Vec::new();
    }
    let mut tasks = Vec::new();
    if same {
        tasks.push(Task::Within(0));
    } else {
        between_nodes(first, second, 0, 0, &mut |a, b| tasks.push(Task::Between(a, b)), stats);
    }
    // Expand a whole generation at a time, until there are enough or only single pairs are left.
    while tasks.len() < n {
        let before = tasks.len();
        let mut next = Vec::with_capacity(8 * before);
        let mut expanded = false;
        for &task in &tasks {
            expanded |= expand(first, second, task, &mut |t| next.push(t), stats);
        }
        tasks = next;
        if !expanded {
            break;
        }
    }
    tasks
}

/// Replaces a task by the tasks one level down; a pair of two triangles is handed on as it is, with `false`.
#[inline(always)]
fn expand<const N: usize>(
    first: Side<N>,
    second: Side<N>,
    task: Task,
    push: &mut impl FnMut(Task),
    stats: &mut WalkStats,
) -> bool {
    match task {
        Task::Within(node) => {
            let wide = first.bounds.node(node);
            for lane in 0..WIDTH {
                if let Child::Node(child) = first.hierarchy.child(node, lane) {
                    push(Task::Within(child));
                }
                let later = wide.overlaps(&wide.lane(lane)) >> (lane + 1) << (lane + 1);
                stats.bounds_tests += (WIDTH - 1 - lane) as u64;
                for_each_bit(later, |other| push(Task::Between(slot(node, lane), slot(node, other))));
            }
            true
        }
        Task::Between(a, b) => match (first.child(a), second.child(b)) {
            (Child::Node(a), Child::Node(b)) => {
                between_nodes(first, second, a, b, &mut |a, b| push(Task::Between(a, b)), stats);
                true
            }
            (Child::Node(node), Child::Triangle(_)) => {
                let of_b = second.bounds.node(b / WIDTH as u32).lane(b as usize % WIDTH);
                stats.bounds_tests += WIDTH as u64;
                let lanes = first.bounds.node(node).overlaps(&of_b);
                for_each_bit(lanes, |lane| push(Task::Between(slot(node, lane), b)));
                true
            }
            (Child::Triangle(_), Child::Node(node)) => {
                let of_a = first.bounds.node(a / WIDTH as u32).lane(a as usize % WIDTH);
                stats.bounds_tests += WIDTH as u64;
                let lanes = second.bounds.node(node).overlaps(&of_a);
                for_each_bit(lanes, |lane| push(Task::Between(a, slot(node, lane))));
                true
            }
            (Child::None, _) | (_, Child::None) => false,
            (Child::Triangle(_), Child::Triangle(_)) => {
                push(task);
                false
            }
        },
    }
}

/// Calls `push` for every two overlapping slots of two nodes.
#[inline(always)]
fn between_nodes<const N: usize>(
    first: Side<N>,
    second: Side<N>,
    a: u32,
    b: u32,
    push: &mut impl FnMut(Slot, Slot),
    stats: &mut WalkStats,
) {
    let (wide_a, wide_b) = (first.bounds.node(a), second.bounds.node(b));
    stats.bounds_tests += (WIDTH * WIDTH) as u64;
    for lane in 0..WIDTH {
        for_each_bit(wide_b.overlaps(&wide_a.lane(lane)), |other| push(slot(a, lane), slot(b, other)));
    }
}

#[inline(always)]
fn for_each_bit(mut bits: u32, mut f: impl FnMut(usize)) {
    while bits != 0 {
        f(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// What a walk has yet to look at; kept between tasks so that nothing is allocated again.
#[derive(Default)]
pub(crate) struct Stack {
    /// Nodes of one body, each with itself.
    within: Vec<u32>,
    /// Nodes of the first side and of the second that overlap.
    nodes: Vec<(u32, u32)>,
    /// Leaves of one side with nodes of the other; `true` if the leaf is of the first.
    leaves: Vec<(Slot, u32, bool)>,
}

/// Walks a task, calling `visit(a, b)` for every pair of triangles whose bounds overlap, each once, until it breaks.
///
/// Memory is bounded by the depth of the trees: pairs are visited, not stored.
pub(crate) fn walk<const N: usize>(
    first: Side<N>,
    second: Side<N>,
    task: Task,
    stack: &mut Stack,
    stats: &mut WalkStats,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stack.within.clear();
    stack.nodes.clear();
    stack.leaves.clear();
    match task {
        Task::Within(node) => stack.within.push(node),
        Task::Between(a, b) => stack.meet(first, second, a, b, &mut visit)?,
    }
    loop {
        if let Some((leaf, node, leaf_is_first)) = stack.leaves.pop() {
            let (of_leaf, of_node) = if leaf_is_first { (first, second) } else { (second, first) };
            let bounds = of_leaf.bounds.node(leaf / WIDTH as u32).lane(leaf as usize % WIDTH);
            let mut lanes = of_node.bounds.node(node).overlaps(&bounds);
            stats.bounds_tests += WIDTH as u64;
            while lanes != 0 {
                let other = slot(node, lanes.trailing_zeros() as usize);
                let (a, b) = if leaf_is_first { (leaf, other) } else { (other, leaf) };
                stack.meet(first, second, a, b, &mut visit)?;
                lanes &= lanes - 1;
            }
        } else if let Some((a, b)) = stack.nodes.pop() {
            let (wide_a, wide_b) = (first.bounds.node(a), second.bounds.node(b));
            stats.bounds_tests += (WIDTH * WIDTH) as u64;
            for lane in 0..WIDTH {
                let mut lanes = wide_b.overlaps(&wide_a.lane(lane));
                while lanes != 0 {
                    stack.meet(
                        first,
                        second,
                        slot(a, lane),
                        slot(b, lanes.trailing_zeros() as usize),
                        &mut visit,
                    )?;
                    lanes &= lanes - 1;
                }
            }
        } else if let Some(node) = stack.within.pop() {
            let wide = first.bounds.node(node);
            for lane in 0..WIDTH {
                if let Child::Node(child) = first.hierarchy.child(node, lane) {
                    stack.within.push(child);
                }
                let mut later = wide.overlaps(&wide.lane(lane)) >> (lane + 1) << (lane + 1);
                stats.bounds_tests += (WIDTH - 1 - lane) as u64;
                while later != 0 {
                    stack.meet(
                        first,
                        second,
                        slot(node, lane),
                        slot(node, later.trailing_zeros() as usize),
                        &mut visit,
                    )?;
                    later &= later - 1;
                }
            }
        } else {
            return ControlFlow::Continue(());
        }
    }
}

impl Stack {
    /// Two slots overlap: a pair to visit if both are triangles, else work for later.
    #[inline(always)]
    fn meet<const N: usize>(
        &mut self,
        first: Side<N>,
        second: Side<N>,
        a: Slot,
        b: Slot,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match (first.child(a), second.child(b)) {
            (Child::Triangle(a), Child::Triangle(b)) => visit(a, b)?,
            (Child::Node(a), Child::Node(b)) => self.nodes.push((a, b)),
            (Child::Triangle(_), Child::Node(node)) => self.leaves.push((a, node, true)),
            (Child::Node(node), Child::Triangle(_)) => self.leaves.push((b, node, false)),
            // Bounds of nothing may overlap infinite ones; there is nothing to meet.
            (Child::None, _) | (_, Child::None) => {}
        }
        ControlFlow::Continue(())
    }
}
