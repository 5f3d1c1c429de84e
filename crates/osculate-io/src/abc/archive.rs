//! What an Alembic archive says once: the times of samples, and metadata that objects share.

use std::sync::Arc;

use super::ogawa::{Group, Ogawa};
use crate::bytes::{Budget, Scalar, slice, u32_at};
use crate::error::{Error, Result, malformed};

/// A cycle that long has no end: the times are given one by one.
const ACYCLIC: f64 = 1e300;

/// Most shared metadata: 255 stands for metadata that is not shared.
const MAX_METADATA: usize = 255;

/// When the samples of a property are.
#[derive(Debug)]
pub(super) struct Sampling {
    /// Times of the first samples, never none, finite and increasing.
    times: Vec<f64>,
    /// After as many samples as there are times, they repeat with this offset; none if they end.
    cycle: Option<f64>,
}

/// The container, and what objects refer to by numbers.
pub(super) struct Archive<'a> {
    pub(super) ogawa: Ogawa<'a>,
    pub(super) samplings: Vec<Arc<Sampling>>,
    /// Metadata by number; that with number 0 is empty.
    pub(super) metadata: Vec<&'a [u8]>,
}

impl<'a> Archive<'a> {
    /// Returns the archive in the bytes of a file, and the group of its top object.
    pub(super) fn open(bytes: &'a [u8], file: &'a str, budget: &mut Budget) -> Result<(Self, Group)> {
        let (ogawa, root) = Ogawa::open(bytes, file)?;
        if root.n < 6 {
            let problem = format!("its group has {} children instead of 6", root.n);
            return Err(malformed(file, "archive", problem));
        }
        let version = u32_at(ogawa.data(&root, 0)?, 0);
        if version != Some(0) {
            return Err(Error::Unsupported {
                file: file.to_owned(),
                what: "this version of Alembic".into(),
                advice: "export the file with Alembic 1.5 or later".into(),
            });
        }
        let samplings = samplings(ogawa.data(&root, 4)?, file, budget)?;
        let metadata = metadata(ogawa.data(&root, 5)?, file)?;
        let top = ogawa.group(&root, 2)?;
        Ok((Self { ogawa, samplings, metadata }, top))
    }
}

/// Returns the time samplings: for each, u32 greatest number of samples, f64 time of a cycle, u32
/// number of times in it, and f64 times.
fn samplings(data: &[u8], file: &str, budget: &mut Budget) -> Result<Vec<Arc<Sampling>>> {
    let fault = |i: usize, problem: &str| malformed(file, format!("time sampling {i}"), problem);
    let mut samplings = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let i = samplings.len();
        let ends = || fault(i, "it ends too early");
        let f64_at = |at: usize| Some(Scalar::F64.to_f64(slice(data, at, 8)?, false));
        let cycle = f64_at(at + 4).ok_or_else(ends)?;
        let n = u32_at(data, at + 12).ok_or_else(ends)? as usize;
        let bytes = slice(data, at + 16, n.saturating_mul(8)).ok_or_else(ends)?;
        budget.charge(n + 8, 8, || "the times of samples".into())?;
        let times: Vec<f64> = bytes.chunks_exact(8).map(|time| Scalar::F64.to_f64(time, false)).collect();
        let is_increasing = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.is_empty() || !is_increasing || !times.iter().all(|time| time.is_finite()) {
            return Err(fault(i, "its times are not finite numbers that increase"));
        }
        let cycle = Some(cycle).filter(|&cycle| cycle < ACYCLIC);
        let length = times[n - 1] - times[0];
        if cycle.is_some_and(|cycle| !(0.0 < cycle && length < cycle)) {
            return Err(fault(i, "its cycle is not longer than its times"));
        }
        samplings.push(Arc::new(Sampling { times, cycle }));
        at += 16 + 8 * n;
    }
    Ok(samplings)
}

/// Returns the shared metadata: for each, u8 length, and its text. Nothing refers to more than
/// there are numbers.
fn metadata<'a>(data: &'a [u8], file: &str) -> Result<Vec<&'a [u8]>> {
    let mut all: Vec<&[u8]> = vec![&[]];
    let mut rest = data;
    while let Some((&n, after)) = rest.split_first().filter(|_| all.len() < MAX_METADATA) {
        let text = after.get(..n.into());
        all.push(text.ok_or_else(|| malformed(file, "metadata", "it ends too early"))?);
        rest = &after[n.into()..];
    }
    Ok(all)
}

impl Sampling {
    /// Returns the time of a sample; that of the last one if there is no such sample.
    pub(super) fn time(&self, sample: usize) -> f64 {
        let n = self.times.len();
        match self.cycle {
            Some(cycle) => self.times[sample % n] + (sample / n) as f64 * cycle,
            None => self.times[sample.min(n - 1)],
        }
    }

    /// Returns the number of samples per second, up to the given number of samples.
    pub(super) fn rate(&self, n_samples: usize) -> f64 {
        let rate = match self.cycle {
            Some(cycle) => self.times.len() as f64 / cycle,
            None => (n_samples.max(2) - 1) as f64 / (self.time(n_samples.max(2) - 1) - self.times[0]),
        };
        // 24 rather than 24.000000000000004.
        let rounded = (rate * 1000.0).round() / 1000.0;
        if (rounded - rate).abs() < 1e-9 * rate { rounded } else { rate }
    }

    /// Returns the samples around a time, of the first `n`, and how far it is from the first to the
    /// second of them. A time that is a rounding error away from a sample is that of the sample.
    pub(super) fn around(&self, time: f64, n: usize) -> (usize, usize, f64) {
        let last = n.saturating_sub(1);
        let (mut low, mut high) = (0, last);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.time(middle) <= time { low = middle } else { high = middle - 1 }
        }
        if low == last || time <= self.time(low) {
            return (low, low, 0.0);
        }
        let (t0, t1) = (self.time(low), self.time(low + 1));
        match (time - t0) / (t1 - t0) {
            ..1e-6 => (low, low, 0.0),
            share if 1.0 - 1e-6 < share => (low + 1, low + 1, 0.0),
            share if share.is_finite() => (low, low + 1, share),
            _ => (low, low, 0.0),
        }
    }
}
