//! State shared by the workers of a pass: which results are needed, and how much of the step still
//! counts.

use crate::query::Results;
use crate::sink::{Sink, SinkFlow};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

/// The destination of results.
pub(crate) enum Goal<'a, T> {
    /// The report.
    Report(Results),
    /// A sink of the user.
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
    /// Width of the time brackets of contacts.
    width: f64,
    /// The limit at the start of the pass.
    until: f64,
    /// The least upper end of a time bracket found so far, as bits, which compare like the numbers
    /// since these are not negative.
    least_hi: AtomicU64,
    stop: AtomicBool,
    /// The flag of the query that ends it early.
    asked: Option<&'a AtomicBool>,
    /// For the earliest contact: one was found so early that it pays to restart with bounds of that
    /// part of the step only.
    restart: AtomicBool,
    /// Number of triangle pairs left until it no longer pays to restart the pass.
    eager: AtomicI64,
    /// The pass is not restarted while more are left: first, some are looked at, so that few
    /// restarts find almost the earliest time.
    ripe: i64,
}

/// The part of the triangle pairs of a pass that are looked at before it is restarted. With more,
/// passes that are restarted take longer; with fewer, there are more of them, each with bounds of
/// its own. Chosen on the frames 92 and 93 of the cloth-ball meshes.
const BEFORE_RESTART: i64 = 16;

impl<'a, T> Search<'a, T> {
    /// A pass over a scene of `n_triangles` triangles; `least_hi` is the least upper end of a time
    /// bracket found so far, or 1, and `asked` ends the search early.
    pub(super) fn new(
        goal: Goal<'a, T>,
        width: f64,
        least_hi: f64,
        n_triangles: usize,
        asked: Option<&'a AtomicBool>,
    ) -> Search<'a, T> {
        Search {
            goal,
            width,
            until: limit(least_hi, width),
            least_hi: AtomicU64::new(least_hi.to_bits()),
            stop: AtomicBool::new(false),
            asked,
            restart: AtomicBool::new(false),
            // There are several candidate pairs per triangle, as neighbors are always among them.
            eager: AtomicI64::new(n_triangles as i64),
            ripe: n_triangles as i64 - n_triangles as i64 / BEFORE_RESTART,
        }
    }

    /// Contacts after this time do not count.
    pub(super) fn limit(&self) -> f64 {
        limit(self.least_hi(), self.width)
    }

    pub(super) fn least_hi(&self) -> f64 {
        f64::from_bits(self.least_hi.load(Relaxed))
    }

    /// Whether no more results are needed in this pass.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.stop.load(Relaxed) || self.asked.is_some_and(|asked| asked.load(Relaxed))
    }

    /// Whether contacts may have been left out, because no more or only earlier ones were needed.
    pub(super) fn is_cut(&self) -> bool {
        self.is_over() || self.limit() < 1.0
    }

    /// Whether the pass was stopped to restart with [`least_hi`](Search::least_hi).
    pub(super) fn begins_again(&self) -> bool {
        self.restart.load(Relaxed)
    }

    /// Whether only the earliest contact is needed.
    pub(super) fn wants_earliest(&self) -> bool {
        matches!(self.goal, Goal::Report(Results::Earliest))
    }

    /// Counts triangle pairs.
    pub(super) fn took(&self, n_pairs: usize) {
        self.eager.fetch_sub(n_pairs as i64, Relaxed);
    }

    /// Records a result, whose time bracket ends at `hi` if it is a contact; `found` makes it for a
    /// sink. Returns whether it has to be collected for the report.
    pub(super) fn report(&self, hi: f64, found: impl Fn() -> T) -> bool {
        match self.goal {
            Goal::Report(Results::All) => return true,
            Goal::Report(Results::Count) => {}
            Goal::Report(Results::Any) => self.stop.store(true, Relaxed),
            Goal::Report(Results::Earliest) => {
                self.least_hi.fetch_min(hi.to_bits(), Relaxed);
                if self.limit() < 0.5 * self.until && (1..=self.ripe).contains(&self.eager.load(Relaxed)) {
                    self.restart.store(true, Relaxed);
                    self.stop.store(true, Relaxed);
                }
                return true;
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
        false
    }
}

/// The contact with the least `lo` happens at most one bracket width after its `lo`, which is at
/// most the `hi` of any other.
fn limit(least_hi: f64, width: f64) -> f64 {
    (least_hi + width).min(1.0)
}
