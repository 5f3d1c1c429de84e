//! The writers, read back: every number bit for bit, the same bytes in every run, no temporary
//! files left.

mod support;

mod animation;
mod atomic;
mod glb;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
mod ply;
mod report;
