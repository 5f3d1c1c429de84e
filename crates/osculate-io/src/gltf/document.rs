//! The container: JSON and buffers of a .gltf or .glb file.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use super::meshopt;
use super::schema::{Buffer, Root};
use crate::bytes::{Budget, slice, u32_at};
use crate::error::{Error, Result, malformed};

/// Required extensions that are supported, or do not affect geometry, by prefix.
const KNOWN: [&str; 15] = [
    "EXT_lights_",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_",
    "KHR_xmp",
    "VRMC_materials_",
    "VRMC_vrm",
];

/// The parsed JSON and the content of all buffers.
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    pub(super) root: Root,
    /// Content of each buffer, if any.
    buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Decompressed views; decompressed on demand.
    unpacked: Vec<OnceCell<Vec<u8>>>,
}

impl<'a> Document<'a> {
    /// Returns the document in the bytes of a file. External buffers are searched in `folder`.
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
            if !KNOWN.iter().any(|known| extension.starts_with(known)) {
                return Err(Error::Unsupported {
                    file: file.to_owned(),
                    what: format!("the extension {extension}"),
                    advice: "export the file without this extension".into(),
                });
            }
        }
        let mut buffers = Vec::with_capacity(root.buffers.len());
        for (i, buffer) in root.buffers.iter().enumerate() {
            let place = || format!("buffer {i}");
            let content = match &buffer.uri {
                _ if buffer.is_fallback() => None,
                None if i == 0 && chunk.is_some() => chunk.map(Cow::Borrowed),
                // A buffer for decompressed views: an error only where it is used.
                None => None,
                Some(uri) => Some(Cow::Owned(load(uri, buffer, file, &place(), folder, budget)?)),
            };
            if let Some(content) = content.as_ref().filter(|content| content.len() < buffer.byte_length) {
                let problem =
                    format!("it should have {} bytes, but has {}", buffer.byte_length, content.len());
                return Err(malformed(file, place(), problem));
            }
            buffers.push(content);
        }
        let unpacked = (0..root.buffer_views.len()).map(|_| OnceCell::new()).collect();
        Ok(Self { file, root, buffers, unpacked })
    }

    /// Returns the bytes of a buffer view and its stride, `item_size` by default. A compressed view
    /// is decompressed on demand, once.
    pub(super) fn view(&self, index: usize, item_size: usize, budget: &mut Budget) -> Result<(&[u8], usize)> {
        let fault = |problem: String| malformed(self.file, format!("buffer view {index}"), problem);
        let n = self.root.buffer_views.len();
        let view = self.root.buffer_views.get(index).ok_or_else(|| fault(format!("there are only {n}")))?;
        let bytes = match view.packed() {
            Some(packed) => match self.unpacked[index].get() {
                Some(bytes) => bytes,
                None => {
                    let bytes =
                        self.range(packed.buffer, packed.byte_offset, packed.byte_length).map_err(fault)?;
                    let size = meshopt::unpacked_size(packed).unwrap_or(usize::MAX);
                    budget.pin(size, 1, || format!("buffer view {index}"))?;
                    let bytes = meshopt::unpack(packed, bytes).map_err(fault)?;
                    self.unpacked[index].get_or_init(|| bytes)
                }
            },
            None => self.range(view.buffer, view.byte_offset, view.byte_length).map_err(fault)?,
        };
        let stride = view.byte_stride.filter(|&stride| stride != 0).unwrap_or(item_size);
        if stride < item_size {
            return Err(fault(format!("items of {item_size} bytes have a stride of {stride}")));
        }
        Ok((bytes, stride))
    }

    /// Returns a part of a buffer.
    fn range(&self, buffer: usize, start: usize, length: usize) -> std::result::Result<&[u8], String> {
        match self.buffers.get(buffer) {
            None => Err(format!("buffer {buffer} does not exist")),
            Some(None) => Err(format!("buffer {buffer} has neither a URI nor a chunk of a GLB")),
            Some(Some(content)) => {
                slice(content, start, length).ok_or_else(|| format!("it lies outside buffer {buffer}"))
            }
        }
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

/// Charges an upper bound of the memory of the parsed JSON. `{},` is three bytes of text, but a
/// whole node.
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
    let path = relative(uri).ok_or_else(|| fault("its URI leads out of the folder of the file"))?;
    let Some(folder) = folder else { return Err(fault("it is in another file, and only one was given")) };
    let path = folder.join(path);
    let io = |error| Error::Io { path: path.clone(), error };
    let handle = std::fs::File::open(&path).map_err(io)?;
    let metadata = handle.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(fault("its URI does not name a file"));
    }
    let mut content = Vec::new();
    let length = metadata.len().min(buffer.byte_length as u64);
    budget.grow(length as usize);
    budget.charge(length as usize, 1, || place.to_owned())?;
    handle.take(length).read_to_end(&mut content).map_err(io)?;
    Ok(content)
}

/// Returns the path of a URI that names a file, relative to that of the document; `None` if it
/// leads out of its folder.
fn relative(uri: &str) -> Option<PathBuf> {
    let path = PathBuf::from(percent_decoded(uri));
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (is_inside && !uri.contains("://")).then_some(path)
}

/// Returns the paths of the buffers outside of a document, relative to its folder; none if it is
/// damaged, which [`Document::read`] reports.
pub(crate) fn external_buffers(bytes: &[u8]) -> Vec<PathBuf> {
    /// Only the URIs of a document; all else is skipped without taking memory.
    #[derive(serde::Deserialize)]
    struct Named {
        #[serde(default)]
        buffers: Vec<NamedBuffer>,
    }
    #[derive(serde::Deserialize)]
    struct NamedBuffer {
        uri: Option<String>,
    }
    let json = match bytes.starts_with(b"glTF") {
        true => chunks(bytes, "").map_or(&[][..], |(json, _)| json),
        false => bytes,
    };
    let Ok(Named { buffers }) = serde_json::from_slice(json) else { return Vec::new() };
    let uris = buffers.into_iter().filter_map(|buffer| buffer.uri);
    uris.filter(|uri| !uri.starts_with("data:")).filter_map(|uri| relative(&uri)).collect()
}

/// Returns the bytes of a base64 text; `None` if a character is invalid.
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

/// Returns a URI with `%20` and the like decoded; invalid codes stay.
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
