//! The exact decision in big integers: for every finite coordinate, including subnormal and huge
//! ones, by counting sign variations (Sturm–Tarski) alone. It is the last resort, and the reference
//! for the faster arithmetic.

use super::{Arithmetic, Ends, Span};
use crate::math::dyadic::Dyadic;
use crate::math::integer::IntegerPoints;
use crate::math::polynomial::Polynomial;
use crate::math::sturm::{Root, Roots};

/// Each point's coordinates as polynomials in t.
pub(super) struct Big([[Polynomial; 3]; 4]);

impl Big {
    fn span(&self, (from, to): Span, axis: usize) -> Polynomial {
        &self.0[to][axis] - &self.0[from][axis]
    }
}

impl Arithmetic for Big {
    type Quadratic = Polynomial;
    type Roots = Roots;
    type Root = Root;

    fn new(points: &[Ends<f64>; 4]) -> Option<Big> {
        let ends: [&[f64; 3]; 8] = std::array::from_fn(|i| &points[i / 2][i % 2]);
        let ends = IntegerPoints::new(ends).big();
        Some(Big(std::array::from_fn(|k| {
            let (t0, t1) = (&ends[2 * k], &ends[2 * k + 1]);
            std::array::from_fn(|axis| Polynomial::new(vec![t0[axis].clone(), &t1[axis] - &t0[axis]]))
        })))
    }

    fn cross(&self, a: Span, b: Span, axis: usize) -> Polynomial {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        &(&self.span(a, i) * &self.span(b, j)) - &(&self.span(a, j) * &self.span(b, i))
    }

    fn dot(&self, a: Span, b: Span) -> Polynomial {
        let [x, y, z] = [0, 1, 2].map(|axis| &self.span(a, axis) * &self.span(b, axis));
        &(&x + &y) + &z
    }

    fn is_zero(q: &Polynomial) -> bool {
        q.is_zero()
    }

    fn sign_at_start(q: &Polynomial) -> i8 {
        q.sign_at(&Dyadic::zero())
    }

    fn roots_of_cubic(&self, d: Span, normal: &[Polynomial; 3]) -> Option<Option<Roots>> {
        let [x, y, z] = [0, 1, 2].map(|axis| &self.span(d, axis) * &normal[axis]);
        let cubic = &(&x + &y) + &z;
        Some((!cubic.is_zero()).then(|| Roots::of(&cubic)))
    }

    fn roots(q: &Polynomial) -> Option<Roots> {
        Some(Roots::of(q))
    }

    fn find(roots: &Roots, mut test: impl FnMut(&Root) -> Option<bool>) -> Option<Option<Root>> {
        for root in roots.iter() {
            if test(root)? {
                return Some(Some(root.clone()));
            }
        }
        Some(None)
    }

    fn sign(roots: &Roots, root: &Root, h: &Polynomial) -> Option<i8> {
        Some(roots.sign(root, h))
    }

    fn bracket(roots: &Roots, root: &Root, width: f64) -> Option<(f64, f64)> {
        Some(roots.bracket(root, width))
    }
}
