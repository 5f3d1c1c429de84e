//! Poses of bodies: by vertices, or by bones, and then vertices are moved on demand.

use super::{Affine, Line, Skin};
use fearless_simd::{Level, Simd, dispatch};

/// Where a body is at an instant: a position for each vertex, or, if its model has a [skin](Skin),
/// a map for each bone.
#[derive(Clone, Copy, Debug)]
pub enum Pose<'a> {
    /// The positions of the vertices.
    Vertices(&'a [[f64; 3]]),
    /// The maps of the bones, from rest to where they are. Vertices are moved when somebody asks
    /// for them.
    Bones(&'a [Affine]),
}

impl<'a> From<&'a [[f64; 3]]> for Pose<'a> {
    fn from(vertices: &'a [[f64; 3]]) -> Self {
        Pose::Vertices(vertices)
    }
}

impl<'a> From<&'a Vec<[f64; 3]>> for Pose<'a> {
    fn from(vertices: &'a Vec<[f64; 3]>) -> Self {
        Pose::Vertices(vertices)
    }
}

impl<'a, const N: usize> From<&'a [[f64; 3]; N]> for Pose<'a> {
    fn from(vertices: &'a [[f64; 3]; N]) -> Self {
        Pose::Vertices(vertices)
    }
}

impl<'a> From<&'a [Affine]> for Pose<'a> {
    fn from(bones: &'a [Affine]) -> Self {
        Pose::Bones(bones)
    }
}

impl<'a> From<&'a Vec<Affine>> for Pose<'a> {
    fn from(bones: &'a Vec<Affine>) -> Self {
        Pose::Bones(bones)
    }
}

impl<'a, const N: usize> From<&'a [Affine; N]> for Pose<'a> {
    fn from(bones: &'a [Affine; N]) -> Self {
        Pose::Bones(bones)
    }
}

/// A pose of a body by bones, or a step between two, and which vertices have been moved there.
#[derive(Clone, Debug)]
pub(crate) struct Skinned {
    /// At the start and at the end of the step; the latter counts only if the body moves.
    bones: [Vec<Affine>; 2],
    moves: bool,
    /// A number for this step; it changes with it.
    epoch: u32,
    /// For each vertex, the last step that it was moved for.
    stamps: Vec<u32>,
    /// The last step that all were moved for.
    all: u32,
}

impl Skinned {
    pub(crate) fn new(n_vertices: usize, bones: &[Affine]) -> Skinned {
        Skinned {
            bones: [bones.to_vec(), Vec::new()],
            moves: false,
            epoch: 1,
            stamps: vec![0; n_vertices],
            all: 0,
        }
    }

    /// Whether the body ends the step elsewhere than where it starts.
    pub(crate) fn moves(&self) -> bool {
        self.moves
    }

    /// The bones at the start and at the end.
    #[inline(always)]
    pub(crate) fn ends(&self) -> [&[Affine]; 2] {
        [&self.bones[0], &self.bones[usize::from(self.moves)]]
    }

    /// Puts the body elsewhere, at the start (0) or at the end (1) of the step.
    pub(crate) fn set(&mut self, bones: &[Affine], end: usize) {
        self.bones[end].clear();
        self.bones[end].extend_from_slice(bones);
        self.moves |= end == 1;
        self.next_epoch();
    }

    /// Ends the step where it starts.
    pub(crate) fn rest(&mut self) {
        if self.moves {
            self.moves = false;
            self.next_epoch();
        }
    }

    fn next_epoch(&mut self) {
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            self.all = 0;
            1
        });
    }

    /// Moves vertices, unless they are where they belong; `lines` are those of the body. Returns
    /// how many had to be.
    pub(crate) fn place(&mut self, skin: &Skin, vertices: &[u32], lines: &mut [Line]) -> u64 {
        dispatch!(Level::new(), simd => self.place_with(simd, skin, vertices.iter().copied(), lines))
    }

    /// Moves all vertices. Returns how many had to be.
    pub(crate) fn place_all(&mut self, skin: &Skin, lines: &mut [Line]) -> u64 {
        if self.all == self.epoch {
            return 0;
        }
        self.all = self.epoch;
        let n_vertices = lines.len() as u32;
        dispatch!(Level::new(), simd => self.place_with(simd, skin, 0..n_vertices, lines))
    }

    /// The same, compiled for the vector instructions that there are.
    #[inline(always)]
    fn place_with<S: Simd>(
        &mut self,
        _simd: S,
        skin: &Skin,
        vertices: impl Iterator<Item = u32>,
        lines: &mut [Line],
    ) -> u64 {
        let mut n_moved = 0;
        for vertex in vertices {
            let v = vertex as usize;
            if self.stamps[v] != self.epoch {
                self.stamps[v] = self.epoch;
                n_moved += 1;
                let start = skin.position(v, &self.bones[0]);
                let end = if self.moves { skin.position(v, &self.bones[1]) } else { start };
                lines[v] = Line::new(&start, &end);
            }
        }
        n_moved
    }

    /// Bytes of memory that are held.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bones.iter().map(|bones| size_of_val(bones.as_slice())).sum::<usize>()
            + size_of_val(self.stamps.as_slice())
    }
}
