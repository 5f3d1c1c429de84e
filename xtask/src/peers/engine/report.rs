//! The comparison as a Markdown page.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::super::page::{self, median};
use super::{Comparison, Crossings, Row, server};

pub(super) fn markdown(comparison: &Comparison) -> anyhow::Result<String> {
    let mut text = String::new();
    let (turns, runs) = comparison.rows.first().map_or((0, 0), |row| (row.step.len(), row.all.seconds.len()));
    writeln!(
        text,
        "# Whole queries: Osculate and its peers\n\n\
         Cloth-ball: {} triangles, {} vertices. {}. Medians of {turns} runs of each peer and {runs} of Osculate, \
         interleaved.\n",
        comparison.n_faces,
        comparison.n_vertices,
        comparison.versions.join(", ")
    )?;
    step(&mut text, comparison)?;
    crossings(&mut text, comparison)?;
    let prepare: Vec<String> =
        comparison.prepare.iter().map(|(name, seconds)| format!("{name} {seconds:.3} s")).collect();
    writeln!(text, "Preparing the mesh, once and not part of any time above: {}.\n", prepare.join(", "))?;
    for row in &comparison.rows {
        page::busy(&mut text, row.threads, &row.share)?;
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// All contacts and the earliest one.
fn step(text: &mut String, comparison: &Comparison) -> anyhow::Result<()> {
    writeln!(
        text,
        "## Contacts of the step from frame 92 to 93\n\n\
         | threads | ipc-toolkit: candidates | deciding | together | Osculate: all contacts | ratio | \
         Osculate: earliest contact | ratio |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|"
    )?;
    for row in &comparison.rows {
        let peer = median(&row.step);
        let (all, earliest) = (median(&row.all.seconds), median(&row.earliest.seconds));
        writeln!(
            text,
            "| {} | {:.3} s | {:.3} s | {peer:.3} s | {all:.4} s | {:.2} | {earliest:.4} s | {:.2} |",
            row.threads,
            median(&row.broad),
            median(&row.narrow),
            peer / all,
            peer / earliest
        )?;
    }
    writeln!(
        text,
        "\nipc-toolkit builds its hierarchy (LBVH) and finds the candidates, then Tight-Inclusion finds the largest \
         collision-free step: the earliest contact, and no other. Osculate sets the positions, refits its existing \
         hierarchy, and answers.\n"
    )?;
    stages(text, comparison, "all contacts", |row| &row.all.last)?;
    stages(text, comparison, "earliest contact", |row| &row.earliest.last)?;
    let Some(row) = comparison.rows.last() else { bail!("nothing was measured") };
    let (all, earliest) = (&row.all.last, &row.earliest.last);
    writeln!(text, "Contacts: {}.", server::number(all, "contacts")?)?;
    page::earliest(text, &earliest["earliest"], comparison.peer_earliest)?;
    if !overlap(&all["earliest"], &earliest["earliest"]) {
        writeln!(
            text,
            "\nWARNING: the earliest of all contacts, {}, is not the earliest contact, {}.",
            all["earliest"], earliest["earliest"]
        )?;
    }
    for other in &comparison.rows {
        if other.all.last["contacts"] != all["contacts"] {
            writeln!(text, "\nWARNING: the number of contacts depends on the number of threads.")?;
        }
    }
    writeln!(text)?;
    Ok(())
}

/// The time of each stage in the last run of the library, if available.
fn stages(
    text: &mut String,
    comparison: &Comparison,
    query: &str,
    last: fn(&Row) -> &Value,
) -> anyhow::Result<()> {
    for row in &comparison.rows {
        let stages = last(row)["stages"].as_array().context("no stages in the answer")?;
        let mut parts = Vec::new();
        for stage in stages {
            let (Some(name), Some(seconds)) = (stage[0].as_str(), stage[1].as_f64()) else {
                bail!("`{stage}` is not a stage and its seconds");
            };
            parts.push(format!("{name} {seconds:.4} s"));
        }
        if !parts.is_empty() {
            writeln!(text, "- {query}, threads = {}, last run: {}", row.threads, parts.join(", "))?;
        }
    }
    if comparison.rows.iter().any(|row| last(row)["stages"].get(0).is_some()) {
        writeln!(text)?;
    }
    Ok(())
}

/// Triangles that cross.
fn crossings(text: &mut String, comparison: &Comparison) -> anyhow::Result<()> {
    writeln!(
        text,
        "## Self-crossings of frame 93\n\n\
         | threads | peer | time | Osculate: all pairs | ratio | Osculate: whether any | ratio |\n\
         |--:|---|--:|--:|--:|--:|--:|"
    )?;
    for row in &comparison.rows {
        let (all, any) = (median(&row.crossings.seconds), median(&row.any.seconds));
        for peer in &row.peers {
            let seconds = median(&peer.seconds);
            writeln!(
                text,
                "| {} | {}, {} | {seconds:.3} s | {all:.4} s | {:.2} | {any:.4} s | {:.2} |",
                row.threads,
                peer.name,
                if peer.lists { "all pairs" } else { "whether any" },
                seconds / all,
                seconds / any
            )?;
        }
    }
    writeln!(
        text,
        "\nA peer's time is that of building its hierarchy and searching it; Osculate's is that of setting the positions, \
         refitting its hierarchy of frame 92, and searching it. MeshLib and Blender work in \
         float32.\n"
    )?;
    for row in &comparison.rows {
        fastest(text, row)?;
    }
    writeln!(text)?;
    stages(text, comparison, "all crossing pairs", |row| &row.crossings.last)?;
    agreement(text, comparison)
}

/// Names the fastest peers: overall, and among those that do the same work.
fn fastest(text: &mut String, row: &Row) -> std::fmt::Result {
    let ours = median(&row.crossings.seconds);
    let least = |listing: bool| {
        let peers = row.peers.iter().filter(|peer| !listing || peer.lists);
        peers.min_by(|a, b| median(&a.seconds).total_cmp(&median(&b.seconds)))
    };
    let describe = |peer: &Crossings| {
        let seconds = median(&peer.seconds);
        format!("{}, {seconds:.3} s, ratio {:.2}", peer.name, seconds / ours)
    };
    if let (Some(any), Some(listing)) = (least(false), least(true)) {
        writeln!(
            text,
            "- threads = {}: fastest peer of all: {}; fastest that lists the pairs: {}",
            row.threads,
            describe(any),
            describe(listing)
        )?;
    }
    Ok(())
}

/// Whether all sides find the same crossings.
fn agreement(text: &mut String, comparison: &Comparison) -> anyhow::Result<()> {
    if !comparison.differences.is_empty() {
        writeln!(
            text,
            "| pairs | reported | sharing no vertex | Osculate | only the peer | only Osculate |\n\
             |---|--:|--:|--:|--:|--:|"
        )?;
    }
    for difference in &comparison.differences {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            difference.name,
            difference.n_reported,
            difference.n_theirs,
            difference.n_ours,
            difference.only_theirs,
            difference.only_ours
        )?;
    }
    writeln!(text)?;
    for row in &comparison.rows {
        let pairs = server::number(&row.crossings.last, "pairs")?;
        if row.any.last["any"].as_bool() != Some(0.0 < pairs) {
            writeln!(text, "WARNING: Osculate's two answers about crossings contradict each other.\n")?;
        }
        for peer in &row.peers {
            if peer.any != (0.0 < pairs) {
                writeln!(
                    text,
                    "WARNING: at threads = {} Osculate finds {pairs} crossing pairs, and {} says that there are {}.\n",
                    row.threads,
                    peer.name,
                    if peer.any { "some" } else { "none" }
                )?;
            }
        }
    }
    Ok(())
}

/// Whether two brackets overlap; null, for no contact, agrees only with null.
fn overlap(a: &Value, b: &Value) -> bool {
    match (a[0].as_f64(), a[1].as_f64(), b[0].as_f64(), b[1].as_f64()) {
        (Some(a_lo), Some(a_hi), Some(b_lo), Some(b_hi)) => a_lo <= b_hi && b_lo <= a_hi,
        _ => a.is_null() && b.is_null(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::peers::engine::{Difference, Ours};

    fn comparison() -> Comparison {
        let ours = |seconds: f64, last: Value| Ours { seconds: vec![seconds], last };
        let peer = |name, lists, seconds| Crossings { name, lists, seconds: vec![seconds], any: true };
        let row = Row {
            threads: 2,
            broad: vec![1.0],
            narrow: vec![3.0],
            step: vec![4.0],
            share: vec![1.0],
            all: ours(
                2.0,
                json!({ "contacts": 7, "earliest": [0.25, 0.5], "stages": [["search", 1.5], ["decide", 0.5]] }),
            ),
            earliest: ours(0.5, json!({ "earliest": [0.25, 0.5], "stages": [] })),
            crossings: ours(0.25, json!({ "pairs": 2, "stages": [] })),
            any: ours(0.125, json!({ "any": true, "stages": [] })),
            peers: vec![
                peer("MeshLib", true, 1.0),
                peer("Blender", true, 0.75),
                peer("ipc-toolkit", false, 0.5),
            ],
        };
        let (theirs, ours) = (BTreeSet::from([[0, 1], [0, 2], [0, 3]]), BTreeSet::from([[0, 1], [0, 4]]));
        Comparison {
            n_vertices: 40,
            n_faces: 20,
            versions: vec!["MeshLib 1".to_owned()],
            rows: vec![row],
            prepare: vec![("MeshLib", 0.125)],
            peer_earliest: 0.25,
            differences: vec![Difference::new("MeshLib", 5, &theirs, &ours)],
        }
    }

    #[test]
    fn page_has_times_ratios_and_differences() {
        let text = markdown(&comparison()).unwrap();
        for line in [
            "| 2 | 1.000 s | 3.000 s | 4.000 s | 2.0000 s | 2.00 | 0.5000 s | 8.00 |",
            "- all contacts, threads = 2, last run: search 1.5000 s, decide 0.5000 s",
            "| 2 | MeshLib, all pairs | 1.000 s | 0.2500 s | 4.00 | 0.1250 s | 8.00 |",
            "fastest peer of all: ipc-toolkit, 0.500 s, ratio 2.00; fastest that lists the pairs: Blender, 0.750 s, ratio 3.00",
            "| MeshLib | 5 | 3 | 2 | 2 | 1 |",
        ] {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
        assert!(!text.contains("WARNING"), "{text}");
    }

    #[test]
    fn page_warns_of_answers_that_disagree() {
        let check = |change: fn(&mut Comparison), warning| {
            let mut comparison = comparison();
            change(&mut comparison);
            let text = markdown(&comparison).unwrap();
            assert_eq!(text.matches("WARNING").count(), 1, "{text}");
            assert!(text.contains(warning), "{text}");
        };
        check(|c| c.peer_earliest = 0.75, "later than a contact that Osculate has proven");
        check(|c| c.rows[0].all.last["earliest"] = json!([0.6, 0.7]), "is not the earliest contact");
        check(|c| c.rows[0].all.last["earliest"] = Value::Null, "is not the earliest contact");
        check(|c| c.rows[0].peers[2].any = false, "ipc-toolkit says that there are none");
        check(|c| c.rows[0].any.last["any"] = json!(false), "contradict each other");
        check(|c| c.rows[0].share = vec![0.5], "Tight-Inclusion got 50 %");
    }
}
