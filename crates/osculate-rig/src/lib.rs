//! Clusters and observers from a surface and its skeleton: the preparation of radial view culling.
//!
//! [`cluster`] takes a model at rest and a [`Skeleton`], and returns [`osculate::method::Clusters`]
//! for [`Model::with_clusters`](osculate::Model::with_clusters), and how they came about. Stages,
//! with a file each:
//!
//! 1. `visibility.rs`: the nearest bones of each vertex, and whether they see it from inside.
//! 2. `stiffness.rs`, `heat.rs`: bone weights, by heat diffusion over the surface.
//! 3. `assign.rs`: a bone for each triangle.
//! 4. `refine.rs`: straight borders.
//! 5. `observers.rs`, `pieces.rs`: the observer of each bone's triangles; a cluster for each
//!    connected piece of them.
//! 6. `reduce.rs`: fewer clusters, by merging.
//!
//! Everything here is in f64, since clusters affect only speed. The same input gives the same
//! clusters for any number of threads.
//!
//! ```
//! use osculate::{Mesh, Model};
//! use osculate_rig::{Settings, Skeleton, cluster};
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let mesh = Mesh::new(vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], 4)?;
//! let model = Model::new(mesh, &corners)?;
//! let skeleton = Skeleton::new(vec![[0.2; 3], [0.2, 0.2, 0.3]], vec![[0, 1]])?;
//!
//! let made = cluster(&model, &corners, &skeleton, &Settings::default(), None)?;
//! assert_eq!(made.clusters.len(), 1);
//! let model = model.with_clusters(made.clusters)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// In reading order; a module uses only modules above it.
mod error;
mod settings;
mod vector;
#[cfg(test)]
mod shapes;
mod skeleton;
mod surface;
mod visibility;
mod stiffness;
mod heat;
mod assign;
mod refine;
mod pieces;
mod observers;
mod reduce;

pub use error::Error;
pub use settings::Settings;
pub use skeleton::{FromBones, Skeleton};

use osculate::method::{Clusters, Observer};
use osculate::{Clock, Model};
use surface::Surface;

/// Clusters, and details of their computation.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// The clusters, and the joints of the skeleton.
    pub clusters: Clusters,
    /// The bone of each triangle.
    pub bone_of_triangle: Vec<u32>,
    /// Number of clusters before merging: of connected pieces of triangles with the same bone.
    pub n_before: usize,
    /// Time of each stage; all zero without a clock.
    pub times: Times,
}

/// Nanoseconds of each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Finding the nearest bones of vertices, and whether they see them.
    pub visibility: u64,
    /// Bone weights.
    pub weights: u64,
    /// Assigning triangles to bones.
    pub assignment: u64,
    /// Straightening borders.
    pub refinement: u64,
    /// Choosing observers, and separating pieces.
    pub observers: u64,
    /// Merging clusters.
    pub reduction: u64,
}

/// Returns the clusters of a model at rest for a skeleton.
///
/// Joints may be anywhere, also outside the body; the surface may be open, or without area in
/// places. Bones without triangles have no cluster. Every triangle is in a cluster, and every
/// cluster is connected across edges.
///
/// Fails if the pose does not fit the mesh, or a setting is out of range.
pub fn cluster(
    model: &Model,
    rest: &[[f64; 3]],
    skeleton: &Skeleton,
    settings: &Settings,
    clock: Option<Clock>,
) -> Result<Clustering, Error> {
    settings.check()?;
    let mut watch = Watch { clock, last: clock.map_or(0, |now| now()) };
    let mut times = Times::default();

    let segments = model.segments(rest)?;
    let surface = Surface { mesh: model.mesh(), rest };
    let sights = visibility::sights(surface, &segments, skeleton);
    times.visibility = watch.lap();

    let matrix = stiffness::Heated::new(surface, &sights, settings.heat);
    let weights = heat::weights(&matrix, &sights, skeleton.bones().len());
    times.weights = watch.lap();

    let mut bone_of_triangle = assign::assign(surface, &weights, skeleton);
    times.assignment = watch.lap();

    if settings.refine {
        refine::refine(surface, &mut bone_of_triangle);
    }
    times.refinement = watch.lap();

    let of_bones = observers::observers(surface, &bone_of_triangle, skeleton, settings);
    let (mut of_triangle, n_before) = pieces::pieces(surface, &bone_of_triangle);
    let mut bones = vec![0; n_before];
    for (&piece, &bone) in of_triangle.iter().zip(&bone_of_triangle) {
        bones[piece as usize] = bone;
    }
    let mut observers: Vec<Observer> = bones.iter().map(|&bone| of_bones[bone as usize]).collect();
    times.observers = watch.lap();

    if settings.reduce {
        (of_triangle, observers) =
            reduce::reduce(surface, &of_triangle, &bones, &observers, skeleton, settings);
    }
    times.reduction = watch.lap();

    let clusters = Clusters::new(of_triangle, observers, skeleton.joints().to_vec())?;
    Ok(Clustering { clusters, bone_of_triangle, n_before, times })
}

/// A stopwatch, if there is a clock.
struct Watch {
    clock: Option<Clock>,
    last: u64,
}

impl Watch {
    /// Nanoseconds since the last call.
    fn lap(&mut self) -> u64 {
        let now = self.clock.map_or(0, |now| now());
        now.saturating_sub(std::mem::replace(&mut self.last, now))
    }
}

/// The snippets of the document compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/methods/radial-view.md")]
struct RadialView;
