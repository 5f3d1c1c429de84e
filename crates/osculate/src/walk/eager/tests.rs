use super::*;
use crate::Mesh;
use crate::bounds::{Projection, Reach, Sweep};
use crate::hierarchy::{Split, build};
use crate::random::random;
use crate::{MovingPoint, Step};
use std::collections::HashSet;

/// Clears the nodes of a set, and pairs of nodes whose numbers sum to a multiple of three.
struct Cleared(HashSet<u32>);

fn clears_pair(a: u32, b: u32) -> bool {
    (a + b).is_multiple_of(3)
}

impl Certificate for Cleared {
    fn asks_pairs(&self) -> bool {
        true
    }

    fn clears(&self, node: u32, _: &mut Workspace) -> bool {
        self.0.contains(&node)
    }

    fn clears_pair(&self, a: u32, b: u32, _: &mut Workspace) -> Verdict {
        if clears_pair(a, b) { Verdict::Cleared } else { Verdict::Open }
    }
}

/// Keeps pairs whose numbers have an even sum.
struct Even;

impl Mask for Even {
    type Counts = ();

    fn keeps(&self, a: u32, b: u32) -> bool {
        (a + b).is_multiple_of(2)
    }
}

/// A soup of moving triangles.
fn soup(n: usize, seed: u64) -> (Mesh, Step) {
    let mut next = random(seed);
    let mut pose = Vec::new();
    for _ in 0..n {
        let center = [next(), next(), next()];
        pose.extend((0..3).map(|_| center.map(|x| x + 0.2 * next())));
    }
    let end: Vec<[f64; 3]> = pose.iter().map(|p| p.map(|x| x + 0.1 * next())).collect();
    let faces = (0..n as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    (Mesh::new(faces, 3 * n).unwrap(), Step::new(&pose, &end).unwrap())
}

fn reach(step: &Step) -> Reach {
    Reach { sweep: Sweep::Until(1.0), margin: 0.0, largest: step.largest() }
}

fn tree(mesh: &Mesh, step: &Step) -> (Hierarchy, Bounds<3>) {
    let rest: Vec<[f64; 3]> =
        (0..step.len()).map(|v| step.point(v)).map(|MovingPoint { t0, .. }| t0).collect();
    let hierarchy = build(mesh, &rest, Split::default());
    let mut bounds = Bounds::default();
    bounds.refit(&hierarchy, step.lines(), reach(step));
    (hierarchy, bounds)
}

fn pairs<M: Mask>(walk: &Walk<3, M>, n_tasks: usize) -> Vec<(u32, u32)> {
    let (mut stack, mut stats, mut pairs) = (Scratch::default(), WalkStats::default(), Vec::new());
    for task in walk.tasks(n_tasks, &mut stack, &mut stats) {
        let _ = walk.run(task, &mut stack, &mut stats, |a, b| {
            pairs.push(if walk.same { (a.min(b), a.max(b)) } else { (a, b) });
            ControlFlow::Continue(())
        });
    }
    pairs.sort_unstable();
    pairs
}

/// All triangles below a node.
fn below(hierarchy: &Hierarchy, node: u32) -> HashSet<u32> {
    let lanes = (0..WIDTH).map(|lane| hierarchy.child(node, lane));
    lanes.fold(HashSet::new(), |mut all, child| {
        match child {
            Child::None => {}
            Child::Triangle(t) => drop(all.insert(t)),
            Child::Node(child) => all.extend(below(hierarchy, child)),
        }
        all
    })
}

/// The child of a node that contains a triangle, if it is a node.
fn toward(hierarchy: &Hierarchy, node: u32, triangle: u32) -> Option<u32> {
    (0..WIDTH).find_map(|lane| match hierarchy.child(node, lane) {
        Child::Node(child) if hierarchy.triangles_below(child).contains(&triangle) => Some(child),
        _ => None,
    })
}

/// Whether a walk of a tree with itself (`same`), or of two trees, clears a pair of nodes above two
/// triangles.
fn is_cleared_as_pair(trees: [&Hierarchy; 2], same: bool, a: u32, b: u32) -> bool {
    let mut nodes = [0, 0];
    loop {
        let [Some(first), Some(second)] = [toward(trees[0], nodes[0], a), toward(trees[1], nodes[1], b)]
        else {
            return false;
        };
        nodes = [first, second];
        if !(same && first == second) && clears_pair(first, second) {
            return true;
        }
    }
}

#[test]
fn plugs_leave_out_what_they_say_and_nothing_else() {
    for n in [1, 2, 5, 60, 300] {
        let (mesh, step) = soup(n, n as u64);
        let (hierarchy, bounds) = tree(&mesh, &step);
        let side = Side { hierarchy: &hierarchy, bounds: &bounds };
        let plain = Walk::new([side, side], true, None, &NoMask);
        let all = pairs(&plain, 1);
        assert!(n < 60 || n / 2 < all.len(), "the cases must have pairs");
        for n_tasks in [7, 1000] {
            assert_eq!(pairs(&plain, n_tasks), all);
        }
        for modulus in [2, 3, 7] {
            let cleared =
                Cleared((0..hierarchy.n_nodes() as u32).filter(|node| node % modulus == 1).collect());
            let patches: Vec<HashSet<u32>> = cleared.0.iter().map(|&node| below(&hierarchy, node)).collect();
            let walk = Walk::new([side, side], true, Some(&cleared), &Even);
            let left: Vec<(u32, u32)> = all
                .iter()
                .copied()
                .filter(|(a, b)| (a + b).is_multiple_of(2))
                .filter(|(a, b)| !patches.iter().any(|patch| patch.contains(a) && patch.contains(b)))
                .filter(|&(a, b)| !is_cleared_as_pair([&hierarchy; 2], true, a, b))
                .collect();
            for n_tasks in [1, 20, 500] {
                assert_eq!(pairs(&walk, n_tasks), left);
            }
        }
        let everything = Cleared((0..hierarchy.n_nodes() as u32).collect());
        assert!(pairs(&Walk::new([side, side], true, Some(&everything), &NoMask), 9).is_empty());
    }
}

#[test]
fn two_trees_meet_where_their_bounds_overlap() {
    let ((mesh_a, step_a), (mesh_b, step_b)) = (soup(80, 1), soup(50, 2));
    let ((tree_a, bounds_a), (tree_b, bounds_b)) = (tree(&mesh_a, &step_a), tree(&mesh_b, &step_b));
    let first = Side { hierarchy: &tree_a, bounds: &bounds_a };
    let second = Side { hierarchy: &tree_b, bounds: &bounds_b };
    let walk = Walk::new([first, second], false, None, &NoMask);
    let slabs = |mesh: &Mesh, step: &Step, t: usize| {
        let corners = mesh.triangles()[t].map(|v| step.lines()[v as usize].ends());
        Projection::<3>::new(reach(step)).of_triangle(corners)
    };
    let mut expected = Vec::new();
    for a in 0..80 {
        for b in 0..50 {
            if slabs(&mesh_a, &step_a, a).overlaps(&slabs(&mesh_b, &step_b, b)) {
                expected.push((a as u32, b as u32));
            }
        }
    }
    assert!(50 < expected.len(), "the cases must have pairs");
    for n_tasks in [1, 10, 10_000] {
        assert_eq!(pairs(&walk, n_tasks), expected);
    }
    // Proofs about a single patch say nothing about two bodies; those about pairs do.
    let cleared = Cleared((0..100).collect());
    let walk = Walk::new([first, second], false, Some(&cleared), &Even);
    let n_all = expected.len();
    expected.retain(|(a, b)| (a + b).is_multiple_of(2));
    expected.retain(|&(a, b)| !is_cleared_as_pair([&tree_a, &tree_b], false, a, b));
    assert!(10 < expected.len() && expected.len() < n_all / 2 - 5, "{} {n_all}", expected.len());
    for n_tasks in [1, 10, 10_000] {
        assert_eq!(pairs(&walk, n_tasks), expected);
    }
}
