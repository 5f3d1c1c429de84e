//! Merges neighboring clusters while nearly all of their triangles are well seen from one of their
//! observers.
//!
//! A count for an observer is a sum over the pieces of a cluster, and each piece is counted once
//! for an observer. So the work is proportional to the number of triangles times the number of
//! nearby observers; and after a merge only pairs with the new cluster are reconsidered.

use crate::surface::{Eye, Surface};
use crate::{Settings, Skeleton};
use osculate::method::Observer;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// Merges clusters, given as the piece of each triangle, and the bone and the observer of each
/// piece. Returns the cluster of each triangle and the observers of the remaining clusters,
/// numbered in the order of their first pieces.
///
/// Two clusters that share an edge are merged if they have the same observer; or if a share beta of
/// their triangles is admissible for one of their observers: these face away from it, and are seen
/// at an angle of less than epsilon. If both observers qualify, the one at which more bones meet is
/// taken, then the one with more admissible triangles, then that of the first cluster. Clusters
/// with too many bones together are not merged. The pair with the greatest share goes first, then
/// the first pair.
pub(crate) fn reduce(
    surface: Surface,
    pieces: &[u32],
    bones: &[u32],
    observers: &[Observer],
    skeleton: &Skeleton,
    settings: &Settings,
) -> (Vec<u32>, Vec<Observer>) {
    let mut reduction = Reduction::new(surface, pieces, bones, observers, skeleton, settings);
    for cluster in 0..observers.len() as u32 {
        reduction.propose_all(cluster, |other| cluster < other);
    }
    while let Some(proposal) = reduction.heap.pop() {
        reduction.accept(&proposal);
    }
    let mut numbers = vec![0; observers.len()];
    let mut left = Vec::new();
    for cluster in reduction.clusters.iter().filter(|cluster| !cluster.pieces.is_empty()) {
        for &piece in &cluster.pieces {
            numbers[piece as usize] = left.len() as u32;
        }
        left.push(cluster.observer);
    }
    (pieces.iter().map(|&piece| numbers[piece as usize]).collect(), left)
}

struct Cluster {
    observer: Observer,
    /// Its pieces; empty if it was merged into another one.
    pieces: Vec<u32>,
    n_triangles: usize,
    bones: BTreeSet<u32>,
    neighbors: BTreeSet<u32>,
    /// Number of changes.
    version: u32,
}

/// Two clusters that could be merged, with their state at the time.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Proposal {
    /// The share of admissible triangles in billionths; above all shares if the observers are the
    /// same.
    share: u64,
    pair: Reverse<[u32; 2]>,
    versions: [u32; 2],
    /// Whether the observer is that of the second cluster.
    is_second: bool,
}

struct Reduction<'a> {
    surface: Surface<'a>,
    joints: &'a [[f64; 3]],
    branches: Vec<u32>,
    least_cosine: f64,
    least_share: f64,
    most_bones: usize,
    triangles: Vec<Vec<u32>>,
    clusters: Vec<Cluster>,
    counts: HashMap<(u32, Observer), usize>,
    heap: BinaryHeap<Proposal>,
}

impl<'a> Reduction<'a> {
    fn new(
        surface: Surface<'a>,
        pieces: &[u32],
        bones: &[u32],
        observers: &[Observer],
        skeleton: &'a Skeleton,
        settings: &Settings,
    ) -> Reduction<'a> {
        let mut triangles = vec![Vec::new(); observers.len()];
        let mut neighbors = vec![BTreeSet::new(); observers.len()];
        for (triangle, &piece) in (0..).zip(pieces) {
            triangles[piece as usize].push(triangle);
            let others = surface.neighbors(triangle).map(|other| pieces[other as usize]);
            neighbors[piece as usize].extend(others.filter(|&other| other != piece));
        }
        let cluster = |(piece, neighbors)| Cluster {
            observer: observers[piece as usize],
            pieces: vec![piece],
            n_triangles: triangles[piece as usize].len(),
            bones: BTreeSet::from([bones[piece as usize]]),
            neighbors,
            version: 0,
        };
        let clusters = (0..).zip(neighbors).map(cluster).collect();
        Reduction {
            surface,
            joints: skeleton.joints(),
            branches: skeleton.branches(),
            least_cosine: settings.incidence_degrees.to_radians().cos(),
            least_share: settings.admissible_share,
            most_bones: settings.most_bones,
            triangles,
            clusters,
            counts: HashMap::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Proposes to merge a cluster with those of its neighbors for which `which` holds.
    fn propose_all(&mut self, cluster: u32, which: impl Fn(u32) -> bool) {
        let neighbors: Vec<u32> = self.clusters[cluster as usize].neighbors.iter().copied().collect();
        for other in neighbors.into_iter().filter(|&other| which(other)) {
            self.propose([cluster.min(other), cluster.max(other)]);
        }
    }

    fn propose(&mut self, pair: [u32; 2]) {
        let [first, second] = pair.map(|cluster| self.clusters[cluster as usize].observer);
        let versions = pair.map(|cluster| self.clusters[cluster as usize].version);
        let bones = pair.map(|cluster| &self.clusters[cluster as usize].bones);
        if self.most_bones < bones[0].union(bones[1]).count() {
            return;
        }
        let proposal = |share, is_second| Proposal { share, pair: Reverse(pair), versions, is_second };
        if first == second {
            self.heap.push(proposal(u64::MAX, false));
            return;
        }
        let n_triangles =
            pair.map(|cluster| self.clusters[cluster as usize].n_triangles).iter().sum::<usize>();
        let counts = [first, second]
            .map(|observer| pair.map(|cluster| self.n_admissible(cluster, observer)).iter().sum::<usize>());
        let [of_first, of_second] = counts.map(|n| self.least_share * n_triangles as f64 <= n as f64);
        let rank = |observer, n| (self.branches_at(observer), n);
        let is_second = of_second && (!of_first || rank(first, counts[0]) < rank(second, counts[1]));
        if of_first || of_second {
            let share = counts[usize::from(is_second)] as u64 * 1_000_000_000 / n_triangles as u64;
            self.heap.push(proposal(share, is_second));
        }
    }

    /// Number of bones that meet at an observer: zero for a segment.
    fn branches_at(&self, observer: Observer) -> u32 {
        match observer {
            Observer::Joint(joint) => self.branches[joint as usize],
            _ => 0,
        }
    }

    /// Number of triangles of a cluster that are admissible for an observer.
    fn n_admissible(&mut self, cluster: u32, observer: Observer) -> usize {
        let Some(eye) = Eye::of(observer, self.joints) else { return 0 };
        let (surface, least_cosine) = (self.surface, self.least_cosine);
        let pieces = self.clusters[cluster as usize].pieces.iter();
        pieces
            .map(|&piece| {
                *self.counts.entry((piece, observer)).or_insert_with(|| {
                    let is_admissible = |&&t: &&u32| surface.facet(t).is_admissible(&eye, least_cosine);
                    self.triangles[piece as usize].iter().filter(is_admissible).count()
                })
            })
            .sum()
    }

    /// Merges the second cluster into the first, unless one of them has changed since.
    fn accept(&mut self, proposal: &Proposal) {
        let Reverse([first, second]) = proposal.pair;
        if [first, second].map(|cluster| self.clusters[cluster as usize].version) != proposal.versions {
            return;
        }
        let gone = &mut self.clusters[second as usize];
        gone.version += 1;
        let (observer, n_triangles) = (gone.observer, gone.n_triangles);
        let (pieces, neighbors) = (std::mem::take(&mut gone.pieces), std::mem::take(&mut gone.neighbors));
        let bones = std::mem::take(&mut gone.bones);
        for &neighbor in &neighbors {
            let of_neighbor = &mut self.clusters[neighbor as usize].neighbors;
            of_neighbor.remove(&second);
            of_neighbor.insert(first);
        }
        let merged = &mut self.clusters[first as usize];
        merged.version += 1;
        merged.pieces.extend(pieces);
        merged.n_triangles += n_triangles;
        merged.bones.extend(bones);
        merged.neighbors.extend(neighbors);
        merged.neighbors.remove(&first);
        merged.observer = if proposal.is_second { observer } else { merged.observer };
        self.propose_all(first, |_| true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::pieces;
    use crate::shapes::{Shape, tube};

    /// A tube of length 16 in four clusters, each with a joint in its middle.
    fn reduced(settings: &Settings, observers: Option<[Observer; 4]>) -> (Vec<u32>, Vec<Observer>) {
        let shape: Shape = tube(32, 10, 1.0, 16.0);
        let model = shape.model();
        let surface = Surface { mesh: model.mesh(), rest: &shape.points };
        let quarter = |face: &[u32; 3]| {
            let x = face.iter().map(|&v| shape.points[v as usize][0]).sum::<f64>() / 3.0;
            (x / 4.0).clamp(0.0, 3.0) as u32
        };
        let labels: Vec<u32> = shape.faces.iter().map(quarter).collect();
        let (pieces, n_pieces) = pieces(surface, &labels);
        assert_eq!(n_pieces, 4);
        let joints = (0..4).map(|k| [2.0 + 4.0 * f64::from(k), 0.0, 0.0]).collect();
        let skeleton = Skeleton::new(joints, vec![[0, 1], [1, 2], [2, 3]]).unwrap();
        let observers = observers.unwrap_or([0, 1, 2, 3].map(Observer::Joint));
        reduce(surface, &pieces, &[0, 1, 2, 3], &observers, &skeleton, settings)
    }

    #[test]
    fn clusters_are_merged_as_far_as_the_angle_allows() {
        let counts = [80.0, 70.0, 50.0].map(|incidence_degrees| {
            reduced(&Settings { incidence_degrees, ..Settings::default() }, None).1.len()
        });
        // A triangle 5.7 times as far along the tube as beside it is seen at 80 degrees.
        assert_eq!(counts, [2, 4, 4]);
        let (clusters, left) = reduced(&Settings::default(), None);
        assert_ne!(left[0], left[1]);
        assert!(clusters.iter().all(|&cluster| cluster < 2));
        let any = Settings { admissible_share: 0.0, most_bones: 9, ..Settings::default() };
        assert_eq!(reduced(&any, None).1.len(), 1);
        let n_left = [1, 2, 3].map(|most_bones| reduced(&Settings { most_bones, ..any }, None).1.len());
        assert_eq!(n_left, [4, 2, 2]);
    }

    #[test]
    fn neighbors_with_the_same_observer_are_one_cluster() {
        let strict = Settings { incidence_degrees: 1.0, ..Settings::default() };
        let shared = [0, 2, 2, 0].map(Observer::Joint);
        let (clusters, left) = reduced(&strict, Some(shared));
        assert_eq!(left, [0, 2, 0].map(Observer::Joint), "the outer two are not neighbors");
        assert_eq!(clusters.iter().filter(|&&cluster| cluster == 1).count(), 320);
    }
}
