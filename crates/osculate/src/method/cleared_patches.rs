//! What the last query proved about the patches of a body, whatever its method.

use super::bounded::BoundedState;
use super::patches::{PatchState, PatchTree};
use crate::body::Body;
use crate::certificate::Cleared;

/// Forgets what was proven, at the start of a query.
pub(crate) fn forget_cleared(body: &mut Body) {
    if let Some(state) = body.kept.get_mut::<PatchState>() {
        state.cleared.forget();
    }
    if let Some(state) = body.kept.get_mut::<BoundedState>() {
        state.cleared.forget();
    }
}

/// For each triangle of a body, the number of triangles of the largest patch that contains it and
/// was proven free of self-collisions by the last query; 0 if there is none. `None` if the query
/// tested no patches of the body.
pub(crate) fn cleared_patches(body: &Body) -> Option<Vec<u32>> {
    let patches = body.kept.get::<PatchState>().map(|state| &state.cleared);
    let bounded = body.kept.get::<BoundedState>().map(|state| &state.cleared);
    // The model has a tree of patches if one of them exists.
    let sizes = |cleared: &Cleared| cleared.sizes(&body.model.derived::<PatchTree>().hierarchy);
    patches.and_then(sizes).or_else(|| bounded.and_then(sizes))
}
