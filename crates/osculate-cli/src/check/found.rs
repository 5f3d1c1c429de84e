//! Contacts and crossings with the numbers of their features in the surface, for `--contacts`.

use osculate::narrow::Kind;
use osculate::{BodyId, Contact, Crossing, Stats};
use osculate_io::Clip;
use osculate_io::write;

use super::sides::Sides;

/// A contact or a crossing, with the numbers of its features in the surface and its sides.
#[derive(Clone)]
pub(super) enum Found {
    Contact { contact: Contact, vertices: [u32; 4], sides: [u32; 2] },
    Crossing { crossing: Crossing, triangles: [u32; 2], sides: [u32; 2] },
}

impl Found {
    /// Sort key of results.
    pub(super) fn order(&self) -> (u8, [u32; 4]) {
        match self {
            Found::Contact { contact, vertices, .. } => (contact.key.kind as u8, *vertices),
            Found::Crossing { triangles: [a, b], .. } => (0, [*a, *b, 0, 0]),
        }
    }

    pub(super) fn sides(&self) -> [u32; 2] {
        match self {
            Found::Contact { sides, .. } | Found::Crossing { sides, .. } => *sides,
        }
    }
}

/// Results of a step, of a frame, or of both.
pub(super) struct Frame<'a> {
    pub(super) file: Option<u32>,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) contacts: &'a [Found],
    pub(super) crossings: &'a [Found],
    pub(super) stats: Stats,
    pub(super) ms: f64,
}

/// Converts a frame to its report record.
pub(super) fn record(clip: &Clip, frame: &Frame, sides: &Sides) -> write::Frame {
    let times = frame.contacts.iter().filter_map(|found| match found {
        Found::Contact { contact, .. } => Some(contact.lo),
        Found::Crossing { .. } => None,
    });
    let mut record = write::Frame {
        file: frame.file,
        clip: clip.name.as_str().into(),
        frame: frame.from as u32,
        from: frame.from as u32,
        to: frame.to as u32,
        earliest: times.reduce(f64::min),
        contacts: Vec::new(),
        crossings: Vec::new(),
        stats: stats(&frame.stats),
        ms: frame.ms,
    };
    let bodies = |bodies: [BodyId; 2]| bodies.map(|body| body.index() as u32);
    for found in frame.contacts.iter().chain(frame.crossings) {
        let bones = sides.skin().map(|_| found.sides().map(|side| sides.name(side)));
        match found {
            Found::Contact { contact, vertices, .. } => record.contacts.push(write::Contact {
                kind: match contact.key.kind {
                    Kind::VertexFace => write::Kind::VertexFace,
                    Kind::EdgeEdge => write::Kind::EdgeEdge,
                },
                vertices: *vertices,
                toi: [contact.lo, contact.hi],
                point: contact.at.point,
                normal: contact.at.normal,
                weights: contact.at.weights,
                distance: contact.at.distance,
                bodies: bodies(contact.key.bodies),
                bones,
            }),
            Found::Crossing { crossing, triangles, .. } => record.crossings.push(write::Crossing {
                triangles: *triangles,
                segment: crossing.segment,
                bodies: bodies(crossing.bodies),
                bones,
            }),
        }
    }
    record
}

/// The counts of a query, by name.
fn stats(stats: &Stats) -> Vec<(&'static str, u64)> {
    let (narrow, triangles) = (&stats.narrow, &stats.triangles);
    vec![
        ("rebuilds", stats.rebuilds),
        ("bv_tests", stats.bounds_tests),
        ("certificate_tests", stats.certificates.patches + stats.certificates.pairs),
        ("contour_tests", stats.certificates.facing),
        ("bounds_refitted", stats.skinning.refits),
        ("vertices_moved", stats.skinning.vertices),
        ("pairs", stats.pairs),
        ("feature_tests", narrow.queries),
        ("box_misses", narrow.box_misses),
        ("cubic_misses", narrow.cubic_misses),
        ("root_misses", narrow.root_misses),
        ("root_hits", narrow.root_hits),
        ("split_misses", narrow.split_misses),
        ("split_hits", narrow.split_hits),
        ("separation_misses", narrow.separation_misses),
        ("separation_hits", narrow.separation_hits),
        ("triangle_tests", triangles.pairs),
        ("plane_misses", triangles.plane_misses),
        ("exact_tests", narrow.exact() + triangles.exact),
        ("found", stats.found),
        ("excluded", stats.excluded),
    ]
}
