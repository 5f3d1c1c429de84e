//! The tables as JSON, in the format `osculate-paper-002/1`.

use anyhow::Result;
use serde_json::{Value, json};

use super::published::{RADII, published};
use super::timely::{BUDGET, Timely};
use super::{Studies, Study};

pub(super) fn json(repeat: usize, threads: usize, studies: &Studies) -> Result<String> {
    let levels = studies.radii.iter().enumerate().map(|(i, level)| {
        json!({
            "spheres": level.spheres,
            "reference": level.reference,
            "on_demand": level.on_demand,
            "bottom_up": level.bottom_up,
            "best": level.best,
            "paper": RADII.get(i),
        })
    });
    let page = json!({
        "format": "osculate-paper-002/1",
        "threads": threads,
        "repeat": repeat,
        "radii": levels.collect::<Vec<_>>(),
        "scenarios": studies.walks.iter().chain(&studies.dwarves).map(scenario).collect::<Vec<_>>(),
        "timely": studies.timely.iter().map(timely).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&page)? + "\n")
}

/// One scenario; counts are sums over all frames.
fn scenario(study: &Study) -> Value {
    let method = |(i, row): (usize, &super::Row)| {
        json!({
            "method": row.method,
            "ms": row.ms[0],
            "ms_min": row.ms[1],
            "ms_max": row.ms[2],
            "speedup": study.speedup(i),
            "bv_tests": row.stats.bounds_tests,
            "bounds_refitted": row.stats.skinning.refits,
            "vertices_moved": row.stats.skinning.vertices,
            "pairs": row.stats.pairs,
            "found": row.found,
            "agrees": row.agrees,
        })
    };
    json!({
        "scenario": study.scenario,
        "triangles": study.triangles,
        "spheres": study.spheres,
        "frames": study.frames,
        "methods": study.rows.iter().enumerate().map(method).collect::<Vec<_>>(),
        "paper": paper(&study.scenario),
    })
}

fn paper(scenario: &str) -> Option<Value> {
    let paper = published(scenario)?;
    let details = paper.details.as_ref();
    Some(json!({
        "ms_of_on_demand_and_bottom_up": paper.ms,
        "speedup": paper.speedup,
        "spheres": details.map(|details| details.spheres),
        "crossings": details.map(|details| details.crossings),
        "bv_tests_of_on_demand_and_bottom_up": details.map(|details| details.tests),
    }))
}

fn timely(timely: &Timely) -> Value {
    let [yes, no, undecided] = timely.verdicts;
    json!({
        "wanted": timely.question.words(),
        "budget_ms": 1e-6 * BUDGET as f64,
        "queries": timely.queries,
        "posing_ms": timely.posing,
        "ms": timely.mean,
        "ms_max": timely.longest,
        "yes": yes,
        "no": no,
        "undecided": undecided,
        "found": timely.found,
        "all": timely.all,
        "pairs_of_bodies": { "found": timely.pairs, "all": timely.all_pairs },
        "wrong": timely.wrong,
    })
}
