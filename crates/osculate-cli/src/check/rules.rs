//! What counts as a problem: options, and the same settings in `osculate.toml`.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args as Arguments;

use super::pattern::PairPattern;
use super::toml::{self, Entry, Value};

/// The name of the file with settings, beside an input or in a folder above it.
const FILE: &str = "osculate.toml";

/// What overlaps are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Baseline {
    /// The bind pose.
    #[default]
    Rest,
    /// The first frame that is checked.
    First,
    /// Nothing: every overlap is a problem.
    None,
    /// A file that `--write-baseline` wrote.
    File(PathBuf),
}

impl FromStr for Baseline {
    type Err = String;

    fn from_str(text: &str) -> Result<Baseline, String> {
        Ok(match text {
            "" => return Err("write rest, first, none or the name of a file".to_owned()),
            "rest" => Baseline::Rest,
            "first" => Baseline::First,
            "none" => Baseline::None,
            file => Baseline::File(PathBuf::from(file)),
        })
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Baseline::Rest => f.write_str("rest"),
            Baseline::First => f.write_str("first"),
            Baseline::None => f.write_str("none"),
            Baseline::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// When the exit code is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FailOn {
    /// A problem.
    New,
    /// Any overlap or contact, even if it is set aside.
    Any,
    /// A problem that is at least this deep.
    Depth(f64),
}

impl FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<FailOn, String> {
        let problem = || format!("'{text}' is no condition; write new, any or depth=D");
        match text {
            "new" => Ok(FailOn::New),
            "any" => Ok(FailOn::Any),
            _ => {
                let depth = text.strip_prefix("depth=").ok_or_else(problem)?;
                let depth: f64 = depth.trim().parse().map_err(|_| problem())?;
                if depth.is_finite() && 0.0 <= depth { Ok(FailOn::Depth(depth)) } else { Err(problem()) }
            }
        }
    }
}

/// What counts as a problem.
#[derive(Arguments, Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Set aside overlaps that are there in the bind pose (rest), in the first frame, or in a file
    /// that --write-baseline wrote; none sets nothing aside [default: rest]
    #[arg(long, value_name = "rest|first|none|FILE")]
    pub(super) baseline: Option<Baseline>,
    /// Ignore these parts where they overlap; * is any text, and A::B is for names with colons
    #[arg(long, value_name = "A:B")]
    pub(super) ignore: Vec<PairPattern>,
    /// Look only at overlaps of these parts; * is any text, and A::B is for names with colons
    #[arg(long, value_name = "A:B")]
    pub(super) between: Vec<PairPattern>,
    /// Ignore overlaps of a bone with its parent
    #[arg(long)]
    pub(super) ignore_adjacent_bones: bool,
    /// Ignore contacts of a body with itself between features at most N edges apart, and crossings
    /// of triangles that are
    #[arg(long, value_name = "N")]
    pub(super) exclude_rings: Option<u32>,
    /// Ignore overlaps that are less deep than this, in units of the input; where nothing is
    /// enclosed, a quarter of the extent of the intersection counts as depth
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(super) min_depth: Option<f64>,
    /// Exit with code 1 if there is a new problem, any overlap, or a problem of depth D or more
    #[arg(long, value_name = "new|any|depth=D")]
    pub(super) fail_on: Option<FailOn>,
}

impl Rules {
    /// Fails if a value is invalid.
    pub(super) fn validate(&self) -> Result<()> {
        if let Some(depth) = self.min_depth {
            ensure!(
                depth.is_finite() && 0.0 <= depth,
                "--min-depth is {depth}; it must be a length, 0 or more"
            );
        }
        Ok(())
    }

    /// The number of edges up to which features of one body are not compared.
    pub(super) fn rings(&self) -> u32 {
        self.exclude_rings.unwrap_or(0)
    }

    /// What overlaps are compared with.
    pub(super) fn baseline(&self) -> Baseline {
        self.baseline.clone().unwrap_or_default()
    }

    /// These rules, with those of the settings file for an input where they say nothing; lists are
    /// joined.
    pub(super) fn with_file(&self, input: &Path) -> Result<Rules> {
        let Some(path) = find(input) else { return Ok(self.clone()) };
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).with_context(|| name.clone())?;
        let mut rules = Rules::default();
        for section in toml::parse(&name, &text)? {
            ensure!(
                section.name.is_empty() || section.name == "check",
                "{name}, line {}: there is no table '{}'; settings are in [check] or before any header",
                section.line,
                section.name
            );
            for entry in &section.entries {
                rules.set(&name, entry, path.parent())?;
            }
        }
        let mut merged = self.clone();
        merged.ignore.extend(rules.ignore);
        merged.between.extend(rules.between);
        merged.ignore_adjacent_bones |= rules.ignore_adjacent_bones;
        merged.baseline = merged.baseline.or(rules.baseline);
        merged.exclude_rings = merged.exclude_rings.or(rules.exclude_rings);
        merged.min_depth = merged.min_depth.or(rules.min_depth);
        merged.fail_on = merged.fail_on.or(rules.fail_on);
        Ok(merged)
    }

    /// Takes a setting of a file, whose names of files are relative to its folder.
    fn set(&mut self, file: &str, entry: &Entry, folder: Option<&Path>) -> Result<()> {
        let Entry { key, value, line } = entry;
        let place = format!("{file}, line {line}, key '{key}'");
        let patterns = || -> Result<Vec<PairPattern>> {
            let texts = match value {
                Value::Text(text) => std::slice::from_ref(text),
                Value::Texts(texts) => texts,
                _ => bail!("{place}: a text 'A:B' or a list of them is expected"),
            };
            let parsed = texts.iter().map(|text| text.parse().map_err(anyhow::Error::msg));
            parsed.collect::<Result<_>>().with_context(|| place.clone())
        };
        let text = || match value {
            Value::Text(text) => Ok(text),
            _ => bail!("{place}: a text is expected"),
        };
        match (key.as_str(), value) {
            ("baseline", _) => {
                let baseline = text()?.parse().map_err(anyhow::Error::msg).with_context(|| place.clone())?;
                self.baseline = Some(match (baseline, folder) {
                    (Baseline::File(path), Some(folder)) => Baseline::File(folder.join(path)),
                    (other, _) => other,
                });
            }
            ("ignore", _) => self.ignore.extend(patterns()?),
            ("between", _) => self.between.extend(patterns()?),
            ("ignore-adjacent-bones", Value::Bool(is_on)) => self.ignore_adjacent_bones = *is_on,
            ("ignore-adjacent-bones", _) => bail!("{place}: true or false is expected"),
            ("exclude-rings", Value::Number(n)) if 0.0 <= *n && n.fract() == 0.0 && *n < 1e9 => {
                self.exclude_rings = Some(*n as u32);
            }
            ("exclude-rings", _) => bail!("{place}: a whole number, 0 or more, is expected"),
            ("min-depth", Value::Number(depth)) if 0.0 <= *depth => self.min_depth = Some(*depth),
            ("min-depth", _) => bail!("{place}: a length, 0 or more, is expected"),
            ("fail-on", _) => {
                let condition = text()?.parse().map_err(anyhow::Error::msg);
                self.fail_on = Some(condition.with_context(|| place.clone())?);
            }
            _ => bail!(
                "{place}: there is no such setting; there are baseline, ignore, between, ignore-adjacent-bones, exclude-rings, min-depth and fail-on"
            ),
        }
        Ok(())
    }
}

/// The settings file for an input: beside it, or in the nearest folder above it that has one.
fn find(input: &Path) -> Option<PathBuf> {
    let input = fs::canonicalize(input).ok()?;
    let folder = if input.is_dir() { Some(input.as_path()) } else { input.parent() };
    folder?.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file())
}
