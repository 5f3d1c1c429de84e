//! `cargo xtask scale`: what large surfaces, many bodies and many clips cost.
//!
//! Times and memory are measured at sizes by powers of two, a power law is fitted to the larger
//! half of them, and its value at the size in question is printed below. The schedule of many clips
//! is simulated, from measured durations of clips (see [`schedule`]).

mod schedule;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::shell;
use schedule::{Order, simulate};

/// A figure of the bench, the exponents of two of its sizes, and the size in question.
const GROWTHS: [(&str, &str, [u32; 2], f64); 2] =
    [("surface", "triangles", [12, 21], 1e8), ("bodies", "bodies", [4, 12], 1e4)];

/// Measured amounts: name in the answer, title, and factor from its unit to that of the table.
const AMOUNTS: [(&str, &str, f64); 4] = [
    ("prepare", "preparation, s", 1.0),
    ("first", "first step, s", 1.0),
    ("next", "a further step, s", 1.0),
    ("bytes", "memory, MB", 1e-6),
];

/// Clips in the simulation, and numbers of workers.
const N_CLIPS: usize = 1_000_000;
const WORKERS: [usize; 4] = [1, 100, 1_000, 10_000];

/// `durations` is a file of seconds, one for each measured clip.
pub(crate) fn run(durations: Option<&str>) -> anyhow::Result<()> {
    let bench = shell::build_bench("osculate", "engine_figures")?;
    let mut page = "# Scale\n".to_owned();
    for (figure, unit, [least, most], goal) in GROWTHS {
        let rows = (least..=most)
            .map(|power| measure(&bench, figure, 1 << power))
            .collect::<anyhow::Result<Vec<Value>>>()?;
        growth(&mut page, (unit, goal), &rows)?;
    }
    if let Some(path) = durations {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let seconds = text
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<Vec<f64>, _>>()
            .with_context(|| format!("{path}: not only numbers"))?;
        ensure!(seconds.iter().all(|&s| 0.0 < s) && !seconds.is_empty(), "{path}: not all are durations");
        clips(&mut page, &seconds)?;
    }
    println!("\n{page}");
    let path = shell::target_dir().join("scale.md");
    std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn measure(bench: &Path, figure: &str, size: u64) -> anyhow::Result<Value> {
    println!("measuring: {figure} {size}");
    let output =
        Command::new(bench).args([figure, &size.to_string()]).output().context("cannot start the bench")?;
    ensure!(output.status.success(), "{figure}: {}", String::from_utf8_lossy(&output.stderr).trim());
    serde_json::from_slice(&output.stdout).with_context(|| format!("{figure}: no JSON"))
}

/// A table of the measured amounts, of the power laws, and of their values at the size in question.
fn growth(page: &mut String, (unit, goal): (&str, f64), rows: &[Value]) -> anyhow::Result<()> {
    let number = |row: &Value, name: &str| row[name].as_f64().with_context(|| format!("no number `{name}`"));
    let titles: Vec<&str> = AMOUNTS.iter().map(|&(_, title, _)| title).collect();
    writeln!(page, "\n| {unit} | {} |\n|--:{}|", titles.join(" | "), "|--:".repeat(AMOUNTS.len()))?;
    let mut laws = vec![Vec::new(); AMOUNTS.len()];
    for row in rows {
        let size = number(row, unit)?;
        write!(page, "| {size} |")?;
        for (&(name, _, factor), points) in AMOUNTS.iter().zip(&mut laws) {
            let amount = factor * number(row, name)?;
            write!(page, " {amount:.4} |")?;
            points.push([size, amount]);
        }
        writeln!(page)?;
    }
    let laws: Vec<[f64; 2]> = laws.iter().map(|points| power_law(&points[points.len() / 2..])).collect();
    let cells = |cell: &dyn Fn(&[f64; 2]) -> String| laws.iter().map(cell).collect::<Vec<_>>().join(" | ");
    writeln!(page, "| exponent | {} |", cells(&|[_, exponent]| format!("{exponent:.2}")))?;
    writeln!(
        page,
        "| at {goal:e} | {} |",
        cells(&|[factor, exponent]| format!("{:.1}", factor * goal.powf(*exponent)))
    )?;
    Ok(())
}

/// The factor and the exponent of the power law with least squares of logarithms.
fn power_law(points: &[[f64; 2]]) -> [f64; 2] {
    let n = points.len() as f64;
    let logs: Vec<[f64; 2]> = points.iter().map(|point| point.map(f64::ln)).collect();
    let [mx, my] = [0, 1].map(|k| logs.iter().map(|log| log[k]).sum::<f64>() / n);
    let above: f64 = logs.iter().map(|[x, y]| (x - mx) * (y - my)).sum();
    let below: f64 = logs.iter().map(|[x, _]| (x - mx) * (x - mx)).sum();
    let exponent = above / below;
    [(my - exponent * mx).exp(), exponent]
}

/// The simulated schedules.
fn clips(page: &mut String, seconds: &[f64]) -> anyhow::Result<()> {
    let drawn = schedule::draw(seconds, N_CLIPS);
    let work: f64 = drawn.iter().sum();
    writeln!(
        page,
        "\n{N_CLIPS} clips, drawn from {} measured ones: {:.0} hours of work, the longest {:.1} s\n\n\
         | workers | order | hours | busy | longest wait at the end, s |\n|--:|---|--:|--:|--:|",
        seconds.len(),
        work / 3600.0,
        drawn.iter().copied().fold(0.0, f64::max)
    )?;
    for workers in WORKERS {
        for order in [Order::Shards, Order::Queue, Order::LongestFirst] {
            let ends = simulate(&drawn, workers, order);
            let last = ends.iter().copied().fold(0.0, f64::max);
            let first = ends.iter().copied().fold(f64::INFINITY, f64::min);
            let busy = 100.0 * work / (last * workers as f64);
            let words = order.words();
            writeln!(
                page,
                "| {workers} | {words} | {:.2} | {busy:.1} % | {:.1} |",
                last / 3600.0,
                last - first
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_exactly() {
        let [factor, exponent] = power_law(&[1.0, 2.0, 4.0, 8.0].map(|x: f64| [x, 3.0 * x.powf(1.25)]));
        assert!((factor - 3.0).abs() < 1e-12 && (exponent - 1.25).abs() < 1e-12, "{factor} {exponent}");
    }
}
