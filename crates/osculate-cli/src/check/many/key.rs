//! Names: the key of an answer, and the slot of a clip.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::snapshot;
use crate::check::Args;
use crate::check::choices::{Choice, choices};
use crate::check::rules::{Baseline, Rules};

/// The version of the program, as part of every key.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The layout of the data set, as part of every key.
const LAYOUT: &str = "osculate-clips/1";

/// Digits of a hash in the names of files.
const DIGITS: usize = 20;

/// The key of the answer for a clip: the hash of all that it depends on. `nth` counts the clips of
/// this name that stand before it in the file.
pub(super) fn key(options: &str, file_hash: &str, clip: &str, nth: usize) -> String {
    let texts = [LAYOUT, VERSION, options, file_hash, clip, &nth.to_string()];
    snapshot::of_texts(&texts.map(str::as_bytes))
}

/// The options that the answer depends on, as text.
pub(super) fn options(args: &Args, rules: &Rules) -> Result<String> {
    let mut words = Vec::new();
    for Choice { name, value, .. } in choices(args, rules) {
        let value = match (name, rules.baseline()) {
            ("baseline", Baseline::File(path)) => {
                let hash = snapshot::of_file(&path).with_context(|| path.display().to_string())?;
                Some(format!("sha256:{hash}"))
            }
            _ => value,
        };
        words.push(match value {
            None => name.to_owned(),
            // So that a name with blanks is not read as two options.
            Some(value) if value.contains(|c: char| c.is_whitespace() || c == '"') => {
                format!("{name}={value:?}")
            }
            Some(value) => format!("{name}={value}"),
        });
    }
    Ok(words.join(" "))
}

/// The place of a clip in the data set: the same for any content of the file, so that a new answer
/// replaces the old one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    /// The folder below that of a table, as readers of partitioned data expect it. The letter makes
    /// its value a text for readers that guess types.
    pub(super) part: String,
    pub(super) name: String,
}

impl Slot {
    /// The slot of a clip.
    pub(super) fn of_clip(input: &Path, clip: &str, nth: usize) -> Slot {
        let hash = snapshot::of_texts(&[clip.as_bytes(), nth.to_string().as_bytes()]);
        Slot { part: part(input), name: format!("{}{}.parquet", prefix(input), &hash[..DIGITS]) }
    }

    /// The slot of a file that has no clips, as it cannot be read.
    pub(super) fn of_file(input: &Path) -> Slot {
        Slot { part: part(input), name: format!("{}file.parquet", prefix(input)) }
    }
}

/// The folder of all slots of a file.
pub(super) fn part(input: &Path) -> String {
    format!("part=p{}", &of_path(input)[..2])
}

/// How the names of all slots of a file begin.
pub(super) fn prefix(input: &Path) -> String {
    format!("{}-", &of_path(input)[..DIGITS])
}

/// The number by which files are divided into shards.
pub(super) fn number(input: &Path) -> u64 {
    u64::from_str_radix(&of_path(input)[..16], 16).unwrap_or_default()
}

fn of_path(input: &Path) -> String {
    snapshot::of_texts(&[input.as_os_str().as_encoded_bytes()])
}
