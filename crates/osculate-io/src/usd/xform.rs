//! Transforms of prims (`UsdGeomXformable`): a list of operations, of which the first is the outer
//! one. Matrices of the file multiply rows, those here columns.

use openusd::sdf::Value;

use super::compose::Prim;
use super::layer::Layers;
use super::numbers::{Numbers, size_of_tokens, tokens};
use super::samples::Samples;
use crate::error::{Result, malformed};
use crate::skin::{Affine, compose};
use crate::stage::IDENTITY;

/// Most operations of a prim.
const MAX_OPERATIONS: usize = 1000;

/// The transform of a prim.
#[derive(Clone, Debug, Default)]
pub(super) struct Xform {
    operations: Vec<Operation>,
    /// Whether it is not relative to the prim above.
    pub(super) is_reset: bool,
}

#[derive(Clone, Debug)]
struct Operation {
    kind: Kind,
    is_inverse: bool,
    samples: Samples<Numbers>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Translate,
    TranslateOne(usize),
    Scale,
    ScaleOne(usize),
    /// Around one axis after the other.
    Rotate([usize; 3]),
    RotateOne(usize),
    Orient,
    Transform,
}

impl Kind {
    /// Returns the kind of an operation, and how many numbers it has.
    fn of(name: &str) -> Option<(Self, usize)> {
        Some(match name {
            "translate" => (Kind::Translate, 3),
            "translateX" => (Kind::TranslateOne(0), 1),
            "translateY" => (Kind::TranslateOne(1), 1),
            "translateZ" => (Kind::TranslateOne(2), 1),
            "scale" => (Kind::Scale, 3),
            "scaleX" => (Kind::ScaleOne(0), 1),
            "scaleY" => (Kind::ScaleOne(1), 1),
            "scaleZ" => (Kind::ScaleOne(2), 1),
            "rotateX" => (Kind::RotateOne(0), 1),
            "rotateY" => (Kind::RotateOne(1), 1),
            "rotateZ" => (Kind::RotateOne(2), 1),
            "rotateXYZ" => (Kind::Rotate([0, 1, 2]), 3),
            "rotateXZY" => (Kind::Rotate([0, 2, 1]), 3),
            "rotateYXZ" => (Kind::Rotate([1, 0, 2]), 3),
            "rotateYZX" => (Kind::Rotate([1, 2, 0]), 3),
            "rotateZXY" => (Kind::Rotate([2, 0, 1]), 3),
            "rotateZYX" => (Kind::Rotate([2, 1, 0]), 3),
            "orient" => (Kind::Orient, 4),
            "transform" => (Kind::Transform, 16),
            _ => return None,
        })
    }
}

impl Xform {
    /// Returns the transform of a prim.
    pub(super) fn read(prim: &Prim, layers: &Layers) -> Result<Self> {
        let mut xform = Self::default();
        let fault = |problem: String| malformed(layers.file, format!("prim {}", prim.path), problem);
        let order = prim.samples(layers, "xformOpOrder", tokens, |v| size_of_tokens(v))?;
        let Some(order) = order else { return Ok(xform) };
        if MAX_OPERATIONS < order.first().len() {
            return Err(fault(format!("it has more than {MAX_OPERATIONS} operations of its transform")));
        }
        for name in order.first() {
            if name == "!resetXformStack!" {
                // It counts from here on, wherever it is.
                xform = Self { is_reset: true, ..Self::default() };
                continue;
            }
            let (is_inverse, name) = match name.strip_prefix("!invert!") {
                Some(name) => (true, name),
                None => (false, name.as_str()),
            };
            let kind = name.strip_prefix("xformOp:").and_then(|rest| Kind::of(rest.split(':').next()?));
            let (kind, n) = kind.ok_or_else(|| fault(format!("there is no operation {name}")))?;
            let Some(samples) = prim.samples(layers, name, Numbers::of, Numbers::size)? else { continue };
            if samples.values.iter().any(|numbers| numbers.len() != n) {
                return Err(fault(format!("{name} needs {n} numbers")));
            }
            xform.operations.push(Operation { kind, is_inverse, samples });
        }
        Ok(xform)
    }

    /// Returns the map into the space of the prim above, at a time.
    pub(super) fn at(&self, time: f64) -> Affine {
        let mut map = IDENTITY;
        for operation in &self.operations {
            let own = operation.at(time);
            // A singular map has no inverse, and stands for none.
            let own = if operation.is_inverse { inverse(&own).unwrap_or(IDENTITY) } else { own };
            map = compose(&map, &own);
        }
        map
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty() && !self.is_reset
    }

    /// Returns the times of what moves.
    pub(super) fn moving(&self) -> impl Iterator<Item = &[f64]> {
        self.operations.iter().filter_map(|operation| operation.samples.moving())
    }
}

impl Operation {
    fn at(&self, time: f64) -> Affine {
        let (samples, zero) = (&self.samples, [0.0; 3]);
        let one = |axis: usize, of: f64, others: f64| {
            let mut values = [others; 3];
            values[axis] = of;
            values
        };
        match self.kind {
            Kind::Translate => scaled_and_moved([1.0; 3], samples.triple(time, 0)),
            Kind::TranslateOne(axis) => scaled_and_moved([1.0; 3], one(axis, samples.get(time, 0), 0.0)),
            Kind::Scale => scaled_and_moved(samples.triple(time, 0), zero),
            Kind::ScaleOne(axis) => scaled_and_moved(one(axis, samples.get(time, 0), 1.0), zero),
            Kind::RotateOne(axis) => turn(axis, samples.get(time, 0)),
            Kind::Rotate(axes) => {
                let angles = samples.triple(time, 0);
                axes.iter().fold(IDENTITY, |map, &axis| compose(&turn(axis, angles[axis]), &map))
            }
            Kind::Orient => rotation(samples.quaternion(time, 0)),
            Kind::Transform => affine(&samples.matrix(time, 0)),
        }
    }
}

/// Returns the map that scales, and then moves.
pub(super) fn scaled_and_moved(scale: [f64; 3], by: [f64; 3]) -> Affine {
    let [x, y, z] = scale;
    [[x, 0.0, 0.0, by[0]], [0.0, y, 0.0, by[1]], [0.0, 0.0, z, by[2]]]
}

/// Returns the rotation around an axis by degrees.
fn turn(axis: usize, degrees: f64) -> Affine {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut map = IDENTITY;
    (map[i][i], map[j][j]) = (cosine, cosine);
    (map[j][i], map[i][j]) = (sine, -sine);
    map
}

/// Returns the rotation of a unit quaternion.
pub(super) fn rotation([w, x, y, z]: [f64; 4]) -> Affine {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), 0.0],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), 0.0],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), 0.0],
    ]
}

/// Returns the map of a matrix that multiplies rows.
pub(super) fn affine(m: &[f64; 16]) -> Affine {
    [0, 1, 2].map(|j| [0, 1, 2, 3].map(|i| m[4 * i + j]))
}

/// Returns the matrix in a value.
pub(super) fn matrix_of(value: &Value) -> Option<Affine> {
    match value {
        Value::Matrix4d(m) => Some(affine(&m.0)),
        _ => None,
    }
}

/// Returns the inverse map; `None` if it is singular.
pub(super) fn inverse(m: &Affine) -> Option<Affine> {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let [x, y, z, t]: [[f64; 3]; 4] = std::array::from_fn(|j| [m[0][j], m[1][j], m[2][j]]);
    let rows = [cross(y, z), cross(z, x), cross(x, y)];
    let det = dot(x, rows[0]);
    if det == 0.0 || !det.is_finite() {
        return None;
    }
    Some(rows.map(|row| {
        let row = row.map(|v| v / det);
        [row[0], row[1], row[2], -dot(row, t)]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::apply;

    #[test]
    fn turns_are_counterclockwise() {
        assert!((apply(&turn(2, 90.0), [1.0, 0.0, 0.0])[1] - 1.0).abs() < 1e-15);
        assert!((apply(&turn(0, 90.0), [0.0, 1.0, 0.0])[2] - 1.0).abs() < 1e-15);
        let half = 0.5f64.sqrt();
        assert!((apply(&rotation([half, 0.0, 0.0, half]), [1.0, 0.0, 0.0])[1] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn inverses() {
        let map = compose(&scaled_and_moved([2.0, -3.0, 0.5], [1.0, 2.0, 3.0]), &turn(1, 33.0));
        let back = compose(&inverse(&map).unwrap(), &map);
        let off = back.as_flattened().iter().zip(IDENTITY.as_flattened()).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-14, "{back:?}");
        assert_eq!(inverse(&scaled_and_moved([1.0, 0.0, 1.0], [0.0; 3])), None);
    }
}
