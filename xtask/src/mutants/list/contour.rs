//! Contours of patches, and how patches are glued along them.

use super::{Mutant, equivalent, mutant};

const RING: &str = "certificate/contour/ring.rs";
const MONOTONE: &str = "certificate/contour/monotone.rs";
const UNION: &str = "certificate/union.rs";
const OF_CONTOURS: &[&str] = &["--lib certificate::contour"];
const OF_CHAINS: &[&str] = &["--lib certificate::contour::monotone"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "turns of a contour are exact",
        RING,
        &[
            (
                "let error = SIDE_ERROR * reach * reach + UNDERFLOW;\n    let mut b",
                "let error = if MUTANT { 0.0 } else { SIDE_ERROR * reach * reach + UNDERFLOW };\n    let mut b",
            ),
            (
                "let error = SIDE_ERROR * reach * reach + UNDERFLOW;\n    let at =",
                "let error = if MUTANT { 0.0 } else { SIDE_ERROR * reach * reach + UNDERFLOW };\n    let at =",
            ),
        ],
        OF_CONTOURS,
    ),
    mutant(
        "ears are exact",
        RING,
        &[(
            "EAR_ERROR * reach * reach + UNDERFLOW)",
            "if MUTANT { 0.0 } else { EAR_ERROR * reach * reach + UNDERFLOW })",
        )],
        OF_CONTOURS,
    ),
    mutant(
        "contours may go around several times",
        RING,
        &[("        n_over == 1\n", "        n_over == 1 || (MUTANT && 1 < n_over)\n")],
        OF_CONTOURS,
    ),
    mutant(
        "contours that turn are not counted",
        RING,
        &[("all && goes_around_once(", "all && MUTANT || all && goes_around_once(")],
        OF_CONTOURS,
    ),
    mutant(
        "quadratics are positive if their ends are",
        "certificate/bilinear.rs",
        &[("(0.0 <= k1 ||", "(MUTANT || 0.0 <= k1 ||")],
        OF_CONTOURS,
    ),
    mutant(
        "holes are not looked at",
        "certificate/contour.rs",
        &[(
            "if !is_star_with_ears(&mut self.ring, points, reach, -1.0)",
            "if !MUTANT && !is_star_with_ears(&mut self.ring, points, reach, -1.0)",
        )],
        &["--test it normal_cone::branched_annulus"],
    ),
    mutant(
        "chains are compared at the end of the step only",
        MONOTONE,
        &[("if error < start", "if (MUTANT || error < start)")],
        OF_CHAINS,
    ),
    mutant(
        "chains are compared at the start of the step only",
        MONOTONE,
        &[("error < end {", "(MUTANT || error < end) {")],
        OF_CHAINS,
    ),
    mutant(
        "chains are compared without their rounding errors",
        MONOTONE,
        &[(
            "= ALONG_ERROR * reach + UNDERFLOW;",
            "= if MUTANT { 0.0 } else { ALONG_ERROR * reach + UNDERFLOW };",
        )],
        OF_CHAINS,
    ),
    equivalent(
        "the vertex where chains meet may be removed",
        MONOTONE,
        &[("b != last &&", "(MUTANT || b != last) &&")],
        "an edge that replaces it is compared as one of the first chain: there are still two chains",
    ),
    mutant(
        "ears of chains may face away from the axis",
        MONOTONE,
        &[(
            "is_ear([points[a], points[b], points[c]], reach)",
            "(MUTANT || is_ear([points[a], points[b], points[c]], reach))",
        )],
        OF_CHAINS,
    ),
    mutant(
        "the second chain may turn back",
        MONOTONE,
        &[(
            "else { (b0 - c0, b1 - c1) }",
            "else if MUTANT { ((b0 - c0).abs(), (b1 - c1).abs()) } else { (b0 - c0, b1 - c1) }",
        )],
        OF_CHAINS,
    ),
    equivalent(
        "two chains of one edge each are a loop",
        MONOTONE,
        &[("2 < n_kept", "MUTANT || 2 < n_kept")],
        "all other vertices are of ears, so no winding number is positive: no patch has the contour",
    ),
    mutant(
        "loops that are given by vertices are projected exactly",
        "certificate/contour.rs",
        &[("2.0 * (1.75 * most + UNDERFLOW)", "if MUTANT { 0.0 } else { 2.0 * (1.75 * most + UNDERFLOW) }")],
        OF_CHAINS,
    ),
    mutant(
        "two patches may be joined along several paths",
        UNION,
        &[("if n_paths != 1 ||", "if (n_paths != 1 && !MUTANT) ||")],
        &["--lib certificate::union"],
    ),
    mutant(
        "the second of two joined loops may leave the path in between",
        UNION,
        &[("(Some(before), Some(j)) if before", "(Some(before), Some(j)) if !MUTANT && before")],
        &["--lib certificate::union"],
    ),
];
