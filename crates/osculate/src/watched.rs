//! What a body keeps from step to step for radial view culling.

use crate::bounds::Reach;
use crate::feature::{Hazard, is_left_out};
use crate::model::Model;
use crate::motion::Line;
use crate::query::Volume;
use crate::radial::{self, ClusterTree, Eye, Observer, Seeds, Sight, Touch, View, hosts, near_caps};
use crate::temporal::Temporal;

/// The tree of clusters, what is seen in the present step, and what is known of its start.
pub(crate) struct Watched {
    pub(crate) temporal: Temporal,
    view: View,
    seeds: Seeds,
    /// Triangles that may touch a cap in the present step.
    near_caps: Vec<u32>,
}

impl Watched {
    pub(crate) fn new(tree: &ClusterTree) -> Watched {
        Watched {
            temporal: Temporal::new(tree.hierarchy.clone(), f64::NAN),
            view: View::default(),
            seeds: Seeds::default(),
            near_caps: Vec::new(),
        }
    }

    /// Bytes of memory that are held for the body alone.
    pub(crate) fn memory_bytes(&self, shared: &std::sync::Arc<crate::hierarchy::Hierarchy>) -> usize {
        self.temporal.memory_bytes(shared)
            + self.view.memory_bytes()
            + self.seeds.memory_bytes()
            + size_of_val(self.near_caps.as_slice())
    }

    /// Whether it is known which triangles are suspect at the start of the step.
    pub(crate) fn knows(&self, lines: &[Line]) -> bool {
        self.seeds.knows(lines)
    }

    /// Takes the pairs of triangles that cross at the start of the step.
    pub(crate) fn begin(&mut self, model: &Model, lines: &[Line], crossings: impl Iterator<Item = [u32; 2]>) {
        self.seeds.begin(model.mesh(), model.cluster_tree(), lines, crossings, &self.near_caps);
    }

    /// Refits the bounds, and finds out what may touch caps.
    pub(crate) fn refit(&mut self, model: &Model, volume: Volume, lines: &[Line], reach: Reach) {
        self.temporal.refit(volume, lines, reach);
        let (tree, volumes) = (model.cluster_tree(), &self.temporal.volumes);
        self.near_caps = match volume {
            _ if tree.rims.is_empty() || is_left_out(Hazard::Caps) => Vec::new(),
            Volume::MovingAabb => near_caps(tree, &volumes.moving, lines, reach),
            Volume::Aabb => near_caps(tree, &volumes.aabb, lines, reach),
            Volume::Dop16 => near_caps(tree, &volumes.dop16, lines, reach),
            Volume::Dop18 => near_caps(tree, &volumes.dop18, lines, reach),
            Volume::Dop24 => near_caps(tree, &volumes.dop24, lines, reach),
        };
    }

    /// Nothing is known any more of which triangles are suspect.
    pub(crate) fn forget(&mut self) {
        self.seeds.forget();
    }

    /// Finds out what the observers see in the step. Their joints are as given, or follow the vertices. Nothing is taken to be suspect at the start but what is known to
    /// be.
    pub(crate) fn look(
        &mut self,
        model: &Model,
        joints: Option<&[Vec<[f64; 3]>; 2]>,
        lines: &[Line],
    ) -> radial::Stats {
        let tree = model.cluster_tree();
        let eyes: Vec<Eye> = tree
            .clusters
            .iter()
            .map(|cluster| {
                let joint =
                    |joints: &[Vec<[f64; 3]>; 2], j: u32| [joints[0][j as usize], joints[1][j as usize]];
                let given = joints.and_then(|joints| match cluster.observer {
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
        if self.seeds.knows(lines) && !is_left_out(Hazard::Seeds) {
            suspects.extend_from_slice(self.seeds.suspects());
            suspects.sort_unstable();
            suspects.dedup();
        }
        let stats = self.view.look(model.mesh(), tree, &eyes, lines, &suspects);
        radial::Stats { clusters: eyes.len() as u64, ..stats }
    }

    /// Which pairs are worth a look.
    pub(crate) fn sight<'a>(&'a self, model: &'a Model) -> Sight<'a> {
        self.view.sight(model.mesh(), &model.representatives, model.cluster_tree())
    }

    /// Makes the triangles around contacts uncertain; returns whether this adds pairs to look at.
    pub(crate) fn widen(&mut self, model: &Model, contacts: &[Touch]) -> bool {
        let mesh = model.mesh();
        let around = contacts.iter().flat_map(|&touch| hosts(mesh, touch)).flatten().copied();
        self.view.widen(mesh, model.cluster_tree(), around)
    }

    /// Takes all contacts of the step, from the start of which the suspects are known; or forgets what it knew, if there may be others.
    pub(crate) fn advance(&mut self, model: &Model, lines: &[Line], contacts: Option<&[Touch]>) {
        match contacts {
            Some(contacts) if self.seeds.knows(lines) => {
                self.seeds.advance(model.mesh(), model.cluster_tree(), lines, contacts, &self.near_caps);
            }
            _ => self.seeds.forget(),
        }
    }
}
