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
            _ => {
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

/// Walks a task, calling `visit(a, b)` for every pair of triangles whose bounds overlap, each once, until it breaks.
pub(crate) fn walk<const N: usize>(
    first: Side<N>,
    second: Side<N>,
    task: Task,
    stack: &mut Vec<Task>,
    stats: &mut WalkStats,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stack.clear();
    stack.push(task);
    while let Some(task) = stack.pop() {
        if let Task::Between(a, b) = task
            && let (Child::Triangle(a), Child::Triangle(b)) = (first.child(a), second.child(b))
        {
            visit(a, b)?;
            continue;
        }
        expand(first, second, task, &mut |t| stack.push(t), stats);
    }
    ControlFlow::Continue(())
}
