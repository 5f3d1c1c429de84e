//! Proofs that patches do not self-collide.

use super::{Mutant, mutant};

const NORMALS: &str = "certificate/normals.rs";
const OF_NORMALS: &[&str] = &["--lib certificate::normals"];

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
        "patches that share no edge are cleared as a pair",
        "certificate/cleared.rs",
        &[(
            "            Pair::Apart => return Verdict::Hopeless,",
            "            Pair::Apart if MUTANT => return Verdict::Cleared,\n            Pair::Apart => return Verdict::Hopeless,",
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
