//! A mesh plus what is computed once for it; immutable, and shared by the bodies that are instances of it.

use crate::bounds;
use crate::demand::{DemandTree, SphereRadii, radii};
use crate::feature::Representatives;
use crate::hierarchy::{Build, Hierarchy, Patches, Split, build};
use crate::lazy::Lazy;
use crate::radial::{ClusterTree, grow};
use crate::{Affine, Clusters, Error, Mesh, Segments, Skin};
use std::sync::Arc;

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
    rest: Vec<[f64; 3]>,
    skin: Option<Skin>,
    patch_tree: Lazy<PatchTree>,
    clusters: Lazy<Clusters>,
    cluster_tree: Lazy<ClusterTree>,
    demand_tree: Lazy<DemandTree>,
    demand_patches: Lazy<DemandTree>,
}

/// A hierarchy whose nodes are patches as connected as the mesh is, and their contours.
#[derive(Clone, Debug)]
pub(crate) struct PatchTree {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) patches: Patches,
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
        Ok(Model {
            mesh,
            hierarchy,
            build: *how,
            looseness,
            representatives,
            rest: rest.to_vec(),
            skin: None,
            patch_tree: Lazy::new(),
            clusters: Lazy::new(),
            cluster_tree: Lazy::new(),
            demand_tree: Lazy::new(),
            demand_patches: Lazy::new(),
        })
    }

    /// Returns the model with clusters, and observers that see them. Fails if they are those of another number of triangles.
    pub fn with_clusters(mut self, clusters: Clusters) -> Result<Model, Error> {
        let (of_clusters, triangles) = (clusters.of_triangles().len(), self.mesh.triangles().len());
        if of_clusters != triangles {
            return Err(Error::OtherClusters { clusters: of_clusters, triangles });
        }
        self.clusters = Lazy::from(clusters);
        self.cluster_tree = Lazy::new();
        Ok(self)
    }

    /// Returns the model with a skin: its bodies can then be posed by bones. Fails if the skin is that of another number of vertices.
    pub fn with_skin(mut self, skin: Skin) -> Result<Model, Error> {
        let (of_skin, vertices) = (skin.rest().len(), self.mesh.n_vertices());
        if of_skin != vertices {
            return Err(Error::OtherSkin { skin: of_skin, vertices });
        }
        self.skin = Some(skin);
        self.demand_tree = Lazy::new();
        self.demand_patches = Lazy::new();
        Ok(self)
    }

    /// The skin, if there is one.
    #[must_use]
    pub fn skin(&self) -> Option<&Skin> {
        self.skin.as_ref()
    }

    /// The clusters: those given, or else some that are grown at the first call.
    #[must_use]
    pub fn clusters(&self) -> &Clusters {
        self.clusters.get_or_compute(|| grow(&self.mesh, &self.rest, &self.patch_tree().hierarchy))
    }

    /// Bytes of memory that the model holds.
    pub(crate) fn memory_bytes(&self) -> usize {
        let of_patches = self.patch_tree.get().map_or(0, |tree| {
            let is_own = !Arc::ptr_eq(&tree.hierarchy, &self.hierarchy);
            tree.patches.memory_bytes() + if is_own { tree.hierarchy.memory_bytes() } else { 0 }
        });
        self.mesh.memory_bytes()
            + self.hierarchy.memory_bytes()
            + self.representatives.memory_bytes()
            + size_of_val(self.rest.as_slice())
            + self.skin.as_ref().map_or(0, Skin::memory_bytes)
            + of_patches
            + self.clusters.get().map_or(0, Clusters::memory_bytes)
            + self.cluster_tree.get().map_or(0, ClusterTree::memory_bytes)
            + self.demand_tree.get().map_or(0, DemandTree::memory_bytes)
            + self.demand_patches.get().map_or(0, DemandTree::memory_bytes)
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Returns the model at a pose, prepared for [segments](Segments). Fails if the pose does not fit the mesh.
    pub fn segments<'a>(&'a self, pose: &'a [[f64; 3]]) -> Result<Segments<'a>, Error> {
        self.mesh.check_pose(pose)?;
        Ok(Segments::new(&self.mesh, &self.hierarchy, pose))
    }

    /// The hierarchy of patches: the one of the model if it was built that way. Made at the first call.
    pub(crate) fn patch_tree(&self) -> &PatchTree {
        self.patch_tree.get_or_compute(|| {
            let hierarchy = if self.build.split == Split::ConnectedPatches {
                self.hierarchy.clone()
            } else {
                Arc::new(build(&self.mesh, &self.rest, Split::ConnectedPatches))
            };
            let patches = Patches::of(&self.mesh, &hierarchy);
            PatchTree { hierarchy, patches }
        })
    }

    /// The clusters with their hierarchy. Made at the first call.
    pub(crate) fn cluster_tree(&self) -> &ClusterTree {
        self.cluster_tree.get_or_compute(|| {
            ClusterTree::new(&self.mesh, &self.rest, &self.representatives, self.clusters())
        })
    }

    /// The tree whose bounds are refitted on demand, best for bounds. Made at the first call.
    pub(crate) fn demand_tree(&self) -> &DemandTree {
        self.demand_tree.get_or_compute(|| {
            // Few children: those of nodes that tell little are taken in afterwards.
            let how = Build { split: Split::SurfaceArea, arity: 2 };
            self.demand_tree_of(&build(&self.mesh, self.skin_rest(), how))
        })
    }

    /// The same with the nodes of the hierarchy of patches, about which there are proofs. Made at the first call.
    pub(crate) fn demand_patches(&self) -> &DemandTree {
        self.demand_patches.get_or_compute(|| self.demand_tree_of(&self.patch_tree().hierarchy))
    }

    fn demand_tree_of(&self, hierarchy: &Hierarchy) -> DemandTree {
        DemandTree::new(&self.mesh, hierarchy, self.skin_rest(), self.skin.as_ref())
    }

    /// The vertices as the maps of bones are applied to them, if there is a skin.
    fn skin_rest(&self) -> &[[f64; 3]] {
        self.skin.as_ref().map_or(self.rest.as_slice(), Skin::rest)
    }

    /// Returns the radii of the balls of [`Method::SphereTree`](crate::Method::SphereTree) at a pose, level by level from the root; nothing without triangles.
    ///
    /// Fails without a skin, or if the pose does not fit it.
    pub fn sphere_radii(&self, bones: &[Affine]) -> Result<Vec<SphereRadii>, Error> {
        let skin = self.skin.as_ref().ok_or(Error::ModelWithoutSkin)?;
        skin.check(bones)?;
        Ok(radii(self.demand_tree(), &self.mesh, skin, bones))
    }
}
