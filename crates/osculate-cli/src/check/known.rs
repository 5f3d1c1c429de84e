//! Baselines: overlaps that are known, and set aside.
//!
//! A baseline file is TOML with a `[[pair]]` for each pair of parts, clip and file:
//!
//! ```toml
//! [[pair]]
//! parts = ["Badge_Shield", "Spike_Shield"]
//! clip = "Idle"         # without it, in all clips
//! file = "knight.glb"   # without it, in all files
//! depth = 0.25          # accepted up to this depth, or a little more
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

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
    /// In this file, by its name without folders; in all, if there is none.
    file: Option<String>,
    severity: f64,
    line: usize,
    /// Whether the pair overlaps in a clip that this is about.
    is_found: bool,
    /// Whether all of a clip that this is about was checked.
    is_checked: bool,
    /// Whether such an overlap may have been missed, as something that this is about was not
    /// checked.
    is_open: bool,
}

impl Accepted {
    fn new(severity: f64, line: usize) -> Accepted {
        let [is_found, is_checked, is_open] = [false; 3];
        Accepted { clip: None, file: None, severity, line, is_found, is_checked, is_open }
    }

    fn is_about(&self, scope: Scope) -> bool {
        let is = |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
        is(&self.clip, scope.clip) && is(&self.file, file_name(scope.input))
    }
}

/// A clip of an input.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) input: &'a str,
    pub(super) clip: &'a str,
}

/// What was looked at in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// All frames and all steps.
    All,
    /// All frames.
    Frames,
    /// Not even that.
    Part,
}

/// The name of an input without its folders, so that an entry fits wherever the command is run.
fn file_name(input: &str) -> &str {
    Path::new(input).file_name().and_then(|name| name.to_str()).unwrap_or(input)
}

/// Overlaps that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// By the names of the parts, in order.
    pairs: BTreeMap<[String; 2], Vec<Accepted>>,
    /// The name of the file, if it is one.
    file: Option<String>,
}

fn key([a, b]: [&str; 2]) -> [String; 2] {
    if a <= b { [a.to_owned(), b.to_owned()] } else { [b.to_owned(), a.to_owned()] }
}

impl Known {
    /// The overlaps of a pose.
    pub(super) fn of_pose<'a>(overlaps: impl Iterator<Item = ([&'a str; 2], Measure)>) -> Known {
        let mut known = Known::default();
        for (parts, measure) in overlaps {
            let accepted = Accepted::new(measure.severity(), 0);
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
            let (mut parts, mut clip, mut of_file, mut depth) = (None, None, None, None);
            for Entry { key, value, line } in section.entries {
                match (key.as_str(), value) {
                    ("parts", Value::Texts(names)) if names.len() == 2 => parts = Some(names),
                    ("clip", Value::Text(name)) => clip = Some(name),
                    ("file", Value::Text(name)) => of_file = Some(name),
                    ("depth", Value::Number(number)) if 0.0 <= number => depth = Some(number),
                    ("parts", _) => bail!("{file}, line {line}, key 'parts': two names are expected"),
                    ("clip" | "file", _) => bail!("{file}, line {line}, key '{key}': a name is expected"),
                    ("depth", _) => {
                        bail!("{file}, line {line}, key 'depth': a length, 0 or more, is expected")
                    }
                    // Written for people.
                    ("frames" | "status", _) => {}
                    _ => bail!(
                        "{file}, line {line}, key '{key}': there is no such key; there are parts, clip, file and depth"
                    ),
                }
            }
            let Some(parts) = parts else {
                bail!("{file}, line {line}, key 'parts': it is missing in this [[pair]]")
            };
            let Some(severity) = depth else {
                bail!("{file}, line {line}, key 'depth': it is missing in this [[pair]]")
            };
            let accepted = Accepted { clip, file: of_file, ..Accepted::new(severity, line) };
            known.pairs.entry(key([&parts[0], &parts[1]])).or_default().push(accepted);
        }
        Ok(known)
    }

    /// Whether an overlap in a clip is known.
    pub(super) fn has(&mut self, parts: [&str; 2], scope: Scope, severity: f64, size: f64) -> bool {
        let Some(all) = self.pairs.get_mut(&key(parts)) else { return false };
        let mut is_known = false;
        for accepted in all.iter_mut().filter(|one| one.is_about(scope)) {
            accepted.is_found = true;
            is_known |= is_same(severity, accepted.severity, size);
        }
        is_known
    }

    /// Takes note of what was looked at in a clip, and which parts were ignored there: only what
    /// was looked at can be missing. What has no depth may be between frames.
    pub(super) fn looked(&mut self, scope: Scope, seen: Seen, is_ignored: impl Fn([&str; 2]) -> bool) {
        for ([a, b], all) in &mut self.pairs {
            for one in all.iter_mut().filter(|one| one.is_about(scope)) {
                let is_complete = seen == Seen::All || seen == Seen::Frames && 0.0 < one.severity;
                let is_checked = is_complete && !is_ignored([a, b]);
                one.is_checked |= is_checked;
                one.is_open |= !is_checked;
            }
        }
    }

    /// A sentence about entries of a file that fit nothing that was found, though all that they are
    /// about was checked. An entry without a clip is about all clips, so it is left out unless
    /// `has_all_clips`.
    pub(super) fn unused(&self, has_all_clips: bool) -> Option<String> {
        let file = self.file.as_ref()?;
        let mut unused: Vec<(usize, String)> = Vec::new();
        for ([a, b], all) in &self.pairs {
            for one in all.iter().filter(|one| one.is_checked && !one.is_found && !one.is_open) {
                let of_clip = one.clip.as_ref().map_or(String::new(), |clip| format!(" in clip '{clip}'"));
                let of_file = one.file.as_ref().map_or(String::new(), |file| format!(" of {file}"));
                if one.clip.is_some() || has_all_clips {
                    unused.push((one.line, format!("line {}, {a} and {b}{of_clip}{of_file}", one.line)));
                }
            }
        }
        unused.sort_unstable();
        let shown: Vec<&str> = unused.iter().take(5).map(|(_, words)| words.as_str()).collect();
        let shown = shown.join("; ");
        let more = unused.len().saturating_sub(5);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        (!unused.is_empty()).then(|| format!("{file}: overlaps that do not occur (any more): {shown}{more}"))
    }
}

/// How a baseline file starts.
pub const HEAD: &str =
    "# Overlaps that are known. `osculate check --baseline` sets them aside, unless they become deeper.
format = \"osculate-baseline/1\"
";

/// The baseline file of a report: all of its overlaps. Of clips and parts with the same names, the
/// deepest overlap is there.
pub(super) fn text_of(report: &Report) -> String {
    let mut all: Vec<(&ClipReport, &Pair)> = Vec::new();
    let mut numbers: HashMap<(&str, &str, [String; 2]), usize> = HashMap::new();
    for clip in &report.clips {
        let file = file_name(&report.files[clip.file].name);
        for pair in &clip.pairs {
            let parts = key(pair.parts.each_ref().map(|part| &**part));
            let number = *numbers.entry((file, &clip.name, parts)).or_insert(all.len());
            let severity = |pair: &Pair| pair.worst().worst.severity();
            match all.get_mut(number) {
                None => all.push((clip, pair)),
                Some(deepest) if severity(deepest.1) < severity(pair) => *deepest = (clip, pair),
                Some(_) => {}
            }
        }
    }
    String::from(HEAD) + &all.into_iter().map(|(clip, pair)| entry(report, clip, pair)).collect::<String>()
}

/// The entries of all pairs, in the order of [`Report::ranked`]: problems, then others.
pub(super) fn entries_of(report: &Report) -> Vec<String> {
    let all = [true, false].into_iter().flat_map(|is_new| report.ranked(is_new));
    all.map(|(clip, pair)| entry(report, clip, pair)).collect()
}

/// The entry of a pair in a baseline file; it names the file if there are several.
pub(super) fn entry(report: &Report, clip: &ClipReport, pair: &Pair) -> String {
    let Pair { parts: [a, b], status, .. } = pair;
    let worst = pair.worst();
    let mut text = format!("\n[[pair]]\nparts = [{}, {}]\n", quoted(a), quoted(b));
    let _ = writeln!(text, "clip = {}", quoted(&clip.name));
    if 1 < report.files.len() {
        let _ = writeln!(text, "file = {}", quoted(file_name(&report.files[clip.file].name)));
    }
    let aside = if *status == Status::New { "" } else { ", set aside" };
    let depth = worst.worst.severity();
    let _ = writeln!(text, "depth = {depth:?} # worst in frame {}{aside}", worst.worst_frame);
    text
}
