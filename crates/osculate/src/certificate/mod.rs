//! Certificates: proofs that a patch cannot self-collide in the step, from its normals and its
//! contour.
//!
//! Theorem: let all triangles of a connected, oriented patch with one loop face an axis, and let
//! the loop, projected along the axis, be a simple counterclockwise curve. Then each line along the
//! axis meets the patch at most once, and so no two of its points coincide. If this holds
//! throughout the step with the same axis, the patch does not self-collide in the step, whatever
//! happens outside it, and whether or not it is embedded at the start. The proof is in
//! docs/methods/normal-cone.md.
//!
//! [`normal_cone`] is the test of this library: every triangle is compared with the axis
//! ([`normals`]), and every loop with a moving kernel point ([`contour`]). A patch that faces no
//! axis may still pass as seen from a point ([`radial_contour`]). For bodies posed by parameters,
//! [`bounded_normals`] needs no vertices inside of a patch. Earlier tests are in [`rivals`],
//! for comparison; they use [`cones`] and [`masks`] for the normals, and [`simple`] and [`star`]
//! for the contour.

mod bilinear;
mod bounded_normals;
mod cleared;
mod cones;
mod contour;
mod ears;
mod figures;
mod fold;
mod masks;
mod normal_cone;
mod normals;
mod observer;
mod pairs;
mod patience;
mod plug;
mod radial_contour;
mod rivals;
mod simple;
mod star;
mod stats;
mod union;

#[cfg(test)]
mod polygons;

pub(crate) use bounded_normals::{BoundedTest, Facing, Governing, NormalIntervals};
pub(crate) use cleared::{BoundedProofs, Cleared, Placer, Proofs, Surface, Workspace};
pub(crate) use cones::Cones;
pub use figures::MovingContour;
pub(crate) use masks::{Instants, Masks};
pub(crate) use normal_cone::ConeTest;
pub(crate) use normals::Normals;
pub(crate) use observer::PlaneSums;
pub(crate) use patience::Patience;
pub(crate) use plug::{Asked, Certificate, Verdict, Weighed};
pub(crate) use rivals::{CbcTest, HscTest, McdTest, SctTest};
pub use stats::Stats;
