//! The prims of a scene: their transforms, what they inherit, and what is read of them later.

use std::collections::HashMap;

use super::compose::Prim;
use super::layer::Layers;
use super::numbers::token;
use super::playing::Node;
use super::samples::Samples;
use super::xform::Xform;
use crate::error::Result;
use crate::tally::{Seen, Tally};

/// Shapes that are not read.
const OTHERS: [&str; 13] = [
    "Cube",
    "Sphere",
    "Cylinder",
    "Cone",
    "Capsule",
    "Plane",
    "Points",
    "BasisCurves",
    "HermiteCurves",
    "NurbsCurves",
    "NurbsPatch",
    "TetMesh",
    "PointInstancer",
];

/// What a prim inherits from those above it.
#[derive(Clone, Default)]
pub(super) struct Inherited {
    seen: Seen,
    /// Whether it is a guide or a proxy.
    is_aside: bool,
    purpose: Option<String>,
    pub(super) skeleton: Option<String>,
    pub(super) animation: Option<String>,
}

/// A prim that is read later, when all are known.
pub(super) struct Found {
    pub(super) prim: Prim,
    pub(super) node: usize,
    pub(super) inherited: Inherited,
}

/// The prims of a scene.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) nodes: Vec<Node>,
    pub(super) names: Vec<String>,
    /// Of each node, how many meshes are right below it, and whether it is an `Xform`.
    pub(super) n_meshes: Vec<usize>,
    pub(super) are_xforms: Vec<bool>,
    pub(super) meshes: Vec<Found>,
    pub(super) skeletons: HashMap<String, Found>,
    pub(super) animations: HashMap<String, Prim>,
    pub(super) shapes: HashMap<String, Prim>,
    /// What meshes are seen.
    pub(super) tally: Tally,
    pub(super) n_aside: usize,
    pub(super) n_others: usize,
    pub(super) n_clips: usize,
}

impl Scene {
    /// Adds the prims below a prim.
    pub(super) fn visit_children(
        &mut self,
        layers: &mut Layers,
        prim: &Prim,
        node: Option<usize>,
        inherited: &Inherited,
    ) -> Result<()> {
        for name in prim.children(layers)? {
            let child = prim.child(layers, &name)?;
            self.visit(layers, child, node, inherited)?;
        }
        Ok(())
    }

    /// Adds a prim, and those below it.
    fn visit(
        &mut self,
        layers: &mut Layers,
        prim: Prim,
        parent: Option<usize>,
        above: &Inherited,
    ) -> Result<()> {
        if !prim.is_there(layers)? {
            return Ok(());
        }
        let kind = prim.kind(layers)?;
        let mut inherited = above.clone();
        let named = |name: &str| prim.samples(layers, name, token, String::len);
        if let Some(visibility) = named("visibility")? {
            let shown = visibility.values.iter().map(|value| value != "invisible");
            inherited.seen = inherited.seen.min(Seen::at(shown).unwrap_or_default());
        }
        let of = |samples: Option<Samples<String>>| {
            samples.filter(|s| s.values.len() == 1).map(|s| s.first().clone())
        };
        if let Some(purpose) = of(named("purpose")?) {
            inherited.purpose = Some(purpose);
        }
        inherited.is_aside = matches!(inherited.purpose.as_deref(), Some("guide" | "proxy"));
        for (relationship, slot) in
            [("skel:skeleton", &mut inherited.skeleton), ("skel:animationSource", &mut inherited.animation)]
        {
            if let Some(first) = prim.targets(layers, relationship)?.into_iter().next() {
                *slot = Some(first);
            }
        }
        self.n_clips += usize::from(prim.has(layers, "clips")?);
        // Of its fields, many are looked up.
        layers.budget.borrow_mut().charge(1, 3000, || "the prims".into())?;
        let node = self.nodes.len();
        self.nodes.push(Node { parent, xform: Xform::read(&prim, layers)? });
        self.names.push(prim.name.clone());
        self.n_meshes.push(0);
        self.are_xforms.push(kind == "Xform");
        if OTHERS.contains(&kind.as_str()) {
            self.n_others += 1;
        }
        if kind == "PointInstancer" {
            return Ok(());
        }
        self.visit_children(layers, &prim, Some(node), &inherited)?;
        match kind.as_str() {
            "Mesh" if !self.tally.reads(inherited.seen) => {}
            "Mesh" if inherited.is_aside => self.n_aside += 1,
            "Mesh" => {
                if let Some(parent) = parent {
                    self.n_meshes[parent] += 1;
                }
                self.meshes.push(Found { prim, node, inherited });
            }
            "Skeleton" => drop(self.skeletons.insert(prim.path.clone(), Found { prim, node, inherited })),
            "SkelAnimation" => drop(self.animations.insert(prim.path.clone(), prim)),
            "BlendShape" => drop(self.shapes.insert(prim.path.clone(), prim)),
            _ => {}
        }
        Ok(())
    }
}
