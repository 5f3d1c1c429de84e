//! The comparison as a Markdown page.

use std::fmt::Write as _;

use super::super::page::median;
use super::{BODIES, Comparison, FRAMES, Row};

pub(super) fn markdown(comparison: &Comparison) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(
        text,
        "# A crowd: Osculate, parry and coal\n\n\
         {BODIES} skinned creatures, {} triangles; {FRAMES} frames in which they come together; one thread. Milliseconds per \
         frame, medians of {} runs of each peer and more of Osculate, interleaved. The ratio is over Osculate.\n",
        comparison.n_triangles, comparison.repeat
    )?;
    writeln!(
        text,
        "| question | tool | ms/frame | skin | refit | query | ratio | found | only there | only Osculate |"
    )?;
    writeln!(text, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    let mut ours = f64::NAN;
    for row in &comparison.rows {
        if row.is_ours {
            ours = median(&row.seconds);
        }
        line(&mut text, row, ours)?;
    }
    writeln!(
        text,
        "\nOsculate is given bones, and deforms the vertices that its query needs; its refit is part of the query, and the \
         bodies in contact follow from all crossings. For the others all vertices are deformed (parry: by `Skin::pose` of \
         Osculate, coal: by one matrix product in numpy), then the trees of bodies whose boxes overlap are refitted, then \
         these pairs are tested (parry: a traversal of both trees, and its triangle-triangle test; coal: `BVHModelOBB`, without \
         the conversion of contacts to Python objects). Results are frames, pairs of bodies, or pairs of triangles, in \
         all frames. Osculate decides exactly, the others by iterations in f64 with a tolerance."
    )?;
    for missing in &comparison.missing {
        writeln!(text, "\nWARNING: {missing}")?;
    }
    for row in &comparison.rows {
        let difference = &row.difference;
        if difference.only_theirs + difference.only_ours != 0 {
            writeln!(
                text,
                "\nWARNING: {}: {} finds {} that Osculate does not, and misses {} of Osculate's.",
                row.question, row.name, difference.only_theirs, difference.only_ours
            )?;
        }
    }
    Ok(text)
}

fn line(text: &mut String, row: &Row, ours: f64) -> std::fmt::Result {
    let ms = |seconds: &[f64]| {
        if seconds.is_empty() {
            String::new()
        } else {
            format!("{:.3}", 1e3 / FRAMES as f64 * median(seconds))
        }
    };
    let difference = &row.difference;
    writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {} |",
        row.question,
        row.name,
        ms(&row.seconds),
        ms(&row.skin),
        ms(&row.refit),
        ms(&row.query),
        median(&row.seconds) / ours,
        difference.n_found,
        difference.only_theirs,
        difference.only_ours
    )
}

#[cfg(test)]
mod tests {
    use super::super::difference::Difference;
    use super::*;

    /// A row of a side with this time and number of misses.
    fn row(name: &str, seconds: f64, only_ours: usize) -> Row {
        let is_ours = name == "Osculate";
        Row {
            question: "which bodies touch",
            name: name.to_owned(),
            is_ours,
            seconds: vec![seconds],
            skin: vec![seconds],
            refit: if is_ours { Vec::new() } else { vec![0.0] },
            query: vec![0.0],
            difference: Difference { n_found: 7 - only_ours, only_theirs: 0, only_ours },
        }
    }

    #[test]
    fn page_has_ratios_differences_and_who_is_missing() {
        let rows = vec![row("Osculate", 0.048, 0), row("parry", 0.48, 0), row("coal 3", 4.8, 2)];
        let missing = vec!["another was left out: no network".to_owned()];
        let text = markdown(&Comparison { n_triangles: 9, repeat: 1, rows, missing }).unwrap();
        assert!(
            text.contains("| which bodies touch | Osculate | 1.000 | 1.000 |  | 0.000 | 1.0 | 7 | 0 | 0 |"),
            "{text}"
        );
        assert!(
            text.contains("| coal 3 | 100.000 | 100.000 | 0.000 | 0.000 | 100.0 | 5 | 0 | 2 |"),
            "{text}"
        );
        assert!(text.contains("WARNING: another was left out: no network"), "{text}");
        assert!(text.contains("coal 3 finds 0 that Osculate does not, and misses 2"), "{text}");
        assert_eq!(text.matches("WARNING").count(), 2, "{text}");
    }
}
