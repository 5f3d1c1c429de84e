//! Which nodes are seen: by themselves, by display layers, by those above them, and near by.

use std::collections::HashMap;

use crate::tally::Seen;

/// When each node is seen, if those above it are.
pub(super) struct Visibility {
    own: Vec<Seen>,
}

impl Visibility {
    /// Returns what a scene says. The curves of all takes count more than the value with which the
    /// file was saved, which is that of some frame.
    pub(super) fn of(scene: &ufbx::Scene) -> Self {
        let saved = scene.nodes.iter().map(|node| Seen::at([node.visible]).unwrap_or_default());
        let mut own: Vec<Seen> = saved.collect();
        let mut by_curves: HashMap<usize, Seen> = HashMap::new();
        let layers = scene.anim_stacks.iter().flat_map(|stack| stack.layers.iter());
        for prop in layers.flat_map(|layer| layer.anim_props.iter()) {
            let is_of_node = prop.element.type_ == ufbx::ElementType::Node;
            if !is_of_node || &prop.prop_name[..] != "Visibility" {
                continue;
            }
            let Some(curve) = &prop.anim_value.curves[0] else { continue };
            // The library reads the saved value as an integer, too.
            let Some(seen) = Seen::at(curve.keyframes.iter().map(|key| key.value.trunc() != 0.0)) else {
                continue;
            };
            let of_node = by_curves.entry(prop.element.typed_id as usize).or_insert(seen);
            *of_node = of_node.and(seen);
        }
        let hidden = scene.display_layers.iter().filter(|layer| !layer.visible);
        let hidden = hidden.flat_map(|layer| layer.nodes.iter());
        let by_layers = hidden.map(|node| (node.element.typed_id as usize, Seen::Never));
        for (node, seen) in by_curves.into_iter().chain(by_layers) {
            if let Some(own) = own.get_mut(node) {
                *own = seen;
            }
        }
        Self { own }
    }

    /// Returns when a node and all above it are seen.
    pub(super) fn of_node(&self, node: &ufbx::Node) -> Seen {
        let mut seen = Seen::Always;
        let mut at = Some(node);
        while let Some(node) = at {
            seen = seen.min(self.own.get(node.element.typed_id as usize).copied().unwrap_or_default());
            at = node.parent.as_deref();
        }
        seen
    }
}

/// Whether a node, or one above it, is shown from afar in place of another one: any but the first
/// of a group of levels of detail.
pub(super) fn is_lower_level(node: &ufbx::Node) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        let group = node.parent.as_deref().filter(|above| above.attrib_type == ufbx::ElementType::LodGroup);
        let first = group.and_then(|group| group.children.iter().next());
        if first.is_some_and(|first| first.element.typed_id != node.element.typed_id) {
            return true;
        }
        at = node.parent.as_deref();
    }
    false
}
