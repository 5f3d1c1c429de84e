//! The content of a report as plain data; the same for all formats.

use std::sync::Arc;

use crate::clip::SourceVertex;

/// The name of the report format and its version.
pub const FORMAT: &str = "osculate-report/2";

/// Written once, before the frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Names of the input files.
    pub input: Vec<String>,
    /// The model that was checked.
    pub model: Model,
    /// Name of the method.
    pub method: String,
    /// The guarantee of the method.
    pub guarantee: Guarantee,
    /// Number of threads.
    pub threads: usize,
    /// Contacts are features that come this close, or that touch if it is zero.
    pub thickness: f64,
}

/// Counts that describe the surface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of connected components.
    pub components: usize,
    /// Number of edges with one triangle.
    pub boundary_edges: usize,
    /// Number of edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Whether every edge has two triangles.
    pub closed: bool,
    /// Number of vertices of the file that were merged into another one.
    pub welded: usize,
    /// The first vertex of the file that each vertex represents, if vertices were merged.
    pub source: Option<Vec<SourceVertex>>,
}

/// The guarantee of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Every contact of the step.
    Complete,
    /// The earliest contact, and all contacts up to it.
    FirstContact,
    /// Nothing: contacts may be missing.
    Nothing,
}

impl Guarantee {
    /// Returns its name in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Guarantee::Complete => "complete",
            Guarantee::Nothing => "none",
            Guarantee::FirstContact => "first-contact",
        }
    }
}

/// The results of a step, or of an instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The number of the file, if there are several.
    pub file: Option<u32>,
    /// Name of the clip.
    pub clip: Arc<str>,
    /// Number of the first frame of the step, or of the instant.
    pub frame: u32,
    /// Number of the frame at t = 0.
    pub from: u32,
    /// Number of the frame at t = 1; equal to `from` at an instant.
    pub to: u32,
    /// The least lower end of a time of impact, in \[0, 1\]; `None` without contacts.
    pub earliest: Option<f64>,
    /// The contacts of the step, in the order in which they are written.
    pub contacts: Vec<Contact>,
    /// The crossings at the instant, in the order in which they are written.
    pub crossings: Vec<Crossing>,
    /// Counts of the work, by name, in the order in which they are written.
    pub stats: Vec<(&'static str, u64)>,
    /// Time of the query in milliseconds.
    pub ms: f64,
}

/// The kind of the features in contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vertex and a face.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

impl Kind {
    /// Returns its name in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::VertexFace => "vf",
            Kind::EdgeEdge => "ee",
        }
    }
}

/// Two features that touch during a step. All numbers are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The kind of the features.
    pub kind: Kind,
    /// The vertices of the first feature, then those of the second, as numbered in the input.
    pub vertices: [u32; 4],
    /// The first contact is in this interval of \[0, 1\].
    pub toi: [f64; 2],
    /// The contact point.
    pub point: [f64; 3],
    /// Unit normal, from the second feature to the first; zero if there is none.
    pub normal: [f64; 3],
    /// Weights of the four vertices; those of each feature sum to 1.
    pub weights: [f64; 4],
    /// The distance of the features at the start of the interval.
    pub distance: f64,
    /// The bodies of the two features.
    pub bodies: [u32; 2],
    /// Names of the bones with the largest weights on the features, if there is a skin.
    pub bones: Option<[Arc<str>; 2]>,
}

impl Contact {
    /// Returns the vertices of the first feature: one or two.
    #[must_use]
    pub fn a(&self) -> &[u32] {
        &self.vertices[..self.n_first()]
    }

    /// Returns the vertices of the second feature: three or two.
    #[must_use]
    pub fn b(&self) -> &[u32] {
        &self.vertices[self.n_first()..]
    }

    fn n_first(&self) -> usize {
        match self.kind {
            Kind::VertexFace => 1,
            Kind::EdgeEdge => 2,
        }
    }
}

/// Two triangles that intersect at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The triangles, as numbered in the input.
    pub triangles: [u32; 2],
    /// The bodies of the two triangles.
    pub bodies: [u32; 2],
    /// Names of the bones with the largest weights on the triangles, if there is a skin.
    pub bones: Option<[Arc<str>; 2]>,
    /// The ends of the intersection, if that is a segment.
    pub segment: Option<[[f64; 3]; 2]>,
}
