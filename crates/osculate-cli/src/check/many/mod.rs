//! `osculate check --many`: the clips of many files, as a data set that grows clip by clip.
//!
//! `glob` finds the files, `task` checks the clips of one and puts them into the `store`; `key`
//! says whether a clip is there already, for the content in a `snapshot`. Tasks do not know of each
//! other, so any number of threads, processes and machines can share the work.

mod args;
#[cfg(feature = "parquet")]
mod glob;
#[cfg(feature = "parquet")]
mod key;
#[cfg(feature = "parquet")]
mod pool;
#[cfg(feature = "parquet")]
mod snapshot;
#[cfg(feature = "parquet")]
mod store;
#[cfg(feature = "parquet")]
mod summary;
#[cfg(feature = "parquet")]
mod task;

pub(crate) use self::args::ManyArgs;
#[cfg(feature = "parquet")]
pub use self::pool::Many;
#[cfg(feature = "parquet")]
pub(super) use self::pool::run;
#[cfg(feature = "parquet")]
pub use self::task::{Outcome, State};

/// Fails: this build does not have it. `ManyArgs::validate` says the same before.
#[cfg(not(feature = "parquet"))]
pub(super) fn run(_: &super::Args, _: crate::Listen) -> anyhow::Result<crate::Report> {
    crate::features::Feature::Parquet.require("--many", "check --many …")?;
    Ok(crate::Report::default())
}
