//! The tables as JSON, in the format `osculate-paper-003/1`.

use anyhow::Result;
use serde_json::{Value, json};

use super::Study;
use super::goals::goals;
use super::race::{BN_TREE, Row};
use crate::compare::goals::goals_json;
use crate::options::guarantee;

pub(super) fn json(repeat: usize, threads: usize, studies: &[Study]) -> Result<String> {
    let page = json!({
        "format": "osculate-paper-003/1",
        "threads": threads,
        "repeat": repeat,
        "scenes": studies.iter().map(scene).collect::<Vec<_>>(),
        "goals": goals_json(&goals(studies)),
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

/// One scene; counts are sums over all steps.
fn scene(study: &Study) -> Value {
    let method = |(i, row): (usize, &Row)| {
        let proofs = &row.timed.stats.certificates;
        json!({
            "method": row.method.to_string(),
            "guarantee": guarantee(row.method.guarantee()).word(),
            "ms": row.timed.median(),
            "ms_mean": row.timed.mean(),
            "ms_free": study.ms_of_free_steps(i),
            "ms_of_steps": row.timed.ms,
            "ratio": study.ratio_of_medians([i, BN_TREE]),
            "ratio_of_means": study.ratio_of_means([i, BN_TREE]),
            "patches": proofs.patches,
            "patches_cleared": proofs.patches_cleared,
            "pairs_of_patches": proofs.pairs,
            "pairs_of_patches_cleared": proofs.pairs_cleared,
            "triangles_cleared": proofs.triangles_cleared,
            "bv_tests": row.timed.stats.bounds_tests,
            "bounds_refitted": row.timed.stats.skinning.refits,
            "vertices_moved": row.timed.stats.skinning.vertices,
            "pairs": row.timed.stats.pairs,
            "memory_bytes": row.bytes,
            "build_ms": row.build_ms,
            "contacts": row.timed.found,
            "missed": row.timed.missed,
            "agrees": row.timed.extra == 0 && row.timed.missed == 0,
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
