//! The problems of a report, with what the page needs to know of each.

use osculate_io::Surface;
use osculate_io::write::{ClipReport, Pair};

use super::Subject;
use crate::check::sides::Sides;
use crate::options::Bodies;

/// Two parts that overlap in a clip.
pub(super) struct Problem<'a> {
    /// The same for the same parts of the same clip, in every run.
    pub(super) id: String,
    pub(super) clip: usize,
    pub(super) report: &'a ClipReport,
    pub(super) pair: &'a Pair,
    /// The numbers of the parts, as in [`Names`].
    pub(super) parts: [u32; 2],
}

impl Problem<'_> {
    /// Whether it is not set aside.
    pub(super) fn is_new(&self) -> bool {
        self.pair.is_new()
    }

    /// The frames in which something is to be seen of each episode.
    pub(super) fn runs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.pair.episodes.iter().map(|episode| episode.frames.unwrap_or([episode.worst_frame; 2]))
    }
}

/// All problems, the worst first, and those that are set aside behind them.
pub(super) fn list<'a>(subject: &'a Subject<'a>) -> Vec<Problem<'a>> {
    let report = subject.report;
    let names: Vec<Names> =
        subject.clips.iter().map(|clip| Names::new(&clip.surface, subject.args.bodies)).collect();
    let mut all: Vec<Problem> = Vec::new();
    for (clip_report, pair) in [true, false].into_iter().flat_map(|is_new| report.ranked(is_new)) {
        let Some(clip) = report.clips.iter().position(|clip| std::ptr::eq(clip, clip_report)) else {
            continue;
        };
        let parts = pair.parts.each_ref().map(|part| names[clip].number(part));
        let file = &report.files[clip_report.file].name;
        let words = [file.as_str(), &clip_report.name, &pair.parts[0], &pair.parts[1]];
        let mut id = id(&words, 0);
        for again in 1.. {
            if all.iter().all(|other| other.id != id) {
                break;
            }
            id = self::id(&words, again);
        }
        all.push(Problem { id, clip, report: clip_report, pair, parts });
    }
    all
}

/// Eight digits from the names of a problem (the hash FNV-1a).
fn id(words: &[&str; 4], again: u32) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(again);
    for word in words {
        for byte in word.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
}

/// The names of the parts of a surface. Parts of the same name are one.
pub(super) struct Names {
    pub(super) all: Vec<String>,
    /// The part of each triangle.
    pub(super) of_triangles: Vec<u32>,
}

impl Names {
    pub(super) fn new(surface: &Surface, bodies: Bodies) -> Names {
        let sides = Sides::new(surface, bodies);
        let all: Vec<String> = sides.names().iter().map(|name| name.to_string()).collect();
        let first: Vec<u32> =
            all.iter().map(|name| all.iter().position(|other| other == name).unwrap_or(0) as u32).collect();
        let of_triangles = sides.of_triangles().into_iter().map(|part| first[part as usize]).collect();
        Names { all, of_triangles }
    }

    /// The number of a part.
    pub(super) fn number(&self, name: &str) -> u32 {
        self.all.iter().position(|other| other == name).unwrap_or(0) as u32
    }
}
