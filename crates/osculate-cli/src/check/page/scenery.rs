//! The frames of the page, and what is drawn on them; computed again from the clips.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::Result;
use osculate_io::Clip;
use rayon::prelude::*;

use super::frames::{BLOCK, encode};
use super::look::{View, view};
use super::marks::{Mark, Tracer};
use super::pack::{Bytes, template, zigzag};
use super::problems::{Names, Problem};
use super::{Subject, look};
use crate::rig::Skeleton;

/// Frames kept before and after a problem.
const AROUND: u32 = 8;

/// Problems up to this rank are drawn in all of their frames, others in their worst frame only.
pub(super) const TRACED: usize = 40;

/// But in no more frames of a page than this, other than worst ones. More take longer to write: a
/// frame takes as long as checking it did.
pub(super) const MOST_TRACED: usize = 400;

/// Problems up to this rank are drawn at all; of others the page has the names, depths and frames.
pub(super) const DRAWN: usize = 200;

/// Blocks that are compressed beside each other.
const BATCH: usize = 4;

/// A problem at its worst frame.
pub(super) struct Shot {
    pub(super) pose: Vec<[f64; 3]>,
    pub(super) faces: Vec<[u32; 3]>,
    pub(super) of_triangles: Vec<u32>,
    /// The parts that are colored, if there is a problem.
    pub(super) parts: Option<[u32; 2]>,
    pub(super) mark: Mark,
    pub(super) view: View,
}

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

/// What is computed for pictures.
pub(super) struct Scenery<'a> {
    subject: &'a Subject<'a>,
    problems: &'a [Problem<'a>],
    /// The first clip of each file.
    files: Vec<usize>,
    pub(super) names: Vec<Names>,
    skeletons: Vec<Option<Skeleton>>,
    tracers: HashMap<usize, Tracer>,
    /// For each problem, from where it is looked at.
    pub(super) views: Vec<Option<View>>,
    /// For each problem, the largest depth of a vertex.
    pub(super) most: Vec<f64>,
    /// For each clip, the largest depth of each vertex.
    heat: Vec<HashMap<u32, f64>>,
    /// The marks of frames of clips, as blocks of several lengths may have the same frame.
    marks: HashMap<(usize, u32), Vec<Mark>>,
    traced: usize,
    /// Problems of which nothing is drawn in some of their frames.
    partly_drawn: HashSet<usize>,
}

impl<'a> Scenery<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, problems: &'a [Problem<'a>]) -> Result<Scenery<'a>> {
        let report = subject.report;
        let files: Vec<usize> = (0..report.files.len())
            .map(|file| report.clips.iter().position(|clip| clip.file == file).unwrap_or(0))
            .collect();
        let surfaces = files.iter().map(|&clip| &subject.clips[clip].surface);
        // Bones that only name parts are not drawn: nothing is known of their motion.
        let is_moved = |clip: &Clip| matches!(clip.bone_matrices(0), Ok(Some(_)));
        let skeletons = files.iter().map(|&clip| {
            let skin = subject.clips[clip].surface.skin.as_ref().filter(|skin| !skin.bones.is_empty());
            skin.filter(|_| is_moved(subject.clips[clip])).and_then(|skin| Skeleton::of(skin).ok())
        });
        Ok(Scenery {
            subject,
            problems,
            skeletons: skeletons.collect(),
            names: surfaces.map(|surface| Names::new(surface, subject.args.bodies)).collect(),
            files,
            tracers: HashMap::new(),
            views: problems.iter().map(|_| None).collect(),
            most: vec![0.0; problems.len()],
            heat: vec![HashMap::new(); report.clips.len()],
            marks: HashMap::new(),
            traced: 0,
            partly_drawn: HashSet::new(),
        })
    }

    fn clip(&self, clip: usize) -> &'a Clip {
        self.subject.clips[clip]
    }

    fn file(&self, clip: usize) -> usize {
        self.subject.report.clips[clip].file
    }

    /// Number of vertices and joints of a file.
    pub(super) fn n_points(&self, file: usize) -> usize {
        let joints = self.skeletons[file].as_ref().map_or(0, |skeleton| skeleton.rest().len());
        self.clip(self.files[file]).surface.n_vertices + joints
    }

    /// A problem at its worst frame.
    pub(super) fn shot(&mut self, problem: usize) -> Result<Shot> {
        let Problem { clip, pair, parts, .. } = self.problems[problem];
        let frame = pair.worst().worst_frame as usize;
        let mut pose = Vec::new();
        self.clip(clip).pose(frame, &mut pose)?;
        let marks = self.trace(clip, frame, &pose, &BTreeMap::from([(parts, problem as u32)]))?;
        let mark = marks.into_iter().next().unwrap_or_default();
        let view = self.view(problem, &pose, &mark);
        let surface = &self.clip(clip).surface;
        let of_triangles = self.names[self.file(clip)].of_triangles.clone();
        Ok(Shot { pose, faces: surface.faces.clone(), of_triangles, parts: Some(parts), mark, view })
    }

    /// A clip at its first frame, without any problem.
    pub(super) fn overview(&mut self, clip: usize) -> Result<Shot> {
        let mut pose = Vec::new();
        self.clip(clip).pose(self.subject.report.clips[clip].frames[0] as usize, &mut pose)?;
        let view = look::overview(&pose);
        let faces = self.clip(clip).surface.faces.clone();
        let of_triangles = self.names[self.file(clip)].of_triangles.clone();
        Ok(Shot { pose, faces, of_triangles, parts: None, mark: Mark::default(), view })
    }

    /// From where a problem is looked at, computed once.
    fn view(&mut self, problem: usize, pose: &[[f64; 3]], mark: &Mark) -> View {
        if let Some(view) = self.views[problem] {
            return view;
        }
        let Problem { clip, report, pair, parts, .. } = self.problems[problem];
        let names = &self.names[report.file];
        let size = self.subject.report.files[report.file].size;
        let measure = &pair.worst().worst;
        let faces = &self.clip(clip).surface.faces;
        let near: Vec<[u32; 3]> = faces
            .iter()
            .zip(&names.of_triangles)
            .filter(|(_, part)| parts.contains(part))
            .map(|(face, _)| *face)
            .collect();
        let view = view(pose, &near, mark, measure, size);
        self.views[problem] = Some(view);
        view
    }

    /// The marks of some problems at a frame.
    fn trace(
        &mut self,
        clip: usize,
        frame: usize,
        pose: &[[f64; 3]],
        wanted: &BTreeMap<[u32; 2], u32>,
    ) -> Result<Vec<Mark>> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let Subject { report, args, ref rings, .. } = *self.subject;
        let (file, of_clip) = (self.file(clip), self.clip(clip));
        if !self.tracers.contains_key(&file) {
            let of_triangles = self.names[file].of_triangles.clone();
            let name = &report.files[file].name;
            let tracer = Tracer::new(name, &of_clip.surface, pose, args.bodies, of_triangles, rings[clip])?;
            self.tracers.insert(file, tracer);
        }
        let Some(tracer) = self.tracers.get_mut(&file) else { return Ok(Vec::new()) };
        let mut marks = tracer.at(pose, wanted)?;
        // What only touches on the way to the next frame.
        let touching: BTreeMap<[u32; 2], u32> = wanted
            .iter()
            .filter(|&(_, &problem)| marks.iter().all(|mark| mark.problem != problem))
            .map(|(parts, problem)| (*parts, *problem))
            .collect();
        if !touching.is_empty() && frame + 1 < of_clip.n_frames() {
            marks.extend(tracer.between(of_clip, frame, &touching)?);
        }
        for mark in &marks {
            let most = &mut self.most[mark.problem as usize];
            *most = most.max(mark.most());
            for &(vertex, depth) in mark.depths.iter().filter(|(_, depth)| 0.0 < *depth) {
                let heat = self.heat[clip].entry(vertex).or_insert(0.0);
                *heat = heat.max(depth);
            }
        }
        Ok(marks)
    }

    /// The problems that are drawn at a frame.
    fn wanted(&mut self, clip: usize, frame: u32) -> BTreeMap<[u32; 2], u32> {
        let mut wanted = BTreeMap::new();
        let mut is_traced = false;
        for (i, problem) in self.problems.iter().enumerate().filter(|(_, problem)| problem.clip == clip) {
            let is_worst = problem.pair.worst().worst_frame == frame;
            let is_in =
                problem.is_new() && problem.runs().any(|[first, last]| (first..=last).contains(&frame));
            if is_worst && i < DRAWN || is_in && i < TRACED && self.traced < MOST_TRACED {
                is_traced |= !is_worst;
                wanted.entry(problem.parts).or_insert(i as u32);
            } else if is_in {
                self.partly_drawn.insert(i);
            }
        }
        self.traced += usize::from(is_traced);
        wanted
    }

    /// Frames of a clip, from `first` on, as bytes.
    fn block(&mut self, clip: usize, first: u32, count: u32) -> Result<Vec<u8>> {
        let of_clip = self.clip(clip);
        let mut poses = Vec::new();
        for frame in first..first + count {
            let mut pose = Vec::new();
            of_clip.pose(frame as usize, &mut pose)?;
            self.draw(clip, frame, &pose)?;
            if let Some(skeleton) = &self.skeletons[self.file(clip)] {
                let joints = skeleton.at(of_clip, frame as usize)?;
                pose.extend(joints.unwrap_or_else(|| skeleton.rest()));
            }
            poses.push(pose);
        }
        let marks =
            (0..count).flat_map(|at| self.marks[&(clip, first + at)].iter().map(move |mark| (at, mark)));
        Ok(encode(&poses, &marks.collect::<Vec<_>>()))
    }

    /// Computes the marks of a frame, and from where its problems are looked at, once.
    fn draw(&mut self, clip: usize, frame: u32, pose: &[[f64; 3]]) -> Result<()> {
        if self.marks.contains_key(&(clip, frame)) {
            return Ok(());
        }
        let wanted = self.wanted(clip, frame);
        let marks = self.trace(clip, frame as usize, pose, &wanted)?;
        for mark in &marks {
            let problem = &self.problems[mark.problem as usize];
            if problem.pair.worst().worst_frame == frame {
                self.view(mark.problem as usize, pose, mark);
            }
        }
        self.marks.insert((clip, frame), marks);
        Ok(())
    }

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

    /// The triangles of all files.
    pub(super) fn surfaces(&self) -> Result<String> {
        let mut text = String::new();
        for (file, &clip) in self.files.iter().enumerate() {
            let surface = &self.clip(clip).surface;
            let joints = self.skeletons[file].as_ref().map_or(0, |skeleton| skeleton.rest().len());
            let mut bytes = Bytes::default();
            for n in [surface.n_vertices, surface.faces.len(), joints] {
                bytes.u32(n as u32);
            }
            let mut before = None;
            for &corner in surface.faces.as_flattened() {
                let code = before.map_or(corner, |before: u32| zigzag(corner.wrapping_sub(before) as i32));
                bytes.u32(code);
                before = Some(corner);
            }
            self.names[file].of_triangles.iter().for_each(|&part| bytes.u32(part));
            if let Some(skeleton) = &self.skeletons[file] {
                skeleton.parents().into_iter().for_each(|parent| bytes.u32(parent.unwrap_or(u32::MAX)));
            }
            text.push_str(&template(&format!("surface-{file}"), &bytes.0));
        }
        Ok(text)
    }

    /// The largest depth of a vertex in a clip.
    pub(super) fn hottest(&self, clip: usize) -> f64 {
        self.heat[clip].values().copied().fold(0.0, f64::max)
    }

    /// Whether heat is that of all frames of all problems of a clip.
    pub(super) fn is_heat_whole(&self, clip: usize) -> bool {
        let is_drawn = |frame| self.marks.contains_key(&(clip, frame));
        let mut own = self.problems.iter().enumerate().filter(|(_, p)| p.clip == clip && p.is_new());
        own.all(|(i, problem)| {
            !self.partly_drawn.contains(&i)
                && problem.runs().all(|[first, last]| (first..=last).all(is_drawn))
        })
    }

    /// The largest depth of each vertex over each clip, as shares of the largest.
    pub(super) fn heats(&self) -> String {
        let mut text = String::new();
        for (clip, heat) in self.heat.iter().enumerate().filter(|(_, heat)| !heat.is_empty()) {
            let most = self.hottest(clip);
            let mut bytes = vec![0; self.clip(clip).surface.n_vertices];
            for (&vertex, &depth) in heat {
                bytes[vertex as usize] = (255.0 * depth / most).ceil().min(255.0) as u8;
            }
            text.push_str(&template(&format!("heat-{clip}"), &bytes));
        }
        text
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::check::args::Args;
    use crate::check::page::problems;
    use crate::source::Source;
    use osculate_io::write::{
        ClipReport, Episode, File, Guarantee, Header, Measure, Model, Pair, Report, Status,
    };

    /// The report about one problem of the figure.
    pub(in crate::check::page) fn report() -> Report {
        let episode = Episode {
            frames: Some([70, 72]),
            enter: 70.0,
            leave: 72.0,
            seconds: [2.3, 2.4],
            worst_frame: 71,
            worst: Measure { depth: Some(0.1), ..Measure::default() },
        };
        let pair =
            Pair { parts: ["Hand.L".into(), "Hand.R".into()], status: Status::New, episodes: vec![episode] };
        let clip = ClipReport {
            file: 0,
            name: "figure".into(),
            fps: 30.0,
            frames: [0, 89],
            overlapping: 3,
            crossings: None,
            contacts: None,
            ignored: 0,
            pairs: vec![pair],
        };
        let header = Header {
            input: vec!["figure".into()],
            model: Model::default(),
            method: "bvh".into(),
            guarantee: Guarantee::Complete,
            threads: 1,
            thickness: 0.0,
        };
        let file = File { name: "figure".into(), model: Model::default(), size: 2.0, part_kind: "bone" };
        Report { header, partial: false, baseline: "rest".into(), files: vec![file], clips: vec![clip] }
    }

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
    /// The figure with more problems than are drawn: all of frames 70 to 72 but the last one, which
    /// is of frame 5 only.
    #[test]
    fn problems_that_are_not_drawn_in_all_of_their_frames_are_counted() {
        let source = Source::of_scene("figure").unwrap();
        let args = Args::of_shell("--scene figure");
        let look = |report: &Report| {
            let subject = Subject { report, clips: vec![&source.clips[0]], args: &args, rings: vec![0] };
            let problems = problems::list(&subject);
            let mut scenery = Scenery::new(&subject, &problems).unwrap();
            let blocks = scenery.blocks(usize::MAX).unwrap();
            let foot =
                crate::check::page::html::Html { subject: &subject, problems: &problems }.foot(&blocks);
            (blocks.partly_drawn, scenery.is_heat_whole(0), foot)
        };
        let (n, is_whole, foot) = look(&report());
        assert_eq!((n, is_whole), (0, true));
        assert!(!foot.contains("not shown in all"), "{foot}");
        let mut many = report();
        let first = many.clips[0].pairs[0].clone();
        for i in 0..DRAWN {
            let mut next = first.clone();
            next.parts[0] = format!("part {i}").into();
            many.clips[0].pairs.push(next);
        }
        let last = many.clips[0].pairs.last_mut().unwrap();
        last.episodes[0] = Episode { frames: Some([5, 5]), worst_frame: 5, ..last.episodes[0] };
        last.episodes[0].worst.depth = Some(0.01);
        let (n, is_whole, foot) = look(&many);
        assert_eq!((n, is_whole), (DRAWN + 1 - TRACED, false));
        assert!(foot.contains("Curves and depths of 161 problems are not shown in all"), "{foot}");
        // What is known is not counted.
        for pair in &mut many.clips[0].pairs[TRACED..] {
            pair.status = Status::Baseline;
        }
        assert_eq!(look(&many).0, 0);
    }
}
