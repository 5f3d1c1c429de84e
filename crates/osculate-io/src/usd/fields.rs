//! What the specs of a prim say: its children, its type, and the values of its properties. Of each,
//! the strongest opinion counts.

use std::collections::HashSet;

use openusd::sdf::{ListOp, Specifier, Value};

use super::compose::Prim;
use super::layer::{Layers, Retiming};
use super::lists::{edited, mapped, token_list};
use super::paths::of_prim;
use super::samples::Samples;
use crate::error::{Error, Result, malformed};

impl Prim {
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
