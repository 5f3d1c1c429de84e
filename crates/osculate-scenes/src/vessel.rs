//! A tree of blood vessels: a trunk that forks four times, each branch bent and thinner than the
//! one before, blended at the forks, and open at the lower end of the trunk.

use crate::field::{Cone, Field};
use crate::hole::cut_lowest;
use crate::remesh::{Meshing, mesh};
use crate::vector::{TAU, Vector, add, apply, cross, lerp, normalize, rotation, scale, sin, smooth, sub};

/// Lengths of the branches of each generation, in meters.
const LENGTHS: [f64; 5] = [0.060, 0.044, 0.037, 0.030, 0.025];
/// Radius of the trunk.
const TRUNK: f64 = 0.006;
/// Pieces of a branch.
const N_PIECES: usize = 9;
/// The radii of the two branches at a fork, relative to the vessel that forks, and the tangents of
/// the angles at which they leave: the thinner one bends farther.
const SPLIT: [(f64, f64); 2] = [(0.84, 0.50), (0.73, -0.85)];
/// Which way the route turns at each fork.
const ROUTE: [usize; 4] = [1, 0, 1, 0];
/// Where branches blend, relative to their radii.
const BLEND: f64 = 0.7;
/// Triangles that close the lower end of the trunk, and are cut off.
const N_LID: usize = 500;

/// A point on the center line of a vessel, and its radius there.
pub(crate) type Place = (Vector, f64);

/// The shape of the tree, and the center line from its inlet to the end of one of its branches.
pub(crate) struct Vessel {
    field: Field,
    pub(crate) route: Vec<Place>,
}

/// The start of a branch.
#[derive(Clone, Copy)]
struct Bud {
    place: Place,
    /// The direction of the vessel that it leaves, and its own.
    directions: [Vector; 2],
    /// A unit vector in the plane of the next fork.
    across: Vector,
    generation: usize,
    /// Whether it is on the route.
    is_route: bool,
}

impl Vessel {
    /// A tree with its inlet at that place, upright.
    pub(crate) fn new(inlet: Vector) -> Vessel {
        let mut vessel = Vessel { field: Field::default(), route: vec![(inlet, TRUNK)] };
        let up = [0.0, 1.0, 0.0];
        vessel.grow(Bud {
            place: (inlet, TRUNK),
            directions: [up; 2],
            across: [1.0, 0.0, 0.0],
            generation: 0,
            is_route: true,
        });
        vessel
    }

    /// Adds a branch, and those that leave it.
    fn grow(&mut self, bud: Bud) {
        let Bud { place: (start, radius), directions: [before, own], across, generation, is_route } = bud;
        let piece = LENGTHS[generation] / N_PIECES as f64;
        let sideways = cross(own, across);
        let (mut places, mut direction) = (vec![(start, radius)], own);
        for i in 1..=N_PIECES {
            let t = (i as f64 - 0.5) / N_PIECES as f64;
            // The trunk starts straight, for the catheter to enter.
            let sway = if generation == 0 { 0.25 * sin(0.5 * TAU * smooth(t)) } else { 0.3 * sin(TAU * t) };
            direction = normalize(add(lerp(before, own, smooth(2.0 * t)), scale(sideways, sway)));
            let end = add(places[i - 1].0, scale(direction, piece));
            places.push((end, radius * (1.0 - 0.06 * i as f64 / N_PIECES as f64)));
        }
        self.field.add(cones(&places), BLEND * radius);
        if is_route {
            self.route.extend(&places[1..]);
        }
        if generation + 1 == LENGTHS.len() {
            return;
        }
        for (which, (part, tangent)) in SPLIT.into_iter().enumerate() {
            let own = normalize(add(direction, scale(across, tangent)));
            // The planes of successive forks are about across each other.
            let turn = rotation(own, TAU * (0.05 + 0.04 * (generation + which) as f64));
            self.grow(Bud {
                place: (places[N_PIECES].0, radius * part),
                directions: [direction, own],
                across: normalize(cross(apply(&turn, across), own)),
                generation: generation + 1,
                is_route: is_route && ROUTE[generation] == which,
            });
        }
    }

    /// Its surface of exactly so many triangles, an even number; it faces outward, so that what
    /// flows is behind it.
    pub(crate) fn surface(&self, n_faces: usize) -> (Vec<[u32; 3]>, Vec<Vector>) {
        let how = Meshing { cube: 0.0011, evenness: 0.004, n_faces: n_faces + N_LID };
        let (faces, points) = mesh(&self.field, &how);
        cut_lowest(&faces, &points, N_LID)
    }

    /// The vessels of the route as one tube without branches, which goes on straight for a length.
    pub(crate) fn tube(&self, beyond: f64) -> Field {
        let mut places = self.route.clone();
        if let &[.., (before, _), (end, radius)] = places.as_slice() {
            places.push((add(end, scale(normalize(sub(end, before)), beyond)), radius));
        }
        let mut field = Field::default();
        field.add(cones(&places), 0.0);
        field
    }
}

/// The pieces of a vessel.
fn cones(places: &[Place]) -> Vec<Cone> {
    let cone = |ends: &[Place]| Cone {
        ends: [ends[0].0, ends[1].0],
        radii: [ends[0].1, ends[1].1],
        flat: None,
        bone: 0,
    };
    places.windows(2).map(cone).collect()
}
