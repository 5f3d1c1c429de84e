//! Cloth and soft bodies, simulated: particles held together by links and volumes, and kept apart
//! by what the library finds.
//!
//! Links and volumes are position-based, in small substeps: Macklin and others, "Small steps in
//! physics simulation", 2019. Contacts are looked for once in a step, from where it starts to
//! beyond where it would lead; they take part in all substeps. Then the step, from its start
//! straight to its end, is proved free of contact, and taken back where it is not. So what does not
//! cross at first never will, nor touch on the straight way from one step to the next.
//!
//! One thread computes; the library may use more, and gives the same answers whatever their number.

mod collide;
mod impact;
mod links;
mod volume;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod soft_tests;

use crate::vector::{Vector, add, lerp, scale, sub};
use collide::{Collider, Touch};
use links::{Link, bend, hold, reach, stretch};
use volume::Volume;
#[cfg(test)]
pub(crate) use volume::enclosed;

/// What something is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Material {
    /// It keeps the lengths of its edges, and may touch itself.
    Cloth,
    /// A closed surface that keeps its volume, too.
    Soft,
    /// It goes where it is told, and is not looked at for contacts with itself.
    Obstacle,
}

/// Something that takes part.
pub(crate) struct Object {
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) points: Vec<Vector>,
    /// Pairs of vertices that never get farther apart than at first, so that stretching is felt
    /// across the cloth at once.
    pub(crate) spans: Vec<[u32; 2]>,
    /// Vertices that go where they are told; all of them, for an obstacle.
    pub(crate) held: Vec<u32>,
    pub(crate) material: Material,
}

/// What touches what, as far as the solver cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Handling {
    /// Nothing passes through anything.
    Full,
    /// Cloth and soft bodies pass through themselves and each other, but not through obstacles.
    ObstaclesOnly,
    /// Everything passes through everything.
    Off,
}

/// How a simulation is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Seconds in a step.
    pub(crate) dt: f64,
    pub(crate) substeps: usize,
    /// Passes over all links in a substep.
    pub(crate) iterations: usize,
    pub(crate) gravity: Vector,
    /// Part of the velocity that is lost in a second.
    pub(crate) drag: f64,
    /// Part of what is wanted that edges are corrected by in each pass; less is softer.
    pub(crate) stretching: f64,
    /// The same for the distances across folds.
    pub(crate) bending: f64,
    /// Surfaces are kept this far apart, in metres; well below the length of an edge.
    pub(crate) thickness: f64,
    /// Part of the pressure that sliding is slowed down by.
    pub(crate) friction: f64,
}

impl Settings {
    /// A fabric that hardly stretches, in air.
    pub(crate) const CLOTH: Settings = Settings {
        dt: 1.0 / 60.0,
        substeps: 5,
        iterations: 3,
        gravity: [0.0, -9.81, 0.0],
        drag: 1.0,
        stretching: 1.0,
        bending: 0.2,
        thickness: 0.003,
        friction: 0.3,
    };
}

/// A simulation.
pub(crate) struct Solver {
    settings: Settings,
    pub(crate) positions: Vec<Vector>,
    velocities: Vec<Vector>,
    /// 0 for what is held, 1 for all else.
    mobility: Vec<f64>,
    links: Vec<Link>,
    bends: Vec<Link>,
    reaches: Vec<Link>,
    volumes: Vec<Volume>,
    collider: Collider,
}

impl Solver {
    /// A simulation of objects that do not cross each other. Their vertices are numbered one object
    /// after the other.
    pub(crate) fn new<'a>(objects: impl Iterator<Item = &'a Object>, settings: Settings) -> Solver {
        let objects: Vec<&Object> = objects.collect();
        let positions: Vec<Vector> =
            objects.iter().flat_map(|object| object.points.iter().copied()).collect();
        let mut mobility = vec![1.0; positions.len()];
        let (mut links, mut bends, mut reaches, mut volumes) = (vec![], vec![], vec![], vec![]);
        let mut first = 0;
        for object in &objects {
            object.held.iter().for_each(|&vertex| mobility[(first + vertex) as usize] = 0.0);
            if object.material != Material::Obstacle {
                links.extend(stretch(object, first));
                bends.extend(bend(object, first));
                reaches.extend(reach(object, first));
            }
            if object.material == Material::Soft {
                volumes.push(Volume::new(object, first));
            }
            first += object.points.len() as u32;
        }
        let velocities = vec![[0.0; 3]; positions.len()];
        let collider = Collider::new(&objects, settings.thickness);
        Solver { settings, positions, velocities, mobility, links, bends, reaches, volumes, collider }
    }

    /// Makes a step. `target` says where held vertices end; `push` is an acceleration on top of
    /// gravity at a place.
    pub(crate) fn step(
        &mut self,
        handling: Handling,
        target: impl Fn(usize) -> Vector,
        push: impl Fn(Vector) -> Vector,
    ) {
        let Settings { dt, substeps, iterations, gravity, drag, stretching, bending, friction, .. } =
            self.settings;
        let from = self.positions.clone();
        let is_held: Vec<bool> = self.mobility.iter().map(|&m| m == 0.0).collect();
        let ends: Vec<Vector> = (0..from.len())
            .map(|i| {
                if is_held[i] {
                    return target(i);
                }
                let speed = add(self.velocities[i], scale(add(gravity, push(from[i])), dt));
                add(from[i], scale(speed, dt))
            })
            .collect();
        let mut touches = self.collider.near(&from, &ends, handling);
        let h = dt / substeps as f64;
        let mut before = from.clone();
        for substep in 1..=substeps {
            before.copy_from_slice(&self.positions);
            let t = substep as f64 / substeps as f64;
            for i in 0..from.len() {
                if is_held[i] {
                    self.positions[i] = lerp(from[i], ends[i], t);
                    continue;
                }
                let pull = scale(add(gravity, push(self.positions[i])), h);
                self.velocities[i] = add(scale(self.velocities[i], 1.0 - drag * h), pull);
                self.positions[i] = add(self.positions[i], scale(self.velocities[i], h));
            }
            touches.iter_mut().for_each(Touch::forget);
            for _ in 0..iterations {
                hold(&self.reaches, &mut self.positions, &self.mobility, 1.0);
                hold(&self.links, &mut self.positions, &self.mobility, stretching);
                hold(&self.bends, &mut self.positions, &self.mobility, bending);
                self.volumes.iter().for_each(|volume| volume.keep(&mut self.positions, &self.mobility));
                touches.iter_mut().for_each(|touch| touch.part(&mut self.positions, &self.mobility));
            }
            touches
                .iter()
                .for_each(|touch| touch.rub(&before, &mut self.positions, &self.mobility, friction));
            for (i, velocity) in self.velocities.iter_mut().enumerate() {
                *velocity = scale(sub(self.positions[i], before[i]), 1.0 / h);
            }
        }
        let wanted = self.positions.clone();
        self.collider.settle(&from, &mut self.positions, &self.mobility, handling);
        for i in 0..from.len() {
            if self.positions[i] != wanted[i] {
                self.velocities[i] = scale(sub(self.positions[i], from[i]), 1.0 / dt);
            }
        }
    }
}
