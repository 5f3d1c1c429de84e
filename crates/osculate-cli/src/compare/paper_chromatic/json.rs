//! The tables as JSON, in the format `osculate-paper-001/1`.

use anyhow::Result;
use serde_json::{Value, json};

use super::Study;
use super::colors::Colors;
use super::goals::goals;
use super::race::Row;

pub(super) fn json(repeat: usize, threads: usize, studies: &[Study], colors: &[Colors]) -> Result<String> {
    let goals = goals(studies, colors).into_iter().map(|goal| {
        json!({
            "goal": goal.words,
            "wanted": goal.wanted,
            "measured": goal.figures,
            "reached": goal.is_reached,
        })
    });
    let page = json!({
        "format": "osculate-paper-001/1",
        "threads": threads,
        "repeat": repeat,
        "scenes": studies.iter().map(scene).collect::<Vec<_>>(),
        "colorings": colors.iter().map(coloring).collect::<Vec<_>>(),
        "goals": goals.collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

/// One scene; counts are sums over all steps, times of stages are means.
fn scene(study: &Study) -> Value {
    let method = |(i, row): (usize, &Row)| {
        let [refit, traversal, sets, narrow] = row.stages;
        json!({
            "method": row.method.to_string(),
            "ms": row.median(),
            "ms_mean": row.mean(),
            "ms_of_steps": row.ms,
            "ms_refit": refit,
            "ms_traversal": traversal,
            "ms_sets": sets,
            "ms_narrow": narrow,
            "speedup": study.speedup(i)[0],
            "speedup_of_means": study.speedup(i)[1],
            "steps_with_sets": row.n_culled,
            "triangles_after_stage_1": row.stats.sets.marked,
            "triangles_after_stage_2": row.stats.sets.left,
            "tests_of_sets": row.stats.sets.tests,
            "bv_tests": row.stats.bounds_tests,
            "pairs": row.stats.pairs,
            "elementary_tests": row.stats.narrow.queries,
            "elementary_tests_of_steps": row.tests,
            "fewer_elementary_tests": study.fewer_tests(i),
            "contacts": row.found,
            "missed": row.missed,
            "agrees": row.agrees(),
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
