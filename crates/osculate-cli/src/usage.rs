//! Bad usage in one sentence.

use clap::Error;

/// What is wrong with the arguments, and what is allowed.
///
/// The parser says it in a first paragraph, which may go on with lists, and follows it up with tips
/// and a summary of all usage. Kept are the first paragraph, and of the tips those that name what
/// was probably meant.
pub(crate) fn sentence(error: &Error) -> String {
    let text = error.render().to_string();
    let mut sentence = String::new();
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("tip: ") {
            _ if line.starts_with("Usage:") || line.starts_with("For more information") => break,
            Some(tip) if tip.contains("similar") => sentence = format!("{sentence}; {tip}"),
            None if !line.is_empty() && sentence.is_empty() => sentence = line.replacen("error: ", "", 1),
            None if !line.is_empty() => sentence = format!("{sentence} {line}"),
            _ => {}
        }
    }
    sentence + "; see --help"
}
