//! `--ignore 'A:B'` and `--between 'Body*:Coat*'`: pairs of parts by their names, with wildcards.

use std::str::FromStr;

/// Two patterns of names; `*` is any text, `?` any character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PairPattern {
    sides: [String; 2],
    /// As it was written.
    pub(super) text: String,
}

impl FromStr for PairPattern {
    type Err = String;

    /// Names may contain colons: the pattern is divided at the only one, or at `::` if there are
    /// several.
    fn from_str(text: &str) -> Result<PairPattern, String> {
        let divided = match text.matches(':').count() {
            1 => text.split_once(':'),
            _ => text.split_once("::"),
        };
        match divided {
            Some((a, b)) if !a.trim().is_empty() && !b.trim().is_empty() => {
                Ok(PairPattern { sides: [a.trim().to_owned(), b.trim().to_owned()], text: text.to_owned() })
            }
            _ => Err(format!(
                "'{text}' is not a pair of parts; write 'A:B', where * is any text, or 'A::B' if names have colons"
            )),
        }
    }
}

impl PairPattern {
    /// The text of a pattern that matches two names.
    ///
    /// What would be read otherwise becomes `?`: stars, control characters, blanks at the ends, and
    /// colons of the first name that look like those between the names. Such a pattern may match
    /// further names.
    pub(super) fn text_of([a, b]: [&str; 2]) -> String {
        let side = |name: &str| {
            let last = name.chars().count().saturating_sub(1);
            let is_read = |(i, c): (usize, char)| match c {
                '*' => true,
                c => c.is_control() || (i == 0 || i == last) && c.is_whitespace(),
            };
            let text: String =
                name.chars().enumerate().map(|(i, c)| if is_read((i, c)) { '?' } else { c }).collect();
            if text.is_empty() { "*".to_owned() } else { text }
        };
        let (a, b) = (side(a), side(b));
        if !a.contains(':') && !b.contains(':') {
            return format!("{a}:{b}");
        }
        let is_ambiguous = a.contains("::") || a.ends_with(':');
        format!("{}::{b}", if is_ambiguous { a.replace(':', "?") } else { a })
    }

    /// Whether two names match, in either order.
    pub(super) fn matches(&self, [a, b]: [&str; 2]) -> bool {
        let [left, right] = &self.sides;
        is_match(left, a) && is_match(right, b) || is_match(left, b) && is_match(right, a)
    }
}

/// Whether a name matches a pattern.
pub(super) fn is_match(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the last star stands, and how far the name was when it was met: it takes one more
    // character whenever what follows does not fit.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    (p, n) = (*at + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_any_text_and_marks_one_character() {
        let cases = [
            ("Body*", "Body", true),
            ("Body*", "BodyUpper", true),
            ("Body*", "body", false),
            ("*_Shield", "Badge_Shield", true),
            ("*_Shield", "Badge_Shield2", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "acb", false),
            ("hand.?", "hand.l", true),
            ("hand.?", "hand.", false),
            ("*", "", true),
            ("**", "x", true),
            ("", "x", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(is_match(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pair_matches_in_either_order() {
        let pattern: PairPattern = "Body*:Coat".parse().unwrap();
        assert!(pattern.matches(["Body1", "Coat"]) && pattern.matches(["Coat", "Body1"]));
        assert!(!pattern.matches(["Body1", "Body2"]) && !pattern.matches(["Coat", "Coat"]));
        let pattern: PairPattern = "mixamorig:Hips::mixamorig:*Leg".parse().unwrap();
        assert!(pattern.matches(["mixamorig:LeftUpLeg", "mixamorig:Hips"]));
        for text in ["Body", "", ":", "a:", ":b", "a:b:c"] {
            assert!(text.parse::<PairPattern>().unwrap_err().contains("pair of parts"), "{text}");
        }
    }

    #[test]
    fn any_two_names_have_a_pattern() {
        let cases = [
            (["Hand.L", "Hip"], "Hand.L:Hip"),
            (["mixamorig:Hips", "mixamorig:Spine"], "mixamorig:Hips::mixamorig:Spine"),
            (["Hips", "rig:Hips"], "Hips::rig:Hips"),
            (["a::b", "c"], "a??b::c"),
            (["a:", ":b"], "a?:::b"),
            ([" a b ", "*"], "?a b?:?"),
            (["", "a\n\u{1b}b"], "*:a??b"),
        ];
        for (names, expected) in cases {
            assert_eq!(PairPattern::text_of(names), expected);
        }
        let names =
            ["Hip", "a:b", "a::b", ":a", "a:", ":", "::", " a", "a ", " ", "", "*", "a*?", "\0", "ä:ö "];
        for a in names {
            for b in names {
                let pattern: PairPattern = PairPattern::text_of([a, b]).parse().unwrap();
                assert!(pattern.matches([a, b]), "{a:?} {b:?}: {pattern:?}");
            }
        }
    }
}
