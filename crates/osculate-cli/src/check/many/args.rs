//! The arguments of `osculate check --many`.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, ensure};
use clap::Args as Arguments;

use crate::check::Args;
use crate::features::Feature;

/// Options for libraries of clips.
#[derive(Arguments, Clone, Debug, Default)]
pub(crate) struct ManyArgs {
    /// Check every clip of many files on its own, and add it to the data set --out, unless it is
    /// there already; inputs are files, folders of frames, and patterns such as 'clips/**/*.glb'
    #[arg(long, requires = "out")]
    pub(in crate::check) many: bool,
    /// With --many, the folder of the data set: Parquet tables of clips, episodes, and with
    /// --contacts contacts
    #[arg(long, value_name = "FOLDER", requires = "many")]
    pub(in crate::check) out: Option<PathBuf>,
    /// With --many, check only the I-th of N parts of the files, with I from 1 to N
    #[arg(long, value_name = "I/N", requires = "many")]
    pub(in crate::check) shard: Option<Shard>,
    /// With --many, check N clips beside each other [default: one per thread]
    #[arg(long, value_name = "N", requires = "many")]
    pub(in crate::check) jobs: Option<usize>,
}

/// One of `n` parts of all files; `index` is from 1 to `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    index: u64,
    n: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let problem = || format!("'{text}' is no part of all files; write I/N, with I from 1 to N");
        let (index, n) = text.split_once('/').ok_or_else(problem)?;
        let number = |text: &str| text.trim().parse().map_err(|_| problem());
        let shard = Shard { index: number(index)?, n: number(n)? };
        if 1 <= shard.index && shard.index <= shard.n { Ok(shard) } else { Err(problem()) }
    }
}

impl Shard {
    /// Whether a file with this hash belongs to the part. Every file belongs to one part of `n`.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) fn has(self, hash: u64) -> bool {
        hash % self.n == self.index - 1
    }
}

impl ManyArgs {
    /// Fails if a value is invalid, or if another option does not go with a data set.
    pub(in crate::check) fn validate(&self, args: &Args) -> Result<()> {
        if !self.many {
            return Ok(());
        }
        Feature::Parquet.require("--many", "check --many …")?;
        ensure!(!args.source.input.is_empty(), "--many needs files or patterns, such as 'clips/**/*.glb'");
        ensure!(self.jobs != Some(0), "--jobs is 0; it must be at least 1");
        let others = [
            ("--json", args.json.is_some()),
            ("--csv", args.csv.is_some()),
            ("--parquet", args.parquet.is_some()),
            ("--junit", args.junit.is_some()),
            ("--sarif", args.sarif.is_some()),
            ("--report", args.report.is_some()),
            ("--picture", args.picture.is_some()),
            ("--colored", args.colored.is_some()),
            ("--write-baseline", args.write_baseline.is_some()),
            ("--clusters", args.clusters.is_some()),
            ("--gpu", args.gpu.is_some()),
            ("--list-clips", args.list_clips),
        ];
        let given = others.into_iter().filter_map(|(option, is_given)| is_given.then_some(option));
        if let Some(option) = given.chain(args.paintings().map(|(option, _)| option)).next() {
            anyhow::bail!("{option} cannot be used with --many, whose answers are in the data set");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_disjoint_and_complete() {
        for n in 1..9u64 {
            let all: Vec<Shard> = (1..=n).map(|i| format!("{i}/{n}").parse().unwrap()).collect();
            for hash in (0..200).chain([u64::MAX - 1, u64::MAX]) {
                assert_eq!(all.iter().filter(|shard| shard.has(hash)).count(), 1);
            }
        }
        for text in ["0/4", "5/4", "1", "1/0", "a/b", "-1/4", "1/4/2", ""] {
            assert!(text.parse::<Shard>().unwrap_err().contains("I from 1 to N"), "{text}");
        }
    }
}
