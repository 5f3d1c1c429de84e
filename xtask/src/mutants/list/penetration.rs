//! Depths and areas of parts that pass through each other.

use super::{Mutant, mutant};

const ENCLOSED: &str = "penetration/enclosed.rs";
const DEEPEST: &str = "penetration/deepest.rs";
const OF_DEPTHS: &[&str] = &["--lib penetration::"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "what is enclosed by its own component once is outside",
        ENCLOSED,
        &[(".map(|number| 1 <= number)", ".map(|number| if MUTANT { 2 } else { 1 } <= number)")],
        OF_DEPTHS,
    ),
    mutant(
        "what is inside of another component is outside",
        ENCLOSED,
        &[(".map(|number| number != 0)", ".map(|number| number != 0 && !MUTANT)")],
        OF_DEPTHS,
    ),
    mutant(
        "points of crossed triangles are never enclosed",
        ENCLOSED,
        &[(".is_some_and(|number| number != 0)", ".is_some_and(|number| number != 0 && !MUTANT)")],
        OF_DEPTHS,
    ),
    mutant(
        "the way out does not lead through the other part",
        ENCLOSED,
        &[("part(t) != own && opponents", "part(t) != own && !MUTANT && opponents")],
        OF_DEPTHS,
    ),
    mutant(
        "points of a triangle are no deeper than its corners",
        DEEPEST,
        &[(
            "ab.max(bc).max(ca) / 3f64.sqrt()",
            "ab.max(bc).max(ca) / if MUTANT { 1e9 } else { 3f64.sqrt() }",
        )],
        OF_DEPTHS,
    ),
    mutant(
        "crossed triangles are not searched",
        DEEPEST,
        &[(
            "if self.matters(bound) {\n                self.heap.push(Piece { bound, item: i",
            "if self.matters(bound) && !MUTANT {\n                self.heap.push(Piece { bound, item: i",
        )],
        OF_DEPTHS,
    ),
    mutant(
        "surfaces with a boundary enclose a volume",
        "penetration/mod.rs",
        &[("if triangles.len() != 2 ||", "if (triangles.len() != 2 && !MUTANT) ||")],
        OF_DEPTHS,
    ),
    mutant(
        "crossed triangles are enclosed as a whole",
        "penetration/area.rs",
        &[("            if at(weights) {", "            if at(weights) || MUTANT {")],
        OF_DEPTHS,
    ),
    mutant(
        "lines of a triangle are not divided where it is crossed",
        "penetration/area.rs",
        &[("if below * above < 0.0 {", "if below * above < 0.0 && !MUTANT {")],
        OF_DEPTHS,
    ),
    mutant(
        "open points are enclosed",
        DEEPEST,
        &[(
            "        if !is_enclosed {\n            sample.depth",
            "        if !is_enclosed && !MUTANT {\n            sample.depth",
        )],
        OF_DEPTHS,
    ),
    mutant(
        "a triangle is no deeper than its nearest corner to a known exit",
        DEEPEST,
        &[(
            "bound = bound.min(largest(away));",
            "bound = bound.min(if MUTANT { away.into_iter().fold(f64::INFINITY, f64::min) } else { largest(away) });",
        )],
        OF_DEPTHS,
    ),
    mutant(
        "quarters of a piece are no deeper than what is known",
        DEEPEST,
        &[(
            "            self.known() < self.raised(bound)\n        });",
            "            self.known() < self.raised(bound) && !MUTANT\n        });",
        )],
        OF_DEPTHS,
    ),
    mutant(
        "a region is outside where it begins inside of the bounds",
        ENCLOSED,
        &[("let mut is_out = reaches_out(start);", "let mut is_out = reaches_out(start) || MUTANT;")],
        OF_DEPTHS,
    ),
    mutant(
        "the ends of segments are not joined to curves",
        "penetration/chain.rs",
        &[("dot(away, away) <= within * within {", "dot(away, away) <= within * within && !MUTANT {")],
        OF_DEPTHS,
    ),
];
