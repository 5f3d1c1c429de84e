//! Arithmetic shared by scalar and vector code, so that one formula serves both and gives the same
//! bits.

use fearless_simd::{
    ExtractToken as _, Select as _, Simd, SimdBase as _, SimdFloat as _, SimdMask as _, f64x8, mask64x8,
};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// A boolean, or one for each lane.
pub(crate) trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {}

impl<M: Copy + BitAnd<Output = M> + BitOr<Output = M>> Mask for M {}

/// A number, or a vector of independent numbers, with correctly rounded f64 operations in each
/// lane.
///
/// No operation is ever fused, so a formula over `Real` rounds identically at every vector width.
/// Functions over `Real` must be `#[inline(always)]` and must not pass closures to library
/// functions: only code inlined into the dispatched loop is compiled for its vector instructions.
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    type Mask: Mask;

    /// The unit roundoff.
    const UNIT: f64 = f64::EPSILON / 2.0;

    /// `value` in every lane.
    fn constant(self, value: f64) -> Self;
    fn abs(self) -> Self;
    /// The square root; NaN for negative numbers.
    fn sqrt(self) -> Self;
    /// The larger of two numbers that are not NaN.
    fn max(self, other: Self) -> Self;
    /// The smaller of two numbers that are not NaN.
    fn min(self, other: Self) -> Self;
    fn lt(self, other: Self) -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the mask holds in any lane.
    fn any(mask: Self::Mask) -> bool;
}

impl Real for f64 {
    type Mask = bool;

    #[inline(always)]
    fn constant(self, value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        if other < self { self } else { other }
    }
    #[inline(always)]
    fn min(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn lt(self, other: f64) -> bool {
        self < other
    }
    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

/// Eight f64 lanes on every processor: one register with AVX-512, two with AVX2, four with SSE2 or
/// NEON. Two independent chains of operations also hide latency better than one.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S: Simd>(pub(crate) f64x8<S>);

impl<S: Simd> Real for Lanes<S> {
    type Mask = mask64x8<S>;

    #[inline(always)]
    fn constant(self, value: f64) -> Self {
        Lanes(f64x8::<S>::splat(self.0.token(), value))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Lanes(self.0.abs())
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Lanes(self.0.sqrt())
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Lanes(self.0.max(other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Lanes(self.0.min(other.0))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> mask64x8<S> {
        self.0.simd_lt(other.0)
    }
    #[inline(always)]
    fn select(mask: mask64x8<S>, yes: Self, no: Self) -> Self {
        Lanes(mask.select(yes.0, no.0))
    }
    #[inline(always)]
    fn any(mask: mask64x8<S>) -> bool {
        mask.any_true()
    }
}

/// Forwards operators of [`Lanes`] to the vector inside.
macro_rules! forward {
    ($($operator:ident::$function:ident),*) => {$(
        impl<S: Simd> $operator for Lanes<S> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Lanes($operator::$function(self.0, other.0))
            }
        }
    )*};
}

forward!(Add::add, Sub::sub, Mul::mul, Div::div);

impl<S: Simd> Mul<f64> for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Lanes(self.0 * factor)
    }
}

impl<S: Simd> Neg for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Lanes(-self.0)
    }
}
