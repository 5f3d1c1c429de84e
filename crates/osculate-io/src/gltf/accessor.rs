//! The values of accessors: any component type, normalized or not, strided, sparse, or all zero.

use super::document::Document;
use super::schema::{Accessor, Sparse};
use crate::bytes::{Budget, Scalar, slice};
use crate::error::{Error, Result, malformed};

impl Document<'_> {
    /// Returns the values of an accessor; `kind` is one of "SCALAR", "VEC3", "VEC4" and "MAT4".
    ///
    /// Normalized integers become fractions: unsigned ones in [0, 1], signed ones in [-1, 1].
    pub(super) fn numbers(&self, index: usize, kind: &str, budget: &mut Budget) -> Result<Vec<f64>> {
        let (accessor, scalar, width) = self.describe(index, kind)?;
        let fault = |problem: String| malformed(self.file, format!("accessor {index}"), problem);
        let n = accessor.count.saturating_mul(width);
        budget.charge(n, 8, || format!("accessor {index}"))?;
        let scale = if accessor.normalized { norm(scalar) } else { None };
        let to_f64 = |bytes: &[u8]| {
            let value = scalar.to_f64(bytes, false);
            scale.map_or(value, |scale| (value / scale).max(-1.0))
        };
        let size = scalar.size();
        let mut values = Vec::with_capacity(n);
        match accessor.buffer_view {
            None => values.resize(n, 0.0),
            Some(view) => {
                let (bytes, stride) = self.view(view, size * width, budget)?;
                for i in 0..accessor.count {
                    let at = stride.checked_mul(i).and_then(|at| at.checked_add(accessor.byte_offset));
                    let item = at.and_then(|at| slice(bytes, at, size * width));
                    let item = item.ok_or_else(|| {
                        fault(format!("value {i} of {} lies outside buffer view {view}", accessor.count))
                    })?;
                    values.extend(item.chunks_exact(size).map(to_f64));
                }
            }
        }
        if let Some(sparse) = &accessor.sparse {
            let rows = self.sparse_rows(sparse, accessor.count, &fault, budget)?;
            let (bytes, _) = self.view(sparse.values.buffer_view, size * width, budget)?;
            for (i, row) in rows.into_iter().enumerate() {
                let at =
                    (size * width).checked_mul(i).and_then(|at| at.checked_add(sparse.values.byte_offset));
                let item = at.and_then(|at| slice(bytes, at, size * width));
                let item =
                    item.ok_or_else(|| fault(format!("sparse value {i} lies outside its buffer view")))?;
                let values = &mut values[row * width..(row + 1) * width];
                values
                    .iter_mut()
                    .zip(item.chunks_exact(size))
                    .for_each(|(value, bytes)| *value = to_f64(bytes));
            }
        }
        Ok(values)
    }

    /// Returns the values of an accessor of non-negative integers, such as indices and joints.
    pub(super) fn indices(&self, index: usize, kind: &str, budget: &mut Budget) -> Result<Vec<u32>> {
        let (accessor, scalar, _) = self.describe(index, kind)?;
        if accessor.normalized || !matches!(scalar, Scalar::U8 | Scalar::U16 | Scalar::U32) {
            let problem = "its values must be unsigned integers, not normalized";
            return Err(malformed(self.file, format!("accessor {index}"), problem));
        }
        // Every u32 is exact in f64.
        let values = self.numbers(index, kind, budget)?;
        budget.charge(values.len(), 4, || format!("accessor {index}"))?;
        Ok(values.into_iter().map(|value| value as u32).collect())
    }

    /// Returns vectors of three.
    pub(super) fn points(&self, index: usize, budget: &mut Budget) -> Result<Vec<[f64; 3]>> {
        let values = self.numbers(index, "VEC3", budget)?;
        budget.charge(values.len(), 8, || format!("accessor {index}"))?;
        Ok(values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect())
    }

    pub(super) fn describe(&self, index: usize, kind: &str) -> Result<(&Accessor, Scalar, usize)> {
        let fault = |problem: String| malformed(self.file, format!("accessor {index}"), problem);
        let n = self.root.accessors.len();
        let accessor = self.root.accessors.get(index).ok_or_else(|| fault(format!("there are only {n}")))?;
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        if accessor.kind != kind {
            let found: String = accessor.kind.chars().take(20).collect();
            return Err(fault(format!("its type is {found}, but must be {kind}")));
        }
        let scalar = component(accessor.component_type);
        let scalar =
            scalar.ok_or_else(|| fault(format!("unknown component type {}", accessor.component_type)))?;
        Ok((accessor, scalar, width))
    }

    /// Returns the rows that the sparse values replace; `fault` makes an error of the accessor.
    fn sparse_rows(
        &self,
        sparse: &Sparse,
        n_rows: usize,
        fault: &dyn Fn(String) -> Error,
        budget: &mut Budget,
    ) -> Result<Vec<usize>> {
        let part = &sparse.indices;
        let scalar = component(part.component_type).filter(|scalar| !scalar.is_float());
        let scalar = scalar.ok_or_else(|| fault("its sparse indices are no integers".into()))?;
        if n_rows < sparse.count {
            return Err(fault(format!("{} sparse values for {n_rows}", sparse.count)));
        }
        let (bytes, _) = self.view(part.buffer_view, scalar.size(), budget)?;
        let bytes = slice(bytes, part.byte_offset, scalar.size().saturating_mul(sparse.count));
        let bytes = bytes.ok_or_else(|| fault("its sparse indices lie outside their buffer view".into()))?;
        let row = |item: &[u8]| {
            let row = scalar.to_integer(item, false).and_then(|row| usize::try_from(row).ok());
            let row = row.filter(|&row| row < n_rows);
            row.ok_or_else(|| fault(format!("a sparse index is beyond its {n_rows} values")))
        };
        budget.charge(sparse.count, size_of::<usize>(), || "sparse indices".into())?;
        bytes.chunks_exact(scalar.size()).map(row).collect()
    }
}

fn component(code: u32) -> Option<Scalar> {
    Some(match code {
        5120 => Scalar::I8,
        5121 => Scalar::U8,
        5122 => Scalar::I16,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        5126 => Scalar::F32,
        _ => return None,
    })
}

/// Returns the integer that represents 1 in normalized integers.
pub(super) fn norm(scalar: Scalar) -> Option<f64> {
    match scalar {
        Scalar::I8 => Some(127.0),
        Scalar::U8 => Some(255.0),
        Scalar::I16 => Some(32767.0),
        Scalar::U16 => Some(65535.0),
        _ => None,
    }
}
