//! What the workers of one pass share: what is wanted, and how much of the step still counts.

use crate::query::Results;
use crate::sink::{Sink, SinkFlow};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

/// Where results go.
pub(crate) enum Goal<'a, T> {
    /// Into the report.
    Report(Results),
    /// To a sink of the user.
    Push(&'a dyn Sink<T>),
}

impl<T> Clone for Goal<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Goal<'_, T> {}

/// The state of a search.
pub(super) struct Search<'a, T> {
    goal: Goal<'a, T>,
    /// Width of the brackets of contacts.
    width: f64,
    /// The part of the step that this pass began with.
    until: f64,
    /// The least upper end of a bracket found so far, as bits; positive numbers compare like their
    /// bits.
    least_hi: AtomicU64,
    stop: AtomicBool,
    /// For the earliest contact: one was found so early that it pays to begin again with bounds of
    /// that part of the step only.
    restart: AtomicBool,
    /// Pairs of triangles that may still be taken in this pass before it no longer pays to begin
    /// again.
    eager: AtomicI64,
}

impl<'a, T> Search<'a, T> {
    /// A pass over a scene of so many triangles, when the least upper end of a bracket is
    /// `least_hi`, or 1.
    pub(super) fn new(goal: Goal<'a, T>, width: f64, least_hi: f64, n_triangles: usize) -> Search<'a, T> {
        Search {
            goal,
            width,
            until: limit(least_hi, width),
            least_hi: AtomicU64::new(least_hi.to_bits()),
            stop: AtomicBool::new(false),
            restart: AtomicBool::new(false),
            // There are several candidate pairs to a triangle, as neighbors are always among them.
            eager: AtomicI64::new(n_triangles as i64),
        }
    }

    /// No contact that may count happens after this time.
    pub(super) fn limit(&self) -> f64 {
        limit(self.least_hi(), self.width)
    }

    pub(super) fn least_hi(&self) -> f64 {
        f64::from_bits(self.least_hi.load(Relaxed))
    }

    /// Whether nothing more is wanted in this pass.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether contacts may have been left out, because no more or only earlier ones were wanted.
    pub(super) fn is_cut(&self) -> bool {
        self.is_over() || self.limit() < 1.0
    }

    /// Whether the pass was broken off to begin again, with [`least_hi`](Search::least_hi).
    pub(super) fn begins_again(&self) -> bool {
        self.restart.load(Relaxed)
    }

    /// Counts pairs of triangles taken.
    pub(super) fn took(&self, n_pairs: usize) {
        self.eager.fetch_sub(n_pairs as i64, Relaxed);
    }

    /// Takes note of a result, whose bracket ends at `hi` if it is a contact. Returns it if it is
    /// to be collected for the report.
    pub(super) fn report(&self, hi: f64, found: impl Fn() -> T) -> Option<T> {
        match self.goal {
            Goal::Report(Results::All) => return Some(found()),
            Goal::Report(Results::Count) => {}
            Goal::Report(Results::Any) => self.stop.store(true, Relaxed),
            Goal::Report(Results::Earliest) => {
                self.least_hi.fetch_min(hi.to_bits(), Relaxed);
                if self.limit() < 0.5 * self.until && 0 < self.eager.load(Relaxed) {
                    self.restart.store(true, Relaxed);
                    self.stop.store(true, Relaxed);
                }
                return Some(found());
            }
            Goal::Push(sink) => match sink.take(&found()) {
                SinkFlow::Continue => {}
                SinkFlow::Until(t) if t < 1.0 => {
                    self.least_hi.fetch_min(t.max(0.0).to_bits(), Relaxed);
                }
                SinkFlow::Until(_) => {}
                SinkFlow::Stop => self.stop.store(true, Relaxed),
            },
        }
        None
    }
}

/// The contact with the least `lo` happens at most a bracket's width after its `lo`, which is at
/// most the `hi` of any other.
fn limit(least_hi: f64, width: f64) -> f64 {
    (least_hi + width).min(1.0)
}
