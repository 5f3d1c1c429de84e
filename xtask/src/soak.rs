//! `cargo xtask soak`: the tests against the exact referees, with many more random queries.

use anyhow::Context as _;

use crate::shell::{self, cargo};

/// Random queries of each main test, unless the caller says otherwise.
pub(crate) const DEFAULT_QUERIES: u64 = 2_000_000;

/// The test targets that read the number of queries from the environment.
const TARGETS: [&str; 2] = ["narrow_vs_referee", "triangle_triangle"];

pub(crate) fn run(queries: u64) -> anyhow::Result<()> {
    let mut command = cargo(&["test", "--release", "--package", "osculate"]);
    for target in TARGETS {
        command.args(["--test", target]);
    }
    shell::run(command.args(["--", "--nocapture"]).env("OSCULATE_SOAK_QUERIES", queries.to_string()))
}

pub(crate) fn parse_queries(text: &str) -> anyhow::Result<u64> {
    text.parse().with_context(|| format!("the number of queries is `{text}`"))
}
