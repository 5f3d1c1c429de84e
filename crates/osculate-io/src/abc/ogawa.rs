//! The container of Alembic files: groups, whose children are groups or data.
//!
//! All numbers are u64, little-endian. The file begins with `Ogawa`, a byte that is 0xff once the
//! writer has closed the file, a version in two bytes, and the place of the root group. A group is
//! the number of its children and their places; bit 63 of a place is set for data. Data is its
//! length and its bytes. A group or data at place 0 is empty.
//!
//! Nothing is copied, and every place is checked where it is used. Groups may be shared, or contain
//! themselves, so those who walk them count what they meet.

use crate::bytes::{slice, u64_at};
use crate::error::{Error, Result, malformed};

const HEADER: usize = 16;
const IS_DATA: u64 = 1 << 63;

/// The bytes of a file, and its name for errors.
#[derive(Clone, Copy)]
pub(super) struct Ogawa<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) file: &'a str,
}

/// A group: the place of the first child, and the number of children, all of which are in the file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    start: usize,
    pub(super) n: usize,
}

impl<'a> Ogawa<'a> {
    /// Returns the container in the bytes of a file, and its root group.
    pub(super) fn open(bytes: &'a [u8], file: &'a str) -> Result<(Self, Group)> {
        let fault = |problem: &str| malformed(file, "header", problem);
        if bytes.starts_with(b"\x89HDF") {
            return Err(Error::Unsupported {
                file: file.to_owned(),
                what: "an Alembic file in an HDF5 container".into(),
                advice: "convert it to Ogawa, the container of Alembic since version 1.5".into(),
            });
        }
        if !bytes.starts_with(b"Ogawa") {
            return Err(fault("the file does not begin with Ogawa"));
        }
        if bytes.len() < HEADER {
            return Err(fault("the file ends in its header"));
        }
        if bytes[5] != 0xff {
            return Err(fault("the file was not closed by the program that wrote it"));
        }
        if bytes[6..8] != [0, 1] {
            return Err(fault("the version of the container is not 1"));
        }
        let ogawa = Self { bytes, file };
        let root = u64_at(bytes, 8).unwrap_or_default();
        Ok((ogawa, ogawa.group_at(root)?))
    }

    /// Returns the child group `i` of a group.
    pub(super) fn group(&self, group: &Group, i: usize) -> Result<Group> {
        let child = self.child(group, i)?;
        if child & IS_DATA != 0 && child != IS_DATA {
            return Err(malformed(self.file, place(group, i), "data instead of a group"));
        }
        self.group_at(child & !IS_DATA)
    }

    /// Returns the child data `i` of a group.
    pub(super) fn data(&self, group: &Group, i: usize) -> Result<&'a [u8]> {
        let child = self.child(group, i)?;
        if child & IS_DATA == 0 && child != 0 {
            return Err(malformed(self.file, place(group, i), "a group instead of data"));
        }
        let at = child & !IS_DATA;
        if at == 0 {
            return Ok(&[]);
        }
        let found = usize::try_from(at).ok().and_then(|at| {
            let n = usize::try_from(u64_at(self.bytes, at)?).ok()?;
            slice(self.bytes, at.checked_add(8)?, n)
        });
        found.ok_or_else(|| malformed(self.file, format!("byte {at}"), "data beyond the end of the file"))
    }

    /// Returns whether child `i` of a group is a group that is not empty.
    pub(super) fn is_group(&self, group: &Group, i: usize) -> bool {
        self.child(group, i).is_ok_and(|child| child != 0 && child & IS_DATA == 0)
    }

    /// Returns what is noted about a child.
    fn child(&self, group: &Group, i: usize) -> Result<u64> {
        if group.n <= i {
            let problem = format!("a group of {} children has no child {i}", group.n);
            return Err(malformed(self.file, place(group, i), problem));
        }
        let child = u64_at(self.bytes, group.start + 8 * i);
        child.ok_or_else(|| malformed(self.file, place(group, i), "the file ends here"))
    }

    fn group_at(&self, at: u64) -> Result<Group> {
        if at == 0 {
            return Ok(Group::default());
        }
        let found = usize::try_from(at).ok().and_then(|at| {
            let n = usize::try_from(u64_at(self.bytes, at)?).ok()?;
            let start = at.checked_add(8)?;
            slice(self.bytes, start, n.checked_mul(8)?)?;
            Some(Group { start, n })
        });
        found.ok_or_else(|| malformed(self.file, format!("byte {at}"), "a group beyond the end of the file"))
    }
}

/// Returns where a child is noted.
fn place(group: &Group, i: usize) -> String {
    format!("byte {}", group.start + 8 * i)
}
