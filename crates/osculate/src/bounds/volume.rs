//! The kinds of bounding volumes, and dispatch over them.

use super::Bounds;

/// The bounding volumes of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Volume {
    /// Axis-aligned boxes at both ends of the step, moving linearly in between. Tighter than boxes
    /// of the whole step wherever triangles move farther than their size. At an instant, 16-DOPs
    /// are used instead.
    #[default]
    MovingAabb,
    /// Axis-aligned boxes of the whole step.
    Aabb,
    /// Discrete oriented polytopes of 16 planes.
    Dop16,
    /// Discrete oriented polytopes of 18 planes.
    Dop18,
    /// Discrete oriented polytopes of 24 planes.
    Dop24,
}

impl Volume {
    /// The volume for crossings at an instant: 16-DOPs are tighter than moving boxes for about as
    /// many comparisons.
    pub(crate) fn at_an_instant(self) -> Volume {
        if self == Volume::MovingAabb { Volume::Dop16 } else { self }
    }
}

/// The bounds of each kind that has been used; the others are empty.
#[derive(Default)]
pub(crate) struct Volumes {
    pub(crate) moving: Bounds<6>,
    pub(crate) aabb: Bounds<3>,
    pub(crate) dop16: Bounds<8>,
    pub(crate) dop18: Bounds<9>,
    pub(crate) dop24: Bounds<12>,
}

impl Volumes {
    /// Heap memory of all bounds in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        let Volumes { moving, aabb, dop16, dop18, dop24 } = self;
        moving.memory_bytes()
            + aabb.memory_bytes()
            + dop16.memory_bytes()
            + dop18.memory_bytes()
            + dop24.memory_bytes()
    }
}

/// Selects the bounds of one kind in [`Volumes`].
#[derive(Clone, Copy)]
pub(crate) struct Pick<const N: usize> {
    pub(crate) of: fn(&Volumes) -> &Bounds<N>,
    pub(crate) of_mut: fn(&mut Volumes) -> &mut Bounds<N>,
}

/// An operation on bounds, generic over the number of axes.
pub(crate) trait WithBounds {
    type Output;

    /// Runs it with the selected bounds.
    fn with<const N: usize>(self, pick: Pick<N>) -> Self::Output;
}

impl Volume {
    /// Runs an operation with the bounds of this kind.
    pub(crate) fn pick<W: WithBounds>(self, what: W) -> W::Output {
        match self {
            Volume::MovingAabb => what.with(Pick { of: |v| &v.moving, of_mut: |v| &mut v.moving }),
            Volume::Aabb => what.with(Pick { of: |v| &v.aabb, of_mut: |v| &mut v.aabb }),
            Volume::Dop16 => what.with(Pick { of: |v| &v.dop16, of_mut: |v| &mut v.dop16 }),
            Volume::Dop18 => what.with(Pick { of: |v| &v.dop18, of_mut: |v| &mut v.dop18 }),
            Volume::Dop24 => what.with(Pick { of: |v| &v.dop24, of_mut: |v| &mut v.dop24 }),
        }
    }
}
