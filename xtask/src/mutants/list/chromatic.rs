//! Chromatic decomposition: colors, visibility tests of sets, and what they leave.

use super::{Mutant, equivalent, mutant};

const SETS: &str = "raster/sets.rs";
const VIEW: &str = "raster/view.rs";
const CPU: &str = "raster/cpu.rs";

const OF_SOUPS: &[&str] = &["--lib raster::sets::"];
const OF_FOOTPRINTS: &[&str] = &["--lib raster::tests::footprints_cover_their_primitives"];
const OF_RASTER: &[&str] = &["--lib raster::tests::the_rasterizer_gives_the_answers_of_all_pairs"];
const OF_COLORS: &[&str] = &["--test it coloring::"];
const OF_WORLDS: &[&str] = &["--test it sets::t"];

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "sets: what is proven in a pass is not rendered in the same pass, as in the prose of the paper",
        SETS,
        &[(
            "renders: u32::from(second) | u32::from(first) << 1,",
            "renders: if MUTANT { u32::from(first) | u32::from(second) << 1 } else { u32::from(second) | u32::from(first) << 1 },",
        )],
        OF_SOUPS,
    ),
    mutant(
        "sets: half proofs are kept when ranks change",
        SETS,
        &[
            (
                "    /// Number of 2.5-D tests: primitives",
                "    // MUTANT\n    kept: [Vec<u32>; 2],\n    /// Number of 2.5-D tests: primitives",
            ),
            (
                "let mut halves = Halves { first: whole(), second: whole() };",
                "let mut halves = Halves { first: whole(), second: whole() };
        pruned.kept.iter_mut().for_each(|kept| kept.resize(self.group.sets.len(), 0));
        for (rank, &p) in self.ranked.iter().enumerate().filter(|_| MUTANT) {
            halves.first[rank] |= pruned.kept[0][p as usize];
            halves.second[rank] |= pruned.kept[1][p as usize];
        }",
            ),
            (
                "            pruned.apart[p as usize] |=",
                "            if MUTANT {
                pruned.kept[0][p as usize] |= halves.first[rank];
                pruned.kept[1][p as usize] |= halves.second[rank];
            }
            pruned.apart[p as usize] |=",
            ),
        ],
        OF_SOUPS,
    ),
    mutant(
        "sets: a proof in one pass is enough",
        SETS,
        &[(
            "halves.first[rank] & halves.second[rank];",
            "if MUTANT { halves.first[rank] | halves.second[rank] } else { halves.first[rank] & halves.second[rank] };",
        )],
        OF_SOUPS,
    ),
    mutant(
        "sets: what is neither in front of a set nor behind it is apart",
        SETS,
        &[(
            "!(answer.first_front & answer.first_back)",
            "if MUTANT { !answer.first_front | u32::MAX } else { !(answer.first_front & answer.first_back) }",
        )],
        OF_SOUPS,
    ),
    mutant(
        "sets: ranges along an axis are not enlarged",
        SETS,
        &[("if margin == 0.0 { (lo, hi) }", "if margin == 0.0 || MUTANT { (lo, hi) }")],
        OF_SOUPS,
    ),
    equivalent(
        "sets: ranges along an axis are rounded to the nearest",
        SETS,
        &[("if f64::from(x as f32) <= x {", "if MUTANT || f64::from(x as f32) <= x {")],
        "any monotone function of a coordinate keeps the order of two bounds",
    ),
    mutant(
        "footprint: the lower depth is that at the corner of a pixel",
        VIEW,
        &[(
            "c_min: least + gx.min(0) + gy.min(0),",
            "c_min: least + if MUTANT { 0 } else { gx.min(0) + gy.min(0) },",
        )],
        OF_FOOTPRINTS,
    ),
    mutant(
        "footprint: the upper depth is that at the corner of a pixel",
        VIEW,
        &[(
            "c_max: greatest + gx.max(0) + gy.max(0),",
            "c_max: greatest + if MUTANT { 0 } else { gx.max(0) + gy.max(0) },",
        )],
        OF_FOOTPRINTS,
    ),
    mutant(
        "footprint: edges are not shifted outward",
        VIEW,
        &[(
            "[a, b, a.max(0) + b.max(0) - least]",
            "[a, b, if MUTANT { 0 } else { a.max(0) + b.max(0) } - least]",
        )],
        OF_FOOTPRINTS,
    ),
    mutant(
        "footprint: primitives are not enlarged",
        VIEW,
        &[(
            "let margin = self.margin * self.scale;",
            "let margin = if MUTANT { 0.0 } else { self.margin * self.scale };",
        )],
        OF_FOOTPRINTS,
    ),
    mutant(
        "footprint: bounds are rounded inward",
        VIEW,
        &[(
            "[(range[0] - around).floor() as i32, (range[1] + around).ceil() as i32]",
            "if MUTANT { [(range[0] - around).ceil() as i32, (range[1] + around).floor() as i32] } else { [(range[0] - around).floor() as i32, (range[1] + around).ceil() as i32] }",
        )],
        OF_FOOTPRINTS,
    ),
    mutant(
        "footprint: the first column and row are rounded to the nearest",
        VIEW,
        &[(
            "let first = lo.map(f64::floor);",
            "let first = lo.map(if MUTANT { f64::round } else { f64::floor });",
        )],
        OF_FOOTPRINTS,
    ),
    mutant(
        "raster: a primitive hides its neighbor",
        CPU,
        &[(
            "|| neighbors[high.set as usize] == high.p {",
            "|| !MUTANT && neighbors[high.set as usize] == high.p {",
        )],
        OF_RASTER,
    ),
    mutant(
        "raster: behind a neighbor nothing else is seen",
        CPU,
        &[(
            "let near = of_pixel.near[usize::from(of_pixel.nearest[s] == neighbors[s])][s];",
            "let near = if MUTANT && of_pixel.nearest[s] == neighbors[s] { i32::MAX } else { of_pixel.near[usize::from(of_pixel.nearest[s] == neighbors[s])][s] };",
        )],
        OF_RASTER,
    ),
    mutant(
        "colors: rows of (j, i) are in another order than those of (i, j)",
        "chromatic/aligned.rs",
        &[(
            "rows.iter_mut().for_each(|row| row.reverse());",
            "rows.iter_mut().for_each(|row| row.reverse());\n        if MUTANT {\n            rows.sort_unstable();\n        }",
        )],
        OF_COLORS,
    ),
    mutant(
        "colors: patterns of grids are not checked",
        "chromatic/grid.rs",
        &[("&& checker.is_valid(&colors, p);", "&& (checker.is_valid(&colors, p) || MUTANT);")],
        OF_COLORS,
    ),
    mutant(
        "colors: what is near a cut keeps its color",
        "chromatic/recolor.rs",
        &[("            is_near[w as usize] = true;", "            is_near[w as usize] = !MUTANT;")],
        OF_COLORS,
    ),
    mutant(
        "colors: only neighbors need different colors",
        "chromatic/graph.rs",
        &[(
            "            for &w in self.rings.row(v) {",
            "            for &w in self.rings.row(v).iter().filter(|&&w| !MUTANT || w == v) {",
        )],
        OF_COLORS,
    ),
    mutant(
        "chromatic: only one triangle of a candidate pair is marked",
        "method/chromatic/marks.rs",
        &[("second[b as usize].store(true, Relaxed);", "second[b as usize].store(!MUTANT, Relaxed);")],
        OF_WORLDS,
    ),
    mutant(
        "chromatic: adjacent primitives of several triangles are apart",
        "method/chromatic/survivors.rs",
        &[("|| sets.are_neighbors(p, q)", "|| !MUTANT && sets.are_neighbors(p, q)")],
        OF_WORLDS,
    ),
    mutant(
        "chromatic: triangles of primitives that are apart do not survive",
        "method/chromatic/sets.rs",
        &[("is_apart && size == Size::One", "is_apart && (MUTANT || size == Size::One)")],
        OF_WORLDS,
    ),
    mutant(
        "chromatic: primitives of no set are forgotten",
        "method/chromatic/sets.rs",
        &[("!sets.has_rest {", "(MUTANT || !sets.has_rest) {")],
        OF_WORLDS,
    ),
    mutant(
        "chromatic: adjacent triangles are not compared at an instant",
        "method/chromatic/sets.rs",
        &[("if is_same && is_instant {", "if is_same && is_instant && !MUTANT {")],
        OF_WORLDS,
    ),
];
