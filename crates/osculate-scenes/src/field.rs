//! Shapes as fields: chains of cones with round ends, blended where chains meet. A field is negative inside and close to the distance near
//! the surface, so that its zero set is the skin of all chains together.

use crate::vector::{Vector, add, distance, dot, length, lerp, scale, sub};

/// A round cone between two points, and the bone that it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Cone {
    pub(crate) ends: [Vector; 2],
    pub(crate) radii: [f64; 2],
    /// A unit vector across the cone, and the part of the radius that is left in its direction.
    pub(crate) flat: Option<(Vector, f64)>,
    pub(crate) bone: usize,
}

/// What a field is at a point.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    /// Signed distance, positive outside; exact only to first order.
    pub(crate) distance: f64,
    pub(crate) gradient: Vector,
    /// The radius of the shape there.
    pub(crate) radius: f64,
    /// The bone of the nearest cone.
    pub(crate) bone: usize,
}

/// Cones whose union is taken as it is: each starts where the one before ends.
#[derive(Clone, Default)]
struct Chain {
    cones: Vec<Cone>,
    center: Vector,
    reach: f64,
}

/// Chains, blended.
#[derive(Clone)]
pub(crate) struct Field {
    chains: Vec<Chain>,
    /// How near two chains must be to each other to blend.
    blend: f64,
}

impl Cone {
    fn sample(&self, point: Vector) -> Sample {
        let [a, b] = self.ends;
        let squash = |v: Vector| match self.flat {
            None => v,
            Some((axis, part)) => add(v, scale(axis, dot(v, axis) * (1.0 / part - 1.0))),
        };
        let (axis, to_point) = (squash(sub(b, a)), squash(sub(point, a)));
        let axis_sq = dot(axis, axis);
        let t = if axis_sq == 0.0 { 0.0 } else { (dot(to_point, axis) / axis_sq).clamp(0.0, 1.0) };
        let off = sub(to_point, scale(axis, t));
        let from_axis = length(off);
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * t;
        // The gradient of the squashed distance; its length makes up for the squashing.
        let gradient = squash(scale(off, 1.0 / from_axis.max(f64::MIN_POSITIVE)));
        let slope = length(gradient).max(1.0);
        Sample {
            distance: (from_axis - radius) / slope,
            gradient: scale(gradient, 1.0 / slope),
            radius,
            bone: self.bone,
        }
    }
}

impl Field {
    pub(crate) fn new(blend: f64) -> Field {
        Field { chains: Vec::new(), blend }
    }

    /// Adds a chain of cones.
    pub(crate) fn add(&mut self, cones: Vec<Cone>) {
        let (low, high) = bounds(&cones);
        let reach = 0.5 * distance(low, high);
        self.chains.push(Chain { cones, center: lerp(low, high, 0.5), reach });
    }

    /// The corners of a box around the zero set.
    pub(crate) fn bounds(&self) -> (Vector, Vector) {
        let cones: Vec<Cone> = self.chains.iter().flat_map(|chain| chain.cones.iter().copied()).collect();
        let (low, high) = bounds(&cones);
        (low.map(|x| x - self.blend), high.map(|x| x + self.blend))
    }

    pub(crate) fn sample(&self, point: Vector) -> Sample {
        let mut all: Option<Sample> = None;
        for chain in &self.chains {
            let limit = all.map_or(f64::INFINITY, |sample| sample.distance + self.blend);
            if limit < distance(point, chain.center) - chain.reach {
                continue;
            }
            let of_chain = chain.cones.iter().map(|cone| cone.sample(point));
            let nearest = of_chain.reduce(|a, b| if b.distance < a.distance { b } else { a });
            all = match (all, nearest) {
                (Some(a), Some(b)) => Some(blend(a, b, self.blend)),
                (a, b) => a.or(b),
            };
        }
        all.expect("a field has a cone")
    }
}

/// The union of two shapes, filled up where both are near.
fn blend(a: Sample, b: Sample, width: f64) -> Sample {
    let (near, far) = if b.distance < a.distance { (b, a) } else { (a, b) };
    let share = 0.5 * (1.0 - (far.distance - near.distance) / width).max(0.0);
    Sample {
        distance: near.distance - share * share * width,
        gradient: lerp(near.gradient, far.gradient, share),
        radius: near.radius + (far.radius - near.radius) * share,
        bone: near.bone,
    }
}

fn bounds(cones: &[Cone]) -> (Vector, Vector) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for cone in cones {
        for (end, radius) in cone.ends.iter().zip(cone.radii) {
            for axis in 0..3 {
                low[axis] = low[axis].min(end[axis] - radius);
                high[axis] = high[axis].max(end[axis] + radius);
            }
        }
    }
    (low, high)
}
