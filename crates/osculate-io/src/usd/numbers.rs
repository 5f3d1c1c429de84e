//! Numbers of attributes, in the precision of the file.

use openusd::sdf::Value;

use super::samples::Samples;

/// Numbers that stay as short as they were.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Numbers {
    pub(super) fn len(&self) -> usize {
        match self {
            Numbers::Single(v) => v.len(),
            Numbers::Double(v) => v.len(),
        }
    }

    /// Returns a number; 0 for a nonexistent one.
    pub(super) fn get(&self, i: usize) -> f64 {
        match self {
            Numbers::Single(v) => v.get(i).map_or(0.0, |&x| f64::from(x)),
            Numbers::Double(v) => v.get(i).copied().unwrap_or(0.0),
        }
    }

    /// Returns the three coordinates of a point.
    pub(super) fn point(&self, i: usize) -> [f64; 3] {
        [0, 1, 2].map(|k| self.get(3 * i + k))
    }

    pub(super) fn size(&self) -> usize {
        match self {
            Numbers::Single(v) => 4 * v.len(),
            Numbers::Double(v) => 8 * v.len(),
        }
    }

    /// Returns the numbers of scalars, vectors, quaternions (real part first) and matrices (row by
    /// row), or of an array of them; `None` for anything else.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let single = |v: &[f32]| Some(Numbers::Single(v.to_vec()));
        let double = |v: &[f64]| Some(Numbers::Double(v.to_vec()));
        Some(match value {
            Value::Float(x) => return single(&[*x]),
            Value::Double(x) => return double(&[*x]),
            Value::Half(x) => return single(&[x.to_f32()]),
            Value::Int(x) => return double(&[f64::from(*x)]),
            Value::Int64(x) => return double(&[*x as f64]),
            Value::FloatVec(v) => return single(v),
            Value::DoubleVec(v) => return double(v),
            Value::HalfVec(v) => Numbers::Single(v.iter().map(|x| x.to_f32()).collect()),
            Value::Vec3f(v) => return single(&[v.x, v.y, v.z]),
            Value::Vec3d(v) => return double(&[v.x, v.y, v.z]),
            Value::Vec3h(v) => return single(&[v.x, v.y, v.z].map(|x| x.to_f32())),
            Value::Vec3fVec(v) => Numbers::Single(v.iter().flat_map(|p| [p.x, p.y, p.z]).collect()),
            Value::Vec3dVec(v) => Numbers::Double(v.iter().flat_map(|p| [p.x, p.y, p.z]).collect()),
            Value::Vec3hVec(v) => {
                Numbers::Single(v.iter().flat_map(|p| [p.x, p.y, p.z].map(|x| x.to_f32())).collect())
            }
            Value::Quatf(q) => return single(&[q.w, q.x, q.y, q.z]),
            Value::Quatd(q) => return double(&[q.w, q.x, q.y, q.z]),
            Value::Quath(q) => return single(&[q.w, q.x, q.y, q.z].map(|x| x.to_f32())),
            Value::QuatfVec(v) => Numbers::Single(v.iter().flat_map(|q| [q.w, q.x, q.y, q.z]).collect()),
            Value::QuatdVec(v) => Numbers::Double(v.iter().flat_map(|q| [q.w, q.x, q.y, q.z]).collect()),
            Value::QuathVec(v) => {
                Numbers::Single(v.iter().flat_map(|q| [q.w, q.x, q.y, q.z].map(|x| x.to_f32())).collect())
            }
            Value::Matrix4d(m) => return double(&m.0),
            Value::Matrix4dVec(v) => Numbers::Double(v.iter().flat_map(|m| m.0).collect()),
            // An empty list has no type in some texts.
            Value::ValueVec(v) if v.is_empty() => Numbers::Single(Vec::new()),
            _ => return None,
        })
    }
}

/// Returns integers that are not negative.
pub(super) fn indices(value: &Value) -> Option<Vec<u32>> {
    match value {
        Value::IntVec(v) => v.iter().map(|&x| u32::try_from(x).ok()).collect(),
        Value::UintVec(v) => Some(v.clone()),
        Value::ValueVec(v) if v.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// Returns a token.
pub(super) fn token(value: &Value) -> Option<String> {
    match value {
        Value::Token(token) => Some(token.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns tokens.
pub(super) fn tokens(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::TokenVec(v) => Some(v.iter().map(|token| token.to_string()).collect()),
        Value::StringVec(v) => Some(v.clone()),
        Value::ValueVec(v) if v.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// Returns the memory of tokens.
pub(super) fn size_of_tokens(tokens: &[String]) -> usize {
    tokens.iter().map(|token| 64 + token.len()).sum()
}

impl Samples<Numbers> {
    /// Returns number `i` at a time: between samples of equal lengths, the linear interpolation.
    pub(super) fn get(&self, time: f64, i: usize) -> f64 {
        self.some(time, i, 1)[0]
    }

    /// Returns numbers from `first` on at a time; only the first `n` count.
    fn some(&self, time: f64, first: usize, n: usize) -> [f64; 16] {
        let (before, after, share) = self.around(time);
        let mut out = [0.0; 16];
        for (k, out) in out.iter_mut().enumerate().take(n) {
            let x = before.get(first + k);
            *out = x;
            if share != 0.0 && before.len() == after.len() {
                *out = x + share * (after.get(first + k) - x);
            }
        }
        out
    }

    /// Returns the `i`-th of the triples at a time.
    pub(super) fn triple(&self, time: f64, i: usize) -> [f64; 3] {
        let [x, y, z, ..] = self.some(time, 3 * i, 3);
        [x, y, z]
    }

    /// Returns the `i`-th of the matrices at a time, row by row.
    pub(super) fn matrix(&self, time: f64, i: usize) -> [f64; 16] {
        self.some(time, 16 * i, 16)
    }

    /// Returns the `i`-th of the unit quaternions at a time, by spherical interpolation on the
    /// shorter way.
    pub(super) fn quaternion(&self, time: f64, i: usize) -> [f64; 4] {
        let (before, after, share) = self.around(time);
        let at = |numbers: &Numbers| unit([0, 1, 2, 3].map(|k| numbers.get(4 * i + k)));
        let (p, q) = (at(before), at(after));
        if share == 0.0 || before.len() != after.len() {
            return p;
        }
        let dot: f64 = p.iter().zip(q).map(|(a, b)| a * b).sum();
        let (q, dot) = if dot < 0.0 { (q.map(|x| -x), -dot) } else { (q, dot) };
        let angle = dot.min(1.0).acos();
        let (a, b) = match angle.sin() {
            sine if 1e-6 < sine => (((1.0 - share) * angle).sin() / sine, (share * angle).sin() / sine),
            _ => (1.0 - share, share),
        };
        unit([0, 1, 2, 3].map(|k| a * p[k] + b * q[k]))
    }
}

/// Returns the unit quaternion of the same rotation; no rotation for one without a length.
fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length.is_finite() && 0.0 < length { q.map(|x| x / length) } else { [1.0, 0.0, 0.0, 0.0] }
}
