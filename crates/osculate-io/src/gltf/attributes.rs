//! The attributes and indices of a primitive, compressed or not.

use super::accessor::norm;
use super::document::Document;
use super::draco::{self, Unpacked};
use super::schema::Primitive as Source;
use crate::bytes::Budget;
use crate::error::{Result, malformed};

/// The source of a primitive's data.
pub(super) struct Attributes<'a, 'b> {
    document: &'a Document<'b>,
    source: &'a Source,
    place: &'a str,
    packed: Option<Unpacked<'a>>,
}

impl<'a, 'b> Attributes<'a, 'b> {
    /// Returns the attributes of a primitive, which `place` names in errors. If the file has the
    /// same data both compressed and uncompressed, the latter are used: they are exact.
    pub(super) fn new(
        document: &'a Document<'b>,
        source: &'a Source,
        place: &'a str,
        budget: &mut Budget,
    ) -> Result<Self> {
        let draco = source.extensions.as_ref().and_then(|extensions| extensions.draco.as_ref());
        let is_empty = |accessor: &usize| {
            let accessor = document.root.accessors.get(*accessor);
            accessor.is_some_and(|accessor| accessor.buffer_view.is_none() && accessor.sparse.is_none())
        };
        let is_needed = source.attributes.get("POSITION").is_some_and(is_empty)
            || source.indices.as_ref().is_some_and(is_empty);
        let packed = match draco.filter(|_| is_needed) {
            Some(draco) => Some(draco::unpack(document, draco, place, budget)?),
            None => None,
        };
        Ok(Self { document, source, place, packed })
    }

    /// Returns the numbers of an attribute; `None` if the primitive has none of that name.
    pub(super) fn numbers(
        &self,
        name: &str,
        kind: &str,
        width: usize,
        budget: &mut Budget,
    ) -> Result<Option<Vec<f64>>> {
        let Some(&accessor) = self.source.attributes.get(name) else { return Ok(None) };
        let fault = |problem: String| malformed(self.document.file, self.place, problem);
        if let Some(packed) = &self.packed
            && let Some(mut values) = packed.numbers(name, width, fault, budget)?
        {
            // Draco stores the integers; the accessor tells whether they are normalized.
            let (described, scalar, _) = self.document.describe(accessor, kind)?;
            if let Some(one) = norm(scalar).filter(|_| described.normalized) {
                values.iter_mut().for_each(|value| *value = (*value / one).max(-1.0));
            }
            return Ok(Some(values));
        }
        self.document.numbers(accessor, kind, budget).map(Some)
    }

    /// Returns the joints of an attribute; `None` if the primitive has none of that name.
    pub(super) fn joints(&self, name: &str, budget: &mut Budget) -> Result<Option<Vec<u32>>> {
        let Some(&accessor) = self.source.attributes.get(name) else { return Ok(None) };
        let fault = |problem: String| malformed(self.document.file, self.place, problem);
        if let Some(packed) = &self.packed
            && let Some(values) = packed.numbers(name, 4, fault, budget)?
        {
            budget.charge(values.len(), 4, || self.place.to_owned())?;
            return Ok(Some(values.into_iter().map(|value| value as u32).collect()));
        }
        self.document.indices(accessor, "VEC4", budget).map(Some)
    }

    /// Returns the indices of a primitive of `n` vertices, and its mode: compressed primitives are
    /// triangles.
    pub(super) fn indices(&self, n: usize, budget: &mut Budget) -> Result<(Vec<u32>, u32)> {
        if let Some(packed) = &self.packed {
            return Ok((packed.indices(), 4));
        }
        let indices = match self.source.indices {
            Some(accessor) => self.document.indices(accessor, "SCALAR", budget)?,
            None => {
                budget.charge(n, 4, || self.place.to_owned())?;
                let fault = || malformed(self.document.file, self.place, format!("it has {n} vertices"));
                (0..u32::try_from(n).map_err(|_| fault())?).collect()
            }
        };
        Ok((indices, self.source.mode.unwrap_or(4)))
    }
}
