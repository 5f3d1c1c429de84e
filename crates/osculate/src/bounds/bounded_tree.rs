//! A hierarchy with bounds that are refitted for every step, and rebuilt when they have become too
//! loose.
//!
//! The hierarchy of a model fits the pose at which it was built. As a body deforms, its refitted
//! bounds become loose, and every query gets slower. A body then gets its own hierarchy, built at
//! its current pose, as soon as the extra cost of the queries since the last build is about that of
//! a rebuild. So the total cost is never far above twice the optimum, whatever the motion. Answers
//! do not depend on it.

use super::Reach;
use super::volume::{Pick, Volume, Volumes, WithBounds};
use crate::hierarchy::Hierarchy;
use crate::motion::Line;
use std::sync::Arc;

/// Looseness without cost, relative to that of a new hierarchy. Animated characters stay below it.
const FREE_LOOSENESS: f64 = 1.25;

/// Extra looseness, summed over queries, that justifies a rebuild, in multiples of the looseness of
/// a new hierarchy.
///
/// Measured on a sheet that wraps around a ball, a twisted bar, and flying triangles: one more
/// multiple costs a query between 10 and 70 bounds tests per triangle, 80 to 500 ns; a build costs
/// 1,700 ns. Too small: queries wait for rebuilds that do not pay. Too large: queries use loose
/// bounds for longer.
const PRICE: f64 = 8.0;

/// A hierarchy, its bounds of each kind that has been used, and their looseness.
pub(crate) struct BoundedTree {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) volumes: Volumes,
    /// Looseness at the pose of the build; NaN if unused.
    looseness_as_built: f64,
    /// Extra looseness, summed over all queries since the build.
    extra: f64,
}

impl BoundedTree {
    /// A hierarchy with this looseness at the pose of its build, without bounds.
    pub(crate) fn new(hierarchy: Arc<Hierarchy>, looseness_as_built: f64) -> BoundedTree {
        BoundedTree { hierarchy, volumes: Volumes::default(), looseness_as_built, extra: 0.0 }
    }

    /// Heap memory held for the body alone in bytes; includes the hierarchy unless it is the shared
    /// one.
    pub(crate) fn memory_bytes(&self, shared: Option<&Arc<Hierarchy>>) -> usize {
        let is_own = !shared.is_some_and(|shared| Arc::ptr_eq(&self.hierarchy, shared));
        self.volumes.memory_bytes() + if is_own { self.hierarchy.memory_bytes() } else { 0 }
    }

    /// Refits one kind of bounds and returns their looseness. `resting` is the version of the pose
    /// of a body that rests; bounds of the same version are not refitted again.
    pub(crate) fn refit(
        &mut self,
        volume: Volume,
        lines: &[Line],
        reach: Reach,
        resting: Option<u64>,
    ) -> f64 {
        struct Refit<'a>(&'a mut BoundedTree, &'a [Line], Reach, Option<u64>);
        impl WithBounds for Refit<'_> {
            type Output = f64;
            fn with<const N: usize>(self, pick: Pick<N>) -> f64 {
                let Refit(tree, lines, reach, resting) = self;
                let bounds = (pick.of_mut)(&mut tree.volumes);
                bounds.refit_if_changed(&tree.hierarchy, lines, reach, resting)
            }
        }
        volume.pick(Refit(self, lines, reach, resting))
    }

    /// Refits one kind of bounds, in a hierarchy rebuilt by `build` if the current one has become
    /// too loose. Returns whether it was rebuilt.
    pub(crate) fn refit_or_rebuild(
        &mut self,
        volume: Volume,
        lines: &[Line],
        reach: Reach,
        resting: Option<u64>,
        build: impl FnOnce(&[[f64; 3]]) -> Hierarchy,
    ) -> bool {
        let looseness = self.refit(volume, lines, reach, resting);
        if !self.is_worth_a_rebuild(looseness) {
            return false;
        }
        let pose: Vec<[f64; 3]> = lines.iter().map(|line| line.ends()[0]).collect();
        *self = BoundedTree::new(Arc::new(build(&pose)), f64::NAN);
        self.looseness_as_built = self.refit(volume, lines, reach, resting);
        true
    }

    /// Whether a rebuild would have paid by now, after one more query with bounds of this
    /// looseness.
    ///
    /// A looseness that is not finite, of bounds without area or of infinite bounds, is ignored; if
    /// that of the build is not finite, any finite one justifies a rebuild.
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
