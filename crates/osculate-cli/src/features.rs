//! The parts of the command that take long to build, and are left out unless they are asked for.

use anyhow::{Result, ensure};

/// A part of the command that is a feature of its package.
#[derive(Clone, Copy)]
pub(crate) enum Feature {
    /// Tests of sets on a GPU.
    Gpu,
    /// Reports as Parquet.
    Parquet,
    /// Clusters from skeletons.
    Rig,
}

impl Feature {
    /// Whether this build has it.
    pub(crate) fn is_there(self) -> bool {
        match self {
            Feature::Gpu => cfg!(feature = "gpu"),
            Feature::Parquet => cfg!(feature = "parquet"),
            Feature::Rig => cfg!(feature = "rig"),
        }
    }

    /// How to build the command with it, in words; `rest` is what follows.
    pub(crate) fn command(self, rest: &str) -> String {
        let name = match self {
            Feature::Gpu => "gpu",
            Feature::Parquet => "parquet",
            Feature::Rig => "rig",
        };
        format!("`cargo run --release --features {name} -- {rest}`")
    }

    /// Fails if `what` is asked for and this build does not have it; `rest` are arguments with it.
    pub(crate) fn require(self, what: &str, rest: &str) -> Result<()> {
        ensure!(
            self.is_there(),
            "{what} is left out of this build, which is quicker that way; {} has it",
            self.command(rest)
        );
        Ok(())
    }
}
