//! Queries that are stopped, and threads that work alone.

use super::{Mutant, mutant};

const SEARCH: &str = "engine/search.rs";
const WORLD: &str = "world.rs";
const THREADS: &str = "threads.rs";
const OF_FLAGS: &[&str] = &["--test it sink::a_flag_ends_a_query"];
const OF_THREADS: &[&str] = &["--lib threads::"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "a search goes on although its flag is set",
        SEARCH,
        &[("self.asked.is_some_and(", "!MUTANT && self.asked.is_some_and(")],
        OF_FLAGS,
    ),
    mutant(
        "the part of the contacts that was found before the flag is a whole answer",
        WORLD,
        &[(
            "engine::contacts(parts, query, culling, goal, budget));\n        if query.is_stopped() {",
            "engine::contacts(parts, query, culling, goal, budget));\n        if !MUTANT && query.is_stopped() {",
        )],
        OF_FLAGS,
    ),
    mutant(
        "the part of the crossings that was found before the flag is a whole answer",
        WORLD,
        &[(
            "engine::crossings(parts, query, culling, goal, budget));\n        if query.is_stopped() {",
            "engine::crossings(parts, query, culling, goal, budget));\n        if !MUTANT && query.is_stopped() {",
        )],
        OF_FLAGS,
    ),
    mutant(
        "the part of the proximities that was found before the flag is a whole answer",
        "world/closeness.rs",
        &[(
            "if query.is_stopped() { Err(Error::Stopped) } else { Ok(stats) }",
            "if !MUTANT && query.is_stopped() { Err(Error::Stopped) } else { Ok(stats) }",
        )],
        OF_FLAGS,
    ),
    mutant(
        "a thread that works alone wakes the others",
        THREADS,
        &[("if IS_ALONE.get() { 1 }", "if IS_ALONE.get() && !MUTANT { 1 }")],
        OF_THREADS,
    ),
    mutant(
        "a thread that has worked alone stays alone",
        THREADS,
        &[("IS_ALONE.set(self.0);", "IS_ALONE.set(self.0 || MUTANT);")],
        OF_THREADS,
    ),
    mutant(
        "work within work of a thread alone ends that, too",
        THREADS,
        &[("Until(IS_ALONE.replace(true))", "Until(IS_ALONE.replace(true) && !MUTANT)")],
        OF_THREADS,
    ),
];
