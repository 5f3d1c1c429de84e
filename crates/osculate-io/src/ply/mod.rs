//! Stanford PLY: text, and binary in both byte orders.
//!
//! Vertices are the scalar properties x, y and z of the element `vertex`, of any type; faces the
//! list `vertex_indices` or `vertex_index` of the element `face`. Everything else is skipped.
//! Polygons are cut into fans around their first corner, which is correct for convex ones.

mod header;

use crate::bytes::{Budget, Scalar, integer, slice};
use crate::error::{Result, malformed};
use crate::shape::Shape;
use header::{Element, Encoding, Header, Kind};

/// Returns the mesh in the bytes of a PLY file; `memory` is the user's memory limit, if any.
pub(crate) fn read(bytes: &[u8], name: &str, memory: Option<u64>) -> Result<Shape> {
    let header = header::parse(bytes, name)?;
    let mut budget = Budget::new(name, bytes.len(), memory);
    let mut body = Body { name, bytes, at: header.length, encoding: header.encoding };
    let mut shape = Shape::default();
    for element in &header.elements {
        body.check_count(element)?;
        match element.name.as_str() {
            "vertex" => read_vertices(&mut body, element, &mut budget, &mut shape)?,
            "face" => read_faces(&mut body, element, &header, &mut budget, &mut shape)?,
            _ => body.skip_rows(element)?,
        }
    }
    Ok(shape)
}

fn read_vertices(body: &mut Body, element: &Element, budget: &mut Budget, shape: &mut Shape) -> Result<()> {
    let mut axes = [0; 3];
    for (axis, index) in ["x", "y", "z"].iter().zip(&mut axes) {
        let found =
            element.properties.iter().position(|p| p.name == *axis && matches!(p.kind, Kind::Scalar(_)));
        *index = found.ok_or_else(|| {
            malformed(body.name, "element 'vertex'", format!("there is no scalar property '{axis}'"))
        })?;
    }
    budget.charge(element.count, size_of::<[f64; 3]>(), || format!("{} vertices", element.count))?;
    shape.positions.reserve_exact(element.count);
    for row in 0..element.count {
        let mut position = [0.0; 3];
        for (i, property) in element.properties.iter().enumerate() {
            match property.kind {
                Kind::Scalar(scalar) => {
                    let value = body.number(scalar, element, row)?;
                    if let Some(axis) = axes.iter().position(|&axis| axis == i) {
                        position[axis] = value;
                    }
                }
                Kind::List { .. } => body.skip(&property.kind, element, row)?,
            }
        }
        shape.positions.push(position);
    }
    Ok(())
}

fn read_faces(
    body: &mut Body,
    element: &Element,
    header: &Header,
    budget: &mut Budget,
    shape: &mut Shape,
) -> Result<()> {
    let n_vertices = header.elements.iter().find(|e| e.name == "vertex").map_or(0, |e| e.count);
    let is_corners = |name: &str| name == "vertex_indices" || name == "vertex_index";
    let corners = element
        .properties
        .iter()
        .position(|p| is_corners(&p.name) && matches!(p.kind, Kind::List { .. }))
        .ok_or_else(|| {
            malformed(body.name, "element 'face'", "there is no list property 'vertex_indices'")
        })?;
    let mut polygon = Vec::new();
    for row in 0..element.count {
        for (i, property) in element.properties.iter().enumerate() {
            let Kind::List { count, item } = property.kind else {
                body.skip(&property.kind, element, row)?;
                continue;
            };
            if i != corners {
                body.skip(&property.kind, element, row)?;
                continue;
            }
            polygon.clear();
            for _ in 0..body.list_length(count, item, element, row)? {
                let index = body.integer(item, element, row)?;
                if index < 0 || n_vertices as i64 <= index {
                    let problem = format!("vertex {index}, but there are {n_vertices} vertices");
                    return Err(malformed(body.name, body.place(element, row), problem));
                }
                polygon.push(index as u32);
            }
            shape.push_polygon(&polygon, budget)?;
        }
    }
    Ok(())
}

/// The data after the header, and the read position.
struct Body<'a> {
    name: &'a str,
    bytes: &'a [u8],
    at: usize,
    encoding: Encoding,
}

impl Body<'_> {
    fn place(&self, element: &Element, row: usize) -> String {
        format!("row {row} of element '{}' (byte {})", header::short(&element.name), self.at)
    }

    /// Fails if the rest of the file is too short for the number of rows.
    fn check_count(&self, element: &Element) -> Result<()> {
        let least = |kind: &Kind| match (self.encoding, kind) {
            (Encoding::Text, _) => 2,
            (_, Kind::Scalar(scalar) | Kind::List { count: scalar, .. }) => scalar.size(),
        };
        let row: usize = element.properties.iter().map(|p| least(&p.kind)).sum();
        // The last number of a text needs no separator.
        let left = self.bytes.len() - self.at + 1;
        if row.checked_mul(element.count).is_some_and(|needed| needed <= left) {
            return Ok(());
        }
        let problem = format!("{} rows do not fit in the {} bytes left of the file", element.count, left - 1);
        Err(malformed(self.name, format!("element '{}'", header::short(&element.name)), problem))
    }

    fn skip_rows(&mut self, element: &Element) -> Result<()> {
        // Rows without properties have no bytes, so any number of them is valid.
        if element.properties.is_empty() {
            return Ok(());
        }
        for row in 0..element.count {
            for property in &element.properties {
                self.skip(&property.kind, element, row)?;
            }
        }
        Ok(())
    }

    fn skip(&mut self, kind: &Kind, element: &Element, row: usize) -> Result<()> {
        match *kind {
            Kind::Scalar(scalar) => self.number(scalar, element, row).map(drop),
            Kind::List { count, item } => {
                for _ in 0..self.list_length(count, item, element, row)? {
                    self.number(item, element, row)?;
                }
                Ok(())
            }
        }
    }

    fn list_length(&mut self, count: Scalar, item: Scalar, element: &Element, row: usize) -> Result<usize> {
        let length = self.integer(count, element, row)?;
        let size = if self.encoding == Encoding::Text { 2 } else { item.size() };
        let fits = (self.bytes.len() - self.at + 1) / size;
        match usize::try_from(length) {
            Ok(length) if length <= fits => Ok(length),
            _ => {
                let problem = format!("a list of {length} values does not fit in the rest of the file");
                Err(malformed(self.name, self.place(element, row), problem))
            }
        }
    }

    fn number(&mut self, scalar: Scalar, element: &Element, row: usize) -> Result<f64> {
        match self.encoding {
            Encoding::Text => {
                let word = self.word(element, row)?;
                word.parse().map_err(|_| self.not_a_number(word, element, row))
            }
            Encoding::Binary { is_big_endian } => {
                Ok(scalar.to_f64(self.take(scalar, element, row)?, is_big_endian))
            }
        }
    }

    fn integer(&mut self, scalar: Scalar, element: &Element, row: usize) -> Result<i64> {
        match self.encoding {
            Encoding::Text => {
                let word = self.word(element, row)?;
                let value = word.parse().ok().or_else(|| word.parse().ok().and_then(integer));
                value.ok_or_else(|| self.not_a_number(word, element, row))
            }
            Encoding::Binary { is_big_endian } => {
                let value = scalar.to_integer(self.take(scalar, element, row)?, is_big_endian);
                value.ok_or_else(|| malformed(self.name, self.place(element, row), "the value is no integer"))
            }
        }
    }

    fn not_a_number(&self, word: &str, element: &Element, row: usize) -> crate::Error {
        let word: String = word.chars().take(40).collect();
        malformed(self.name, self.place(element, row), format!("'{word}' is no number of its type"))
    }
}

impl<'a> Body<'a> {
    fn take(&mut self, scalar: Scalar, element: &Element, row: usize) -> Result<&'a [u8]> {
        let bytes = slice(self.bytes, self.at, scalar.size())
            .ok_or_else(|| malformed(self.name, self.place(element, row), "the file ends here"))?;
        self.at += bytes.len();
        Ok(bytes)
    }

    /// Returns the next word of a text; line ends are whitespace.
    fn word(&mut self, element: &Element, row: usize) -> Result<&'a str> {
        let rest = &self.bytes[self.at..];
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        let word = std::str::from_utf8(&rest[start..start + length]).unwrap_or("?");
        if word.is_empty() {
            return Err(malformed(self.name, self.place(element, row), "the file ends here"));
        }
        self.at += start + length;
        Ok(word)
    }
}
