//! From pairs of triangles to pairs of features, each once.

mod ownership;

pub(crate) use ownership::{Representatives, for_each_pair};
