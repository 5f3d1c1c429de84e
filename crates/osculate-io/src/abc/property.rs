//! Properties of objects: their headers, and their samples.

use std::sync::Arc;

use super::archive::{Archive, Sampling};
use super::ogawa::{Group, Ogawa};
use crate::bytes::{Budget, Scalar, slice, u32_at};
use crate::error::{Result, malformed};

/// What finding a sample counts as work, in bytes. A sample takes some 50 bytes of a file, which
/// allow for 20 times as much; less would let small files that share samples take many seconds.
pub(super) const WORK: usize = 256;
/// The first bytes of a sample are a digest of the rest.
const DIGEST: usize = 16;

/// The number types by their numbers in headers; booleans are bytes.
const SCALARS: [Scalar; 12] = [
    Scalar::U8,
    Scalar::U8,
    Scalar::I8,
    Scalar::U16,
    Scalar::I16,
    Scalar::U32,
    Scalar::I32,
    Scalar::U64,
    Scalar::I64,
    Scalar::F16,
    Scalar::F32,
    Scalar::F64,
];

/// A property: a compound of others, or samples.
pub(super) enum Property {
    Compound(Group),
    Samples(Samples),
    /// Of text, or without a sample.
    Other,
}

/// The samples of a property. Equal ones in a row at the start and at the end are stored once.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    group: Group,
    is_array: bool,
    /// The type of numbers, and how many of them make an element.
    pub(super) scalar: Scalar,
    pub(super) extent: usize,
    /// Number of samples, at least 1.
    pub(super) n: usize,
    /// The first sample that differs from the first, and the last that differs from the one before;
    /// both are 0 if all samples are equal.
    first_changed: usize,
    last_changed: usize,
    pub(super) sampling: Arc<Sampling>,
}

/// Returns the properties in a group, with their names, of the names that are wanted.
///
/// The last child of a group has the headers of the others. A header is u32 bits, and numbers of
/// 1, 2 or 4 bytes: the numbers of samples, of the first and the last change, of the time sampling
/// (those that the bits announce), the name with its length, and metadata with its length.
pub(super) fn properties(
    archive: &Archive,
    group: &Group,
    wanted: &[&str],
    budget: &mut Budget,
) -> Result<Vec<(String, Property)>> {
    let mut found = Vec::new();
    let Some(last) = group.n.checked_sub(1) else { return Ok(found) };
    let data = archive.ogawa.data(group, last)?;
    // Bounds the work on groups that are met often.
    budget.charge(data.len(), 1, || "the properties of objects".into())?;
    let mut reader = Reader { data, at: 0, width: 1 };
    let mut index = 0;
    while reader.at < data.len() {
        let fault = |problem: &str| malformed(archive.ogawa.file, format!("property {index}"), problem);
        let (bits, numbers, name) = reader.header().ok_or_else(|| fault("its header ends too early"))?;
        let name = String::from_utf8_lossy(name);
        if wanted.contains(&&*name) {
            let property = match bits & 3 {
                0 => Property::Compound(archive.ogawa.group(group, index)?),
                kind => {
                    let [n, first, last, sampling] = numbers.map(|number| number as usize);
                    let scalar = SCALARS.get((bits >> 4 & 15) as usize).copied();
                    let extent = (bits >> 12 & 255) as usize;
                    let group = archive.ogawa.group(group, index)?;
                    match scalar.filter(|_| n != 0 && group.n != 0) {
                        None => Property::Other,
                        Some(scalar) => {
                            let sampling = archive.samplings.get(sampling).cloned();
                            let sampling =
                                sampling.ok_or_else(|| fault("its time sampling does not exist"))?;
                            if n <= first || n <= last || last < first {
                                return Err(fault("its changes are not among its samples"));
                            }
                            let (first_changed, last_changed) = (first, last);
                            let is_array = kind != 1;
                            let extent = extent.max(1);
                            let samples = Samples {
                                group,
                                is_array,
                                scalar,
                                extent,
                                n,
                                first_changed,
                                last_changed,
                                sampling,
                            };
                            samples.check(&archive.ogawa)?;
                            Property::Samples(samples)
                        }
                    }
                }
            };
            budget.charge(1, size_of::<(String, Property)>() + name.len(), || {
                "the properties of objects".into()
            })?;
            found.push((name.into_owned(), property));
        }
        index += 1;
    }
    Ok(found)
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
    /// Bytes of a number.
    width: usize,
}

impl<'a> Reader<'a> {
    /// Returns the bits of a header; the numbers of samples, of the first and the last change and
    /// of the time sampling; and the name.
    fn header(&mut self) -> Option<(u32, [u32; 4], &'a [u8])> {
        let bits = u32_at(self.data, self.at)?;
        self.at += 4;
        self.width = *[1, 2, 4].get((bits >> 2 & 3) as usize)?;
        let mut numbers = [0; 4];
        if bits & 3 != 0 {
            let n = self.number()?;
            let (first, last) = match bits {
                _ if bits & 0x200 != 0 => (self.number()?, self.number()?),
                _ if bits & 0x800 != 0 || n < 2 => (0, 0),
                _ => (1, n - 1),
            };
            let sampling = if bits & 0x100 != 0 { self.number()? } else { 0 };
            numbers = [n, first, last, sampling];
        }
        let n = self.number()?;
        let name = self.text(n)?;
        if bits >> 20 & 255 == 255 {
            let n = self.number()?;
            self.text(n)?;
        }
        Some((bits, numbers, name))
    }

    fn number(&mut self) -> Option<u32> {
        let bytes = slice(self.data, self.at, self.width)?;
        self.at += self.width;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn text(&mut self, n: u32) -> Option<&'a [u8]> {
        let text = slice(self.data, self.at, n as usize)?;
        self.at += n as usize;
        Some(text)
    }
}

impl Samples {
    /// Returns the bytes of a sample without its digest.
    pub(super) fn bytes<'a>(&self, ogawa: &Ogawa<'a>, sample: usize) -> Result<&'a [u8]> {
        let data = ogawa.data(&self.group, self.child(sample))?;
        Ok(data.get(DIGEST..).unwrap_or_default())
    }

    /// Returns the child that has a sample: its values; the following one has the dimensions of an
    /// array.
    fn child(&self, sample: usize) -> usize {
        let stored = if sample < self.first_changed || self.last_changed == 0 {
            0
        } else {
            sample.min(self.last_changed) - self.first_changed + 1
        };
        if self.is_array { 2 * stored } else { stored }
    }

    /// Fails if there is no child for some sample.
    fn check(&self, ogawa: &Ogawa) -> Result<()> {
        ogawa.data(&self.group, self.child(self.n - 1)).map(|_| ())
    }

    /// Returns the number of different samples, at most.
    pub(super) fn n_stored(&self) -> usize {
        if self.last_changed == 0 { 1 } else { self.last_changed - self.first_changed + 2 }
    }

    /// Returns a sample for each of the different ones, in order.
    pub(super) fn stored(&self) -> impl Iterator<Item = usize> {
        let (first, n) = (self.first_changed, self.n_stored());
        (0..n).map(move |i| if i == 0 { 0 } else { first + i - 1 })
    }

    /// Returns the numbers in the bytes of a sample.
    pub(super) fn numbers<'a>(&self, bytes: &'a [u8]) -> impl ExactSizeIterator<Item = f64> + use<'a> {
        let scalar = self.scalar;
        bytes.chunks_exact(scalar.size()).map(move |number| scalar.to_f64(number, false))
    }

    /// Returns the first number of the sample at a time, or before it.
    pub(super) fn number_at(&self, ogawa: &Ogawa, time: f64) -> Result<Option<f64>> {
        let (sample, _, _) = self.sampling.around(time, self.n);
        Ok(self.numbers(self.bytes(ogawa, sample)?).next())
    }
}
