//! The comparison as a Markdown page.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};

use super::super::page::{self, median};
use super::{Comparison, server};

pub(super) fn markdown(comparison: &Comparison) -> anyhow::Result<String> {
    let mut text = String::new();
    let queries = comparison.n_vertex_face + comparison.n_edge_edge;
    let (turns, runs) =
        comparison.rows.first().map_or((0, 0), |row| (row.peers[0].seconds.len(), row.ours.len()));
    writeln!(
        text,
        "# Narrow phase: Osculate, and Tight-Inclusion and AdditiveCCD (ipc-toolkit {})\n\n\
         Cloth-ball, frame 92 to 93: {queries} queries ({} vertex-face, {} edge-edge). Medians of {turns} \
         runs of each peer and {runs} of Osculate, interleaved.\n",
        comparison.version, comparison.n_vertex_face, comparison.n_edge_edge
    )?;

    writeln!(text, "| threads | peer | time | ns/query | Osculate | ns/query | ratio |")?;
    writeln!(text, "|--:|---|--:|--:|--:|--:|--:|")?;
    for row in &comparison.rows {
        for peer in &row.peers {
            let (theirs, ours) = (median(&peer.seconds), median(&row.ours));
            let ns = 1e9 / queries as f64;
            writeln!(
                text,
                "| {} | {} | {theirs:.3} s | {:.1} | {ours:.3} s | {:.1} | {:.2} |",
                row.threads,
                peer.name,
                theirs * ns,
                ours * ns,
                theirs / ours
            )?;
        }
    }
    writeln!(
        text,
        "\nOsculate decides every query over the whole step and brackets every contact. The peers are asked for the \
         largest collision-free step, their purpose: they shorten each query to the earliest time found so \
         far, and may report false contacts.\n"
    )?;
    for row in &comparison.rows {
        for peer in &row.peers {
            page::busy(&mut text, peer.name, row.threads, &peer.share)?;
        }
    }
    stages(&mut text, comparison)?;
    page::earliest(&mut text, &comparison.ours["earliest"], comparison.peer_earliest)?;
    Ok(text)
}

/// The number of queries decided by each stage.
fn stages(text: &mut String, comparison: &Comparison) -> anyhow::Result<()> {
    let stats = comparison.ours["stats"].as_array().context("no counts in the answer")?;
    let queries = (comparison.n_vertex_face + comparison.n_edge_edge) as f64;
    writeln!(text, "| decided by | queries | share |\n|---|--:|--:|")?;
    for stage in stats {
        let (Some(name), Some(count)) = (stage[0].as_str(), stage[1].as_u64()) else {
            bail!("`{stage}` is not a stage and its count");
        };
        writeln!(text, "| {name} | {count} | {:.3} % |", 100.0 * count as f64 / queries)?;
    }
    writeln!(text, "\nContacts: {}.", server::number(&comparison.ours, "hits")?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::peers::narrow::{Peer, Row};

    /// A comparison in which Tight-Inclusion gives `peer_earliest` and our bracket is [0.25, 0.5].
    fn comparison(peer_earliest: f64, peer_share: f64) -> Comparison {
        let peers = [
            Peer { name: "Tight-Inclusion", seconds: vec![9.0, 2.0, 3.0], share: vec![peer_share] },
            Peer { name: "AdditiveCCD", seconds: vec![0.75], share: vec![1.0] },
        ];
        Comparison {
            version: "1".to_owned(),
            n_vertex_face: 400,
            n_edge_edge: 600,
            rows: vec![Row { threads: 1, ours: vec![1.0, 2.0], peers }],
            ours: json!({ "hits": 7, "earliest": [0.25, 0.5], "stats": [["boxes: miss", 993], ["exact: contact", 7]] }),
            peer_earliest,
        }
    }

    #[test]
    fn page_has_medians_their_ratio_and_shares() {
        let text = markdown(&comparison(0.25, 1.0)).unwrap();
        for line in [
            "| 1 | Tight-Inclusion | 3.000 s | 3000000.0 | 1.500 s | 1500000.0 | 2.00 |",
            "| 1 | AdditiveCCD | 0.750 s | 750000.0 | 1.500 s | 1500000.0 | 0.50 |",
        ] {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
        assert!(text.contains("| boxes: miss | 993 | 99.300 % |"), "{text}");
        assert!(!text.contains("WARNING"), "{text}");
    }

    #[test]
    fn page_warns_of_times_that_disagree_and_of_a_busy_machine() {
        let check = |peer_earliest, peer_share, warning| {
            let text = markdown(&comparison(peer_earliest, peer_share)).unwrap();
            assert_eq!(text.matches("WARNING").count(), 1, "{text}");
            assert!(text.contains(warning), "{text}");
        };
        check(0.5001, 1.0, "later than a contact that Osculate has proven");
        check(0.2498, 1.0, "earlier than Osculate's by more than");
        check(0.25, 0.5, "at threads = 1 Tight-Inclusion got 50 %");
    }
}
