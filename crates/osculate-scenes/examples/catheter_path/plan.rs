//! Plans how a catheter gets through a tree of blood vessels: push, ask how far the push is free,
//! bend away from what it would touch, and try again.
//!
//! The planner knows the vessels only by queries, and by a few places that the tip has to pass. The
//! catheter follows its tip: its center line is the trail of the tip.

use osculate::method::Chromatic;
use osculate::{BodyId, BodySettings, Contact, Error, Mesh, Method, Model, Query, World};
use osculate_scenes::{Affine, Part, Scene, Skin};
use std::sync::Arc;
use std::time::Instant;

type Vector = [f64; 3];

/// Every so many-th point of the center line of the vessels is a place to pass: the end of each
/// branch.
pub(crate) const EVERY: usize = 9;
/// The length of a push, and the least one.
const PUSH: f64 = 0.0015;
const LEAST_PUSH: f64 = 0.000_02;
/// By which angle, in radians, the tip may turn on a meter.
const TURN: f64 = 160.0;
/// Attempts to bend away from contacts before a push is shortened.
const ATTEMPTS: usize = 10;
/// How far the trail is moved away from a contact, and how much of it.
const BEND: f64 = 0.000_12;
const REACH: f64 = 0.008;
/// Times that the tip may be drawn back on the way to a place.
const MOST_RETREATS: usize = 20;
/// A contact this close to the tip turns it.
const TIP: f64 = 0.004;
/// A place is passed at this distance.
pub(crate) const PASSED: f64 = 0.0035;

/// What a plan did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Pushes that were accepted, each free of contacts from its start to its end.
    pub(crate) steps: usize,
    /// Pushes that were tried.
    pub(crate) tried: usize,
    /// Contacts that ended pushes.
    pub(crate) contacts: usize,
    /// Attempts in which the tip turned away, and in which the body bent.
    pub(crate) turned: usize,
    pub(crate) bent: usize,
    /// Times that the tip was drawn back.
    pub(crate) retreats: usize,
    /// The shortest accepted push, in meters.
    pub(crate) smallest: f64,
    /// Milliseconds of each query for a free step.
    pub(crate) ms: Vec<f64>,
    /// Crossings at accepted poses; a plan without any is valid.
    pub(crate) crossings: u64,
    /// How far the tip is from the last place.
    pub(crate) left: f64,
}

/// A catheter in a world with vessels.
pub(crate) struct Planner {
    world: World,
    body: BodyId,
    part: Part,
    rest: Vec<Vector>,
    skin: Skin,
    /// The height at rest of the start of each bone and the end of the last one.
    heights: Vec<f64>,
    /// Above this height everything is inside of the vessels.
    inlet: f64,
    /// The center line from far below up to the tip.
    trail: Vec<Vector>,
    pub(crate) log: Log,
}

fn add(a: Vector, s: f64, b: Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

fn sub(a: Vector, b: Vector) -> Vector {
    add(a, -1.0, b)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of a vector; upward if it has none.
fn unit(a: Vector) -> Vector {
    let n = length(a);
    if n == 0.0 { [0.0, 1.0, 0.0] } else { a.map(|x| x / n) }
}

/// A direction turned toward another one, by an angle at most.
fn toward(from: Vector, to: Vector, angle: f64) -> Vector {
    let whole = dot(from, to).clamp(-1.0, 1.0).acos();
    if whole <= angle {
        return to;
    }
    let across = unit(add(to, -dot(from, to), from));
    add(from.map(|x| x * angle.cos()), angle.sin(), across)
}

impl Planner {
    /// Puts the catheter of the scene below the inlet, and the vessels, which do not move.
    pub(crate) fn new(scene: &Scene) -> Result<Planner, Error> {
        let skin = scene.skin.clone().unwrap_or(Skin {
            bones: Vec::new(),
            offsets: vec![0],
            influences: Vec::new(),
        });
        let mut world = World::new();
        let mut moving = None;
        let mut inlet = f64::INFINITY;
        for part in scene.parts() {
            let rest = part.pose(&scene.rest);
            let model = Arc::new(Model::new(Mesh::new(part.faces.clone(), rest.len())?, &rest)?);
            let settings = BodySettings::default().is_static(part.is_static);
            let body = world.add_with(model, &rest, settings)?;
            if part.is_static {
                inlet = rest.iter().fold(inlet, |low, p| low.min(p[1]));
            } else {
                moving = Some((body, part));
            }
        }
        let (body, part) = moving.expect("the scene has a catheter");
        // The last bone holds the vessels.
        let row = &skin.bones[..skin.bones.len() - 1];
        let mut heights: Vec<f64> = row.iter().map(|bone| bone.head[1]).collect();
        heights.extend(row.last().map(|bone| bone.tail[1]));
        let top = heights.last().copied().unwrap_or(0.0);
        let n = (2.0 * top / PUSH) as usize;
        let trail = (0..=n).map(|i| [0.0, top - PUSH * (n - i) as f64, 0.0]).collect();
        let log = Log { smallest: PUSH, ..Log::default() };
        let rest = scene.rest.clone();
        Ok(Planner { world, body, part, rest, skin, heights, inlet, trail, log })
    }

    /// Pushes the tip to a place, within a distance; returns whether it got there.
    pub(crate) fn run(&mut self, place: Vector, within: f64) -> Result<bool, Error> {
        let (mut push, mut n_failed) = (PUSH, 0);
        while within < self.distance(place) {
            if self.advance(place, push.min(self.distance(place)))? {
                push = (1.5 * push).min(PUSH);
                continue;
            }
            push *= 0.5;
            if push < LEAST_PUSH {
                n_failed += 1;
                if MOST_RETREATS < n_failed {
                    break;
                }
                self.retreat(n_failed)?;
                push = PUSH;
            }
        }
        self.log.left = self.distance(place);
        Ok(self.log.left <= within)
    }

    fn tip(&self) -> Vector {
        self.trail[self.trail.len() - 1]
    }

    fn distance(&self, place: Vector) -> f64 {
        length(sub(place, self.tip()))
    }

    /// The direction of the end of the trail.
    fn heading(&self) -> Vector {
        unit(sub(self.tip(), self.trail[self.trail.len() - 3]))
    }

    /// Pushes the tip by a length toward a place. Where something is touched, the tip turns away
    /// from it, or the trail is moved away from it; returns whether an attempt was free.
    fn advance(&mut self, place: Vector, push: f64) -> Result<bool, Error> {
        let heading = self.heading();
        let aim = toward(heading, unit(sub(place, self.tip())), TURN * push);
        let (mut direction, mut trail) = (aim, self.trail.clone());
        for _ in 0..ATTEMPTS {
            let end = trail.len() - 1;
            let mut next = trail.clone();
            next.push(add(trail[end], push, direction));
            let Some(contact) = self.try_trail(&next)? else {
                self.accept(next, push)?;
                return Ok(true);
            };
            // Which part of the catheter is touched, and from where?
            let (from_tip, center) = self.place_of(&contact, &next);
            let normal = unit(contact.at.normal);
            let outward = sub(center, contact.at.point);
            let away = if dot(normal, outward) < 0.0 { normal.map(|x| -x) } else { normal };
            if from_tip < TIP {
                self.log.turned += 1;
                direction = toward(heading, unit(add(direction, 0.5, away)), 2.0 * TURN * push);
            }
            // The trail, up to the inlet, keeps its distance.
            self.log.bent += usize::from(TIP <= from_tip);
            let mut along = 0.0;
            for i in (1..=end).rev() {
                along += length(sub(next[i + 1], next[i]));
                let part = 1.0 - ((along - from_tip) / REACH).abs();
                // Smooth, and nothing at the inlet.
                let inside = ((next[i][1] - self.inlet) / REACH).clamp(0.0, 1.0);
                if 0.0 < part && 0.0 < inside {
                    trail[i] = add(trail[i], BEND * inside * part * part * (3.0 - 2.0 * part), away);
                }
            }
        }
        Ok(false)
    }

    /// Draws the tip back by some pushes, all of which must be free, and straightens what is left.
    fn retreat(&mut self, n_failed: usize) -> Result<(), Error> {
        self.log.retreats += 1;
        for _ in 0..(2 * n_failed).min(12) {
            let mut next = self.trail.clone();
            next.pop();
            if self.try_trail(&next)?.is_some() {
                break;
            }
            self.accept(next, f64::INFINITY)?;
        }
        let n = self.trail.len();
        let mut next = self.trail.clone();
        let first = n.saturating_sub(13);
        for (place, around) in next[first + 1..].iter_mut().zip(self.trail[first..].windows(3)) {
            let between = add(add([0.0; 3], 0.25, around[0]), 0.25, around[2]);
            *place = add(between, 0.5, around[1]);
        }
        if self.try_trail(&next)?.is_none() {
            self.accept(next, f64::INFINITY)?;
        }
        Ok(())
    }

    /// The contact that ends the motion from the current pose to that on a trail; `None` if all of
    /// the motion is free.
    fn try_trail(&mut self, trail: &[Vector]) -> Result<Option<Contact>, Error> {
        let next = self.vertices(trail);
        let query = Query::all().method(Method::Chromatic(Chromatic::new()));
        let start = Instant::now();
        let free = self.world.largest_free_step(&[(self.body, &next)], &query)?;
        self.log.ms.push(1e3 * start.elapsed().as_secs_f64());
        self.log.tried += 1;
        self.log.contacts += usize::from(free.limit.is_some());
        Ok(free.limit)
    }

    /// Moves the catheter to the pose on a trail that was tried, and checks that nothing crosses.
    fn accept(&mut self, trail: Vec<Vector>, push: f64) -> Result<(), Error> {
        let pose = self.vertices(&trail);
        self.world.set_pose(self.body, &pose)?;
        self.trail = trail;
        self.log.steps += 1;
        self.log.smallest = self.log.smallest.min(push);
        self.log.crossings += self.world.crossings(&Query::all())?.count;
        Ok(())
    }

    /// How far from the tip a contact is, and the center of the catheter there, on a trail.
    fn place_of(&self, contact: &Contact, trail: &[Vector]) -> (f64, Vector) {
        let n_first = contact.key.kind.n_first();
        let top = self.heights[self.heights.len() - 1];
        let mut from_tip = 0.0;
        for k in 0..4 {
            let side = usize::from(n_first <= k);
            if contact.key.bodies[side] == self.body {
                let vertex = self.part.vertices[contact.vertices[k] as usize];
                from_tip = top - self.rest[vertex as usize][1];
            }
        }
        let mut left = from_tip;
        for ends in trail.windows(2).rev() {
            let piece = length(sub(ends[1], ends[0]));
            if left <= piece {
                return (from_tip, add(ends[1], left / piece, sub(ends[0], ends[1])));
            }
            left -= piece;
        }
        (from_tip, trail[0])
    }

    /// The vertices of the catheter on a trail: bones of constant length, each turned from the one
    /// below by the least angle.
    fn vertices(&self, trail: &[Vector]) -> Vec<Vector> {
        let joints = self.joints(trail);
        let mut maps: Vec<Affine> = Vec::with_capacity(joints.len());
        let mut turn = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut before = [0.0, 1.0, 0.0];
        for (i, ends) in joints.windows(2).enumerate() {
            let direction = unit(sub(ends[1], ends[0]));
            let (axis, cosine) = (cross(before, direction), dot(before, direction));
            // Rodrigues' formula, for columns.
            let rotate = |v: Vector| {
                let along = dot(axis, v) / (1.0 + cosine);
                add(add(v.map(|x| x * cosine), 1.0, cross(axis, v)), along, axis)
            };
            turn = turn.map(rotate);
            before = direction;
            let head = [0.0, self.heights[i], 0.0];
            let map = [0, 1, 2].map(|row| {
                let [x, y, z] = [0, 1, 2].map(|column| turn[column][row]);
                [x, y, z, ends[0][row] - dot([x, y, z], head)]
            });
            maps.push(map);
        }
        let place = |&vertex: &u32| {
            let [x, y, z] = self.rest[vertex as usize];
            let mut place = [0.0; 3];
            for &(bone, weight) in self.skin.of_vertex(vertex as usize) {
                for (out, row) in place.iter_mut().zip(&maps[bone as usize]) {
                    *out += weight * (row[0] * x + row[1] * y + row[2] * z + row[3]);
                }
            }
            place
        };
        self.part.vertices.iter().map(place).collect()
    }

    /// The joints of the bones, from the lower end up to the tip.
    fn joints(&self, trail: &[Vector]) -> Vec<Vector> {
        let mut joints = vec![trail[trail.len() - 1]];
        let (mut i, mut at) = (trail.len() - 1, trail[trail.len() - 1]);
        for k in (1..self.heights.len()).rev() {
            let mut left = self.heights[k] - self.heights[k - 1];
            // Along the trail; far below it goes on straight.
            while 0 < i && length(sub(trail[i - 1], at)) < left {
                left -= length(sub(trail[i - 1], at));
                i -= 1;
                at = trail[i];
            }
            let direction = if i == 0 { [0.0, -1.0, 0.0] } else { unit(sub(trail[i - 1], at)) };
            at = add(at, left, direction);
            joints.push(at);
        }
        joints.reverse();
        joints
    }
}
