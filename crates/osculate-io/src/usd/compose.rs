//! Composition: which specs of which layers describe a prim, the strongest first.
//!
//! From the stack of layers of the file, arcs lead to further specs: inherits, variants, references
//! and payloads, in this order of strength, each with what is below it (depth first). What is
//! specialized comes last, whatever led there. A spec that two arcs lead to counts at its strongest
//! place, so that a prim has at most as many specs as there are, whatever refers to what.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use openusd::sdf::{ListOp, Value};

use super::layer::{Layers, Retiming};
use super::lists::{MAX_ITEMS, edited, mapped, token_list};
use super::paths::{after, below, plain, relative};
use crate::error::{Result, malformed};

/// Deepest nesting of prims, and of arcs.
const MAX_DEPTH: usize = 200;

/// Specs at a path of the layers of a stack.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) stack: usize,
    pub(super) path: String,
    pub(super) retiming: Retiming,
    names: Option<Rc<Names>>,
}

/// The name of a prim where an arc leads to, and in the scene.
#[derive(Debug)]
struct Names {
    there: String,
    here: String,
    /// Those around an arc in the same layer.
    outer: Option<Rc<Names>>,
}

/// A prim of the composed scene.
#[derive(Clone, Debug)]
pub(super) struct Prim {
    pub(super) path: String,
    pub(super) name: String,
    depth: usize,
    pub(super) sites: Vec<Site>,
    /// While it is composed: what it specializes, from where, and after how many arcs.
    specialized: Vec<(Site, String, usize)>,
}

/// Returns the root of the scene, which is no prim.
pub(super) fn root() -> Prim {
    let site = Site { stack: 0, path: "/".into(), retiming: Retiming::NONE, names: None };
    Prim { path: "/".into(), name: String::new(), depth: 0, sites: vec![site], specialized: Vec::new() }
}

impl Prim {
    /// Returns the child of a name.
    pub(super) fn child(&self, layers: &mut Layers, name: &str) -> Result<Prim> {
        let path = below(&self.path, name);
        if MAX_DEPTH <= self.depth {
            let problem = format!("prims are nested deeper than {MAX_DEPTH}, or refer to prims above them");
            return Err(malformed(layers.file, format!("prim {path}"), problem));
        }
        let mut prim = Prim {
            path,
            name: name.to_owned(),
            depth: self.depth + 1,
            sites: Vec::new(),
            specialized: Vec::new(),
        };
        for site in &self.sites {
            let site = Site { path: below(&site.path, name), ..site.clone() };
            prim.expand(layers, site, 0)?;
        }
        // What these lead to may specialize more.
        let mut i = 0;
        while let Some((from, path, depth)) = prim.specialized.get(i).cloned() {
            prim.follow(layers, &from, from.stack, &path, Retiming::NONE, depth)?;
            i += 1;
        }
        prim.specialized.clear();
        Ok(prim)
    }

    /// Adds a site, and all that arcs of it lead to.
    fn expand(&mut self, layers: &mut Layers, site: Site, depth: usize) -> Result<()> {
        let place = format!("prim {}", self.path);
        if MAX_DEPTH < depth {
            return Err(malformed(
                layers.file,
                place,
                format!("more than {MAX_DEPTH} arcs follow one another"),
            ));
        }
        let what = || "the prims".to_owned();
        layers.budget.borrow_mut().charge(1, 512 + 2 * site.path.len(), what)?;
        let stack: Vec<usize> = layers.stacks[site.stack].layers.iter().map(|(layer, _)| *layer).collect();
        // It is compared with all others, and looked up in each layer.
        layers.budget.borrow_mut().work(self.sites.len(), 8, what)?;
        layers.budget.borrow_mut().work(stack.len(), 64 + site.path.len(), what)?;
        let is_known = self.sites.iter().any(|known| known.stack == site.stack && known.path == site.path);
        if is_known || !stack.iter().any(|&layer| layers.has(layer, &site.path)) {
            return Ok(());
        }
        self.sites.push(site.clone());
        let (mut inherits, mut specializes, mut references, mut payloads) = (vec![], vec![], vec![], vec![]);
        for (i, &layer) in stack.iter().enumerate() {
            let field = |name: &str| layers.field(layer, &site.path, name);
            if let Some(Value::PathListOp(op)) = field("inheritPaths")?.as_deref() {
                inherits.push(op.clone());
            }
            if let Some(Value::PathListOp(op)) = field("specializes")?.as_deref() {
                specializes.push(op.clone());
            }
            let retiming = layers.stacks[site.stack].layers[i].1;
            let arc = |asset: &str, path: &str, own: Retiming| {
                (layer, asset.to_owned(), path.to_owned(), retiming.after(own))
            };
            if let Some(Value::ReferenceListOp(op)) = field("references")?.as_deref() {
                references.push(mapped(op, |r| {
                    arc(&r.asset_path, r.prim_path.as_str(), Retiming::of(r.layer_offset))
                }));
            }
            match field("payload")?.as_deref() {
                Some(Value::PayloadListOp(op)) => {
                    let own = |p: &openusd::sdf::Payload| p.layer_offset.map_or(Retiming::NONE, Retiming::of);
                    payloads.push(mapped(op, |p| arc(&p.asset_path, p.prim_path.as_str(), own(p))));
                }
                Some(Value::Payload(p)) => {
                    let own = p.layer_offset.map_or(Retiming::NONE, Retiming::of);
                    payloads.push(ListOp::explicit([arc(&p.asset_path, p.prim_path.as_str(), own)]));
                }
                _ => {}
            }
        }
        let place = || place.clone();
        let inherits = edited(&inherits, layers, place)?;
        let specializes = edited(&specializes, layers, place)?;
        let references = edited(&references, layers, place)?;
        let payloads = edited(&payloads, layers, place)?;
        for path in inherits {
            self.follow(layers, &site, site.stack, path.as_str(), Retiming::NONE, depth)?;
        }
        self.variants(layers, &site, &stack, depth)?;
        for (layer, asset, path, retiming) in references.into_iter().chain(payloads) {
            if asset.is_empty() {
                self.follow(layers, &site, site.stack, &path, retiming, depth)?;
                continue;
            }
            let Some(other) = layers.stack_of(layer, &asset)? else { continue };
            let first = layers.stacks[other].layers[0].0;
            let rates = layers.time_codes_per_second(layer)? / layers.time_codes_per_second(first)?;
            let retiming = retiming.after(Retiming { offset: 0.0, scale: rates });
            self.follow(layers, &site, other, &path, retiming, depth)?;
        }
        self.specialized
            .extend(specializes.iter().map(|path| (site.clone(), path.as_str().to_owned(), depth)));
        Ok(())
    }

    /// Adds the site that an arc leads to; without a path, it is the default prim.
    fn follow(
        &mut self,
        layers: &mut Layers,
        from: &Site,
        stack: usize,
        path: &str,
        retiming: Retiming,
        depth: usize,
    ) -> Result<()> {
        let first = layers.stacks[stack].layers[0].0;
        let path = match path {
            "" => {
                let default = match layers.field(first, "/", "defaultPrim")?.as_deref() {
                    Some(Value::Token(name)) => Some(below("/", name.trim_start_matches('/'))),
                    Some(Value::String(name)) => Some(below("/", name.trim_start_matches('/'))),
                    _ => None,
                };
                let Some(path) = default else {
                    let missing = format!("the default prim of {}", layers.name(first));
                    layers.miss(&missing);
                    return Ok(());
                };
                path
            }
            path => plain(path),
        };
        let is_same = stack == from.stack;
        if is_same && after(&plain(&from.path), &path).is_some_and(|rest| !rest.is_empty()) {
            let problem = format!("it refers to {path}, which is above it");
            return Err(malformed(layers.file, format!("prim {}", self.path), problem));
        }
        let outer = if is_same { from.names.clone() } else { None };
        let names = Rc::new(Names { there: path.clone(), here: self.path.clone(), outer });
        let site = Site { stack, path, retiming: from.retiming.after(retiming), names: Some(names) };
        self.expand(layers, site, depth + 1)
    }

    /// Adds the selected variants of a site.
    fn variants(&mut self, layers: &mut Layers, site: &Site, stack: &[usize], depth: usize) -> Result<()> {
        let mut sets: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        for &layer in stack {
            for field in ["variantSetNames", "variantSetChildren"] {
                if let Some(value) = layers.field(layer, &site.path, field)?.as_deref() {
                    let found = token_list(value, layers, &self.path)?;
                    sets.extend(found.into_iter().filter(|set| known.insert(set.clone())));
                }
            }
            if MAX_ITEMS < sets.len() {
                let problem = format!("more than {MAX_ITEMS} sets of variants");
                return Err(malformed(layers.file, format!("prim {}", self.path), problem));
            }
        }
        layers.budget.borrow_mut().work(sets.len(), 512, || "the variants".into())?;
        // The strongest choice among the sites that are known, which become more.
        let mut choices = HashMap::new();
        let mut n_known = 0;
        for set in sets {
            for site in &self.sites[n_known..] {
                site.add_choices(layers, &mut choices)?;
            }
            n_known = self.sites.len();
            let Some(choice) = choices.get(&set) else { continue };
            let path = format!("{}{{{set}={choice}}}", site.path);
            self.expand(layers, Site { path, ..site.clone() }, depth + 1)?;
        }
        Ok(())
    }
}

impl Site {
    /// Adds the variants that the site chooses of sets without a choice.
    fn add_choices(&self, layers: &Layers, choices: &mut HashMap<String, String>) -> Result<()> {
        for &(layer, _) in &layers.stacks[self.stack].layers {
            if let Some(Value::VariantSelectionMap(map)) =
                layers.field(layer, &self.path, "variantSelection")?.as_deref()
            {
                for (set, choice) in map {
                    choices.entry(set.clone()).or_insert_with(|| choice.clone());
                }
            }
        }
        Ok(())
    }

    /// Returns the path in the scene of what has a path in a layer of the site.
    pub(super) fn in_scene(&self, path: &str) -> String {
        let path = if path.starts_with('/') { plain(path) } else { relative(&plain(&self.path), path) };
        let mut names = self.names.as_deref();
        while let Some(of) = names {
            if let Some(rest) = after(&path, &of.there) {
                return format!("{}{rest}", of.here);
            }
            names = of.outer.as_deref();
        }
        path
    }
}
