//! What a body keeps from step to step for one of its trees.

use crate::bounds::{Bounds, Reach};
use crate::certificate::{Cleared, Cones, Masks, Normals};
use crate::hierarchy::Hierarchy;
use crate::model::Model;
use crate::motion::Line;
use crate::query::Volume;
use crate::traverse::Front;
use std::sync::Arc;

/// Looseness that nobody pays for, as a multiple of that of a new hierarchy. Animated characters stay below it.
const FREE_LOOSENESS: f64 = 1.25;

/// Extra looseness, summed over queries, at which a new hierarchy has paid for itself, as a multiple of that of a new hierarchy.
///
/// Measured on a sheet that wraps around a ball, on a bar that is twisted, and on flying triangles: one more multiple costs a query between
/// 10 and 70 tests of bounds for each triangle, 80 to 500 ns; to build costs 1,700 ns. Too small: queries wait for hierarchies that do not
/// pay. Too large: queries with loose bounds go on for longer.
const PRICE: f64 = 8.0;

/// What a body keeps from step to step. All of it hangs on one hierarchy, and is dropped with it.
pub(crate) struct Temporal {
    pub(crate) hierarchy: Arc<Hierarchy>,
    pub(crate) volumes: Volumes,
    pub(crate) evidence: Evidence,
    pub(crate) front: Front,
    /// The looseness of the hierarchy at the pose that it was built at.
    pub(crate) looseness_as_built: f64,
    /// The extra looseness of all queries since then.
    extra: f64,
}

/// What is known of patches, by the kinds of tests that have been used; the others are empty.
#[derive(Default)]
pub(crate) struct Evidence {
    pub(crate) cleared: Cleared,
    pub(crate) normals: Normals,
    pub(crate) cones: Cones,
    pub(crate) masks: Masks,
}

impl Evidence {
    fn memory_bytes(&self) -> usize {
        self.cleared.memory_bytes()
            + self.normals.memory_bytes()
            + self.cones.memory_bytes()
            + self.masks.memory_bytes()
    }
}

/// The bounds of each kind that have been used; the others are empty.
#[derive(Default)]
pub(crate) struct Volumes {
    pub(crate) moving: Bounds<6>,
    pub(crate) aabb: Bounds<3>,
    pub(crate) dop16: Bounds<8>,
    pub(crate) dop18: Bounds<9>,
    pub(crate) dop24: Bounds<12>,
}

impl Temporal {
    /// Nothing but the hierarchy of the model.
    pub(crate) fn of(model: &Model) -> Temporal {
        Temporal::new(model.hierarchy.clone(), model.looseness)
    }

    pub(crate) fn new(hierarchy: Arc<Hierarchy>, looseness_as_built: f64) -> Temporal {
        Temporal {
            hierarchy,
            volumes: Volumes::default(),
            evidence: Evidence::default(),
            front: Front::default(),
            looseness_as_built,
            extra: 0.0,
        }
    }

    /// Bytes of memory that are held for the body alone.
    pub(crate) fn memory_bytes(&self, shared: &Arc<Hierarchy>) -> usize {
        let Volumes { moving, aabb, dop16, dop18, dop24 } = &self.volumes;
        let of_volumes = moving.memory_bytes()
            + aabb.memory_bytes()
            + dop16.memory_bytes()
            + dop18.memory_bytes()
            + dop24.memory_bytes();
        let is_own = !Arc::ptr_eq(&self.hierarchy, shared);
        of_volumes
            + self.evidence.memory_bytes()
            + self.front.memory_bytes()
            + if is_own { self.hierarchy.memory_bytes() } else { 0 }
    }

    /// Refits one kind of bounds, and returns their looseness.
    pub(crate) fn refit(&mut self, volume: Volume, lines: &[Line], reach: Reach) -> f64 {
        let (hierarchy, volumes) = (&*self.hierarchy, &mut self.volumes);
        match volume {
            Volume::MovingAabb => volumes.moving.refit(hierarchy, lines, reach),
            Volume::Aabb => volumes.aabb.refit(hierarchy, lines, reach),
            Volume::Dop16 => volumes.dop16.refit(hierarchy, lines, reach),
            Volume::Dop18 => volumes.dop18.refit(hierarchy, lines, reach),
            Volume::Dop24 => volumes.dop24.refit(hierarchy, lines, reach),
        }
    }

    /// Whether a new hierarchy would have paid for itself by now, after one more query with bounds of this looseness.
    ///
    /// A looseness that is not finite, of bounds without area or without end, says nothing; but any other is better.
    pub(crate) fn is_worth_a_rebuild(&mut self, looseness: f64) -> bool {
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
