//! Queries: which results are still needed, and what is searched again.

use super::{Mutant, equivalent, mutant};

const CONTACTS: &str = "engine/contacts.rs";
const RADIAL: &str = "method/radial.rs";

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "contacts are reported as they are found",
        "radix.rs",
        &[(
            "let sorted = sort(packed.collect(), index_bits, all_bits);",
            "let sorted = sort(packed.collect(), index_bits, if MUTANT { index_bits } else { all_bits });",
        )],
        &["--test it world::contacts_of_every_method"],
    ),
    mutant(
        "the wake of contacts is searched once",
        CONTACTS,
        &[("n_known == pass.met.len() ||", "n_known == pass.met.len() || (MUTANT && 0 < n_known) ||")],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "known contacts have no wake",
        CONTACTS,
        &[(
            "if self.learns && key.bodies[0] == key.bodies[1] {",
            "if self.learns && key.bodies[0] == key.bodies[1] && !(MUTANT && self.query.known.is_some_and(|known| known.contains(&key))) {",
        )],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "what was found until a search was cut short is taken for all",
        CONTACTS,
        &[("(!search.is_cut()).then_some(", "(MUTANT || !search.is_cut()).then_some(")],
        &["--test it radial_scenes::"],
    ),
    mutant(
        "a body that is not looked at does not forget",
        RADIAL,
        &[(
            "                state.forget();",
            "                if !MUTANT {\n                    state.forget();\n                }",
        )],
        &["--test it radial::bodies_that_do_not_look_at_themselves_forget"],
    ),
    mutant(
        "the search for the earliest contact ends at a bracket",
        "engine/search.rs",
        &[("    (least_hi + width).min(1.0)", "    (least_hi + if MUTANT { 0.0 } else { width }).min(1.0)")],
        &["--test it world::contacts_of_every_method"],
    ),
    equivalent(
        "cells are rounded toward zero",
        "method/spatial_hash.rs",
        &[(
            "(x / size).floor() as i32",
            "if MUTANT { (x / size) as i32 } else { (x / size).floor() as i32 }",
        )],
        "any monotone function of a coordinate gives cells that two overlapping boxes share",
    ),
];
