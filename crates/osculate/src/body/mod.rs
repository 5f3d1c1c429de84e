//! A body: an instance of a model, its pose, and the data that methods keep for it from step to
//! step.

mod kept;

pub(crate) use kept::{Keep, Kept};

use crate::body_id::BodyId;
use crate::bounds::Reach;
use crate::math::bernstein::FILTER_RANGE;
use crate::motion::{Line, Placement, survey};
use crate::setters::setters;
use crate::{Error, Mesh, Model, Pose, Step};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// Collision settings of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodySettings {
    /// A static body is never tested against itself or against another static body.
    pub is_static: bool,
    /// Whether the body is tested against itself.
    pub self_contact: bool,
    /// The groups of the body, one bit each.
    pub groups: u32,
    /// The groups that the body may touch, one bit each. Two bodies are tested if each may touch a
    /// group of the other.
    pub touches: u32,
    /// Bodies with the same number were modeled together: the rest poses of their models are in the
    /// same coordinates, and what is close there is excluded between them as it is within one of
    /// them, see [`Query::exclude_close_at_rest`](crate::Query::exclude_close_at_rest).
    pub rest_group: Option<u32>,
}

impl BodySettings {
    /// A body in group 0 that is tested against itself and all others.
    #[must_use]
    pub fn new() -> BodySettings {
        BodySettings::default()
    }

    setters!(
        is_static: bool,
        self_contact: bool,
        groups: u32,
        touches: u32,
        rest_group: Option<u32>,
    );
}

impl Default for BodySettings {
    fn default() -> Self {
        BodySettings { is_static: false, self_contact: true, groups: 1, touches: u32::MAX, rest_group: None }
    }
}

/// An instance of a model: its vertices in the step of the world, and the data kept from step to
/// step.
pub(crate) struct Body {
    pub(crate) model: Arc<Model>,
    pub(crate) vertices: Range<usize>,
    pub(crate) settings: BodySettings,
    /// The parameters of the deformer, if the pose is given by them. The position of a vertex is
    /// then valid only after it was placed.
    pub(crate) placement: Option<Placement>,
    /// Whether the vertices end the step where they start; unused if the pose is given by
    /// parameters.
    rests: bool,
    /// Whether the body was removed from its world.
    pub(crate) is_removed: bool,
    /// A number that changes with the pose at the start or at the end of the step.
    pub(crate) version: u64,
    /// Whether the body will rest in the step that is being set, as no other end was given so far.
    pub(crate) is_to_rest: bool,
    /// The data that methods keep.
    pub(crate) kept: Kept,
}

impl Body {
    pub(crate) fn new(model: Arc<Model>, vertices: Range<usize>, settings: BodySettings) -> Body {
        Body {
            model,
            vertices,
            settings,
            placement: None,
            rests: true,
            is_removed: false,
            version: 0,
            is_to_rest: false,
            kept: Kept::default(),
        }
    }

    /// The placeholder of a removed body: it has no vertices and touches nothing.
    pub(crate) fn removed(start: usize) -> Body {
        static NOTHING: LazyLock<Arc<Model>> = LazyLock::new(|| {
            let mesh = Mesh::new(Vec::new(), 0).expect("a mesh of nothing is a mesh");
            Arc::new(Model::new(mesh, &[]).expect("there is no vertex that could be wrong"))
        });
        let settings =
            BodySettings { is_static: true, self_contact: false, groups: 0, touches: 0, rest_group: None };
        Body { is_removed: true, ..Body::new(NOTHING.clone(), start..start, settings) }
    }

    /// Returns a bound of the magnitude of the coordinates at a pose. Fails if the pose does not
    /// fit.
    pub(crate) fn check(&self, id: BodyId, pose: &Pose) -> Result<f64, Error> {
        match pose {
            Pose::Vertices(pose) => {
                let (largest, is_finite) = survey(pose);
                let mesh = self.model.mesh();
                if !is_finite || pose.len() != mesh.n_vertices() {
                    mesh.check_pose(pose).map_err(|faults| Error::Pose { body: id, faults })?;
                }
                Ok(largest)
            }
            Pose::Parameters(parameters) => {
                self.model.deformer().ok_or(Error::NoDeformer { body: id })?.check(parameters)
            }
        }
    }

    /// Sets the pose at the start (0) or at the end (1) of the step. Fails, and changes nothing, if
    /// the pose does not fit.
    pub(crate) fn put(&mut self, id: BodyId, pose: &Pose, end: usize, step: &mut Step) -> Result<(), Error> {
        step.reach(self.check(id, pose)?);
        match pose {
            Pose::Vertices(pose) => {
                step.set(self.vertices.start, pose, end);
                (self.placement, self.rests) = (None, false);
            }
            Pose::Parameters(parameters) => {
                let n_vertices = self.vertices.len();
                let placement = self.placement.get_or_insert_with(|| Placement::new(n_vertices, parameters));
                placement.set(parameters, end);
            }
        }
        self.version += 1;
        self.is_to_rest &= end == 0;
        Ok(())
    }

    /// Makes the step end where it starts.
    pub(crate) fn rest(&mut self, step: &mut Step) {
        if self.moves() {
            self.version += 1;
            match &mut self.placement {
                Some(placement) => placement.rest(),
                None => step.rest(self.vertices.clone()),
            }
            self.rests = true;
        }
    }

    /// Whether the body may end the step elsewhere than where it starts.
    pub(crate) fn moves(&self) -> bool {
        self.placement.as_ref().map_or(!self.rests, Placement::moves)
    }

    /// The version of the pose, if the body rests.
    pub(crate) fn resting(&self) -> Option<u64> {
        (!self.moves()).then_some(self.version)
    }

    /// Computes the positions of all vertices that are not valid; `lines` are those of the body.
    /// Returns their number.
    pub(crate) fn place_all(&mut self, lines: &mut [Line]) -> u64 {
        match (self.model.deformer(), &mut self.placement) {
            (Some(deformer), Some(placement)) => placement.place_all(deformer, lines),
            _ => 0,
        }
    }

    /// Heap memory held for the body alone in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.placement.as_ref().map_or(0, Placement::memory_bytes) + self.kept.memory_bytes(&self.model)
    }

    /// Whether proofs about the body and itself apply: it is tested against itself, the separation
    /// is zero, and coordinates are in the range of the filters.
    pub(crate) fn has_proofs(&self, reach: Reach) -> bool {
        self.settings.self_contact
            && !self.settings.is_static
            && reach.margin == 0.0
            && reach.largest <= FILTER_RANGE
    }
}
