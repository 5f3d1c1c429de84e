//! Wavefront OBJ: the lines `v`, `f`, `o` and `g`; all others are skipped.
//!
//! Vertices keep their numbers, used or not. Each `o`, or each `g` in a file without `o`, is an
//! object with the vertices of its faces; objects that share a vertex are merged, with the name of
//! the first.

use std::borrow::Cow;

use crate::bytes::Budget;
use crate::error::{Result, malformed};
use crate::shape::Shape;

/// Returns the mesh in the bytes of an OBJ file; `memory` is the user's memory limit, if any.
pub(crate) fn read(bytes: &[u8], name: &str, memory: Option<u64>) -> Result<Shape> {
    let mut budget = Budget::new(name, bytes.len(), memory);
    let mut shape = Shape::default();
    let mut polygon = Vec::new();
    // The greatest corner and its line: a face may refer to later vertices.
    let mut greatest = (0, 0);
    let mut names = [Vec::new(), Vec::new()];
    // For each triangle, the latest `o` and `g` before it, counted from 1.
    let mut owners: Vec<[u32; 2]> = Vec::new();
    for (number, line) in (Lines { bytes, line: 0 }) {
        let fault = |problem: String| malformed(name, format!("line {number}"), problem);
        let text = String::from_utf8_lossy(&line);
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut position = [0.0; 3];
                for coordinate in &mut position {
                    let word =
                        words.next().ok_or_else(|| fault("a vertex needs three coordinates".into()))?;
                    *coordinate =
                        word.parse().map_err(|_| fault(format!("'{}' is no number", short(word))))?;
                }
                budget.charge(1, 2 * size_of::<[f64; 3]>(), || {
                    format!("vertex {}", shape.positions.len() + 1)
                })?;
                shape.positions.push(position);
            }
            Some("f") => {
                polygon.clear();
                for word in words {
                    let corner = parse_corner(word, shape.positions.len());
                    let corner = corner.ok_or_else(|| fault(format!("'{}' is no corner", short(word))))?;
                    greatest = greatest.max((corner, number));
                    polygon.push(corner);
                }
                let before = shape.faces.len();
                shape.push_polygon(&polygon, &mut budget)?;
                let owner = [names[0].len() as u32, names[1].len() as u32];
                budget.charge(shape.faces.len() - before, 16, || format!("triangle {before}"))?;
                owners.resize(shape.faces.len(), owner);
            }
            Some(kind @ ("o" | "g")) => {
                let object = text.trim()[1..].trim().to_owned();
                budget.charge(1, 64 + object.len(), || "the names of objects".into())?;
                names[usize::from(kind == "g")].push(object);
            }
            _ => {}
        }
    }
    let n = shape.positions.len();
    if n <= greatest.0 as usize && 0 < greatest.1 {
        let problem = format!("vertex {}, but there are {n} vertices", u64::from(greatest.0) + 1);
        return Err(malformed(name, format!("line {}", greatest.1), problem));
    }
    let by_object = usize::from(names[0].is_empty());
    budget.charge(shape.positions.len(), 8, || "the objects of vertices".into())?;
    let owners = owners.iter().map(|owner| owner[by_object]);
    assign_objects(&mut shape, owners, &names[by_object]);
    Ok(shape)
}

/// Returns the vertex index of a corner such as `7`, `7/1/2`, `7//2` or `-1`, the latest vertex.
fn parse_corner(word: &str, n_vertices: usize) -> Option<u32> {
    let index: i64 = word.split('/').next()?.parse().ok()?;
    let zero_based = if index < 0 { index.checked_add(n_vertices as i64)? } else { index - 1 };
    u32::try_from(zero_based).ok()
}

fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Assigns each vertex its object. `owners` has for each triangle the object's number from 1; 0 is
/// before the first. All corners exist.
fn assign_objects(shape: &mut Shape, owners: impl Iterator<Item = u32>, names: &[String]) {
    let mut parent: Vec<u32> = (0..=names.len() as u32).collect();
    let mut object_of = vec![u32::MAX; shape.positions.len()];
    for (face, owner) in shape.faces.iter().zip(owners) {
        for &corner in face {
            let object = &mut object_of[corner as usize];
            if *object == u32::MAX {
                *object = owner;
            } else if *object != owner {
                let (a, b) = (find(&mut parent, *object), find(&mut parent, owner));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
    }
    if names.is_empty() {
        return;
    }
    // Objects with vertices are numbered in the order of the file; vertices without a face go to
    // the first.
    let mut used = vec![false; parent.len()];
    for object in &mut object_of {
        if *object != u32::MAX {
            *object = find(&mut parent, *object);
            used[*object as usize] = true;
        }
    }
    let mut number = vec![0; parent.len()];
    for (object, used) in used.into_iter().enumerate() {
        if used {
            number[object] = shape.objects.len() as u32;
            let name = object.checked_sub(1).map_or("", |i| &names[i]);
            let name = if name.is_empty() { format!("object {object}") } else { name.to_owned() };
            shape.objects.push(name);
        }
    }
    shape.vertex_object =
        object_of.iter().map(|&object| number.get(object as usize).copied().unwrap_or(0)).collect();
}

/// Returns the least object merged with this one, with path halving.
fn find(parent: &mut [u32], mut object: u32) -> u32 {
    while parent[object as usize] != object {
        parent[object as usize] = parent[parent[object as usize] as usize];
        object = parent[object as usize];
    }
    object
}

/// The lines of a text with their numbers from 1. A backslash at the end of a line continues it.
struct Lines<'a> {
    bytes: &'a [u8],
    line: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut joined: Option<Vec<u8>> = None;
        let first = self.line + 1;
        while !self.bytes.is_empty() {
            let end = self.bytes.iter().position(|&byte| byte == b'\n').unwrap_or(self.bytes.len());
            let (line, rest) = self.bytes.split_at(end);
            self.bytes = rest.get(1..).unwrap_or(&[]);
            self.line += 1;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            match (line.strip_suffix(b"\\"), &mut joined) {
                (Some(part), Some(text)) => text.extend_from_slice(part),
                (Some(part), None) => joined = Some(part.to_vec()),
                (None, Some(text)) => {
                    text.extend_from_slice(line);
                    break;
                }
                (None, None) => return Some((first, Cow::Borrowed(line))),
            }
        }
        joined.map(|text| (first, Cow::Owned(text)))
    }
}
