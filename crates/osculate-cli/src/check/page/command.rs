//! The commands that check everything, or one problem, again.

use std::path::{Path, PathBuf};

use super::problems::Problem;
use crate::check::args::Args;
use crate::check::choices::choices;
use crate::check::pattern::PairPattern;
use crate::check::rules::Baseline;
use crate::source::has_clips;

/// The command for everything, to be pasted into a shell: with all options that the answer depends
/// on, and those without which the input is not read as it was.
pub(super) fn of_all(args: &Args) -> String {
    let mut command = Command::new(args, &args.source.input);
    if let Some(clip) = &args.source.clip {
        command.option("clip", clip);
    }
    command.choices(args, &[]);
    command.text()
}

/// The command for the worst episode of a problem in a file.
pub(super) fn of_problem(args: &Args, problem: &Problem, file: &str) -> String {
    // A sequence of files is one input; otherwise each file is.
    let alone = args.source.input.iter().find(|path| path.display().to_string() == file);
    let inputs = alone.map_or(args.source.input.as_slice(), std::slice::from_ref);
    let mut command = Command::new(args, inputs);
    if inputs.first().is_some_and(|path| has_clips(path)) {
        command.option("clip", &problem.report.name);
    }
    command.choices(args, &["frames", "between", "baseline"]);
    // The first frame would be another one. Whether the problem is new is known.
    match args.rules.baseline() {
        Baseline::Rest => {}
        Baseline::First => command.option("baseline", "none"),
        other => command.option("baseline", &other.to_string()),
    }
    let [first, last] = frames(args, problem);
    command.option("frames", &format!("{first}..{last}"));
    command.option("between", &PairPattern::text_of(problem.pair.parts.each_ref().map(|part| &**part)));
    command.flag("all");
    command.text()
}

/// The frames of the worst episode of a problem, with a neighbor if there is a step to be looked
/// at.
fn frames(args: &Args, problem: &Problem) -> [u32; 2] {
    let worst = problem.pair.worst();
    let [first, last] = worst.frames.unwrap_or([worst.worst_frame; 2]);
    match problem.report.frames {
        _ if first < last || args.discrete => [first, last],
        [_, end] if last < end => [first, last + 1],
        [start, _] => [first.saturating_sub(1).max(start), last],
    }
}

/// The words of a command for a POSIX shell.
struct Command {
    words: Vec<String>,
}

impl Command {
    /// The command without what the answer depends on.
    fn new(args: &Args, inputs: &[PathBuf]) -> Command {
        let mut command = Command { words: vec!["osculate".to_owned(), "check".to_owned()] };
        command.words.extend(inputs.iter().map(|path| quoted(&not_an_option(path))));
        if let Some(scene) = &args.source.scene {
            command.option("scene", scene);
        }
        if let Some(bytes) = args.source.memory {
            command.option("memory", &bytes.to_string());
        }
        if args.no_config {
            command.flag("no-config");
        }
        command
    }

    /// Adds what the answer depends on, but the options of some names.
    fn choices(&mut self, args: &Args, without: &[&str]) {
        for choice in choices(args, &args.rules) {
            if choice.is_default || without.contains(&choice.name) {
                continue;
            }
            match choice.value {
                Some(value) => self.option(choice.name, &value),
                None => self.flag(choice.name),
            }
        }
    }

    fn option(&mut self, name: &str, value: &str) {
        // Otherwise it would be read as another option.
        if value.starts_with('-') {
            self.words.push(format!("--{name}={}", quoted(value)));
        } else {
            self.words.extend([format!("--{name}"), quoted(value)]);
        }
    }

    fn flag(&mut self, name: &str) {
        self.words.push(format!("--{name}"));
    }

    fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// A path as a word that does not begin with a hyphen.
fn not_an_option(path: &Path) -> String {
    let text = path.display().to_string();
    if text.starts_with('-') { format!("./{text}") } else { text }
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::page::scenery::tests::report;

    #[test]
    fn a_shell_reads_quoted_words_as_they_are() {
        let cases = [
            ("hero.glb", "hero.glb"),
            ("my hero.glb", "'my hero.glb'"),
            ("$(rm x)", "'$(rm x)'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("a:b", "a:b"),
            ("-x", "-x"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn the_command_for_everything_has_what_the_answer_depends_on() {
        let cases = [
            "",
            "hero.glb --clip 'Run fast' --fps 24",
            "./-hero.fbx --memory 2000000000 --no-config --clip=-x --method normal-cone:front --bodies components --baseline known.toml --frames 3..9 --ignore 'a b:c' --ignore x:y::z --between 'Body*:Coat*' --exclude-rings 2 --min-depth 0.001 --thickness 0.5 --continuous --no-rest-exclusion --earliest --verify --contacts --ignore-adjacent-bones",
            "--scene cloth_ball --discrete",
        ];
        for words in cases {
            let expected = format!("osculate check {words}");
            assert_eq!(of_all(&Args::of_shell(words)), expected.trim_end());
        }
        // Others are left out.
        let args = Args::of_shell(
            "a.glb --front --method normal-cone --threads 3 --all --top 5 --json x --report y",
        );
        assert_eq!(of_all(&args), "osculate check a.glb --method normal-cone:front");
    }
    #[test]
    fn the_command_for_a_problem_names_its_clip_frames_and_parts() {
        let command = |words: &str, parts: [&str; 2], frames: Option<[u32; 2]>, file: &str| {
            let mut report = report();
            let pair = &mut report.clips[0].pairs[0];
            pair.parts = parts.map(Into::into);
            pair.episodes[0].frames = frames;
            let clip = &report.clips[0];
            let problem =
                Problem { id: String::new(), clip: 0, report: clip, pair: &clip.pairs[0], parts: [0, 1] };
            of_problem(&Args::of_shell(words), &problem, file)
        };
        let ends = "--frames 70..72 --between Hand.L:Hand.R --all";
        let run = Some([70, 72]);
        // Which files have clips to choose from.
        for name in ["a.glb", "a.GLTF", "a.vrm", "a.fbx"] {
            let found = command(name, ["Hand.L", "Hand.R"], run, name);
            assert_eq!(found, format!("osculate check {name} --clip figure {ends}"));
        }
        for name in ["a.usd", "a.abc", "a.npz", "frames"] {
            let found = command(name, ["Hand.L", "Hand.R"], run, name);
            assert_eq!(found, format!("osculate check {name} {ends}"));
        }
        let found = command("a.fbx b.fbx", ["Hand.L", "Hand.R"], run, "b.fbx");
        assert_eq!(found, format!("osculate check b.fbx --clip figure {ends}"));
        let found = command("1.ply 2.ply", ["Hand.L", "Hand.R"], run, "1.ply and 1 more");
        assert_eq!(found, format!("osculate check 1.ply 2.ply {ends}"));
        // Where a frame is alone, its neighbor is there, unless only frames are looked at.
        for (words, frames, expected) in [
            ("", Some([70, 70]), "70..71"),
            ("", None, "71..72"),
            ("", Some([89, 89]), "88..89"),
            (" --discrete", Some([89, 89]), "89..89"),
        ] {
            let found = command(&format!("--scene figure{words}"), ["a", "b"], frames, "scene figure");
            assert_eq!(
                found,
                format!("osculate check --scene figure{words} --frames {expected} --between a:b --all")
            );
        }
        // What it is compared with, and other pairs and frames.
        let words = "a.npz --baseline first --frames 3..80 --between x:y --min-depth 0.1";
        let found = command(words, ["rig:a", "it's"], run, "a.npz");
        assert_eq!(
            found,
            r"osculate check a.npz --min-depth 0.1 --baseline none --frames 70..72 --between 'rig:a::it'\''s' --all"
        );
        let found = command("a.npz --baseline 'my known.toml'", ["Hand.L", "Hand.R"], run, "a.npz");
        assert_eq!(found, format!("osculate check a.npz --baseline 'my known.toml' {ends}"));
    }
}
