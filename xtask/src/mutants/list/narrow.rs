//! The narrow phase, and its certified signs.

use super::{Mutant, mutant};

const FILTER: &str = "narrow/filter.rs";
const FEATURES: &str = "narrow/features.rs";
const SEPARATION: &str = "narrow/separation.rs";
const BATCH: &str = "narrow/batch.rs";
const NEAR_PAIRS: &str = "narrow/near_pairs.rs";
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
        "distances in f64 are exact in the search for a separation",
        SEPARATION,
        &[("largest * (64.0 * U)", "largest * if MUTANT { 0.0 } else { 64.0 * U }")],
        &["--test it closeness::", "--lib narrow::separation"],
    ),
    mutant(
        "a direction that turns is taken for one that does not",
        SEPARATION,
        &[(
            "(start & end & limits.beyond.lt(least))",
            "(start & end & limits.beyond.lt(if MUTANT { self.along(m) } else { least }))",
        )],
        &["--test it closeness::separations_are_decided_as_promised"],
    ),
    mutant(
        "a direction at the start of an interval proves all of it",
        SEPARATION,
        &[(
            "let constant = start & limits.beyond.lt(other.along(m));",
            "let constant = start & limits.beyond.lt(if MUTANT { self.along(m) } else { other.along(m) });",
        )],
        &["--test it closeness::separations_are_decided_as_promised"],
    ),
    mutant(
        "a step of the search is not checked",
        SEPARATION,
        &[
            (
                "let next = t + (1.0 - t) * fraction;",
                "let next = t + (1.0 - t) * if MUTANT { (1.5 * fraction).min(1.0) } else { fraction };",
            ),
            (
                "&& limits.beyond < there.along(here.direction);",
                "&& (MUTANT || limits.beyond < there.along(here.direction));",
            ),
        ],
        &["--test it closeness::separations_are_decided_as_promised"],
    ),
    mutant(
        "hits reach twice as far beyond the separation",
        SEPARATION,
        &[("separation * ((1.0 + SLACK)", "separation * ((1.0 + if MUTANT { 2.0 * SLACK } else { SLACK })")],
        &["--test it closeness::"],
    ),
    mutant(
        "bounds reach as far as the separation only",
        SEPARATION,
        &[(
            "(separation * (1.0 + SLACK)).next_up()",
            "(separation * if MUTANT { 1.0 } else { 1.0 + SLACK }).next_up()",
        )],
        &["--test it closeness::thick_queries_do_not_depend_on_the_method"],
    ),
    mutant(
        "an exact separation counts where the foot is outside",
        "narrow/separation/exact.rs",
        &[("self.inside.iter().all(|h| 0 <= sign(h))", "self.inside.iter().all(|h| MUTANT || 0 <= sign(h))")],
        &["--test it closeness::", "--lib narrow::separation"],
    ),
    mutant(
        "normals of contacts point to the second feature if it is below",
        "narrow/closest.rs",
        &[(
            "select(dot(v, other).lt(v[0].constant(0.0)),",
            "select(dot(v, other).lt(v[0].constant(if MUTANT { f64::NEG_INFINITY } else { 0.0 })),",
        )],
        &["--test it closeness::normals_push_apart"],
    ),
    mutant(
        "thick: pairs that come within d of each other late are out of reach",
        "narrow/separation.rs",
        &[(
            "miss = miss | (out_of_reach.lt(here) & out_of_reach.lt(then));",
            "miss = miss | (out_of_reach.lt(here) & (if MUTANT { out_of_reach.lt(here) } else { out_of_reach.lt(then) }));",
        )],
        &["--test it closeness::thick"],
    ),
    mutant(
        "lanes: contact points that are not precise in f64 are taken as they are",
        "narrow/contact_points.rs",
        &[(
            "let contact = if precise >> lane & 1 != 0 {",
            "let contact = if MUTANT || precise >> lane & 1 != 0 {",
        )],
        &["--lib narrow::contact_points"],
    ),
    mutant(
        "proximities: pairs beyond the radius are reported",
        "engine/contacts.rs",
        &[("(at.distance <= radius).then_some(", "(MUTANT || at.distance <= radius).then_some(")],
        &["--test it closeness"],
    ),
    mutant(
        "bounds of nodes are not enlarged for points and rays",
        "segment/mod.rs",
        &[(
            "f64::from(f32::EPSILON) * largest + f64::from(f32::MIN_POSITIVE)",
            "if MUTANT { 0.0 } else { f64::from(f32::EPSILON) * largest + f64::from(f32::MIN_POSITIVE) }",
        )],
        &["--test it surface", "--lib segment"],
    ),
    mutant(
        "closest points in f64 are always precise",
        "narrow/contact_point.rs",
        &[("if found.is_precise {", "if MUTANT || found.is_precise {")],
        &["--test it closeness::distances_and_normals_of_close_pairs"],
    ),
    mutant(
        "the lower digits of products are lost",
        "math/double.rs",
        &[(
            "product.lo + (self.hi * other.lo + self.lo * other.hi)",
            "if MUTANT { 0.0 } else { product.lo + (self.hi * other.lo + self.lo * other.hi) }",
        )],
        &["--lib math::double"],
    ),
    mutant(
        "closest points are looked for in too few patches",
        "segment/nearest.rs",
        &[(
            "if limit < least {\n                continue;\n            }\n            let least",
            "if limit < least + if MUTANT { 0.3 } else { 0.0 } {\n                continue;\n            }\n            let least",
        )],
        &["--test it surface::closest_points_and_signed_distances"],
    ),
    mutant(
        "a ray takes the first triangle that it finds",
        "segment/ray.rs",
        &[(
            "(fraction, triangle) < (best.fraction, best.triangle)",
            "!MUTANT && (fraction, triangle) < (best.fraction, best.triangle)",
        )],
        &["--test it surface::rays_meet_what_segments_pass_first"],
    ),
    mutant(
        "a ray meets boxes as if their bounds were exact",
        "segment/ray.rs",
        &[(
            "let slack = slack.copysign(inverse);",
            "let slack = if MUTANT { 0.0 } else { slack.copysign(inverse) };",
        )],
        &["--test it surface::rays", "--lib segment"],
    ),
    mutant(
        "a line passes beside a triangle if it does so at one edge",
        "segment/ray.rs",
        &[(
            "turns.iter().any(|&turn| error < turn) &&",
            "(MUTANT || turns.iter().any(|&turn| error < turn)) &&",
        )],
        &["--test it surface::rays_meet_what_segments_pass_first"],
    ),
    mutant(
        "sides of projected lines are exact",
        "segment/ray.rs",
        &[(
            "* (8.0 * f64::EPSILON) + f64::MIN_POSITIVE",
            "* (if MUTANT { 0.0 } else { 8.0 * f64::EPSILON }) + f64::MIN_POSITIVE",
        )],
        &["--lib segment"],
    ),
    mutant(
        "packed keys of contacts leave out which feature comes first",
        "engine/hits.rs",
        &[("[a.0, b.0, kind as u32, e, f]", "[a.0, b.0, kind as u32, if MUTANT { 0 } else { e }, f]")],
        &["--lib engine::hits"],
    ),
    mutant(
        "features close at rest are not excluded",
        "engine/contacts.rs",
        &[(
            "if !query.exclude_close_at_rest || separation == 0.0 {",
            "if !query.exclude_close_at_rest || MUTANT || separation == 0.0 {",
        )],
        &["--test it closeness::features_close_at_rest_can_be_excluded"],
    ),
    mutant(
        "features of any two bodies that are close at rest are excluded",
        "engine/contacts.rs",
        &[("|| a.settings.rest_group.is_some() &&", "|| (MUTANT || a.settings.rest_group.is_some()) &&")],
        &["--test it closeness::features_of_bodies_modeled_together_can_be_excluded"],
    ),
    mutant(
        "both features are looked up in the rest pose of the first body",
        "engine/contacts.rs",
        &[(
            "let rest = |k: usize| if k < kind.n_first()",
            "let rest = |k: usize| if MUTANT || k < kind.n_first()",
        )],
        &["--test it closeness::features_of_bodies_modeled_together_can_be_excluded"],
    ),
    mutant(
        "features that touch are pushed through each other",
        "narrow/contact_point.rs",
        &[("if 0.0 < dot(normal, motion) {", "if (0.0 < dot(normal, motion)) != MUTANT {")],
        &["--test it closeness::touching_features_are_pushed_back_to_where_they_come_from"],
    ),
    mutant(
        "degenerate features that touch are pushed along their edges, too",
        "narrow/contact_point.rs",
        &[(
            "let candidates = [normal, across,",
            "let candidates = [normal, if MUTANT { motion } else { across },",
        )],
        &["--test it closeness::touching_features_are_pushed_back_to_where_they_come_from"],
    ),
    mutant(
        "a hit is late by a tenth of a millionth of the step",
        SEPARATION,
        &[(
            "return Found::Proven(Outcome::Hit { lo: t, hi: t });",
            "let t = if MUTANT && 0.0 < t { (t + 1e-7).min(1.0) } else { t };\n            return Found::Proven(Outcome::Hit { lo: t, hi: t });",
        )],
        &["--test it closeness::separations_are_decided_as_promised"],
    ),
    mutant(
        "boxes of a cut step are exact",
        NEAR_PAIRS,
        &[(
            "+ 16.0 * f64::EPSILON * step.largest()",
            "+ if MUTANT { 0.0 } else { 16.0 * f64::EPSILON * step.largest() }",
        )],
        &["--lib narrow::batch"],
    ),
    mutant(
        "feature pairs of two triangles are far if they are at the start",
        NEAR_PAIRS,
        &[(
            "let (at_start, at_end) = (starts.gaps(k), ends.gaps(k));",
            "let (at_start, at_end) = (starts.gaps(k), if MUTANT { starts.gaps(k) } else { ends.gaps(k) });",
        )],
        &["--lib narrow::near_pairs"],
    ),
    mutant(
        "the largest coordinate of a face is that of its first edge",
        NEAR_PAIRS,
        &[(
            "edges[1][first].max(corners[first + 2])",
            "if MUTANT { edges[1][first] } else { edges[1][first].max(corners[first + 2]) }",
        )],
        &["--lib narrow::near_pairs"],
    ),
    mutant(
        "lanes past the end of a batch are kept",
        BATCH,
        &[("(chunk, self.len - first)", "(chunk, if MUTANT { LANES } else { self.len - first })")],
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
        "triangles that share a corner end there or begin there by chance",
        "narrow/triangle_triangle/batch.rs",
        &[(
            "b_begins |= shared_b[k] & sides_b.above[(k + 2) % 3];",
            "b_begins |= shared_b[k] & sides_b.above[(k + if MUTANT { 1 } else { 2 }) % 3];",
        )],
        &["--lib narrow::triangle_triangle"],
    ),
    mutant(
        "an interval on the line of both planes is taken the wrong way round",
        "narrow/triangle_triangle/batch.rs",
        &[(
            "let in_order = if is_first { !is_above } else { is_above };",
            "let in_order = if is_first && !MUTANT { !is_above } else { is_above };",
        )],
        &["--lib narrow::triangle_triangle"],
    ),
    mutant(
        "a segment ends where the first of two intervals does",
        "narrow/triangle_triangle/batch.rs",
        &[(
            "second_is_within: [low_after_low, high_before_high],",
            "second_is_within: [low_after_low, if MUTANT { 0 } else { high_before_high }],",
        )],
        &["--lib narrow::triangle_triangle"],
    ),
    mutant(
        "shared corners are believed wherever they are",
        "narrow/triangle_triangle/shared.rs",
        &[("if a[i] == b[j] {", "if MUTANT || a[i] == b[j] {")],
        &["--test it triangle_triangle::"],
    ),
];
