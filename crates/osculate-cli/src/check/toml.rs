//! The part of TOML that settings and baselines need: keys with strings, numbers, booleans and
//! arrays of strings, tables and arrays of tables, comments. Every error names its line, and the
//! key where there is one.

use anyhow::{Result, bail, ensure};

/// A value, with the number of its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) line: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    Bool(bool),
    Texts(Vec<String>),
}

/// A table: its name, empty before the first header, its line, and its entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) entries: Vec<Entry>,
}

/// Returns the tables of a text; `file` is its name in errors.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Section>> {
    let mut sections = vec![Section::default()];
    let mut lines = (1..).zip(text.lines());
    while let Some((line, content)) = lines.next() {
        let place = format!("{file}, line {line}");
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if let Some(rest) = content.strip_prefix('[') {
            let inner = rest.strip_prefix('[');
            let (name, close) = inner.map_or((rest, "]"), |inner| (inner, "]]"));
            let Some((name, after)) = name.split_once(close) else {
                bail!("{place}: the header has no closing {close}");
            };
            ensure!(is_blank(after), "{place}: '{}' stands behind a header", after.trim());
            sections.push(Section { name: name.trim().to_owned(), line, entries: Vec::new() });
            continue;
        }
        let Some((key, value)) = content.split_once('=') else {
            bail!("{place}: '{content}' is neither a key with a value nor a header");
        };
        let key = key.trim().trim_matches('"').to_owned();
        ensure!(!key.is_empty(), "{place}: there is no key before '='");
        let mut value = value.trim().to_owned();
        // An array may go on in the lines that follow.
        while value.starts_with('[') && !is_complete(&value) {
            let Some((_, more)) = lines.next() else {
                bail!("{place}, key '{key}': the array has no closing ]");
            };
            value.push(' ');
            value.push_str(more.trim());
        }
        let mut rest = value.as_str();
        let value = match value_of(&mut rest) {
            Ok(value) => value,
            Err(problem) => bail!("{place}, key '{key}': {problem}"),
        };
        ensure!(is_blank(rest), "{place}, key '{key}': '{}' stands behind its value", rest.trim());
        let last = sections.len() - 1;
        let entries = &mut sections[last].entries;
        ensure!(entries.iter().all(|entry| entry.key != key), "{place}: the key '{key}' occurs twice");
        entries.push(Entry { key, value, line });
    }
    Ok(sections)
}

/// Whether a text is empty or a comment.
fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.starts_with('#')
}

/// Whether an array is closed.
fn is_complete(mut text: &str) -> bool {
    value_of(&mut text).is_ok()
}

/// Takes a value off the start of a text.
fn value_of(text: &mut &str) -> Result<Value, String> {
    *text = text.trim_start();
    if text.starts_with('"') || text.starts_with('\'') {
        return Ok(Value::Text(string(text)?));
    }
    if let Some(rest) = text.strip_prefix('[') {
        *text = rest;
        let mut texts = Vec::new();
        loop {
            *text = text.trim_start();
            if let Some(rest) = text.strip_prefix(']') {
                *text = rest;
                return Ok(Value::Texts(texts));
            }
            if !texts.is_empty() {
                *text = text.strip_prefix(',').ok_or("a comma is missing in the array")?.trim_start();
                if let Some(rest) = text.strip_prefix(']') {
                    *text = rest;
                    return Ok(Value::Texts(texts));
                }
            }
            texts.push(string(text)?);
        }
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '#' || c == ',').unwrap_or(text.len());
    let word = &text[..end];
    *text = &text[end..];
    match word {
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        _ => match word.replace('_', "").parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Number(number)),
            _ => Err(format!(
                "'{word}' is no value; write a \"text\", a number, true, false or a list of texts"
            )),
        },
    }
}

/// Takes a quoted text off the start of a text.
fn string(text: &mut &str) -> Result<String, String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'')).ok_or("a quoted text is missing")?;
    let mut out = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' if quote == '"' => match characters.next().map(|(_, c)| c) {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(c @ ('"' | '\\')) => out.push(c),
                Some(kind @ ('u' | 'U')) => {
                    let digits = if kind == 'u' { 4 } else { 8 };
                    let number: String = characters.by_ref().take(digits).map(|(_, c)| c).collect();
                    let c = u32::from_str_radix(&number, 16).ok().and_then(char::from_u32);
                    out.push(c.ok_or_else(|| format!("\\{kind}{number} is no character"))?);
                }
                other => return Err(format!("\\{} is no character", other.unwrap_or(' '))),
            },
            c if c == quote => {
                *text = &text[at + c.len_utf8()..];
                return Ok(out);
            }
            c => out.push(c),
        }
    }
    Err(format!("the closing {quote} is missing"))
}

/// A text with quotes, as it is read back.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_read() {
        let text = "# settings\nmin-depth = 0.5 # units\nquiet=true\nignore = [ 'a:b', \"c\\n:d\",\n  \"e:f\", ]\n\n[[pair]]\nname = \"x#y\"\n";
        let sections = parse("f", text).unwrap();
        let values: Vec<&Value> = sections[0].entries.iter().map(|entry| &entry.value).collect();
        let texts = Value::Texts(["a:b", "c\n:d", "e:f"].map(str::to_owned).to_vec());
        assert_eq!(values, [&Value::Number(0.5), &Value::Bool(true), &texts]);
        assert_eq!((sections[1].name.as_str(), sections[1].line), ("pair", 7));
        assert_eq!(sections[1].entries[0].value, Value::Text("x#y".to_owned()));
    }

    #[test]
    fn texts_are_quoted_so_that_they_read_back() {
        for text in ["plain", "a\"b\\c", "line\nbreak\t\u{1b}[2J", "Größe"] {
            let sections = parse("f", &format!("k = {}", quoted(text))).unwrap();
            assert_eq!(sections[0].entries[0].value, Value::Text(text.to_owned()));
        }
    }

    #[test]
    fn errors_name_line_and_key() {
        let cases = [
            ("a = 1\nb = maybe", "f, line 2, key 'b': 'maybe'"),
            ("a = \"x", "f, line 1, key 'a': the closing \" is missing"),
            ("a = [\"x\"", "f, line 1, key 'a': the array has no closing ]"),
            ("\n[pair", "f, line 2: the header has no closing ]"),
            ("what", "f, line 1: 'what'"),
            ("a = 1\na = 2", "f, line 2: the key 'a' occurs twice"),
            ("a = 1 2", "f, line 1, key 'a': '2' stands behind"),
            ("a = nan", "key 'a': 'nan'"),
            (" = 1", "line 1: there is no key"),
        ];
        for (text, expected) in cases {
            let message = parse("f", text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
