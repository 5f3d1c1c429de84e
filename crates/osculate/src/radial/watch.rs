//! What a body keeps from step to step for radial view culling: what its observers see, and which
//! triangles are suspect.

use super::caps::near_caps;
use super::clusters::Observer;
use super::follow::Eye;
use super::seeds::{Seeds, Touch, hosts};
use super::stats::Stats;
use super::tree::ClusterTree;
use super::view::{Sight, View};
use crate::Mesh;
use crate::bounds::{BoundedTree, Pick, Reach, Volume, WithBounds};
use crate::feature::Representatives;
use crate::motion::Line;

/// Where the joints of the clusters of a body are at both ends of the steps to come, if that was
/// said.
pub(crate) type Joints = Option<[Vec<[f64; 3]>; 2]>;

/// The tree of clusters of a body, what is seen in the present step, and what is known of its
/// start.
pub(crate) struct Watch {
    pub(crate) bounded: BoundedTree,
    /// Whether the present pass walks the clusters.
    pub(crate) is_walked: bool,
    view: View,
    seeds: Seeds,
    /// Triangles that may touch a cap in the present step.
    near_caps: Vec<u32>,
}

impl Watch {
    pub(crate) fn new(tree: &ClusterTree) -> Watch {
        Watch {
            bounded: BoundedTree::new(tree.hierarchy.clone(), f64::NAN),
            is_walked: false,
            view: View::default(),
            seeds: Seeds::default(),
            near_caps: Vec::new(),
        }
    }

    /// Bytes of memory that are held for the body alone.
    pub(crate) fn memory_bytes(&self, tree: &ClusterTree) -> usize {
        self.bounded.memory_bytes(&tree.hierarchy)
            + self.view.memory_bytes()
            + self.seeds.memory_bytes()
            + size_of_val(self.near_caps.as_slice())
    }

    /// Whether it is known which triangles are suspect at the start of the step.
    pub(crate) fn knows(&self, lines: &[Line]) -> bool {
        self.seeds.knows(lines)
    }

    /// Refits the bounds, and finds out what may touch caps.
    pub(crate) fn refit(&mut self, tree: &ClusterTree, volume: Volume, lines: &[Line], reach: Reach) {
        struct NearCaps<'a>(&'a Watch, &'a ClusterTree, &'a [Line], Reach);
        impl WithBounds for NearCaps<'_> {
            type Output = Vec<u32>;
            fn with<const N: usize>(self, pick: Pick<N>) -> Vec<u32> {
                near_caps(self.1, (pick.of)(&self.0.bounded.volumes), self.2, self.3)
            }
        }
        self.bounded.refit(volume, lines, reach);
        self.near_caps =
            if tree.rims.is_empty() { Vec::new() } else { volume.pick(NearCaps(self, tree, lines, reach)) };
    }

    /// Nothing is known any more of which triangles are suspect.
    pub(crate) fn forget(&mut self) {
        self.seeds.forget();
    }

    /// Finds out what the observers see in the step. Their joints are as given, or follow the
    /// vertices. If it is not known which triangles are suspect at its start, that follows from the
    /// pairs of triangles that cross there.
    pub(crate) fn look(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        joints: &Joints,
        lines: &[Line],
        crossings: impl Iterator<Item = [u32; 2]>,
    ) -> Stats {
        if !self.seeds.knows(lines) {
            self.seeds.begin(mesh, tree, lines, crossings, &self.near_caps);
        }
        let eyes: Vec<Eye> = tree
            .clusters
            .iter()
            .map(|cluster| {
                let joint =
                    |joints: &[Vec<[f64; 3]>; 2], j: u32| [joints[0][j as usize], joints[1][j as usize]];
                let given = joints.as_ref().and_then(|joints| match cluster.observer {
                    Observer::Joint(j) => Some([joint(joints, j); 2]),
                    Observer::Bone([j, k]) => Some([joint(joints, j), joint(joints, k)]),
                    Observer::Free => None,
                });
                let ends = given.unwrap_or_else(|| cluster.follower.ends(lines));
                match cluster.observer {
                    Observer::Bone(_) => Eye::Segment(ends),
                    Observer::Joint(_) | Observer::Free => Eye::Point(ends[0]),
                }
            })
            .collect();
        let mut suspects = self.near_caps.clone();
        suspects.extend_from_slice(self.seeds.suspects());
        suspects.sort_unstable();
        suspects.dedup();
        let stats = self.view.look(mesh, tree, &eyes, lines, &suspects);
        Stats { clusters: eyes.len() as u64, ..stats }
    }

    /// Which pairs are worth a look.
    pub(crate) fn sight<'a>(
        &'a self,
        mesh: &'a Mesh,
        representatives: &'a Representatives,
        tree: &'a ClusterTree,
    ) -> Sight<'a> {
        self.view.sight(mesh, representatives, tree)
    }

    /// Makes the triangles around contacts uncertain; returns whether this adds pairs to look at.
    pub(crate) fn widen(&mut self, mesh: &Mesh, tree: &ClusterTree, contacts: &[Touch]) -> bool {
        let around = contacts.iter().flat_map(|&touch| hosts(mesh, touch)).flatten().copied();
        self.view.widen(mesh, tree, around)
    }

    /// Takes all contacts of the step, from the start of which the suspects are known; or forgets
    /// what it knew, if there may be others.
    pub(crate) fn advance(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        lines: &[Line],
        contacts: Option<&[Touch]>,
    ) {
        match contacts {
            Some(contacts) if self.seeds.knows(lines) => {
                self.seeds.advance(mesh, tree, lines, contacts, &self.near_caps);
            }
            _ => self.seeds.forget(),
        }
    }
}
