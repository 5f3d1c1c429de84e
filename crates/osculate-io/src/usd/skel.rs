//! Skeletons, their animations, and blend shapes (`UsdSkel`).

use std::collections::HashMap;

use super::compose::Prim;
use super::layer::Layers;
use super::numbers::{Numbers, indices, size_of_tokens, tokens};
use super::samples::Samples;
use super::xform::{affine, inverse, rotation, scaled_and_moved};
use crate::error::{Result, malformed};
use crate::skin::{Affine, compose};
use crate::stage::IDENTITY;

/// A skeleton, with the joints in its order.
pub(super) struct Skeleton {
    pub(super) node: usize,
    /// Paths, such as `hip/knee`.
    pub(super) joints: Vec<String>,
    /// Parents come before their children.
    pub(super) parents: Vec<Option<usize>>,
    pub(super) bind: Vec<Affine>,
    /// The map into the space of the parent, at rest.
    rest: Vec<Affine>,
    /// The animation, and the place of each joint in it.
    animation: Option<(usize, Vec<Option<usize>>)>,
}

/// An animation of joints and of blend shapes.
pub(super) struct Animation {
    joints: Vec<String>,
    /// Translations, rotations and scales.
    motion: Option<[Samples<Numbers>; 3]>,
    pub(super) shapes: Vec<String>,
    pub(super) weights: Option<Samples<Numbers>>,
}

/// A blend shape on the vertices of a mesh.
pub(super) struct Blend {
    /// The first vertex of the mesh, and how many it has.
    pub(super) first: usize,
    pub(super) n: usize,
    /// The animation, and the place of the weight in it.
    pub(super) weight: (usize, usize),
    shape: Shape,
}

/// Offsets of points, at weights that ascend.
struct Shape {
    /// The points that move; `None` for all, in order.
    points: Option<Vec<u32>>,
    offsets: Vec<(f64, Option<Numbers>)>,
}

impl Animation {
    pub(super) fn read(prim: &Prim, layers: &Layers) -> Result<Self> {
        let fault = |problem: String| malformed(layers.file, format!("animation {}", prim.path), problem);
        let list = |name: &str| {
            Ok(prim.samples(layers, name, tokens, |v| size_of_tokens(v))?.map(|v| v.first().clone()))
        };
        let (joints, shapes) =
            (list("joints")?.unwrap_or_default(), list("blendShapes")?.unwrap_or_default());
        let numbers = |name: &str| prim.samples(layers, name, Numbers::of, Numbers::size);
        let parts = (numbers("translations")?, numbers("rotations")?, numbers("scales")?);
        let motion = match parts {
            (Some(t), Some(r), Some(s)) if !joints.is_empty() => Some([t, r, s]),
            // Those of a face often have blend shapes only.
            (None, None, None) => None,
            _ if joints.is_empty() => None,
            _ => return Err(fault("it needs translations, rotations and scales".into())),
        };
        for (samples, (what, n)) in
            motion.iter().flatten().zip([("translation", 3), ("rotation", 4), ("scale", 3)])
        {
            if let Some(wrong) = samples.values.iter().find(|v| v.len() != n * joints.len()) {
                let problem = format!("{} joints, but {} numbers of a {what}", joints.len(), wrong.len());
                return Err(fault(problem));
            }
        }
        let weights = numbers("blendShapeWeights")?;
        if let Some(wrong) = weights.iter().flat_map(|w| &w.values).find(|w| w.len() != shapes.len()) {
            return Err(fault(format!("{} blend shapes, but {} weights", shapes.len(), wrong.len())));
        }
        Ok(Self { joints, motion, shapes, weights })
    }

    /// Returns the map of a joint into the space of its parent, at a time.
    fn local(&self, time: f64, joint: usize) -> Option<Affine> {
        let [translations, rotations, scales] = self.motion.as_ref()?;
        let turn = rotation(rotations.quaternion(time, joint));
        let placed = compose(&scaled_and_moved([1.0; 3], translations.triple(time, joint)), &turn);
        Some(compose(&placed, &scaled_and_moved(scales.triple(time, joint), [0.0; 3])))
    }

    /// Returns the times of what moves.
    pub(super) fn moving(&self) -> impl Iterator<Item = &[f64]> {
        self.motion.iter().flatten().chain(&self.weights).filter_map(Samples::moving)
    }
}

impl Skeleton {
    /// Returns a skeleton, moved by an animation with an index.
    pub(super) fn read(
        prim: &Prim,
        layers: &Layers,
        node: usize,
        animation: Option<(usize, &Animation)>,
    ) -> Result<Self> {
        let fault = |problem: String| malformed(layers.file, format!("skeleton {}", prim.path), problem);
        let joints = prim.samples(layers, "joints", tokens, |v| size_of_tokens(v))?;
        let joints = joints.map(|joints| joints.first().clone()).unwrap_or_default();
        let place: HashMap<&str, usize> =
            joints.iter().enumerate().map(|(i, joint)| (joint.as_str(), i)).collect();
        let mut parents = Vec::with_capacity(joints.len());
        for (i, joint) in joints.iter().enumerate() {
            let mut above = joint.as_str();
            let mut parent = None;
            while let Some((rest, _)) = above.rsplit_once('/') {
                layers.budget.borrow_mut().work(rest.len(), 1, || "joints".into())?;
                above = rest;
                parent = place.get(rest).copied();
                if parent.is_some() {
                    break;
                }
            }
            if parent.is_some_and(|parent| i <= parent) {
                return Err(fault(format!("joint {joint} comes before its parent")));
            }
            parents.push(parent);
        }
        let matrices = |name: &str| -> Result<Option<Vec<Affine>>> {
            let Some(found) = prim.samples(layers, name, Numbers::of, Numbers::size)? else {
                return Ok(None);
            };
            let found = found.first();
            if found.len() != 16 * joints.len() {
                return Err(fault(format!("{} joints, but {} numbers in {name}", joints.len(), found.len())));
            }
            let matrix = |i: usize| affine(&std::array::from_fn(|k| found.get(16 * i + k)));
            Ok(Some((0..joints.len()).map(matrix).collect()))
        };
        let bind = matrices("bindTransforms")?.ok_or_else(|| fault("it needs bindTransforms".into()))?;
        let rest = match matrices("restTransforms")? {
            Some(rest) => rest,
            None => (0..joints.len())
                .map(|i| match parents[i].and_then(|parent| inverse(&bind[parent])) {
                    Some(into_parent) => compose(&into_parent, &bind[i]),
                    None => bind[i],
                })
                .collect(),
        };
        let animation = animation.map(|(index, animation)| {
            let place: HashMap<&str, usize> =
                animation.joints.iter().enumerate().map(|(i, joint)| (joint.as_str(), i)).collect();
            (index, joints.iter().map(|joint| place.get(joint.as_str()).copied()).collect())
        });
        Ok(Self { node, joints, parents, bind, rest, animation })
    }

    /// Returns the map of each joint into the space of the skeleton, at a time or at rest.
    pub(super) fn joints(&self, animations: &[Animation], time: Option<f64>) -> Vec<Affine> {
        let mut maps: Vec<Affine> = Vec::with_capacity(self.joints.len());
        for (i, (parent, rest)) in self.parents.iter().zip(&self.rest).enumerate() {
            let animated = time.zip(self.animation.as_ref()).and_then(|(time, (animation, places))| {
                animations.get(*animation)?.local(time, (*places.get(i)?)?)
            });
            let local = animated.unwrap_or(*rest);
            maps.push(parent.map_or(local, |parent| compose(&maps[parent], &local)));
        }
        maps
    }

    /// Returns the animation of the skeleton.
    pub(super) fn animation(&self) -> Option<usize> {
        self.animation.as_ref().map(|(animation, _)| *animation)
    }

    /// Returns the map from a mesh, as it is bound, into the space of a joint.
    pub(super) fn map_into_joint(&self, joint: usize, bound: &Affine) -> Affine {
        // A singular joint moves nothing.
        self.bind.get(joint).and_then(inverse).map_or(IDENTITY, |into| compose(&into, bound))
    }
}

impl Blend {
    /// Returns a blend shape on a mesh, whose weight is at a place of an animation.
    pub(super) fn read(
        prim: &Prim,
        layers: &Layers,
        weight: (usize, usize),
        first: usize,
        n: usize,
    ) -> Result<Self> {
        let fault = |problem: String| malformed(layers.file, format!("blend shape {}", prim.path), problem);
        let points = prim.samples(layers, "pointIndices", indices, |v| 4 * v.len())?;
        let points = points.map(|points| points.first().clone()).filter(|points| !points.is_empty());
        let n_offsets = points.as_ref().map_or(n, Vec::len);
        let mut offsets: Vec<(f64, Option<Numbers>)> = vec![(0.0, None)];
        for name in prim.properties(layers)? {
            let between = name.strip_prefix("inbetweens:").filter(|rest| !rest.contains(':'));
            let at = match between {
                Some(_) => prim.of_attribute(layers, &name, "weight", |value| {
                    Numbers::of(value).filter(|numbers| numbers.len() == 1).map(|numbers| numbers.get(0))
                })?,
                None if name == "offsets" => Some(1.0),
                None => None,
            };
            let Some(at) = at.filter(|at| at.is_finite() && *at != 0.0) else { continue };
            let Some(found) = prim.samples(layers, &name, Numbers::of, Numbers::size)? else { continue };
            let found = found.first().clone();
            if found.len() != 3 * n_offsets {
                return Err(fault(format!("{n_offsets} points, but {} numbers in {name}", found.len())));
            }
            offsets.push((at, Some(found)));
        }
        if let Some(point) = points.iter().flatten().find(|&&point| n <= point as usize) {
            return Err(fault(format!("point {point}, but the mesh has {n}")));
        }
        offsets.sort_by(|a, b| a.0.total_cmp(&b.0));
        offsets.dedup_by(|a, b| a.0 == b.0);
        Ok(Self { first, n, weight, shape: Shape { points, offsets } })
    }

    /// Moves the vertices of the mesh at a weight: linearly between the offsets around it, and
    /// beyond the last as between the last two.
    pub(super) fn apply(&self, weight: f64, positions: &mut [[f64; 3]]) {
        let offsets = &self.shape.offsets;
        if weight == 0.0 || offsets.len() < 2 {
            return;
        }
        let after = offsets.partition_point(|(at, _)| *at <= weight).clamp(1, offsets.len() - 1);
        let ((start, before), (end, after)) = (&offsets[after - 1], &offsets[after]);
        let share = (weight - start) / (end - start);
        let Some(positions) = positions.get_mut(self.first..self.first + self.n) else { return };
        for (share, offsets) in [(1.0 - share, before), (share, after)] {
            let Some(offsets) = offsets else { continue };
            for i in 0..offsets.len() / 3 {
                let point = self.shape.points.as_ref().map_or(i, |points| points[i] as usize);
                if let Some(position) = positions.get_mut(point) {
                    for (x, d) in position.iter_mut().zip(offsets.point(i)) {
                        *x += share * d;
                    }
                }
            }
        }
    }
}
