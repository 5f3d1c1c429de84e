//! Transforms (`AbcGeom_Xform`): operations, and their channels at each sample.

use super::archive::Archive;
use super::ogawa::{Group, Ogawa};
use super::property::{Property, Samples, WORK, properties};
use crate::bytes::Budget;
use crate::error::{Result, malformed};
use crate::skin::{Affine, compose};
use crate::stage::IDENTITY;

/// Most operations of a transform, as Alembic has it.
const MAX_OPERATIONS: usize = 255;

/// An operation; angles are in degrees.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Scale,
    Translate,
    /// About an axis that channels give.
    Rotate,
    /// About axis 0, 1 or 2.
    RotateAbout(usize),
    Matrix,
}

/// A transform, relative to the one above.
#[derive(Debug, Default)]
pub(super) struct Xform {
    operations: Vec<Operation>,
    channels: Option<Samples>,
    /// Whether the transforms above are applied, too; they are if there is no sample.
    inherits: Option<Samples>,
}

impl Operation {
    /// Returns the operation with a number in its upper four bits.
    fn of(code: u8) -> Option<Self> {
        Some(match code >> 4 {
            0 => Operation::Scale,
            1 => Operation::Translate,
            2 => Operation::Rotate,
            3 => Operation::Matrix,
            about @ 4..=6 => Operation::RotateAbout(about as usize - 4),
            _ => return None,
        })
    }

    fn n_channels(self) -> usize {
        match self {
            Operation::Scale | Operation::Translate => 3,
            Operation::Rotate => 4,
            Operation::RotateAbout(_) => 1,
            Operation::Matrix => 16,
        }
    }

    /// Returns the map; there are as many channels as it has.
    fn to_affine(self, channels: &[f64]) -> Affine {
        match (self, channels) {
            (Operation::Scale, &[x, y, z]) => [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]],
            (Operation::Translate, &[x, y, z]) => {
                [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
            }
            (Operation::Rotate, &[x, y, z, angle]) => rotation([x, y, z], angle),
            (Operation::RotateAbout(axis), &[angle]) => {
                rotation(std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 }), angle)
            }
            // Points are rows, so that columns are the rows of the file.
            (Operation::Matrix, m) if m.len() == 16 => {
                std::array::from_fn(|i| std::array::from_fn(|j| m[4 * j + i]))
            }
            _ => IDENTITY,
        }
    }
}

/// Returns the rotation about an axis of any length by an angle in degrees; the identity for an
/// axis of length 0.
fn rotation(axis: [f64; 3], degrees: f64) -> Affine {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length.is_nan() || length <= 0.0 {
        return IDENTITY;
    }
    let [x, y, z] = axis.map(|coordinate| coordinate / length);
    let (s, c) = degrees.to_radians().sin_cos();
    let k = 1.0 - c;
    // Rodrigues: R = c I + s [a]× + (1 - c) a aᵀ.
    [
        [c + k * x * x, k * x * y - s * z, k * x * z + s * y, 0.0],
        [k * x * y + s * z, c + k * y * y, k * y * z - s * x, 0.0],
        [k * x * z - s * y, k * y * z + s * x, c + k * z * z, 0.0],
    ]
}

impl Xform {
    /// Returns the transform in the compound `.xform` of an object.
    pub(super) fn read(archive: &Archive, group: &Group, name: &str, budget: &mut Budget) -> Result<Self> {
        let fault = |problem: String| malformed(archive.ogawa.file, format!("transform '{name}'"), problem);
        let mut xform = Xform::default();
        for (name, property) in properties(archive, group, &[".ops", ".vals", ".inherits"], budget)? {
            let Property::Samples(samples) = property else { continue };
            match name.as_str() {
                ".ops" => {
                    let codes = samples.bytes(&archive.ogawa, 0)?;
                    if MAX_OPERATIONS < codes.len() {
                        let problem = format!("{} operations, but {MAX_OPERATIONS} are allowed", codes.len());
                        return Err(fault(problem));
                    }
                    let size = size_of::<Operation>();
                    budget.charge(codes.len(), size, || "the operations of transforms".into())?;
                    let operation = |&code: &u8| {
                        Operation::of(code)
                            .ok_or_else(|| fault(format!("operation {} is not known", code >> 4)))
                    };
                    xform.operations = codes.iter().map(operation).collect::<Result<_>>()?;
                }
                ".vals" => xform.channels = Some(samples),
                _ => xform.inherits = Some(samples),
            }
        }
        let needed: usize = xform.operations.iter().map(|operation| operation.n_channels()).sum();
        let Some(channels) = &xform.channels else {
            // Operations without values have no effect.
            xform.operations = Vec::new();
            return Ok(xform);
        };
        budget.work(channels.n_stored(), WORK, || "the samples of transforms".into())?;
        for sample in channels.stored() {
            let n = channels.bytes(&archive.ogawa, sample)?.len() / channels.scalar.size();
            if n != needed {
                return Err(fault(format!(
                    "its operations need {needed} numbers, but sample {sample} has {n}"
                )));
            }
        }
        Ok(xform)
    }

    /// Returns whether the transforms above are applied at a time, too.
    pub(super) fn inherits(&self, ogawa: &Ogawa, time: f64) -> Result<bool> {
        let Some(samples) = &self.inherits else { return Ok(true) };
        Ok(samples.number_at(ogawa, time)? != Some(0.0))
    }

    /// Returns the map at a time: the product of the operations, of which the last one is applied
    /// first. Channels between samples are interpolated linearly.
    pub(super) fn at(&self, ogawa: &Ogawa, time: f64) -> Result<Affine> {
        let Some(samples) = &self.channels else { return Ok(IDENTITY) };
        let (before, after, share) = samples.sampling.around(time, samples.n);
        let mut channels: Vec<f64> = samples.numbers(samples.bytes(ogawa, before)?).collect();
        if before != after {
            for (x, next) in channels.iter_mut().zip(samples.numbers(samples.bytes(ogawa, after)?)) {
                *x += share * (next - *x);
            }
        }
        let mut map = IDENTITY;
        let mut rest = &channels[..];
        for operation in &self.operations {
            let (of_operation, others) = rest.split_at(operation.n_channels().min(rest.len()));
            map = compose(&map, &operation.to_affine(of_operation));
            rest = others;
        }
        Ok(map)
    }

    /// Returns the samples of what moves, if anything does.
    pub(super) fn moving(&self) -> Option<&Samples> {
        self.channels.as_ref().filter(|samples| 1 < samples.n_stored())
    }
}
