//! Usage errors in one sentence.

use clap::Error;

/// What is wrong with the arguments, and what is allowed.
///
/// Of clap's message, which has tips and a usage summary, this keeps the first paragraph, including
/// its lists, and the tips that suggest a correction.
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
