//! The tree of objects: their names, their schemas, and the groups of their properties.

use super::archive::Archive;
use super::ogawa::Group;
use crate::bytes::{Budget, slice, u32_at};
use crate::error::{Result, malformed};

/// Objects below objects, at most. Files of a production have some ten.
const MAX_DEPTH: usize = 500;
/// The headers of the children of an object end with two digests.
const DIGESTS: usize = 32;

/// An object of a file.
pub(super) struct Object {
    pub(super) name: String,
    /// The schema, such as `AbcGeom_PolyMesh_v1`; empty if there is none.
    pub(super) schema: String,
    pub(super) parent: Option<usize>,
    pub(super) n_children: usize,
    /// Its properties.
    pub(super) properties: Group,
}

/// Returns all objects below the top one, parents before children.
///
/// The first child of an object's group has its properties, the last one the headers of its
/// children, and those in between are the children. A header is a u32 length, the name, and the
/// number of its metadata, or 255 and the metadata itself with its length.
///
/// A file may name a group as its own descendant, or as a child of many; so depth is limited, and
/// every object is charged to the budget.
pub(super) fn objects(archive: &Archive, top: Group, budget: &mut Budget) -> Result<Vec<Object>> {
    let file = archive.ogawa.file;
    let mut objects: Vec<Object> = Vec::new();
    // Depth first, in the order of the file.
    let mut open = children(archive, &top, "", None, 0, budget)?;
    open.reverse();
    while let Some(Found { mut object, group, depth }) = open.pop() {
        if depth == MAX_DEPTH {
            let place = format!("object '{}'", object.name);
            return Err(malformed(file, place, format!("it is below {depth} others")));
        }
        let index = objects.len();
        let below = children(archive, &group, &object.name, Some(index), depth + 1, budget)?;
        object.n_children = below.len();
        objects.push(object);
        open.extend(below.into_iter().rev());
    }
    Ok(objects)
}

/// An object whose children are not known yet.
struct Found {
    object: Object,
    group: Group,
    depth: usize,
}

/// Returns the children in the group of an object, or of the top one.
fn children(
    archive: &Archive,
    group: &Group,
    name: &str,
    parent: Option<usize>,
    depth: usize,
    budget: &mut Budget,
) -> Result<Vec<Found>> {
    let fault = |problem: String| malformed(archive.ogawa.file, format!("object '{name}'"), problem);
    let mut found = Vec::new();
    if group.n < 2 {
        return Ok(found);
    }
    let data = archive.ogawa.data(group, group.n - 1)?;
    let data = &data[..data.len().saturating_sub(DIGESTS)];
    budget.charge(data.len(), 4, || "the objects".into())?;
    let mut at = 0;
    while at < data.len() {
        let header = header(data, at, &archive.metadata);
        let (name, metadata, next) = header.ok_or_else(|| fault("its children end too early".into()))?;
        at = next;
        budget.charge(1, 512, || "the objects".into())?;
        let index = found.len() + 1;
        if group.n <= index + 1 {
            return Err(fault(format!("it has more than the {} children in its group", index - 1)));
        }
        let child = archive.ogawa.group(group, index)?;
        let properties = match archive.ogawa.is_group(&child, 0) {
            true => archive.ogawa.group(&child, 0)?,
            false => Group::default(),
        };
        let name = String::from_utf8_lossy(name).into_owned();
        let object = Object { name, schema: schema(metadata), parent, n_children: 0, properties };
        found.push(Found { object, group: child, depth });
    }
    Ok(found)
}

/// Returns the name and the metadata of the header at a place, and the place behind it.
fn header<'a>(data: &'a [u8], at: usize, shared: &[&'a [u8]]) -> Option<(&'a [u8], &'a [u8], usize)> {
    let n = u32_at(data, at)? as usize;
    let name = slice(data, at + 4, n)?;
    let at = at + 4 + n;
    match *data.get(at)? {
        255 => {
            let n = u32_at(data, at + 1)? as usize;
            Some((name, slice(data, at + 5, n)?, at + 5 + n))
        }
        number => Some((name, shared.get(usize::from(number))?, at + 1)),
    }
}

/// Returns the schema in metadata, which are pairs of the form `key=value`, separated by `;`.
fn schema(metadata: &[u8]) -> String {
    let pairs = metadata.split(|&byte| byte == b';');
    let value = pairs.filter_map(|pair| pair.strip_prefix(b"schema=")).next();
    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
}
