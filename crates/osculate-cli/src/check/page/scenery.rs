//! What is drawn on the frames of a page and in pictures, computed again from the clips.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::Result;
use osculate_io::Clip;

use super::frames::encode;
use super::look::{View, view};
use super::marks::{Mark, Tracer};
use super::problems::{Names, Problem};
use super::{Subject, look};
use crate::rig::Skeleton;

/// Problems up to this rank are drawn in all of their frames, others in their worst frame only.
pub(super) const TRACED: usize = 40;

/// But in no more frames of a page than this, other than worst ones. More take longer to write: a
/// frame takes as long as checking it did.
pub(super) const MOST_TRACED: usize = 400;

/// Problems up to this rank are drawn at all; of others the page has the names, depths and frames.
pub(super) const DRAWN: usize = 200;

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

/// What is computed for pictures.
pub(super) struct Scenery<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) problems: &'a [Problem<'a>],
    /// The first clip of each file.
    pub(super) files: Vec<usize>,
    pub(super) names: Vec<Names>,
    pub(super) skeletons: Vec<Option<Skeleton>>,
    tracers: HashMap<usize, Tracer>,
    /// For each problem, from where it is looked at.
    pub(super) views: Vec<Option<View>>,
    /// For each problem, the largest depth of a vertex.
    pub(super) most: Vec<f64>,
    /// For each clip, the largest depth of each vertex.
    pub(super) heat: Vec<HashMap<u32, f64>>,
    /// The marks of frames of clips, as blocks of several lengths may have the same frame.
    pub(super) marks: HashMap<(usize, u32), Vec<Mark>>,
    traced: usize,
    /// Problems of which nothing is drawn in some of their frames.
    pub(super) partly_drawn: HashSet<usize>,
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

    pub(super) fn clip(&self, clip: usize) -> &'a Clip {
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
    pub(super) fn block(&mut self, clip: usize, first: u32, count: u32) -> Result<Vec<u8>> {
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
