//! The tables as JSON, in the format `osculate-paper-001/1`.

use anyhow::Result;
use serde_json::{Value, json};

use super::Study;
use super::colors::Colors;
use super::goals::goals;
use super::race::Row;
use crate::compare::goals::goals_json;

pub(super) fn json(repeat: usize, threads: usize, studies: &[Study], colors: &[Colors]) -> Result<String> {
    let page = json!({
        "format": "osculate-paper-001/1",
        "threads": threads,
        "repeat": repeat,
        "scenes": studies.iter().map(scene).collect::<Vec<_>>(),
        "colorings": colors.iter().map(coloring).collect::<Vec<_>>(),
        "goals": goals_json(&goals(studies, colors)),
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

/// One scene; counts are sums over all steps, times of stages are means.
fn scene(study: &Study) -> Value {
    let method = |(i, row): (usize, &Row)| {
        let Row { method, timed } = row;
        let [refit, traversal, sets, narrow] = timed.stages;
        json!({
            "method": method.to_string(),
            "ms": timed.median(),
            "ms_mean": timed.mean(),
            "ms_of_steps": timed.ms,
            "ms_refit": refit,
            "ms_traversal": traversal,
            "ms_sets": sets,
            "ms_narrow": narrow,
            "speedup": study.speedup(i)[0],
            "speedup_of_means": study.speedup(i)[1],
            "steps_with_sets": row.n_culled(),
            "triangles_after_stage_1": timed.stats.sets.marked,
            "triangles_after_stage_2": timed.stats.sets.left,
            "tests_of_sets": timed.stats.sets.tests,
            "bv_tests": timed.stats.bounds_tests,
            "pairs": timed.stats.pairs,
            "elementary_tests": timed.stats.narrow.queries,
            "elementary_tests_of_steps": row.tests().collect::<Vec<_>>(),
            "fewer_elementary_tests": study.fewer_tests(i),
            "contacts": timed.found,
            "missed": timed.missed,
            "agrees": timed.agrees(),
        })
    };
    json!({
        "scene": study.scene,
        "triangles": study.triangles,
        "steps": study.n_steps(),
        "contacts_of_steps": study.contacts,
        "methods": study.rows.iter().enumerate().map(method).collect::<Vec<_>>(),
    })
}

fn coloring(colors: &Colors) -> Value {
    json!({
        "mesh": colors.mesh,
        "triangles": colors.triangles,
        "triangles_of_a_primitive": colors.size,
        "primitives": colors.primitives,
        "colors": colors.colors,
        "lower_bound": colors.lower_bound,
        "ms": colors.ms,
    })
}
