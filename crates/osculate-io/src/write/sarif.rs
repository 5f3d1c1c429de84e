//! Reports as SARIF 2.1.0, the format of static analysis results: a result for each pair of parts
//! that overlaps in a clip.

use serde_json::{Value, json};

use super::episodes::{ClipReport, Pair, Report};
use super::junit::line;
use crate::printable;

/// The version of SARIF that is written.
pub const SARIF_VERSION: &str = "2.1.0";

/// Returns a report as SARIF. Overlaps that are set aside are suppressed results.
#[must_use]
pub fn sarif(report: &Report) -> String {
    let new = report.ranked(true).into_iter().map(|(clip, pair)| result(report, clip, pair));
    let known = report.ranked(false).into_iter().map(|(clip, pair)| result(report, clip, pair));
    let results: Vec<Value> = new.chain(known).collect();
    let artifacts: Vec<Value> =
        report.files.iter().map(|file| json!({ "location": { "uri": uri(&file.name) } })).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": SARIF_VERSION,
        "runs": [{
            "tool": { "driver": {
                "name": "osculate",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": "penetration",
                    "shortDescription": { "text": "Two parts of a surface pass through each other" },
                }],
            }},
            "invocations": [{ "executionSuccessful": !report.partial }],
            "artifacts": artifacts,
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn result(report: &Report, clip: &ClipReport, pair: &Pair) -> Value {
    let file = &report.files[clip.file];
    let worst = pair.worst();
    let share = report.share(clip, worst.worst.severity());
    let mut result = json!({
        "ruleId": "penetration",
        "ruleIndex": 0,
        "level": if pair.is_new() { "warning" } else { "note" },
        "rank": (1000.0 * share).min(100.0),
        "message": { "text": printable(&format!("clip '{}': {}", clip.name, line(report, pair))) },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": uri(&file.name), "index": clip.file } },
            "logicalLocations": logical_locations(clip, pair, file.part_kind),
        }],
        "partialFingerprints": {
            "parts/v1": format!("{}\u{1f}{}\u{1f}{}", clip.name, pair.parts[0], pair.parts[1]),
        },
        "properties": {
            "clip": clip.name,
            "parts": [&*pair.parts[0], &*pair.parts[1]],
            "status": pair.status.word(),
            "depth": worst.worst.depth,
            "extent": worst.worst.extent,
            "worstFrame": worst.worst_frame,
            "point": worst.worst.point,
        },
    });
    if !pair.is_new() {
        let words = format!("overlaps as much as in the baseline ({})", pair.status.word());
        result["suppressions"] = json!([{ "kind": "external", "justification": words }]);
    }
    result
}

/// The two parts, or the one that crosses itself: places must differ.
fn logical_locations(clip: &ClipReport, pair: &Pair, kind: &str) -> Vec<Value> {
    let [a, b] = &pair.parts;
    let parts = if a == b { vec![a] } else { vec![a, b] };
    let place = |part| json!({ "fullyQualifiedName": format!("{}/{part}", clip.name), "kind": kind });
    parts.into_iter().map(place).collect()
}

/// A file name as a relative reference: everything but letters, digits and a few marks is encoded.
fn uri(name: &str) -> String {
    let mut text = String::new();
    for byte in name.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
