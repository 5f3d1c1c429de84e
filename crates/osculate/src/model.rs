//! A mesh plus what is computed once for it; immutable, and shared by the bodies that are instances of it.

use crate::bounds;
use crate::feature::Representatives;
use crate::hierarchy::{Build, Hierarchy, Patches, build};
use crate::{Error, Mesh};
use std::sync::{Arc, OnceLock};

/// A mesh with its hierarchy. Put it in an [`Arc`](std::sync::Arc) and add it to a world as often as needed.
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Mesh,
    pub(crate) hierarchy: Arc<Hierarchy>,
    /// How the hierarchy was built.
    pub(crate) build: Build,
    /// How loose the bounds of the hierarchy are at the pose that it was built at.
    pub(crate) looseness: f64,
    pub(crate) representatives: Representatives,
    patches: OnceLock<Patches>,
}

impl Model {
    /// Returns the model of a mesh, with a hierarchy that is good at the given pose and near it.
    pub fn new(mesh: Mesh, rest: &[[f64; 3]]) -> Result<Model, Error> {
        Model::with_build(mesh, rest, &Build::default())
    }

    /// The same, with a choice of how the hierarchy is built.
    pub fn with_build(mesh: Mesh, rest: &[[f64; 3]], how: &Build) -> Result<Model, Error> {
        mesh.check_pose(rest)?;
        let hierarchy = Arc::new(build(&mesh, rest, *how));
        let looseness = bounds::looseness(&hierarchy, rest);
        let representatives = Representatives::new(&mesh);
        Ok(Model { mesh, hierarchy, build: *how, looseness, representatives, patches: OnceLock::new() })
    }

    /// Bytes of memory that the model holds.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.mesh.memory_bytes() + self.hierarchy.memory_bytes() + self.representatives.memory_bytes()
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// What the nodes of the hierarchy are as patches. Found at the first call.
    #[allow(dead_code, reason = "first used by the contour certificates, which come later")]
    pub(crate) fn patches(&self) -> &Patches {
        self.patches.get_or_init(|| Patches::of(&self.mesh, &self.hierarchy))
    }
}
