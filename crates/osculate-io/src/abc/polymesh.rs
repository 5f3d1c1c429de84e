//! Polygon meshes (`AbcGeom_PolyMesh`, and the cages of `AbcGeom_SubD`): faces that stay, and
//! points at each sample.

use super::archive::Archive;
use super::ogawa::{Group, Ogawa};
use super::property::{Property, Samples, WORK, properties};
use crate::bytes::{Budget, Scalar};
use crate::error::{Error, Result, malformed};

/// A mesh in a file.
pub(super) struct Polymesh {
    pub(super) counts: Vec<u32>,
    pub(super) corners: Vec<u32>,
    pub(super) points: Points,
}

/// The points of a mesh at each sample.
#[derive(Debug)]
pub(super) struct Points {
    samples: Samples,
    /// Number of points in each sample.
    pub(super) n: usize,
}

impl Polymesh {
    /// Returns the mesh in the compound `.geom` of an object.
    pub(super) fn read(archive: &Archive, group: &Group, name: &str, budget: &mut Budget) -> Result<Self> {
        let file = archive.ogawa.file;
        let what = || format!("mesh '{name}'");
        let fault = |problem: String| malformed(file, what(), problem);
        let (mut points, mut counts, mut indices) = (None, None, None);
        for (name, property) in properties(archive, group, &["P", ".faceCounts", ".faceIndices"], budget)? {
            let Property::Samples(samples) = property else { continue };
            match name.as_str() {
                "P" => points = Some(samples),
                ".faceCounts" => counts = Some(samples),
                _ => indices = Some(samples),
            }
        }
        let (Some(samples), Some(counts), Some(indices)) = (points, counts, indices) else {
            return Err(fault("it needs P, .faceCounts and .faceIndices".into()));
        };
        if !matches!(samples.scalar, Scalar::F32 | Scalar::F64) || samples.extent != 3 {
            return Err(fault("P does not have three floating-point coordinates".into()));
        }
        let size = 3 * samples.scalar.size();
        let n = samples.bytes(&archive.ogawa, 0)?.len() / size;
        for sample in samples.stored() {
            budget.work(1, WORK, || "the samples of points".into())?;
            let found = samples.bytes(&archive.ogawa, sample)?.len() / size;
            if found != n {
                return Err(changing(file, name, format!("{n} points at sample 0 and {found} at {sample}")));
            }
        }
        let counts = constant(archive, &counts, name, budget)?;
        let corners = constant(archive, &indices, name, budget)?;
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if total != corners.len() as u64 {
            return Err(fault(format!("its faces need {total} corners, but there are {}", corners.len())));
        }
        if let Some(corner) = corners.iter().find(|&&corner| n <= corner as usize) {
            return Err(fault(format!("corner {corner}, but there are {n} points")));
        }
        Ok(Self { counts, corners, points: Points { samples, n } })
    }
}

/// Returns the numbers of faces or corners, which must be the same at each sample, and not
/// negative.
fn constant(archive: &Archive, samples: &Samples, name: &str, budget: &mut Budget) -> Result<Vec<u32>> {
    let what = || format!("mesh '{name}'");
    let first = samples.bytes(&archive.ogawa, 0)?;
    let n = first.len() / samples.scalar.size();
    budget.charge(n, 4, what)?;
    for sample in samples.stored().skip(1) {
        // The comparisons are work, too.
        let other = samples.bytes(&archive.ogawa, sample)?;
        budget.work(other.len() + WORK, 1, what)?;
        if other != first {
            let problem = format!("its faces at sample {sample} are not those at sample 0");
            return Err(changing(archive.ogawa.file, name, problem));
        }
    }
    let fault =
        |x: f64| malformed(archive.ogawa.file, what(), format!("{x} as a number of corners or a corner"));
    let whole = |x: f64| if (0.0..4e9).contains(&x) { Ok(x as u32) } else { Err(fault(x)) };
    samples.numbers(first).map(whole).collect()
}

fn changing(file: &str, name: &str, problem: String) -> Error {
    Error::Unsupported {
        file: file.to_owned(),
        what: format!("mesh '{name}' with triangles that change ({problem})"),
        advice: "all frames of a clip need the same triangles".into(),
    }
}

impl Points {
    /// Replaces `out`, with as many positions as there are points, by those at a time. Positions
    /// between samples are interpolated linearly.
    pub(super) fn at(&self, ogawa: &Ogawa, time: f64, out: &mut [[f64; 3]]) -> Result<()> {
        let (before, after, share) = self.samples.sampling.around(time, self.samples.n);
        let out = out.as_flattened_mut();
        for (x, value) in out.iter_mut().zip(self.samples.numbers(self.samples.bytes(ogawa, before)?)) {
            *x = value;
        }
        if before != after {
            for (x, next) in out.iter_mut().zip(self.samples.numbers(self.samples.bytes(ogawa, after)?)) {
                *x += share * (next - *x);
            }
        }
        Ok(())
    }

    /// Returns the positions of the first sample.
    pub(super) fn first<'a>(
        &self,
        ogawa: &Ogawa<'a>,
    ) -> Result<impl ExactSizeIterator<Item = [f64; 3]> + use<'a>> {
        let scalar = self.samples.scalar;
        let size = scalar.size();
        let bytes = self.samples.bytes(ogawa, 0)?;
        let coordinate = move |bytes: &[u8]| scalar.to_f64(bytes, false);
        let point = move |p: &[u8]| [&p[..size], &p[size..2 * size], &p[2 * size..]].map(coordinate);
        Ok(bytes.chunks_exact(3 * size).map(point))
    }

    /// Returns the samples of points that move, if they do.
    pub(super) fn moving(&self) -> Option<&Samples> {
        Some(&self.samples).filter(|samples| 1 < samples.n_stored())
    }
}
