//! Contacts through the library: what comes near in a step, and steps that touch nothing.

use super::impact::impact;
use super::{Handling, Material, Object};
use crate::vector::{Vector, add, dot, length, lerp, scale, sub};
use osculate::narrow::Kind;
use osculate::{BodyId, BodySettings, Contact, Error, Mesh, Model, Query, World};
use std::ops::Range;
use std::sync::Arc;

/// How far ahead contacts are looked for, in steps. Surfaces that are pressed together stay within
/// that.
const AHEAD: f64 = 3.0;
/// Rounds in which contacts of a step are pushed apart, before their particles are slowed down
/// instead.
const PUSHES: usize = 4;
/// Rounds in which particles are slowed down by half, before everything is.
const SLOWDOWNS: usize = 12;
/// Passes over all contacts in a round of pushes.
const PASSES: usize = 4;
/// Part of the missing distance that surfaces closer than the thickness make up for in a step; more
/// makes them bounce.
const EASE: f64 = 0.2;

/// Two features that are to stay apart.
pub(super) struct Touch {
    vertices: [usize; 4],
    /// Weights of the vertices, those of the second feature negative; they sum to zero.
    weights: [f64; 4],
    /// From the second feature to the first.
    normal: Vector,
    /// How far apart they are to be along the normal.
    gap: f64,
    /// How far they were pushed apart.
    pushed: f64,
}

impl Touch {
    /// Starts anew.
    pub(super) fn forget(&mut self) {
        self.pushed = 0.0;
    }

    /// From the second to the first of the two closest points.
    fn off(&self, positions: &[Vector]) -> Vector {
        let mut sum = [0.0; 3];
        for (vertex, weight) in self.vertices.into_iter().zip(self.weights) {
            sum = add(sum, scale(positions[vertex], weight));
        }
        sum
    }

    fn shift(&self, positions: &mut [Vector], mobility: &[f64], by: Vector) -> bool {
        let parts = self.vertices.into_iter().zip(self.weights);
        let moving: f64 = parts.clone().map(|(vertex, weight)| mobility[vertex] * weight * weight).sum();
        if moving == 0.0 {
            return false;
        }
        for (vertex, weight) in parts {
            positions[vertex] = add(positions[vertex], scale(by, mobility[vertex] * weight / moving));
        }
        true
    }

    /// Pushes the features apart, if they are too close.
    pub(super) fn part(&mut self, positions: &mut [Vector], mobility: &[f64]) {
        let missing = self.gap - dot(self.normal, self.off(positions));
        if 0.0 < missing && self.shift(positions, mobility, scale(self.normal, missing)) {
            self.pushed += missing;
        }
    }

    /// Takes back what the features slid along each other, as far as they were pushed.
    pub(super) fn rub(&self, before: &[Vector], positions: &mut [Vector], mobility: &[f64], friction: f64) {
        if self.pushed == 0.0 {
            return;
        }
        let slid = sub(self.off(positions), self.off(before));
        let slid = sub(slid, scale(self.normal, dot(slid, self.normal)));
        let part = (friction * self.pushed / length(slid).max(f64::MIN_POSITIVE)).min(1.0);
        self.shift(positions, mobility, scale(slid, -part));
    }
}

/// The objects in a world.
pub(super) struct Collider {
    world: World,
    bodies: Vec<(BodyId, Range<usize>)>,
    is_obstacle: Vec<bool>,
    /// The triangles of all objects.
    faces: Vec<[u32; 3]>,
    thickness: f64,
}

impl Collider {
    pub(super) fn new(objects: &[&Object], thickness: f64) -> Collider {
        let mut world = World::new();
        let mut bodies = Vec::new();
        let mut faces = Vec::new();
        let mut first = 0;
        for object in objects {
            faces.extend(object.faces.iter().map(|face| face.map(|vertex| first as u32 + vertex)));
            let mesh = Mesh::new(object.faces.clone(), object.points.len()).expect("a mesh");
            let model = Arc::new(Model::new(mesh, &object.points).expect("finite points"));
            let self_contact = object.material != Material::Obstacle;
            let settings = BodySettings::default().self_contact(self_contact);
            let body = world.add_with(model, &object.points, settings).expect("finite points");
            bodies.push((body, first..first + object.points.len()));
            first += object.points.len();
        }
        let is_obstacle = objects.iter().map(|object| object.material == Material::Obstacle).collect();
        Collider { world, bodies, is_obstacle, faces, thickness }
    }

    /// Asks the world about a step.
    fn ask<T>(
        &mut self,
        from: &[Vector],
        to: &[Vector],
        handling: Handling,
        question: impl FnOnce(&mut World, &[(BodyId, &[Vector])], &Query) -> Result<T, Error>,
    ) -> T {
        let bodies = self.bodies.iter();
        let poses: Vec<_> = bodies.clone().map(|(body, range)| (*body, &from[range.clone()])).collect();
        let next: Vec<_> = bodies.map(|(body, range)| (*body, &to[range.clone()])).collect();
        self.world.set_poses(&poses).expect("finite positions");
        let is_obstacle = &self.is_obstacle;
        let filter = |a: BodyId, b: BodyId| match handling {
            Handling::Full => true,
            Handling::ObstaclesOnly => is_obstacle[a.index()] || is_obstacle[b.index()],
            Handling::Off => false,
        };
        let query = Query::all().filter(&filter);
        question(&mut self.world, &next, &query).expect("finite positions")
    }

    fn contacts(&mut self, from: &[Vector], to: &[Vector], handling: Handling) -> Vec<Contact> {
        if handling == Handling::Off {
            return Vec::new();
        }
        self.ask(from, to, handling, |world, next, query| world.contacts(next, query)).found
    }

    /// What would touch if the step went on for longer. They are to keep their gap, or to reach the
    /// thickness bit by bit.
    pub(super) fn near(&mut self, from: &[Vector], to: &[Vector], handling: Handling) -> Vec<Touch> {
        let farther: Vec<Vector> = from.iter().zip(to).map(|(&a, &b)| lerp(a, b, AHEAD)).collect();
        let contacts = self.contacts(from, &farther, handling);
        let touches = contacts.iter().map(|contact| self.touch(contact, from, &farther));
        let ease = |gap: f64| (gap + EASE * (self.thickness - gap).max(0.0)).min(self.thickness);
        touches.map(|touch| Touch { gap: ease(touch.gap), ..touch }).collect()
    }

    /// A contact as something to keep apart, with the gap that it has at first.
    fn touch(&self, contact: &Contact, from: &[Vector], to: &[Vector]) -> Touch {
        let n_first = if contact.key.kind == Kind::VertexFace { 1 } else { 2 };
        let start = contact.key.bodies.map(|body| self.bodies[body.index()].1.start);
        let place = |i: usize| start[usize::from(n_first <= i)] + contact.vertices[i] as usize;
        let sign = |i: usize| if i < n_first { 1.0 } else { -1.0 };
        let vertices: [usize; 4] = std::array::from_fn(place);
        let impact = impact(contact.key.kind, vertices.map(|i| [from[i], to[i]]), contact.lo);
        let mut touch = Touch {
            vertices,
            weights: std::array::from_fn(|i| sign(i) * impact.weights[i]),
            normal: impact.normal,
            gap: 0.0,
            pushed: 0.0,
        };
        // The normal tells which way the features move; what counts here is on which side of each
        // other they are.
        touch.gap = dot(touch.normal, touch.off(from));
        if touch.gap < 0.0 {
            touch.gap = -touch.gap;
            touch.normal = scale(touch.normal, -1.0);
        }
        touch
    }

    /// Changes where a step ends until nothing touches on the way.
    pub(super) fn settle(
        &mut self,
        from: &[Vector],
        to: &mut [Vector],
        mobility: &[f64],
        handling: Handling,
    ) {
        for round in 0.. {
            let contacts = self.contacts(from, to, handling);
            if contacts.is_empty() {
                return;
            }
            let touch = |contact| self.touch(contact, from, to);
            let mut touches: Vec<Touch> = contacts.iter().map(touch).collect();
            if round < PUSHES {
                touches.iter_mut().for_each(|touch| touch.gap = touch.gap.min(self.thickness) * 0.5);
                for _ in 0..PASSES {
                    touches.iter_mut().for_each(|touch| touch.part(to, mobility));
                }
                continue;
            }
            if PUSHES + SLOWDOWNS <= round {
                let free = self
                    .ask(from, to, handling, |world, next, query| world.largest_free_step(next, query))
                    .size;
                to.iter_mut().zip(from).for_each(|(end, &start)| *end = lerp(start, *end, 0.5 * free));
                if free == 0.0 {
                    return;
                }
                continue;
            }
            // Wider and wider around each contact, so that what moves on is not torn off what does
            // not.
            let mut is_slowed = vec![false; to.len()];
            touches.iter().flat_map(|touch| touch.vertices).for_each(|i| is_slowed[i] = true);
            for _ in 0..round - PUSHES {
                let touched = self.faces.iter().filter(|face| face.iter().any(|&i| is_slowed[i as usize]));
                let wider: Vec<[u32; 3]> = touched.copied().collect();
                wider.into_iter().flatten().for_each(|i| is_slowed[i as usize] = true);
            }
            for i in (0..to.len()).filter(|&i| is_slowed[i]) {
                to[i] = lerp(from[i], to[i], 0.5);
            }
        }
    }
}
