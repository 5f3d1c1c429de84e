//! A mesh with data computed once for it; immutable, and shared by its instances.

mod derived;

pub(crate) use derived::Derive;
use derived::Derived;

use crate::bounds;
use crate::feature::Representatives;
use crate::hierarchy::{Build, Hierarchy, build};
use crate::motion::{AnyDeformer, Deformer, Governors};
use crate::radial::Clusters;
use crate::segment::{Posed, Segments};
use crate::{Error, Mesh, Skin};
use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A mesh with its hierarchy, and other data that queries share. Put it in an
/// [`Arc`](std::sync::Arc) and add it to a world as often as needed.
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Mesh,
    /// How the hierarchy is built.
    pub(crate) build: Build,
    representatives: OnceLock<Representatives>,
    rest: Vec<[f64; 3]>,
    deformer: Option<Arc<dyn Deformer>>,
    clusters: Option<Clusters>,
    derived: Derived,
}

impl Model {
    /// Returns the model of a mesh. Its hierarchy will be built at the given pose, when it is first
    /// needed.
    pub fn new(mesh: Mesh, rest: &[[f64; 3]]) -> Result<Model, Error> {
        Model::with_build(mesh, rest, &Build::default())
    }

    /// The same, with options for building the hierarchy.
    pub fn with_build(mesh: Mesh, rest: &[[f64; 3]], how: &Build) -> Result<Model, Error> {
        mesh.check_pose(rest)?;
        Ok(Model {
            mesh,
            build: *how,
            representatives: OnceLock::new(),
            rest: rest.to_vec(),
            deformer: None,
            clusters: None,
            derived: Derived::default(),
        })
    }

    /// Returns the model with a skin, so that its bodies can be posed by bones. Fails if the skin
    /// has a different number of vertices.
    pub fn with_skin(self, skin: Skin) -> Result<Model, Error> {
        let (of_skin, vertices) = (skin.rest().len(), self.mesh.n_vertices());
        if of_skin != vertices {
            return Err(Error::OtherSkin { skin: of_skin, vertices });
        }
        self.with_deformer(skin)
    }

    /// Returns the model with a [deformer](crate::deformer), so that its bodies can be posed by the
    /// parameters of the deformer. Fails if it has a different number of vertices.
    pub fn with_deformer(mut self, deformer: impl Into<AnyDeformer>) -> Result<Model, Error> {
        let AnyDeformer(deformer) = deformer.into();
        let (of_deformer, vertices) = (deformer.n_vertices(), self.mesh.n_vertices());
        if of_deformer != vertices {
            return Err(Error::OtherDeformer { deformer: of_deformer, vertices });
        }
        self.deformer = Some(deformer);
        self.derived = Derived::default();
        Ok(self)
    }

    /// The skin, if the deformer is one.
    #[must_use]
    pub fn skin(&self) -> Option<&Skin> {
        let deformer: &dyn Any = self.deformer()?;
        deformer.downcast_ref()
    }

    /// The deformer, if there is one.
    pub(crate) fn deformer(&self) -> Option<&dyn Deformer> {
        self.deformer.as_deref()
    }

    /// The governors of the vertices, if the deformer has any.
    pub(crate) fn governors(&self) -> Option<&Governors> {
        self.deformer()?.governors()
    }

    /// Returns the model with clusters, which must fit its mesh.
    pub(crate) fn with_given_clusters(mut self, clusters: Clusters) -> Model {
        (self.clusters, self.derived) = (Some(clusters), Derived::default());
        self
    }

    /// The clusters given, if any.
    pub(crate) fn given_clusters(&self) -> Option<&Clusters> {
        self.clusters.as_ref()
    }

    /// The hierarchy.
    pub(crate) fn hierarchy(&self) -> &Arc<Hierarchy> {
        &self.derived::<ModelTree>().hierarchy
    }

    /// The representatives of the features.
    pub(crate) fn representatives(&self) -> &Representatives {
        self.representatives.get_or_init(|| Representatives::new(&self.mesh))
    }

    /// Data computed once for the model, when first needed.
    pub(crate) fn derived<T: Derive>(&self) -> &T {
        self.derived.get_or_derive(self)
    }

    /// Data of a type, if it was computed.
    pub(crate) fn known<T: Derive>(&self) -> Option<&T> {
        self.derived.get()
    }

    /// Heap memory of the model in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.mesh.memory_bytes()
            + self.representatives.get().map_or(0, Representatives::memory_bytes)
            + size_of_val(self.rest.as_slice())
            + self.deformer().map_or(0, Deformer::memory_bytes)
            + self.clusters.as_ref().map_or(0, Clusters::memory_bytes)
            + self.derived.memory_bytes(self)
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The pose that the hierarchy was built at.
    pub(crate) fn rest(&self) -> &[[f64; 3]] {
        &self.rest
    }

    /// The rest pose that the maps of the governors are applied to, if there are any; else the pose
    /// that the hierarchy was built at.
    pub(crate) fn governed_rest(&self) -> &[[f64; 3]] {
        self.governors().map_or(self.rest.as_slice(), Governors::rest)
    }

    /// Returns the model at a pose, prepared for [segments](Segments). Fails if the pose does not
    /// fit the mesh.
    pub fn segments(&self, pose: &[[f64; 3]]) -> Result<Segments<'_>, Error> {
        self.mesh.check_pose(pose)?;
        let posed = Posed::new(self.hierarchy(), pose.to_vec());
        Ok(Segments::new(&self.mesh, self.hierarchy(), Cow::Owned(posed)))
    }
}

/// The hierarchy of a model.
#[derive(Debug)]
pub(crate) struct ModelTree {
    pub(crate) hierarchy: Arc<Hierarchy>,
    /// The looseness of its bounds at the pose it was built at.
    pub(crate) looseness: f64,
}

impl Derive for ModelTree {
    fn derive(model: &Model) -> ModelTree {
        let hierarchy = Arc::new(build(&model.mesh, &model.rest, model.build));
        let looseness = bounds::looseness(&hierarchy, &model.rest);
        ModelTree { hierarchy, looseness }
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.hierarchy.memory_bytes()
    }
}
