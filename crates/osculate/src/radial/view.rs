//! What the observers of a body see in a step, and the pairs of triangles that are worth a look for it.

use super::classes::{classify, classify_cluster};
use super::follow::Eye;
use super::free::{Patience, choose};
use super::stats::Stats;
use super::tree::{ClusterTree, SEVERAL};
use crate::Mesh;
use crate::feature::{Code, Live, MINUS, PLUS, Representatives, UNCERTAIN, cluster};
use crate::hierarchy::{Child, WIDTH};
use crate::motion::Line;
use crate::traverse::Mask;

/// The classes of all triangles of a body in a step; kept between steps so that nothing is allocated again.
#[derive(Default)]
pub(crate) struct View {
    /// In the order of the hierarchy.
    classes: Vec<u8>,
    /// By triangles.
    codes: Vec<Code>,
    /// The codes before some triangles became uncertain, in the wake of a contact; empty before that.
    before: Vec<Code>,
    is_mixed: Vec<bool>,
    lanes: Vec<Lanes>,
    /// For each cluster.
    patience: Vec<Patience>,
}

/// For each slot of a node, whether there are triangles of a class below it: bits 0 to 3 for those that face away, 4 to 7 for those that face the observer, 8 to
/// 11 for the uncertain ones. In the wake of a contact, only those that have become uncertain are there.
type Lanes = u16;

/// The bits of all slots.
const ALL: u32 = (1 << WIDTH) - 1;

impl View {
    /// Bytes of memory that the view holds.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.classes.as_slice())
            + size_of_val(self.codes.as_slice())
            + size_of_val(self.before.as_slice())
            + size_of_val(self.is_mixed.as_slice())
            + size_of_val(self.lanes.as_slice())
            + size_of_val(self.patience.as_slice())
    }

    /// Classifies all triangles; those in `suspects` count as uncertain.
    pub(crate) fn look(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        eyes: &[Eye],
        lines: &[Line],
        suspects: &[u32],
    ) -> Stats {
        classify(tree, eyes, lines, &mut self.classes);
        self.choose(mesh, tree, lines);
        self.before.clear();
        self.codes.resize(tree.of_triangle.len(), 0);
        let mut stats = Stats::default();
        for (&t, &class) in tree.hierarchy.triangles().iter().zip(&self.classes) {
            self.codes[t as usize] = tree.of_triangle[t as usize] << 2 | Code::from(class);
            stats.minus += u64::from(class) & 1;
            stats.uncertain += u64::from(class) >> 1 & 1;
        }
        stats.plus = self.codes.len() as u64 - stats.minus - stats.uncertain;
        stats.suspects = suspects.len() as u64;
        for &t in suspects {
            self.codes[t as usize] |= UNCERTAIN;
        }
        self.is_mixed.clear();
        self.is_mixed.extend_from_slice(&tree.is_border);
        self.mix(mesh, |code, _| code & (MINUS | UNCERTAIN) != 0);
        self.fold(tree, |code, _| match code & (MINUS | UNCERTAIN) {
            0 => 1,
            MINUS => 1 << WIDTH,
            _ => 1 << (2 * WIDTH),
        });
        stats
    }

    /// Chooses observers for clusters with a free one, of which many triangles do not face away.
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

    /// Makes triangles uncertain, and leaves nothing to look at but what that adds. Returns whether any were not so before.
    pub(crate) fn widen(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        triangles: impl Iterator<Item = u32>,
    ) -> bool {
        self.before.clone_from(&self.codes);
        let mut any = false;
        for t in triangles {
            let code = &mut self.codes[t as usize];
            any |= *code & UNCERTAIN == 0;
            *code |= UNCERTAIN;
        }
        if any {
            self.mix(mesh, |code, before| code != before);
            self.fold(tree, |code, before| if code == before { 0 } else { 1 << (2 * WIDTH) });
        }
        any
    }

    /// Marks the vertices of triangles with the given codes, now and before, that are mixed.
    fn mix(&mut self, mesh: &Mesh, is_wanted: impl Fn(Code, Code) -> bool) {
        let before = if self.before.is_empty() { &self.codes } else { &self.before };
        for (t, (&code, &before)) in self.codes.iter().zip(before).enumerate() {
            if is_wanted(code, before) {
                for v in mesh.triangles()[t] {
                    let is_other = |&t: &u32| self.codes[t as usize] != code;
                    self.is_mixed[v as usize] |= mesh.triangles_of_vertex(v).iter().any(is_other);
                }
            }
        }
    }

    /// Sets the lanes of all nodes, from what a triangle adds to lane 0 by its codes now and before.
    fn fold(&mut self, tree: &ClusterTree, of_triangle: impl Fn(Code, Code) -> Lanes) {
        let hierarchy = &tree.hierarchy;
        let before = if self.before.is_empty() { &self.codes } else { &self.before };
        self.lanes.resize(hierarchy.n_nodes(), 0);
        for node in (0..hierarchy.n_nodes()).rev() {
            let mut all = 0;
            for lane in 0..WIDTH {
                all |= match hierarchy.child(node as u32, lane) {
                    Child::None => 0,
                    Child::Triangle(t) => of_triangle(self.codes[t as usize], before[t as usize]),
                    Child::Node(child) => any_lane(self.lanes[child as usize]),
                } << lane;
            }
            self.lanes[node] = all;
        }
    }

    /// Which pairs are worth a look.
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
            is_mixed: &self.is_mixed,
            is_inner: &tree.is_inner,
        };
        Sight { live, of_node: &tree.of_node, lanes: &self.lanes }
    }
}

/// For each class, bit 0 of its lanes if any of them is set.
fn any_lane(lanes: Lanes) -> Lanes {
    let lanes = lanes | lanes >> 1;
    (lanes | lanes >> 2) & 0x111
}

/// Which pairs of triangles of a body are worth a look (methods 3.4, 3.5).
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) live: Live<'a>,
    of_node: &'a [u32],
    lanes: &'a [Lanes],
}

impl Sight<'_> {
    /// Whether it is about all pairs, not only those in the wake of a contact.
    pub(crate) fn is_first(&self) -> bool {
        self.live.before.is_none()
    }

    /// The slots of a node with triangles that face away, that face the observer, and that are uncertain.
    #[inline(always)]
    fn classes(&self, node: u32) -> [u32; 3] {
        let lanes = u32::from(self.lanes[node as usize]);
        [lanes & ALL, lanes >> WIDTH & ALL, lanes >> (2 * WIDTH)]
    }
}

impl Mask for Sight<'_> {
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
        SPREAD[uncertain as usize] * ALL
            | SPREAD[ALL as usize] * uncertain_b
            | SPREAD[plus as usize] * minus_b
            | SPREAD[minus as usize] * plus_b
    }

    #[inline(always)]
    fn slots_with(&self, node: u32, triangle: u32) -> u32 {
        let code = self.live.codes[triangle as usize];
        if self.of_node[node as usize] != cluster(code) {
            return if self.is_first() { ALL } else { 0 };
        }
        let [plus, minus, uncertain] = self.classes(node);
        match code & (MINUS | UNCERTAIN) {
            0 => uncertain | minus,
            MINUS => uncertain | plus,
            // What was uncertain before meets only what has become so.
            _ if self.live.before.is_some_and(|before| before[triangle as usize] == code) => uncertain,
            _ => ALL,
        }
    }

    #[inline(always)]
    fn keeps(&self, a: u32, b: u32) -> bool {
        self.live.keeps(a, b)
    }

    #[inline(always)]
    fn is_inside(&self, a: u32, b: u32) -> bool {
        let of_a = self.of_node[a as usize];
        of_a != SEVERAL && of_a == self.of_node[b as usize]
    }
}

/// For a set of slots, bit `WIDTH i` for each slot i in it: times another set, it is the pairs of both.
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
