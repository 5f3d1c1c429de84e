//! The state that a body keeps from step to step for radial view culling: its classes and its
//! suspects.

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

/// The positions of the joints of a body's clusters at both ends of the next steps, if given.
pub(crate) type Joints = Option<[Vec<[f64; 3]>; 2]>;

/// The tree of clusters of a body, the classes of the current step, and the suspects at its start.
pub(crate) struct RadialState {
    pub(crate) bounded: BoundedTree,
    /// Whether the current pass traverses the clusters.
    pub(crate) is_walked: bool,
    view: View,
    seeds: Seeds,
    /// Whether the step starts where the last one ended. If so, another one is likely to follow,
    /// and it takes less time to find all contacts than to search for what crosses at the end.
    is_followed: bool,
    /// Triangles that may touch a cap in the current step.
    near_caps: Vec<u32>,
}

impl RadialState {
    pub(crate) fn new(tree: &ClusterTree) -> RadialState {
        RadialState {
            bounded: BoundedTree::new(tree.hierarchy.clone(), f64::NAN),
            is_walked: false,
            view: View::default(),
            seeds: Seeds::default(),
            is_followed: false,
            near_caps: Vec::new(),
        }
    }

    /// Heap memory held for the body alone in bytes.
    pub(crate) fn memory_bytes(&self, tree: &ClusterTree) -> usize {
        self.bounded.memory_bytes(Some(&tree.hierarchy))
            + self.view.memory_bytes()
            + self.seeds.memory_bytes()
            + size_of_val(self.near_caps.as_slice())
    }

    /// Whether the suspects at the start of the step are known.
    pub(crate) fn knows(&self, lines: &[Line]) -> bool {
        self.seeds.knows(lines)
    }

    /// Refits the bounds, and finds the triangles that may touch caps.
    pub(crate) fn refit(&mut self, tree: &ClusterTree, volume: Volume, lines: &[Line], reach: Reach) {
        struct NearCaps<'a>(&'a RadialState, &'a ClusterTree, &'a [Line], Reach);
        impl WithBounds for NearCaps<'_> {
            type Output = Vec<u32>;
            fn with<const N: usize>(self, pick: Pick<N>) -> Vec<u32> {
                near_caps(self.1, (pick.of)(&self.0.bounded.volumes), self.2, self.3)
            }
        }
        self.bounded.refit(volume, lines, reach, None);
        self.near_caps =
            if tree.rims.is_empty() { Vec::new() } else { volume.pick(NearCaps(self, tree, lines, reach)) };
    }

    /// Forgets the suspects.
    pub(crate) fn forget(&mut self) {
        self.seeds.forget();
    }

    /// Whether all contacts should be found, even if only the earliest are needed.
    pub(crate) fn is_followed(&self) -> bool {
        self.is_followed
    }

    /// Classifies the triangles for the step. The joints are as given, or follow the vertices. If
    /// the suspects at its start are not known, they are computed from the triangle pairs that
    /// cross there.
    pub(crate) fn look(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        joints: &Joints,
        lines: &[Line],
        crossings: impl Iterator<Item = [u32; 2]>,
    ) -> Stats {
        self.is_followed = self.seeds.are_at(lines);
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

    /// The mask of pairs that need a test.
    pub(crate) fn sight<'a>(
        &'a self,
        mesh: &'a Mesh,
        representatives: &'a Representatives,
        tree: &'a ClusterTree,
    ) -> Sight<'a> {
        self.view.sight(mesh, representatives, tree)
    }

    /// Makes the triangles around contacts uncertain; returns whether this adds pairs.
    pub(crate) fn widen(&mut self, mesh: &Mesh, tree: &ClusterTree, contacts: &[Touch]) -> bool {
        let around = contacts.iter().flat_map(|&touch| hosts(mesh, touch)).flatten().copied();
        self.view.widen(mesh, tree, around)
    }

    /// Takes the contacts of the step and updates the suspects; forgets them if these may not be
    /// all contacts.
    pub(crate) fn advance(
        &mut self,
        mesh: &Mesh,
        tree: &ClusterTree,
        lines: &[Line],
        contacts: &[Touch],
        are_all: bool,
    ) {
        if are_all && self.seeds.knows(lines) {
            self.seeds.advance(mesh, tree, lines, contacts, &self.near_caps);
        } else {
            self.seeds.leave(lines);
        }
    }
}
