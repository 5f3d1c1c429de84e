//! What `osculate check` found, as plain data: pairs of parts that overlap, in runs of frames.
//!
//! It is computed apart from any format; [`super::JsonWriter`], [`super::CsvWriter`],
//! [`super::junit`] and [`super::sarif`] write it.

use std::sync::Arc;

use super::report::{Header, Model};

/// The results of a run over any number of files and clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Inputs, method, and the model of the first file.
    pub header: Header,
    /// Whether the run was interrupted, so that clips or frames are missing.
    pub partial: bool,
    /// What overlaps were compared with: `rest`, `first`, `none`, or the name of a file.
    pub baseline: String,
    /// The files, in the order of the inputs.
    pub files: Vec<File>,
    /// The clips that were checked, in order.
    pub clips: Vec<ClipReport>,
}

/// A file that was checked; the frames of a sequence are one file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its name, as given.
    pub name: String,
    /// Its surface.
    pub model: Model,
    /// The diagonal of the bounding box of the surface at the first frame that was checked.
    pub size: f64,
    /// What its parts are: `bone`, `object` or `component`.
    pub part_kind: &'static str,
}

/// The results of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipReport {
    /// The number of its file.
    pub file: usize,
    /// Its name.
    pub name: String,
    /// Frames per second.
    pub fps: f64,
    /// The first and the last frame that were checked.
    pub frames: [u32; 2],
    /// Number of frames in which anything overlaps.
    pub overlapping: usize,
    /// Number of crossings in all frames, if they were all counted.
    pub crossings: Option<u64>,
    /// Number of contacts in all steps, if they were all counted.
    pub contacts: Option<u64>,
    /// Number of pairs of parts that were ignored, because the user said so.
    pub ignored: usize,
    /// Pairs of parts that overlap, the worst first, and those that are known behind all others.
    pub pairs: Vec<Pair>,
}

/// Whether an overlap is one to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is a problem.
    New,
    /// The pair overlaps in the baseline, no less.
    Baseline,
    /// The pair overlaps throughout the clip, always as much.
    Throughout,
}

impl Status {
    /// Returns its name in reports: `new`, or why it is set aside.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Baseline => "baseline",
            Status::Throughout => "throughout",
        }
    }
}

/// Two parts that overlap in a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The names of the parts.
    pub parts: [Arc<str>; 2],
    /// Whether it is a problem.
    pub status: Status,
    /// The runs of frames, in order; at least one.
    pub episodes: Vec<Episode>,
}

/// How far two parts pass through each other, in units of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// The depth; `None` if neither part encloses a volume where they cross.
    pub depth: Option<f64>,
    /// The enclosed area, if there is a depth.
    pub area: Option<f64>,
    /// The length of the intersection curve.
    pub length: f64,
    /// The extent of the intersection curve.
    pub extent: f64,
    /// Number of pairs of triangles that cross.
    pub crossings: u32,
    /// The deepest point, or a point of the curve.
    pub point: [f64; 3],
}

/// Parts without a depth rank as if they were this part of the extent of their intersection deep.
pub const DEPTH_OF_EXTENT: f64 = 0.25;

impl Measure {
    /// Returns a length by which overlaps are ranked: the depth, or a quarter of the extent of the
    /// intersection curve if there is none.
    #[must_use]
    pub fn severity(&self) -> f64 {
        self.depth.unwrap_or(DEPTH_OF_EXTENT * self.extent)
    }
}

/// A run of frames in which two parts overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// The first and the last frame in which they cross; `None` if they cross in no frame, and only
    /// have [contacts](Report::contact_words) between frames.
    pub frames: Option<[u32; 2]>,
    /// When their first contact starts, in frames: 41.25 is a quarter of the step after frame 41. A
    /// whole number if they cross in the first frame that was checked, or if steps were not.
    pub enter: f64,
    /// When their last contact starts, in frames; if they cross in the last frame that was checked,
    /// or if steps were not, their last frame.
    pub leave: f64,
    /// The same in seconds.
    pub seconds: [f64; 2],
    /// The frame in which the overlap is worst; the frame before the contacts, if they cross in
    /// none.
    pub worst_frame: u32,
    /// How far they overlap in that frame.
    pub worst: Measure,
}

impl Pair {
    /// Returns the worst episode.
    #[must_use]
    pub fn worst(&self) -> &Episode {
        let mut worst = &self.episodes[0];
        for episode in &self.episodes[1..] {
            if worst.worst.severity() < episode.worst.severity() {
                worst = episode;
            }
        }
        worst
    }

    /// Whether it is a problem.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.status == Status::New
    }
}

impl ClipReport {
    /// Returns the pairs that are problems, the worst first.
    pub fn problems(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.is_new())
    }
}

impl Report {
    /// Returns all pairs that are problems, or all others, the worst first, with their clips.
    ///
    /// Pairs of different files are compared by the share of the size of their files.
    #[must_use]
    pub fn ranked(&self, are_new: bool) -> Vec<(&ClipReport, &Pair)> {
        let of_clip = |clip| -> Vec<(&ClipReport, &Pair)> {
            let clip: &ClipReport = clip;
            clip.pairs.iter().filter(|pair| pair.is_new() == are_new).map(|pair| (clip, pair)).collect()
        };
        let mut all: Vec<(&ClipReport, &Pair)> = self.clips.iter().flat_map(of_clip).collect();
        let share = |(clip, pair): &(&ClipReport, &Pair)| self.share(clip, pair.worst().worst.severity());
        all.sort_by(|a, b| share(b).total_cmp(&share(a)));
        all
    }

    /// Returns what an episode without frames is, in words: its parts meet between frames, or, with
    /// a thickness, come closer than it.
    #[must_use]
    pub fn contact_words(&self) -> String {
        match self.header.thickness {
            0.0 => "between frames".to_owned(),
            thickness => format!("closer than {thickness}"),
        }
    }

    /// Returns a length as a share of the size of the file of a clip.
    #[must_use]
    pub fn share(&self, clip: &ClipReport, length: f64) -> f64 {
        let size = self.files[clip.file].size;
        if 0.0 < size { length / size } else { 0.0 }
    }
}
