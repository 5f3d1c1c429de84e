//! Formats numbers in sentences, and the command line.

use std::ffi::OsString;

use osculate_io::printable;

/// A number with its digits in groups of three.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i != 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its unit, given in the singular: `1 frame`, `2,000 frames`.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    format!("{} {}", grouped(n as u64), plural(n, thing))
}

/// The singular or the plural, depending on the number.
pub(crate) fn plural(n: usize, thing: &str) -> String {
    if n == 1 {
        return thing.to_owned();
    }
    match thing.strip_suffix("ex") {
        Some(stem) => format!("{stem}ices"),
        None => match thing.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None if thing.ends_with("ch") => format!("{thing}es"),
            None => format!("{thing}s"),
        },
    }
}

/// The arguments of a run, as typed; the first one is the name of the program.
pub(crate) fn command(arguments: &[OsString]) -> String {
    let arguments = arguments.iter().skip(1);
    arguments.map(|argument| printable(&argument.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (n, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), expected);
        }
    }

    #[test]
    fn one_thing_is_in_the_singular() {
        let cases = [
            (0, "frame", "0 frames"),
            (1, "frame", "1 frame"),
            (1000, "contact", "1,000 contacts"),
            (1, "body", "1 body"),
            (2, "body", "2 bodies"),
            (1, "vertex", "1 vertex"),
            (8, "vertex", "8 vertices"),
        ];
        for (n, thing, expected) in cases {
            assert_eq!(counted(n, thing), expected);
        }
    }
}
