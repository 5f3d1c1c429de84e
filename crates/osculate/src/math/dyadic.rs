//! Dyadic numbers `n / 2^e`, at which the exact stage cuts the time axis.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;

/// The number `numerator / 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub(crate) numerator: BigInt,
    pub(crate) exponent: u32,
}

impl Dyadic {
    pub(crate) fn zero() -> Dyadic {
        Dyadic { numerator: BigInt::zero(), exponent: 0 }
    }

    pub(crate) fn one() -> Dyadic {
        Dyadic { numerator: BigInt::one(), exponent: 0 }
    }

    /// `(self + other) / 2`.
    pub(crate) fn midpoint(&self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent.max(other.exponent);
        Dyadic { numerator: self.over(exponent) + other.over(exponent), exponent: exponent + 1 }
    }

    /// The numerator over `2^exponent`; `exponent` must not be less than the number's own.
    fn over(&self, exponent: u32) -> BigInt {
        &self.numerator << (exponent - self.exponent)
    }

    /// The largest f64 on the grid of 2^-53 that is not above this number, which must be in [0, 1].
    pub(crate) fn to_f64_down(&self) -> f64 {
        self.on_grid(false)
    }

    /// The smallest f64 on the grid of 2^-53 that is not below this number, which must be in [0,
    /// 1].
    pub(crate) fn to_f64_up(&self) -> f64 {
        self.on_grid(true)
    }

    /// Every multiple of 2^-53 in [0, 1] is an f64.
    fn on_grid(&self, up: bool) -> f64 {
        const GRID: u32 = 53;
        let scaled = if self.exponent <= GRID {
            self.over(GRID)
        } else {
            let shift = self.exponent - GRID;
            let floor = &self.numerator >> shift;
            if up && &floor << shift != self.numerator { floor + 1 } else { floor }
        };
        // At most 2^53, so the conversion is exact.
        scaled.to_f64().unwrap_or(1.0) / (1u64 << GRID) as f64
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Dyadic) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let exponent = self.exponent.max(other.exponent);
        self.over(exponent).cmp(&other.over(exponent))
    }
}
