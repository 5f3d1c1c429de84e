//! Scalar and vector arithmetic, Bernstein polynomials with certified signs, and exact integers.

pub(crate) mod bernstein;
pub(crate) mod dispatch;
pub(crate) mod double;
pub(crate) mod dyadic;
pub(crate) mod form;
pub(crate) mod form_roots;
pub(crate) mod integer;
pub(crate) mod orient;
pub(crate) mod polynomial;
pub(crate) mod real;
pub(crate) mod sturm;
pub(crate) mod vector;
pub(crate) mod wide;
