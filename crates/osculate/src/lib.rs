//! Exact collision detection for triangle meshes that deform: what touches what, when, and where.
//!
//! A [`Mesh`] is checked once and becomes a [`Model`]; a [`World`] holds bodies, instances of
//! models at poses, and answers queries about them: the [contacts](World::contacts) of a step, in
//! which every vertex moves on a straight line to its next position, and the
//! [crossings](World::crossings) of triangles at an instant. Every [`Method`] that is
//! [complete](Guarantee::Complete) gives the same sorted answer, at any number of threads. Work is
//! done in the current rayon thread pool.
//!
//! Under all of it is the [narrow phase](narrow), which can be used on its own. It decides whether
//! two features of the moving surface, a vertex and a face or two edges, touch during the step, and
//! when. Its yes or no is exact for the f64 coordinates given: filters with certified signs decide
//! nearly all queries in nanoseconds, exact arithmetic the rest. No tolerance decides anything.
//!
//! A point falls through a triangle:
//!
//! ```
//! use osculate::MovingPoint;
//! use osculate::narrow::{Kind, Outcome, Settings, Stats, contact_point, decide};
//!
//! let point = MovingPoint::new([1.0, 1.0, 1.0], [1.0, 1.0, -3.0]);
//! let [a, b, c] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(MovingPoint::fixed);
//! let query = [point, a, b, c];
//!
//! let mut stats = Stats::default();
//! let outcome = decide(Kind::VertexFace, &query, &Settings::default(), &mut stats)?;
//! let Outcome::Hit { lo, hi } = outcome else { panic!("they meet at t = 1/4") };
//! assert!(lo <= 0.25 && 0.25 <= hi && hi - lo <= Settings::default().time_width);
//!
//! let contact = contact_point(Kind::VertexFace, &query, lo);
//! assert_eq!(contact.normal, [0.0, 0.0, 1.0]);
//! # Ok::<(), osculate::Error>(())
//! ```
//!
//! Many queries at once, from indexed vertices, are decided by [`narrow::decide_batch`], with the
//! same answers bit for bit and vector instructions chosen at run time. Two triangles at an instant
//! are compared by [`narrow::triangle_triangle()`].

#[cfg(test)]
mod random;

// In reading order; a module uses only modules above it.
mod body_id;
mod fault;
mod error;
mod math;
mod motion;
pub mod narrow;
mod mesh;
mod hierarchy;
mod bounds;
mod certificate;
mod feature;
mod segment;
mod mask;
mod radial;
mod stats;
mod contact;
mod query;
mod sink;
mod demand;
mod model;
mod body;
mod scene;
mod walk;
mod engine;
pub mod method;
mod world;

pub use body::BodySettings;
pub use body_id::BodyId;
pub use bounds::Volume;
#[doc(hidden)]
pub use certificate::MovingContour;
pub use certificate::Stats as CertificateStats;
pub use contact::{Answer, Contact, ContactKey, Crossing, Open, Partial, Report};
pub use demand::SphereRadii;
pub use error::Error;
pub use fault::{MeshFault, MeshFaults};
pub use hierarchy::{Build, Split};
pub use mesh::{Description, Mesh};
pub use model::Model;
pub use motion::{Affine, MovingPoint, Pose, Skin, Step};
pub use query::{
    BodyFilter, Budget, Clock, Guarantee, Method, NormalCone, Query, Radial, Refit, Rival, Shape, SphereTree,
    Want,
};
pub use radial::{Clusters, Observer, Stats as RadialStats};
pub use segment::{Passage, Segments};
pub use sink::{Next, Sink};
pub use stats::{Skinning, Stats, Times};
pub use world::{FreeStep, World};
