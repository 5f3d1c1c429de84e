//! What a scene is: plain data.

/// A model and its animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The name under which [`build`](crate::build) knows the scene.
    pub name: String,
    /// What it shows, in one sentence.
    pub about: String,
    /// Triangles over vertices, counterclockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// The vertices at rest, in metres; y points up.
    pub rest: Vec<[f64; 3]>,
    /// The names of the objects, which touch each other but are not joined.
    pub objects: Vec<String>,
    /// The object that each vertex belongs to.
    pub vertex_object: Vec<u32>,
    /// The bones, and how they hold the vertices.
    pub skin: Option<Skin>,
    /// Frames per second.
    pub fps: f64,
    /// How it moves.
    pub motion: Motion,
}

/// A skeleton, and how its bones hold the vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The bones; parents stand before their children.
    pub bones: Vec<Bone>,
    /// Where the influences of each vertex start; one more entry than vertices.
    pub offsets: Vec<u32>,
    /// Bones and their weights, by descending weight. The weights of a vertex are positive and sum to 1.
    pub influences: Vec<(u32, f64)>,
}

impl Skin {
    /// The bones that hold a vertex, and their weights.
    #[must_use]
    pub fn of_vertex(&self, vertex: usize) -> &[(u32, f64)] {
        &self.influences[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }
}

/// A bone at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name; the sides of a body end in `.L` and `.R`.
    pub name: String,
    /// The bone that it hangs on.
    pub parent: Option<usize>,
    /// The joint that it turns about.
    pub head: [f64; 3],
    /// Its other end.
    pub tail: [f64; 3],
}

/// An affine map: the rows of a 3 × 4 matrix.
pub type Affine = [[f64; 4]; 3];

/// How a scene moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// For each frame, a map from rest to pose for each bone.
    Bones(Vec<Vec<Affine>>),
    /// For each frame, the positions of all vertices.
    Frames(Vec<Vec<[f64; 3]>>),
}

impl Scene {
    /// Number of frames.
    #[must_use]
    pub fn n_frames(&self) -> usize {
        match &self.motion {
            Motion::Bones(frames) => frames.len(),
            Motion::Frames(frames) => frames.len(),
        }
    }

    /// Overwrites `positions` with the vertices at a frame. With a skin, that is the sum of w M \[v, 1\] over the influences, in their order.
    ///
    /// # Panics
    ///
    /// If there is no such frame, or the motion is one of bones and there is no skin.
    pub fn pose(&self, frame: usize, positions: &mut Vec<[f64; 3]>) {
        positions.clear();
        match &self.motion {
            Motion::Frames(frames) => positions.extend_from_slice(&frames[frame]),
            Motion::Bones(frames) => {
                let skin = self.skin.as_ref().expect("bones move a skin");
                let maps = &frames[frame];
                positions.extend(self.rest.iter().enumerate().map(|(vertex, &[x, y, z])| {
                    let mut sum = [0.0; 3];
                    for &(bone, weight) in skin.of_vertex(vertex) {
                        for (out, row) in sum.iter_mut().zip(&maps[bone as usize]) {
                            *out += weight * (row[0] * x + row[1] * y + row[2] * z + row[3]);
                        }
                    }
                    sum
                }));
            }
        }
    }
}
