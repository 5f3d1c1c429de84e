//! Radial view culling.

use super::{Mutant, mutant};

const SEEDS: &str = "radial/seeds.rs";
const OF_PARTS: &[&str] = &["--test it radial::every_contact_is_found_step_after_step"];

const OF_RANDOM: &[&str] = &["--lib radial::tests::nothing_is_missing"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "what is near a cap becomes clean at the end of a step",
        SEEDS,
        &[(
            "            self.block(near_caps);\n            let is_clean",
            "            self.block(if MUTANT { &[] } else { near_caps });\n            let is_clean",
        )],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "triangles around a contact are not compared at the end of a step",
        SEEDS,
        &[(
            "                self.crossed.extend(pairs);",
            "                if !MUTANT {\n                    self.crossed.extend(pairs);\n                }",
        )],
        OF_PARTS,
    ),
    mutant(
        "winding numbers of regions are not compared",
        SEEDS,
        &[(
            "if expected.is_none() || winding(region) != expected {",
            "if !MUTANT && (expected.is_none() || winding(region) != expected) {",
        )],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "every component is taken to be closed",
        SEEDS,
        &[("let is_closed =\n                !tree", "let is_closed = MUTANT\n                || !tree")],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "suspects of a pose are those of another one",
        SEEDS,
        &[(
            "self.pose.len() == lines.len() && self.pose",
            "self.pose.len() == lines.len() && MUTANT || self.pose.len() == lines.len() && self.pose",
        )],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "a way out may touch edges",
        "segment/winding.rs",
        &[(
            "Passage::Touching => return ControlFlow::Break(()),",
            "Passage::Touching if MUTANT => {}\n                Passage::Touching => return ControlFlow::Break(()),",
        )],
        &["--lib segment::"],
    ),
    mutant(
        "caps are no more than their rims",
        "radial/caps.rs",
        &[("[a, b, middle]", "[a, b, if MUTANT { a } else { middle }]")],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "two uncertain triangles are no live pair",
        "feature/live.rs",
        &[(
            "(a ^ b) & CLASS != 0 || a & UNCERTAIN != 0",
            "(a ^ b) & CLASS != 0 || (!MUTANT && a & UNCERTAIN != 0)",
        )],
        OF_PARTS,
    ),
    mutant(
        "a triangle faces away from a segment if it does from one end",
        "radial/classes.rs",
        &[("[a & c, b & d]", "if MUTANT { [a | c, b | d] } else { [a & c, b & d] }")],
        OF_PARTS,
    ),
    mutant(
        "the classes around features stay as they were in the wake",
        "radial/view.rs",
        &[(
            "self.around.widen(mesh, &self.codes, fresh);",
            "self.around.widen(mesh, if MUTANT { &self.before } else { &self.codes }, if MUTANT { &[] } else { fresh });",
        )],
        OF_PARTS,
    ),
    mutant(
        "adjacent triangles of one cluster are not compared",
        "feature/live.rs",
        &[("None => differ(x, y),", "None => differ(x, y) && !(MUTANT && self.mesh.are_adjacent(a, b)),")],
        OF_RANDOM,
    ),
    mutant(
        "features are tested by their representatives alone",
        "feature/live.rs",
        &[("if is_plain {", "if is_plain || MUTANT {")],
        OF_RANDOM,
    ),
    mutant(
        "orphans are not tested",
        "method/radial.rs",
        &[(
            "sights[i].is_some_and(|sight| sight.is_first())",
            "sights[i].is_some_and(|sight| sight.is_first() && !MUTANT)",
        )],
        OF_RANDOM,
    ),
    mutant(
        "triangles around contacts stay certain",
        "method/radial.rs",
        &[(
            "stage.stats.radial.rounds +=",
            "if MUTANT {\n            return false;\n        }\n        stage.stats.radial.rounds +=",
        )],
        OF_RANDOM,
    ),
    mutant(
        "triangles that cross others at the start are certain",
        "radial/state.rs",
        &[(
            "suspects.extend_from_slice(self.seeds.suspects());",
            "suspects.extend_from_slice(if MUTANT { &[] } else { self.seeds.suspects() });",
        )],
        OF_RANDOM,
    ),
    mutant(
        "triangles near caps are certain",
        "radial/state.rs",
        &[("if tree.rims.is_empty() {", "if tree.rims.is_empty() || MUTANT {")],
        OF_RANDOM,
    ),
];
