//! One NumPy array: its header and its values.

use crate::bytes::{Budget, Scalar, slice, u16_at, u32_at};
use crate::error::{Result, malformed};

/// Maximum accepted header length in bytes. NumPy itself rejects more than 10,000.
const MAX_HEADER: usize = 1 << 16;

/// The element type of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Number(Scalar),
    /// Texts of this many UTF-32 characters.
    Text(usize),
}

/// An array in C order, in the bytes of its file.
#[derive(Debug)]
pub(super) struct Array {
    /// For error messages such as "array 'faces' of x.npz".
    file: String,
    name: String,
    kind: Kind,
    is_big_endian: bool,
    shape: Vec<usize>,
    bytes: Vec<u8>,
    start: usize,
}

impl Array {
    /// Returns the array in the bytes of an .npy file. Arrays in Fortran order are converted to C
    /// order.
    pub(super) fn parse(bytes: Vec<u8>, name: &str, file: &str, budget: &mut Budget) -> Result<Self> {
        let fault = |problem: String| malformed(file, format!("array '{name}'"), problem);
        let (header, start) = header(&bytes).ok_or_else(|| fault("its header is damaged".into()))?;
        let descr = value_of(&header, "descr").unwrap_or_default().trim_matches(['\'', '"']);
        let short: String = descr.chars().take(40).collect();
        let (kind, is_big_endian) = parse_kind(descr)
            .ok_or_else(|| fault(format!("values of type \"{short}\" are not supported")))?;
        let shape = value_of(&header, "shape").and_then(parse_shape);
        let shape = shape.ok_or_else(|| fault("its header has no shape".into()))?;
        let mut array =
            Self { file: file.into(), name: name.into(), kind, is_big_endian, shape, bytes, start };
        let n = array.shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(extent));
        let found = array.bytes.len() - start;
        if n.and_then(|n| n.checked_mul(array.item_size())) != Some(found) {
            let shape = &array.shape;
            return Err(fault(format!("shape {shape:?} of \"{descr}\" does not fit its {found} bytes")));
        }
        match value_of(&header, "fortran_order") {
            Some("False") => {}
            Some("True") => array.transpose(budget)?,
            _ => return Err(fault("its header has no fortran_order".into())),
        }
        Ok(array)
    }

    fn item_size(&self) -> usize {
        match self.kind {
            Kind::Number(scalar) => scalar.size(),
            Kind::Text(n) => 4 * n,
        }
    }

    /// Converts the values from Fortran order (first index fastest) to C order (last index
    /// fastest).
    fn transpose(&mut self, budget: &mut Budget) -> Result<()> {
        let size = self.item_size();
        let old = &self.bytes[self.start..];
        budget.charge(old.len(), 1, || format!("array '{}' in C order", self.name))?;
        let mut new = Vec::with_capacity(old.len());
        let mut index = vec![0; self.shape.len()];
        while new.len() < old.len() {
            let at = index.iter().zip(&self.shape).rev().fold(0, |at, (&i, &extent)| at * extent + i);
            new.extend_from_slice(&old[at * size..(at + 1) * size]);
            for (i, &extent) in index.iter_mut().zip(&self.shape).rev() {
                *i += 1;
                if *i < extent {
                    break;
                }
                *i = 0;
            }
        }
        (self.bytes, self.start) = (new, 0);
        Ok(())
    }

    pub(super) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns an error that names this array.
    pub(super) fn fault(&self, problem: impl Into<String>) -> crate::Error {
        malformed(&self.file, format!("array '{}'", self.name), problem)
    }

    /// Returns an error unless the array has the given extents; `None` matches any.
    pub(super) fn check_shape(&self, extents: &[Option<usize>]) -> Result<()> {
        let fits = |(&found, &wanted): (&usize, &Option<usize>)| wanted.is_none_or(|wanted| wanted == found);
        if self.shape.len() == extents.len() && self.shape.iter().zip(extents).all(fits) {
            return Ok(());
        }
        let wanted: Vec<String> = extents.iter().map(|e| e.map_or("any".into(), |e| e.to_string())).collect();
        Err(self.fault(format!("its shape is {:?}, but must be [{}]", self.shape, wanted.join(", "))))
    }

    /// Returns an error unless the array has numbers, as [`Self::for_each`] requires.
    pub(super) fn check_numbers(&self) -> Result<()> {
        self.scalar().map(drop).ok_or_else(|| self.fault("it holds no numbers"))
    }

    fn scalar(&self) -> Option<Scalar> {
        match self.kind {
            Kind::Number(scalar) => Some(scalar),
            Kind::Text(_) => None,
        }
    }

    fn items(&self, first: usize, n: usize) -> std::slice::ChunksExact<'_, u8> {
        let size = self.item_size().max(1);
        let start = first.saturating_mul(size).saturating_add(self.start);
        slice(&self.bytes, start, n.saturating_mul(size)).unwrap_or(&[]).chunks_exact(size)
    }

    /// Calls `push` with each group of `N` values from the `first` on, `n` groups in all.
    pub(super) fn for_each<const N: usize>(&self, first: usize, n: usize, push: impl FnMut([f64; N])) {
        let Some(scalar) = self.scalar() else { return };
        let items = self.items(first, n.saturating_mul(N));
        // The common types have their own loops, without a branch for each value.
        match (scalar, self.is_big_endian) {
            (Scalar::F32, false) => in_groups(items.map(|item| Scalar::F32.to_f64(item, false)), n, push),
            (Scalar::F64, false) => in_groups(items.map(|item| Scalar::F64.to_f64(item, false)), n, push),
            (_, is_big_endian) => in_groups(items.map(|item| scalar.to_f64(item, is_big_endian)), n, push),
        }
    }

    /// Returns all values as f64.
    pub(super) fn to_f64(&self, budget: &mut Budget) -> Result<Vec<f64>> {
        self.check_numbers()?;
        let n = self.shape.iter().product();
        budget.charge(n, 8, || format!("array '{}'", self.name))?;
        let mut values = Vec::with_capacity(n);
        self.for_each(0, n, |[value]| values.push(value));
        Ok(values)
    }

    /// Returns all values as integers; an error for arrays of another type.
    pub(super) fn to_integers(&self, budget: &mut Budget) -> Result<Vec<i64>> {
        let scalar = self.scalar().filter(|scalar| !scalar.is_float());
        let scalar = scalar.ok_or_else(|| self.fault("its values are not integers"))?;
        let n = self.shape.iter().product();
        budget.charge(n, 8, || format!("array '{}'", self.name))?;
        let mut values = Vec::with_capacity(n);
        for (i, item) in self.items(0, n).enumerate() {
            let value = scalar.to_integer(item, self.is_big_endian);
            values.push(value.ok_or_else(|| self.fault(format!("value {i} is too large")))?);
        }
        Ok(values)
    }

    /// Returns all values as texts; an error for arrays of numbers. Invalid characters become
    /// U+FFFD.
    pub(super) fn to_texts(&self, budget: &mut Budget) -> Result<Vec<String>> {
        if let Kind::Number(_) = self.kind {
            return Err(self.fault("it holds no texts"));
        }
        let n: usize = self.shape.iter().product();
        budget.charge(n, size_of::<String>() + self.item_size(), || format!("array '{}'", self.name))?;
        if self.item_size() == 0 {
            return Ok(vec![String::new(); n]);
        }
        let decode = |item: &[u8]| -> String {
            let codes = item.chunks_exact(4).map(|code| Scalar::U32.to_f64(code, self.is_big_endian) as u32);
            codes
                .take_while(|&code| code != 0)
                .map(|code| char::from_u32(code).unwrap_or('\u{fffd}'))
                .collect()
        };
        Ok(self.items(0, n).map(decode).collect())
    }
}

/// Calls `push` with `n` groups of values; missing values are NaN.
fn in_groups<const N: usize>(
    mut values: impl Iterator<Item = f64>,
    n: usize,
    mut push: impl FnMut([f64; N]),
) {
    for _ in 0..n {
        push(std::array::from_fn(|_| values.next().unwrap_or(f64::NAN)));
    }
}

/// Returns the text of the header and the offset of the values.
fn header(bytes: &[u8]) -> Option<(String, usize)> {
    if slice(bytes, 0, 6)? != b"\x93NUMPY" {
        return None;
    }
    let (start, length) = match bytes.get(6)? {
        1 => (10, usize::from(u16_at(bytes, 8)?)),
        2 | 3 => (12, u32_at(bytes, 8)? as usize),
        _ => return None,
    };
    let text = slice(bytes, start, length).filter(|text| text.len() <= MAX_HEADER)?;
    Some((String::from_utf8_lossy(text).into_owned(), start + length))
}

/// Returns the text of a key's value in a Python dictionary such as
/// `{'descr': '<f4', 'shape': (3, 4), }`.
fn value_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let start = [format!("'{key}':"), format!("\"{key}\":")]
        .iter()
        .find_map(|key| header.find(key.as_str()).map(|at| at + key.len()))?;
    let value = header[start..].trim_start();
    let end = match value.as_bytes().first()? {
        b'(' => value.find(')')? + 1,
        &quote @ (b'\'' | b'"') => value[1..].find(quote as char)? + 2,
        b'[' => value.find(']')? + 1,
        _ => value.find([',', '}'])?,
    };
    Some(value[..end].trim())
}

fn parse_shape(text: &str) -> Option<Vec<usize>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let extents = inner.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    // NumPy has at most 64 dimensions.
    extents
        .map(|extent| extent.trim_end_matches('L').parse().ok())
        .take(65)
        .collect::<Option<Vec<_>>>()
        .filter(|s| s.len() <= 64)
}

fn parse_kind(descr: &str) -> Option<(Kind, bool)> {
    let is_big_endian = descr.starts_with('>');
    let code = descr.trim_start_matches(['<', '>', '|', '=']);
    let kind = match code {
        "i1" => Scalar::I8,
        "u1" | "b1" => Scalar::U8,
        "i2" => Scalar::I16,
        "u2" => Scalar::U16,
        "i4" => Scalar::I32,
        "u4" => Scalar::U32,
        "i8" => Scalar::I64,
        "u8" => Scalar::U64,
        "f2" => Scalar::F16,
        "f4" => Scalar::F32,
        "f8" => Scalar::F64,
        _ => {
            let n: u32 = code.strip_prefix('U')?.parse().ok()?;
            return Some((Kind::Text(usize::try_from(n).ok().filter(|&n| n <= 1 << 20)?), is_big_endian));
        }
    };
    Some((Kind::Number(kind), is_big_endian))
}
