//! A text layer (`.usda`), scanned before the crate `openusd` parses it.
//!
//! The parser of the crate calls itself for each level, keeps the whole path of each spec, and
//! compares each name of a block with those before it. Here the depth of brackets, the number of
//! words of a block, and the memory of paths are limited.

use crate::bytes::Budget;
use crate::error::{Result, malformed};

/// Deepest nesting of brackets.
const MAX_DEPTH: usize = 256;
/// Most words of one block that are neither in a list nor begin a prim. A property has two or more.
const MAX_WORDS: usize = 60_000;

/// An open bracket.
struct Block {
    /// Number of bytes of the names above it.
    path: usize,
    n_words: usize,
    /// Whether it is a list of values.
    is_list: bool,
}

/// Fails if parsing the text would take more memory than the budget has, or too long.
pub(super) fn check(text: &str, file: &str, budget: &mut Budget) -> Result<()> {
    let bytes = text.as_bytes();
    let fault = |at: usize, problem: String| {
        let line = 1 + bytes[..at.min(bytes.len())].iter().filter(|&&c| c == b'\n').count();
        malformed(file, format!("line {line}"), problem)
    };
    let mut blocks = vec![Block { path: 1, n_words: 0, is_list: false }];
    let (mut at, mut name, mut is_after_prim) = (0, 0, false);
    while let Some(&c) = bytes.get(at) {
        let start = at;
        at += 1;
        match c {
            b'#' => {
                let end = bytes[at..].iter().position(|&c| c == b'\n' || c == b'\r');
                at = end.map_or(bytes.len(), |end| at + end);
            }
            b'/' if bytes.get(at) == Some(&b'*') => at = find(bytes, at + 1, b"*/").unwrap_or(bytes.len()),
            b'"' | b'\'' => {
                at = after_string(bytes, start);
                name = at - start;
            }
            b'@' => {
                let triple =
                    if bytes[start..].starts_with(b"@@@") { find(bytes, start + 3, b"@@@") } else { None };
                // Without an end, the first two are an empty path.
                at = triple.or_else(|| find(bytes, at, b"@")).unwrap_or(bytes.len());
            }
            b'<' => at = find(bytes, at, b">").unwrap_or(bytes.len()),
            b'(' | b'[' | b'{' => {
                let path = blocks.last().map_or(0, |block| block.path);
                let path = if c == b'{' { path + name } else { path };
                blocks.push(Block { path, n_words: 0, is_list: c == b'[' });
                if MAX_DEPTH < blocks.len() {
                    return Err(fault(start, format!("brackets are nested deeper than {MAX_DEPTH}")));
                }
            }
            // Without an opening bracket, parsing fails.
            b')' | b']' | b'}' if 1 < blocks.len() => drop(blocks.pop()),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                while bytes.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b':')) {
                    at += 1;
                }
                let word = &bytes[start..at];
                let is_prim = matches!(word, b"def" | b"over" | b"class");
                let is_type = std::mem::replace(&mut is_after_prim, is_prim);
                if let Some(block) = blocks.last_mut().filter(|block| !block.is_list) {
                    block.n_words += usize::from(!is_prim && !is_type);
                    if MAX_WORDS < block.n_words {
                        return Err(fault(start, format!("a block has more than {MAX_WORDS} words")));
                    }
                    budget.charge(block.path, 1, || "the paths".into())?;
                }
            }
            b'0'..=b'9' => {
                while bytes.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'.') {
                    at += 1;
                }
            }
            _ => {}
        }
    }
    // Specs take more than their text if it is short; numbers take less.
    budget.charge(bytes.len(), 8, || "the text".into())
}

/// Returns the byte after the next `end`, if there is one.
fn find(bytes: &[u8], from: usize, end: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(end.len()).position(|w| w == end).map(|at| from + at + end.len())
}

/// Returns the byte after the string that begins at a quote.
fn after_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let triple = [quote; 3];
    if bytes[start..].starts_with(&triple) {
        // Without an end, the first two are an empty string.
        return find(bytes, start + 3, &triple).unwrap_or(start + 2);
    }
    let mut at = start + 1;
    while let Some(&c) = bytes.get(at) {
        at += if c == b'\\' { 2 } else { 1 };
        if c == quote {
            return at;
        }
    }
    bytes.len()
}
