//! The exact decision in fixed-width integers: for coordinates that are integers of at most
//! [`COORDINATE_BITS`](crate::math::form::COORDINATE_BITS) bits over a common power of two.

use super::{Arithmetic, Ends, Span};
use crate::math::form::{COORDINATE_BITS, Coefficient, Quadratic};
use crate::math::form_roots::{Root, Roots};
use crate::math::integer::IntegerPoints;
use crate::math::wide::Wide as Integer;

/// Each point's coordinates at both ends of the step: `[point][axis][t]`.
pub(super) struct Wide([[[i128; 2]; 3]; 4]);

impl Wide {
    /// A coordinate difference at both ends of the step, of at most `COORDINATE_BITS + 1` bits.
    #[inline(always)]
    fn span(&self, (from, to): Span, axis: usize) -> [Integer<2>; 2] {
        let (from, to) = (&self.0[from][axis], &self.0[to][axis]);
        [(to[0] - from[0]).into(), (to[1] - from[1]).into()]
    }
}

impl Wide {
    /// The form `d . normal`. A coefficient sums up to 18 products of three differences.
    pub(super) fn cubic(&self, d: Span, normal: &[Quadratic; 3]) -> [Coefficient; 4] {
        let mut cubic = [Integer::ZERO; 4];
        for (axis, n) in normal.iter().enumerate() {
            let [d0, d1] = &self.span(d, axis);
            let product = |d: &Integer<2>, i: usize| Integer::product(&n[i], d);
            cubic[0] = cubic[0] + product(d0, 0);
            cubic[1] = cubic[1] + product(d0, 1) + product(d1, 0);
            cubic[2] = cubic[2] + product(d0, 2) + product(d1, 1);
            cubic[3] = cubic[3] + product(d1, 2);
        }
        cubic
    }
}

/// The product of two linear forms.
#[inline(always)]
fn product(a: &[Integer<2>; 2], b: &[Integer<2>; 2]) -> Quadratic {
    let product = |i: usize, j: usize| Integer::product(&a[i], &b[j]);
    [product(0, 0), product(0, 1) + product(1, 0), product(1, 1)]
}

impl Arithmetic for Wide {
    type Quadratic = Quadratic;
    type Roots = Roots;
    type Root = Root;

    fn new(points: &[Ends<f64>; 4]) -> Option<Wide> {
        let ends: [&[f64; 3]; 8] = std::array::from_fn(|i| &points[i / 2][i % 2]);
        let ends = IntegerPoints::new(ends);
        (ends.bits <= COORDINATE_BITS).then(|| {
            let ends = ends.small();
            Wide(std::array::from_fn(|k| {
                std::array::from_fn(|axis| [ends[2 * k][axis], ends[2 * k + 1][axis]])
            }))
        })
    }

    fn cross(&self, a: Span, b: Span, axis: usize) -> Quadratic {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let plus = product(&self.span(a, i), &self.span(b, j));
        let minus = product(&self.span(a, j), &self.span(b, i));
        std::array::from_fn(|k| plus[k] - minus[k])
    }

    fn dot(&self, a: Span, b: Span) -> Quadratic {
        let [x, y, z] = [0, 1, 2].map(|axis| product(&self.span(a, axis), &self.span(b, axis)));
        std::array::from_fn(|k| x[k] + y[k] + z[k])
    }

    fn is_zero(q: &Quadratic) -> bool {
        q.iter().all(Integer::is_zero)
    }

    fn sign_at_start(q: &Quadratic) -> i8 {
        q[0].sign()
    }

    fn roots_of_cubic(&self, d: Span, normal: &[Quadratic; 3]) -> Option<Option<Roots>> {
        let cubic = self.cubic(d, normal);
        if cubic.iter().all(Integer::is_zero) { Some(None) } else { Roots::of(&cubic).map(Some) }
    }

    fn roots(q: &Quadratic) -> Option<Roots> {
        Roots::of(&q.each_ref().map(|c| c.resize()))
    }

    fn find(roots: &Roots, mut test: impl FnMut(&Root) -> Option<bool>) -> Option<Option<Root>> {
        for root in roots.iter() {
            let root = roots.shortened(root)?;
            if test(&root)? {
                return Some(Some(root));
            }
        }
        Some(None)
    }

    fn sign(roots: &Roots, root: &Root, h: &Quadratic) -> Option<i8> {
        roots.sign(root, h)
    }

    fn bracket(roots: &Roots, root: &Root, width: f64) -> Option<(f64, f64)> {
        roots.bracket(root, width)
    }
}
