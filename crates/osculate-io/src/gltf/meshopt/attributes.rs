//! Mode ATTRIBUTES: each byte of an element is stored as a difference from the previous element, in
//! columns.
//!
//! The stream is a version byte, blocks of at most 256 elements, and a tail: the element before the
//! first one and, from version 1 on, a mode for each four bytes (a channel). A block has, for each
//! byte of an element, the differences of all its elements in groups of 16, each packed with as few
//! bits as it needs.

use super::{Fault, finish, take};

/// Maximum number of elements in a block.
const MAX_BLOCK: usize = 256;

/// Packing of a column of a block: the bits of a difference, by the two-bit code of its group.
const WIDTHS: [[u32; 4]; 3] = [[0, 1, 2, 4], [1, 2, 4, 8], [0, 2, 4, 8]];

/// Returns `count` elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(packed: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let (is_new, mut body) = match packed {
        [0xa0, rest @ ..] => (false, rest),
        [0xa1, rest @ ..] => (true, rest),
        _ => return Err("its packed bytes do not start as those of attributes do".into()),
    };
    let (n_modes, padded) = if is_new { (stride / 4, 24) } else { (0, 32) };
    let tail_length = stride + n_modes;
    let start = body.len().checked_sub(tail_length.max(padded)).ok_or("its packed bytes have no tail")?;
    let tail = &body[body.len() - tail_length..];
    body = &body[..start];
    let (mut previous, modes) = (tail[..stride].to_vec(), &tail[stride..]);

    let mut out = vec![0; count * stride];
    let block_length = ((8192 / stride) & !15).min(MAX_BLOCK);
    for block in out.chunks_mut(block_length * stride) {
        let n = block.len() / stride;
        let controls = take(&mut body, n_modes)?;
        for channel in 0..stride / 4 {
            let mut columns = [[0; MAX_BLOCK]; 4];
            for (i, column) in columns.iter_mut().enumerate() {
                let control = controls.get(channel).map(|byte| byte >> (2 * i) & 3);
                read_column(&mut body, control, n, column)?;
            }
            let mode = modes.get(channel).copied().unwrap_or(0);
            let last = &mut previous[4 * channel..4 * channel + 4];
            let mut value = [last[0], last[1], last[2], last[3]];
            for (i, element) in block.chunks_exact_mut(stride).enumerate() {
                value = add(value, [columns[0][i], columns[1][i], columns[2][i], columns[3][i]], mode)?;
                element[4 * channel..4 * channel + 4].copy_from_slice(&value);
            }
            last.copy_from_slice(&value);
        }
    }
    finish(body)?;
    Ok(out)
}

/// Reads the differences of one byte of `n` elements. Without a `control` (version 0), the widths
/// of the groups come from a separate table.
fn read_column(
    body: &mut &[u8],
    control: Option<u8>,
    n: usize,
    column: &mut [u8; MAX_BLOCK],
) -> Result<(), Fault> {
    let widths = match control {
        Some(2) => return Ok(()),
        Some(3) => {
            column[..n].copy_from_slice(take(body, n)?);
            return Ok(());
        }
        Some(control) => &WIDTHS[usize::from(control)],
        None => &WIDTHS[2],
    };
    let n_groups = n.div_ceil(16);
    let header = take(body, n_groups.div_ceil(4))?;
    for (i, group) in column.chunks_exact_mut(16).take(n_groups).enumerate() {
        let bits = widths[usize::from(header[i / 4] >> (2 * (i % 4)) & 3)];
        match bits {
            0 => {}
            8 => group.copy_from_slice(take(body, 16)?),
            _ => read_group(body, bits, group)?,
        }
    }
    Ok(())
}

/// Reads 16 differences of 1, 2 or 4 bits. A difference with all bits set is replaced by a byte
/// behind the group.
fn read_group(body: &mut &[u8], bits: u32, group: &mut [u8]) -> Result<(), Fault> {
    let packed = take(body, 2 * bits as usize)?;
    let (mask, per_byte) = ((1u8 << bits) - 1, 8 / bits as usize);
    for (i, difference) in group.iter_mut().enumerate() {
        // Single bits are in the order of significance, all others in reading order.
        let place = if bits == 1 { i % 8 } else { per_byte - 1 - i % per_byte };
        *difference = packed[i / per_byte] >> (place * bits as usize) & mask;
        if *difference == mask {
            *difference = take(body, 1)?[0];
        }
    }
    Ok(())
}

/// Returns the four bytes that differ from `previous` according to the mode of their channel.
fn add(previous: [u8; 4], difference: [u8; 4], mode: u8) -> Result<[u8; 4], Fault> {
    match (mode & 15, mode >> 4) {
        (0, 0) => {
            let signed = difference.map(|d| (d >> 1) ^ 0u8.wrapping_sub(d & 1));
            Ok(std::array::from_fn(|i| previous[i].wrapping_add(signed[i])))
        }
        (1, 0) => {
            let half = |bytes: [u8; 4], i: usize| u16::from_le_bytes([bytes[i], bytes[i + 1]]);
            let sum = |i: usize| {
                let d = half(difference, i);
                half(previous, i).wrapping_add((d >> 1) ^ 0u16.wrapping_sub(d & 1)).to_le_bytes()
            };
            let (low, high) = (sum(0), sum(2));
            Ok([low[0], low[1], high[0], high[1]])
        }
        (2, rotation) => {
            let changed = u32::from_le_bytes(difference).rotate_right(u32::from(rotation));
            Ok((u32::from_le_bytes(previous) ^ changed).to_le_bytes())
        }
        _ => Err(format!("unknown mode {mode} of a channel")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn differences_of_four_bits() {
        let packed = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
        let (mut body, mut group) = (&packed[..], [0; 16]);
        read_group(&mut body, 4, &mut group).unwrap();
        assert!(body.is_empty());
        let decoded = group.map(|d| add([0; 4], [d, 0, 0, 0], 0).unwrap()[0] as i8);
        assert_eq!(decoded, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
    }

    #[test]
    fn modes_that_do_not_exist_are_refused() {
        for mode in [3, 15, 16, 0x11] {
            assert!(add([0; 4], [0; 4], mode).is_err());
        }
    }
}
