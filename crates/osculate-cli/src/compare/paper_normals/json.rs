//! The tables as JSON, in the format `osculate-paper-003/1`.

use anyhow::Result;
use serde_json::{Value, json};

use super::Study;
use super::goals::goals;
use super::race::{BN_TREE, Row};
use crate::options::guarantee;

pub(super) fn json(repeat: usize, threads: usize, studies: &[Study]) -> Result<String> {
    let goals = goals(studies).into_iter().map(|goal| {
        json!({
            "goal": goal.words,
            "wanted": goal.wanted,
            "measured": goal.figures,
            "reached": goal.is_reached,
        })
    });
    let page = json!({
        "format": "osculate-paper-003/1",
        "threads": threads,
        "repeat": repeat,
        "scenes": studies.iter().map(scene).collect::<Vec<_>>(),
        "goals": goals.collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

/// One scene; counts are sums over all steps.
fn scene(study: &Study) -> Value {
    let method = |(i, row): (usize, &Row)| {
        let proofs = &row.stats.certificates;
        json!({
            "method": row.method.to_string(),
            "guarantee": guarantee(row.method.guarantee()).word(),
            "ms": row.median(),
            "ms_mean": row.mean(),
            "ms_free": study.ms_of_free_steps(i),
            "ms_of_steps": row.ms,
            "ratio": study.ratio_of_medians([i, BN_TREE]),
            "ratio_of_means": study.ratio_of_means([i, BN_TREE]),
            "patches": proofs.patches,
            "patches_cleared": proofs.patches_cleared,
            "pairs_of_patches": proofs.pairs,
            "pairs_of_patches_cleared": proofs.pairs_cleared,
            "triangles_cleared": proofs.triangles_cleared,
            "bv_tests": row.stats.bounds_tests,
            "bounds_refitted": row.stats.skinning.refits,
            "vertices_moved": row.stats.skinning.vertices,
            "pairs": row.stats.pairs,
            "memory_bytes": row.bytes,
            "build_ms": row.build_ms,
            "contacts": row.found,
            "missed": row.missed,
            "agrees": row.extra == 0 && row.missed == 0,
        })
    };
    json!({
        "scene": study.scene,
        "triangles": study.triangles,
        "vertices": study.vertices,
        "steps": study.n_steps(),
        "contacts_of_steps": study.contacts,
        "methods": study.rows.iter().enumerate().map(method).collect::<Vec<_>>(),
    })
}
