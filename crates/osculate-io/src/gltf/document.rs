//! The container: JSON and buffers of a .gltf or .glb file.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::{Component, Path};

use super::schema::{Buffer, Root};
use crate::bytes::{Budget, slice, u32_at};
use crate::error::{Error, Result, malformed};

/// Required extensions that say nothing about geometry, by their first letters.
const HARMLESS: [&str; 7] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
    "KHR_mesh_quantization",
];

/// The parsed JSON and the content of all buffers.
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    pub(super) root: Root,
    pub(super) buffers: Vec<Cow<'a, [u8]>>,
}

impl<'a> Document<'a> {
    /// Returns the document in the bytes of a file. External buffers are looked for in `folder`.
    pub(super) fn read(
        bytes: &'a [u8],
        file: &'a str,
        folder: Option<&Path>,
        budget: &mut Budget,
    ) -> Result<Self> {
        let (json, chunk) = if bytes.starts_with(b"glTF") { chunks(bytes, file)? } else { (bytes, None) };
        charge_json(json, budget)?;
        let root: Root =
            serde_json::from_slice(json).map_err(|error| malformed(file, "JSON", error.to_string()))?;
        for extension in &root.extensions_required {
            if !HARMLESS.iter().any(|harmless| extension.starts_with(harmless)) {
                return Err(unsupported(file, extension));
            }
        }
        for (i, node) in root.nodes.iter().enumerate() {
            // It stands for many meshes; without it only one would be seen.
            if node.extensions.contains_key("EXT_mesh_gpu_instancing") {
                return Err(unsupported(file, &format!("EXT_mesh_gpu_instancing in node {i}")));
            }
        }
        let mut document = Self { file, root, buffers: Vec::new() };
        for (i, buffer) in document.root.buffers.iter().enumerate() {
            let place = || format!("buffer {i}");
            let content = match &buffer.uri {
                None if i == 0 && chunk.is_some() => Cow::Borrowed(chunk.unwrap_or_default()),
                // The buffer of compressed data that another one stands for: an error only where it is used.
                None if !buffer.extensions.is_empty() => Cow::Borrowed(&[][..]),
                None => return Err(malformed(file, place(), "it has neither a URI nor a chunk of a GLB")),
                Some(uri) => Cow::Owned(load(uri, buffer, file, &place(), folder, budget)?),
            };
            let length = if content.is_empty() { 0 } else { buffer.byte_length };
            if content.len() < length {
                let problem = format!("it should have {length} bytes, but has {}", content.len());
                return Err(malformed(file, place(), problem));
            }
            document.buffers.push(content);
        }
        Ok(document)
    }
}

/// Returns the error for an extension that changes the geometry.
pub(super) fn unsupported(file: &str, extension: &str) -> Error {
    let advice = match extension {
        e if e.contains("draco") || e.contains("meshopt") => "export the file without mesh compression",
        _ => "export the file without this extension",
    };
    Error::Unsupported {
        file: file.to_owned(),
        what: format!("the extension {extension}"),
        advice: advice.into(),
    }
}

/// Returns the JSON and the binary chunk of a GLB.
fn chunks<'a>(bytes: &'a [u8], file: &str) -> Result<(&'a [u8], Option<&'a [u8]>)> {
    let fault = |place: &str, problem: &str| malformed(file, place, problem);
    match u32_at(bytes, 4) {
        Some(2) => {}
        Some(version) => {
            let what = format!("version {version} of GLB");
            return Err(Error::Unsupported { file: file.to_owned(), what, advice: "export glTF 2.0".into() });
        }
        None => return Err(fault("byte 4", "the file ends in its header")),
    }
    let chunk =
        |at: usize| Some((slice(bytes, at + 8, u32_at(bytes, at)? as usize)?, slice(bytes, at + 4, 4)?));
    let (json, kind) = chunk(12).ok_or_else(|| fault("byte 12", "the JSON chunk is longer than the file"))?;
    if kind != b"JSON" {
        return Err(fault("byte 16", "the first chunk is not JSON"));
    }
    let at = 20 + json.len();
    match chunk(at) {
        Some((binary, b"BIN\0")) => Ok((json, Some(binary))),
        None if slice(bytes, at, 8).is_some() => Err(fault("binary chunk", "it is longer than the file")),
        _ => Ok((json, None)),
    }
}

/// Takes the memory that the parsed JSON has at most. `{},` is three bytes of text, but stands for a whole
/// node.
fn charge_json(json: &[u8], budget: &mut Budget) -> Result<()> {
    let cost = |byte: &u8| match byte {
        b'{' => 320,
        b':' => 64,
        b',' => 16,
        _ => 0,
    };
    budget.charge(json.len() + json.iter().map(cost).sum::<usize>(), 1, || "the JSON".into())
}

/// Returns the content of a buffer with a URI: data, or a file in the folder of the document.
fn load(
    uri: &str,
    buffer: &Buffer,
    file: &str,
    place: &str,
    folder: Option<&Path>,
    budget: &mut Budget,
) -> Result<Vec<u8>> {
    let fault = |problem: &str| malformed(file, place, problem);
    if let Some(data) = uri.strip_prefix("data:") {
        let data = data.split_once(";base64,").ok_or_else(|| fault("its data URI is not base64"))?.1;
        budget.charge(data.len(), 1, || place.to_owned())?;
        return base64(data.as_bytes()).ok_or_else(|| fault("its data URI is damaged"));
    }
    let relative = percent_decoded(uri);
    let path = Path::new(&relative);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if uri.contains("://") || !is_inside {
        return Err(fault("its URI leads out of the folder of the file"));
    }
    let Some(folder) = folder else { return Err(fault("it is in another file, and only one was given")) };
    let path = folder.join(path);
    let io = |source| Error::Io { path: path.clone(), source };
    let handle = std::fs::File::open(&path).map_err(io)?;
    let metadata = handle.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(fault("its URI does not name a file"));
    }
    let mut content = Vec::new();
    let length = metadata.len().min(buffer.byte_length as u64);
    budget.grow(length as usize);
    handle.take(length).read_to_end(&mut content).map_err(io)?;
    Ok(content)
}

/// Returns the bytes of a base64 text; `None` if a character does not belong there.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut n_bits) = (0u32, 0);
    for &c in text.iter().filter(|&&c| c != b'=' && !c.is_ascii_whitespace()) {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        n_bits += 6;
        if 8 <= n_bits {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    Some(bytes)
}

/// Returns a URI with `%20` and the like replaced; what is no such code stays.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_decoded() {
        assert_eq!(base64(b"SGVsbG8h").as_deref(), Some(&b"Hello!"[..]));
        assert_eq!(base64(b"SGVsbG8=").as_deref(), Some(&b"Hello"[..]));
        assert_eq!(base64(b"SG*s"), None);
        assert_eq!(percent_decoded("a%20b%2"), "a b%2");
    }
}
