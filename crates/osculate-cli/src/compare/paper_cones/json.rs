//! The tables as JSON, in the format `osculate-paper-004/1`.

use anyhow::Result;
use osculate::Method;
use serde_json::{Value, json};

use super::Study;
use crate::compare::figures::elementary_tests;
use crate::compare::race::Timed;

pub(super) fn json(repeat: usize, threads: usize, studies: &[Study]) -> Result<String> {
    let page = json!({
        "format": "osculate-paper-004/1",
        "threads": threads,
        "repeat": repeat,
        "studies": studies.iter().map(study).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

/// A question about a scene; counts are sums over all steps, times of stages are means.
fn study(study: &Study) -> Value {
    let method = |(i, (method, timed)): (usize, &(Method, Timed))| {
        let [refit, traversal, proofs, narrow] = timed.stages;
        json!({
            "method": method.to_string(),
            "ms": timed.median(),
            "ms_mean": timed.mean(),
            "ms_of_steps": timed.ms,
            "ms_refit": refit,
            "ms_traversal": traversal,
            "ms_proofs": proofs,
            "ms_narrow": narrow,
            "speedup": study.speedup(i)[0],
            "speedup_of_means": study.speedup(i)[1],
            "bv_tests": timed.stats.bounds_tests,
            "pairs": timed.stats.pairs,
            "elementary_tests": elementary_tests(&timed.stats),
            "false_positives_of_steps": study.false_positives(i).collect::<Vec<_>>(),
            "front_pairs": timed.stats.front_pairs,
            "found": timed.found,
            "agrees": timed.agrees(),
        })
    };
    json!({
        "scene": study.scene,
        "query": study.query(),
        "triangles": study.triangles,
        "steps": study.n_steps(),
        "found_of_steps": study.found,
        "methods": study.rows.iter().enumerate().map(method).collect::<Vec<_>>(),
    })
}
