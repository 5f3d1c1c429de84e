//! The scenes, one file each.

mod figure;

use crate::scene::Scene;

/// A name and what builds the scene.
type Entry = (&'static str, fn() -> Scene);

/// The scenes, in the order of [`names`](crate::names).
pub(crate) const SCENES: &[Entry] = &[("figure", figure::figure)];
