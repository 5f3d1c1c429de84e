//! What readers have to say about a file that they did read.

use crate::printable::printable;

/// Returns a number with its noun.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Adds a note, safe to show.
pub(crate) fn note(notes: &mut Vec<String>, text: &str) {
    notes.push(printable(text));
}
