//! Runs the built command on what is made here: scenes, small files and bad ones.

mod common;
mod episodes;
mod gltf;

mod caches;
mod check;
mod chromatic;
mod cones;
mod features;
mod governed;
mod in_memory;
mod inputs;
#[cfg(feature = "parquet")]
mod many;
mod memory;
mod page;
mod queries;
mod radial;
mod scene;
mod schema;
mod spheres;
mod terminal;
