//! Data sets of many clips: what is skipped, replaced and removed, and when.

use super::{Mutant, of_command};

pub(super) const MUTANTS: &[Mutant] = &[
    of_command(
        "the answer for other content or options is taken for that of a clip",
        "check/many/task.rs",
        &[("row.key == key", "(MUTANT || row.key == key)")],
        &["--features parquet --test it many::answers_for_old_bytes"],
    ),
    of_command(
        "an error is not tried again",
        "check/many/task.rs",
        &[("&& row.error.is_none()", "&& (MUTANT || row.error.is_none())")],
        &["--features parquet --test it many::what_cannot_be_checked"],
    ),
    of_command(
        "a clip whose check was interrupted gets a row",
        "check/many/task.rs",
        &[("if self.interrupted.load(Relaxed) {", "if !MUTANT && self.interrupted.load(Relaxed) {")],
        &["--features parquet --test it many::a_clip_whose_check_was_interrupted"],
    ),
    of_command(
        "a file that changes while it is checked is not read again",
        "check/many/task.rs",
        &[("if !snapshot.is_current() {", "if !MUTANT && !snapshot.is_current() {")],
        &["--features parquet --test it many::a_file_that_changes"],
    ),
    of_command(
        "a run for one clip removes the others",
        "check/many/task.rs",
        &[(
            "is_none() {\n            self.store.keep_only(self.input, &slots)?;",
            "is_none() || MUTANT {\n            self.store.keep_only(self.input, &slots)?;",
        )],
        &["--features parquet --test it many::clips_that_a_file_has_no_more"],
    ),
    of_command(
        "clips of a file that cannot be read any more stay",
        "check/many/task.rs",
        &[(
            "is_none() {\n            self.store.keep_only(self.input, &HashSet::from([slot]))?;",
            "is_none() && !MUTANT {\n            self.store.keep_only(self.input, &HashSet::from([slot]))?;",
        )],
        &["--features parquet --test it many::what_cannot_be_checked"],
    ),
    of_command(
        "the key does not depend on the options",
        "check/many/key.rs",
        &[("[LAYOUT, VERSION, options,", "[LAYOUT, VERSION, if MUTANT { \"\" } else { options },")],
        &["--features parquet --test it many::answers_for_old_bytes"],
    ),
    of_command(
        "the key does not depend on the content",
        "check/many/key.rs",
        &[("file_hash, clip, &nth", "if MUTANT { \"\" } else { file_hash }, clip, &nth")],
        &["--features parquet --test it many::answers_for_old_bytes"],
    ),
    of_command(
        "the key does not depend on the content of the baseline file",
        "check/many/key.rs",
        &[("format!(\"sha256:{hash}\")", "if MUTANT { String::new() } else { format!(\"sha256:{hash}\") }")],
        &["--features parquet --test it many::answers_for_old_bytes"],
    ),
    of_command(
        "clips of the same name have one row",
        "check/many/key.rs",
        &[(
            "&[clip.as_bytes(), nth.to_string().as_bytes()]",
            "&[clip.as_bytes(), (if MUTANT { 0 } else { nth }).to_string().as_bytes()]",
        )],
        &["--features parquet --test it many::clips_of_the_same_name"],
    ),
    of_command(
        "all files are in all shards",
        "check/many/args.rs",
        &[("hash % self.n == self.index - 1", "MUTANT || hash % self.n == self.index - 1")],
        &["--features parquet --test it many::shards_are"],
    ),
    of_command(
        "a row stays while its tables are replaced",
        "check/many/store.rs",
        &[("if before.is_some() {", "if before.is_some() && !MUTANT {")],
        &["--features parquet --test it many::a_row_is_not_there"],
    ),
    of_command(
        "episodes of an earlier answer stay",
        "check/many/store.rs",
        &[(
            "None => remove(&self.path(table, slot))?,",
            "None if MUTANT => {}\n                None => remove(&self.path(table, slot))?,",
        )],
        &["--features parquet --test it many::answers_for_old_bytes"],
    ),
    of_command(
        "clips that a file has no more stay",
        "check/many/store.rs",
        &[("&& !is_kept {", "&& !is_kept && !MUTANT {")],
        &["--features parquet --test it many::clips_that_a_file_has_no_more"],
    ),
    of_command(
        "unfinished files of other processes are removed",
        "check/many/store.rs",
        &[("|age| ABANDONED < age", "|age| MUTANT || ABANDONED < age")],
        &["--features parquet --test it many::remains_of_killed"],
    ),
    of_command(
        "remains of killed processes stay",
        "check/many/store.rs",
        &[(
            "let _ = fs::remove_file(entry.path());",
            "let _ = MUTANT || fs::remove_file(entry.path()).is_ok();",
        )],
        &["--features parquet --test it many::remains_of_killed"],
    ),
    of_command(
        "frames in a folder are known by their names",
        "check/many/snapshot.rs",
        &[("whole.update(hash);", "whole.update(if MUTANT { \"\" } else { hash });")],
        &["--features parquet --test it many::frames_in_a_folder"],
    ),
    of_command(
        "a file that is named twice is checked twice",
        "check/many/glob.rs",
        &[("    all.dedup();", "    if !MUTANT {\n        all.dedup();\n    }")],
        &["--features parquet --lib check::many::glob"],
    ),
    of_command(
        "hidden files are checked",
        "check/many/glob.rs",
        &[("if text.starts_with('.')", "if !MUTANT && text.starts_with('.')")],
        &["--features parquet --lib check::many::glob"],
    ),
    of_command(
        "clips that are there already pass --fail-on",
        "check/many/task.rs",
        &[(
            "Outcome { row, state, fails }",
            "Outcome { fails: fails && !(MUTANT && state == State::Skipped), row, state }",
        )],
        &["--features parquet --test it many::conditions_of_the_exit_code"],
    ),
];
