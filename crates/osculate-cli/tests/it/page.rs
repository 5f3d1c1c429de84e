//! Tests of `check --report`, `--picture` and `--colored` without a browser. The page in a browser
//! is tested by `page/test/browser.mjs`.

use std::fs;

use crate::common::{fails, folder, json, succeeds};
use crate::gltf::gltf;

const EVIL: &str = "</script><img src=x onerror=alert(1)>";

#[test]
fn markup_in_names_does_not_become_part_of_the_page() {
    let folder = folder("page", "markup");
    gltf(&folder, "evil", [EVIL, "</template>\"'&"], &[("<b>Fall</b>", 1.0)]);
    succeeds(&folder, &["check", "evil.gltf", "--report", "evil.html"]);
    let page = fs::read_to_string(folder.join("evil.html")).unwrap();
    assert!(!page.contains(EVIL) && !page.contains("<img src=x") && !page.contains("<b>"));
    assert!(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"));
    assert!(page.contains("&lt;b&gt;Fall&lt;/b&gt;"));
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</template>").count(), page.matches("<template id=\"").count());
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    assert!(!page.contains("@@"), "a place was not filled");
}

#[test]
fn the_page_lists_the_pairs_of_the_json_report() {
    let folder = folder("page", "numbers");
    let frames = ["check", "--frames", "40..50", "--report", "a.html", "--json", "a.json"];
    succeeds(&folder, &frames);
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    let text = fs::read_to_string(folder.join("a.json")).unwrap();
    let report = json(&folder.join("a.json"));
    let pairs = report["pairs"].as_array().unwrap();
    assert!(!pairs.is_empty());
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("<tr data-problem=")).collect();
    assert_eq!(rows.len(), pairs.len());
    for (row, pair) in rows.iter().zip(pairs) {
        // To the last digit, so that no parser comes in between.
        let depth = row.split("data-depth=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert!(text.contains(&format!("\"depth\":{depth},")), "{row}");
        assert!(
            (depth.parse::<f64>().unwrap() - pair["depth"].as_f64().unwrap()).abs() < 1e-12,
            "{row}: {pair}"
        );
        assert!(row.contains(&format!("data-worst=\"{}\"", pair["worst_frame"])), "{row}: {pair}");
    }
    let problems = report["totals"]["problems"].as_u64().unwrap();
    assert!(page.contains(&format!(">{problems} problems in 1 clip.<")));
}

#[test]
fn pages_do_not_depend_on_threads() {
    let folder = folder("page", "threads");
    for threads in ["1", "3"] {
        let name = format!("{threads}.html");
        let picture = format!("{threads}.png");
        succeeds(
            &folder,
            &[
                "check",
                "--frames",
                "45..46",
                "--threads",
                threads,
                "--method",
                "bvh",
                "--report",
                &name,
                "--picture",
                &picture,
            ],
        );
    }
    for end in ["html", "png"] {
        let [one, three] = ["1", "3"].map(|name| fs::read(folder.join(format!("{name}.{end}"))).unwrap());
        assert!(one == three, "{end}");
    }
}

#[test]
fn pictures_are_files_that_others_read() {
    let folder = folder("page", "pictures");
    gltf(&folder, "two", ["sheet", "body"], &[("Fall", 1.0), ("Again", 0.5)]);
    succeeds(&folder, &["check", "two.gltf", "--picture", "two.png", "--colored", "two.glb"]);
    let png = fs::read(folder.join("two.png")).unwrap();
    // Two problems: two panels of 640 pixels, and 8 between them.
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..24], [0, 0, 5, 8, 0, 0, 1, 224]);
    // The reader of this project checks every accessor.
    let text = succeeds(&folder, &["check", "two.glb", "--json", "back.json"]);
    let back = json(&folder.join("back.json"));
    assert_eq!(back["model"]["triangles"], 2 * 6, "{text}");
    let glb = fs::read(folder.join("two.glb")).unwrap();
    assert!(glb.windows(7).any(|seven| seven == b"COLOR_0"));
}

#[test]
fn a_page_can_go_to_standard_output_but_not_where_another_report_goes() {
    let folder = folder("page", "outputs");
    let page = succeeds(&folder, &["check", "--frames", "0..2", "--report", "-"]);
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("Clean: no part passes through another"));
    let problem = fails(&folder, &["check", "--report", "a", "--json", "a"]);
    assert!(problem.contains("cannot hold two outputs"), "{problem}");
}
