//! Checked reading of numbers, and the memory budget.

use std::path::Path;

use crate::error::{Error, Result};

/// Memory budget of any file, however small, in bytes: 512 MB. Small files may expand a lot if they
/// instance a mesh many times or name many equal values; any machine has this much, and a file with
/// false lengths is rejected within about a second.
const FREE_BYTES: u64 = 512 << 20;
/// Additional budget for each byte of the file. Arrays of indices often deflate to a tenth.
const BYTES_PER_BYTE: u64 = 20;
/// The sum of all charges, including returned ones, is at most this many times the limit. Real
/// files return about twice what they keep.
const TURNS: u64 = 4;

/// The remaining memory budget for reading one file. Readers charge it before they allocate, and
/// return temporary memory.
#[derive(Debug)]
pub(crate) struct Budget {
    file: String,
    /// Whether the user has set the limit; otherwise further files raise it.
    is_fixed: bool,
    limit: u64,
    left: u64,
    /// The part of the charges that [`Self::release`] does not return.
    pinned: u64,
    /// Sum of all charges, returned or not: bounds the work on a file that repeats the same work.
    charged: u64,
}

/// A state of a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    left: u64,
    pinned: u64,
}

impl Budget {
    /// Returns the budget of a file of `size` bytes: the user's limit, or 512 MB plus 20 times the
    /// size.
    pub(crate) fn new(file: &str, size: usize, memory: Option<u64>) -> Self {
        let limit = memory.unwrap_or(FREE_BYTES);
        let is_fixed = memory.is_some();
        let mut budget = Self { file: file.to_owned(), is_fixed, limit, left: limit, pinned: 0, charged: 0 };
        budget.grow(size);
        budget
    }

    /// Adds the budget of a further file of `size` bytes, such as an external buffer.
    pub(crate) fn grow(&mut self, size: usize) {
        if !self.is_fixed {
            let more = (size as u64).saturating_mul(BYTES_PER_BYTE);
            self.limit = self.limit.saturating_add(more);
            self.left = self.left.saturating_add(more);
        }
    }

    /// Returns the number of bytes that may still be charged.
    pub(crate) fn left(&self) -> u64 {
        self.left.min(self.limit.saturating_mul(TURNS).saturating_sub(self.charged))
    }

    /// Charges the memory of `n` values of `size` bytes for `what`.
    pub(crate) fn charge(&mut self, n: usize, size: usize, what: impl FnOnce() -> String) -> Result<()> {
        let needed = (n as u64).saturating_mul(size as u64);
        if self.left() < needed {
            return Err(self.exceeded(needed, what()));
        }
        self.left -= needed;
        self.charged += needed;
        Ok(())
    }

    /// Charges memory that is returned at once, or work: it counts towards the sum of all charges.
    pub(crate) fn work(&mut self, n: usize, size: usize, what: impl FnOnce() -> String) -> Result<()> {
        self.charge(n, size, what)?;
        self.give_back((n as u64).saturating_mul(size as u64));
        Ok(())
    }

    /// Charges memory that is kept until the end of reading.
    pub(crate) fn pin(&mut self, n: usize, size: usize, what: impl FnOnce() -> String) -> Result<()> {
        self.charge(n, size, what)?;
        self.pinned += (n as u64).saturating_mul(size as u64);
        Ok(())
    }

    /// Returns the error for a charge of `needed` bytes.
    pub(crate) fn exceeded(&self, needed: u64, what: String) -> Error {
        Error::TooLarge { file: self.file.clone(), what, needed, left: self.left(), limit: self.limit }
    }

    /// Returns the current state, for [`Self::release`].
    pub(crate) fn mark(&self) -> Mark {
        Mark { left: self.left, pinned: self.pinned }
    }

    /// Returns all memory charged since `mark`, except pinned memory.
    pub(crate) fn release(&mut self, mark: Mark) {
        self.left = mark.left.saturating_sub(self.pinned - mark.pinned).max(self.left);
    }

    /// Returns the number of bytes charged since `mark`, without returned and pinned bytes.
    pub(crate) fn since(&self, mark: Mark) -> u64 {
        mark.left.saturating_sub(self.left).saturating_sub(self.pinned - mark.pinned)
    }

    /// Charges again what was charged before and released together with other memory.
    pub(crate) fn keep(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// Returns `bytes` that were charged.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        self.left = self.left.saturating_add(bytes).min(self.limit);
    }
}

/// The types of numbers that occur in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl Scalar {
    /// Returns the number of bytes of a value.
    pub(crate) fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// Returns whether values are floating-point numbers.
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// Returns the value in `bytes`, which must have [`Self::size`] bytes. 64-bit integers are
    /// rounded.
    pub(crate) fn to_f64(self, bytes: &[u8], is_big_endian: bool) -> f64 {
        let word = word(bytes, is_big_endian);
        match self {
            Scalar::I8 => f64::from(word as i8),
            Scalar::U8 => f64::from(word as u8),
            Scalar::I16 => f64::from(word as i16),
            Scalar::U16 => f64::from(word as u16),
            Scalar::I32 => f64::from(word as i32),
            Scalar::U32 => f64::from(word as u32),
            Scalar::I64 => word as i64 as f64,
            Scalar::U64 => word as f64,
            Scalar::F16 => half(word as u16),
            Scalar::F32 => f64::from(f32::from_bits(word as u32)),
            Scalar::F64 => f64::from_bits(word),
        }
    }

    /// Returns the integer in `bytes`; `None` for fractions, non-finite values and values beyond
    /// i64.
    pub(crate) fn to_integer(self, bytes: &[u8], is_big_endian: bool) -> Option<i64> {
        match self {
            Scalar::I64 => Some(word(bytes, is_big_endian) as i64),
            Scalar::U64 => i64::try_from(word(bytes, is_big_endian)).ok(),
            _ => integer(self.to_f64(bytes, is_big_endian)),
        }
    }
}

/// Returns `value` as an integer; `None` if it is not one that f64 represents exactly.
pub(crate) fn integer(value: f64) -> Option<i64> {
    (value.abs() <= 9e15 && value.fract() == 0.0).then_some(value as i64)
}

/// Returns 1, 2, 4 or 8 bytes as an unsigned number, and 0 for any other length.
fn word(bytes: &[u8], is_big_endian: bool) -> u64 {
    let little = match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    };
    if is_big_endian { little.swap_bytes() >> (64 - 8 * bytes.len().clamp(1, 8)) } else { little }
}

/// Returns the value of a half-precision number.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match (bits >> 10) & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    sign * magnitude
}

/// Returns `n` bytes from `at`, or `None` if there are fewer.
pub(crate) fn slice(bytes: &[u8], at: usize, n: usize) -> Option<&[u8]> {
    bytes.get(at..at.checked_add(n)?)
}

/// Returns the little-endian u16 at byte `at`.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(slice(bytes, at, 2)?.try_into().ok()?))
}

/// Returns the little-endian u32 at byte `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(slice(bytes, at, 4)?.try_into().ok()?))
}

/// Returns the little-endian u64 at byte `at`.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(slice(bytes, at, 8)?.try_into().ok()?))
}

/// Returns the content of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::Io { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_type_in_both_orders() {
        let cases = [
            (Scalar::I8, vec![0xfe], -2.0),
            (Scalar::U8, vec![0xfe], 254.0),
            (Scalar::I16, vec![0xfe, 0xff], -2.0),
            (Scalar::U16, vec![1, 2], 513.0),
            (Scalar::I32, (-70_000i32).to_le_bytes().to_vec(), -70_000.0),
            (Scalar::U32, u32::MAX.to_le_bytes().to_vec(), 4_294_967_295.0),
            (Scalar::I64, (-3i64).to_le_bytes().to_vec(), -3.0),
            (Scalar::U64, 5u64.to_le_bytes().to_vec(), 5.0),
            (Scalar::F16, vec![0x00, 0xc1], -2.5),
            (Scalar::F16, vec![0x01, 0x00], 2f64.powi(-24)),
            (Scalar::F32, 0.5f32.to_le_bytes().to_vec(), 0.5),
            (Scalar::F64, (-0.1f64).to_le_bytes().to_vec(), -0.1),
        ];
        for (scalar, mut bytes, value) in cases {
            assert_eq!(scalar.size(), bytes.len());
            assert_eq!(scalar.to_f64(&bytes, false), value, "{scalar:?}");
            bytes.reverse();
            assert_eq!(scalar.to_f64(&bytes, true), value, "{scalar:?} big-endian");
        }
        assert_eq!(Scalar::U64.to_integer(&[0xff; 8], false), None);
        assert_eq!(Scalar::F32.to_integer(&1.5f32.to_le_bytes(), false), None);
        assert_eq!(Scalar::F32.to_integer(&f32::NAN.to_le_bytes(), false), None);
        assert!(Scalar::F16.to_f64(&[0x01, 0x7c], false).is_nan());
    }

    #[test]
    fn budget_counts_what_is_kept_and_bounds_the_work() {
        let mut budget = Budget::new("a.npz", 10, None);
        assert!(budget.charge(512 << 20, 1, String::new).is_ok());
        let error = budget.charge(usize::MAX, 8, || "array 'x'".into()).unwrap_err();
        assert!(error.to_string().starts_with("a.npz: array 'x' would take"), "{error}");
        assert!(error.to_string().contains("--memory"), "{error}");

        let mut budget = Budget::new("a.npz", 10, Some(100));
        for _ in 0..3 {
            let mark = budget.mark();
            budget.charge(90, 1, String::new).unwrap();
            budget.pin(2, 1, String::new).unwrap();
            budget.release(mark);
        }
        assert_eq!(budget.left(), 94);
        budget.charge(94, 1, String::new).unwrap();
        budget.give_back(94);
        // 370 bytes were charged in all, of 400.
        assert_eq!(budget.left(), 30);
        assert!(budget.charge(31, 1, String::new).is_err());
    }
}
