//! Deformers: how a few parameters move all vertices of a model.
//!
//! A deformer is attached to a model by [`Model::with_deformer`](crate::Model::with_deformer); its
//! bodies can then be posed by the parameters of the deformer, and vertices are computed only when
//! a query needs them. Each deformer has methods that return a [pose](crate::Pose) from its
//! parameters, and the positions of all vertices.
//!
//! | deformer | parameters of a pose |
//! |---|---|
//! | [`Skin`] | an affine map for each bone |
//! | [`LoopSurface`] | the control points |
//! | [`Particles`] | a position and a linear map for each particle |
//! | [`Modes`] | the amplitudes of the modes; under a skin, the maps of bones before them |
//!
//! The position of a vertex is defined by the f64 operations that compute it, in a fixed order: it
//! has the same bits whether it is computed alone or together with others, with any number of
//! threads and any vector width.

pub use crate::motion::{AnyDeformer, LoopSurface, Modes, Particle, Particles, Skin};
