//! The classes of a body's triangles in a step, and the mask of pairs that need a test.

use super::classes::{classify, classify_cluster};
use super::follow::Eye;
use super::free::{Patience, choose};
use super::stats::Stats;
use super::tree::{ClusterTree, SEVERAL};
use crate::Mesh;
use crate::feature::{Around, Code, Live, MINUS, PLUS, Representatives, UNCERTAIN, cluster};
use crate::hierarchy::{Child, WIDTH};
use crate::mask::Mask;
use crate::motion::Line;

/// The classes of all triangles of a body in a step. They are kept from step to step, and only the
/// consequences of changed classes are updated.
#[derive(Default)]
pub(crate) struct View {
    /// In depth-first order.
    classes: Vec<u8>,
    /// The classes of the last step.
    last: Vec<u8>,
    /// By triangle number.
    codes: Vec<Code>,
    /// Triangles that count as uncertain, whichever way they face.
    forced: Vec<u32>,
    /// The codes before some triangles became uncertain, in the wake of a contact; empty before
    /// that.
    before: Vec<Code>,
    around: Around,
    lanes: Vec<Lanes>,
    /// The lanes of triangles that became uncertain in the wake of a contact, and the nodes with
    /// any.
    wake: Vec<Lanes>,
    woken: Vec<u32>,
    /// For each cluster.
    patience: Vec<Patience>,
}

/// For each slot of a node, whether there are triangles of a class below it: bits 0 to 3 for those
/// that face away, 4 to 7 for those that face the observer, 8 to 11 for the uncertain ones.
type Lanes = u16;

/// The bits of all slots.
const ALL: u32 = (1 << WIDTH) - 1;

impl View {
    /// Heap memory of the view in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.classes.as_slice())
            + size_of_val(self.last.as_slice())
            + size_of_val(self.codes.as_slice())
            + size_of_val(self.forced.as_slice())
            + size_of_val(self.before.as_slice())
            + self.around.memory_bytes()
            + size_of_val(self.lanes.as_slice())
            + size_of_val(self.wake.as_slice())
            + size_of_val(self.patience.as_slice())
    }

    /// Classifies all triangles; those in `suspects`, ascending, count as uncertain.
    pub(crate) fn look(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        eyes: &[Eye],
        lines: &[Line],
        suspects: &[u32],
    ) -> Stats {
        std::mem::swap(&mut self.classes, &mut self.last);
        classify(tree, eyes, lines, &mut self.classes);
        self.choose(mesh, tree, lines);
        self.before.clear();
        let triangles = tree.hierarchy.triangles();
        let mut changed = std::mem::take(&mut self.forced);
        if self.codes.is_empty() {
            self.begin(mesh, tree);
            changed.extend(
                (0..)
                    .zip(&self.classes)
                    .filter(|&(_, &class)| class != PLUS as u8)
                    .map(|(i, _): (usize, _)| triangles[i]),
            );
        } else {
            for (i, (now, last)) in self.classes.chunks(64).zip(self.last.chunks(64)).enumerate() {
                if now != last {
                    let places = (64 * i..).zip(now.iter().zip(last)).filter(|(_, (now, last))| now != last);
                    changed.extend(places.map(|(place, _)| triangles[place]));
                }
            }
        }
        changed.extend_from_slice(suspects);
        changed.sort_unstable();
        changed.dedup();
        // Both are ascending.
        let mut suspect = suspects.iter().peekable();
        changed.retain(|&t| {
            let class = self.classes[tree.place_of[t as usize] as usize];
            let code = tree.of_triangle[t as usize] << 2 | Code::from(class);
            let is_suspect = suspect.next_if_eq(&&t).is_some();
            let new = if is_suspect { uncertain(code) } else { code };
            let is_new = std::mem::replace(&mut self.codes[t as usize], new) != new;
            // A triangle that became uncertain in the wake of a contact did not change the lanes
            // then.
            self.lift(tree, t);
            is_new
        });
        self.around.update(mesh, &self.codes, &changed);
        self.forced.extend_from_slice(suspects);
        let count = |wanted: Code| self.classes.iter().filter(|&&class| class == wanted as u8).count() as u64;
        let [minus, uncertain] = [MINUS, UNCERTAIN].map(count);
        let plus = self.classes.len() as u64 - minus - uncertain;
        Stats { plus, minus, uncertain, suspects: suspects.len() as u64, ..Stats::default() }
    }

    /// Starts with all triangles facing away.
    fn begin(&mut self, mesh: &Mesh, tree: &ClusterTree) {
        let hierarchy = &tree.hierarchy;
        self.codes.extend(tree.of_triangle.iter().map(|cluster| cluster << 2));
        self.around.begin(mesh, &self.codes, &tree.is_border);
        self.wake.resize(hierarchy.n_nodes(), 0);
        let filled = |node: u32, lane: usize| hierarchy.child(node, lane) != Child::None;
        let of_node =
            |node: u32| (0..WIDTH).fold(0, |set, lane| set | Lanes::from(filled(node, lane)) << lane);
        self.lanes.extend((0..hierarchy.n_nodes() as u32).map(of_node));
    }

    /// Sets the lanes of the nodes above a triangle.
    fn lift(&mut self, tree: &ClusterTree, triangle: u32) {
        let mut slot = tree.slot_of[triangle as usize];
        let mut set = match self.codes[triangle as usize] & (MINUS | UNCERTAIN) {
            PLUS => 1,
            MINUS => 1 << WIDTH,
            _ => 1 << (2 * WIDTH),
        };
        loop {
            let (node, lane) = (slot as usize / WIDTH, slot as usize % WIDTH);
            let lanes = &mut self.lanes[node];
            let now = *lanes & !(0x111 << lane) | set << lane;
            if now == *lanes || node == 0 {
                *lanes = now;
                return;
            }
            *lanes = now;
            (set, slot) = (any_lane(now), tree.above[node]);
        }
    }

    /// Chooses observers for clusters with a free one if many triangles do not face away.
    fn choose(&mut self, mesh: &Mesh, tree: &ClusterTree, lines: &[Line]) {
        self.patience.resize(tree.clusters.len(), Patience::default());
        let n_others = |classes: &[u8]| classes.iter().filter(|&&class| class != PLUS as u8).count();
        for (i, (cluster, patience)) in tree.clusters.iter().zip(&mut self.patience).enumerate() {
            let now = &mut self.classes[cluster.range.clone()];
            let n_now = n_others(now);
            if !cluster.is_free() || !patience.asks(now.len(), n_now) {
                continue;
            }
            let mut chosen = vec![UNCERTAIN as u8; now.len()];
            if let Some(eye) = choose(mesh, &tree.hierarchy.triangles()[cluster.range.clone()], lines) {
                classify_cluster(tree, i, eye, lines, &mut chosen);
            }
            let n_chosen = n_others(&chosen);
            patience.learn(4 * n_chosen <= 3 * n_now);
            if n_chosen < n_now {
                now.copy_from_slice(&chosen);
            }
        }
    }

    /// Makes triangles uncertain, and restricts the mask to the pairs that this adds. Returns
    /// whether any were not uncertain before.
    pub(crate) fn widen(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        triangles: impl Iterator<Item = u32>,
    ) -> bool {
        self.before.clone_from(&self.codes);
        for node in self.woken.drain(..) {
            self.wake[node as usize] = 0;
        }
        let n_forced = self.forced.len();
        for t in triangles {
            let code = &mut self.codes[t as usize];
            if *code & UNCERTAIN == 0 {
                *code = uncertain(*code);
                self.forced.push(t);
            }
        }
        let fresh = &self.forced[n_forced..];
        self.around.widen(mesh, &self.codes, fresh);
        for &t in fresh {
            let mut slot = tree.slot_of[t as usize];
            loop {
                let (node, lane) = (slot as usize / WIDTH, slot as usize % WIDTH);
                let lanes = &mut self.wake[node];
                let was = *lanes;
                *lanes |= 1 << (2 * WIDTH + lane);
                if was == 0 {
                    self.woken.push(node as u32);
                }
                if was != 0 || node == 0 {
                    break;
                }
                slot = tree.above[node];
            }
        }
        !fresh.is_empty()
    }

    /// The mask of pairs that need a test.
    pub(crate) fn sight<'a>(
        &'a self,
        mesh: &'a Mesh,
        representatives: &'a Representatives,
        tree: &'a ClusterTree,
    ) -> Sight<'a> {
        let before = (!self.before.is_empty()).then_some(self.before.as_slice());
        let live = Live {
            mesh,
            representatives,
            codes: &self.codes,
            before,
            around: &self.around,
            is_inner: &tree.is_inner,
            has_border: &tree.has_border,
        };
        let lanes = if before.is_some() { &self.wake } else { &self.lanes };
        Sight { live, of_node: &tree.of_node, lanes }
    }
}

/// The code of a triangle that counts as uncertain.
fn uncertain(code: Code) -> Code {
    code & !MINUS | UNCERTAIN
}

/// For each class, bit 0 of its lanes if any of them is set.
fn any_lane(lanes: Lanes) -> Lanes {
    let lanes = lanes | lanes >> 1;
    (lanes | lanes >> 2) & 0x111
}

/// The mask: which triangle pairs of a body need a test.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) live: Live<'a>,
    of_node: &'a [u32],
    lanes: &'a [Lanes],
}

impl Sight<'_> {
    /// Whether it covers all pairs, not only those in the wake of a contact.
    pub(crate) fn is_first(&self) -> bool {
        self.live.before.is_none()
    }

    /// Whether two nodes are of one cluster.
    #[inline(always)]
    fn is_inside(&self, a: u32, b: u32) -> bool {
        let of_a = self.of_node[a as usize];
        of_a != SEVERAL && of_a == self.of_node[b as usize]
    }

    /// The slots of a node with triangles that face away, that face the observer, and that are
    /// uncertain.
    #[inline(always)]
    fn classes(&self, node: u32) -> [u32; 3] {
        let lanes = u32::from(self.lanes[node as usize]);
        [lanes & ALL, lanes >> WIDTH & ALL, lanes >> (2 * WIDTH)]
    }
}

impl Mask for Sight<'_> {
    /// Tests of bounds within one cluster.
    type Counts = u64;

    #[inline(always)]
    fn within(&self, node: u32) -> bool {
        let [plus, minus, uncertain] = self.classes(node);
        let is_several = self.of_node[node as usize] == SEVERAL && self.is_first();
        is_several || uncertain != 0 || (plus != 0 && minus != 0)
    }

    #[inline(always)]
    fn slots(&self, a: u32, b: u32) -> u32 {
        if !self.is_inside(a, b) {
            return if self.is_first() { u32::MAX } else { 0 };
        }
        let ([plus, minus, uncertain], [plus_b, minus_b, uncertain_b]) = (self.classes(a), self.classes(b));
        let pairs = |first: u32, second: u32| SPREAD[first as usize] * second;
        pairs(uncertain, ALL) | pairs(ALL, uncertain_b) | pairs(plus, minus_b) | pairs(minus, plus_b)
    }

    #[inline(always)]
    fn slots_of_second(&self, triangle: u32, b: u32) -> u32 {
        self.slots_of_first(b, triangle)
    }

    #[inline(always)]
    fn slots_of_first(&self, node: u32, triangle: u32) -> u32 {
        let code = self.live.codes[triangle as usize];
        if self.of_node[node as usize] != cluster(code) {
            return if self.is_first() { ALL } else { 0 };
        }
        let [plus, minus, uncertain] = self.classes(node);
        match code & (MINUS | UNCERTAIN) {
            0 => uncertain | minus,
            MINUS => uncertain | plus,
            // A triangle that was uncertain before meets only those that have become so.
            _ if self.live.before.is_some_and(|before| before[triangle as usize] == code) => uncertain,
            _ => ALL,
        }
    }

    #[inline(always)]
    fn keeps(&self, a: u32, b: u32) -> bool {
        self.live.keeps(a, b)
    }

    #[inline(always)]
    fn count(&self, a: u32, b: u32, n_tests: usize, counts: &mut u64) {
        *counts += if self.is_inside(a, b) { n_tests as u64 } else { 0 };
    }
}

/// For a set of slots, bit `WIDTH i` for each slot i in it: multiplied with another set, it gives
/// the pairs of both.
const SPREAD: [u32; 1 << WIDTH] = {
    let mut table = [0; 1 << WIDTH];
    let mut set = 0;
    while set < table.len() {
        let mut i = 0;
        while i < WIDTH {
            table[set] |= ((set >> i & 1) as u32) << (WIDTH * i);
            i += 1;
        }
        set += 1;
    }
    table
};
