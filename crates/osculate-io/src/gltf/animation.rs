//! Keyframes: the value of an animation channel at a given time.

use std::collections::HashMap;
use std::sync::Arc;

use super::document::Document;
use super::scene::Scene;
use crate::bytes::Budget;
use crate::error::{Result, malformed};

/// The property of a node that a channel drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Translation,
    Rotation,
    Scale,
    Weights,
}

/// Interpolation between keys.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Interpolation {
    Step,
    Linear,
    /// Each key has three values: the slope before it, its value, and the slope after it.
    Cubic,
}

/// The motion of one property of one node. There is at least one key, times never decrease, and the
/// number of values matches the keys.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) node: usize,
    pub(super) target: Target,
    /// Numbers in a value: 3, 4, or the number of morph targets.
    pub(super) width: usize,
    interpolation: Interpolation,
    times: Arc<Vec<f64>>,
    values: Arc<Vec<f64>>,
}

/// The channels of an animation, and the time from its first to its last key.
#[derive(Debug)]
pub(super) struct Animation {
    pub(super) channels: Vec<Channel>,
    pub(super) start: f64,
    pub(super) end: f64,
    /// Paths of animated properties that would change the geometry but are not supported.
    pub(super) ignored: Vec<String>,
}

/// Decoded and checked accessor values, by index and kind: the channels of a clip often share their
/// times.
pub(super) type Cache = HashMap<(usize, &'static str), Arc<Vec<f64>>>;

/// The kind of accessor for key times: scalars, checked to increase.
const TIMES: &str = "TIMES";

/// Returns the animation with the given index. Channels without a node, and of properties that do
/// not move vertices, are ignored. The clip starts at time 0, or at its first key if that is
/// earlier.
pub(super) fn read(
    document: &Document,
    index: usize,
    scene: &Scene,
    cache: &mut Cache,
    budget: &mut Budget,
) -> Result<Animation> {
    let animation = &document.root.animations[index];
    let mut result = Animation { channels: Vec::new(), start: 0.0, end: 0.0, ignored: Vec::new() };
    for (i, channel) in animation.channels.iter().enumerate() {
        let fault =
            |problem: String| malformed(document.file, format!("channel {i} of animation {index}"), problem);
        let pointer = channel.target.pointer();
        let target = match pointer {
            Some(pointer) => node_property(pointer),
            None => channel.target.node.map(|node| (node, channel.target.path.as_str())),
        };
        let Some((node, path)) = target else {
            let pointer = pointer.unwrap_or_default();
            if ["/nodes/", "/meshes/", "/skins/"].iter().any(|start| pointer.starts_with(start)) {
                result.ignored.push(pointer.chars().take(100).collect());
            }
            continue;
        };
        if scene.locals.len() <= node {
            return Err(fault(format!("node {node} does not exist")));
        }
        let (target, kind, width) = match path {
            "translation" => (Target::Translation, "VEC3", 3),
            "rotation" => (Target::Rotation, "VEC4", 4),
            "scale" => (Target::Scale, "VEC3", 3),
            "weights" => (Target::Weights, "SCALAR", scene.n_morphs[node]),
            _ => continue,
        };
        if width == 0 {
            continue;
        }
        if target != Target::Weights && document.root.nodes[node].matrix.is_some() {
            return Err(fault(format!("node {node} is animated, but has a matrix")));
        }
        let sampler = animation.samplers.get(channel.sampler);
        let sampler = sampler.ok_or_else(|| fault(format!("sampler {} does not exist", channel.sampler)))?;
        let (interpolation, per_key) = match sampler.interpolation.as_deref() {
            Some("STEP") => (Interpolation::Step, 1),
            None | Some("LINEAR") => (Interpolation::Linear, 1),
            Some("CUBICSPLINE") => (Interpolation::Cubic, 3),
            Some(other) => {
                let other: String = other.chars().take(20).collect();
                return Err(fault(format!("unknown interpolation '{other}'")));
            }
        };
        let times = cached(document, sampler.input, TIMES, cache, budget)?;
        let values = cached(document, sampler.output, kind, cache, budget)?;
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return Err(fault("it has no keys".into()));
        };
        if Some(values.len()) != times.len().checked_mul(width * per_key) {
            let problem = format!(
                "{} keys need {} numbers each, but there are {}",
                times.len(),
                width * per_key,
                values.len()
            );
            return Err(fault(problem));
        }
        result.start = result.start.min(*first);
        result.end = result.end.max(*last);
        result.channels.push(Channel { node, target, width, interpolation, times, values });
    }
    Ok(result)
}

/// Returns the node and the property of a path such as `/nodes/3/rotation`; `None` for other paths.
fn node_property(pointer: &str) -> Option<(usize, &str)> {
    let (node, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    let is_known = ["translation", "rotation", "scale", "weights"].contains(&property);
    Some((node.parse().ok().filter(|_| is_known)?, property))
}

/// Returns the values of an accessor, from the cache if possible.
fn cached(
    document: &Document,
    accessor: usize,
    kind: &'static str,
    cache: &mut Cache,
    budget: &mut Budget,
) -> Result<Arc<Vec<f64>>> {
    if let Some(values) = cache.get(&(accessor, kind)) {
        return Ok(values.clone());
    }
    let values = document.numbers(accessor, if kind == TIMES { "SCALAR" } else { kind }, budget)?;
    if kind == TIMES && !(values.iter().all(|time| time.is_finite()) && values.is_sorted()) {
        let problem = "the times of keys must be finite and increase";
        return Err(malformed(document.file, format!("accessor {accessor}"), problem));
    }
    let values = Arc::new(values);
    cache.insert((accessor, kind), values.clone());
    Ok(values)
}

impl Channel {
    /// Replaces `out` by the value at a time. Before the first and after the last key, the value is
    /// that of the key.
    pub(super) fn sample(&self, time: f64, out: &mut Vec<f64>) {
        out.clear();
        let next = self.times.partition_point(|&key| key <= time);
        if next == 0 || next == self.times.len() || self.interpolation == Interpolation::Step {
            out.extend_from_slice(self.value(next.saturating_sub(1)));
        } else {
            let (t0, t1) = (self.times[next - 1], self.times[next]);
            let s = (time - t0) / (t1 - t0);
            let (a, b) = (self.value(next - 1), self.value(next));
            match self.interpolation {
                Interpolation::Cubic => {
                    let (leave, arrive) = (self.slope(next - 1, 2), self.slope(next, 0));
                    for i in 0..self.width {
                        out.push(hermite(s, t1 - t0, a[i], leave[i], b[i], arrive[i]));
                    }
                }
                _ if self.target == Target::Rotation => slerp(a, b, s, out),
                _ => out.extend(a.iter().zip(b).map(|(a, b)| (1.0 - s) * a + s * b)),
            }
        }
    }

    fn value(&self, key: usize) -> &[f64] {
        match self.interpolation {
            Interpolation::Cubic => self.slope(key, 1),
            _ => &self.values[key * self.width..(key + 1) * self.width],
        }
    }

    /// Returns one of the three values of a spline key.
    fn slope(&self, key: usize, which: usize) -> &[f64] {
        let start = (3 * key + which) * self.width;
        &self.values[start..start + self.width]
    }
}

/// Returns the cubic with values `a`, `b` and slopes `leave`, `arrive` at both ends of an interval
/// of length `dt`.
fn hermite(s: f64, dt: f64, a: f64, leave: f64, b: f64, arrive: f64) -> f64 {
    let (s2, s3) = (s * s, s * s * s);
    (2.0 * s3 - 3.0 * s2 + 1.0) * a
        + dt * (s3 - 2.0 * s2 + s) * leave
        + (3.0 * s2 - 2.0 * s3) * b
        + dt * (s3 - s2) * arrive
}

/// Appends the rotation at `s` on the shorter great circle from `a` to `b`; not normalized.
fn slerp(a: &[f64], b: &[f64], s: f64, out: &mut Vec<f64>) {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let (sign, dot) = if dot < 0.0 { (-1.0, -dot) } else { (1.0, dot) };
    // Near 1 the sines vanish; there the chord is as good as the circle, to 1e-13 of the angle.
    let (from, to) = if 1.0 - 1e-9 < dot {
        (1.0 - s, s)
    } else {
        let angle = dot.acos();
        (((1.0 - s) * angle).sin() / angle.sin(), (s * angle).sin() / angle.sin())
    };
    out.extend(a.iter().zip(b).map(|(a, b)| from * a + sign * to * b));
}
