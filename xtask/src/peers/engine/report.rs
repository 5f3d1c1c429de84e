//! The comparison as a Markdown page.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::super::OUR_RUNS;
use super::super::page::{self, median};
use super::{Comparison, Crossings, Finds, Ours, Row, server};

pub(super) fn markdown(comparison: &Comparison) -> anyhow::Result<String> {
    let mut text = String::new();
    let (turns, runs) = comparison
        .rows
        .first()
        .map_or((0, 0), |row| (row.any.seconds.len() / OUR_RUNS, row.all.seconds.len()));
    writeln!(
        text,
        "# Whole queries: Osculate and its peers\n\n\
         Cloth-ball: {} triangles, {} vertices. {}. Medians of {turns} runs of each peer and {runs} of Osculate, \
         interleaved.\n",
        comparison.n_faces,
        comparison.n_vertices,
        comparison.versions.join(", ")
    )?;
    if !comparison.absent.is_empty() {
        writeln!(text, "Left out, as they cannot be installed here: {}.\n", comparison.absent.join(", "))?;
    }
    step(&mut text, comparison)?;
    crossings(&mut text, comparison)?;
    once(&mut text, comparison)?;
    agreement(&mut text, comparison)?;
    let prepare: Vec<String> =
        comparison.prepare.iter().map(|(name, seconds)| format!("{name} {seconds:.3} s")).collect();
    writeln!(
        text,
        "Preparing the mesh, once, part of the times for a mesh that is seen for the first time only: {}.\n",
        prepare.join(", ")
    )?;
    for row in &comparison.rows {
        for step in &row.steps {
            page::busy(&mut text, step.ccd, row.threads, &step.share)?;
        }
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// All contacts and the earliest one.
fn step(text: &mut String, comparison: &Comparison) -> anyhow::Result<()> {
    writeln!(
        text,
        "## Contacts of the step from frame 92 to 93\n\n\
         | threads | ipc-toolkit with | candidates | deciding | together | Osculate: all contacts | ratio | \
         Osculate: earliest contact | ratio |\n\
         |--:|---|--:|--:|--:|--:|--:|--:|--:|"
    )?;
    for row in &comparison.rows {
        let (all, earliest) = (median(&row.all.seconds), median(&row.earliest.seconds));
        for step in &row.steps {
            let peer = median(&step.seconds);
            writeln!(
                text,
                "| {} | {} | {:.3} s | {:.3} s | {peer:.3} s | {all:.4} s | {:.2} | {earliest:.4} s | {:.2} |",
                row.threads,
                step.ccd,
                median(&step.broad),
                median(&step.narrow),
                peer / all,
                peer / earliest
            )?;
        }
    }
    writeln!(
        text,
        "\nipc-toolkit builds its hierarchy (LBVH) and finds the candidates, then its CCD method finds the largest \
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
         | threads | peer | finds | time | Osculate: all pairs | ratio | Osculate: whether any | ratio |\n\
         |--:|---|---|--:|--:|--:|--:|--:|"
    )?;
    for row in &comparison.rows {
        let (all, any) = (median(&row.crossings.seconds), median(&row.any.seconds));
        for peer in &row.peers {
            let seconds = median(&peer.seconds);
            writeln!(
                text,
                "| {} | {} | {} | {seconds:.3} s | {all:.4} s | {:.2} | {any:.4} s | {:.2} |",
                row.threads,
                title(peer, row),
                words(peer.finds),
                seconds / all,
                seconds / any
            )?;
        }
    }
    writeln!(
        text,
        "\nA peer's time is that of building its hierarchy and searching it; Osculate's is that of setting the positions, \
         refitting its hierarchy of frame 92, and searching it. MeshLib, Blender and Newton work in float32.\n"
    )?;
    for row in &comparison.rows {
        fastest(text, row, &row.crossings, |peer| &peer.seconds)?;
    }
    writeln!(text)?;
    stages(text, comparison, "all crossing pairs", |row| &row.crossings.last)
}

/// The same for a mesh that is seen for the first time.
fn once(text: &mut String, comparison: &Comparison) -> anyhow::Result<()> {
    writeln!(
        text,
        "## A mesh that is seen once: frame 93 from arrays to all crossing pairs\n\n\
         | threads | peer | finds | time | Osculate: all pairs | ratio |\n\
         |--:|---|---|--:|--:|--:|"
    )?;
    for row in &comparison.rows {
        let ours = median(&row.once.seconds);
        for peer in &row.peers {
            let seconds = median(&peer.once);
            writeln!(
                text,
                "| {} | {} | {} | {seconds:.3} s | {ours:.4} s | {:.2} |",
                row.threads,
                title(peer, row),
                words(peer.finds),
                seconds / ours
            )?;
        }
    }
    writeln!(
        text,
        "\nHere all preparation counts on both sides: checking the mesh, its connectivity, and all hierarchies.\n"
    )?;
    for row in &comparison.rows {
        fastest(text, row, &row.once, |peer| &peer.once)?;
    }
    writeln!(text)?;
    stages(text, comparison, "all crossing pairs", |row| &row.once.last)
}

/// The name of a peer, with its number of threads if it does not use as many as it may.
fn title(peer: &Crossings, row: &Row) -> String {
    if peer.threads == row.threads {
        return peer.name.to_owned();
    }
    format!("{} (threads: {})", peer.name, peer.threads)
}

fn words(finds: Finds) -> &'static str {
    match finds {
        Finds::Pairs => "all pairs",
        Finds::Triangles => "triangles",
        Finds::Any => "whether any",
    }
}

/// Names the fastest peers: overall, and among those that do the same work.
fn fastest(
    text: &mut String,
    row: &Row,
    ours: &Ours,
    times: fn(&Crossings) -> &Vec<f64>,
) -> std::fmt::Result {
    let ours = median(&ours.seconds);
    let least = |listing: bool| {
        let peers = row.peers.iter().filter(|peer| !listing || peer.finds == Finds::Pairs);
        peers.min_by(|a, b| median(times(a)).total_cmp(&median(times(b))))
    };
    let describe = |peer: &Crossings| {
        let seconds = median(times(peer));
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
    writeln!(text, "## Answers\n")?;
    if !comparison.differences.is_empty() {
        writeln!(
            text,
            "| peer | lists | reported | by Osculate | compared | of Osculate | only the peer | only Osculate |\n\
             |---|---|--:|--:|--:|--:|--:|--:|"
        )?;
    }
    for difference in &comparison.differences {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            difference.name,
            if difference.finds == Finds::Triangles { "triangles" } else { "pairs" },
            difference.n_reported,
            difference.n_reported_by_us,
            difference.n_theirs,
            difference.n_ours,
            difference.only_theirs,
            difference.only_ours
        )?;
    }
    writeln!(
        text,
        "\nPairs that share a vertex are reported, but not compared: peers differ in which of these they mean.\n"
    )?;
    for row in &comparison.rows {
        let pairs = server::number(&row.crossings.last, "pairs")?;
        if row.any.last["any"].as_bool() != Some(0.0 < pairs) {
            writeln!(text, "WARNING: Osculate's two answers about crossings contradict each other.\n")?;
        }
        if server::number(&row.once.last, "pairs")? != pairs {
            writeln!(
                text,
                "WARNING: Osculate finds other crossings in a mesh that it has not seen before.\n"
            )?;
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
    use crate::peers::engine::{Difference, Step};

    fn comparison() -> Comparison {
        let ours = |seconds: f64, last: Value| Ours { seconds: vec![seconds], last };
        let peer = |name, finds, threads, seconds| Crossings {
            name,
            finds,
            threads,
            seconds: vec![seconds],
            once: vec![2.0 * seconds],
            any: true,
        };
        let step = |ccd, factor: f64| Step {
            ccd,
            broad: vec![1.0],
            narrow: vec![3.0 * factor],
            seconds: vec![1.0 + 3.0 * factor],
            share: vec![1.0],
        };
        let row = Row {
            threads: 2,
            steps: vec![step("Tight-Inclusion", 1.0), step("AdditiveCCD", 0.5)],
            all: ours(
                2.0,
                json!({ "contacts": 7, "earliest": [0.25, 0.5], "stages": [["search", 1.5], ["decide", 0.5]] }),
            ),
            earliest: ours(0.5, json!({ "earliest": [0.25, 0.5], "stages": [] })),
            crossings: ours(0.25, json!({ "pairs": 2, "stages": [] })),
            any: ours(0.125, json!({ "any": true, "stages": [] })),
            once: ours(0.5, json!({ "pairs": 2, "stages": [] })),
            peers: vec![
                peer("MeshLib", Finds::Pairs, 2, 1.0),
                peer("Blender", Finds::Pairs, 1, 0.75),
                peer("ipc-toolkit", Finds::Any, 2, 0.5),
            ],
        };
        let (theirs, ours) = (BTreeSet::from([[0, 1], [0, 2], [0, 3]]), BTreeSet::from([[0, 1], [0, 4]]));
        let [theirs, ours] = [theirs, ours].map(|pairs| pairs.iter().map(|pair| pair.to_vec()).collect());
        let faces: Vec<Vec<u32>> = (0..5).map(|face| (3 * face..3 * face + 3).collect()).collect();
        Comparison {
            n_vertices: 40,
            n_faces: 20,
            versions: vec!["MeshLib 1".to_owned()],
            rows: vec![row],
            prepare: vec![("MeshLib", 0.125)],
            peer_earliest: 0.25,
            differences: vec![Difference::new(("MeshLib", Finds::Pairs), &theirs, &ours, &faces)],
            absent: vec!["CGAL"],
        }
    }

    #[test]
    fn page_has_times_ratios_and_differences() {
        let text = markdown(&comparison()).unwrap();
        for line in [
            "Left out, as they cannot be installed here: CGAL.",
            "| 2 | Tight-Inclusion | 1.000 s | 3.000 s | 4.000 s | 2.0000 s | 2.00 | 0.5000 s | 8.00 |",
            "| 2 | AdditiveCCD | 1.000 s | 1.500 s | 2.500 s | 2.0000 s | 1.25 | 0.5000 s | 5.00 |",
            "- all contacts, threads = 2, last run: search 1.5000 s, decide 0.5000 s",
            "| 2 | MeshLib | all pairs | 1.000 s | 0.2500 s | 4.00 | 0.1250 s | 8.00 |",
            "| 2 | Blender (threads: 1) | all pairs | 1.500 s | 0.5000 s | 3.00 |",
            "fastest peer of all: ipc-toolkit, 0.500 s, ratio 2.00; fastest that lists the pairs: Blender, 0.750 s, ratio 3.00",
            "| MeshLib | pairs | 3 | 2 | 3 | 2 | 2 | 1 |",
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
        check(|c| c.rows[0].once.last["pairs"] = json!(3), "has not seen before");
        check(|c| c.rows[0].steps[1].share = vec![0.5], "AdditiveCCD got 50 %");
    }
}
