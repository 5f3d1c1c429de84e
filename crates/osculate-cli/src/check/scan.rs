//! Looks at frames, and in between: crossings and how deep they are, and contacts.
//!
//! Small surfaces are looked at frame beside frame, each thread in a world of its own; large ones
//! frame after frame, with all threads sharing the work. Frames are taken in batches, so that
//! memory does not grow with the length of a clip. The results do not depend on any of this.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant as Time;

use anyhow::{Context as _, Result, bail};
use osculate::penetration::{Anatomy, Overlap, Pierced};
use osculate::{BodyId, Contact, Crossing, Stats};
use osculate_io::Clip;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::args::Args;
use super::depths::depths;
use super::filter::PairFilter;
use super::found::Found;
use super::join::Joiner;
use super::paintings::Paintings;
use super::plan::Question;
use super::progress::Progress;
use super::rigid::Rigid;
use super::sides::Sides;
use super::verify::Verifier;
use crate::bodies::{JointEnds, Parts};
use crate::governors;
use crate::gpu::Gpu;

/// Number of triangles up to which frames are looked at beside each other.
const SMALL: usize = 40_000;

/// Frames that one thread looks at in order. Fewer, and little is known from the frame before; with
/// more, threads are idle at the end of a clip. What is reused never crosses the border of such a
/// run of frames, so that results do not depend on the number of threads.
const RUN: usize = 8;

/// What was found at a frame.
pub(super) struct Instant {
    pub(super) frame: usize,
    /// Whether nothing has moved since the frame before, and all is as it was.
    pub(super) is_repeated: bool,
    /// The pairs of parts that cross, sorted; without those that are ignored.
    pub(super) pairs: Vec<[u32; 2]>,
    /// How far they overlap, in the same order: depths as far as they matter (see `depths`).
    pub(super) overlaps: Vec<Overlap>,
    /// The triangles that cross, sorted; the smaller number first.
    pub(super) crossings: Vec<Pierced>,
    /// The pairs of parts that cross and are ignored.
    pub(super) ignored: Vec<[u32; 2]>,
    /// All crossings, if they are listed.
    pub(super) found: Vec<Found>,
    pub(super) stats: Stats,
    pub(super) ms: f64,
}

impl Instant {
    /// Whether it is known how far its pairs overlap, or is where it is known of the frame before.
    fn is_measured(&self) -> bool {
        self.is_repeated || self.pairs.len() == self.overlaps.len()
    }

    /// Whether a pair of parts overlaps.
    pub(super) fn has(&self, parts: [u32; 2]) -> bool {
        self.pairs.binary_search(&parts).is_ok()
    }

    /// Whether two triangles cross.
    fn crosses(&self, a: u32, b: u32) -> bool {
        let pair = [a.min(b), a.max(b)];
        self.crossings.binary_search_by_key(&pair, |crossing| crossing.triangles).is_ok()
    }
}

/// When two parts touch during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    /// The first and the last time at which features start to touch.
    pub(super) first: f64,
    pub(super) last: f64,
    /// The first time at which features of triangles touch that cross at the end of the step.
    pub(super) entering: Option<f64>,
    /// The last time at which features of triangles touch that cross at the start of the step.
    pub(super) leaving: Option<f64>,
    /// Where they touch first.
    pub(super) point: [f64; 3],
}

/// What was found between two frames.
pub(super) struct Between {
    pub(super) touches: BTreeMap<[u32; 2], Touch>,
    /// All contacts, if they are listed.
    pub(super) found: Vec<Found>,
    pub(super) count: u64,
    pub(super) stats: Stats,
    pub(super) ms: f64,
}

/// A world of its own for a thread.
pub(super) struct Worker {
    parts: Parts,
    /// A pool of one thread, if other workers look at other frames.
    pool: Option<ThreadPool>,
    pose: Vec<[f64; 3]>,
    before: Vec<[f64; 3]>,
}

impl Worker {
    /// The workers for a surface.
    pub(super) fn team(parts: Parts, is_alone: bool) -> Result<Vec<Worker>> {
        let threads = rayon::current_num_threads();
        let n = if is_alone || SMALL < parts.description.triangles { 1 } else { threads };
        let worker = |parts: Parts| -> Result<Worker> {
            let single = || ThreadPoolBuilder::new().num_threads(1).build().context("cannot start threads");
            let pool = if n == 1 { None } else { Some(single()?) };
            Ok(Worker { parts, pool, pose: Vec::new(), before: Vec::new() })
        };
        let mut team = Vec::new();
        for _ in 1..n {
            let mut twin = parts.twin()?;
            if let Some(parameters) = parts.next_parameters() {
                twin.set_next_parameters(parameters.to_vec());
            }
            team.push(worker(twin)?);
        }
        team.push(worker(parts)?);
        Ok(team)
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Lets the world of the worker use the GPU, if there is one.
    pub(super) fn take_gpu(&mut self, gpu: &Gpu) {
        gpu.give_to(&mut self.parts.world);
    }
}

/// What to look for, shared by all workers.
pub(super) struct Scan<'a> {
    pub(super) input: &'a str,
    pub(super) clip: &'a Clip,
    pub(super) args: &'a Args,
    pub(super) question: Question,
    pub(super) sides: &'a Sides<'a>,
    pub(super) anatomy: &'a Anatomy,
    pub(super) filter: &'a PairFilter,
    /// For each body, its part, if it has only one.
    pub(super) part_of_body: &'a [Option<u32>],
    pub(super) verifier: &'a Verifier,
    pub(super) rigid: &'a Rigid,
    /// The size of the surface, if it matters whether overlaps are the same throughout the clip.
    pub(super) steady: Option<f64>,
    pub(super) interrupted: &'a AtomicBool,
}

/// What was found in a batch of frames: instants, and the steps that lead to them.
pub(super) struct Batch {
    pub(super) instants: Vec<Arc<Instant>>,
    pub(super) steps: Vec<Between>,
}

impl Scan<'_> {
    /// Number of frames in a batch.
    pub(super) fn batch_size(team: &[Worker]) -> usize {
        RUN * team.len()
    }

    /// Looks at a batch of frames; `before` is the frame before them, if it was looked at, and
    /// `joiner` has joined all frames up to it. Frames are missing at the end if the user
    /// interrupts.
    pub(super) fn batch(
        &self,
        team: &mut [Worker],
        frames: Range<usize>,
        before: Option<&Arc<Instant>>,
        joiner: &Joiner,
        paintings: &mut Paintings,
        progress: &mut Progress,
    ) -> Result<Batch> {
        let mut hook = (team.len() == 1).then_some(&mut *paintings);
        let is_discrete = self.question == Question::Crossings;
        let instants = in_parallel(
            team,
            frames.clone(),
            |worker, frames| self.instants(worker, frames, |_, _| Ok(())),
            |worker, frames| {
                self.instants(worker, frames, |parts, frame| match &mut hook {
                    Some(paintings) if is_discrete => paintings.look(parts, self.clip, frame),
                    _ => Ok(()),
                })
            },
        )?;
        // Workers stop where they are; only what is without a gap counts.
        let mut found = without_gap(instants, frames.len());
        depths(self, &mut found, joiner, RUN)?;
        let n_measured = found.iter().take_while(|instant| instant.is_measured()).count();
        found.truncate(n_measured);
        let mut all: Vec<Arc<Instant>> = before.into_iter().cloned().collect();
        let n_before = all.len();
        all.extend(found.into_iter().map(Arc::new));
        let mut steps = Vec::new();
        if !is_discrete && 1 < all.len() {
            let first = all[0].frame;
            let last = first + all.len() - 1;
            let ends = &all;
            let between = |worker: &mut Worker, from: usize, paintings: Option<&mut Paintings>| {
                self.between(worker, from, &ends[from - first], &ends[from - first + 1], paintings)
            };
            let is_wanted = |_: &usize| !self.interrupted.load(Relaxed);
            let of_workers = in_parallel(
                team,
                first..last,
                |worker, froms| froms.take_while(is_wanted).map(|from| between(worker, from, None)).collect(),
                |worker, froms| {
                    froms
                        .take_while(is_wanted)
                        .map(|from| between(worker, from, Some(&mut *paintings)))
                        .collect()
                },
            )?;
            steps = without_gap(of_workers, last - first);
            all.truncate(1 + steps.len());
        }
        all.drain(..n_before);
        all.iter().for_each(|_| progress.step());
        Ok(Batch { instants: all, steps })
    }

    /// Looks at frames in order, until the user interrupts; calls `look` after each.
    fn instants(
        &self,
        worker: &mut Worker,
        frames: Range<usize>,
        mut look: impl FnMut(&mut Parts, usize) -> Result<()>,
    ) -> Result<Vec<Instant>> {
        let mut all: Vec<Instant> = Vec::new();
        for frame in frames {
            if self.interrupted.load(Relaxed) {
                break;
            }
            all.push(self.instant(worker, frame, all.last())?);
            look(&mut worker.parts, frame)?;
        }
        Ok(all)
    }

    /// Looks at a frame. If nothing has moved since the previous one, the answer is the same.
    fn instant(&self, worker: &mut Worker, frame: usize, previous: Option<&Instant>) -> Result<Instant> {
        let Worker { parts, pose, before, .. } = worker;
        std::mem::swap(pose, before);
        let place = || format!("{}: clip '{}', frame {frame}", self.input, self.clip.name);
        set_next(parts, self.clip, self.input, frame, pose)?;
        let is_listed = self.args.contacts || self.args.verify || self.args.paints();
        if let Some(previous) = previous.filter(|_| !parts.follow_parameters() && !is_listed)
            && are_same(pose, before)
        {
            let Instant { pairs, crossings, ignored, .. } = previous;
            return Ok(Instant {
                frame,
                is_repeated: true,
                pairs: pairs.clone(),
                overlaps: Vec::new(),
                crossings: crossings.clone(),
                ignored: ignored.clone(),
                found: Vec::new(),
                stats: Stats::default(),
                ms: 0.0,
            });
        }
        parts.advance().with_context(place)?;
        let is_wanted = |a: BodyId, b: BodyId| {
            let of_bodies = [a, b].map(|body| self.part_of_body[body.index()]);
            !matches!(of_bodies, [Some(a), Some(b)] if self.filter.ignores([a, b]))
        };
        let query = self.args.query().filter(&is_wanted);
        let start = Time::now();
        let report = parts.world.crossings(&query).with_context(place)?;
        let ms = start.elapsed().as_secs_f64() * 1e3;
        self.verifier.crossings(parts, frame, &query, &report)?;
        let [mut pairs, mut ignored] = [Vec::new(), Vec::new()];
        let part = |t: u32| self.anatomy.parts()[t as usize];
        let mut crossings: Vec<Pierced> = Vec::with_capacity(report.found.len());
        for crossing in &report.found {
            let mut pierced =
                Pierced::of(crossing, |k| parts.triangle(crossing.bodies[k], crossing.triangles[k]));
            pierced.triangles.sort_unstable();
            let mut pair = pierced.triangles.map(part);
            pair.sort_unstable();
            if self.filter.ignores(pair) {
                ignored.push(pair);
            } else {
                crossings.push(pierced);
                if pairs.last() != Some(&pair) {
                    pairs.push(pair);
                }
            }
        }
        for all in [&mut pairs, &mut ignored] {
            all.sort_unstable();
            all.dedup();
        }
        crossings.sort_unstable_by_key(|crossing| crossing.triangles);
        let found = if self.args.contacts && self.question.lists_crossings() {
            list_crossings(self.clip, parts, self.sides, &report.found)
        } else {
            Vec::new()
        };
        Ok(Instant {
            frame,
            is_repeated: false,
            pairs,
            overlaps: Vec::new(),
            crossings,
            ignored,
            found,
            stats: report.stats,
            ms,
        })
    }

    /// Looks between a frame and the next one, at both of which crossings are known.
    fn between(
        &self,
        worker: &mut Worker,
        from: usize,
        start: &Instant,
        end: &Instant,
        paintings: Option<&mut Paintings>,
    ) -> Result<Between> {
        let Worker { parts, pose, before, .. } = worker;
        let place = || format!("{}: clip '{}', frame {}", self.input, self.clip.name, from + 1);
        let is_listed = self.args.contacts || self.args.verify || self.args.paints();
        let joints = parts.joints(self.clip, from)?;
        let next_joints = parts.joints(self.clip, from + 1)?;
        parts.set_joints(joints.zip(next_joints).map(JointEnds::from).as_ref())?;
        set_next(parts, self.clip, self.input, from, before)?;
        parts.advance()?;
        set_next(parts, self.clip, self.input, from + 1, pose)?;
        let mut between = Between {
            touches: BTreeMap::new(),
            found: Vec::new(),
            count: 0,
            stats: Stats::default(),
            ms: 0.0,
        };
        // Without motion, what touches crosses at both frames.
        if !is_listed && self.args.thickness == 0.0 && !parts.follow_parameters() && are_same(pose, before) {
            return Ok(between);
        }
        // Bodies of one part each that cross at both frames do not separate in an episode.
        let is_wanted = |a: BodyId, b: BodyId| {
            let [Some(a), Some(b)] = [a, b].map(|body| self.part_of_body[body.index()]) else { return true };
            let pair = [a.min(b), a.max(b)];
            !self.filter.ignores(pair) && (is_listed || !(start.has(pair) && end.has(pair)))
        };
        let query = self.args.query().filter(&is_wanted);
        let clock = Time::now();
        let (world, next) = parts.step();
        let report = world.contacts(&next, &query).with_context(place)?;
        between.ms = clock.elapsed().as_secs_f64() * 1e3;
        if let Some(paintings) = paintings {
            paintings.look(parts, self.clip, from)?;
        }
        self.verifier.contacts(parts, from, &query, &report)?;
        between.count = report.found.len() as u64;
        between.stats = report.stats;
        for contact in &report.found {
            self.attribute(parts, contact, [start, end], &mut between.touches);
        }
        if self.args.contacts {
            between.found = list_contacts(parts, self.sides, &report.found);
        }
        Ok(between)
    }

    /// Adds a contact to the touches of the pairs of parts that it belongs to: those whose
    /// triangles around its features cross at an end of the step; if there are none, that of its
    /// own features.
    fn attribute(
        &self,
        parts: &Parts,
        contact: &Contact,
        ends: [&Instant; 2],
        touches: &mut BTreeMap<[u32; 2], Touch>,
    ) {
        let (vertices, n_first) = vertices_of(parts, contact);
        let mesh = self.anatomy.mesh();
        let around = |feature: &[u32]| -> Vec<u32> {
            let all = mesh.triangles_of_vertex(feature[0]).iter().copied();
            let has = |t: &u32| feature.iter().all(|v| mesh.triangles()[*t as usize].contains(v));
            all.filter(has).collect()
        };
        let [first, second] = [around(&vertices[..n_first]), around(&vertices[n_first..])];
        let mut belongs = false;
        for (k, end) in ends.into_iter().enumerate() {
            if end.crossings.is_empty() {
                continue;
            }
            for &a in &first {
                for &b in second.iter().filter(|&&b| end.crosses(a, b)) {
                    let mut pair = [a, b].map(|t| self.anatomy.parts()[t as usize]);
                    pair.sort_unstable();
                    let touch = touch(touches, pair, contact);
                    match k {
                        0 => touch.leaving = Some(touch.leaving.map_or(contact.lo, |t| t.max(contact.lo))),
                        _ => touch.entering = Some(touch.entering.map_or(contact.lo, |t| t.min(contact.lo))),
                    }
                    belongs = true;
                }
            }
        }
        if !belongs {
            let mut pair = sides_of(self.sides, &vertices, n_first, contact);
            pair.sort_unstable();
            if !self.filter.ignores(pair) {
                touch(touches, pair, contact);
            }
        }
    }
}

/// The touch of a pair of parts, with the time of a contact in it.
fn touch<'t>(touches: &'t mut BTreeMap<[u32; 2], Touch>, pair: [u32; 2], contact: &Contact) -> &'t mut Touch {
    let &Contact { lo, at, .. } = contact;
    let touch = touches.entry(pair).or_insert(Touch {
        first: lo,
        last: lo,
        entering: None,
        leaving: None,
        point: at.point,
    });
    if lo < touch.first {
        (touch.first, touch.point) = (lo, at.point);
    }
    touch.last = touch.last.max(lo);
    touch
}

/// Divides a range among workers, and runs them side by side; `alone` runs a single one in the
/// calling thread. Returns their results in order.
fn in_parallel<T: Send>(
    team: &mut [Worker],
    range: Range<usize>,
    work: impl Fn(&mut Worker, Range<usize>) -> Result<Vec<T>> + Sync,
    alone: impl FnOnce(&mut Worker, Range<usize>) -> Result<Vec<T>>,
) -> Result<Vec<Vec<T>>> {
    let n_workers = team.len();
    if let [worker] = team {
        return Ok(vec![alone(worker, range)?]);
    }
    // At the end of a clip, there are fewer than RUN for each.
    let cut = |i: usize| range.start + share(range.len(), n_workers, i);
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = team
            .iter_mut()
            .enumerate()
            .map(|(i, worker)| {
                let part = cut(i)..cut(i + 1);
                scope.spawn(move || match worker.pool.take() {
                    None => work(worker, part),
                    Some(pool) => {
                        let result = pool.install(|| work(worker, part));
                        worker.pool = Some(pool);
                        result
                    }
                })
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<T>>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    })
}

/// The results of workers up to the first one that is missing, of `n` that were divided among them.
fn without_gap<T>(of_workers: Vec<Vec<T>>, n: usize) -> Vec<T> {
    let n_workers = of_workers.len();
    let mut all = Vec::with_capacity(n);
    for (i, of_worker) in of_workers.into_iter().enumerate() {
        if all.len() < share(n, n_workers, i) {
            break;
        }
        all.extend(of_worker);
    }
    all
}

/// Where the share of the `i`th of some workers begins.
fn share(n: usize, n_workers: usize, i: usize) -> usize {
    n * i / n_workers
}

/// Whether two poses are bitwise equal.
fn are_same(a: &[[f64; 3]], b: &[[f64; 3]]) -> bool {
    let bits = |p: &[f64; 3]| p.map(f64::to_bits);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| bits(a) == bits(b))
}

/// Sets the next pose of the bodies to that of a frame: its parameters, if they are posed by them.
pub(super) fn set_next(
    parts: &mut Parts,
    clip: &Clip,
    input: &str,
    frame: usize,
    pose: &mut Vec<[f64; 3]>,
) -> Result<()> {
    if parts.follow_parameters()
        && let Some(parameters) = governors::parameters(clip, frame)?
    {
        parts.set_next_parameters(parameters);
        return Ok(());
    }
    evaluate(clip, input, frame, pose)?;
    parts.set_next(pose);
    Ok(())
}

/// Evaluates the pose of a frame; fails if a coordinate is not finite.
pub(super) fn evaluate(clip: &Clip, input: &str, frame: usize, pose: &mut Vec<[f64; 3]>) -> Result<()> {
    clip.pose(frame, pose)?;
    if let Some(vertex) = pose.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        bail!(
            "{input}: clip '{}', frame {frame}, vertex {vertex}: its position is {:?}",
            clip.name,
            pose[vertex]
        );
    }
    Ok(())
}

/// The vertices of a contact in the surface, and how many belong to its first feature.
fn vertices_of(parts: &Parts, contact: &Contact) -> ([u32; 4], usize) {
    let [first, second] = contact.key.bodies;
    let n_first = contact.key.kind.n_first();
    let body = |k: usize| if k < n_first { first } else { second };
    ([0, 1, 2, 3].map(|k| parts.vertex(body(k), contact.vertices[k])), n_first)
}

/// The sides of a contact.
fn sides_of(sides: &Sides, vertices: &[u32; 4], n_first: usize, contact: &Contact) -> [u32; 2] {
    let weights = contact.at.weights;
    [
        sides.side(&vertices[..n_first], &weights[..n_first]),
        sides.side(&vertices[n_first..], &weights[n_first..]),
    ]
}

fn list_contacts(parts: &Parts, sides: &Sides, found: &[Contact]) -> Vec<Found> {
    let one = |contact: &Contact| {
        let (vertices, n_first) = vertices_of(parts, contact);
        let sides = sides_of(sides, &vertices, n_first, contact);
        Found::Contact { contact: *contact, vertices, sides }
    };
    let mut all: Vec<Found> = found.iter().map(one).collect();
    all.sort_unstable_by_key(Found::order);
    all
}

fn list_crossings(clip: &Clip, parts: &Parts, sides: &Sides, found: &[Crossing]) -> Vec<Found> {
    let one = |crossing: &Crossing| {
        let [a, b] = [0, 1].map(|k| parts.triangle(crossing.bodies[k], crossing.triangles[k]));
        let side = |triangle: u32| sides.side(&clip.surface.faces[triangle as usize], &[1.0; 3]);
        Found::Crossing { crossing: *crossing, triangles: [a, b], sides: [side(a), side(b)] }
    };
    let mut all: Vec<Found> = found.iter().map(one).collect();
    all.sort_unstable_by_key(Found::order);
    all
}
