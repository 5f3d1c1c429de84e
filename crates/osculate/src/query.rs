//! What is asked of a world.

use crate::body_id::BodyId;
use crate::contact::ContactKey;
use crate::narrow::Settings;
use crate::options::Method;
use crate::setters::setters;
use std::collections::HashSet;
use std::fmt;

/// Which results a query returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Results {
    /// All.
    #[default]
    All,
    /// A contact with the least `lo`: of those, the one with the least `hi`, then the first in the
    /// order of reports.
    Earliest,
    /// Whether there is any.
    Any,
    /// How many there are.
    Count,
}

/// What a query may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Budget {
    /// About so many bounding volumes are refitted; a few more, if one step of the search needs
    /// them.
    Refits(u64),
    /// So many nanoseconds, by the [clock](Query::clock) of the query; it is looked at every few
    /// microseconds.
    Nanoseconds(u64),
}

/// Returns nanoseconds since some moment that stays the same. The library has no clock of its own.
pub type Clock = fn() -> u64;

/// Decides which bodies may touch which.
pub type BodyFilter<'a> = &'a (dyn Fn(BodyId, BodyId) -> bool + Sync);

/// A query: which results to return, how candidate pairs are found, and what does not count.
///
/// ```
/// use osculate::{Method, Query};
///
/// let query = Query::earliest().method(Method::SpatialHash).min_separation(0.01);
/// # let _ = query;
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Query<'a> {
    /// Which results to return.
    pub results: Results,
    /// How candidate pairs are found.
    pub method: Method,
    /// Width of the time bracket, and minimum separation.
    pub narrow: Settings,
    /// Contacts of one body whose features are at most this many edges apart are left out; 0 leaves
    /// out none.
    pub exclude_rings: u32,
    /// Contacts that are known already, and left out.
    pub known: Option<&'a HashSet<ContactKey>>,
    /// Tells the time, for [`Stats::times`](crate::Stats::times); without it nothing is measured.
    pub clock: Option<Clock>,
    /// Pairs of bodies, or a body and itself, to leave out: those for which it returns `false`.
    /// Methods with a hierarchy ask only about bodies whose bounds overlap.
    pub filter: Option<BodyFilter<'a>>,
}

impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Query { results, method, narrow, exclude_rings, known, clock, filter } = self;
        f.debug_struct("Query")
            .field("results", results)
            .field("method", method)
            .field("narrow", narrow)
            .field("exclude_rings", exclude_rings)
            .field("known", &known.map(HashSet::len))
            .field("clock", &clock.is_some())
            .field("filter", &filter.is_some())
            .finish()
    }
}

impl<'a> Query<'a> {
    /// Asks for all results.
    #[must_use]
    pub fn all() -> Self {
        Query::default()
    }

    /// Asks for the earliest contact.
    #[must_use]
    pub fn earliest() -> Self {
        Query::default().results(Results::Earliest)
    }

    /// Asks whether there is any result.
    #[must_use]
    pub fn any() -> Self {
        Query::default().results(Results::Any)
    }

    /// Asks how many results there are.
    #[must_use]
    pub fn count() -> Self {
        Query::default().results(Results::Count)
    }

    setters!(results: Results, method: Method, narrow: Settings, exclude_rings: u32);

    /// Leaves out contacts that are known already.
    #[must_use]
    pub const fn known(mut self, known: &'a HashSet<ContactKey>) -> Self {
        self.known = Some(known);
        self
    }

    /// Measures times by a clock.
    #[must_use]
    pub const fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Leaves out pairs of bodies, or a body and itself, for which the filter returns `false`.
    #[must_use]
    pub const fn filter(mut self, filter: BodyFilter<'a>) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Counts as contact what comes as close as this; see [`Settings::min_separation`].
    #[must_use]
    pub const fn min_separation(mut self, distance: f64) -> Self {
        self.narrow.min_separation = distance;
        self
    }

    /// Brackets times of contact within this width; see [`Settings::time_width`].
    #[must_use]
    pub const fn time_width(mut self, width: f64) -> Self {
        self.narrow.time_width = width;
        self
    }
}
