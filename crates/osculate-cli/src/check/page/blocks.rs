//! Which frames a page has, in blocks that are compressed together: all of them, or the most urgent
//! ones if all exceed the limit.

use anyhow::Result;
use rayon::prelude::*;

use super::frames::BLOCK;
use super::pack::template;
use super::problems::Problem;
use super::scenery::Scenery;

/// Frames kept before and after a problem.
const AROUND: u32 = 8;

/// Blocks that are compressed beside each other.
const BATCH: usize = 4;

/// Frames that are compressed together.
pub(super) struct Block {
    pub(super) clip: usize,
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) name: String,
    pub(super) template: String,
}

/// The blocks of a page.
pub(super) struct Blocks {
    /// By clip, then by frame.
    pub(super) all: Vec<Block>,
    pub(super) left_out: LeftOut,
    /// Number of problems that are not drawn in all of their frames.
    pub(super) partly_drawn: usize,
}

/// What a page has no room for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Number of frames.
    pub(super) frames: u64,
    /// Whether any of them is near a problem.
    pub(super) near: bool,
    /// Number of problems whose worst frame is among them.
    pub(super) problems: usize,
}

/// What frames show; the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The worst frame of a problem.
    Worst,
    /// A problem, or frames before or after it.
    Near,
    Far,
}

/// Frames of a clip that are kept or left out together.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    kind: Kind,
    /// The rank of the problem, if there is one.
    rank: usize,
    first: u32,
    clip: usize,
    count: u32,
}

impl Scenery<'_> {
    /// The blocks of a page: all frames, or the most urgent ones if all exceed the limit.
    ///
    /// If worst frames do not fit with their neighbors, blocks become shorter, so that neighbors
    /// are left out first, as long as that shows more problems. (If most frames are the worst of
    /// some problem, long blocks show more, as frames that are compressed together are smaller.)
    /// One frame is always kept, as there is nothing to look at without one.
    pub(super) fn blocks(&mut self, limit: usize) -> Result<Blocks> {
        let mut length = BLOCK as u32;
        let mut best = self.blocks_of(length, limit)?;
        while 1 < length && 0 < best.left_out.problems {
            length /= 2;
            let shorter = self.blocks_of(length, limit)?;
            if !best.all.is_empty() && best.left_out.problems <= shorter.left_out.problems {
                break;
            }
            best = shorter;
        }
        Ok(best)
    }

    /// Blocks of up to `length` frames, the most urgent ones that fit.
    fn blocks_of(&mut self, length: u32, limit: usize) -> Result<Blocks> {
        let order = self.order(length);
        let mut all = self.pack(&order, limit, usize::from(length == 1))?;
        let left = &order[all.len()..];
        let is_hidden = |problem: &&Problem| {
            let worst = problem.pair.worst().worst_frame;
            let has = |unit: &Unit| (unit.first..unit.first + unit.count).contains(&worst);
            left.iter().any(|unit| unit.clip == problem.clip && has(unit))
        };
        let left_out = LeftOut {
            frames: left.iter().map(|unit| u64::from(unit.count)).sum(),
            near: left.iter().any(|unit| unit.kind != Kind::Far),
            problems: self.problems.iter().filter(is_hidden).count(),
        };
        all.sort_unstable_by_key(|block| (block.clip, block.first));
        Ok(Blocks { all, left_out, partly_drawn: self.partly_drawn.len() })
    }

    /// The frames of all clips in units of `length` frames, the most urgent first: those with worst
    /// frames by the rank of the problem, then those near problems, then others by clip.
    fn order(&self, length: u32) -> Vec<Unit> {
        let mut order = Vec::new();
        for (clip, report) in self.subject.report.clips.iter().enumerate() {
            for first in (report.frames[0]..=report.frames[1]).step_by(length as usize) {
                let count = (report.frames[1] + 1 - first).min(length);
                let (kind, rank) = self.urgency(clip, first, first + count - 1);
                order.push(Unit { kind, rank, first, clip, count });
            }
        }
        order.sort_unstable();
        order
    }

    /// Blocks of the first units, as many as fit, but no fewer than `least`.
    fn pack(&mut self, order: &[Unit], limit: usize, least: usize) -> Result<Vec<Block>> {
        let mut kept: Vec<Block> = Vec::new();
        let mut size = 0;
        for batch in order.chunks(BATCH) {
            let mut raw = Vec::new();
            for &Unit { clip, first, count, .. } in batch {
                raw.push((clip, first, count, self.block(clip, first, count)?));
            }
            let packed = raw.into_par_iter().map(|(clip, first, count, bytes)| {
                let name = format!("frames-{clip}-{first}");
                Block { clip, first, count, template: template(&name, &bytes), name }
            });
            for block in packed.collect::<Vec<Block>>() {
                size += block.template.len();
                if limit < size && least <= kept.len() {
                    return Ok(kept);
                }
                kept.push(block);
            }
        }
        Ok(kept)
    }

    /// How much some frames of a clip are needed, with the rank of the problem.
    fn urgency(&self, clip: usize, first: u32, last: u32) -> (Kind, usize) {
        let of_clip = || self.problems.iter().enumerate().filter(|(_, problem)| problem.clip == clip);
        let has = |frame: u32| (first..=last).contains(&frame);
        if let Some((rank, _)) = of_clip().find(|(_, problem)| has(problem.pair.worst().worst_frame)) {
            return (Kind::Worst, rank);
        }
        let near = |problem: &Problem| {
            problem.runs().any(|[from, to]| from <= last + AROUND && first <= to.saturating_add(AROUND))
        };
        match of_clip().find(|(_, problem)| near(problem)) {
            Some((rank, _)) => (Kind::Near, rank),
            None => (Kind::Far, clip),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::args::Args;
    use crate::check::page::scenery::tests::report;
    use crate::check::page::{Subject, problems};
    use crate::source::Source;
    use osculate_io::write::ClipReport;

    #[test]
    fn frames_far_from_problems_are_left_out_first() {
        let source = Source::of_scene("figure").unwrap();
        let report = report();
        let args = Args::of_shell("--scene figure");
        let clips = vec![&source.clips[0]];
        let subject = Subject { report: &report, clips, args: &args, rings: vec![0] };
        let problems = problems::list(&subject);
        let blocks = |limit| Scenery::new(&subject, &problems).unwrap().blocks(limit).unwrap();
        let kept = |blocks: &Blocks| blocks.all.iter().map(|b| [b.first, b.count]).collect::<Vec<_>>();
        let all = blocks(usize::MAX);
        assert_eq!(kept(&all), [[0, 16], [16, 16], [32, 16], [48, 16], [64, 16], [80, 10]]);
        assert_eq!(all.left_out, LeftOut { frames: 0, near: false, problems: 0 });
        let size = |i: usize| all.all[i].template.len();
        // The worst frame, then what is near it.
        let some = blocks(size(4) + size(3) + size(5));
        assert_eq!(kept(&some), [[48, 16], [64, 16], [80, 10]]);
        assert_eq!(some.left_out, LeftOut { frames: 48, near: false, problems: 0 });
        let some = blocks(size(4) + size(3));
        assert_eq!(kept(&some), [[48, 16], [64, 16]]);
        assert_eq!(some.left_out, LeftOut { frames: 58, near: true, problems: 0 });
        // Fewer neighbors of the worst frame, then none. One frame is there in any case.
        let some = blocks(size(4) - 1);
        assert_eq!(kept(&some), [[56, 8], [64, 8]]);
        let some = blocks(0);
        assert_eq!(kept(&some), [[71, 1]]);
        assert_eq!(some.left_out, LeftOut { frames: 89, near: true, problems: 0 });
    }

    /// Two problems have worst frames apart; only that of the worse one fits.
    #[test]
    fn the_worst_frames_of_the_worst_problems_are_left_out_last() {
        let source = Source::of_scene("figure").unwrap();
        let mut report = report();
        let mut second = report.clips[0].pairs[0].clone();
        second.parts[1] = "Head".into();
        second.episodes[0].frames = Some([5, 6]);
        second.episodes[0].worst_frame = 5;
        second.episodes[0].worst.depth = Some(0.2);
        report.clips[0].pairs.push(second);
        let args = Args::of_shell("--scene figure");
        let clips = vec![&source.clips[0]];
        let subject = Subject { report: &report, clips, args: &args, rings: vec![0] };
        let problems = problems::list(&subject);
        let blocks = Scenery::new(&subject, &problems).unwrap().blocks(0).unwrap();
        assert_eq!(blocks.all.iter().map(|b| [b.first, b.count]).collect::<Vec<_>>(), [[5, 1]]);
        assert_eq!(blocks.left_out, LeftOut { frames: 89, near: true, problems: 1 });
        let html = crate::check::page::html::Html { subject: &subject, problems: &problems };
        assert!(html.foot(&blocks).contains("the worst frame of 1 problem"));
    }

    /// Of six clips with a problem in the third one, about half of the frames fit.
    #[test]
    fn a_limit_in_the_middle_keeps_the_frames_around_problems() {
        let source = Source::of_scene("figure").unwrap();
        let mut report = report();
        let with_problem = report.clips.remove(0);
        for i in 0..6 {
            let pairs = if i == 2 { with_problem.pairs.clone() } else { Vec::new() };
            report.clips.push(ClipReport { name: format!("clip {i}"), pairs, ..with_problem.clone() });
        }
        let args = Args::of_shell("--scene figure");
        let clips = vec![&source.clips[0]; 6];
        let subject = Subject { report: &report, clips, args: &args, rings: vec![0; 6] };
        let problems = problems::list(&subject);
        let blocks = |limit| Scenery::new(&subject, &problems).unwrap().blocks(limit).unwrap();
        let size = |blocks: &[Block]| blocks.iter().map(|block| block.template.len()).sum::<usize>();
        let all = blocks(usize::MAX);
        assert_eq!((all.all.len(), all.left_out.frames), (36, 0));
        let limit = size(&all.all) / 2;
        let some = blocks(limit);
        let largest = all.all.iter().map(|block| block.template.len()).max().unwrap();
        assert!(size(&some.all) <= limit && limit < size(&some.all) + largest);
        let n_kept: u32 = some.all.iter().map(|block| block.count).sum();
        assert_eq!(u64::from(n_kept) + some.left_out.frames, 6 * 90);
        assert_ne!(some.left_out.frames, 0);
        // Frames 70 to 72, and eight on each side.
        for frame in 62..=80 {
            let has = |block: &Block| (block.first..block.first + block.count).contains(&frame);
            assert!(some.all.iter().any(|block| block.clip == 2 && has(block)), "{frame}");
        }
        // What is kept is as it would be without a limit.
        for block in &some.all {
            let same = all.all.iter().find(|one| one.name == block.name).unwrap();
            assert!(same.template == block.template, "{}", block.name);
        }
        let html = crate::check::page::html::Html { subject: &subject, problems: &problems };
        let words = format!("{} frames that are far from problems cannot be shown", some.left_out.frames);
        assert!(html.foot(&some).contains(&words));
        assert!(!html.foot(&all).contains("far from problems"));
        assert!(html.clips(&some).contains("left-out") && !html.clips(&all).contains("left-out"));
    }
}
