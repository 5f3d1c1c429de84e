//! Composition: which specs of which layers describe a prim, the strongest first.
//!
//! From the stack of layers of the file, arcs lead to further specs: inherits, variants, references
//! and payloads, in this order of strength, each with what is below it (depth first). What is
//! specialized comes last, whatever led there. A spec that two arcs lead to counts at its strongest
//! place, so that a prim has at most as many specs as there are, whatever refers to what.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use openusd::sdf::{ListOp, Specifier, Value};

use super::layer::{Layers, Retiming};
use crate::error::{Error, Result, malformed};

/// Deepest nesting of prims, and of arcs.
const MAX_DEPTH: usize = 200;
/// Most items of a list that is edited: each is searched for in the others.
const MAX_ITEMS: usize = 5000;

/// Specs at a path of the layers of a stack.
#[derive(Clone, Debug)]
struct Site {
    stack: usize,
    path: String,
    retiming: Retiming,
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
    sites: Vec<Site>,
    /// While it is composed: what it specializes, from where, and after how many arcs.
    specialized: Vec<(Site, String, usize)>,
}

/// An attribute's value, or its samples by time: the value before the first and after the last is
/// theirs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Samples<T> {
    /// Times in time codes of the scene, ascending.
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<T>,
}

impl<T> Samples<T> {
    pub(super) fn constant(value: T) -> Self {
        Self { times: vec![0.0], values: vec![value] }
    }

    /// Returns the samples around a time, and the share of the second.
    pub(super) fn around(&self, time: f64) -> (&T, &T, f64) {
        let after = self.times.partition_point(|&t| t <= time).min(self.values.len() - 1);
        let before = self.times.partition_point(|&t| t <= time).saturating_sub(1);
        let (start, end) = (self.times[before], self.times[after]);
        let share = if start < end { ((time - start) / (end - start)).clamp(0.0, 1.0) } else { 0.0 };
        (&self.values[before], &self.values[after], share)
    }

    pub(super) fn first(&self) -> &T {
        &self.values[0]
    }

    /// Returns the times, if there are two or more.
    pub(super) fn moving(&self) -> Option<&[f64]> {
        (1 < self.times.len()).then_some(&self.times)
    }
}

/// Returns the root of the scene, which is no prim.
pub(super) fn root() -> Prim {
    let site = Site { stack: 0, path: "/".into(), retiming: Retiming::NONE, names: None };
    Prim { path: "/".into(), name: String::new(), depth: 0, sites: vec![site], specialized: Vec::new() }
}

fn below(path: &str, name: &str) -> String {
    let separator = if path.ends_with(['/', '}']) { "" } else { "/" };
    format!("{path}{separator}{name}")
}

fn of_prim(path: &str, property: &str) -> String {
    format!("{path}.{property}")
}

/// Returns the path without variants.
fn plain(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut is_in_variant = false;
    for c in path.chars() {
        match c {
            '{' => is_in_variant = true,
            '}' => {
                is_in_variant = false;
                if !out.ends_with('/') {
                    out.push('/');
                }
            }
            _ if is_in_variant => {}
            c if c == '/' && out.ends_with('/') => {}
            c => out.push(c),
        }
    }
    if 1 < out.len() && out.ends_with('/') {
        out.pop();
    }
    out
}

/// Returns what is after the path of a prim, or in it; `None` if the path is elsewhere.
fn after<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(prefix)?;
    (rest.is_empty() || rest.starts_with(['/', '.', '{']) || prefix == "/").then_some(rest)
}

/// Applies edits of a list, the strongest first; `place` is where they are.
fn edited<T: Default + Clone + PartialEq>(
    ops: &[ListOp<T>],
    layers: &Layers,
    place: impl Fn() -> String,
) -> Result<Vec<T>> {
    let mut items: Vec<T> = Vec::new();
    for op in ops.iter().rev() {
        let edits = [&op.added_items, &op.prepended_items, &op.appended_items, &op.deleted_items];
        let [added, prepended, appended, deleted] = edits.map(Vec::len);
        if MAX_ITEMS < items.len() + op.explicit_items.len() + added + prepended + appended + deleted {
            let problem = format!("a list has more than {MAX_ITEMS} items");
            return Err(malformed(layers.file, place(), problem));
        }
        // The edits are compared with the items that are there.
        let n = if op.explicit { op.explicit_items.len() } else { items.len() };
        let with_added = n * (deleted + added) + (n + added) * prepended;
        let n_compared = with_added + (n + added + prepended) * appended;
        layers.budget.borrow_mut().work(n_compared, 4, &place)?;
        if op.explicit {
            items.clone_from(&op.explicit_items);
        }
        items.retain(|item| !op.deleted_items.contains(item));
        items.extend(op.added_items.iter().filter(|item| !items.contains(item)).cloned().collect::<Vec<_>>());
        items.retain(|item| !op.prepended_items.contains(item));
        items.splice(0..0, op.prepended_items.iter().cloned());
        items.retain(|item| !op.appended_items.contains(item));
        items.extend(op.appended_items.iter().cloned());
    }
    Ok(items)
}

/// Returns the words of a list, which is at `path`.
fn token_list(value: &Value, layers: &Layers, path: &str) -> Result<Vec<String>> {
    let place = || format!("prim {path}");
    Ok(match value {
        Value::TokenVec(v) => v.iter().map(|token| token.as_str().to_owned()).collect(),
        Value::StringVec(v) => v.clone(),
        Value::TokenListOp(op) => {
            edited(std::slice::from_ref(op), layers, place)?.iter().map(|t| t.to_string()).collect()
        }
        Value::StringListOp(op) => edited(std::slice::from_ref(op), layers, place)?,
        _ => Vec::new(),
    })
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
            "" => match layers.field(first, "/", "defaultPrim")?.as_deref() {
                Some(Value::Token(name)) => below("/", name.trim_start_matches('/')),
                Some(Value::String(name)) => below("/", name.trim_start_matches('/')),
                _ => {
                    let place = format!("prim {}", self.path);
                    let problem = format!("it refers to {}, which has no default prim", layers.name(first));
                    return Err(malformed(layers.file, place, problem));
                }
            },
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

    /// Calls `look` with each spec of the prim, the strongest first, until it returns something.
    fn strongest<T>(
        &self,
        layers: &Layers,
        mut look: impl FnMut(usize, &str, Retiming) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        for site in &self.sites {
            for &(layer, own) in &layers.stacks[site.stack].layers {
                if let Some(found) = look(layer, &site.path, site.retiming.after(own))? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Returns the strongest value of a field of the prim that `get` accepts.
    fn metadata<T>(
        &self,
        layers: &Layers,
        field: &str,
        get: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>> {
        self.strongest(layers, |layer, path, _| {
            Ok(layers.field(layer, path, field)?.as_deref().and_then(&get))
        })
    }

    /// Returns the names of the children, in the order of the strongest layer.
    pub(super) fn children(&self, layers: &Layers) -> Result<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        self.strongest(layers, |layer, path, _| {
            if let Some(value) = layers.field(layer, path, "primChildren")?.as_deref() {
                for name in token_list(value, layers, &self.path)? {
                    layers.budget.borrow_mut().charge(1, 128 + 2 * name.len(), || "the prims".into())?;
                    if known.insert(name.clone()) {
                        names.push(name);
                    }
                }
            }
            Ok(None::<()>)
        })?;
        Ok(names)
    }

    /// Returns the type, or nothing.
    pub(super) fn kind(&self, layers: &Layers) -> Result<String> {
        let kind = self.metadata(layers, "typeName", |value| match value {
            Value::Token(name) if !name.is_empty() => Some(name.to_string()),
            Value::String(name) if !name.is_empty() => Some(name.clone()),
            _ => None,
        })?;
        Ok(kind.unwrap_or_default())
    }

    /// Whether the prim is defined, not only overridden; not a class, and active.
    pub(super) fn is_there(&self, layers: &Layers) -> Result<bool> {
        let specifier = self.metadata(layers, "specifier", |value| match value {
            Value::Specifier(s) if *s != Specifier::Over => Some(*s),
            _ => None,
        })?;
        let is_active = self.metadata(layers, "active", |value| match value {
            Value::Bool(is_active) => Some(*is_active),
            _ => None,
        })?;
        Ok(specifier == Some(Specifier::Def) && is_active != Some(false))
    }

    /// Whether the prim has a field.
    pub(super) fn has(&self, layers: &Layers, field: &str) -> Result<bool> {
        Ok(self.metadata(layers, field, |_| Some(()))?.is_some())
    }

    /// Returns a field of an attribute.
    pub(super) fn of_attribute<T>(
        &self,
        layers: &Layers,
        attribute: &str,
        field: &str,
        get: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>> {
        self.strongest(layers, |layer, path, _| {
            Ok(layers.field(layer, &of_prim(path, attribute), field)?.as_deref().and_then(&get))
        })
    }

    /// Returns the names of the properties.
    pub(super) fn properties(&self, layers: &Layers) -> Result<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        self.strongest(layers, |layer, path, _| {
            if let Some(value) = layers.field(layer, path, "propertyChildren")?.as_deref() {
                names.extend(token_list(value, layers, &self.path)?);
            }
            Ok(None::<()>)
        })?;
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Returns the strongest value of an attribute, or its samples; `None` without one, or if it is
    /// blocked. Fails if `convert` does not accept a value.
    pub(super) fn samples<T>(
        &self,
        layers: &Layers,
        attribute: &str,
        convert: impl Fn(&Value) -> Option<T>,
        size: impl Fn(&T) -> usize,
    ) -> Result<Option<Samples<T>>> {
        let place = || format!("prim {}", self.path);
        let fault = |problem: &str| malformed(layers.file, place(), format!("{attribute}: {problem}"));
        let accept = |value: &Value| {
            let value = convert(value).ok_or_else(|| fault("its values have a type that it cannot have"))?;
            layers
                .budget
                .borrow_mut()
                .charge(1, 32 + size(&value), || format!("{attribute} of {}", self.path))?;
            Ok::<T, Error>(value)
        };
        let found = self.strongest(layers, |layer, path, retiming| {
            let path = of_prim(path, attribute);
            if let Some(Value::TimeSamples(found)) = layers.field(layer, &path, "timeSamples")?.as_deref() {
                let mut samples: Vec<(f64, T)> = Vec::new();
                for (time, value) in found {
                    if !time.is_finite() {
                        return Err(fault("a time is not a finite number"));
                    }
                    if *value != Value::ValueBlock {
                        samples.push((retiming.apply(*time), accept(value)?));
                    }
                }
                samples.sort_by(|a, b| a.0.total_cmp(&b.0));
                samples.dedup_by(|a, b| a.0 == b.0);
                if !samples.is_empty() {
                    let (times, values) = samples.into_iter().unzip();
                    return Ok(Some(Some(Samples { times, values })));
                }
            }
            match layers.field(layer, &path, "default")?.as_deref() {
                Some(Value::ValueBlock | Value::None) => Ok(Some(None)),
                Some(value) => Ok(Some(Some(Samples::constant(accept(value)?)))),
                None => Ok(None),
            }
        })?;
        Ok(found.flatten())
    }

    /// Returns the targets of a relationship, as paths of the scene.
    pub(super) fn targets(&self, layers: &Layers, relationship: &str) -> Result<Vec<String>> {
        let mut ops = Vec::new();
        for site in &self.sites {
            let path = of_prim(&site.path, relationship);
            for &(layer, _) in &layers.stacks[site.stack].layers {
                match layers.field(layer, &path, "targetPaths")?.as_deref() {
                    Some(Value::PathListOp(op)) => ops.push(mapped(op, |path| site.in_scene(path.as_str()))),
                    Some(Value::PathVec(paths)) => {
                        ops.push(ListOp::explicit(paths.iter().map(|path| site.in_scene(path.as_str()))));
                    }
                    _ => {}
                }
            }
        }
        edited(&ops, layers, || format!("{relationship} of prim {}", self.path))
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
    fn in_scene(&self, path: &str) -> String {
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

/// Returns the path that is relative to the path of a prim.
fn relative(prim: &str, path: &str) -> String {
    let mut parts: Vec<&str> = prim.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Returns the edits of a list with other items.
fn mapped<T: Default + Clone + PartialEq, U: Default + Clone + PartialEq>(
    op: &ListOp<T>,
    map: impl Fn(&T) -> U,
) -> ListOp<U> {
    let all = |items: &[T]| items.iter().map(&map).collect();
    ListOp {
        explicit: op.explicit,
        explicit_items: all(&op.explicit_items),
        added_items: all(&op.added_items),
        prepended_items: all(&op.prepended_items),
        appended_items: all(&op.appended_items),
        deleted_items: all(&op.deleted_items),
        ordered_items: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Budget;

    #[test]
    fn paths() {
        assert_eq!(plain("/a{v=x}b/c"), "/a/b/c");
        assert_eq!(plain("/a{v=x}"), "/a");
        assert_eq!(plain("/a{v=x}{w=y}b"), "/a/b");
        assert_eq!(after("/a/b", "/a"), Some("/b"));
        assert_eq!(after("/ab", "/a"), None);
        assert_eq!(relative("/a/b", "../c"), "/a/c");
        assert_eq!(below("/a{v=x}", "b"), "/a{v=x}b");
    }

    #[test]
    fn lists_are_edited_from_the_weakest_on() {
        let weak = ListOp::explicit(["a", "b"]);
        let strong =
            ListOp { prepended_items: vec!["c", "b"], deleted_items: vec!["a"], ..Default::default() };
        let mut budget = Budget::new("a.usda", 0, None);
        let layers = Layers::open(b"#usda 1.0\n".to_vec(), "a.usda", None, &mut budget).unwrap();
        assert_eq!(edited(&[strong, weak], &layers, String::new).unwrap(), ["c", "b"]);
    }

    #[test]
    fn samples_hold_before_the_first_and_after_the_last() {
        let samples = Samples { times: vec![1.0, 3.0], values: vec![10.0, 20.0] };
        assert_eq!(samples.around(f64::NEG_INFINITY), (&10.0, &10.0, 0.0));
        assert_eq!(samples.around(1.0), (&10.0, &20.0, 0.0));
        assert_eq!(samples.around(2.0), (&10.0, &20.0, 0.5));
        assert_eq!(samples.around(3.0), (&20.0, &20.0, 0.0));
        assert_eq!(samples.around(9.0), (&20.0, &20.0, 0.0));
    }
}
