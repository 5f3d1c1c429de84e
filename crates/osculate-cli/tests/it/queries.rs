//! Runs the built command on small files of queries: what it prints, and its exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A vertex that falls from z = 1 to z = -1 through the inside of a resting triangle.
const VERTEX_FACE_HIT: [&str; 8] = [
    "1,4,1,4,1,1",
    "0,1,0,1,0,1",
    "1,1,0,1,0,1",
    "0,1,1,1,0,1",
    "1,4,1,4,-1,1",
    "0,1,0,1,0,1",
    "1,1,0,1,0,1",
    "0,1,1,1,0,1",
];

/// The same vertex, stopping at z = 1/2.
const VERTEX_FACE_MISS: [&str; 8] = [
    "1,4,1,4,1,1",
    "0,1,0,1,0,1",
    "1,1,0,1,0,1",
    "0,1,1,1,0,1",
    "1,4,1,4,1,2",
    "0,1,0,1,0,1",
    "1,1,0,1,0,1",
    "0,1,1,1,0,1",
];

/// An edge along x that falls from z = 1 to z = -1 across a resting edge along y.
const EDGE_EDGE_HIT: [&str; 8] = [
    "-1,1,0,1,1,1",
    "1,1,0,1,1,1",
    "0,1,-1,1,0,1",
    "0,1,1,1,0,1",
    "-1,1,0,1,-1,1",
    "1,1,0,1,-1,1",
    "0,1,-1,1,0,1",
    "0,1,1,1,0,1",
];

/// The rows of a query with the same ground truth in each, as lines.
fn rows(points: [&str; 8], truth: &str) -> String {
    points.iter().map(|point| format!("{point},{truth}\n")).collect()
}

/// A folder of its own for one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("queries").join(test);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ran {
    /// The cells of the first line of the table whose first cell ends with `name`, without that
    /// cell.
    #[track_caller]
    fn line(&self, name: &str) -> Vec<&str> {
        let lines = self.stdout.lines().filter(|line| line.starts_with('|'));
        let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
        let mut found = cells.into_iter().find(|cells| cells[0].ends_with(name)).unwrap_or_else(|| {
            panic!("no line for {name} in\n{}{}", self.stdout, self.stderr);
        });
        found.remove(0);
        found
    }
}

fn osculate(arguments: &[&str], files: &[&Path]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_osculate"))
        .arg("queries")
        .args(arguments)
        .args(files)
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The command refuses `content`: exit code 2, nothing on standard output, and one line on standard
/// error that names the file and contains `message`.
#[track_caller]
fn check_refused(test: &str, content: impl AsRef<[u8]>, message: &str) {
    let file = write(&folder(test), "vertex-face.csv", content);
    let ran = osculate(&[], &[&file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    let expected = format!("{}{message}", file.display());
    assert!(ran.stderr.contains(&expected), "expected `{expected}` in `{}`", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn right_answers_exit_with_0() {
    let folder = folder("right");
    let content = rows(VERTEX_FACE_HIT, "1") + &rows(VERTEX_FACE_MISS, "0");
    let vertex_face = write(&folder, "vertex-face/a.csv", content);
    let edge_edge = write(&folder, "edge-edge/a.csv", rows(EDGE_EDGE_HIT, "1"));
    let ran = osculate(&[], &[&vertex_face, &edge_edge]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    // Kind, queries, positives, missed, invented, rounded.
    assert_eq!(ran.line("right/vertex-face/a.csv")[..6], ["vertex-face", "2", "1", "0", "0", "0"]);
    assert_eq!(ran.line("right/edge-edge/a.csv")[..6], ["edge-edge", "1", "1", "0", "0", "0"]);
    assert_eq!(ran.line("total: 2 files")[..6], ["", "3", "2", "0", "0", "0"]);
    assert!(!ran.stdout.contains("wrong"), "{}", ran.stdout);
}

#[test]
fn wrong_answers_exit_with_1_and_are_listed() {
    let content = rows(VERTEX_FACE_HIT, "0") + &rows(VERTEX_FACE_MISS, "1") + &rows(VERTEX_FACE_MISS, "0");
    let file = write(&folder("wrong"), "vertex-face.csv", content);
    let ran = osculate(&[], &[&file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{}", ran.stdout);
    assert_eq!(ran.line("wrong/vertex-face.csv")[..6], ["vertex-face", "3", "1", "1", "1", "0"]);
    let name = file.display();
    let invented = format!("wrong: {name}, query 1, row 1: expected no contact, found one at t in [");
    let missed = format!("wrong: {name}, query 2, row 9: expected a contact, found none\n");
    assert!(ran.stdout.contains(&invented), "{}", ran.stdout);
    assert!(ran.stdout.contains(&missed), "{}", ran.stdout);
}

#[test]
fn the_list_of_wrong_answers_says_what_it_leaves_out() {
    let file = write(&folder("many"), "vertex-face.csv", rows(VERTEX_FACE_MISS, "1").repeat(13));
    let ran = osculate(&[], &[&file]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("wrong: ")).count(), 10);
    assert!(ran.stdout.ends_with("… and 3 more wrong answers\n"), "{}", ran.stdout);
}

#[test]
fn kind_comes_from_the_option_before_the_path() {
    let folder = folder("kind");
    let unnamed = write(&folder, "a.csv", rows(EDGE_EDGE_HIT, "1"));
    let misnamed = write(&folder, "vertex-face/a.csv", rows(EDGE_EDGE_HIT, "1"));
    let ran = osculate(&["--kind", "edge-edge"], &[&unnamed, &misnamed]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = osculate(&[], &[&unnamed]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("neither vertex-face nor edge-edge"), "{}", ran.stderr);
}

#[test]
fn crlf_blank_lines_spaces_a_byte_order_mark_and_a_missing_last_line_end_are_tolerated() {
    let content = format!("\u{feff}\n{}\n{}\n", rows(VERTEX_FACE_HIT, "1"), rows(VERTEX_FACE_MISS, "0"));
    let content = content.replace('\n', "\r\n").replace(',', " ,  ");
    let file = write(&folder("crlf"), "vertex-face.csv", content.trim_end());
    let ran = osculate(&[], &[&file]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.line("vertex-face.csv")[..6], ["vertex-face", "2", "1", "0", "0", "0"]);
}

#[test]
fn integers_of_any_length_are_exact_where_f64_is() {
    let zeros = "0".repeat(400);
    let scaled: Vec<String> = VERTEX_FACE_HIT
        .iter()
        .map(|row| row.split(',').map(|field| format!("{field}{zeros}")).collect::<Vec<_>>().join(","))
        .collect();
    let content = rows(std::array::from_fn(|i| scaled[i].as_str()), "1");
    let file = write(&folder("long"), "vertex-face.csv", content);
    let ran = osculate(&[], &[&file]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.line("vertex-face.csv")[..6], ["vertex-face", "1", "1", "0", "0", "0"]);
    assert!(!ran.stdout.contains("note:"), "{}", ran.stdout);
}

#[test]
fn rounded_coordinates_are_counted_and_noted() {
    let mut points = VERTEX_FACE_HIT;
    points[0] = "1,3,1,3,1,1";
    let file = write(&folder("rounded"), "vertex-face.csv", rows(points, "1") + &rows(VERTEX_FACE_MISS, "0"));
    let ran = osculate(&[], &[&file]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.line("vertex-face.csv")[..6], ["vertex-face", "2", "1", "0", "0", "2"]);
    assert!(ran.stdout.contains("note: 2 coordinates are not exact in f64"), "{}", ran.stdout);
}

#[test]
fn malformed_rows_are_refused_with_their_place() {
    let good = rows(VERTEX_FACE_MISS, "0");
    let check = |test: &str, row: &str, message: &str| {
        check_refused(test, format!("{good}{row}\n"), &format!(", row 9: {message}"));
    };
    check("few-fields", "1,2,3,4,5,6", "found 6 fields; a row has 7");
    check("many-fields", "1,2,3,4,5,6,0,0", "found 8 fields; a row has 7");
    check("zero", "1,1,1,0,1,1,0", "y: the denominator is 0");
    check("decimal", "1,1,1,1,1.5,1,0", "z: the numerator is `1.5`, not an integer");
    check("word", "1,x,1,1,1,1,0", "x: the denominator is `x`, not an integer");
    check("empty-field", ",1,1,1,1,1,0", "x: the numerator is ``, not an integer");
    check("truth", "1,1,1,1,1,1,2", "the ground truth is `2`; it must be 0 or 1");
    let zeros = "0".repeat(309);
    let too_big = format!("x: 1{}… (310 characters)/1 is beyond the largest f64", &zeros[..39]);
    check("too-big", &format!("1{zeros},1,1,1,1,1,0"), &too_big);
    check("header", "x,xd,y,yd,z,zd,truth", "x: the numerator is `x`, not an integer");
}

#[test]
fn malformed_files_are_refused_with_the_place() {
    let good = rows(VERTEX_FACE_MISS, "0");
    check_refused("empty", "", ", row 1: the file is empty");
    check_refused("blank", "\n \r\n\n", ", row 1: the file is empty");
    let cut: String = good.lines().take(5).map(|line| format!("{line}\n")).collect();
    check_refused("cut", format!("{good}\n{cut}"), ", row 10: the file ends after 5 of the 8 rows");
    let differing = rows(VERTEX_FACE_MISS, "0") + &rows(VERTEX_FACE_MISS, "1").replacen(",1\n", ",0\n", 1);
    check_refused(
        "differing",
        differing,
        ", row 10: the ground truth is 1, but row 9 of the same query says 0",
    );
    let mut bytes = good.clone().into_bytes();
    bytes.extend(b"1,1,\xff,1,1,1,0\n");
    check_refused("binary", bytes, ", row 9: not UTF-8 text");
}

#[test]
fn folders_and_missing_files_are_refused() {
    let folder = folder("folders-vertex-face");
    let ran = osculate(&[], &[&folder]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains(&format!("{} is a folder", folder.display())), "{}", ran.stderr);
    let missing = folder.join("missing.csv");
    let ran = osculate(&[], &[&missing]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains(&format!("cannot read {}", missing.display())), "{}", ran.stderr);
}

#[test]
fn all_files_are_checked_before_anything_is_printed() {
    let folder = folder("order");
    let good = write(&folder, "vertex-face.csv", rows(VERTEX_FACE_MISS, "1"));
    let bad = write(&folder, "vertex-face-bad.csv", "1\n");
    let ran = osculate(&[], &[&good, &bad]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
}

#[test]
fn usage_errors_exit_with_2_and_help_with_0() {
    assert_eq!(osculate(&[], &[]).code, Some(2));
    assert_eq!(osculate(&["--kind", "face-face"], &[Path::new("a.csv")]).code, Some(2));
    let help = osculate(&["--help"], &[]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
}
