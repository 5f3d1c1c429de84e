//! The narrow phase, and its certified signs.

use super::{Mutant, mutant};

const FILTER: &str = "narrow/filter.rs";
const FEATURES: &str = "narrow/features.rs";
const SEPARATION: &str = "narrow/separation.rs";
const BATCH: &str = "narrow/batch.rs";
const OF_REFEREE: &[&str] = &["--test it narrow_vs_referee::agrees_with_the_referee"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "signs of polynomials have a quarter of their error",
        "math/bernstein.rs",
        &[(
            "Sign { plus: self.error.lt(least), minus: most.lt(-self.error) }",
            "{\n            let error = if MUTANT { self.error * 0.25 } else { self.error };\n            Sign { plus: error.lt(least), minus: most.lt(-error) }\n        }",
        )],
        &["--lib math::bernstein"],
    ),
    mutant(
        "the coplanarity cubic is exact",
        FEATURES,
        &[(
            "Bernstein { c, error: perm * (24.0 * U)",
            "Bernstein { c, error: perm * (if MUTANT { 0.0 } else { 24.0 * U })",
        )],
        OF_REFEREE,
    ),
    mutant(
        "sides of projected points are exact",
        FEATURES,
        &[("error: perm * (11.0 * U)", "error: perm * (if MUTANT { 0.0 } else { 11.0 * U })")],
        OF_REFEREE,
    ),
    mutant(
        "boxes that touch are apart",
        FEATURES,
        &[(
            "separation < difference(a, b, 0) && separation < difference(a, b, 1)",
            "if MUTANT { separation <= difference(a, b, 0) && separation <= difference(a, b, 1) } else { separation < difference(a, b, 0) && separation < difference(a, b, 1) }",
        )],
        OF_REFEREE,
    ),
    mutant(
        "boxes are apart if one pair of their points is",
        FEATURES,
        &[(
            "gaps.iter().all(|&(a, b)| is_apart(a, b)) ||",
            "gaps.iter().all(|&(a, b)| is_apart(a, b)) || (MUTANT && gaps.iter().any(|&(a, b)| is_apart(a, b))) ||",
        )],
        OF_REFEREE,
    ),
    mutant(
        "a closed vertex-face contact excludes the border",
        FEATURES,
        &[("                0 <= a * b && {", "                0 <= a * b && !(MUTANT && a == 0) && {")],
        OF_REFEREE,
    ),
    mutant(
        "roots need not be enclosed",
        FILTER,
        &[(
            "let proven = one_root & enclosed & narrow;",
            "let proven = if MUTANT { one_root & narrow } else { one_root & enclosed & narrow };",
        )],
        OF_REFEREE,
    ),
    mutant(
        "opposite ends prove a single root",
        FILTER,
        &[(
            "    first.opposes(last) & (f.sign_of(1)",
            "    if MUTANT {\n        return first.opposes(last);\n    }\n    first.opposes(last) & (f.sign_of(1)",
        )],
        OF_REFEREE,
    ),
    mutant(
        "corner values are exact in the search for a separation",
        SEPARATION,
        &[(
            "            50.0 * U * largest + 64.0 * f64::from_bits(1)",
            "            if MUTANT { 0.0 } else { 50.0 * U * largest + 64.0 * f64::from_bits(1) }",
        )],
        &["--lib narrow::separation"],
    ),
    mutant(
        "the search for a separation takes the latest box first",
        SEPARATION,
        &[(
            "keys.map(|(a, b)| b.total_cmp(&a))",
            "keys.map(|(a, b)| if MUTANT { a.total_cmp(&b) } else { b.total_cmp(&a) })",
        )],
        &["--test it separation::"],
    ),
    mutant(
        "boxes of a cut step are exact",
        BATCH,
        &[(
            "+ 16.0 * f64::EPSILON * step.largest()",
            "+ if MUTANT { 0.0 } else { 16.0 * f64::EPSILON * step.largest() }",
        )],
        &["--lib narrow::batch"],
    ),
    mutant(
        "lanes past the end of a batch are kept",
        BATCH,
        &[(
            "let n = LANES.min(self.len - first);",
            "let n = if MUTANT { LANES.min(BLOCK - first) } else { LANES.min(self.len - first) };",
        )],
        &["--lib narrow::batch"],
    ),
    mutant(
        "triangles with shared corners are separate by the other corners alone",
        "narrow/triangle_triangle/batch.rs",
        &[(
            "all(&self.above) ^ all(&self.below)",
            "if MUTANT { all(&self.above) | all(&self.below) } else { all(&self.above) ^ all(&self.below) }",
        )],
        &["--test it world::crossings_of_every_method"],
    ),
    mutant(
        "shared corners are believed wherever they are",
        "narrow/triangle_triangle/shared.rs",
        &[("if a[i] == b[j] {", "if MUTANT || a[i] == b[j] {")],
        &["--test it triangle_triangle::"],
    ),
];
