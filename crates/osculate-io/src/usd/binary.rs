//! The tables of a binary layer (`.usdc`), checked before the crate `openusd` reads them.
//!
//! The crate trusts counts, jumps and offsets. Here every count is compared with the bytes that are
//! left and charged to the budget, the tree of paths is walked once, and every value is measured,
//! with all values inside of it. What remains are wrong indices, which the crate finds, if need be
//! by a panic that is caught.

use crate::bytes::{Budget, slice, u32_at, u64_at};
use crate::error::{Error, Result, malformed};

/// Deepest nesting of values: dictionaries, and samples.
const MAX_DEPTH: u32 = 32;
/// Most fields of one spec. Each is searched for from the first one on.
const MAX_FIELDS: usize = 1000;
/// Versions before have other tables, and no exporter writes them any more.
const OLDEST: u32 = version(0, 4, 0);
const NEWEST: u32 = version(0, 12, 255);

const fn version(major: u32, minor: u32, patch: u32) -> u32 {
    major << 16 | minor << 8 | patch
}

/// Whether the bytes begin as a binary layer does.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PXR-USDC")
}

/// Fails if reading the layer would take more memory than the budget has, or too long.
pub(super) fn check(bytes: &[u8], file: &str, budget: &mut Budget) -> Result<()> {
    let fault = |place: &str, problem: &str| malformed(file, place, problem);
    let header = slice(bytes, 0, 32).ok_or_else(|| fault("header", "the file ends in it"))?;
    let found = version(header[8].into(), header[9].into(), header[10].into());
    if !(OLDEST..=NEWEST).contains(&found) {
        return Err(Error::Unsupported {
            file: file.to_owned(),
            what: format!("version {}.{}.{} of binary USD", header[8], header[9], header[10]),
            advice: "versions 0.4 to 0.12 are; usdcat converts others to text".into(),
        });
    }
    let mut checker =
        Checker { bytes, file, budget, version: found, lengths: Vec::new(), strings: Vec::new() };
    let toc = checker.count(to_usize(u64_at(bytes, 16)), "table of contents")?;
    if 64 <= toc.0 {
        return Err(fault("table of contents", "it has 64 sections or more"));
    }
    let mut sections = Vec::new();
    for i in 0..toc.0 {
        let entry = slice(bytes, toc.1.saturating_add(32 * i), 32);
        let entry = entry.ok_or_else(|| fault("table of contents", "the file ends in it"))?;
        let name: Vec<u8> = entry[..16].iter().copied().take_while(|&c| c != 0).collect();
        sections.push((name, to_usize(u64_at(entry, 16))));
    }
    let start = |name: &str| sections.iter().find(|(found, _)| found == name.as_bytes()).map(|(_, at)| *at);
    if let Some(at) = start("TOKENS") {
        checker.tokens(at)?;
    }
    if let Some(at) = start("STRINGS") {
        checker.strings(at)?;
    }
    let fields = start("FIELDS").map_or(Ok(Vec::new()), |at| checker.fields(at))?;
    let n_sets = start("FIELDSETS").map_or(Ok(0), |at| checker.field_sets(at))?;
    let paths = start("PATHS").map_or(Ok(Vec::new()), |at| checker.paths(at))?;
    if let Some(at) = start("SPECS") {
        checker.specs(at, &paths, n_sets)?;
    }
    for rep in fields {
        let size = checker.value(rep, 0)?;
        checker.fits(size, "a value")?;
    }
    Ok(())
}

fn to_usize(value: Option<u64>) -> usize {
    value.and_then(|value| usize::try_from(value).ok()).unwrap_or(usize::MAX)
}

struct Checker<'a, 'b> {
    bytes: &'a [u8],
    file: &'a str,
    budget: &'b mut Budget,
    version: u32,
    /// The number of bytes of each token.
    lengths: Vec<u32>,
    /// The token of each string.
    strings: Vec<u32>,
}

impl Checker<'_, '_> {
    fn fault(&self, place: &str, problem: &str) -> Error {
        malformed(self.file, place, problem)
    }

    /// Fails unless `size` bytes may still be allocated; they count as work.
    fn fits(&mut self, size: u64, what: &str) -> Result<()> {
        self.budget.work(usize::try_from(size).unwrap_or(usize::MAX), 1, || what.to_owned())
    }

    /// Returns the count at a byte, and the byte after it. A count is below 2^48.
    fn count(&self, at: usize, what: &str) -> Result<(usize, usize)> {
        let count =
            u64_at(self.bytes, at).ok_or_else(|| self.fault(what, "the file ends before its count"))?;
        if 1 << 48 <= count {
            return Err(self.fault(what, "its count is more than any file has"));
        }
        Ok((count as usize, at + 8))
    }

    /// Returns the compressed bytes at a byte, after their count, and the byte after them.
    fn packed(&self, at: usize, what: &str) -> Result<(&[u8], usize)> {
        let (n, at) = self.count(at, what)?;
        let packed = slice(self.bytes, at, n).ok_or_else(|| self.fault(what, "the file ends in it"))?;
        Ok((packed, at + n))
    }

    /// Returns `size` bytes or fewer that are compressed at a byte, and the byte after them.
    fn unpacked(&mut self, at: usize, size: u64, what: &str) -> Result<(Vec<u8>, usize)> {
        self.fits(size, what)?;
        let (packed, end) = self.packed(at, what)?;
        let Some((0, block)) = packed.split_first() else {
            return Err(self.fault(what, "it is empty, or compressed in several blocks"));
        };
        // A byte of a block stands for at most 255.
        if (block.len() as u64 + 1) * 255 < size / 8 {
            return Err(self.fault(what, "it is said to be larger than its packed bytes can be"));
        }
        let mut out = vec![0; size as usize];
        let n = lz4_flex::block::decompress_into(block, &mut out)
            .map_err(|error| self.fault(what, &format!("it cannot be unpacked ({error})")))?;
        out.truncate(n);
        Ok((out, end))
    }

    /// Returns `n` integers that are compressed at a byte, and the byte after them.
    ///
    /// Each is the sum of those before and of a step, which is the common one or stored in one, two
    /// or four bytes, as two bits say.
    fn integers(&mut self, at: usize, n: usize, what: &str) -> Result<(Vec<u32>, usize)> {
        self.fits(9 * n as u64, what)?;
        let n_codes = n.div_ceil(4);
        let (data, end) =
            self.unpacked(at, if n == 0 { 0 } else { 4 + n_codes as u64 + 4 * n as u64 }, what)?;
        if n == 0 {
            return Ok((Vec::new(), end));
        }
        let short = || malformed(self.file, what, "there are fewer numbers than announced");
        let common = u32_at(&data, 0).ok_or_else(short)?;
        let (mut at, mut value) = (4 + n_codes, 0u32);
        let mut values = Vec::with_capacity(n);
        for i in 0..n {
            let code = data.get(4 + i / 4).ok_or_else(short)? >> (2 * (i % 4)) & 3;
            let size = [0, 1, 2, 4][usize::from(code)];
            let step = match *slice(&data, at, size).ok_or_else(short)? {
                [a] => a as i8 as u32,
                [a, b] => i16::from_le_bytes([a, b]) as u32,
                [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                _ => common,
            };
            at += size;
            value = value.wrapping_add(step);
            values.push(value);
        }
        Ok((values, end))
    }

    fn tokens(&mut self, at: usize) -> Result<()> {
        let what = "TOKENS";
        let (n, at) = self.count(at, what)?;
        let (size, at) = self.count(at, what)?;
        if size < n {
            return Err(self.fault(what, "there are more tokens than bytes"));
        }
        self.budget.charge(size, 1, || what.to_owned())?;
        self.budget.charge(n, 64, || what.to_owned())?;
        let (text, _) = self.unpacked(at, size as u64, what)?;
        self.lengths = text.split_inclusive(|&c| c == 0).map(|token| token.len() as u32).collect();
        Ok(())
    }

    fn strings(&mut self, at: usize) -> Result<()> {
        let (n, at) = self.count(at, "STRINGS")?;
        self.budget.charge(n, 16, || "STRINGS".into())?;
        let found =
            slice(self.bytes, at, 4 * n).ok_or_else(|| self.fault("STRINGS", "the file ends in it"))?;
        self.strings = found.chunks_exact(4).filter_map(|c| u32_at(c, 0)).collect();
        Ok(())
    }

    /// Returns the value of each field.
    fn fields(&mut self, at: usize) -> Result<Vec<u64>> {
        let (n, at) = self.count(at, "FIELDS")?;
        self.budget.charge(n, 48, || "FIELDS".into())?;
        let (_, at) = self.integers(at, n, "FIELDS")?;
        let (reps, _) = self.unpacked(at, 8 * n as u64, "FIELDS")?;
        Ok(reps.chunks_exact(8).filter_map(|c| u64_at(c, 0)).collect())
    }

    /// Returns the number of entries of the sets of fields.
    fn field_sets(&mut self, at: usize) -> Result<usize> {
        let (n, at) = self.count(at, "FIELDSETS")?;
        self.budget.charge(n, 24, || "FIELDSETS".into())?;
        let (sets, _) = self.integers(at, n, "FIELDSETS")?;
        if sets.split(|&field| field == u32::MAX).any(|set| MAX_FIELDS < set.len()) {
            return Err(self.fault("FIELDSETS", &format!("a spec has more than {MAX_FIELDS} fields")));
        }
        Ok(n)
    }

    /// Returns the number of bytes of each path. The tree is walked as the crate does, and each of
    /// its nodes must be met once.
    fn paths(&mut self, at: usize) -> Result<Vec<u32>> {
        let what = "PATHS";
        let (n, at) = self.count(at, what)?;
        let (n_nodes, at) = self.count(at, what)?;
        self.budget.charge(n, 64, || what.to_owned())?;
        self.budget.charge(n_nodes, 32, || what.to_owned())?;
        let (indices, at) = self.integers(at, n_nodes, what)?;
        let (elements, at) = self.integers(at, n_nodes, what)?;
        let (jumps, _) = self.integers(at, n_nodes, what)?;
        let fault = |problem: &str| malformed(self.file, what, problem);
        if n < n_nodes || indices.first().is_some_and(|&first| first != 0) {
            return Err(fault("its tree does not begin at the root"));
        }
        let mut lengths = vec![0u32; n];
        let mut is_met = vec![false; n_nodes];
        let mut pending = if n_nodes == 0 { Vec::new() } else { vec![(0, 0)] };
        while let Some((mut at, mut above)) = pending.pop() {
            loop {
                let met = is_met.get_mut(at).ok_or_else(|| fault("a jump leads out of it"))?;
                if std::mem::replace(met, true) {
                    return Err(fault("two jumps lead to the same path"));
                }
                let token = (elements[at] as i32).unsigned_abs() as usize;
                let own = self.lengths.get(token).ok_or_else(|| fault("a token does not exist"))?;
                // The token ends in a 0, which stands for the separator here.
                let length = if at == 0 { 1 } else { above + own };
                let slot = lengths.get_mut(indices[at] as usize);
                *slot.ok_or_else(|| fault("an index is out of range"))? = length;
                self.budget.charge(length as usize, 2, || what.to_owned())?;
                let jump = jumps[at] as i32;
                let (has_child, has_sibling) = (0 < jump || jump == -1, 0 <= jump);
                if has_child && has_sibling {
                    pending.push((at + jump as usize, above));
                }
                // The first entry is the root: what follows it is below it, whatever it says.
                if has_child || at == 0 {
                    above = length;
                }
                if !has_child && !has_sibling {
                    break;
                }
                at += 1;
            }
        }
        Ok(lengths)
    }

    fn specs(&mut self, at: usize, paths: &[u32], n_sets: usize) -> Result<()> {
        let what = "SPECS";
        let (n, at) = self.count(at, what)?;
        self.budget.charge(n, 256, || what.to_owned())?;
        let (indices, at) = self.integers(at, n, what)?;
        let (sets, at) = self.integers(at, n, what)?;
        self.integers(at, n, what)?;
        for (&path, &set) in indices.iter().zip(&sets) {
            let length = paths.get(path as usize).filter(|_| (set as usize) < n_sets);
            let length = *length.ok_or_else(|| self.fault(what, "an index is out of range"))?;
            self.budget.charge(length as usize, 1, || what.to_owned())?;
        }
        Ok(())
    }

    /// Returns the memory that `n` indices at a byte stand for, of strings or of tokens.
    fn names(&mut self, at: usize, n: usize, are_strings: bool) -> Result<u64> {
        let short = || malformed(self.file, format!("byte {at}"), "there are fewer names than announced");
        let found = slice(self.bytes, at, n.saturating_mul(4)).ok_or_else(short)?;
        let mut size = 0;
        for index in found.chunks_exact(4).filter_map(|c| u32_at(c, 0)) {
            let token = if are_strings { self.strings.get(index as usize).copied() } else { Some(index) };
            let length = token.and_then(|token| self.lengths.get(token as usize));
            size += 64 + u64::from(*length.ok_or_else(|| self.fault("names", "an index is out of range"))?);
        }
        self.fits(8 * n as u64, "names")?;
        Ok(size)
    }

    /// Returns the memory that a value takes, about. The high 16 bits say what it is, the others
    /// where it is.
    fn value(&mut self, rep: u64, depth: u32) -> Result<u64> {
        self.fits(64, "values")?;
        if MAX_DEPTH < depth {
            return Err(self.fault("values", &format!("they are nested deeper than {MAX_DEPTH}")));
        }
        let (kind, at) = ((rep >> 48) & 0xff, (rep & ((1 << 48) - 1)) as usize);
        let (is_array, is_inlined) = (rep >> 63 == 1, rep >> 62 & 1 == 1);
        let place = || format!("byte {at}");
        let count = |checker: &Self| checker.count(at, &place());
        Ok(64
            + match kind {
                // Strings and paths of assets, of which arrays are counted like lists.
                10 | 12 | 57 if is_array => {
                    let (n, at) = count(self)?;
                    self.names(at, n, true)?
                }
                11 if is_array => match self.array_length(rep)? {
                    (0, _) => 0,
                    (n, at) => self.names(at, n, false)?,
                },
                1..=30 | 56 if is_array => self.array(rep, kind)?,
                48 if !is_inlined => self.array(rep, 9)?,
                10..=12 | 53 | 57 => {
                    // It is the index itself, or where that is.
                    let index = if is_inlined { Some(at as u32) } else { u32_at(self.bytes, at) };
                    let is_string = kind == 10 || (matches!(kind, 12 | 57) && !is_inlined);
                    let token = match is_string {
                        true => index.and_then(|index| self.strings.get(index as usize)).copied(),
                        false => index,
                    };
                    u64::from(token.and_then(|token| self.lengths.get(token as usize)).copied().unwrap_or(0))
                }
                32..=39 | 54 | 55 if is_inlined => {
                    return Err(self.fault("values", "a list is where only numbers and words are"));
                }
                _ if is_inlined => 0,
                31 => self.dictionary(at, depth)?.0,
                32..=39 | 54 | 55 => self.list(at, kind, depth)?,
                40 | 41 => {
                    let (n, at) = count(self)?;
                    // Paths are longer than tokens; their lengths are charged as those of specs.
                    if kind == 40 { self.plain(at, n, 4, 256)? } else { self.names(at, n, false)? }
                }
                50 => {
                    let (n, at) = count(self)?;
                    self.names(at, n, true)?
                }
                45 => {
                    let (n, at) = count(self)?;
                    self.names(at, n.saturating_mul(2), true)?
                }
                46 => self.samples(at, depth)?,
                49 => {
                    let (n, at) = count(self)?;
                    self.plain(at, n, 16, 16)?
                }
                58 => {
                    let (n, at) = count(self)?;
                    self.plain(at, n, 8, 256)?
                }
                _ => 0,
            })
    }

    /// Returns the memory of `n` elements of `stored` bytes each in the file, which take `size`.
    fn plain(&self, at: usize, n: usize, stored: usize, size: u64) -> Result<u64> {
        match slice(self.bytes, at, n.saturating_mul(stored)) {
            Some(_) => Ok((n as u64).saturating_mul(size)),
            None => Err(self.fault(&format!("byte {at}"), "the file ends before the values")),
        }
    }

    /// Returns the number of elements of an array, and the byte of the first.
    fn array_length(&self, rep: u64) -> Result<(usize, usize)> {
        let at = (rep & ((1 << 48) - 1)) as usize;
        if at == 0 {
            return Ok((0, 0));
        }
        let short = || self.fault(&format!("byte {at}"), "the file ends before the length of an array");
        let at = if self.version < version(0, 5, 0) { at + 4 } else { at };
        if self.version < version(0, 7, 0) {
            return Ok((u32_at(self.bytes, at).ok_or_else(short)? as usize, at + 4));
        }
        self.count(at, "array")
    }

    /// Returns the memory of an array of numbers.
    fn array(&mut self, rep: u64, kind: u64) -> Result<u64> {
        let (n, at) = self.array_length(rep)?;
        let size: u64 = match kind {
            1 | 2 => 1,
            7 => 2,
            3 | 4 | 8 => 4,
            5 | 6 | 9 | 56 => 8,
            _ => element_size(kind),
        };
        let is_packed = rep >> 61 & 1 == 1
            && match kind {
                3..=6 => version(0, 5, 0) <= self.version,
                7..=9 | 56 => version(0, 6, 0) <= self.version,
                _ => false,
            };
        if !is_packed {
            return self.plain(at, n, size as usize, 2 * size);
        }
        // A byte stands for at most 255, and each of those for four equal steps.
        let needed = (n as u64).saturating_mul(24);
        let at = match (kind, self.bytes.get(at)) {
            (7..=9 | 56, Some(b't')) => {
                let n_different = u32_at(self.bytes, at + 1).map_or(usize::MAX, |n| n as usize);
                self.plain(at + 5, n_different, size as usize, size)?;
                at + 5 + n_different * size as usize
            }
            (7..=9 | 56, _) => at + 1,
            _ => at,
        };
        let (packed, _) = self.packed(at, "array")?;
        if (packed.len() as u64 + 1) * 1024 < n as u64 {
            return Err(self.fault(&format!("byte {at}"), "an array is longer than its packed bytes can be"));
        }
        Ok(needed)
    }

    /// Returns the memory of the samples at a byte, and of their values.
    fn samples(&mut self, at: usize, depth: u32) -> Result<u64> {
        let times = self.jump(at)?;
        let rep =
            u64_at(self.bytes, times).ok_or_else(|| self.fault("time samples", "they have no times"))?;
        let mut size = self.value(rep, depth + 1)?;
        let at = self.jump(times + 8)?;
        let (n, at) = self.count(at, "time samples")?;
        self.plain(at, n, 8, 8)?;
        for i in 0..n {
            let rep = u64_at(self.bytes, at + 8 * i).unwrap_or(0);
            size = size.saturating_add(128 + self.value(rep, depth + 1)?);
            if self.budget.left() < size {
                return Err(self.budget.exceeded(size, "time samples".into()));
            }
        }
        Ok(size)
    }

    /// Returns where the jump at a byte leads.
    fn jump(&self, at: usize) -> Result<usize> {
        let by = u64_at(self.bytes, at).map(|by| by as i64);
        let to = by.and_then(|by| at.checked_add_signed(isize::try_from(by).ok()?));
        let to = to.filter(|&to| to < self.bytes.len());
        to.ok_or_else(|| self.fault(&format!("byte {at}"), "a jump leads out of the file"))
    }

    /// Returns the memory of the dictionary at a byte, and the byte after it.
    fn dictionary(&mut self, at: usize, depth: u32) -> Result<(u64, usize)> {
        let (n, mut at) = self.count(at, "dictionary")?;
        let mut size = 64u64;
        for _ in 0..n {
            size += self.names(at, 1, true)?;
            let value = self.jump(at + 4)?;
            let rep =
                u64_at(self.bytes, value).ok_or_else(|| self.fault("dictionary", "a value is missing"))?;
            size = size.saturating_add(128 + self.value(rep, depth + 1)?);
            at = value + 8;
            if self.budget.left() < size {
                return Err(self.budget.exceeded(size, "a dictionary".into()));
            }
        }
        Ok((size, at))
    }

    /// Returns the memory of the lists of items at a byte: explicit ones, added, prepended,
    /// appended, deleted and ordered ones, of which a byte says which there are.
    fn list(&mut self, at: usize, kind: u64, depth: u32) -> Result<u64> {
        let place = format!("byte {at}");
        let bits = *self.bytes.get(at).ok_or_else(|| self.fault(&place, "the file ends before a list"))?;
        let (mut at, mut size) = (at + 1, 0u64);
        for bit in [1, 2, 5, 6, 3, 4] {
            if bits >> bit & 1 == 0 {
                continue;
            }
            let (n, start) = self.count(at, &place)?;
            at = start;
            match kind {
                32 | 33 | 54 => {
                    size += self.names(at, n, kind != 32)?;
                    at += 4 * n;
                }
                34 | 36..=39 => {
                    let stored = if matches!(kind, 37 | 39) { 8 } else { 4 };
                    size += self.plain(at, n, stored, 256)?;
                    at += stored * n;
                }
                35 => {
                    self.plain(at, n, 32, 256)?;
                    for _ in 0..n {
                        let (of, end) = self.dictionary(at + 24, depth + 1)?;
                        size += 256 + of;
                        at = end;
                    }
                }
                _ => {
                    let stored = if self.version < version(0, 8, 0) { 8 } else { 24 };
                    size += self.plain(at, n, stored, 256)?;
                    at += stored * n;
                }
            }
        }
        Ok(size)
    }
}

/// Returns the number of bytes of a matrix, quaternion or vector, which are the kinds 13 to 30, and
/// of anything else 1.
fn element_size(kind: u64) -> u64 {
    match kind {
        ..13 | 31.. => 1,
        13 => 4 * 8,
        14 => 9 * 8,
        15 => 16 * 8,
        16 => 4 * 8,
        17 => 4 * 4,
        18 => 4 * 2,
        // Two, three and four components: doubles, floats, halves and integers.
        _ => (2 + (kind - 19) / 4) * [8, 4, 2, 4][(kind as usize - 19) % 4],
    }
}
