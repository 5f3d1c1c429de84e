//! Checks the width of comments and Markdown prose.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::shell::root;

/// Maximum number of characters of a line of prose, including indentation and comment marks.
const WIDTH: usize = 100;

/// Fails with every line of a comment or of a Markdown file that is longer than [`WIDTH`] and could
/// be broken. Tables, code and links may be longer.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut files = Vec::new();
    add_files(&root(), &mut files)?;
    ensure!(100 < files.len(), "only {} files of prose were found", files.len());
    let mut faults = Vec::new();
    for path in &files {
        let name = path.strip_prefix(root()).unwrap_or(path).display();
        let text = fs::read_to_string(path).with_context(|| name.to_string())?;
        let lines = long_lines(&text, has_extension(path, "md"));
        faults.extend(lines.into_iter().map(|line| format!("{name}:{line}")));
    }
    ensure!(
        faults.is_empty(),
        "lines of prose with more than {WIDTH} characters:\n  {}",
        faults.join("\n  ")
    );
    println!("comments and Markdown prose of {} files keep to {WIDTH} characters\n", files.len());
    Ok(())
}

/// Adds the Rust and Markdown files below a folder, without build output and packages.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            add_files(&path, files)?;
        } else if path.is_file() && (has_extension(&path, "rs") || has_extension(&path, "md")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|of_path| of_path == extension)
}

/// The numbers of the lines of prose that are too long.
fn long_lines(text: &str, is_markdown: bool) -> Vec<usize> {
    let mut is_code = false;
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let prose = if is_markdown { Some(line) } else { comment(line) };
        let Some(prose) = prose.map(str::trim_start) else {
            is_code = false;
            continue;
        };
        is_code ^= prose.starts_with("```");
        let is_fixed = is_code || prose.starts_with(['|', '#', '<', '!']);
        if WIDTH < line.chars().count() && !is_fixed && can_break(prose) {
            faults.push(number + 1);
        }
    }
    faults
}

/// The text of a comment line.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("//")?;
    Some(line.strip_prefix(['/', '!']).unwrap_or(line))
}

/// Whether there is a space outside backticks, after the list marker.
fn can_break(prose: &str) -> bool {
    let mut is_code = false;
    let text = prose.strip_prefix("- ").or(prose.strip_prefix("* ")).unwrap_or(prose);
    text.chars().any(|c| {
        is_code ^= c == '`';
        c == ' ' && !is_code
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_measured_and_code_is_not() {
        let words = "word ".repeat(30);
        let code = format!("{} // {words}\n", "let x = 1;");
        let text =
            format!("/// {words}\n{code}    // {words}\n/// ```\n/// {words}\n/// ```\n/// | {words}\n");
        assert_eq!(long_lines(&text, false), [1, 3]);
        assert_eq!(long_lines(&format!("{words}\n# {words}\n- {}\n", "x".repeat(120)), true), [1]);
    }
}
