//! The header of a PLY file: its encoding, and the elements with their properties.

use crate::bytes::Scalar;
use crate::error::{Result, malformed};

/// Maximum header length in bytes. Real ones have hundreds; comments may make them longer.
const MAX_HEADER: usize = 1 << 17;

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Number of bytes up to the first row.
    pub(super) length: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Encoding {
    Text,
    Binary { is_big_endian: bool },
}

pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

/// Returns the header of the file. Fails without an element `vertex`.
pub(super) fn parse(bytes: &[u8], name: &str) -> Result<Header> {
    let mut at = 0;
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    for number in 1.. {
        let fault = |problem: String| malformed(name, format!("header, line {number}"), problem);
        let limit = bytes.len().min(MAX_HEADER);
        let length = bytes[at..limit].iter().position(|&byte| byte == b'\n');
        let length = length.ok_or_else(|| fault("the header has no end ('end_header')".into()))?;
        let line = String::from_utf8_lossy(&bytes[at..at + length]);
        at += length + 1;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["ply"] if number == 1 => {}
            _ if number == 1 => return Err(fault("a PLY file starts with 'ply'".into())),
            ["format", format, _] => {
                encoding = Some(parse_encoding(format).ok_or_else(|| fault(unknown("format", format)))?)
            }
            ["element", element, count] => {
                let count = count.parse().ok().filter(|&count| u32::try_from(count).is_ok());
                let count = count.ok_or_else(|| fault("the count is no number below 2^32".into()))?;
                if elements.iter().any(|other| other.name == element) {
                    return Err(fault(format!("element '{}' occurs twice", short(element))));
                }
                elements.push(Element { name: element.to_owned(), count, properties: Vec::new() });
            }
            ["property", "list", count, item, property] => {
                let count = parse_scalar(count).ok_or_else(|| fault(unknown("type", count)))?;
                let item = parse_scalar(item).ok_or_else(|| fault(unknown("type", item)))?;
                let element = elements.last_mut().ok_or_else(|| fault("a property of no element".into()))?;
                element
                    .properties
                    .push(Property { name: property.to_owned(), kind: Kind::List { count, item } });
            }
            ["property", scalar, property] => {
                let scalar = parse_scalar(scalar).ok_or_else(|| fault(unknown("type", scalar)))?;
                let element = elements.last_mut().ok_or_else(|| fault("a property of no element".into()))?;
                element.properties.push(Property { name: property.to_owned(), kind: Kind::Scalar(scalar) });
            }
            ["end_header"] => break,
            [] | ["comment" | "obj_info", ..] => {}
            _ => return Err(fault(unknown("line", &line))),
        }
    }
    let encoding = encoding.ok_or_else(|| malformed(name, "header", "there is no line 'format'"))?;
    if !elements.iter().any(|element| element.name == "vertex") {
        return Err(malformed(name, "header", "there is no element 'vertex'"));
    }
    Ok(Header { encoding, elements, length: at })
}

fn unknown(what: &str, text: &str) -> String {
    format!("unknown {what} '{}'", short(text.trim_end()))
}

/// Returns the first 60 characters.
pub(super) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

fn parse_encoding(word: &str) -> Option<Encoding> {
    match word {
        "ascii" => Some(Encoding::Text),
        "binary_little_endian" => Some(Encoding::Binary { is_big_endian: false }),
        "binary_big_endian" => Some(Encoding::Binary { is_big_endian: true }),
        _ => None,
    }
}

fn parse_scalar(word: &str) -> Option<Scalar> {
    Some(match word {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "long" | "int64" => Scalar::I64,
        "ulong" | "uint64" => Scalar::U64,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        _ => return None,
    })
}
