//! Proofs from bounds of normals, for bodies whose vertices are placed on demand.

use super::{Mutant, mutant};

const BOUNDED: &str = "certificate/bounded_normals.rs";
const FACING: &str = "certificate/bounded_normals/facing.rs";
const GRADIENT: &str = "certificate/bounded_normals/gradient.rs";
const BUILD: &str = "certificate/bounded_normals/intervals/build.rs";
const MAPS: &str = "certificate/bounded_normals/intervals/maps.rs";
const STATE: &str = "method/bounded.rs";
const PLACEMENT: &str = "motion/deformer.rs";
const OF_BOUNDS: &[&str] = &["--lib certificate::bounded_normals"];
const OF_STEPS: &[&str] = &["--test it bounded_normals::", "--test it bands::"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "normals are bounded by intervals of another patch",
        BOUNDED,
        &[(
            "let rest = self.intervals.rest(at);",
            "let rest = self.intervals.rest(if MUTANT { at / 2 } else { at });",
        )],
        OF_BOUNDS,
    ),
    mutant(
        "patches of later tasks have the maps of the first one",
        BUILD,
        &[("|at| at + shares as u32", "|at| at + if MUTANT { 0 } else { shares as u32 }")],
        OF_BOUNDS,
    ),
    mutant(
        "triangles that do not follow a map are not in its intervals",
        MAPS,
        &[("if sums.n_triangles != n {", "if sums.n_triangles != n && !MUTANT {")],
        OF_BOUNDS,
    ),
    mutant(
        "radii of intervals are rounded to nearest",
        "certificate/bounded_normals/intervals/hull.rs",
        &[("(x as f32).next_up()", "if MUTANT { x as f32 } else { (x as f32).next_up() }")],
        OF_BOUNDS,
    ),
    mutant(
        "normals are bounded as if positions were exact",
        GRADIENT,
        &[("2.0 * rest.slope", "if MUTANT { 0.0 } else { 2.0 * rest.slope }")],
        OF_BOUNDS,
    ),
    mutant(
        "all triangles have the middle of the weights",
        GRADIENT,
        &[("spread[i][r] += weight[1]", "spread[i][r] += if MUTANT { 0.0 } else { weight[1] }")],
        OF_BOUNDS,
    ),
    mutant(
        "weights that do not sum to one shift no patch",
        GRADIENT,
        &[("rest.drift[0] * offset", "if MUTANT { 0.0 } else { rest.drift[0] } * offset")],
        OF_BOUNDS,
    ),
    mutant(
        "weights that do not sum to one stretch no patch",
        GRADIENT,
        &[("(rest.drift[1] +", "(if MUTANT { 0.0 } else { rest.drift[1] } +")],
        OF_BOUNDS,
    ),
    mutant(
        "points of a surface are where their weights put anchors",
        GRADIENT,
        &[("rest.off_anchors)", "if MUTANT { 0.0 } else { rest.off_anchors })")],
        OF_BOUNDS,
    ),
    mutant(
        "modes do not bend the weights of maps",
        GRADIENT,
        &[("f64::from(mode.blend) * apart", "if MUTANT { 0.0 } else { f64::from(mode.blend) } * apart")],
        OF_BOUNDS,
    ),
    mutant(
        "products with normals are exact",
        FACING,
        &[(
            "= ROUNDING * size * size + UNDERFLOW;",
            "= if MUTANT { 0.0 } else { ROUNDING * size * size + UNDERFLOW };",
        )],
        OF_BOUNDS,
    ),
    mutant(
        "normals face an axis if they do at both ends of the step",
        FACING,
        &[("[one, two, three]", "[one, if MUTANT { one } else { two }, three]")],
        OF_BOUNDS,
    ),
    mutant(
        "control normals in the middle of the step are linear in gradients",
        FACING,
        &[(
            "QUADRATIC * self.norms[0] * self.norms[1]",
            "if MUTANT { 0.0 } else { QUADRATIC } * self.norms[0] * self.norms[1]",
        )],
        OF_BOUNDS,
    ),
    mutant(
        "normals at rest are along their axis",
        FACING,
        &[(
            "dot(across, across).sqrt() * sin",
            "dot(across, across).sqrt() * if MUTANT { 0.0 } else { sin }",
        )],
        OF_BOUNDS,
    ),
    mutant(
        "triangles beside patches face any axis",
        BOUNDED,
        &[("Child::Triangle(_) => false,", "Child::Triangle(_) => MUTANT,")],
        &["--lib certificate::bounded_normals", "--test it bounded_normals::", "--test it bands::"],
    ),
    mutant(
        "bounded normals suffice without a contour test",
        BOUNDED,
        &[("if self.contour { Weighed::Asks", "if self.contour && !MUTANT { Weighed::Asks")],
        OF_STEPS,
    ),
    mutant(
        "a contour is taken for two monotone chains",
        BOUNDED,
        &[("&& contour.is_monotone(", "&& MUTANT | contour.is_monotone(")],
        OF_STEPS,
    ),
    mutant(
        "patches without a common edge are glued",
        "certificate/pairs.rs",
        &[(
            "            Joined::Apart => Pair::Apart,",
            "            Joined::Apart if MUTANT => Pair::Glued { contour: patches.loops(nodes[0]).next().unwrap_or_default().into(), patience: Patience::default() },\n            Joined::Apart => Pair::Apart,",
        )],
        OF_STEPS,
    ),
    mutant(
        "the contour of two patches is that of the first",
        "certificate/pairs.rs",
        &[(
            "contour: union.contour().into()",
            "contour: if MUTANT { patches.loops(nodes[0]).next().unwrap_or_default() } else { union.contour() }.into()",
        )],
        &["--lib certificate::union"],
    ),
    mutant(
        "governors stay at an older pose",
        STATE,
        &[(
            "                pose.set(placer.deformer, governors, parameters);",
            "                if !MUTANT || pose.memory_bytes() == 0 {\n                    pose.set(placer.deformer, governors, parameters);\n                }",
        )],
        OF_STEPS,
    ),
    mutant(
        "bounds of normals stay from step to step",
        STATE,
        &[(
            "last.push((at, bound.take().filter(|_| goes_on)));",
            "last.push((at, if MUTANT { None } else { bound.take() }.filter(|_| goes_on)));",
        )],
        OF_STEPS,
    ),
    mutant(
        "gradients go on from a step that ended elsewhere",
        STATE,
        &[(
            "last_end.is_some_and(|last_end| last_end == self.poses[0])",
            "last_end.is_some_and(|last_end| MUTANT || last_end == self.poses[0])",
        )],
        OF_STEPS,
    ),
    mutant(
        "a pose does not begin a new epoch",
        PLACEMENT,
        &[(
            "self.moves |= end == 1;\n        self.next_epoch();",
            "self.moves |= end == 1;\n        if !MUTANT {\n            self.next_epoch();\n        }",
        )],
        OF_STEPS,
    ),
    mutant(
        "vertices that were placed once stay",
        PLACEMENT,
        &[("if *stamp != self.epoch {", "if *stamp != self.epoch && !(MUTANT && *stamp != 0) {")],
        OF_STEPS,
    ),
    mutant(
        "vertices that are expected count as placed",
        PLACEMENT,
        &[(
            "*stamp = self.epoch;\n                self.stale.push(vertex);",
            "*stamp = self.epoch;\n                if !MUTANT {\n                    self.stale.push(vertex);\n                }",
        )],
        OF_STEPS,
    ),
];
