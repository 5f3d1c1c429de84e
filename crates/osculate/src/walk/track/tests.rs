use super::super::eager::Side;
use super::*;
use crate::bounds::{Bounds, Reach, Sweep};
use crate::certificate::{Certificate, Workspace};
use crate::hierarchy::{Hierarchy, Split, build};
use crate::mask::NoMask;
use crate::motion::Line;
use crate::{Mesh, Step};
use std::collections::HashSet;

type Pairs = Vec<(u32, u32)>;

fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    (*state >> 40) as f64 / f64::from(1u32 << 24)
}

/// Clears the nodes of a set; the verdict about two nodes is a hash of their numbers and the step.
struct Arbitrary {
    cleared: HashSet<u32>,
    step: u64,
}

impl Certificate for Arbitrary {
    fn asks_pairs(&self) -> bool {
        true
    }

    fn clears(&self, node: u32, _: &mut Workspace) -> bool {
        self.cleared.contains(&node)
    }

    fn clears_pair(&self, a: u32, b: u32, _: &mut Workspace) -> Verdict {
        // The verdict is usually the same in consecutive steps.
        let mut state = u64::from(a) << 32 ^ u64::from(b) ^ (((self.step + u64::from(a + b)) / 5) << 16);
        random(&mut state);
        match random(&mut state) {
            x if x < 0.2 => Verdict::Cleared,
            x if x < 0.3 => Verdict::Hopeless,
            _ => Verdict::Open,
        }
    }
}

/// The child of a node that contains a triangle, if it is a node.
fn toward(hierarchy: &Hierarchy, node: u32, triangle: u32) -> Option<u32> {
    (0..WIDTH).find_map(|lane| match hierarchy.child(node, lane) {
        Child::Node(child) if hierarchy.triangles_below(child).contains(&triangle) => Some(child),
        _ => None,
    })
}

/// Whether two triangles are below a cleared node, and whether they are below two nodes that are
/// cleared as a pair.
fn proofs(certificate: &Arbitrary, hierarchy: &Hierarchy, a: u32, b: u32) -> (bool, bool) {
    let mut nodes = [0, 0];
    loop {
        if nodes[0] == nodes[1] && certificate.clears(nodes[0], &mut Workspace::default()) {
            return (true, false);
        }
        // The pair may be visited in either order.
        if nodes[0] != nodes[1] {
            let (first, second) = (nodes[0].min(nodes[1]), nodes[0].max(nodes[1]));
            if certificate.clears_pair(first, second, &mut Workspace::default()) == Verdict::Cleared {
                return (false, true);
            }
        }
        let [Some(first), Some(second)] = [toward(hierarchy, nodes[0], a), toward(hierarchy, nodes[1], b)]
        else {
            return (false, false);
        };
        nodes = [first, second];
    }
}

/// All pairs of a walk from the front, or the first ones until it breaks.
fn tracked(walk: &Walk<3>, front: &Front, n_wanted: usize) -> Pairs {
    let (mut scratch, mut stats) = (TrackScratch::default(), WalkStats::default());
    let (mut pairs, mut deferred) = (Vec::new(), Vec::new());
    let mut visit = |a: u32, b: u32| {
        pairs.push((a.min(b), a.max(b)));
        if pairs.len() < n_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    for part in front.parts(walk.first.hierarchy, |node| walk.clears(node, &mut Workspace::default())) {
        let _ = walk.track(front, part, &mut scratch, &mut stats, &mut visit, |task| deferred.push(task));
    }
    for task in walk.split(deferred, 20, &mut scratch.walk, &mut stats) {
        let _ = walk.run(task, &mut scratch.walk, &mut stats, &mut visit);
    }
    pairs.sort_unstable();
    pairs
}

fn walked(walk: &Walk<3>) -> Pairs {
    let (mut scratch, mut stats, mut pairs) = (Scratch::default(), WalkStats::default(), Vec::new());
    for task in walk.tasks(1, &mut scratch, &mut stats) {
        let _ = walk.run(task, &mut scratch, &mut stats, |a, b| {
            pairs.push((a.min(b), a.max(b)));
            ControlFlow::Continue(())
        });
    }
    pairs.sort_unstable();
    pairs
}

/// No pair is lost or visited twice over many steps in which nodes and pairs are cleared at random,
/// and walks are stopped early.
#[test]
fn fronts_lose_no_pair() {
    for (n, n_steps) in [(1, 3), (3, 20), (20, 150), (400, 150)] {
        let mut state = n as u64;
        let mut pose: Vec<[f64; 3]> = Vec::new();
        for _ in 0..n {
            let center = [0; 3].map(|_| random(&mut state));
            pose.extend((0..3).map(|_| center.map(|x| x + 0.1 * random(&mut state))));
        }
        let faces = (0..n as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let mesh = Mesh::new(faces, 3 * n).unwrap();
        let hierarchy = build(&mesh, &pose, Split::default());
        let (mut front, mut bounds) = (Front::default(), Bounds::default());
        let (mut n_all, mut n_proven, mut n_held, mut n_fewer) = (0, 0, 0, 0);
        for step in 0..n_steps {
            // Triangles are translated.
            for corners in pose.chunks_mut(3) {
                let by = [0; 3].map(|_| 0.1 * (random(&mut state) - 0.5));
                corners.iter_mut().for_each(|p| *p = [0, 1, 2].map(|i| p[i] + by[i]));
            }
            let line_step = Step::new(&pose, &pose).unwrap();
            let reach = Reach { sweep: Sweep::Until(1.0), margin: 0.0, largest: line_step.largest() };
            let lines: &[Line] = line_step.lines();
            bounds.refit(&hierarchy, lines, reach);
            let n_cleared = [0, 2, 6][step % 3];
            let node = |x: f64| (x * hierarchy.n_nodes() as f64) as u32;
            let cleared = (0..n_cleared).map(|_| node(random(&mut state))).collect();
            let certificate = Arbitrary { cleared, step: step as u64 };
            let side = Side { hierarchy: &hierarchy, bounds: &bounds };
            let plain = Walk::new([side, side], true, None, &NoMask);
            let walk = Walk::new([side, side], true, Some(&certificate), &NoMask);
            let all = walked(&plain);
            front.begin(hierarchy.n_nodes());
            if step % 4 == 3 {
                let n_wanted = 1 + step % 30;
                let some = tracked(&walk, &front, n_wanted);
                assert!(some.iter().all(|pair| all.contains(pair)), "step {step} of {n} triangles");
                continue;
            }
            let found = tracked(&walk, &front, usize::MAX);
            assert!(
                found.windows(2).all(|two| two[0] != two[1]),
                "a pair twice, step {step} of {n} triangles"
            );
            let found: HashSet<(u32, u32)> = found.into_iter().collect();
            assert!(found.iter().all(|pair| all.binary_search(pair).is_ok()), "step {step}, {n} triangles");
            for &(a, b) in &all {
                let (is_cleared, is_cleared_as_pair) = proofs(&certificate, &hierarchy, a, b);
                let is_found = found.contains(&(a, b));
                assert!(!(is_cleared && is_found), "{a} and {b} in a cleared patch, step {step}");
                assert!(is_cleared || is_cleared_as_pair || is_found, "{a} and {b} lost in step {step}");
                n_proven += usize::from(is_cleared || is_cleared_as_pair);
            }
            n_all += all.len();
            n_held += front.n_pairs();
            n_fewer += all.len() - found.len();
        }
        let counts = [n_all, n_proven, n_held, n_fewer];
        assert!(n < 100 || counts.iter().all(|&count| 200 < count), "{counts:?}");
    }
}
