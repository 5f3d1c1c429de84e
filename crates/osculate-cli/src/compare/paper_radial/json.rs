//! The tables as JSON, in the format `osculate-paper-000/1`.

use anyhow::Result;
use serde_json::{Value, json};

use super::published::published;
use super::{BASE, MCD, OURS, Study, counts};
use crate::compare::runner::Row;
use crate::options::guarantee;
use crate::rig::Cost;

pub(super) fn json(repeat: usize, threads: usize, studies: &[Study]) -> Result<String> {
    let scenes: Vec<Value> = studies.iter().map(scene).collect();
    let page = json!({
        "format": "osculate-paper-000/1",
        "threads": threads,
        "repeat": repeat,
        "scenes": scenes,
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

fn scene(study: &Study) -> Value {
    let stages = Cost::STAGES.iter().zip(study.cost.times);
    let preprocessing: serde_json::Map<String, Value> =
        stages.map(|(&stage, time)| (stage.to_owned(), json!(time as f64 * 1e-6))).collect();
    let disturbed: Vec<Value> = study
        .disturbed
        .iter()
        .map(|(disturbance, row)| {
            let mut value = method(study, row);
            value["size"] = json!(disturbance.size);
            value["share"] = json!(disturbance.share);
            value["time_ratio"] = json!(row.ms[0] / study.rows[OURS].ms[0]);
            value
        })
        .collect();
    json!({
        "scene": study.scene,
        "triangles": study.triangles,
        "vertices": study.vertices,
        "steps": study.steps,
        "clusters_before": study.cost.n_before,
        "clusters": study.clusters,
        "preprocessing_ms": preprocessing,
        "methods": study.rows.iter().map(|row| method(study, row)).collect::<Vec<_>>(),
        "disturbed": disturbed,
        "paper": paper(&study.scene),
    })
}

/// One method; counts are sums over all steps.
fn method(study: &Study, row: &Row) -> Value {
    let (counts, [base, mcd]) = (counts(row), [BASE, MCD].map(|i| &study.rows[i]));
    json!({
        "method": row.method,
        "guarantee": guarantee(row.guarantee).word(),
        "ms": row.ms[0],
        "ms_min": row.ms[1],
        "ms_max": row.ms[2],
        "stages": { "refit": row.stages[0], "proofs": row.stages[1], "cull": row.stages[2], "narrow": row.stages[3] },
        "bv_tests": row.stats.bounds_tests,
        "bv_tests_inter": counts.inter_tests,
        "bv_tests_intra": counts.intra_tests,
        "pairs": row.stats.pairs,
        "plus": counts.plus,
        "minus": counts.minus,
        "uncertain": counts.uncertain,
        "orphans": counts.orphans,
        "closure_rounds": counts.closure_rounds,
        "seeds": counts.seeds,
        "contacts": row.found,
        "agrees": row.agrees(),
        "missed": row.missed,
        "speedup_base": base.ms[0] / row.ms[0],
        "speedup_mcd": mcd.ms[0] / row.ms[0],
    })
}

fn paper(scene: &str) -> Option<Value> {
    let paper = published(scene)?;
    let stages = paper.stages.map(|[refit, proofs, cull, narrow, thousands]| {
        json!({ "refit": refit, "proofs": proofs, "cull": cull, "narrow": narrow, "pairs": 1000.0 * thousands })
    });
    Some(json!({
        "plus_minus_uncertain": paper.classes,
        "clusters": paper.clusters,
        "bv_tests": paper.tests.map(|thousands| 1000.0 * thousands),
        "bv_tests_over_base_and_mcd": paper.test_ratios,
        "ms": paper.ms,
        "speedup_over_base_and_mcd": paper.speedups,
        "pairs_over_base": paper.pair_ratio,
        "stages_of_base_mcd_and_ours": stages,
    }))
}
