//! Baselines: overlaps that are known, and set aside.
//!
//! A baseline file is TOML with a `[[pair]]` for each pair of parts and clip:
//!
//! ```toml
//! [[pair]]
//! parts = ["Badge_Shield", "Spike_Shield"]
//! clip = "Idle"     # without it, in all clips
//! depth = 0.25      # accepted up to this depth, or a little more
//! ```

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use osculate_io::write::{ClipReport, Measure, Pair, Report, Status};

use super::toml::{self, Entry, Value, quoted};

/// An overlap is as deep as another one if it exceeds it by at most this part. With too small a
/// value, breathing and rounding make known overlaps new; with too large a one, a hand that sinks
/// deeper into a hip stays unnoticed.
const SAME_PART: f64 = 0.1;

/// Or by at most this part of the size of the surface, for the same reasons.
const SAME_OF_SIZE: f64 = 0.001;

/// Whether an overlap is no worse than a known one, in a surface of this size.
pub(super) fn is_same(severity: f64, known: f64, size: f64) -> bool {
    severity <= known * (1.0 + SAME_PART) + SAME_OF_SIZE * size
}

/// The severity that an overlap must exceed for another one to be no worse, unless it is zero.
pub(super) fn least_same(severity: f64, size: f64) -> f64 {
    ((severity - SAME_OF_SIZE * size) / (1.0 + SAME_PART)).max(0.0)
}

/// The depth that is accepted for a pair of parts.
#[derive(Clone, Debug, PartialEq)]
struct Accepted {
    /// In this clip; in all, if there is none.
    clip: Option<String>,
    severity: f64,
    line: usize,
}

/// Overlaps that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// By the names of the parts, in order.
    pairs: BTreeMap<[String; 2], Vec<Accepted>>,
    /// The name of the file, if it is one.
    file: Option<String>,
    used: HashSet<usize>,
}

fn key([a, b]: [&str; 2]) -> [String; 2] {
    if a <= b { [a.to_owned(), b.to_owned()] } else { [b.to_owned(), a.to_owned()] }
}

impl Known {
    /// The overlaps of a pose.
    pub(super) fn of_pose<'a>(overlaps: impl Iterator<Item = ([&'a str; 2], Measure)>) -> Known {
        let mut known = Known::default();
        for (parts, measure) in overlaps {
            let accepted = Accepted { clip: None, severity: measure.severity(), line: 0 };
            known.pairs.entry(key(parts)).or_default().push(accepted);
        }
        known
    }

    /// Reads a baseline file.
    pub(super) fn read(path: &Path) -> Result<Known> {
        let file = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| file.clone())?;
        let mut known = Known { file: Some(file.clone()), ..Known::default() };
        for section in toml::parse(&file, &text)? {
            if section.name.is_empty() {
                if let Some(entry) = section.entries.iter().find(|entry| entry.key != "format") {
                    bail!("{file}, line {}, key '{}': it stands before any [[pair]]", entry.line, entry.key);
                }
                continue;
            }
            let line = section.line;
            ensure!(
                section.name == "pair",
                "{file}, line {line}: there is no table '{}'; a baseline has [[pair]] only",
                section.name
            );
            let (mut parts, mut clip, mut depth) = (None, None, None);
            for Entry { key, value, line } in section.entries {
                match (key.as_str(), value) {
                    ("parts", Value::Texts(names)) if names.len() == 2 => parts = Some(names),
                    ("clip", Value::Text(name)) => clip = Some(name),
                    ("depth", Value::Number(number)) if 0.0 <= number => depth = Some(number),
                    ("parts", _) => bail!("{file}, line {line}, key 'parts': two names are expected"),
                    ("clip", _) => bail!("{file}, line {line}, key 'clip': a name is expected"),
                    ("depth", _) => {
                        bail!("{file}, line {line}, key 'depth': a length, 0 or more, is expected")
                    }
                    // Written for people.
                    ("frames" | "status", _) => {}
                    _ => bail!(
                        "{file}, line {line}, key '{key}': there is no such key; there are parts, clip and depth"
                    ),
                }
            }
            let Some(parts) = parts else {
                bail!("{file}, line {line}, key 'parts': it is missing in this [[pair]]")
            };
            let Some(severity) = depth else {
                bail!("{file}, line {line}, key 'depth': it is missing in this [[pair]]")
            };
            let accepted = Accepted { clip, severity, line };
            known.pairs.entry(key([&parts[0], &parts[1]])).or_default().push(accepted);
        }
        Ok(known)
    }

    /// Whether an overlap in a clip is known.
    pub(super) fn has(&mut self, parts: [&str; 2], clip: &str, severity: f64, size: f64) -> bool {
        let Some(all) = self.pairs.get(&key(parts)) else { return false };
        let mut is_known = false;
        for accepted in all.iter().filter(|one| one.clip.as_ref().is_none_or(|name| name == clip)) {
            self.used.insert(accepted.line);
            is_known |= is_same(severity, accepted.severity, size);
        }
        is_known
    }

    /// A sentence about entries of a file that fit nothing that was found.
    pub(super) fn unused(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        let unused: Vec<String> = self
            .pairs
            .iter()
            .flat_map(|(parts, all)| all.iter().map(move |one| (one.line, parts, &one.clip)))
            .filter(|(line, ..)| !self.used.contains(line))
            .map(|(line, [a, b], clip)| {
                let clip = clip.as_ref().map_or(String::new(), |clip| format!(" in clip '{clip}'"));
                format!("line {line}, {a} and {b}{clip}")
            })
            .collect();
        let shown = unused.iter().take(5).cloned().collect::<Vec<_>>().join("; ");
        let more = unused.len().saturating_sub(5);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        (!unused.is_empty()).then(|| format!("{file}: overlaps that do not occur (any more): {shown}{more}"))
    }
}

/// How a baseline file starts.
pub(super) const HEAD: &str =
    "# Overlaps that are known. `osculate check --baseline` sets them aside, unless they become deeper.
format = \"osculate-baseline/1\"
";

/// The baseline file of a report: all of its overlaps.
pub(super) fn text_of(report: &Report) -> String {
    let mut text = String::from(HEAD);
    let mut written: HashSet<(&str, [Arc<str>; 2])> = HashSet::new();
    for clip in &report.clips {
        let ClipReport { name, pairs, .. } = clip;
        for pair in pairs.iter().filter(|pair| written.insert((name, pair.parts.clone()))) {
            text.push_str(&entry(name, pair));
        }
    }
    text
}

/// The entry of a pair in a baseline file.
pub(super) fn entry(clip: &str, pair: &Pair) -> String {
    let Pair { parts: [a, b], status, .. } = pair;
    let worst = pair.worst();
    let mut text = format!("\n[[pair]]\nparts = [{}, {}]\n", quoted(a), quoted(b));
    let _ = write!(text, "clip = {}\ndepth = {:?}", quoted(clip), worst.worst.severity());
    let aside = if *status == Status::New { "" } else { ", set aside" };
    let _ = writeln!(text, " # worst in frame {}{aside}", worst.worst_frame);
    text
}
