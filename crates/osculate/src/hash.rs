//! Hashing of numbers that the library itself chose, such as those of triangles and nodes: keys
//! that nobody can choose so that they collide need no strong hash.

use std::hash::{BuildHasherDefault, Hasher};

/// Hashes numbers by a multiplication each, several times as fast as the default.
pub(crate) type OfNumbers = BuildHasherDefault<NumberHasher>;

/// See [`OfNumbers`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let number = chunk.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
            self.write_u64(number);
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
