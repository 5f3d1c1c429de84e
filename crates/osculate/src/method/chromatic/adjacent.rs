//! The tables of adjacent slots of the trees that bodies are walked by.

use super::PatchTree;
use crate::Model;
use crate::body::{Body, Keep};
use crate::feature::AdjacentSlots;
use crate::hierarchy::Hierarchy;
use crate::model::Derive;
use std::sync::Arc;

/// The table of the tree of a model, or of its tree of patches.
#[derive(Debug)]
struct OfModel<const PATCHES: bool>(AdjacentSlots);

impl<const PATCHES: bool> Derive for OfModel<PATCHES> {
    fn derive(model: &Model) -> OfModel<PATCHES> {
        let tree = if PATCHES { &model.derived::<PatchTree>().hierarchy } else { model.hierarchy() };
        OfModel(AdjacentSlots::new(model.mesh(), tree))
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.memory_bytes()
    }
}

/// The table of a tree that was rebuilt for a body, and that tree.
#[derive(Default)]
struct OfBody(Option<(Arc<Hierarchy>, AdjacentSlots)>);

impl Keep for OfBody {
    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.as_ref().map_or(0, |(_, table)| table.memory_bytes())
    }
}

/// The table of a tree that bodies of a model share, if it is one.
fn of_model<'a>(model: &'a Model, tree: &Arc<Hierarchy>) -> Option<&'a AdjacentSlots> {
    if Arc::ptr_eq(tree, model.hierarchy()) {
        return Some(&model.derived::<OfModel<false>>().0);
    }
    let is_of_patches = |patches: &PatchTree| Arc::ptr_eq(tree, &patches.hierarchy);
    model.known::<PatchTree>().is_some_and(is_of_patches).then(|| &model.derived::<OfModel<true>>().0)
}

/// Makes the table of the tree that most bodies of a model are walked by.
pub(super) fn prepare_model(model: &Model, of_patches: bool) {
    let tree = if of_patches { &model.derived::<PatchTree>().hierarchy } else { model.hierarchy() };
    of_model(model, tree);
}

/// Makes the table of the tree that a body is walked by, if there is none.
pub(super) fn prepare(body: &mut Body, tree: &Arc<Hierarchy>) {
    if of_model(&body.model, tree).is_some() {
        return;
    }
    let mesh = body.model.mesh();
    let OfBody(kept) = body.kept.get_or(OfBody::default);
    if !kept.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, tree)) {
        *kept = Some((tree.clone(), AdjacentSlots::new(mesh, tree)));
    }
}

/// The table of the tree that a body is walked by, which must have been prepared.
pub(super) fn of<'a>(body: &'a Body, tree: &Arc<Hierarchy>) -> &'a AdjacentSlots {
    of_model(&body.model, tree).unwrap_or_else(|| {
        let kept = body.kept.get::<OfBody>().and_then(|OfBody(kept)| kept.as_ref());
        &kept.expect("it was prepared").1
    })
}
