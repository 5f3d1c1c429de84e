//! Parts of radial view culling that are easily forgotten: tests disable each of them and see
//! contacts missed. The labels R5 to R8 refer to docs/methods/radial-view.md.

/// A part that can be disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hazard {
    /// Adjacent triangles of one cluster are compared (R8).
    AdjacentPairs,
    /// Feature pairs are tested at a live pair of triangles, not at their representatives (R7).
    LiveOwners,
    /// Orphans are tested (R6).
    Orphans,
    /// The triangles around contacts become uncertain (R5).
    Wake,
    /// Triangles that cross others, or are enclosed, at the start of a step are uncertain.
    Seeds,
    /// Triangles that may touch a cap are uncertain.
    Caps,
}

#[cfg(test)]
thread_local! {
    static LEFT_OUT: std::cell::Cell<Option<Hazard>> = const { std::cell::Cell::new(None) };
}

/// Whether a test disables this part; always `false` outside tests.
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

/// Disables a part in this thread while `f` runs.
#[cfg(test)]
pub(crate) fn leaving_out<T>(hazard: Option<Hazard>, f: impl FnOnce() -> T) -> T {
    LEFT_OUT.set(hazard);
    let value = f();
    LEFT_OUT.set(None);
    value
}
