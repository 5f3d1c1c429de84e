//! Shapes as fields: chains of cones with round ends, blended where chains meet. A field is
//! negative inside and close to the distance near the surface; its zero set is the skin of all
//! chains.

use crate::vector::{Vector, add, distance, dot, length, lerp, scale, sub};

/// A round cone between two points, and its bone.
#[derive(Clone, Copy)]
pub(crate) struct Cone {
    pub(crate) ends: [Vector; 2],
    pub(crate) radii: [f64; 2],
    /// A unit vector across the cone, and the factor of the radius in its direction.
    pub(crate) flat: Option<(Vector, f64)>,
    pub(crate) bone: usize,
}

/// A field value at a point.
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

/// A bounding ball: its center and radius.
#[derive(Clone, Copy)]
struct Ball(Vector, f64);

impl Ball {
    fn around(cones: &[Cone]) -> Ball {
        let (low, high) = bounds(cones);
        Ball(lerp(low, high, 0.5), 0.5 * distance(low, high))
    }

    /// Whether all of the ball is farther from a point than a limit.
    fn is_beyond(&self, point: Vector, limit: f64) -> bool {
        let reach = (limit + self.1).max(0.0);
        reach * reach < distance_squared(point, self.0)
    }
}

/// A plain union of cones: each starts where the one before ends.
#[derive(Clone)]
struct Chain {
    cones: Vec<(Ball, Cone)>,
    ball: Ball,
    /// The distance within which it blends with earlier chains.
    blend: f64,
}

/// Blended chains.
#[derive(Clone, Default)]
pub(crate) struct Field {
    chains: Vec<Chain>,
    /// The centers of all cones, and the cones by chain and position in it.
    middles: Vec<Vector>,
    places: Vec<[usize; 2]>,
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
        // The gradient of the squashed distance; its length compensates for the squashing.
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
    /// Adds a chain of cones, which blends with earlier ones nearer than `blend`.
    pub(crate) fn add(&mut self, cones: Vec<Cone>, blend: f64) {
        let ball = Ball::around(&cones);
        let cones: Vec<_> = cones.into_iter().map(|cone| (Ball::around(&[cone]), cone)).collect();
        self.middles.extend(cones.iter().map(|(ball, _)| ball.0));
        self.places.extend((0..cones.len()).map(|i| [self.chains.len(), i]));
        self.chains.push(Chain { cones, ball, blend });
    }

    /// The corners of a box around the zero set.
    pub(crate) fn bounds(&self) -> (Vector, Vector) {
        let cones: Vec<Cone> =
            self.chains.iter().flat_map(|chain| chain.cones.iter().map(|entry| entry.1)).collect();
        let (low, high) = bounds(&cones);
        let blend = self.chains.iter().fold(0.0, |most, chain| chain.blend.max(most));
        (low.map(|x| x - blend), high.map(|x| x + blend))
    }

    /// The field value at a point. There must be a cone.
    pub(crate) fn sample(&self, point: Vector) -> Sample {
        // The cone with the nearest center bounds the distance, so that most others can be skipped.
        let (mut nearest, mut nearest_sq) = (0, f64::INFINITY);
        for (i, &middle) in self.middles.iter().enumerate() {
            let middle_sq = distance_squared(point, middle);
            if middle_sq < nearest_sq {
                (nearest, nearest_sq) = (i, middle_sq);
            }
        }
        let [chain, place] = self.places[nearest];
        let first = self.chains[chain].cones[place].1.sample(point);
        let mut all: Option<Sample> = None;
        for chain in &self.chains {
            let limit =
                all.map_or(first.distance, |sample| sample.distance.min(first.distance)) + chain.blend;
            if chain.ball.is_beyond(point, limit) {
                continue;
            }
            let mut nearest: Option<Sample> = None;
            for (ball, cone) in &chain.cones {
                if !ball.is_beyond(point, nearest.map_or(limit, |sample| sample.distance.min(limit))) {
                    let sample = cone.sample(point);
                    if nearest.is_none_or(|best| sample.distance < best.distance) {
                        nearest = Some(sample);
                    }
                }
            }
            all = match (all, nearest) {
                (Some(a), Some(b)) => Some(blend(a, b, chain.blend)),
                (a, b) => a.or(b),
            };
        }
        // Far from the surface the distances of flat cones are too small, and nothing may remain.
        all.unwrap_or(first)
    }
}

fn distance_squared(a: Vector, b: Vector) -> f64 {
    let off = sub(a, b);
    dot(off, off)
}

/// The union of two shapes, filled where both are near.
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
