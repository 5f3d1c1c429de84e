//! The layers of a USD file: itself, and those that it refers to, in files or in the same package.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use openusd::sdf::{AbstractData, ListOp, Path as SpecPath, Value};
use openusd::{usda, usdc};

use super::{binary, text};
use crate::bytes::{self, Budget};
use crate::error::{Error, Result, malformed};
use crate::zip;

/// Where the bytes of a layer are, and the assets that it refers to.
#[derive(Clone)]
enum Place {
    /// In memory, without a folder.
    Nowhere,
    File(PathBuf),
    Package(Arc<Package>, String),
}

/// A package: an archive whose first layer stands for it.
struct Package {
    name: String,
    bytes: Vec<u8>,
    members: Vec<zip::Member>,
}

/// A layer, as it is parsed.
pub(super) struct Layer {
    data: Box<dyn AbstractData>,
    place: Place,
    name: String,
}

/// A map of the times of a layer to those of the scene: `offset + scale * time`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Retiming {
    pub(super) offset: f64,
    pub(super) scale: f64,
}

impl Retiming {
    pub(super) const NONE: Self = Self { offset: 0.0, scale: 1.0 };

    /// Returns the map that applies `inner` first.
    pub(super) fn after(self, inner: Self) -> Self {
        Self { offset: self.offset + self.scale * inner.offset, scale: self.scale * inner.scale }
    }

    pub(super) fn apply(self, time: f64) -> f64 {
        self.offset + self.scale * time
    }

    /// Returns the map of an arc; one without an inverse stands for none, as elsewhere.
    pub(super) fn of(offset: openusd::sdf::LayerOffset) -> Self {
        let is_sound = offset.offset.is_finite() && offset.scale.is_finite() && 0.0 < offset.scale;
        if is_sound { Self { offset: offset.offset, scale: offset.scale } } else { Self::NONE }
    }
}

/// A layer and all layers below it, the strongest first.
pub(super) struct Stack {
    pub(super) layers: Vec<(usize, Retiming)>,
}

/// All layers that were read.
pub(super) struct Layers<'a> {
    pub(super) file: &'a str,
    pub(super) budget: RefCell<&'a mut Budget>,
    layers: Vec<Layer>,
    pub(super) stacks: Vec<Stack>,
    /// The stack of each first layer.
    stack_of: HashMap<usize, usize>,
    packages: HashMap<PathBuf, Arc<Package>>,
    /// The files that were read besides the first one.
    pub(super) opened: Vec<PathBuf>,
    /// The assets and prims that were not found.
    pub(super) missing: Vec<String>,
}

/// Most layers of one scene.
const MAX_LAYERS: usize = 10_000;
/// Deepest nesting of layers below layers.
const MAX_SUBLAYERS: usize = 100;

impl<'a> Layers<'a> {
    /// Returns the layers of a file, whose bytes are given; those that it refers to are searched
    /// beside `path`, if there is one.
    pub(super) fn open(
        content: Vec<u8>,
        file: &'a str,
        path: Option<&Path>,
        budget: &'a mut Budget,
    ) -> Result<Self> {
        let mut layers = Self {
            file,
            budget: RefCell::new(budget),
            layers: Vec::new(),
            stacks: Vec::new(),
            stack_of: HashMap::new(),
            packages: HashMap::new(),
            opened: Vec::new(),
            missing: Vec::new(),
        };
        let place = path.map_or(Place::Nowhere, |path| Place::File(path.to_owned()));
        let first = layers.layer(content, place, file.to_owned())?;
        layers.stack(first)?;
        Ok(layers)
    }

    /// Parses a layer, and returns its index.
    fn layer(&mut self, content: Vec<u8>, place: Place, name: String) -> Result<usize> {
        if content.starts_with(b"PK") {
            return self.package(content, &place, name);
        }
        if MAX_LAYERS <= self.layers.len() {
            return Err(malformed(self.file, "layers", format!("there are more than {MAX_LAYERS}")));
        }
        let fault = |error: &dyn std::fmt::Display| {
            malformed(&name, "layer", format!("it cannot be parsed ({error})"))
        };
        let mut budget = self.budget.borrow_mut();
        budget.charge(content.len(), 2, || format!("layer {name}"))?;
        let data: Box<dyn AbstractData> = if binary::is_binary(&content) {
            binary::check(&content, &name, &mut budget)?;
            Box::new(
                usdc::CrateData::open(Cursor::new(content), true)
                    .map_err(|error| fault(&format!("{error:#}")))?,
            )
        } else {
            if !content.starts_with(b"#usda") {
                return Err(malformed(
                    &name,
                    "header",
                    "it is neither a text nor a binary layer, nor a package",
                ));
            }
            let text = String::from_utf8(content).map_err(|error| fault(&error))?;
            text::check(&text, &name, &mut budget)?;
            Box::new(usda::parse(&text).map_err(|error| fault(&format!("{error:#}")))?)
        };
        self.layers.push(Layer { data, place, name });
        Ok(self.layers.len() - 1)
    }

    /// Parses the first layer of a package.
    fn package(&mut self, content: Vec<u8>, place: &Place, name: String) -> Result<usize> {
        if let Place::Package(..) = place {
            let advice = "unpack it".into();
            return Err(Error::Unsupported { file: name, what: "a package in a package".into(), advice });
        }
        let members = zip::directory(&content, &name)?;
        self.budget.borrow_mut().charge(members.len(), 256, || "the package".into())?;
        let first = members.iter().find(|member| is_layer(&member.name)).map(|member| member.name.clone());
        let first = first.ok_or_else(|| malformed(&name, "package", "there is no layer in it"))?;
        let package = Arc::new(Package { name, bytes: content, members });
        if let Place::File(path) = place {
            self.packages.insert(path.clone(), package.clone());
        }
        self.member(&package, &first)
    }

    /// Returns the layer in a package, which is parsed if it was not yet.
    fn member(&mut self, package: &Arc<Package>, name: &str) -> Result<usize> {
        let known = self.layers.iter().position(
            |layer| matches!(&layer.place, Place::Package(of, member) if Arc::ptr_eq(of, package) && *member == name),
        );
        if let Some(layer) = known {
            return Ok(layer);
        }
        let member = package.members.iter().find(|member| member.name == name);
        let place = format!("member '{name}'");
        let member = member.ok_or_else(|| malformed(&package.name, place, "it is not in the package"))?;
        let content = zip::extract(&package.bytes, member, &package.name, &mut self.budget.borrow_mut())?;
        self.layer(
            content,
            Place::Package(package.clone(), name.to_owned()),
            format!("{}[{name}]", package.name),
        )
    }

    /// Adds the stack of a layer, and returns its index.
    fn stack(&mut self, first: usize) -> Result<usize> {
        let mut stack = Vec::new();
        let mut pending = vec![(first, Retiming::NONE, vec![first])];
        while let Some((layer, retiming, above)) = pending.pop() {
            if MAX_SUBLAYERS < above.len() || MAX_LAYERS < stack.len() {
                let problem =
                    format!("more than {MAX_SUBLAYERS} are nested, or more than {MAX_LAYERS} are used");
                return Err(malformed(self.file, "layers", problem));
            }
            self.budget.borrow_mut().charge(1, 128, || "the layers".into())?;
            stack.push((layer, retiming));
            let paths = match self.field(layer, "/", "subLayers")?.as_deref() {
                Some(Value::StringVec(paths)) => paths.clone(),
                Some(Value::AssetPathVec(paths)) => {
                    paths.iter().map(|path| path.as_str().to_owned()).collect()
                }
                Some(Value::TokenVec(paths)) => paths.iter().map(|path| path.as_str().to_owned()).collect(),
                _ => Vec::new(),
            };
            let offsets = match self.field(layer, "/", "subLayerOffsets")?.as_deref() {
                Some(Value::LayerOffsetVec(offsets)) => offsets.clone(),
                _ => Vec::new(),
            };
            let mut below = Vec::new();
            for (i, path) in paths.iter().enumerate() {
                let Some(layer_below) = self.find(layer, path)? else { continue };
                if above.contains(&layer_below) {
                    return Err(malformed(&self.layers[layer].name, "subLayers", "they form a cycle"));
                }
                let own = offsets.get(i).map_or(Retiming::NONE, |&offset| Retiming::of(offset));
                let rates = self.time_codes_per_second(layer)? / self.time_codes_per_second(layer_below)?;
                let own = own.after(Retiming { offset: 0.0, scale: rates });
                let mut chain = above.clone();
                chain.push(layer_below);
                below.push((layer_below, retiming.after(own), chain));
            }
            pending.extend(below.into_iter().rev());
        }
        self.stacks.push(Stack { layers: stack });
        Ok(self.stacks.len() - 1)
    }

    /// Returns the stack of an asset that a layer refers to; `None` if it is not found.
    pub(super) fn stack_of(&mut self, layer: usize, asset: &str) -> Result<Option<usize>> {
        let Some(first) = self.find(layer, asset)? else { return Ok(None) };
        if let Some(&stack) = self.stack_of.get(&first) {
            return Ok(Some(stack));
        }
        let stack = self.stack(first)?;
        self.stack_of.insert(first, stack);
        Ok(Some(stack))
    }

    /// Returns the layer of an asset that another layer refers to; `None` if it is not found.
    fn find(&mut self, layer: usize, asset: &str) -> Result<Option<usize>> {
        // It is compared with all that is known.
        let n_members = match &self.layers[layer].place {
            Place::Package(package, _) => package.members.len(),
            _ => 0,
        };
        self.budget.borrow_mut().work(self.layers.len() + n_members, 4, || "the layers".into())?;
        match self.layers[layer].place.clone() {
            Place::Package(package, member) => {
                let folder = member.rsplit_once('/').map_or("", |(folder, _)| folder);
                let Some(name) = joined(folder, asset)
                    .filter(|name| package.members.iter().any(|member| member.name == *name))
                else {
                    return Ok(self.miss(asset));
                };
                self.member(&package, &name).map(Some)
            }
            Place::File(anchor) => {
                let (path, member) = match asset.strip_suffix(']').and_then(|inner| inner.split_once('[')) {
                    Some((path, member)) => (path, Some(member)),
                    None => (asset, None),
                };
                let path = anchor.parent().unwrap_or(Path::new("")).join(path);
                let path = without_detours(&path);
                if !path.is_file() || !is_layer(&path.to_string_lossy()) {
                    return Ok(self.miss(asset));
                }
                let first = self.load(&path)?;
                let Some(member) = member else { return Ok(Some(first)) };
                // A layer that is no package has no members.
                let Some(package) = self.packages.get(&path).cloned() else { return Ok(self.miss(asset)) };
                self.member(&package, member).map(Some)
            }
            Place::Nowhere => Ok(self.miss(asset)),
        }
    }

    /// Returns the layer of a file, which is read if it was not yet.
    fn load(&mut self, path: &Path) -> Result<usize> {
        let known = self.layers.iter().position(|layer| match &layer.place {
            Place::File(of) => of == path,
            Place::Package(of, _) => self.packages.get(path).is_some_and(|package| Arc::ptr_eq(of, package)),
            Place::Nowhere => false,
        });
        if let Some(layer) = known {
            return Ok(layer);
        }
        let size = std::fs::metadata(path).map_or(0, |data| data.len());
        self.budget.borrow_mut().grow(usize::try_from(size).unwrap_or(usize::MAX));
        self.budget
            .borrow_mut()
            .charge(usize::try_from(size).unwrap_or(usize::MAX), 1, || path.display().to_string())?;
        self.opened.push(path.to_owned());
        let content = bytes::read(path)?;
        self.layer(content, Place::File(path.to_owned()), path.display().to_string())
    }

    /// Remembers what was not found.
    pub(super) fn miss(&mut self, asset: &str) -> Option<usize> {
        if !self.missing.iter().any(|known| known == asset) && self.missing.len() < 100 {
            self.missing.push(asset.to_owned());
        }
        None
    }

    /// Returns whether a layer has something at a path.
    pub(super) fn has(&self, layer: usize, path: &str) -> bool {
        SpecPath::new(path).is_ok_and(|path| self.layers[layer].data.has_spec(&path))
    }

    /// Returns a field of what a layer has at a path.
    pub(super) fn field(&self, layer: usize, path: &str, field: &str) -> Result<Option<Cow<'_, Value>>> {
        let Layer { data, name, .. } = &self.layers[layer];
        let fault = |error: &dyn std::fmt::Display| malformed(name, path, format!("{field}: {error}"));
        self.budget.borrow_mut().work(path.len() + 64, 1, || "fields".into())?;
        let path = SpecPath::new(path).map_err(|error| fault(&error))?;
        let found =
            data.try_field(&path, field).map_err(|error| match std::error::Error::source(&error) {
                Some(source) => fault(&source),
                None => fault(&error),
            })?;
        if let Some(value) = &found {
            // The value is converted each time, and the bytes of a binary layer are decoded again.
            let what = || format!("{field} of {}", path.as_str());
            self.budget.borrow_mut().work(size_of_value(value), 1, what)?;
        }
        Ok(found)
    }

    /// Returns a number of the first layer of a stack.
    pub(super) fn number(&self, layer: usize, field: &str) -> Result<Option<f64>> {
        Ok(match self.field(layer, "/", field)?.as_deref() {
            Some(Value::Double(x)) => Some(*x),
            Some(Value::Float(x)) => Some(f64::from(*x)),
            Some(Value::Int(x)) => Some(f64::from(*x)),
            _ => None,
        })
    }

    /// Returns the time codes per second of a layer: 24 if it does not say.
    pub(super) fn time_codes_per_second(&self, layer: usize) -> Result<f64> {
        let is_rate = |x: &f64| x.is_finite() && 0.0 < *x;
        if let Some(rate) = self.number(layer, "timeCodesPerSecond")?.filter(is_rate) {
            return Ok(rate);
        }
        Ok(self.number(layer, "framesPerSecond")?.filter(is_rate).unwrap_or(24.0))
    }

    /// Returns the name of a layer.
    pub(super) fn name(&self, layer: usize) -> &str {
        &self.layers[layer].name
    }
}

/// Whether a path has the extension of a layer.
fn is_layer(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["usd", "usda", "usdc", "usdz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Returns the path of an asset in a package; `None` if it leads out of it.
fn joined(folder: &str, asset: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in asset.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns a path without `.`, and without the folders that `..` leaves.
fn without_detours(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Returns the memory of a value, about.
fn size_of_value(value: &Value) -> usize {
    let text = |text: &str| 64 + text.len();
    let dictionary = |entries: &HashMap<String, Value>| -> usize {
        entries.iter().map(|(key, value)| 64 + key.len() + size_of_value(value)).sum()
    };
    match value {
        Value::TimeSamples(samples) => samples.iter().map(|(_, value)| 64 + size_of_value(value)).sum(),
        Value::ValueVec(values) => values.iter().map(|value| 64 + size_of_value(value)).sum(),
        Value::Dictionary(entries) => dictionary(entries),
        Value::VariantSelectionMap(choices) => {
            choices.iter().map(|(set, choice)| 64 + set.len() + choice.len()).sum()
        }
        Value::String(v) | Value::UnregisteredValue(v) | Value::PathExpression(v) => text(v),
        Value::Token(v) => text(v),
        Value::AssetPath(v) => text(v.as_str()),
        Value::StringVec(v) => v.iter().map(|v| text(v)).sum(),
        Value::TokenVec(v) => v.iter().map(|v| text(v)).sum(),
        Value::AssetPathVec(v) => v.iter().map(|v| text(v.as_str())).sum(),
        Value::PathVec(v) => v.iter().map(|v| text(v.as_str())).sum(),
        Value::Relocates(v) => v.iter().map(|(from, to)| text(from.as_str()) + text(to.as_str())).sum(),
        Value::StringListOp(op) | Value::UnregisteredValueListOp(op) => size_of_list(op, |v| text(v)),
        Value::TokenListOp(op) => size_of_list(op, |v| text(v)),
        Value::PathListOp(op) => size_of_list(op, |v| text(v.as_str())),
        Value::ReferenceListOp(op) => size_of_list(op, |v| {
            128 + v.asset_path.len() + v.prim_path.as_str().len() + dictionary(&v.custom_data)
        }),
        Value::PayloadListOp(op) => {
            size_of_list(op, |v| 128 + v.asset_path.len() + v.prim_path.as_str().len())
        }
        Value::Payload(v) => 128 + v.asset_path.len() + v.prim_path.as_str().len(),
        Value::IntListOp(op) => size_of_list(op, |_| 4),
        Value::UIntListOp(op) => size_of_list(op, |_| 4),
        Value::Int64ListOp(op) => size_of_list(op, |_| 8),
        Value::UInt64ListOp(op) => size_of_list(op, |_| 8),
        Value::BoolVec(v) => size_of_val(&**v),
        Value::UcharVec(v) => size_of_val(&**v),
        Value::IntVec(v) => size_of_val(&**v),
        Value::UintVec(v) => size_of_val(&**v),
        Value::Int64Vec(v) => size_of_val(&**v),
        Value::Uint64Vec(v) => size_of_val(&**v),
        Value::HalfVec(v) => size_of_val(&**v),
        Value::FloatVec(v) => size_of_val(&**v),
        Value::DoubleVec(v) => size_of_val(&**v),
        Value::TimeCodeVec(v) => size_of_val(&**v),
        Value::LayerOffsetVec(v) => size_of_val(&**v),
        Value::QuathVec(v) => size_of_val(&**v),
        Value::QuatfVec(v) => size_of_val(&**v),
        Value::QuatdVec(v) => size_of_val(&**v),
        Value::Vec2hVec(v) => size_of_val(&**v),
        Value::Vec2fVec(v) => size_of_val(&**v),
        Value::Vec2dVec(v) => size_of_val(&**v),
        Value::Vec2iVec(v) => size_of_val(&**v),
        Value::Vec3hVec(v) => size_of_val(&**v),
        Value::Vec3fVec(v) => size_of_val(&**v),
        Value::Vec3dVec(v) => size_of_val(&**v),
        Value::Vec3iVec(v) => size_of_val(&**v),
        Value::Vec4hVec(v) => size_of_val(&**v),
        Value::Vec4fVec(v) => size_of_val(&**v),
        Value::Vec4dVec(v) => size_of_val(&**v),
        Value::Vec4iVec(v) => size_of_val(&**v),
        Value::Matrix2dVec(v) => size_of_val(&**v),
        Value::Matrix3dVec(v) => size_of_val(&**v),
        Value::Matrix4dVec(v) => size_of_val(&**v),
        // A single number, vector, matrix or word.
        _ => 64,
    }
}

/// Returns the memory of the items of a list and of its edits.
fn size_of_list<T: Default + Clone + PartialEq>(op: &ListOp<T>, size: impl Fn(&T) -> usize) -> usize {
    let all = [
        &op.explicit_items,
        &op.added_items,
        &op.prepended_items,
        &op.appended_items,
        &op.deleted_items,
        &op.ordered_items,
    ];
    all.iter().flat_map(|items| items.iter()).map(size).sum()
}
