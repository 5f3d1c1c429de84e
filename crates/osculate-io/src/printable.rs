//! Makes text from files safe to print.

/// Ranges of invisible characters that std considers printable: fillers and variation selectors.
const INVISIBLE: [(char, char); 8] = [
    ('\u{34f}', '\u{34f}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{e0100}', '\u{e01ef}'),
];

/// Returns the text with every character escaped that could affect a terminal or mislead a reader:
/// as `\n`, `\r`, `\t` or `\0`, or by its number as `\u{1b}`.
///
/// Escaped are control characters, bidirectional marks, line and paragraph separators, spaces other
/// than the plain one, zero-width, private and unassigned characters, and a combining mark at the
/// start, which would change the preceding text. Letters of all scripts, quotes and backslashes
/// stay as they are; so the result is one visible line, and does not determine the original bytes.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        if matches!(character, '\'' | '"' | '\\') {
            shown.push(character);
        } else if INVISIBLE.iter().any(|&(first, last)| (first..=last).contains(&character)) {
            shown.extend(character.escape_unicode());
        } else if at == 0 {
            shown.extend(character.escape_debug());
        } else {
            // After a letter, a combining mark is printable and is not escaped.
            let mut pair = [b'a'; 5];
            let length = 1 + character.encode_utf8(&mut pair[1..]).len();
            let pair = std::str::from_utf8(&pair[..length]).unwrap_or("a?");
            shown.extend(pair.escape_debug().skip(1));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        let texts = [
            "",
            "Armature|walk 01",
            "C:\\a 'b' \"c\"",
            "Größe, 骨, кость, עצם, हड्डी",
            "e\u{301}te\u{301}",
            "🦴 ½ €",
        ];
        for text in texts {
            assert_eq!(printable(text), text);
        }
    }

    #[test]
    fn whatever_acts_on_a_terminal_or_a_reader_is_escaped() {
        let cases = [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\u{7}b\u{8}", "a\\u{7}b\\u{8}"),
            ("a\nb\r\tc\0", "a\\nb\\r\\tc\\0"),
            ("\u{7f}\u{9b}31m", "\\u{7f}\\u{9b}31m"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\\u{202e}b\\u{2066}c\\u{200f}"),
            ("a\u{2028}b\u{2029}\u{85}", "a\\u{2028}b\\u{2029}\\u{85}"),
            ("a\u{200b}b\u{feff}\u{ad}\u{2060}", "a\\u{200b}b\\u{feff}\\u{ad}\\u{2060}"),
            ("a\u{a0}b\u{3164}\u{fe0f}", "a\\u{a0}b\\u{3164}\\u{fe0f}"),
            ("\u{e000}\u{f0000}\u{378}\u{e0041}", "\\u{e000}\\u{f0000}\\u{378}\\u{e0041}"),
            ("\u{301}a", "\\u{301}a"),
        ];
        for (text, expected) in cases {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn no_character_gets_through_that_is_a_control_or_a_format() {
        for character in '\0'..=char::MAX {
            let shown = printable(&format!("x{character}y"));
            assert!(!shown.chars().any(char::is_control), "{character:?}");
            let is_bidi = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(!is_bidi || !shown.contains(character), "{character:?}");
        }
    }
}
