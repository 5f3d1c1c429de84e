//! The corners that two triangles share as vertices of their mesh.

use crate::math::orient::Point;

/// The corners that two triangles share by vertex index, not by position.
///
/// The positions of a shared corner are expected to be equal in both triangles, as they are when
/// both are read from one pose. Where they differ, the corner counts as not shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    n: u8,
    /// Corner `a[i]` of the first triangle is corner `b[i]` of the second, for i < n.
    a: [u8; 3],
    b: [u8; 3],
}

impl Shared {
    /// No shared corners.
    pub const NONE: Shared = Shared { n: 0, a: [0; 3], b: [0; 3] };

    /// Returns the shared corners of two triangles with these vertex indices. A vertex that a
    /// triangle names twice counts once.
    #[inline]
    #[must_use]
    pub fn between(a: [u32; 3], b: [u32; 3]) -> Shared {
        let mut shared = Shared::NONE;
        for i in 0..3 {
            let repeated = a[..i].contains(&a[i]);
            if let Some(j) = b.iter().position(|v| *v == a[i] && !repeated) {
                shared.push(i as u8, j as u8);
            }
        }
        shared
    }

    /// Returns the number of shared vertices: 0 to 3.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        usize::from(self.n)
    }

    /// Returns the shared corners whose positions are equal.
    #[inline]
    pub(super) fn confirmed(self, a: &[Point; 3], b: &[Point; 3]) -> Shared {
        let mut confirmed = Shared::NONE;
        for (i, j) in self.corners() {
            if a[i] == b[j] {
                confirmed.push(i as u8, j as u8);
            }
        }
        confirmed
    }

    /// Returns the shared corners, as pairs of a corner of the first and one of the second
    /// triangle.
    #[inline]
    pub(super) fn corners(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.count()).map(move |i| (usize::from(self.a[i]), usize::from(self.b[i])))
    }

    /// Returns the set of shared corners of the first triangle: bit i for corner i.
    #[inline]
    pub(crate) fn corners_of_a(self) -> u8 {
        self.corners().fold(0, |set, (i, _)| set | 1 << i)
    }

    /// Returns the set of shared corners of the second triangle: bit j for corner j.
    #[inline]
    pub(crate) fn corners_of_b(self) -> u8 {
        self.corners().fold(0, |set, (_, j)| set | 1 << j)
    }

    #[inline]
    fn push(&mut self, a: u8, b: u8) {
        self.a[usize::from(self.n)] = a;
        self.b[usize::from(self.n)] = b;
        self.n += 1;
    }
}
