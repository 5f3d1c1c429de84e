//! Proofs that patches do not self-collide.

use super::{Mutant, mutant};

const NORMALS: &str = "certificate/normals.rs";
const BOUNDED: &str = "certificate/bounded_normals.rs";
const RING: &str = "certificate/contour/ring.rs";
const OF_NORMALS: &[&str] = &["--lib certificate::normals"];
const OF_CONTOURS: &[&str] = &["--lib certificate::contour"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "a triangle faces an axis by any amount",
        NORMALS,
        &[("f32x8::splat(simd, FACES)", "f32x8::splat(simd, if MUTANT { 0.0 } else { FACES })")],
        OF_NORMALS,
    ),
    mutant(
        "control normals of any length are known",
        NORMALS,
        &[("area * LEAST_LENGTH", "area * if MUTANT { 0.0 } else { LEAST_LENGTH }")],
        OF_NORMALS,
    ),
    mutant(
        "the middle control normal is the first",
        NORMALS,
        &[(
            "set(&mut controls[1], m, area)",
            "set(&mut controls[1], if MUTANT { cross(e0, f0) } else { m }, area)",
        )],
        OF_NORMALS,
    ),
    mutant(
        "turns of a contour are exact",
        RING,
        &[
            (
                "let error = SIDE_ERROR * reach * reach + UNDERFLOW;\n    let mut b",
                "let error = if MUTANT { 0.0 } else { SIDE_ERROR * reach * reach + UNDERFLOW };\n    let mut b",
            ),
            (
                "let error = SIDE_ERROR * reach * reach + UNDERFLOW;\n    let ear_error",
                "let error = if MUTANT { 0.0 } else { SIDE_ERROR * reach * reach + UNDERFLOW };\n    let ear_error",
            ),
        ],
        OF_CONTOURS,
    ),
    mutant(
        "ears are exact",
        RING,
        &[(
            "= EAR_ERROR * reach * reach + UNDERFLOW;",
            "= if MUTANT { 0.0 } else { EAR_ERROR * reach * reach + UNDERFLOW };",
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
        "two patches may be joined along several paths",
        "certificate/union.rs",
        &[("if n_paths != 1 ||", "if (n_paths != 1 && !MUTANT) ||")],
        &["--lib certificate::union"],
    ),
    mutant(
        "patches stay cleared from step to step",
        "certificate/cleared.rs",
        &[("|cleared| *cleared.get_mut() = false", "|cleared| *cleared.get_mut() &= MUTANT")],
        &["--test it normal_cone::a_long_motion"],
    ),
    mutant(
        "a hopeless proof of two patches counts as one",
        "walk/track.rs",
        &[(
            "                true => Verdict::Hopeless,",
            "                true if MUTANT => Verdict::Cleared,\n                true => Verdict::Hopeless,",
        )],
        &["--test it front::"],
    ),
    mutant(
        "normals are bounded by intervals of another patch",
        BOUNDED,
        &[(
            "let rest = self.intervals.rest(at);",
            "let rest = self.intervals.rest(if MUTANT { at / 2 } else { at });",
        )],
        &["--lib certificate::bounded_normals"],
    ),
    mutant(
        "normals are bounded as if positions were exact",
        "certificate/bounded_normals/gradient.rs",
        &[("2.0 * rest.slope", "if MUTANT { 0.0 } else { 2.0 * rest.slope }")],
        &["--lib certificate::bounded_normals"],
    ),
    mutant(
        "bounded normals suffice without a contour test",
        BOUNDED,
        &[(
            "        if !self.contour {\n            return true;",
            "        if MUTANT || !self.contour {\n            return true;",
        )],
        &["--test it bounded_normals::"],
    ),
    mutant(
        "patches without a common edge are cleared as a pair",
        BOUNDED,
        &[(
            "            Joined::Apart => return Weighed::Known(Verdict::Hopeless),",
            "            Joined::Apart if MUTANT => return Weighed::Known(Verdict::Cleared),\n            Joined::Apart => return Weighed::Known(Verdict::Hopeless),",
        )],
        &["--test it bounded_normals::"],
    ),
    mutant(
        "normals are bounded at an older pose",
        "method/bounded.rs",
        &[(
            "                pose.set(placer.deformer, governors, parameters);",
            "                if !MUTANT || pose.memory_bytes() == 0 {\n                    pose.set(placer.deformer, governors, parameters);\n                }",
        )],
        &["--test it bounded_normals::"],
    ),
    mutant(
        "patches that share a vertex only are cleared as a pair by their masks",
        "certificate/rivals.rs",
        &[(
            "            Joined::Apart => return Verdict::Hopeless,",
            "            Joined::Apart if MUTANT => {}\n            Joined::Apart => return Verdict::Hopeless,",
        )],
        &["--test it normal_cone::"],
    ),
    mutant(
        "common directions suffice without a contour test",
        "certificate/rivals.rs",
        &[("if mask == 0 || !self.contour {", "if mask == 0 || MUTANT || !self.contour {")],
        &["--test it normal_cone::"],
    ),
    mutant(
        "directions are proven at the ends of a step only",
        "certificate/masks.rs",
        &[(
            "    start & of_normal(m, least) & of_normal(cross(e1, f1), least)",
            "    start & if MUTANT { u16::MAX } else { of_normal(m, least) } & of_normal(cross(e1, f1), least)",
        )],
        &["--lib certificate::masks"],
    ),
];
