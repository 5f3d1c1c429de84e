//! The referee of two triangles: what they have in common as the solutions of a linear program, in
//! integers.
//!
//! A common point is `sum x_i a_i = sum y_j b_j` with non-negative weights x and y that sum to one
//! each. These (x, y) form a polytope, whose corners are found by brute force: every choice of
//! corners of `a` and of `b` whose weights are then determined uniquely. Everything asked is read
//! off those: the common points are the hull of the corners' points, and relative interiors meet if
//! and only if every weight is positive somewhere. No case is special here: not shared planes, not
//! triangles without area, not corners on edges.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};
use osculate::narrow::Relation;

type Vector = [BigInt; 3];

/// A common point, as numerators over one positive denominator.
struct Common {
    numerator: Vector,
    denominator: BigInt,
}

/// What two triangles have in common.
pub(crate) struct Meeting {
    /// Corners of `a`, then of `b`, times a common power of two.
    corners: [Vector; 6],
    exponent: i32,
    common: Vec<Common>,
    /// The corners that have a positive weight in some common point.
    used: [bool; 6],
}

impl Meeting {
    pub(crate) fn new(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> Meeting {
        let (corners, exponent) = integers([a[0], a[1], a[2], b[0], b[1], b[2]]);
        let mut meeting = Meeting { corners, exponent, common: Vec::new(), used: [false; 6] };
        for subset in 1u32..63 {
            let columns: Vec<usize> = (0..6).filter(|i| subset >> i & 1 == 1).collect();
            if subset & 7 == 0 || subset >> 3 == 0 || columns.len() > 5 {
                continue;
            }
            if let Some((weights, denominator)) = meeting.solve(&columns) {
                meeting.add(&columns, &weights, denominator);
            }
        }
        meeting
    }

    /// Whether the closed triangles have a point in common.
    pub(crate) fn meets(&self) -> bool {
        !self.common.is_empty()
    }

    /// Dimension of the common part: none if it is empty, 0 for a point, 1 for a segment, 2 for an
    /// area.
    pub(crate) fn dimension(&self) -> Option<usize> {
        let first = self.common.first()?;
        Some(rank(self.common.iter().map(|p| difference(p, &first.numerator, &first.denominator)).collect()))
    }

    /// The relation as documented, for triangles that share the given corners of `a`.
    pub(crate) fn relation(&self, shared: &[usize]) -> Relation {
        let area = self.dimension() == Some(2);
        let beyond = match shared {
            [] => self.meets(),
            [v] => self.common.iter().any(|p| !self.between(p, *v, *v)),
            [v, w] => self.common.iter().any(|p| !self.between(p, *v, *w)),
            _ => area,
        };
        if !beyond {
            Relation::Separate
        } else if area {
            Relation::Overlapping
        } else if self.used == [true; 6] && self.span() == 3 {
            Relation::Piercing
        } else {
            Relation::Touching
        }
    }

    /// Whether all six corners are in one plane.
    pub(crate) fn is_flat(&self) -> bool {
        let across: Vector = std::array::from_fn(|k| &self.corners[3][k] - &self.corners[0][k]);
        rank([&self.edges(0)[..], &self.edges(3)[..], &[across]].concat()) < 3
    }

    /// The common points that determine all others, rounded.
    pub(crate) fn points(&self) -> Vec<[f64; 3]> {
        let round = |p: &Common| p.numerator.each_ref().map(|n| quotient(n, &p.denominator, self.exponent));
        self.common.iter().map(round).collect()
    }

    fn span(&self) -> usize {
        rank([self.edges(0), self.edges(3)].concat())
    }

    fn edges(&self, k: usize) -> [Vector; 2] {
        let from =
            |i: usize| -> Vector { std::array::from_fn(|c| &self.corners[i][c] - &self.corners[k][c]) };
        [from(k + 1), from(k + 2)]
    }

    /// Whether a common point is on the segment from corner v to corner w.
    fn between(&self, p: &Common, v: usize, w: usize) -> bool {
        let one = BigInt::from(1);
        let (from_v, from_w) = (difference(p, &self.corners[v], &one), difference(p, &self.corners[w], &one));
        let dot: BigInt = (0..3).map(|k| &from_v[k] * &from_w[k]).sum();
        cross(&from_v, &from_w).iter().all(BigInt::is_zero) && !dot.is_positive()
    }

    /// Solves for the weights of the chosen corners, by fraction-free elimination; none unless
    /// there is exactly one solution and it has no negative weight. Returns numerators and their
    /// positive denominator.
    fn solve(&self, columns: &[usize]) -> Option<(Vec<BigInt>, BigInt)> {
        let n = columns.len();
        let entry = |row: usize, i: usize| match (row, i < 3) {
            (0..3, true) => self.corners[i][row].clone(),
            (0..3, false) => -self.corners[i][row].clone(),
            (3, first) => BigInt::from(u8::from(first)),
            (_, first) => BigInt::from(u8::from(!first)),
        };
        let mut rows: Vec<Vec<BigInt>> = (0..5)
            .map(|row| {
                let right = BigInt::from(u8::from(row >= 3));
                columns.iter().map(|i| entry(row, *i)).chain([right]).collect()
            })
            .collect();
        let mut previous = BigInt::from(1);
        for c in 0..n {
            let pivot = (c..5).find(|r| !rows[*r][c].is_zero())?;
            rows.swap(c, pivot);
            let row = rows[c].clone();
            for (r, other) in rows.iter_mut().enumerate().filter(|(r, _)| *r != c) {
                let factor = other[c].clone();
                for k in 0..=n {
                    // Columns that are solved already hold zeros, but for their own row.
                    if k < c && k != r {
                        continue;
                    }
                    other[k] = (&row[c] * &other[k] - &factor * &row[k]) / &previous;
                }
            }
            previous = row[c].clone();
        }
        if rows[n..].iter().any(|row| !row[n].is_zero()) {
            return None;
        }
        let sign = if previous.is_negative() { BigInt::from(-1) } else { BigInt::from(1) };
        let weights: Vec<BigInt> = rows[..n].iter().map(|row| &row[n] * &sign).collect();
        weights.iter().all(|w| !w.is_negative()).then(|| (weights, previous * sign))
    }

    fn add(&mut self, columns: &[usize], weights: &[BigInt], denominator: BigInt) {
        let mut numerator = Vector::default();
        for (i, weight) in columns.iter().zip(weights) {
            self.used[*i] |= weight.is_positive();
            if *i < 3 {
                for (sum, x) in numerator.iter_mut().zip(&self.corners[*i]) {
                    *sum += weight * x;
                }
            }
        }
        self.common.push(Common { numerator, denominator });
    }
}

/// A positive multiple of p - numerator / denominator.
fn difference(p: &Common, numerator: &Vector, denominator: &BigInt) -> Vector {
    std::array::from_fn(|k| &p.numerator[k] * denominator - &numerator[k] * &p.denominator)
}

fn cross(p: &Vector, q: &Vector) -> Vector {
    std::array::from_fn(|k| &p[(k + 1) % 3] * &q[(k + 2) % 3] - &p[(k + 2) % 3] * &q[(k + 1) % 3])
}

fn rank(mut vectors: Vec<Vector>) -> usize {
    vectors.retain(|v| !v.iter().all(BigInt::is_zero));
    let Some(first) = vectors.first() else { return 0 };
    let normals = vectors.iter().map(|v| cross(first, v));
    let Some(normal) = normals.into_iter().find(|n| !n.iter().all(BigInt::is_zero)) else { return 1 };
    let off_plane = |v: &Vector| !(0..3).map(|k| &normal[k] * &v[k]).sum::<BigInt>().is_zero();
    if vectors.iter().any(off_plane) { 3 } else { 2 }
}

/// The points as integers and the e for which a coordinate is its integer times 2^e.
fn integers(points: [[f64; 3]; 6]) -> ([Vector; 6], i32) {
    let exponent = |x: f64| if x == 0.0 { i32::MAX } else { lowest_power(x) };
    let lowest = points.as_flattened().iter().map(|x| exponent(*x)).min().unwrap_or(0);
    let lowest = if lowest == i32::MAX { 0 } else { lowest };
    let integer = |x: f64| -> BigInt {
        let bits = x.abs().to_bits();
        let (fraction, field) = (bits & 0xf_ffff_ffff_ffff, (bits >> 52) as i32);
        let (mantissa, power) =
            if field == 0 { (fraction, -1074) } else { (fraction + (1 << 52), field - 1075) };
        let shift = power - lowest;
        let magnitude = BigInt::from(mantissa);
        let magnitude =
            if shift < 0 { magnitude >> shift.unsigned_abs() } else { magnitude << shift.unsigned_abs() };
        if x < 0.0 { -magnitude } else { magnitude }
    };
    (points.map(|p| p.map(integer)), lowest)
}

/// The largest e for which x is a multiple of 2^e.
fn lowest_power(x: f64) -> i32 {
    let bits = x.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let zeros = (bits & 0xf_ffff_ffff_ffff | 1 << 52).trailing_zeros() as i32;
    field.max(1) - 1075 + zeros
}

/// numerator / denominator * 2^exponent in f64.
fn quotient(numerator: &BigInt, denominator: &BigInt, exponent: i32) -> f64 {
    let shift = 80 + denominator.bits();
    let scaled: BigInt = (numerator << shift) / denominator;
    let (sign, bits) = (scaled.sign(), scaled.bits());
    let drop = bits.saturating_sub(64);
    let top = (scaled.magnitude() >> drop).to_f64().unwrap_or(f64::NAN);
    let magnitude = top * 2f64.powi(drop as i32 - shift as i32 + exponent);
    if sign == Sign::Minus { -magnitude } else { magnitude }
}
