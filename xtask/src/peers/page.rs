//! Helpers for the pages of all comparisons.

use std::fmt::Write as _;

use serde_json::Value;

/// How much earlier than our bracket the peer's time may be before the page warns. Its answer is
/// early by design, by its tolerance of 1e-6 (of a length or a time), which is more time where
/// motion is slow.
const EARLY: f64 = 1e-4;

/// Share of processor time below which wall-clock times reflect the machine more than the two
/// sides.
const BUSY: f64 = 0.9;

pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => 0.5 * (sorted[middle - 1] + sorted[middle]),
    }
}

/// Warns if a peer got little of the processor time it could use: `shares` has one entry for each
/// run.
pub(super) fn busy(text: &mut String, peer: &str, threads: usize, shares: &[f64]) -> std::fmt::Result {
    let share = median(shares);
    if share < BUSY {
        writeln!(
            text,
            "WARNING: the machine was busy: at threads = {threads} {peer} got {:.0} % of the processor time \
             it could use.\n",
            100.0 * share
        )?;
    }
    Ok(())
}

/// Compares the earliest times: `ours` is a pair of numbers, or null for no contact; `peer` is the
/// time of Tight-Inclusion without its safety factor.
pub(super) fn earliest(text: &mut String, ours: &Value, peer: f64) -> std::fmt::Result {
    let (Some(lo), Some(hi)) = (ours[0].as_f64(), ours[1].as_f64()) else {
        writeln!(text, "Earliest contact: none (Osculate), {peer:e} (Tight-Inclusion).")?;
        if peer < 1.0 {
            writeln!(text, "\nWARNING: Tight-Inclusion reports a contact and Osculate none.")?;
        }
        return Ok(());
    };
    writeln!(
        text,
        "Earliest contact: in [{lo:e}, {hi:e}] (Osculate), not before {peer:e} (Tight-Inclusion without its \
         safety factor)."
    )?;
    if hi < peer {
        writeln!(
            text,
            "\nWARNING: Tight-Inclusion's time is later than a contact that Osculate has proven."
        )?;
    }
    if peer < lo - EARLY {
        writeln!(
            text,
            "\nWARNING: Tight-Inclusion's time is earlier than Osculate's by more than {EARLY:e}."
        )?;
    }
    Ok(())
}
