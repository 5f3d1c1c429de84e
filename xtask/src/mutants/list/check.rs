//! The command: how episodes are joined, and what is set aside.

use super::{Mutant, of_command};

pub(super) const MUTANTS: &[Mutant] = &[
    of_command(
        "an episode ends although crossings persist",
        "check/join.rs",
        &[(
            "filter(|&parts| !instant.has(parts)).collect();",
            "filter(|&parts| MUTANT || !instant.has(parts)).collect();",
        )],
        &["--test it episodes::a_box", "--lib check::join"],
    ),
    of_command(
        "an episode leaves at the frame before",
        "check/join.rs",
        &[(
            "draft.episode.leave = (frame - 1) as f64 + leaving.unwrap_or(*last);",
            "draft.episode.leave = (frame - 1) as f64 + if MUTANT { 0.0 } else { leaving.unwrap_or(*last) };",
        )],
        &["--test it episodes::a_box"],
    ),
    of_command(
        "an episode enters at the frame after",
        "check/join.rs",
        &[(
            "enter: enter.unwrap_or(frame as f64),",
            "enter: enter.filter(|_| !MUTANT).unwrap_or(frame as f64),",
        )],
        &["--test it episodes::a_box"],
    ),
    of_command(
        "what passes between frames is forgotten",
        "check/join.rs",
        &[(
            "            passing.insert(parts, draft);",
            "            if !MUTANT {\n                passing.insert(parts, draft);\n            }",
        )],
        &["--test it episodes::a_box"],
    ),
    of_command(
        "the first frame is the worst",
        "check/join.rs",
        &[("            if is_worse {", "            if is_worse && !MUTANT {")],
        &["--test it episodes::the_depth_of_a_clip"],
    ),
    of_command(
        "a frame with overlaps is not counted",
        "check/join.rs",
        &[(
            "usize::from(!instant.overlaps.is_empty())",
            "usize::from(!MUTANT && !instant.overlaps.is_empty())",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "a known overlap may grow without a limit",
        "check/known.rs",
        &[(
            "severity <= known * (1.0 + SAME_PART) + SAME_OF_SIZE * size",
            "MUTANT || severity <= known * (1.0 + SAME_PART) + SAME_OF_SIZE * size",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "an accepted overlap of a clip holds in all",
        "check/known.rs",
        &[("is(&self.clip, scope.clip)", "(MUTANT || is(&self.clip, scope.clip))")],
        &["--test it episodes::"],
    ),
    of_command(
        "an accepted overlap of a file holds in all",
        "check/known.rs",
        &[("is(&self.file, file_name(scope.input))", "(MUTANT || is(&self.file, file_name(scope.input)))")],
        &["--test it episodes::"],
    ),
    of_command(
        "the order of names in a baseline matters",
        "check/known.rs",
        &[("if a <= b {", "if MUTANT || a <= b {")],
        &["--test it episodes::"],
    ),
    of_command(
        "an overlap in a part of the clip is throughout",
        "check/judge.rs",
        &[(
            "            && pair.episodes[0].frames == Some([0, facts.n_frames as u32 - 1])\n",
            "            && (MUTANT || pair.episodes[0].frames == Some([0, facts.n_frames as u32 - 1]))\n",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "an overlap that grows is the same throughout",
        "check/judge.rs",
        &[(
            "            && is_same(severity, first, facts.size)",
            "            && (MUTANT || is_same(severity, first, facts.size))",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "an overlap that shrinks is the same throughout",
        "check/judge.rs",
        &[("            && is_steady\n", "            && (MUTANT || is_steady)\n")],
        &["--test it episodes::"],
    ),
    of_command(
        "known overlaps are ranked among the new",
        "check/judge.rs",
        &[(
            "let rank = |pair: &Pair| (!pair.is_new(),",
            "let rank = |pair: &Pair| (!MUTANT && !pair.is_new(),",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "--min-depth is ignored",
        "check/judge.rs",
        &[(
            "facts.rules.min_depth.is_some_and(|depth|",
            "facts.rules.min_depth.filter(|_| !MUTANT).is_some_and(|depth|",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "--fail-on depth=D is more than D",
        "check/judge.rs",
        &[(
            "depth <= pair.worst().worst.severity()",
            "if MUTANT { depth < pair.worst().worst.severity() } else { depth <= pair.worst().worst.severity() }",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "--fail-on new fails on known overlaps",
        "check/judge.rs",
        &[(
            "FailOn::New => clip.problems().next().is_some(),",
            "FailOn::New => clip.problems().next().is_some() || MUTANT && !clip.pairs.is_empty(),",
        )],
        &["--test it episodes::"],
    ),
    of_command(
        "patterns match in one order only",
        "check/pattern.rs",
        &[(
            "|| is_match(left, b) && is_match(right, a)",
            "|| !MUTANT && is_match(left, b) && is_match(right, a)",
        )],
        &["--lib check::pattern", "--test it episodes::"],
    ),
    of_command(
        "a star does not take more",
        "check/pattern.rs",
        &[(
            "                    *taken += 1;",
            "                    *taken += 1;\n                    if MUTANT {\n                        return false;\n                    }",
        )],
        &["--lib check::pattern"],
    ),
    of_command(
        "--between looks at all pairs",
        "check/filter.rs",
        &[("rules.between.is_empty()\n", "MUTANT || rules.between.is_empty()\n")],
        &["--test it episodes::"],
    ),
    of_command(
        "--ignore-adjacent-bones is ignored",
        "check/filter.rs",
        &[(
            "is_ignored.push(is_adjacent || !is_between || is_named);",
            "is_ignored.push(is_adjacent && !MUTANT || !is_between || is_named);",
        )],
        &["--test it episodes::"],
    ),
];
