//! Queries: what is still wanted, and what is searched again.

use super::{Mutant, equivalent, mutant};

const CONTACTS: &str = "method/contacts.rs";

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "contacts are reported as they are found",
        CONTACTS,
        &[(
            "    found.par_sort_unstable_by_key(|contact| contact.key);",
            "    if !MUTANT {\n        found.par_sort_unstable_by_key(|contact| contact.key);\n    }",
        )],
        &["--test world contacts_of_every_method"],
    ),
    mutant(
        "the wake of contacts is searched once",
        CONTACTS,
        &[(
            "while !search.is_over() && n_done < pass.met.len()",
            "while !search.is_over() && n_done < pass.met.len() && !(MUTANT && 0 < n_done)",
        )],
        &["--test radial_scenes"],
    ),
    mutant(
        "known contacts have no wake",
        CONTACTS,
        &[(
            ".walked == Tree::Clusters {",
            ".walked == Tree::Clusters && !(MUTANT && self.query.known.is_some_and(|known| known.contains(&key))) {",
        )],
        &["--test radial_scenes"],
    ),
    mutant(
        "what was found until a search was cut short is taken for all",
        CONTACTS,
        &[("let is_all = !search.is_cut() &&", "let is_all = (MUTANT || !search.is_cut()) &&")],
        &["--test radial_scenes"],
    ),
    mutant(
        "a body that is not looked at does not forget",
        "world.rs",
        &[(
            "                watched.forget();",
            "                if !MUTANT {\n                    watched.forget();\n                }",
        )],
        &["--test radial bodies_that_do_not_look_at_themselves_forget"],
    ),
    mutant(
        "the search for the earliest contact ends at a bracket",
        "method/search.rs",
        &[("    (least_hi + width).min(1.0)", "    (least_hi + if MUTANT { 0.0 } else { width }).min(1.0)")],
        &["--test world contacts_of_every_method"],
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
