//! Notes of readers about a file.

use crate::printable::printable;

/// Returns a number with its noun.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Adds a note, safe to print.
pub(crate) fn note(notes: &mut Vec<String>, text: &str) {
    notes.push(printable(text));
}
