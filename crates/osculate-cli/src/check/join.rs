//! Joins what was found at frames and in between into episodes: runs of frames in which two parts
//! overlap.
//!
//! An episode goes on as long as the pair crosses at each frame. Its ends are the times at which
//! features touch in the steps before its first and after its last frame. Pairs that touch between
//! two frames and cross at neither are episodes without frames; those of consecutive steps are one.

use std::collections::BTreeMap;
use std::sync::Arc;

use osculate_io::write::{Episode, Measure};

use super::depths::{Standing, is_as_severe};
use super::known::least_same;
use super::scan::{Between, Instant, Touch};

/// Of frames that differ by less than this part, which is rounding, the first is the worst: extents
/// of curves, and depths of parts that do not bend. Other depths are compared as they are.
const SAME: f64 = 1e-6;

/// An episode whose worst frame may still be measured more exactly.
pub(super) struct Draft {
    pub(super) parts: [u32; 2],
    pub(super) episode: Episode,
    /// The worst frame, if it has frames.
    pub(super) worst: Option<Arc<Instant>>,
    /// The severity in its first frame.
    pub(super) first: f64,
    /// What its frames exceed, as they are as severe as the first frame of the clip, if that
    /// matters and they all are.
    pub(super) least: Option<f64>,
}

/// Joins frames and steps, in order.
#[derive(Default)]
pub(super) struct Joiner {
    /// Pairs that cross at the last frame.
    open: BTreeMap<[u32; 2], Draft>,
    /// Pairs that touched in the last step, and crossed at neither frame.
    passing: BTreeMap<[u32; 2], Draft>,
    closed: Vec<Draft>,
    /// The size of the surface, if it matters whether overlaps are the same throughout the clip.
    steady: Option<f64>,
    /// Number of frames so far, and of those with overlaps.
    pub(super) n_frames: usize,
    pub(super) n_overlapping: usize,
}

/// The measure of an overlap.
pub(super) fn measure(overlap: &osculate::penetration::Overlap) -> Measure {
    Measure {
        depth: overlap.depth,
        area: overlap.area,
        length: overlap.length,
        extent: overlap.extent,
        crossings: overlap.crossings,
        point: overlap.point,
    }
}

impl Joiner {
    /// No frames yet; `steady` is the size of the surface, if it matters whether overlaps are the
    /// same throughout the clip.
    pub(super) fn new(steady: Option<f64>) -> Joiner {
        Joiner { steady, ..Joiner::default() }
    }

    /// The first frame of the episode of a pair that goes on, and what is known of it.
    pub(super) fn standing(&self, parts: [u32; 2]) -> Option<(usize, Standing)> {
        let Draft { episode, least, .. } = self.open.get(&parts)?;
        let worst = (episode.worst.depth.unwrap_or(0.0), episode.worst_frame as usize);
        Some((episode.frames?[0] as usize, Standing { worst, least: *least }))
    }

    /// Adds a frame, and the step that leads to it, if there was one, given which pairs do not
    /// bend.
    pub(super) fn add(
        &mut self,
        step: Option<&Between>,
        instant: &Arc<Instant>,
        is_rigid: impl Fn([u32; 2]) -> bool,
    ) {
        let frame = instant.frame;
        let touch = |parts: &[u32; 2]| step.and_then(|step| step.touches.get(parts));
        let ended: Vec<[u32; 2]> = self.open.keys().copied().filter(|&parts| !instant.has(parts)).collect();
        for &parts in &ended {
            if let Some(mut draft) = self.open.remove(&parts) {
                if let Some(Touch { leaving, last, .. }) = touch(&parts) {
                    draft.episode.leave = (frame - 1) as f64 + leaving.unwrap_or(*last);
                }
                self.closed.push(draft);
            }
        }
        let mut passing = BTreeMap::new();
        for (&parts, touch) in step.iter().flat_map(|step| &step.touches) {
            if instant.has(parts) || ended.contains(&parts) {
                continue;
            }
            let from = (frame - 1) as f64;
            let draft = match self.passing.remove(&parts) {
                Some(mut draft) => {
                    draft.episode.leave = from + touch.last;
                    draft
                }
                None => Draft {
                    parts,
                    episode: Episode {
                        frames: None,
                        enter: from + touch.first,
                        leave: from + touch.last,
                        seconds: [0.0; 2],
                        worst_frame: (frame - 1) as u32,
                        worst: Measure { point: touch.point, ..Measure::default() },
                    },
                    worst: None,
                    first: 0.0,
                    least: None,
                },
            };
            passing.insert(parts, draft);
        }
        self.closed.extend(std::mem::replace(&mut self.passing, passing).into_values());
        for overlap in &instant.overlaps {
            let parts = overlap.parts;
            let found = measure(overlap);
            let steady = self.steady.filter(|_| frame == 0);
            let draft = self.open.entry(parts).or_insert_with(|| {
                let enter =
                    touch(&parts).map(|touch| (frame - 1) as f64 + touch.entering.unwrap_or(touch.first));
                Draft {
                    parts,
                    episode: Episode {
                        frames: Some([frame as u32; 2]),
                        enter: enter.unwrap_or(frame as f64),
                        leave: frame as f64,
                        seconds: [0.0; 2],
                        worst_frame: frame as u32,
                        worst: found,
                    },
                    worst: Some(instant.clone()),
                    first: found.severity(),
                    least: steady.map(|size| least_same(found.severity(), size)),
                }
            });
            let episode = &mut draft.episode;
            if let Some([_, last]) = &mut episode.frames {
                *last = frame as u32;
            }
            episode.leave = frame as f64;
            draft.least = draft.least.filter(|&least| is_as_severe(found.severity(), least));
            let (worst, next) = (episode.worst.severity(), found.severity());
            let rounding = if found.depth.is_none() || is_rigid(parts) { SAME } else { 0.0 };
            let is_worse = worst * (1.0 + rounding) < next
                || worst == next && episode.worst.extent * (1.0 + SAME) < found.extent;
            if is_worse {
                episode.worst = found;
                episode.worst_frame = frame as u32;
                draft.worst = Some(instant.clone());
            }
        }
        self.n_frames += 1;
        self.n_overlapping += usize::from(!instant.overlaps.is_empty());
    }

    /// Takes the episodes that have ended.
    pub(super) fn take_closed(&mut self) -> Vec<Draft> {
        std::mem::take(&mut self.closed)
    }

    /// Ends all episodes, and takes them.
    pub(super) fn finish(&mut self) -> Vec<Draft> {
        let rest = std::mem::take(&mut self.open).into_values();
        self.closed.extend(rest.chain(std::mem::take(&mut self.passing).into_values()));
        self.take_closed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osculate::Stats;
    use osculate::penetration::{Anatomy, Overlap, Pierced, Wanted};

    /// Overlaps are made by the library alone: of two closed tetrahedra of parts 1 and 2.
    fn overlap() -> Overlap {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut points = corners.to_vec();
        points.extend(corners.map(|p| p.map(|x| x + 0.1)));
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mut all = faces.to_vec();
        all.extend(faces.map(|face| face.map(|v| v + 4)));
        let mesh = osculate::Mesh::new(all, 8).unwrap();
        let anatomy = Anatomy::new(mesh, &points, vec![1, 1, 1, 1, 2, 2, 2, 2]).unwrap();
        let crossing = Pierced { triangles: [3, 4], segment: Some([[0.1, 0.1, 0.1], [0.8, 0.1, 0.1]]) };
        anatomy.overlaps(&points, &[crossing], |_| Some(Wanted::All)).unwrap().remove(0)
    }

    /// Joins frames in which the pair crosses or not, with touches in the given steps, each after
    /// the frame of its number, at two times.
    fn join(frames: &str, touches: &[(usize, f64, f64)]) -> Vec<(Option<[u32; 2]>, f64, f64)> {
        let mut joiner = Joiner::default();
        let one = overlap();
        for (frame, c) in frames.chars().enumerate() {
            let overlaps = if c == 'x' { vec![one.clone()] } else { Vec::new() };
            let instant = Instant {
                frame,
                is_repeated: false,
                pairs: overlaps.iter().map(|overlap| overlap.parts).collect(),
                overlaps,
                crossings: Vec::new(),
                ignored: Vec::new(),
                found: Vec::new(),
                stats: Stats::default(),
                ms: 0.0,
            };
            let step = frame.checked_sub(1).map(|from| {
                let of_step = touches.iter().filter(|touch| touch.0 == from).map(|&(_, first, last)| {
                    ([1, 2], Touch { first, last, entering: None, leaving: None, point: [0.0; 3] })
                });
                Between {
                    touches: of_step.collect(),
                    found: Vec::new(),
                    count: 0,
                    stats: Stats::default(),
                    ms: 0.0,
                }
            });
            joiner.add(step.as_ref(), &Arc::new(instant), |_| false);
        }
        let mut all: Vec<_> =
            joiner.finish().iter().map(|d| (d.episode.frames, d.episode.enter, d.episode.leave)).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all
    }

    #[test]
    fn runs_of_frames_are_episodes_with_times_between_frames() {
        // It starts overlapping and separates.
        assert_eq!(join("xx..", &[(1, 0.25, 0.5)]), [(Some([0, 1]), 0.0, 1.5)]);
        // It enters and stays to the end; contacts on the way make no hole.
        assert_eq!(join("..xx", &[(1, 0.25, 0.5), (2, 0.1, 0.2)]), [(Some([2, 3]), 1.25, 3.0)]);
        // Without steps, frames are all that is known.
        assert_eq!(join(".xx.", &[]), [(Some([1, 2]), 1.0, 2.0)]);
        // It comes and goes.
        let expected = [(Some([0, 0]), 0.0, 0.5), (Some([2, 2]), 1.75, 2.5), (Some([4, 4]), 3.5, 4.0)];
        assert_eq!(join("x.x.x", &[(0, 0.25, 0.5), (1, 0.75, 0.9), (2, 0.1, 0.5), (3, 0.5, 0.6)]), expected);
        // It passes through between two frames, twice; the second time in two steps.
        let touches = [(0, 0.25, 0.5), (2, 0.5, 0.75), (3, 0.1, 0.2)];
        assert_eq!(join(".....", &touches), [(None, 0.25, 0.5), (None, 2.5, 3.2)]);
        assert_eq!(join("...", &[]), []);
    }
}
