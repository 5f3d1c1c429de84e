//! A mesh plus what is computed once for it; immutable, and shared by the bodies that are instances of it.

use crate::feature::Representatives;
use crate::hierarchy::{Hierarchy, Split, build};
use crate::{Error, Mesh};

/// A mesh with its hierarchy. Put it in an [`Arc`](std::sync::Arc) and add it to a world as often as needed.
#[derive(Clone, Debug)]
pub struct Model {
    mesh: Mesh,
    pub(crate) hierarchy: Hierarchy,
    pub(crate) representatives: Representatives,
}

impl Model {
    /// Returns the model of a mesh, with a hierarchy that is good at the given pose and near it.
    pub fn new(mesh: Mesh, rest: &[[f64; 3]]) -> Result<Model, Error> {
        Model::with_split(mesh, rest, Split::default())
    }

    /// The same, with a choice of how the hierarchy is split.
    pub fn with_split(mesh: Mesh, rest: &[[f64; 3]], split: Split) -> Result<Model, Error> {
        mesh.check_pose(rest)?;
        let hierarchy = build(mesh.triangles(), rest, split);
        let representatives = Representatives::new(&mesh);
        Ok(Model { mesh, hierarchy, representatives })
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }
}
