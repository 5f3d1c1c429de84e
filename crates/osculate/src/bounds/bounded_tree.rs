//! A hierarchy with bounds that are refitted to every step, and built anew when they have become
//! too loose.
//!
//! The hierarchy of a model is good at the pose that it was built at. As a body deforms, its
//! refitted bounds become loose, and every query pays for it. A body then gets a hierarchy of its
//! own, built at its present pose, as soon as the queries since the last one was built have paid
//! about as much extra as a new one costs. So the total is never far above twice the best that is
//! possible, whatever the motion. Which answer a query gets does not depend on it.

use super::Reach;
use super::volume::{Pick, Volume, Volumes, WithBounds};
use crate::hierarchy::Hierarchy;
use crate::motion::Line;
use std::sync::Arc;

/// Looseness that nobody pays for, as a multiple of that of a new hierarchy. Animated characters
/// stay below it.
const FREE_LOOSENESS: f64 = 1.25;

/// Extra looseness, summed over queries, at which a new hierarchy has paid for itself, as a
/// multiple of that of a new hierarchy.
///
/// Measured on a sheet that wraps around a ball, on a bar that is twisted, and on flying triangles:
/// one more multiple costs a query between 10 and 70 tests of bounds for each triangle, 80 to 500
/// ns; to build costs 1,700 ns. Too small: queries wait for hierarchies that do not pay. Too large:
/// queries with loose bounds go on for longer.
const PRICE: f64 = 8.0;

/// A hierarchy, its bounds of each kind that has been asked for, and how loose they have been.
pub(crate) struct BoundedTree {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) volumes: Volumes,
    /// The looseness of the hierarchy at the pose that it was built at; NaN if nobody asks.
    looseness_as_built: f64,
    /// The extra looseness of all queries since then.
    extra: f64,
}

impl BoundedTree {
    /// A hierarchy whose bounds were so loose at the pose that it was built at, without bounds.
    pub(crate) fn new(hierarchy: Arc<Hierarchy>, looseness_as_built: f64) -> BoundedTree {
        BoundedTree { hierarchy, volumes: Volumes::default(), looseness_as_built, extra: 0.0 }
    }

    /// Bytes of memory that are held for the body alone; the hierarchy counts unless it is the
    /// shared one.
    pub(crate) fn memory_bytes(&self, shared: &Arc<Hierarchy>) -> usize {
        let is_own = !Arc::ptr_eq(&self.hierarchy, shared);
        self.volumes.memory_bytes() + if is_own { self.hierarchy.memory_bytes() } else { 0 }
    }

    /// Refits one kind of bounds, and returns their looseness.
    pub(crate) fn refit(&mut self, volume: Volume, lines: &[Line], reach: Reach) -> f64 {
        struct Refit<'a>(&'a mut BoundedTree, &'a [Line], Reach);
        impl WithBounds for Refit<'_> {
            type Output = f64;
            fn with<const N: usize>(self, pick: Pick<N>) -> f64 {
                (pick.of_mut)(&mut self.0.volumes).refit(&self.0.hierarchy, self.1, self.2)
            }
        }
        volume.pick(Refit(self, lines, reach))
    }

    /// Refits one kind of bounds, in a new hierarchy if the present one has become too loose;
    /// `build` makes it. Returns whether it had.
    pub(crate) fn refit_or_rebuild(
        &mut self,
        volume: Volume,
        lines: &[Line],
        reach: Reach,
        build: impl FnOnce(&[[f64; 3]]) -> Hierarchy,
    ) -> bool {
        let looseness = self.refit(volume, lines, reach);
        if !self.is_worth_a_rebuild(looseness) {
            return false;
        }
        let pose: Vec<[f64; 3]> = lines.iter().map(|line| line.ends()[0]).collect();
        *self = BoundedTree::new(Arc::new(build(&pose)), f64::NAN);
        self.looseness_as_built = self.refit(volume, lines, reach);
        true
    }

    /// Whether a new hierarchy would have paid for itself by now, after one more query with bounds
    /// of this looseness.
    ///
    /// A looseness that is not finite, of bounds without area or without end, says nothing; but any
    /// other is better.
    fn is_worth_a_rebuild(&mut self, looseness: f64) -> bool {
        if !looseness.is_finite() {
            return false;
        }
        let free = FREE_LOOSENESS * self.looseness_as_built;
        if free < looseness {
            self.extra += (looseness - free) / self.looseness_as_built;
        }
        PRICE <= self.extra || !self.looseness_as_built.is_finite()
    }
}
