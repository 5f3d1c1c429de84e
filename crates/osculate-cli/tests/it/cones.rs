//! Runs `osculate bench` for the tables of the paper on normal cones, and for its other outputs.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{self, fails, json, osculate};

fn folder(test: &str) -> PathBuf {
    common::folder("cones", test)
}

#[test]
fn the_tables_of_the_paper() {
    let folder = folder("paper");
    let arguments =
        ["bench", "--paper", "004", "--scene", "reduced-cloth-4", "--steps", "3", "--repeat", "1"];
    let outputs = ["--json", "p.json", "--markdown", "p.md", "--csv", "p.csv", "--svg", "p.svg"];
    let ran = osculate(&folder, &[&arguments[..], &outputs].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();

    let page = json(&folder.join("p.json"));
    assert_eq!([&page["format"], &page["threads"]], [&Value::from("osculate-paper-004/1"), &Value::from(1)]);
    let studies = page["studies"].as_array().unwrap();
    let queries: Vec<&Value> = studies.iter().map(|study| &study["query"]).collect();
    assert_eq!(queries, ["crossings", "contacts"]);
    for study in studies {
        let methods = study["methods"].as_array().unwrap();
        let number = |i: usize, key: &str| methods[i][key].as_u64().unwrap();
        assert_eq!(methods[0]["method"], "bvh:aabb");
        for (i, method) in methods.iter().enumerate() {
            assert_eq!(method["agrees"], true, "{method}");
            assert_eq!(number(i, "found"), number(0, "found"));
            let steps = method["false_positives_of_steps"].as_array().unwrap();
            let in_vain: u64 = steps.iter().filter_map(Value::as_u64).sum();
            assert_eq!(steps.len(), 3);
            assert!(in_vain <= number(i, "elementary_tests"));
            // Proofs only take tests away.
            assert!(number(i, "elementary_tests") <= number(0, "elementary_tests"), "{method}");
        }
    }

    let csv = read("p.csv");
    let methods: usize = studies.iter().map(|study| study["methods"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(csv.lines().count(), 1 + methods);
    assert!(csv.contains("reduced-cloth-4,contacts,\"normal-cone:no-pairs,aabb\",102400,3,"), "{csv}");
    let svg = read("p.svg");
    assert_eq!(svg.matches("class=\"bar\"").count(), methods);
    // False positives of three methods over the steps.
    assert_eq!(svg.matches("class=\"line\"").count(), 3);
    assert!(read("p.md").contains("Figure 11"));
}

#[test]
fn options_that_the_paper_decides_are_refused() {
    let folder = folder("refused");
    let cases: [(&[&str], &str); 3] = [
        (&["--methods", "bvh"], "--methods cannot be used with --paper"),
        (&["--frames", "0..3"], "--frames cannot be used with --paper 004"),
        (&["--scene", "rope"], "no scene 'rope' in the paper"),
    ];
    for (arguments, expected) in cases {
        let sentence = fails(&folder, &[&["bench", "--paper", "004"], arguments].concat());
        assert!(sentence.contains(expected), "{sentence}");
    }
}

#[test]
fn comparisons_are_written_as_csv_and_charts() {
    let folder = folder("figures");
    let arguments =
        ["bench", "--scene", "dwarf,urchin", "--methods", "bvh,normal-cone", "--steps", "1", "--repeat", "1"];
    let ran = osculate(&folder, &[&arguments[..], &["--csv", "-", "--svg", "t.svg"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let rows: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(rows.len(), 5, "{}", ran.stdout);
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("measuring ")).collect();
    assert!(said.len() == 2 && said[0].ends_with("(1 of 2)") && said[1].ends_with("(2 of 2)"), "{said:?}");
    assert!(rows[0].starts_with("scene,query,method,"));
    assert!(rows[1].starts_with("dwarf,contacts,bvh,1664,1,") && rows[1].ends_with(",true"), "{}", rows[1]);
    let svg = fs::read_to_string(folder.join("t.svg")).unwrap();
    assert_eq!(svg.matches("class=\"bar\"").count(), 4);
}
