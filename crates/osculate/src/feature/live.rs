//! Which pair of triangles tests a feature pair, when triangle pairs are culled by an argument
//! about whole vertex stars (see docs/methods/radial-view.md).
//!
//! A pair of triangles of one cluster is live unless both are of the same certain class. A pair of
//! two clusters is live unless the triangles are adjacent. A pair that is not live is not proven to
//! be apart: the argument is about all triangles around both features. So the representatives of
//! two features may not be live while other triangles around them are, and the feature pair must be
//! tested there: its owner is the first live pair among all pairs of triangles around the features.
//! If there are several clusters around the features, pairs are ordered by triangle numbers; within
//! one cluster, by codes and then by numbers. If all these pairs have the same classes, the owner
//! is the pair of representatives.
//!
//! Feature pairs hosted only by adjacent triangles of two clusters are [orphans](super::Orphans),
//! and have no owner.

use super::around::{Around, BORDER, Classes, firsts, is_mixed};
use super::ownership::{Owner, Pairs, Representatives, TriangleFeatures, represented};
use crate::Mesh;

/// The cluster and the class of a triangle: the cluster number from bit 2 on, and one of the
/// following.
pub(crate) type Code = u32;

/// Faces away from the observer throughout the step.
pub(crate) const PLUS: Code = 0;
/// Faces the observer throughout the step.
pub(crate) const MINUS: Code = 1;
/// Set for all other triangles.
pub(crate) const UNCERTAIN: Code = 2;

/// The bits of the class.
const CLASS: Code = 3;

/// The cluster of a triangle.
#[inline(always)]
pub(crate) fn cluster(code: Code) -> u32 {
    code >> 2
}

/// The class of a triangle: 0, 1 or 2.
#[inline(always)]
pub(super) fn class(code: Code) -> u32 {
    code & CLASS
}

/// Whether two triangles of the same cluster are a live pair.
#[inline(always)]
fn differ(a: Code, b: Code) -> bool {
    (a ^ b) & CLASS != 0 || a & UNCERTAIN != 0
}

/// The classes of the triangles of a body relative to the observers of their clusters.
#[derive(Clone, Copy)]
pub(crate) struct Live<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) representatives: &'a Representatives,
    /// For each triangle.
    pub(crate) codes: &'a [Code],
    /// The codes before some triangles became uncertain, to find only pairs that have become live.
    pub(crate) before: Option<&'a [Code]>,
    pub(crate) around: &'a Around,
    /// For each triangle, whether no triangle adjacent to it is adjacent to one of another cluster.
    pub(crate) is_inner: &'a [bool],
    /// For each triangle, whether it has a vertex on several clusters.
    pub(crate) has_border: &'a [bool],
}

impl Owner for Live<'_> {
    fn owned(&self, triangles: &[[u32; 2]], owned: &mut Vec<Pairs>) {
        let apart = |&[a, b]: &[u32; 2]| self.representatives.of(a).apart_from(self.representatives.of(b));
        owned.extend(triangles.iter().map(apart));
    }

    fn decides_late(&self) -> bool {
        true
    }

    fn disown(&self, triangles: &[[u32; 2]], pairs: &mut [Pairs]) {
        for (&[a, b], near) in triangles.iter().zip(pairs) {
            if *near != 0 {
                *near = self.owned_by(a, b, *near);
            }
        }
    }
}

impl Live<'_> {
    /// Whether a pair of triangles is live, and was not before.
    #[inline(always)]
    pub(crate) fn keeps(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.codes[a as usize], self.codes[b as usize]);
        let is_across = cluster(x) != cluster(y);
        match self.before {
            None if is_across => self.is_apart(a, b),
            None => differ(x, y),
            Some(before) => !is_across && differ(x, y) && !differ(before[a as usize], before[b as usize]),
        }
    }

    /// Whether two triangles of different clusters are not adjacent.
    #[inline(always)]
    fn is_apart(&self, a: u32, b: u32) -> bool {
        !self.has_border[a as usize] || !self.has_border[b as usize] || !self.mesh.are_adjacent(a, b)
    }

    /// Those of the feature pairs `near` that a live pair of triangles owns.
    #[inline(always)]
    fn owned_by(&self, a: u32, b: u32, near: Pairs) -> Pairs {
        let (first, second) = (self.representatives.of(a), self.representatives.of(b));
        let corners = || first.corners.iter().chain(&second.corners);
        let is_across = cluster(self.codes[a as usize]) != cluster(self.codes[b as usize]);
        // If so, all pairs of triangles around the features have the same clusters and classes, and
        // none of two clusters are adjacent.
        let is_mixed_now = corners().any(|&v| is_mixed(self.around.classes[v as usize]));
        let was_mixed =
            || self.before.is_some() && corners().any(|&v| is_mixed(self.around.before[v as usize]));
        let is_far = !is_across || self.is_inner[a as usize] || self.is_inner[b as usize];
        let is_plain = is_far && !is_mixed_now && !was_mixed();
        if is_plain {
            return represented(first, second, true) & near;
        }
        let is_border = || corners().any(|&v| self.around.classes[v as usize] & BORDER != 0);
        if is_across || is_border() {
            self.owned_one_by_one(a, b, near)
        } else {
            self.owned_by_class(a, b, near)
        }
    }

    /// The same if there is only one cluster around.
    fn owned_by_class(&self, a: u32, b: u32, near: Pairs) -> Pairs {
        let (first, second) = (self.representatives.of(a), self.representatives.of(b));
        let (x, y) = (class(self.codes[a as usize]), class(self.codes[b as usize]));
        let of_a = first.representing(self.around.firsts[a as usize]);
        let of_b = second.representing(self.around.firsts[b as usize]);
        let mut owned = represented(&of_a, &of_b, true) & near;
        let mut open = owned;
        while open != 0 {
            let k = open.trailing_zeros() as usize;
            open &= open - 1;
            let is_best = match k {
                0..3 => self.is_best_of_face(first.corners[k], [x, y], b),
                3..6 => self.is_best_of_face(second.corners[k - 3], [y, x], a),
                _ => {
                    let (e, f) = (first.edges[(k - 6) / 3], second.edges[(k - 6) % 3]);
                    if e < f {
                        self.is_best_of_edges([e, f], [x, y])
                    } else {
                        self.is_best_of_edges([f, e], [y, x])
                    }
                }
            };
            if !is_best {
                owned &= !(1 << k);
            }
        }
        owned
    }

    /// Whether a pair of classes is the first live one among those around a vertex and that of a
    /// face, and none was live before.
    #[inline(always)]
    fn is_best_of_face(&self, vertex: u32, pair: [u32; 2], face: u32) -> bool {
        let was_live = self.before.is_some_and(|before| {
            best(self.around.before[vertex as usize], 1 << class(before[face as usize])) != NO_PAIR
        });
        !was_live && best(self.around.classes[vertex as usize], 1 << pair[1]) == pair
    }

    /// The same for those around two edges.
    #[inline(always)]
    fn is_best_of_edges(&self, [e, f]: [u32; 2], pair: [u32; 2]) -> bool {
        let was_live = self.before.is_some_and(|before| {
            best(self.classes_around(before, e), self.classes_around(before, f)) != NO_PAIR
        });
        !was_live && best(self.classes_around(self.codes, e), self.classes_around(self.codes, f)) == pair
    }

    /// The classes around an edge.
    #[inline(always)]
    fn classes_around(&self, codes: &[Code], edge: u32) -> Classes {
        let around = self.mesh.triangles_of_edge(edge).iter();
        around.fold(0, |all, &t| all | 1 << class(codes[t as usize]))
    }

    #[inline(never)]
    fn owned_one_by_one(&self, a: u32, b: u32, near: Pairs) -> Pairs {
        let (first, second) = (self.representatives.of(a), self.representatives.of(b));
        let is_across = cluster(self.codes[a as usize]) != cluster(self.codes[b as usize]);
        let (mut owned, mut open);
        if is_across {
            // The representatives come first, if they are live.
            owned = represented(first, second, true) & near;
            open = near & !owned;
        } else {
            // Within one cluster, an earlier triangle with the same code precedes this one in every
            // pair.
            let of_a = first.representing(firsts(self.mesh, self.codes, a));
            let of_b = second.representing(firsts(self.mesh, self.codes, b));
            owned = 0;
            open = represented(&of_a, &of_b, true) & near;
        }
        while open != 0 {
            let k = open.trailing_zeros() as usize;
            open &= open - 1;
            if is_across {
                let (x, y) = match k {
                    0..3 => (self.representative(a, first, k), b),
                    3..6 => (a, self.representative(b, second, k - 3)),
                    _ => {
                        (self.representative(a, first, k / 3 + 1), self.representative(b, second, k % 3 + 3))
                    }
                };
                if self.keeps(x, y) {
                    continue;
                }
            }
            let hosts: [&[u32]; 2] = match k {
                0..3 => [self.mesh.triangles_of_vertex(first.corners[k]), &[b]],
                3..6 => [self.mesh.triangles_of_vertex(second.corners[k - 3]), &[a]],
                _ => {
                    let [e, f] = [first.edges[(k - 6) / 3], second.edges[(k - 6) % 3]];
                    [self.mesh.triangles_of_edge(e.min(f)), self.mesh.triangles_of_edge(e.max(f))]
                }
            };
            if self.owner(hosts).is_some_and(|owner| owner == [a, b] || owner == [b, a]) {
                owned |= 1 << k;
            }
        }
        owned
    }

    /// The triangle that represents a corner (0 to 2), or the edge from a corner to the next (3 to
    /// 5), of a triangle.
    #[inline(always)]
    fn representative(&self, triangle: u32, owner: &TriangleFeatures, feature: usize) -> u32 {
        match feature {
            _ if owner.represents(feature) => triangle,
            0..3 => self.mesh.triangles_of_vertex(owner.corners[feature])[0],
            _ => self.mesh.triangles_of_edge(owner.edges[feature - 3])[0],
        }
    }

    /// The pair of triangles that tests two features, given the triangles around each; `None` if
    /// the feature pair is not tested, or is an orphan.
    fn owner(&self, [first, second]: [&[u32]; 2]) -> Option<[u32; 2]> {
        // By numbers, and by codes.
        let (mut owner, mut best): (Option<[u32; 2]>, Option<[u32; 4]>) = (None, None);
        // Whether there are triangles of different clusters, and whether any two of these are not
        // adjacent.
        let (mut is_across, mut is_apart) = (false, false);
        for &a in first {
            for &b in second {
                let (x, y) = (self.codes[a as usize], self.codes[b as usize]);
                let across = cluster(x) != cluster(y);
                if let Some(before) = self.before
                    && (across || differ(before[a as usize], before[b as usize]))
                {
                    return None;
                }
                is_across |= across;
                let is_live = if across { self.is_apart(a, b) } else { differ(x, y) };
                is_apart |= across && is_live;
                if is_live {
                    owner = owner.or(Some([a, b]));
                    best = Some(best.map_or([x, y, a, b], |best| best.min([x, y, a, b])));
                }
            }
        }
        match (is_across, is_apart) {
            (false, _) => best.map(|[_, _, a, b]| [a, b]),
            (true, true) => owner,
            (true, false) => None,
        }
    }
}

/// No pair of classes.
const NO_PAIR: [u32; 2] = [3, 3];

/// The first live pair of two classes, one of each set, or [`NO_PAIR`].
#[inline(always)]
fn best(first: Classes, second: Classes) -> [u32; 2] {
    const LIVE: [Classes; 3] = [0b110, 0b101, 0b111];
    for x in 0..3 {
        let partners = second & LIVE[x as usize];
        if first >> x & 1 != 0 && partners != 0 {
            return [x, partners.trailing_zeros()];
        }
    }
    NO_PAIR
}
