//! Parts of radial view culling that are easily left out, and must not be: tests leave each of them
//! out and see contacts missed.

/// What can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hazard {
    /// Adjacent triangles of one cluster are compared (methods, erratum R8).
    AdjacentPairs,
    /// Features are tested by a live pair of triangles, not by their representatives (erratum R7).
    LiveOwners,
    /// Orphans are tested (erratum R6).
    Orphans,
    /// The triangles around contacts become uncertain (erratum R5).
    Wake,
    /// Triangles that cross others, or are hidden, at the start of a step are uncertain.
    Seeds,
    /// Triangles that may touch a cap are uncertain.
    Caps,
}

#[cfg(test)]
thread_local! {
    static LEFT_OUT: std::cell::Cell<Option<Hazard>> = const { std::cell::Cell::new(None) };
}

/// Whether a test leaves this out; `false` in the library as it is shipped.
#[inline(always)]
pub(crate) fn is_left_out(hazard: Hazard) -> bool {
    #[cfg(test)]
    return LEFT_OUT.get() == Some(hazard);
    #[cfg(not(test))]
    {
        let _ = hazard;
        false
    }
}

/// Leaves something out in this thread, while `f` runs.
#[cfg(test)]
pub(crate) fn leaving_out<T>(hazard: Option<Hazard>, f: impl FnOnce() -> T) -> T {
    LEFT_OUT.set(hazard);
    let value = f();
    LEFT_OUT.set(None);
    value
}
