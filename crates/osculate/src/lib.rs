//! Exact collision detection for triangle meshes that deform: what touches what, when, and where.
//!
//! A [`Mesh`] is checked once and becomes a [`Model`]. A [`World`] holds bodies, instances of
//! models at poses, and answers queries about them: the [contacts](World::contacts) of a step, in
//! which every vertex moves on a straight line to its next position, and the
//! [crossings](World::crossings) of triangles at an instant. Features that are
//! [close](World::proximities) at an instant, [closest points](World::closest_point), [signed
//! distances](World::signed_distance) and [ray casts](World::ray_cast) are found in the same trees.
//!
//! A sheet falls onto a floor:
//!
//! ```
//! use osculate::{Mesh, Model, Query, World};
//! use std::sync::Arc;
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let model = Arc::new(Model::new(Mesh::new(vec![[0, 1, 2]], 3)?, &corners)?);
//!
//! let mut world = World::new();
//! let floor = world.add(model.clone(), &corners)?;
//! let above = corners.map(|[x, y, _]| [x + 0.25, y + 0.25, 1.0]);
//! let sheet = world.add(model, &above)?;
//!
//! let below = above.map(|[x, y, z]| [x, y, z - 2.0]);
//! let report = world.contacts(&[(sheet, &below)], &Query::all())?;
//! for contact in &report.found {
//!     assert!(contact.key.bodies.contains(&floor));
//!     assert!(contact.lo <= 0.5 && 0.5 <= contact.hi);
//! }
//! assert_eq!(report.count, 3);
//! # Ok::<(), osculate::Error>(())
//! ```
//!
//! Candidate pairs are found by a [`Method`]; those that are
//! [complete](method::Guarantee::Complete) give the same sorted answer, at any number of threads.
//! Work is done in the current rayon thread pool, or [on one thread](on_this_thread).
//!
//! The [narrow phase](narrow) decides whether two features of the moving surface, a vertex and a
//! face or two edges, touch during the step, and when. Its answer is exact for the f64 coordinates
//! given: filters with certified signs decide nearly all queries in nanoseconds, exact arithmetic
//! the rest. No tolerance decides anything. It can be used on its own.

#[cfg(test)]
mod random;

// In reading order; a module uses only modules above it.
mod body_id;
mod setters;
mod fault;
mod error;
mod threads;
mod hash;
mod radix;
mod math;
mod motion;
pub mod deformer;
pub mod narrow;
mod mesh;
mod hierarchy;
mod bounds;
mod certificate;
mod feature;
pub mod segment;
mod mask;
pub mod raster;
pub mod chromatic;
mod radial;
pub mod stats;
mod contact;
mod options;
mod query;
mod sink;
mod lazy_bounds;
mod model;
pub mod penetration;
mod body;
mod scene;
mod walk;
mod engine;
pub mod method;
mod world;

pub use body::BodySettings;
pub use body_id::BodyId;
pub use contact::{Contact, ContactKey, Crossing, OpenPair, PartialReport, Proximity, Report};
pub use error::Error;
pub use fault::{MeshFault, MeshFaults};
pub use hierarchy::{Build, Split};
pub use mesh::{Description, Mesh};
pub use model::Model;
pub use motion::{Affine, MovingPoint, Pose, Skin, Step};
pub use options::Method;
pub use query::{BodyFilter, Budget, Clock, Query, Results};
pub use sink::{Sink, SinkFlow};
pub use stats::Stats;
pub use threads::on_this_thread;
pub use world::{FreeStep, Moves, World};

#[doc(hidden)]
pub use certificate::MovingContour;

/// The snippets of the documents compile.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/methods/normal-cone.md")]
    struct NormalCone;
    #[doc = include_str!("../../../docs/methods/sphere-tree.md")]
    struct SphereTree;
}
