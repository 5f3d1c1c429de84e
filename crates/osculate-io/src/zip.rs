//! The members of a ZIP archive, stored or deflated, with 64-bit extensions.

use std::io::Read as _;

use crate::bytes::{Budget, slice, u16_at, u32_at, u64_at};
use crate::error::{Error, Result, malformed};

/// A member of the archive, from the directory at the end of the file.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    /// Offset of the local header.
    header: u64,
}

/// Returns the directory of the archive.
pub(crate) fn directory(bytes: &[u8], file: &str) -> Result<Vec<Member>> {
    let fault = |problem: &str| malformed(file, "archive", problem);
    let (mut at, count) =
        find_directory(bytes).ok_or_else(|| fault("there is no directory of a ZIP archive"))?;
    let mut members = Vec::new();
    // Each entry takes at least 46 bytes, so a false count runs into the end of the file.
    for i in 0..count {
        let entry = parse_entry(bytes, at);
        let (member, length) = entry.ok_or_else(|| {
            malformed(file, format!("byte {at}"), format!("entry {i} of the directory is damaged"))
        })?;
        members.push(member);
        at += length;
    }
    Ok(members)
}

/// Returns the offset of the directory and the number of its entries.
fn find_directory(bytes: &[u8]) -> Option<(usize, u64)> {
    // The end record has 22 bytes and a comment of at most 65,535.
    let first = bytes.len().saturating_sub(22 + 65_535);
    let last = bytes.len().checked_sub(22)?;
    let end = (first..=last).rev().find(|&at| slice(bytes, at, 4) == Some(b"PK\x05\x06"))?;
    let (count, offset) = (u16_at(bytes, end + 10)?, u32_at(bytes, end + 16)?);
    if count != u16::MAX && offset != u32::MAX {
        return Some((offset as usize, u64::from(count)));
    }
    let locator = end.checked_sub(20)?;
    if slice(bytes, locator, 4)? != b"PK\x06\x07" {
        return Some((offset as usize, u64::from(count)));
    }
    let end = usize::try_from(u64_at(bytes, locator + 8)?).ok()?;
    if slice(bytes, end, 4)? != b"PK\x06\x06" {
        return None;
    }
    Some((usize::try_from(u64_at(bytes, end.checked_add(48)?)?).ok()?, u64_at(bytes, end.checked_add(32)?)?))
}

/// Returns a member and the length of its entry in the directory.
fn parse_entry(bytes: &[u8], at: usize) -> Option<(Member, usize)> {
    let entry = bytes.get(at..)?;
    if slice(entry, 0, 4)? != b"PK\x01\x02" {
        return None;
    }
    let name_length = usize::from(u16_at(entry, 28)?);
    let extra_length = usize::from(u16_at(entry, 30)?);
    let comment_length = usize::from(u16_at(entry, 32)?);
    let name = String::from_utf8_lossy(slice(entry, 46, name_length)?).into_owned();
    let mut wide = [u32_at(entry, 24)?, u32_at(entry, 20)?, u32_at(entry, 42)?].map(u64::from);
    // Values that do not fit in 32 bits are in the extra field of kind 1, in this order.
    let mut extra = slice(entry, 46 + name_length, extra_length)?;
    while let (Some(kind), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let field = slice(extra, 4, usize::from(length))?;
        let needed = wide.iter_mut().filter(|value| **value == u64::from(u32::MAX));
        for (i, value) in needed.enumerate().take(if kind == 1 { 3 } else { 0 }) {
            *value = u64_at(field, 8 * i)?;
        }
        extra = extra.get(4 + usize::from(length)..)?;
    }
    let [size, packed, header] = wide;
    let member = Member { name, method: u16_at(entry, 10)?, crc: u32_at(entry, 16)?, packed, size, header };
    Some((member, 46 + name_length + extra_length + comment_length))
}

/// Returns the content of a member. Its size is checked before memory is allocated, its checksum
/// after.
pub(crate) fn extract(bytes: &[u8], member: &Member, file: &str, budget: &mut Budget) -> Result<Vec<u8>> {
    let place = || format!("member '{}'", member.name);
    let fault = |problem: &str| malformed(file, place(), problem);
    let packed = packed_bytes(bytes, member).ok_or_else(|| fault("its bytes are not in the file"))?;
    let size = usize::try_from(member.size).unwrap_or(usize::MAX);
    // Deflate compresses at most 258 bytes into two bits.
    if packed.len().saturating_mul(1032).saturating_add(1032) < size {
        return Err(fault("it is said to be larger than its packed bytes can be"));
    }
    budget.charge(size, 1, place)?;
    let content = match member.method {
        0 if packed.len() == size => packed.to_vec(),
        8 => {
            let mut content = vec![0; size];
            let mut decoder = flate2::read::DeflateDecoder::new(packed);
            decoder
                .read_exact(&mut content)
                .map_err(|error| fault(&format!("it cannot be inflated ({error})")))?;
            content
        }
        0 => return Err(fault("it is stored, but its two lengths differ")),
        method => {
            let what = format!("compression method {method} of {}", place());
            return Err(Error::Unsupported {
                file: file.to_owned(),
                what,
                advice: "store or deflate it".into(),
            });
        }
    };
    let mut crc = flate2::Crc::new();
    crc.update(&content);
    if crc.sum() != member.crc {
        return Err(fault("its checksum does not match; the file is damaged"));
    }
    Ok(content)
}

fn packed_bytes<'a>(bytes: &'a [u8], member: &Member) -> Option<&'a [u8]> {
    let local = bytes.get(usize::try_from(member.header).ok()?..)?;
    if slice(local, 0, 4)? != b"PK\x03\x04" {
        return None;
    }
    let start = 30 + usize::from(u16_at(local, 26)?) + usize::from(u16_at(local, 28)?);
    slice(local, start, usize::try_from(member.packed).ok()?)
}
