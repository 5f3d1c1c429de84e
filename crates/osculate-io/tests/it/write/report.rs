//! JSON and CSV.

use osculate_io::write::{CsvWriter, Frame, JsonWriter, junit, sarif};
use serde_json::Value;

use super::support::{frames, header, report};

fn json(frames: &[Frame]) -> Vec<u8> {
    let mut writer = JsonWriter::new(Vec::new(), true);
    frames.iter().for_each(|frame| writer.frame(frame).unwrap());
    writer.finish(&report()).unwrap()
}

fn csv(frames: &[Frame]) -> String {
    let mut writer = CsvWriter::new(Vec::new()).unwrap();
    frames.iter().for_each(|frame| writer.frame(frame).unwrap());
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// Checks that a list of numbers is what was written, bit for bit.
fn check_numbers(found: &Value, written: &[f64]) {
    let found: Vec<u64> = found.as_array().unwrap().iter().map(|x| x.as_f64().unwrap().to_bits()).collect();
    let written: Vec<u64> = written.iter().map(|x| x.to_bits()).collect();
    assert_eq!(found, written);
}

fn integers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as u32).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn json_reads_back_bit_for_bit() {
    let frames = frames(1);
    let report: Value = serde_json::from_slice(&json(&frames)).unwrap();
    let expected = ["baseline", "clips", "episodes", "files", "format", "frames", "guarantee", "input"];
    let rest = ["method", "model", "pairs", "partial", "thickness", "threads", "totals"];
    assert_eq!(keys(&report), [&expected[..], &rest].concat());
    assert_eq!(report["format"], "osculate-report/2");
    assert_eq!(report["input"][0], header().input[0]);
    assert_eq!(report["guarantee"], "complete");
    assert_eq!(report["model"]["closed"], false);
    assert_eq!(report["model"]["source"][2], serde_json::json!([1, 2, 3, 4]));
    assert_eq!(report["frames"].as_array().unwrap().len(), frames.len());
    for (found, frame) in report["frames"].as_array().unwrap().iter().zip(&frames) {
        let expected = ["clip", "contacts", "crossings", "earliest", "frame", "from", "ms", "stats", "to"];
        assert_eq!(keys(found), expected);
        assert_eq!(found["clip"], &*frame.clip);
        assert_eq!(found["to"], frame.to);
        assert_eq!(found["earliest"].as_f64().map(f64::to_bits), frame.earliest.map(f64::to_bits));
        assert_eq!(found["stats"]["bv_tests"], frame.stats[0].1);
        assert_eq!(found["ms"].as_f64().unwrap().to_bits(), frame.ms.to_bits());
        assert_eq!(found["contacts"].as_array().unwrap().len(), frame.contacts.len());
        for (found, contact) in found["contacts"].as_array().unwrap().iter().zip(&frame.contacts) {
            assert_eq!(found["kind"], contact.kind.word());
            assert_eq!(integers(&found["a"]), contact.a());
            assert_eq!(integers(&found["b"]), contact.b());
            assert_eq!(integers(&found["bodies"]), contact.bodies);
            check_numbers(&found["toi"], &contact.toi);
            check_numbers(&found["point"], &contact.point);
            check_numbers(&found["normal"], &contact.normal);
            check_numbers(&found["weights"], &contact.weights);
            assert_eq!(found["distance"].as_f64().unwrap().to_bits(), contact.distance.to_bits());
            match &contact.bones {
                Some([a, b]) => assert_eq!(found["bones"], serde_json::json!([&**a, &**b])),
                None => assert!(found.get("bones").is_none()),
            }
        }
        assert_eq!(found["crossings"].as_array().unwrap().len(), frame.crossings.len());
        for (found, crossing) in found["crossings"].as_array().unwrap().iter().zip(&frame.crossings) {
            assert_eq!(keys(found), ["bodies", "segment", "triangles"]);
            assert_eq!(integers(&found["bodies"]), crossing.bodies);
            assert_eq!(integers(&found["triangles"]), crossing.triangles);
            match &crossing.segment {
                Some(ends) => (0..2).for_each(|i| check_numbers(&found["segment"][i], &ends[i])),
                None => assert!(found["segment"].is_null()),
            }
        }
    }
}

/// What was found stands first, ranked, and refers to clips and episodes by their numbers.
#[test]
fn episodes_and_pairs_are_ranked_and_linked() {
    let mut writer = JsonWriter::new(Vec::new(), false);
    writer.frame(&frames(1)[1]).unwrap();
    let text = String::from_utf8(writer.finish(&report()).unwrap()).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    assert!(found.get("frames").is_none(), "frames are only written if they are asked for");
    let expected = serde_json::json!({
        "clips": 2, "frames": 21, "overlapping_frames": 8, "problems": 2, "known": 1, "ignored": 1,
        "episodes": 4,
    });
    assert_eq!(found["totals"], expected);
    let statuses: Vec<&str> =
        found["pairs"].as_array().unwrap().iter().map(|p| p["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["new", "new", "throughout"]);
    let shares: Vec<f64> = (0..2).map(|i| found["pairs"][i]["severity_share"].as_f64().unwrap()).collect();
    assert!(shares[1] < shares[0]);
    for (i, pair) in found["pairs"].as_array().unwrap().iter().enumerate() {
        let [first, end] = [0, 1].map(|k| pair["episodes"][k].as_u64().unwrap() as usize);
        for episode in &found["episodes"].as_array().unwrap()[first..end] {
            assert_eq!((&episode["pair"], &episode["parts"]), (&i.into(), &pair["parts"]));
            assert_eq!(episode["clip"], pair["clip"]);
        }
    }
    let passing = &found["episodes"][2];
    assert!(passing["first_frame"].is_null() && passing["depth"].is_null());
    assert_eq!((&passing["enter"], &passing["enter_seconds"]), (&4.25.into(), &0.5.into()));

    let mut writer = CsvWriter::of_episodes(Vec::new()).unwrap();
    writer.episodes(&report()).unwrap();
    let rows = parse(&String::from_utf8(writer.finish().unwrap()).unwrap());
    assert_eq!(rows.len(), 5);
    let at = |name: &str| rows[0].iter().position(|n| n == name).unwrap();
    for (row, episode) in rows[1..].iter().zip(found["episodes"].as_array().unwrap()) {
        assert_eq!(
            [&row[at("part_a")], &row[at("part_b")]],
            [0, 1].map(|i| episode["parts"][i].as_str().unwrap())
        );
        for name in ["enter", "leave", "depth", "area", "length", "severity_share"] {
            let number = |text: &str| text.parse::<f64>().ok().map(f64::to_bits);
            assert_eq!(number(&row[at(name)]), episode[name].as_f64().map(f64::to_bits), "{name}");
        }
    }
}

#[test]
fn names_of_any_kind_stay_data_in_xml_and_sarif() {
    let xml = junit(&report());
    assert!(xml.contains("tests=\"2\" failures=\"2\""), "{xml}");
    assert!(xml.contains("&lt;b&gt; &amp; &quot;c&quot;\\u{1b}") && !xml.contains('\u{1b}'), "{xml}");
    assert_eq!(xml.matches("<testcase").count(), 2);
    assert_eq!(xml.matches('<').count(), xml.matches('>').count());
    let log: Value = serde_json::from_str(&sarif(&report())).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    assert_eq!(results[0]["properties"]["parts"][1], "<b> & \"c\"\u{1b}");
    assert_eq!(results[0]["level"], "warning");
    assert!(results[0].get("suppressions").is_none());
    assert_eq!(results[2]["suppressions"][0]["kind"], "external");
    let uri = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert_eq!(uri, "hero%20%22one%22.glb");
}

#[test]
fn a_report_without_frames_is_valid() {
    let report: Value = serde_json::from_slice(&json(&[])).unwrap();
    assert_eq!(report["frames"], serde_json::json!([]));
    assert_eq!(csv(&[]).lines().count(), 1);
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    assert_eq!(json(&frames(2)), json(&frames(2)));
    assert_eq!(csv(&frames(2)), csv(&frames(2)));
}

/// Splits CSV into cells, by the rules of RFC 4180.
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut is_quoted = false;
    for c in text.chars() {
        match (c, is_quoted) {
            ('"', _) => {
                // A quote within quotes is written twice, and so ends and starts them again.
                if !is_quoted && !cell.is_empty() {
                    cell.push('"');
                }
                is_quoted = !is_quoted;
            }
            (',', false) => row.push(std::mem::take(&mut cell)),
            ('\n', false) => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(c),
        }
    }
    rows
}

#[test]
fn csv_reads_back_bit_for_bit() {
    let frames = frames(3);
    let mut rows = parse(&csv(&frames)).into_iter();
    let names = rows.next().unwrap();
    let at = |name: &str| names.iter().position(|n| n == name).unwrap();
    let check = |row: &[String], first: &str, numbers: &[f64]| {
        for (cell, number) in row[at(first)..].iter().zip(numbers) {
            assert_eq!(cell.parse::<f64>().unwrap().to_bits(), number.to_bits());
        }
    };
    let filled = |row: &[String], first: &str, n: usize| -> Vec<u32> {
        row[at(first)..][..n].iter().filter(|cell| !cell.is_empty()).map(|c| c.parse().unwrap()).collect()
    };
    for frame in &frames {
        for contact in &frame.contacts {
            let row = rows.next().unwrap();
            assert_eq!(row.len(), names.len());
            assert_eq!(row[at("frame")], frame.frame.to_string());
            assert_eq!(row[at("kind")], contact.kind.word());
            assert_eq!(filled(&row, "a0", 2), contact.a());
            assert_eq!(filled(&row, "b0", 3), contact.b());
            assert_eq!(filled(&row, "body_a", 2), contact.bodies);
            check(&row, "toi_lo", &contact.toi);
            check(&row, "point_x", &contact.point);
            check(&row, "normal_x", &contact.normal);
            check(&row, "weight_0", &contact.weights);
            let bones = contact.bones.as_ref().map_or(["", ""], |[a, b]| [a, b]);
            assert_eq!([&row[at("bone_a")], &row[at("bone_b")]], bones);
            assert!(row[at("triangle_a")..at("distance")].iter().all(String::is_empty));
            check(&row, "distance", &[contact.distance]);
            assert_eq!(row[at("clip")], *frame.clip);
        }
        for crossing in &frame.crossings {
            let row = rows.next().unwrap();
            assert_eq!(row[at("kind")], "crossing");
            assert_eq!(filled(&row, "triangle_a", 2), crossing.triangles);
            assert!(row[at("a0")..at("body_a")].iter().all(String::is_empty));
            assert_eq!(filled(&row, "body_a", 2), crossing.bodies);
            match &crossing.segment {
                Some(ends) => check(&row, "segment_x0", ends.as_flattened()),
                None => assert!(row[at("segment_x0")..at("clip")].iter().all(String::is_empty)),
            }
        }
    }
    assert_eq!(rows.next(), None);
}
