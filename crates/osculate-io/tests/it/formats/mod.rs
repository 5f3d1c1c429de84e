//! The readers on small files that are built here: every feature of each format, and every way to
//! break it.

mod support;

mod abc;
mod bombs;
mod cache;
#[cfg(feature = "fbx")]
mod fbx;
mod gltf;
mod gltf_animation;
mod npz;
mod npz_governed;
mod obj;
mod packed;
mod ply;
mod robustness;
mod sequence;
#[cfg(feature = "usd")]
mod usd;
