//! Kinds of queries and their outcomes.

/// The two kinds of feature pairs, which define the meaning of a query's four points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Point 0 against the closed triangle of points 1, 2 and 3.
    VertexFace,
    /// The closed edge from point 0 to point 1 against the closed edge from point 2 to point 3.
    EdgeEdge,
}

impl Kind {
    /// Number of points of the first feature.
    #[must_use]
    pub const fn n_first(self) -> usize {
        match self {
            Kind::VertexFace => 1,
            Kind::EdgeEdge => 2,
        }
    }
}

/// Whether and when two moving features touch during the step.
///
/// With a minimum separation of zero both answers are exact for the given f64 coordinates: closed
/// features, so touching counts, and so do t = 0 and t = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Outcome {
    /// Proven: the features touch at no t in [0, 1].
    Miss,
    /// Proven: they touch at some t in `[lo, hi]` and at none in `[0, lo)`.
    ///
    /// `lo` is the time of impact to use: a lower bound of the first contact, never later than it.
    /// `hi - lo` is at most [`Settings::time_width`](super::Settings::time_width). A contact at t =
    /// 0 has `lo = hi = 0`.
    Hit {
        /// Lower end of the bracket, in [0, 1].
        lo: f64,
        /// Upper end of the bracket, in [0, 1].
        hi: f64,
    },
}
