//! The command that shows a problem again.

use std::path::PathBuf;

use super::problems::Problem;

/// What the user has typed, as far as it decides what is checked.
pub(super) struct Command {
    pub(super) inputs: Vec<PathBuf>,
    pub(super) scene: Option<String>,
    pub(super) fps: f64,
    pub(super) is_discrete: bool,
}

/// The default of `--fps`.
const FPS: f64 = 30.0;

impl Command {
    /// The command for everything, to be pasted into a shell.
    pub(super) fn text(&self) -> String {
        self.words(&self.inputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()).join(" ")
    }

    /// The command for a problem in a file.
    pub(super) fn of_problem(&self, problem: &Problem, file: &str) -> String {
        // A sequence of files is one input; otherwise each file is.
        let is_alone = self.inputs.iter().any(|path| path.display().to_string() == file);
        let inputs: Vec<String> = match is_alone {
            true => vec![file.to_owned()],
            false => self.inputs.iter().map(|path| path.display().to_string()).collect(),
        };
        let mut words = self.words(&inputs);
        if self.is_gltf(&inputs) {
            words.extend(["--clip".into(), quoted(&problem.report.name)]);
        }
        let worst = problem.pair.worst();
        let [first, last] = worst.frames.unwrap_or([worst.worst_frame, worst.worst_frame + 1]);
        let last = last.min(problem.report.frames[1]);
        words.extend(["--frames".into(), format!("{first}..{last}")]);
        let [a, b] = &problem.pair.parts;
        words.extend(["--between".into(), quoted(&format!("{a}:{b}")), "--all".into()]);
        words.join(" ")
    }

    fn words(&self, inputs: &[String]) -> Vec<String> {
        let mut words = vec!["osculate".to_owned(), "check".to_owned()];
        words.extend(inputs.iter().map(|input| quoted(input)));
        if let Some(scene) = &self.scene {
            words.extend(["--scene".into(), quoted(scene)]);
        }
        if self.fps.to_bits() != FPS.to_bits() {
            words.extend(["--fps".into(), self.fps.to_string()]);
        }
        if self.is_discrete {
            words.push("--discrete".into());
        }
        words
    }

    fn is_gltf(&self, inputs: &[String]) -> bool {
        let ends = [".glb", ".gltf", ".vrm"];
        inputs.first().is_some_and(|input| ends.iter().any(|end| input.to_ascii_lowercase().ends_with(end)))
    }
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+@%".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_quoted_words_as_they_are() {
        let cases = [
            ("hero.glb", "hero.glb"),
            ("my hero.glb", "'my hero.glb'"),
            ("$(rm x)", "'$(rm x)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("-x", "'-x'"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word), expected);
        }
    }
}
