//! The tables of adjacent slots of the trees that bodies are walked by.

use super::PlainTree;
use crate::Model;
use crate::body::{Body, Keep};
use crate::feature::AdjacentSlots;
use crate::hierarchy::Hierarchy;
use crate::model::Derive;
use std::sync::Arc;

/// The table of the tree of a model.
#[derive(Debug)]
struct OfModel(AdjacentSlots);

impl Derive for OfModel {
    fn derive(model: &Model) -> OfModel {
        OfModel(AdjacentSlots::new(model.mesh(), &model.hierarchy))
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

/// Makes the table of the tree of a model.
pub(super) fn prepare_model(model: &Model) {
    model.derived::<OfModel>();
}

/// Makes the table of a body that has a tree of its own, if it has none for that tree.
pub(super) fn prepare(body: &mut Body) {
    let tree = PlainTree::of(body).hierarchy.clone();
    if Arc::ptr_eq(&tree, &body.model.hierarchy) {
        return;
    }
    let mesh = body.model.mesh();
    let OfBody(kept) = body.kept.get_or(OfBody::default);
    if !kept.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, &tree)) {
        let table = AdjacentSlots::new(mesh, &tree);
        *kept = Some((tree, table));
    }
}

/// The table of the tree of a body, which must have been prepared.
pub(super) fn of(body: &Body) -> &AdjacentSlots {
    if Arc::ptr_eq(&PlainTree::of(body).hierarchy, &body.model.hierarchy) {
        return &body.model.derived::<OfModel>().0;
    }
    let kept = body.kept.get::<OfBody>().and_then(|OfBody(kept)| kept.as_ref());
    &kept.expect("it was prepared").1
}
