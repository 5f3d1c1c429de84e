//! Queries.

use crate::body_id::BodyId;
use crate::contact::ContactKey;
use crate::narrow::Settings;
use crate::options::Method;
use crate::setters::setters;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Which results a query returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Results {
    /// All results.
    #[default]
    All,
    /// The contact with the least `lo`; ties are broken by the least `hi`, then by the order of
    /// reports.
    Earliest,
    /// Whether there is any result.
    Any,
    /// The number of results.
    Count,
}

/// The budget of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Budget {
    /// The number of bounding volumes to refit. A few more are refitted if the last task of the
    /// traversal needs them.
    Refits(u64),
    /// The number of tests: of two bounding volumes, and of two triangles whose bounds overlap. A
    /// few more are made if the last task of the traversal needs them. This is nearly a time, but
    /// the answer is the same on every machine and in every run.
    Tests(u64),
    /// The time in nanoseconds, by the [clock](Query::clock) of the query, which is read every few
    /// microseconds.
    Nanoseconds(u64),
}

/// Returns nanoseconds since a fixed moment. The library has no clock of its own.
pub type Clock = fn() -> u64;

/// Decides whether two bodies, or a body and itself, are tested.
pub type BodyFilter<'a> = &'a (dyn Fn(BodyId, BodyId) -> bool + Sync);

/// A query: which results to return, how candidate pairs are found, and what to exclude.
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
    /// Contacts of a body with itself are excluded if their features are at most this many edges
    /// apart, and crossings if their triangles are; 0 excludes none.
    pub exclude_rings: u32,
    /// With a minimum separation: whether contacts of a body with itself, or with a body that was
    /// [modeled together](crate::BodySettings::rest_group) with it, are excluded if their features
    /// are as close in the [rest poses](crate::Model::new) of the models: at most the separation
    /// apart, or so close to it that they may count as a contact there. Otherwise a separation
    /// larger than the triangles makes neighbors touch all the time. The same for the radius of
    /// [proximities](crate::World::proximities).
    pub exclude_close_at_rest: bool,
    /// Known contacts, to be excluded.
    pub known: Option<&'a HashSet<ContactKey>>,
    /// The clock for [`Stats::times`](crate::Stats::times) and [`Budget::Nanoseconds`]; without it,
    /// no times are measured.
    pub clock: Option<Clock>,
    /// Pairs of bodies, or a body and itself, are excluded if it returns `false`. Methods with a
    /// hierarchy call it only for bodies whose bounds overlap.
    pub filter: Option<BodyFilter<'a>>,
    /// A flag that ends the query early once it is set, with [`Error::Stopped`](crate::Error). It
    /// is looked at between blocks of candidate pairs, not while a method prepares.
    pub stop: Option<&'a AtomicBool>,
}

impl fmt::Debug for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Query {
            results,
            method,
            narrow,
            exclude_rings,
            exclude_close_at_rest,
            known,
            clock,
            filter,
            stop,
        } = self;
        f.debug_struct("Query")
            .field("results", results)
            .field("method", method)
            .field("narrow", narrow)
            .field("exclude_rings", exclude_rings)
            .field("exclude_close_at_rest", exclude_close_at_rest)
            .field("known", &known.map(HashSet::len))
            .field("clock", &clock.is_some())
            .field("filter", &filter.is_some())
            .field("stop", stop)
            .finish()
    }
}

impl<'a> Query<'a> {
    /// Whether the query is to end early.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Relaxed))
    }

    /// A query for all results.
    #[must_use]
    pub fn all() -> Self {
        Query::default()
    }

    /// A query for the earliest contact.
    #[must_use]
    pub fn earliest() -> Self {
        Query::default().results(Results::Earliest)
    }

    /// A query whether there is any result.
    #[must_use]
    pub fn any() -> Self {
        Query::default().results(Results::Any)
    }

    /// A query for the number of results.
    #[must_use]
    pub fn count() -> Self {
        Query::default().results(Results::Count)
    }

    setters!(results: Results, method: Method, narrow: Settings, exclude_rings: u32, exclude_close_at_rest: bool);

    /// Excludes known contacts.
    #[must_use]
    pub const fn known(mut self, known: &'a HashSet<ContactKey>) -> Self {
        self.known = Some(known);
        self
    }

    /// Sets the clock.
    #[must_use]
    pub const fn clock(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Excludes pairs of bodies, or a body and itself, for which the filter returns `false`.
    #[must_use]
    pub const fn filter(mut self, filter: BodyFilter<'a>) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Ends the query early once a flag is set.
    #[must_use]
    pub const fn stop(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Sets the distance at which features count as in contact; see [`Settings::min_separation`].
    #[must_use]
    pub const fn min_separation(mut self, distance: f64) -> Self {
        self.narrow.min_separation = distance;
        self
    }

    /// Sets the width of the time bracket; see [`Settings::time_width`].
    #[must_use]
    pub const fn time_width(mut self, width: f64) -> Self {
        self.narrow.time_width = width;
        self
    }
}
