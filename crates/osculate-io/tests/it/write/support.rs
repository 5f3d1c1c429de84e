//! Seeded reports, and a folder for each test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use osculate_io::SourceVertex;
use osculate_io::write::{
    ClipReport, Contact, Crossing, Episode, File, Frame, Guarantee, Header, Kind, Measure, Model, Pair,
    Report, Status,
};

/// A generator of numbers for seeded tests (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A finite number of any sign and exponent, subnormal ones and both zeros included.
    pub(crate) fn number(&mut self) -> f64 {
        const SPECIAL: [f64; 8] =
            [0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1.0 / 3.0, 9_007_199_254_740_993.0];
        match self.next() % 8 {
            0 => SPECIAL[(self.next() % 8) as usize],
            _ => Some(f64::from_bits(self.next())).filter(|x| x.is_finite()).unwrap_or(0.1),
        }
    }

    pub(crate) fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// A number in [-1, 1).
    pub(crate) fn small(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn integers<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.next() as u32)
    }
}

pub(crate) fn header() -> Header {
    Header {
        input: vec!["hero \"one\".glb".into(), "ünder\\score.glb".into()],
        model: Model {
            vertices: 3,
            triangles: 1,
            edges: 3,
            components: 1,
            boundary_edges: 3,
            source: Some(vec![SourceVertex { node: 1, mesh: 2, primitive: 3, vertex: 4 }; 3]),
            ..Model::default()
        },
        method: "bvh".into(),
        guarantee: Guarantee::Complete,
        threads: 2,
        thickness: 0.0,
    }
}

/// A report of two clips: two problems, one of which has an episode between frames, and an overlap
/// that is set aside.
pub(crate) fn report() -> Report {
    let episode = |frames: Option<[u32; 2]>, enter: f64, depth: Option<f64>| Episode {
        frames,
        enter,
        leave: enter + 3.5,
        seconds: [0.5, 1.5],
        worst_frame: enter as u32,
        worst: Measure { depth, area: depth, length: 0.1, extent: 0.2, crossings: 7, point: [1.0, 2.0, 3.0] },
    };
    let pair = |parts: [&str; 2], status, episodes| Pair { parts: parts.map(Arc::from), status, episodes };
    let clip = |name: &str, last, pairs| ClipReport {
        file: 0,
        name: name.into(),
        fps: 30.0,
        frames: [0, last],
        overlapping: 4,
        crossings: Some(70),
        contacts: None,
        ignored: usize::from(name == "run"),
        pairs,
    };
    let deep = pair(["a", "<b> & \"c\"\u{1b}"], Status::New, vec![episode(Some([2, 5]), 1.75, Some(0.25))]);
    let twice = vec![episode(Some([1, 1]), 0.5, Some(0.125)), episode(None, 4.25, None)];
    let shields = pair(["shield", "spike"], Status::Throughout, vec![episode(Some([0, 9]), 0.0, Some(0.5))]);
    Report {
        header: header(),
        partial: false,
        baseline: "rest".into(),
        files: vec![File {
            name: header().input[0].clone(),
            model: header().model,
            size: 4.0,
            part_kind: "bone",
        }],
        clips: vec![
            clip("walk", 9, vec![pair(["a", "d"], Status::New, twice), shields]),
            clip("run", 10, vec![deep]),
        ],
    }
}

/// Returns frames with contacts and crossings of all kinds, and some with none.
pub(crate) fn frames(seed: u64) -> Vec<Frame> {
    let mut random = Random(seed);
    let bones: [Arc<str>; 2] = [Arc::from("hand, \"left\"\n"), Arc::from("Hüfte")];
    let frames = (0..20).map(|i| {
        let contact = |random: &mut Random| Contact {
            kind: if random.next().is_multiple_of(2) { Kind::VertexFace } else { Kind::EdgeEdge },
            vertices: random.integers(),
            toi: random.numbers(),
            point: random.numbers(),
            normal: random.numbers(),
            weights: random.numbers(),
            distance: random.number(),
            bodies: random.integers(),
            bones: random.next().is_multiple_of(2).then(|| bones.clone()),
        };
        let n = if i % 3 == 0 { 0 } else { random.next() % 40 };
        let contacts: Vec<Contact> = (0..n).map(|_| contact(&mut random)).collect();
        let crossing = |random: &mut Random| Crossing {
            bodies: [0, 0],
            bones: None,
            triangles: random.integers(),
            segment: random.next().is_multiple_of(2).then(|| [random.numbers(), random.numbers()]),
        };
        Frame {
            file: None,
            clip: "walk".into(),
            frame: i,
            from: i,
            to: i + 1,
            earliest: contacts.first().map(|contact| contact.toi[0]),
            crossings: (0..n / 2).map(|_| crossing(&mut random)).collect(),
            contacts,
            stats: vec![("bv_tests", random.next()), ("pairs", u64::from(i))],
            ms: random.number(),
        }
    });
    frames.collect()
}

/// A folder of its own for a test, which is removed with all that is in it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("osculate-write-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
