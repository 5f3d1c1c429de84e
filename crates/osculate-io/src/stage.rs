//! What the readers of scenes (FBX, USD, Alembic) have in common: meshes that bones and shapes
//! move, as one surface, and the frames of a clip.

use std::fmt::Debug;
use std::sync::Arc;

use crate::bytes::Budget;
use crate::clip::{Clip, Motion, Surface};
use crate::error::{Result, malformed};
use crate::shape::Shape;
use crate::skin::{Affine, Bone, Influence, Skin, normalize, origin_of};
use crate::tally::Tally;

/// Maximum number of frames of a clip: 92 hours at 30 frames per second. A wrong time may exceed
/// it.
const MAX_FRAMES: f64 = 1e7;

pub(crate) const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// What moves the vertices of a scene.
pub(crate) trait Source: Debug + Send + Sync {
    /// Returns the matrix of each bone at a time in seconds, or at rest, from rest positions to the
    /// pose.
    fn matrices(&self, time: Option<f64>) -> Result<Vec<Affine>>;

    /// The same, after it has moved the rest positions of all vertices by shapes.
    fn pose(&self, time: Option<f64>, positions: &mut [[f64; 3]]) -> Result<Vec<Affine>>;

    /// Whether there is a pose at rest, in no frame.
    fn has_rest(&self) -> bool {
        true
    }

    /// Whether shapes move rest positions.
    fn has_shapes(&self) -> bool;
}

/// The frames of a clip of a scene.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    source: Arc<dyn Source>,
    start: f64,
    end: f64,
    fps: f64,
    n_frames: usize,
}

impl Playback {
    pub(crate) fn n_frames(&self) -> usize {
        self.n_frames
    }

    pub(crate) fn time(&self, frame: usize) -> f64 {
        (self.start + frame as f64 / self.fps).min(self.end)
    }

    /// Returns the matrix of each bone in a frame.
    pub(crate) fn matrices(&self, frame: usize) -> Result<Vec<Affine>> {
        self.source.matrices(Some(self.time(frame)))
    }

    pub(crate) fn has_shapes(&self) -> bool {
        self.source.has_shapes()
    }

    pub(crate) fn has_rest(&self) -> bool {
        self.source.has_rest()
    }

    /// Appends the positions of all vertices in a frame, or at rest.
    pub(crate) fn pose(&self, frame: Option<usize>, skin: &Skin, out: &mut Vec<[f64; 3]>) -> Result<()> {
        out.extend_from_slice(&skin.rest);
        let matrices = self.source.pose(frame.map(|frame| self.time(frame)), out)?;
        skin.blend(&matrices, out);
        Ok(())
    }
}

/// A clip to be: its name, and its first and last moments in seconds.
pub(crate) struct Take {
    pub(crate) name: String,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) fps: f64,
    pub(crate) source: Arc<dyn Source>,
}

impl Take {
    /// Returns the clip, sampled from its start to its end. The last frame is at the end, however
    /// short the step before it. Fails if the times are no finite numbers, or too far apart.
    pub(crate) fn into_clip(self, file: &str, surface: Arc<Surface>) -> Result<Clip> {
        let Take { name, start, end, fps, source } = self;
        let steps = (end - start) * fps;
        // Rounding adds no extra step.
        let steps = (steps - 1e-6 * steps.max(1.0)).ceil().max(0.0);
        if !start.is_finite() || !end.is_finite() || !steps.is_finite() || MAX_FRAMES < steps {
            let problem = format!("it lasts from {start} s to {end} s; that is too many frames");
            return Err(malformed(file, format!("clip '{name}'"), problem));
        }
        let n_frames = steps as usize + 1;
        let motion = Motion::Stage(Playback { source, start, end: end.max(start), fps, n_frames });
        Ok(Clip { name, fps, surface, motion })
    }
}

/// The polygons of a mesh: the corners of one after the other.
pub(crate) struct Polygons<'a> {
    /// Number of corners of each polygon.
    pub(crate) counts: &'a [u32],
    /// Vertices at the corners, which exist.
    pub(crate) corners: &'a [u32],
    /// Whether the other side is the outer one.
    pub(crate) is_flipped: bool,
}

/// A surface and its skin, to which meshes are added.
pub(crate) struct Builder<'a> {
    pub(crate) file: &'a str,
    pub(crate) budget: &'a mut Budget,
    shape: Shape,
    skin: Skin,
    /// What the notes of the surface will say.
    pub(crate) tally: Tally,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(file: &'a str, budget: &'a mut Budget) -> Self {
        let (shape, skin) = (Shape::default(), Skin::new(Vec::new()));
        Self { file, budget, shape, skin, tally: Tally::default() }
    }

    /// Adds a bone, and returns its number. `into_bone` is the map from rest positions into its
    /// space.
    pub(crate) fn bone(&mut self, name: &str, into_bone: &Affine) -> Result<u32> {
        self.budget.charge(1, 512 + 2 * name.len(), || "the bones".into())?;
        let head = origin_of(into_bone).unwrap_or([0.0; 3]);
        self.skin.bones.push(Bone { name: name.to_owned(), parent: None, head, tail: None });
        Ok(self.skin.bones.len() as u32 - 1)
    }

    /// Sets the parent of each bone: the nearest ancestor, given by `ancestors`, that has a bone.
    /// Nodes are named by numbers, of which a bone has one; there are no cycles of nodes.
    pub(crate) fn link(&mut self, node_of_bone: &[usize], parents: &[Option<usize>]) -> Result<()> {
        self.budget.charge(parents.len(), 8, || "the parents of bones".into())?;
        let mut bone_at = vec![u32::MAX; parents.len()];
        for (bone, &node) in node_of_bone.iter().enumerate().rev() {
            bone_at[node] = bone as u32;
        }
        for (bone, &node) in self.skin.bones.iter_mut().zip(node_of_bone) {
            let mut above = parents[node];
            while let Some(node) = above.filter(|&node| bone_at[node] == u32::MAX) {
                above = parents[node];
            }
            bone.parent = above.map(|node| bone_at[node]);
        }
        Ok(())
    }

    /// Adds a mesh as an object, and returns its first vertex. `influences` appends those of a
    /// vertex of the mesh, with positive and finite weights, which are normalized; there is at
    /// least one.
    pub(crate) fn mesh(
        &mut self,
        name: &str,
        positions: impl ExactSizeIterator<Item = [f64; 3]>,
        polygons: &Polygons,
        mut influences: impl FnMut(usize, &mut Vec<Influence>) -> Result<()>,
    ) -> Result<u32> {
        let what = || format!("mesh '{name}'");
        let (first, n) = (self.skin.rest.len(), positions.len());
        self.budget.charge(n, 2 * (24 + 4 + 4 + 4), what)?;
        self.budget.charge(1, 64 + name.len(), what)?;
        // Every offset and corner below is at most the number of vertices.
        if u32::try_from(first.saturating_add(n)).is_err() {
            return Err(malformed(self.file, what(), "there are 2^32 vertices or more"));
        }
        let object = self.shape.objects.len() as u32;
        self.shape.objects.push(name.to_owned());
        let mut of_vertex = Vec::new();
        for (vertex, position) in positions.enumerate() {
            of_vertex.clear();
            influences(vertex, &mut of_vertex)?;
            normalize(&mut of_vertex);
            self.budget.charge(of_vertex.len(), 2 * size_of::<Influence>(), what)?;
            self.skin.push(position, &of_vertex);
            self.shape.vertex_object.push(object);
        }
        let mut corners = polygons.corners.iter();
        let mut polygon = Vec::new();
        for &count in polygons.counts {
            polygon.clear();
            polygon.extend(corners.by_ref().take(count as usize).map(|corner| first as u32 + corner));
            if polygons.is_flipped {
                polygon.reverse();
            }
            self.shape.push_polygon(&polygon, self.budget)?;
        }
        Ok(first as u32)
    }

    /// Returns the checked surface.
    pub(crate) fn finish(mut self) -> Result<Surface> {
        self.shape.positions.clear();
        let mut surface = Surface::plain("", self.shape.faces, self.skin.rest.len());
        surface.skipped = self.shape.skipped;
        surface.note_skipped();
        surface.notes.extend(self.tally.into_notes());
        surface.objects = self.shape.objects;
        surface.vertex_object = self.shape.vertex_object;
        surface.skin = Some(self.skin);
        surface.checked(self.file)
    }
}

/// Returns how many of `n` vertices no bone moves, given what appends the influences of a vertex.
pub(crate) fn n_unbound(n: usize, influences: impl Fn(usize, &mut Vec<Influence>)) -> usize {
    let mut some = Vec::new();
    let is_unbound = |&vertex: &usize| {
        some.clear();
        influences(vertex, &mut some);
        some.is_empty()
    };
    (0..n).filter(is_unbound).count()
}
