//! Proofs that a patch cannot touch itself in the step, from its normals and its contour (methods
//! 7.1).
//!
//! Theorem: let all triangles of a connected, oriented patch with one loop face an axis, and let
//! the loop, seen along the axis, be a simple curve that goes around counterclockwise. Then each
//! line along the axis meets the patch at most once, and so no two points of it are in the same
//! place. If this holds throughout the step, with the same axis, the patch does not touch itself in
//! the step; whatever happens outside of it, and whether or not it is embedded at the start.
//!
//! [`normal_cone`] is the test of this library: every triangle is compared with the axis
//! ([`normals`]), and every loop with a kernel point that moves ([`contour`]). What no axis faces
//! may still be seen from a point ([`radial_contour`]). The tests that were known before are in
//! [`rivals`], to compare with; they are made of [`cones`] and [`masks`] for the normals, and of
//! [`simple`] and [`star`] for the contour.

mod bilinear;
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
mod plug;
mod radial_contour;
mod rivals;
mod simple;
mod star;
mod stats;
mod union;

#[cfg(test)]
mod polygons;

pub(crate) use cleared::{Cleared, Proofs, Surface, Workspace};
pub(crate) use cones::Cones;
pub use figures::MovingContour;
pub(crate) use masks::{Instants, Masks};
pub(crate) use normal_cone::ConeTest;
pub(crate) use normals::Normals;
pub(crate) use observer::PlaneSums;
pub(crate) use plug::{Certificate, Verdict};
pub(crate) use rivals::{CbcTest, McdTest, SctTest, Vmt94Test};
pub use stats::Stats;
