//! `cargo xtask figures`: measures the performance targets, each as a ratio or an amount from one
//! run.
//!
//! Every figure is measured by a separate process. The cloth ball is read from OSCULATE_DATA
//! (default ../shared/data); without it, the figures that need it are reported as skipped.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::shell;

/// Triangles of the large surface.
const LARGE: &str = "1000000";

pub(crate) fn run() -> anyhow::Result<()> {
    let bench = shell::build_bench("osculate", "engine_figures")?;
    let contours = shell::build_bench("osculate", "contour_figures")?;
    let cloth = shell::data_dir().join("cloth-ball");
    let cloth = ["cloth_ball92.ply", "cloth_ball93.ply"]
        .iter()
        .all(|name| cloth.join(name).is_file())
        .then_some(cloth);
    let ask = |figure: &str, argument: Option<&str>| measure(&bench, figure, argument);
    let on_cloth = |figure: &str| match &cloth {
        Some(folder) => ask(figure, folder.to_str()).map(Some),
        None => Ok(None),
    };
    let figures = Figures {
        refit: on_cloth("refit")?,
        threads: on_cloth("threads")?,
        memory: on_cloth("memory")?,
        large: ask("memory", Some(LARGE))?,
        growth: ask("growth", None)?,
        accepted: measure(&contours, "accepted", None)?,
        times: measure(&contours, "times", None)?,
    };
    let page = figures.markdown()?;
    println!("\n{page}");
    let path = shell::target_dir().join("figures.md");
    std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn measure(bench: &Path, figure: &str, argument: Option<&str>) -> anyhow::Result<Value> {
    println!("measuring: {figure} {}", argument.unwrap_or_default());
    let output = Command::new(bench).arg(figure).args(argument).output().context("cannot start the bench")?;
    ensure!(output.status.success(), "{figure}: {}", String::from_utf8_lossy(&output.stderr).trim());
    serde_json::from_slice(&output.stdout).with_context(|| format!("{figure}: no JSON"))
}

/// The measurements of the benches; `None` for skipped ones.
struct Figures {
    refit: Option<Value>,
    threads: Option<Value>,
    memory: Option<Value>,
    large: Value,
    growth: Value,
    accepted: Value,
    times: Value,
}

impl Figures {
    fn markdown(&self) -> anyhow::Result<String> {
        let mut text =
            "# Figures of the engine\n\n| figure | measured | goal | |\n|---|--:|--:|---|\n".to_owned();
        let mut row = |name: &str, measured: Option<(f64, bool)>, unit: &str, goal: &str| {
            let (measured, verdict) = match measured {
                Some((value, is_met)) => {
                    (format!("{value:.2}{unit}"), if is_met { "met" } else { "NOT MET" })
                }
                None => ("skipped".to_owned(), "no data"),
            };
            writeln!(text, "| {name} | {measured} | {goal} | {verdict} |")
        };
        let at_most = |value: f64, goal: f64| (value, value <= goal);
        let ratio = |value: &Value, a: &str, b: &str| -> anyhow::Result<f64> {
            Ok(number(value, a)? / number(value, b)?)
        };
        let refit = self.refit.as_ref().map(|refit| ratio(refit, "seconds", "stream_seconds")).transpose()?;
        row(
            "refit, cloth ball: time / time to stream its bytes",
            refit.map(|r| at_most(r, 3.0)),
            "",
            "<= 3",
        )?;
        let threads = self.threads.as_ref().map(|threads| ratio(threads, "one", "two")).transpose()?;
        row("all contacts, cloth ball: one thread / two", threads.map(|r| (r, 1.7 <= r)), "", ">= 1.7")?;
        let memory = self.memory.as_ref().map(|memory| number(memory, "bytes")).transpose()?;
        row(
            "memory above the input, cloth ball",
            memory.map(|b| at_most(b / 1e6, 120.0)),
            " MB",
            "<= 120 MB",
        )?;
        let large = number(&self.large, "bytes")?;
        row(
            "memory above the input, 1,000,000 triangles",
            Some(at_most(large / 1e6, 1000.0)),
            " MB",
            "<= 1000 MB",
        )?;
        let levels = self.levels()?;
        row(
            "all contacts of a surface in detail: exponent of growth",
            Some(at_most(exponent(&levels), 1.1)),
            "",
            "<= 1.1",
        )?;
        let accepted = ratio(&self.accepted, "ears", "paper")?;
        row("moving contours accepted: ours / the paper's", Some((accepted, 3.0 <= accepted)), "", ">= 3")?;
        for [vertices, ours, pairs, _] in rows(&self.times)? {
            let name = format!("contour of {vertices} vertices: time of all pairs / ours");
            row(&name, Some((pairs / ours, 10.0 <= pairs / ours)), "", ">= 10")?;
        }
        self.details(&mut text, &levels)?;
        Ok(text)
    }

    /// Triangles and seconds of each level.
    fn levels(&self) -> anyhow::Result<Vec<[f64; 2]>> {
        rows(&self.growth)
    }

    /// The numbers behind the ratios.
    fn details(&self, text: &mut String, levels: &[[f64; 2]]) -> anyhow::Result<()> {
        writeln!(text)?;
        if let Some(refit) = &self.refit {
            writeln!(
                text,
                "- Refit: one thread, a query for no pair, which only sets the step and refits: {:.2} ms. \
                 Streamed: {:.1} MB in {:.2} ms. That is 64 bytes read for each vertex, 12 for each triangle, and, for one node to \
                 three triangles, 16 read and 192 written for each node.",
                1e3 * number(refit, "seconds")?,
                1e-6 * number(refit, "bytes")?,
                1e3 * number(refit, "stream_seconds")?
            )?;
        }
        if let Some(threads) = &self.threads {
            let [one, two] = ["one", "two"].map(|name| number(threads, name));
            writeln!(
                text,
                "- All contacts ({}): {:.1} ms with one thread, {:.1} ms with two.",
                threads["contacts"],
                1e3 * one?,
                1e3 * two?
            )?;
        }
        writeln!(text, "- Memory: peak memory of the process, minus its memory with only the input.")?;
        writeln!(
            text,
            "- Of {} random moving contours the paper's rule accepts {}, ours {}, with ears {}.",
            self.accepted["loops"], self.accepted["paper"], self.accepted["star"], self.accepted["ears"]
        )?;
        for [vertices, ours, pairs, projection] in rows(&self.times)? {
            writeln!(
                text,
                "- A contour of {vertices} vertices: {ours:.0} ns, all pairs {pairs:.0} ns; the projection before either takes {projection:.0} ns."
            )?;
        }
        for [triangles, seconds] in levels {
            writeln!(text, "- {triangles} triangles without contact, one thread: {:.2} ms.", 1e3 * seconds)?;
        }
        Ok(())
    }
}

/// The least-squares slope of the logarithms.
fn exponent(levels: &[[f64; 2]]) -> f64 {
    let logs: Vec<[f64; 2]> = levels.iter().map(|level| level.map(f64::ln)).collect();
    let mean = |k: usize| logs.iter().map(|log| log[k]).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let products = logs.iter().map(|log| (log[0] - x) * (log[1] - y)).sum::<f64>();
    products / logs.iter().map(|log| (log[0] - x).powi(2)).sum::<f64>()
}

/// The numbers of each level of an answer.
fn rows<const N: usize>(answer: &Value) -> anyhow::Result<Vec<[f64; N]>> {
    let levels = answer["levels"].as_array().context("no levels in the answer")?;
    let level = |level: &Value| {
        let numbers: Option<Vec<f64>> = level.as_array()?.iter().map(Value::as_f64).collect();
        <[f64; N]>::try_from(numbers?).ok()
    };
    levels.iter().map(|l| level(l).with_context(|| format!("`{l}` is no level"))).collect()
}

fn number(answer: &Value, name: &str) -> anyhow::Result<f64> {
    answer[name].as_f64().with_context(|| format!("no number `{name}` in the answer `{answer}`"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn page_has_figures_and_verdicts() {
        let figures = Figures {
            refit: Some(json!({ "seconds": 0.008, "stream_seconds": 0.002, "bytes": 2_500_000 })),
            threads: None,
            memory: Some(json!({ "bytes": 50_000_000 })),
            large: json!({ "bytes": 2_000_000_000u64 }),
            growth: json!({ "levels": [[1000, 0.5], [4000, 2.0], [16000, 8.0]] }),
            accepted: json!({ "loops": 100, "paper": 10, "star": 40, "ears": 45 }),
            times: json!({ "levels": [[16, 100.0, 500.0, 50.0], [32, 200.0, 2500.0, 100.0]] }),
        };
        let text = figures.markdown().unwrap();
        for line in [
            "| 4.00 | <= 3 | NOT MET |",
            "| skipped | >= 1.7 | no data |",
            "| 50.00 MB | <= 120 MB | met |",
            "| 2000.00 MB | <= 1000 MB | NOT MET |",
            "| 1.00 | <= 1.1 | met |",
            "| 4.50 | >= 3 | met |",
            "| contour of 16 vertices: time of all pairs / ours | 5.00 | >= 10 | NOT MET |",
            "| 12.50 | >= 10 | met |",
            "Streamed: 2.5 MB in 2.00 ms.",
        ] {
            assert!(text.contains(line), "no `{line}` in\n{text}");
        }
    }
}
