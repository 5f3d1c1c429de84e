//! Modes TRIANGLES and INDICES: indices as differences from earlier ones.

use super::{Fault, finish, take};

/// The latest 16 pushed items; items that were never pushed are an error.
struct Latest<T> {
    items: [T; 16],
    pushed: usize,
}

impl<T: Copy + Default> Latest<T> {
    fn new() -> Self {
        Self { items: [T::default(); 16], pushed: 0 }
    }

    fn push(&mut self, item: T) {
        self.items[self.pushed % 16] = item;
        self.pushed += 1;
    }

    /// Returns the item pushed `back` items before the last one.
    fn get(&self, back: u8) -> Result<T, Fault> {
        let back = usize::from(back);
        if 16 <= back || self.pushed <= back {
            return Err("it refers to corners before the first one".into());
        }
        Ok(self.items[(self.pushed - 1 - back) % 16])
    }
}

/// The state of a decoder of triangles.
struct Triangles<'a> {
    data: &'a [u8],
    /// The first unused index.
    next: u32,
    /// The last index stored as a difference.
    last: u32,
    edges: Latest<[u32; 2]>,
    vertices: Latest<u32>,
}

/// Returns `count` corners of triangles, a multiple of three, as indices of `stride` bytes.
pub(super) fn decode_triangles(packed: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let [0xe1, rest @ ..] = packed else {
        return Err("its packed bytes do not start as those of triangles do".into());
    };
    let tail = rest.len().checked_sub(16).ok_or("its packed bytes have no tail")?;
    let (mut data, table) = rest.split_at(tail);
    let codes = take(&mut data, count / 3)?;
    let (next, last) = (0, 0);
    let mut state = Triangles { data, next, last, edges: Latest::new(), vertices: Latest::new() };
    let mut out = Vec::with_capacity(count * stride);
    for &code in codes {
        let triangle = state.triangle(code, table)?;
        triangle.into_iter().for_each(|index| out.extend_from_slice(&index.to_le_bytes()[..stride]));
    }
    finish(state.data)?;
    Ok(out)
}

impl Triangles<'_> {
    /// Returns the triangle of a code: an edge and a third vertex, or three vertices.
    fn triangle(&mut self, code: u8, table: &[u8]) -> Result<[u32; 3], Fault> {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let [a, b] = self.edges.get(high)?;
            let c = match low {
                0 => self.new_vertex(),
                1..=12 => self.vertices.get(low)?,
                13 | 14 => {
                    self.last = if low == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                    self.last
                }
                _ => self.difference()?,
            };
            self.edges.push([c, b]);
            self.edges.push([a, c]);
            if low == 0 || 12 < low {
                self.vertices.push(c);
            }
            return Ok([a, b, c]);
        }
        // How b and c are stored: 0 is a new vertex, 15 a difference, otherwise one of the latest.
        let how = if low < 14 { table[usize::from(low)] } else { take(&mut self.data, 1)?[0] };
        if 14 <= low && how == 0 {
            self.next = 0;
        }
        let a = if low == 15 { self.difference()? } else { self.new_vertex() };
        let b = self.vertex(how >> 4)?;
        let c = self.vertex(how & 15)?;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        self.vertices.push(a);
        for (vertex, how) in [(b, how >> 4), (c, how & 15)] {
            if how == 0 || how == 15 {
                self.vertices.push(vertex);
            }
        }
        Ok([a, b, c])
    }

    fn vertex(&mut self, how: u8) -> Result<u32, Fault> {
        match how {
            0 => Ok(self.new_vertex()),
            15 => self.difference(),
            _ => self.vertices.get(how - 1),
        }
    }

    fn new_vertex(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next.wrapping_sub(1)
    }

    fn difference(&mut self) -> Result<u32, Fault> {
        let value = varint(&mut self.data)?;
        self.last = self.last.wrapping_add((value >> 1) ^ 0u32.wrapping_sub(value & 1));
        Ok(self.last)
    }
}

/// Returns `count` indices of `stride` bytes. Each is stored as a difference from one of two
/// others.
pub(super) fn decode_sequence(packed: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let [0xd1, rest @ ..] = packed else {
        return Err("its packed bytes do not start as those of indices do".into());
    };
    let tail = rest.len().checked_sub(4).ok_or("its packed bytes have no tail")?;
    let mut data = &rest[..tail];
    let mut last = [0u32; 2];
    // Each index takes at least a byte.
    if data.len() < count {
        return Err("its packed bytes end too early".into());
    }
    let mut out = Vec::with_capacity(count * stride);
    for _ in 0..count {
        let value = varint(&mut data)?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add((value >> 2) ^ 0u32.wrapping_sub(value >> 1 & 1));
        out.extend_from_slice(&last.to_le_bytes()[..stride]);
    }
    finish(data)?;
    Ok(out)
}

/// Reads a number in groups of seven bits, the least significant first; the last one has no bit 7.
fn varint(data: &mut &[u8]) -> Result<u32, Fault> {
    let mut value = 0u32;
    for shift in [0, 7, 14, 21, 28] {
        let byte = take(data, 1)?[0];
        value |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err("a number has more than 5 bytes".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the specification.
    #[test]
    fn numbers_of_several_bytes() {
        for (bytes, expected) in
            [(&[0x7f][..], 0x7f), (&[0x81, 0x04], 0x201), (&[0xff, 0xa0, 0x05], 0x1_5000 | 0x7f)]
        {
            assert_eq!(varint(&mut &bytes[..]), Ok(expected));
        }
        assert!(varint(&mut &[0xff; 5][..]).is_err());
    }

    #[test]
    fn what_was_never_pushed_is_refused() {
        let mut latest = Latest::new();
        assert!(latest.get(0).is_err());
        (1..=20).for_each(|item| latest.push(item));
        assert_eq!((latest.get(0), latest.get(15)), (Ok(20), Ok(5)));
        assert!(latest.get(16).is_err());
    }
}
