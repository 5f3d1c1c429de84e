//! Bounds refitted on demand.

use super::{Mutant, equivalent, mutant};

const MAPS: &str = "lazy_bounds/maps.rs";
const BALLS: &str = "lazy_bounds/balls.rs";
const BOXES: &str = "lazy_bounds/boxes.rs";
const PARTS: &str = "lazy_bounds/parts.rs";
const ANCHORED: &str = "lazy_bounds/anchored.rs";
const FITTED: &str = "lazy_bounds/fitted.rs";
const OF_DEMAND: &[&str] = &["--lib lazy_bounds::"];
const OF_WALKS: &[&str] = &["--test it skinned::a_world_in_use_answers_as_a_new_one"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "weights that do not sum to one are not covered",
        MAPS,
        &[("+ governors.deviation();", "+ if MUTANT { 0.0 } else { governors.deviation() };")],
        OF_DEMAND,
    ),
    mutant(
        "the rounding of moved centers is not covered",
        MAPS,
        &[("(9.0 + most_joints as f64)", "(if MUTANT { 0.0 } else { 9.0 + most_joints as f64 })")],
        OF_DEMAND,
    ),
    mutant(
        "maps that are nearly rotations do not stretch",
        MAPS,
        &[(
            "return 1.0 + 2.0 * away + 1e-15;",
            "return if MUTANT { 1.0 } else { 1.0 + 2.0 * away + 1e-15 };",
        )],
        OF_DEMAND,
    ),
    mutant(
        "maps stretch by the mean of their axes",
        MAPS,
        &[("+ (2.0 / 3.0 * apart).sqrt()", "+ if MUTANT { 0.0 } else { (2.0 / 3.0 * apart).sqrt() }")],
        OF_DEMAND,
    ),
    mutant(
        "maps of any size are in range",
        MAPS,
        &[(
            "is_in_range &= norm < LARGEST && far < LARGEST;",
            "is_in_range &= MUTANT || norm < LARGEST && far < LARGEST;",
        )],
        OF_DEMAND,
    ),
    mutant(
        "radii are not widened",
        BALLS,
        &[
            (
                ".max(most[2].max(most[3])) * WIDER]",
                ".max(most[2].max(most[3])) * if MUTANT { 1.0 } else { WIDER }]",
            ),
            ("r * WIDER + maps.widen", "r * (if MUTANT { 1.0 } else { WIDER }) + maps.widen"),
        ],
        OF_DEMAND,
    ),
    mutant(
        "the quadratic of two moving balls is exact",
        BALLS,
        &[
            ("let slack = 1e-14 *", "let slack = if MUTANT { 0.0 } else { 1e-14 } *"),
            ("b * b + 1e-14 *", "b * b + if MUTANT { 0.0 } else { 1e-14 } *"),
        ],
        OF_DEMAND,
    ),
    mutant(
        "balls that pass each other within the step do not meet",
        BALLS,
        &[("    0.0 < a && b < 0.0 && -b", "    !MUTANT && 0.0 < a && b < 0.0 && -b")],
        OF_DEMAND,
    ),
    equivalent(
        "a margin is lost in the rounding of sides",
        BOXES,
        &[(
            "margin + (margin + largest) * f32::EPSILON",
            "margin + if MUTANT { 0.0 } else { (margin + largest) * f32::EPSILON }",
        )],
        "rounding is monotone, and the side that a sum must reach is an f32",
    ),
    mutant(
        "weights are spread half as wide",
        "lazy_bounds/parts/build.rs",
        &[("let share = 0.5 * (together", "let share = if MUTANT { 0.25 } else { 0.5 } * (together")],
        OF_DEMAND,
    ),
    mutant(
        "modes shift boxes, but do not widen them",
        PARTS,
        &[("h[i] += amplitude.abs()", "h[i] += if MUTANT { 0.0 } else { amplitude.abs() }")],
        OF_DEMAND,
    ),
    mutant(
        "the residuals of control points are their mean",
        ANCHORED,
        &[("let range = share *", "let range = if MUTANT { 0.0 } else { share } *")],
        OF_DEMAND,
    ),
    mutant(
        "bounds of a pose serve another one",
        FITTED,
        &[(
            "if self.made_for == Some(purpose) {",
            "if self.made_for == Some(purpose) || (MUTANT && self.made_for.is_some_and(|made| Purpose { version: purpose.version, ..made } == purpose)) {",
        )],
        OF_WALKS,
    ),
    mutant(
        "boxes of leaves stay from step to step",
        FITTED,
        &[(
            "if stamp == self.fitted.epoch {",
            "if stamp == self.fitted.epoch || (MUTANT && stamp != 0 && (place as usize) < self.fitted.boxes.len()) {",
        )],
        OF_WALKS,
    ),
    mutant(
        "a step ends where it starts",
        FITTED,
        &[("if moves { at(1) }", "if moves && !MUTANT { at(1) }")],
        OF_WALKS,
    ),
    mutant(
        "what is left of two bodies with a result is forgotten",
        "walk/on_demand.rs",
        &[(
            "                false => self.memory.queue.push(open),",
            "                false if MUTANT && open.round == FOUND => {}\n                false => self.memory.queue.push(open),",
        )],
        &["--test it skinned::what_is_missing", "--test it skinned::an_answer_within_a_budget"],
    ),
    mutant(
        "children of one node are not compared across fours",
        "walk/lazy.rs",
        &[(
            "for b in fours(a.start..children.end) {",
            "for b in fours(a.start..if MUTANT { a.end } else { children.end }) {",
        )],
        OF_WALKS,
    ),
];
