//! Bounding volumes and their comparison.

use super::{Mutant, equivalent, mutant};

const SLABS: &str = "bounds/slabs.rs";
const OF_SLABS: &[&str] = &["--lib bounds::slabs"];

const OF_RESTING: &[&str] = &["--test it resting::"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "bounds of a body that rests elsewhere are kept",
        "bounds/refit.rs",
        &[("AtRest(version, ", "AtRest(if MUTANT { 0 } else { version }, ")],
        OF_RESTING,
    ),
    mutant(
        "a node is joined without its last child",
        "bounds/refit.rs",
        &[(
            "            all = all.join::<N>(&children[lane]);",
            "            if !MUTANT || lane + 1 < WIDTH {\n                all = all.join::<N>(&children[lane]);\n            }",
        )],
        &["--lib walk::eager"],
    ),
    mutant(
        "bounds of a body that rests are kept with another margin",
        "bounds/refit.rs",
        &[("reach.margin, reach.largest)", "if MUTANT { 0.0 } else { reach.margin }, reach.largest)")],
        OF_RESTING,
    ),
    mutant(
        "bounds of a body that moves are kept",
        "body/mod.rs",
        &[(
            "(!self.moves()).then_some(self.version)",
            "(!self.moves() || MUTANT).then_some(if MUTANT { 0 } else { self.version })",
        )],
        OF_RESTING,
    ),
    mutant(
        "sums of three terms are not widened",
        SLABS,
        &[("if n_terms == 3 || (", "if (n_terms == 3 && !MUTANT) || (")],
        OF_SLABS,
    ),
    mutant(
        "positions at an inner time are not widened",
        SLABS,
        &[("if is_cut && !(", "if is_cut && !MUTANT && !(")],
        OF_SLABS,
    ),
    mutant(
        "the rounding of widened bounds to f32 is not covered",
        SLABS,
        &[(
            "margin += f64::from(f32::EPSILON) * (3.0 * largest + margin) + f64::from(f32::MIN_POSITIVE);",
            "margin += if MUTANT { 0.0 } else { f64::from(f32::EPSILON) * (3.0 * largest + margin) + f64::from(f32::MIN_POSITIVE) };",
        )],
        OF_SLABS,
    ),
    equivalent(
        "coordinates beyond f32 are widened as others are",
        SLABS,
        &[("let is_in_range = largest <", "let is_in_range = MUTANT || largest <")],
        "values are cut off by a monotone function that brings no two farther apart",
    ),
    mutant(
        "boxes that touch do not overlap",
        SLABS,
        &[(
            "(0..N).all(|i| self.lo[i] <= other.hi[i] && other.lo[i] <= self.hi[i])",
            "(0..N).all(|i| if MUTANT { self.lo[i] < other.hi[i] && other.lo[i] < self.hi[i] } else { self.lo[i] <= other.hi[i] && other.lo[i] <= self.hi[i] })",
        )],
        &["--lib bounds::"],
    ),
    mutant(
        "of all boxes of two nodes those that touch do not overlap",
        "bounds/overlap.rs",
        &[(
            "(hi_a.simd_lt(lo_b).to_bitmask() as u32, hi_b.simd_lt(lo_a).to_bitmask() as u32)",
            "if MUTANT { (hi_a.simd_le(lo_b).to_bitmask() as u32, hi_b.simd_le(lo_a).to_bitmask() as u32) } else { (hi_a.simd_lt(lo_b).to_bitmask() as u32, hi_b.simd_lt(lo_a).to_bitmask() as u32) }",
        )],
        &["--test it world::contacts_of_every_method"],
    ),
    mutant(
        "of four boxes those that touch do not overlap",
        "bounds/overlap.rs",
        &[(
            "(hi.simd_lt(f32x4::splat(simd, other.lo[i])), f32x4::splat(simd, other.hi[i]).simd_lt(lo))",
            "if MUTANT { (hi.simd_le(f32x4::splat(simd, other.lo[i])), f32x4::splat(simd, other.hi[i]).simd_le(lo)) } else { (hi.simd_lt(f32x4::splat(simd, other.lo[i])), f32x4::splat(simd, other.hi[i]).simd_lt(lo)) }",
        )],
        &["--test it world::contacts_of_every_method"],
    ),
    mutant(
        "a sweep ends intervals where others begin",
        "bounds/sort_and_sweep.rs",
        &[(
            "|&other| begin <= interval(other)[1]",
            "|&other| if MUTANT { begin < interval(other)[1] } else { begin <= interval(other)[1] }",
        )],
        &["--lib bounds::sort_and_sweep"],
    ),
];
