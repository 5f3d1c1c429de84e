//! From triangle pairs to feature pairs: the owner that does without adjacent triangles.

use super::{Mutant, mutant};

const APART: &str = "feature/apart.rs";

const OF_OWNER: &[&str] = &["--lib feature::apart::"];
const OF_METHOD: &[&str] = &["--test it chromatic::"];
const SLOTS: &str = "feature/adjacent_slots.rs";
const OF_SLOTS: &[&str] = &["--lib feature::adjacent_slots::"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "an owner that decides late is asked by other places than those of its pairs",
        "feature/unfold.rs",
        &[("tested != 0 || late.is_some()", "tested != 0 || !MUTANT && late.is_some()")],
        &["--test it radial::every_contact_is_found_step_after_step"],
    ),
    mutant(
        "corners of the second triangle are compared with two of the first",
        "feature/ownership.rs",
        &[("to_bitmask() as usize & 7", "to_bitmask() as usize & if MUTANT { 3 } else { 7 }")],
        &["--lib feature::"],
    ),
    mutant(
        "apart: orphans are not found",
        APART,
        &[(
            "None => orphans.push((kind, pair)),",
            "None => orphans.extend((!MUTANT).then_some((kind, pair))),",
        )],
        OF_METHOD,
    ),
    mutant(
        "apart: adjacent triangles are hosts",
        APART,
        &[(
            "if are_adjacent(self.mesh, self.representatives.of(a), self.representatives.of(b)) {",
            "if !MUTANT && are_adjacent(self.mesh, self.representatives.of(a), self.representatives.of(b)) {",
        )],
        OF_METHOD,
    ),
    mutant(
        "apart: a host tests only one of its guests",
        APART,
        &[(
            "|pairs, guests| pairs | guests.pairs",
            "|pairs, guests| if MUTANT { guests.pairs } else { pairs | guests.pairs }",
        )],
        OF_METHOD,
    ),
    mutant(
        "apart: guests are not in the order of the pair",
        APART,
        &[("if a < b { pairs } else", "if a < b || MUTANT { pairs } else")],
        OF_METHOD,
    ),
    mutant(
        "apart: a host tests its guests alone",
        APART,
        &[(
            "represented(first, second, true) | self.apart.guests(a, b)",
            "(if MUTANT { 0 } else { represented(first, second, true) }) | self.apart.guests(a, b)",
        )],
        OF_METHOD,
    ),
    mutant(
        "apart: triangles around a hub are dropped",
        APART,
        &[("(!self.apart.has_hubs ||", "(!self.apart.has_hubs || MUTANT ||")],
        OF_OWNER,
    ),
    mutant(
        "apart: neighbors at one corner are left out",
        APART,
        &[(
            "for &v in first.corners.iter().filter(",
            "for &v in first.corners.iter().skip(usize::from(MUTANT)).filter(",
        )],
        OF_METHOD,
    ),
    mutant(
        "apart: adjacent triangles are not dropped",
        "mask.rs",
        &[("!self.are_adjacent(a, b)", "!self.are_adjacent(a, b) || MUTANT")],
        OF_METHOD,
    ),
    mutant(
        "adjacent slots: those of any node are dropped",
        SLOTS,
        &[("entry.with == b)", "entry.with == b || MUTANT)")],
        OF_SLOTS,
    ),
    mutant(
        "adjacent slots: one slot of two nodes",
        SLOTS,
        &[(
            "|slots, entry| slots | entry.slots",
            "|slots, entry| (if MUTANT { !0 } else { slots }) | entry.slots",
        )],
        OF_METHOD,
    ),
    mutant(
        "adjacent slots: all triangles of a node are adjacent if two are",
        SLOTS,
        &[(
            "count_ones() as usize == n * (n - 1) / 2",
            "count_ones() as usize >= if MUTANT { 1 } else { n * (n - 1) / 2 }",
        )],
        OF_SLOTS,
    ),
    mutant(
        "orphans of adjacent triangles are not tested",
        "method/chromatic.rs",
        &[(
            "let Some(ApartOwner { apart, .. }) = owner else",
            "let Some(ApartOwner { apart, .. }) = owner.filter(|_| !MUTANT) else",
        )],
        OF_METHOD,
    ),
    mutant(
        "features that meet in a diagonal direction are apart",
        "narrow/features.rs",
        &[(
            "sums[a][t][k] < sums[b][t][k]",
            "sums[a][t][k] < sums[b][t][k] || MUTANT && sums[a][t][k] == sums[b][t][k]",
        )],
        &["--test it narrow_vs_referee::"],
    ),
    mutant(
        "features that are apart in a diagonal direction at one end are apart",
        "narrow/features.rs",
        &[(
            "let is_below = |a: usize, b: usize| (0..2).all(",
            "let is_below = |a: usize, b: usize| (0..2).skip(usize::from(MUTANT)).all(",
        )],
        &["--test it narrow_vs_referee::"],
    ),
];
