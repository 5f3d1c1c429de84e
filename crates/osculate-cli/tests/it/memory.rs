//! Runs commands that read files with a limit on memory.

use std::fs;

use crate::common::{self, osculate};

/// A tetrahedron.
const TEXT: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf 1 2 2\n";

#[test]
fn a_limit_is_kept_and_named() {
    let folder = common::folder("memory", "limit");
    fs::write(folder.join("a.obj"), TEXT).unwrap();
    for command in ["check", "compare"] {
        let refused = osculate(&folder, &[command, "a.obj", "--memory", "100"]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("100 that the file may take (--memory sets another limit)"),
            "{}",
            refused.stderr
        );
        let nonsense = osculate(&folder, &[command, "a.obj", "--memory", "much"]);
        assert_eq!(nonsense.code, Some(2));
        assert!(nonsense.stderr.contains("'much' is no amount of memory"), "{}", nonsense.stderr);
    }
    let read = osculate(&folder, &["check", "a.obj", "--memory", "1MB", "--discrete"]);
    assert_eq!(read.code, Some(0), "{}", read.stderr);
    assert!(read.stdout.contains("note: 1 triangle or polygon left out"), "{}", read.stdout);
}

#[test]
fn what_the_system_says_is_printed_once() {
    let folder = common::folder("memory", "missing");
    let ran = osculate(&folder, &["check", "gone.glb"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr.matches("os error").count(), 1, "{}", ran.stderr);
}
