//! Splitting along the surface: two connected halves with a short contour between them.
//!
//! A set of triangles is a graph whose edges connect triangles that share an edge. A connected set
//! is ordered by a field and cut where the contour is short relative to the sizes of the halves.
//! Three fields are tried, each only if the earlier ones did not cut the set into exactly two
//! pieces: the principal axis of positions and normals, that of positions, and the distance along
//! the surface from two far ends. Disconnected remainders of a cut move to the other half, so that
//! both are connected. A set of several pieces is split between pieces.
//!
//! The work for a set is proportional to its size, and no half is smaller than a fixed share of it;
//! so the whole tree takes n log n.

mod fields;
mod halves;

use super::build;
use crate::Mesh;
use halves::Halves;

/// A triangle as a node of the graph, numbered by its position in the set.
#[derive(Clone, Copy)]
pub(super) struct Face {
    triangle: u32,
    /// For each side, the next one on the same edge, in a ring through all sides in the set: itself
    /// if it is alone. Side k of face i has the number 3i + k.
    next: [u32; 3],
    /// The mean of the corners, in units in which the mesh just fits a cube of side 1.
    center: [f32; 3],
    /// Unit normal; zero if the triangle has no area.
    normal: [f32; 3],
}

impl build::Item for Face {
    fn triangle(&self) -> u32 {
        self.triangle
    }
}

/// Scratch memory for [`cut`].
#[derive(Default)]
pub(super) struct Scratch {
    fields: fields::Scratch,
    halves: Halves,
    other: Halves,
    pieces: Pieces,
    /// The new position of each face, and the faces while they are moved.
    places: Vec<u32>,
    moved: Vec<Face>,
}

/// The triangles of a mesh at a pose with any finite positions.
pub(super) fn faces(mesh: &Mesh, positions: &[[f64; 3]]) -> Vec<Face> {
    // Halved, so that differences do not overflow.
    let mut lo = [f64::INFINITY; 3];
    let mut hi = [f64::NEG_INFINITY; 3];
    for p in positions {
        lo = [0, 1, 2].map(|i| lo[i].min(0.5 * p[i]));
        hi = [0, 1, 2].map(|i| hi[i].max(0.5 * p[i]));
    }
    let extent = (0..3).map(|i| hi[i] - lo[i]).fold(0.0, f64::max);
    let scaled =
        |p: [f64; 3]| [0, 1, 2].map(|i| if 0.0 < extent { (0.5 * p[i] - lo[i]) / extent } else { 0.0 });
    let face = |(triangle, corners): (u32, &[u32; 3])| {
        let [a, b, c] = corners.map(|v| scaled(positions[v as usize]));
        let center = [0, 1, 2].map(|i| ((a[i] + b[i] + c[i]) / 3.0) as f32);
        Face { triangle, next: [0, 1, 2].map(|k| 3 * triangle + k), center, normal: unit_normal(a, b, c) }
    };
    let mut faces: Vec<Face> = (0..).zip(mesh.triangles()).map(face).collect();
    for edge in 0..mesh.edges().len() as u32 {
        let around = mesh.triangles_of_edge(edge);
        let side = |t: u32| {
            let k = mesh.triangle_edges()[t as usize].iter().position(|&e| e == edge);
            (t, k.expect("a triangle of an edge has the edge"))
        };
        for (i, &t) in around.iter().enumerate() {
            let ((t, k), (next, l)) = (side(t), side(around[(i + 1) % around.len()]));
            faces[t as usize].next[k] = 3 * next + l as u32;
        }
    }
    faces
}

fn unit_normal(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f32; 3] {
    let [u, v] = [b, c].map(|p| [0, 1, 2].map(|i| p[i] - a[i]));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    if 0.0 < length { n.map(|x| (x / length) as f32) } else { [0.0; 3] }
}

/// The neighbors of a face across each of its edges. Following them reaches all connected faces.
#[inline(always)]
fn neighbors(faces: &[Face], face: u32) -> impl Iterator<Item = u32> {
    faces[face as usize].next.into_iter().map(|side| side / 3).filter(move |&other| other != face)
}

/// Reorders two or more faces and returns where the second half starts. If the set is connected,
/// both halves are, and each has at least an eighth of the faces. The order within a half is kept.
pub(super) fn cut(faces: &mut [Face], scratch: &mut Scratch) -> usize {
    if faces.len() == 2 {
        return 1;
    }
    let Scratch { fields, halves, other, pieces, places, moved } = scratch;
    fields.principal(faces, true);
    halves.divide(faces, fields);
    pieces.find(faces, |a, b| halves.is_second(a) == halves.is_second(b));
    if pieces.len() != 2 || halves.n_cut == 0 {
        pieces.find(faces, |_, _| true);
        if pieces.len() != 1 {
            halves.group(faces, pieces);
            return part(faces, halves, places, moved);
        }
        halves.connect(faces, pieces);
        fields.principal(faces, false);
        other.divide(faces, fields);
        if !other.connect(faces, pieces) {
            halves.keep_better(other);
            fields.between_far_ends(faces);
            other.divide(faces, fields);
            other.connect(faces, pieces);
        }
        halves.keep_better(other);
        if halves.smaller() < faces.len() / 8 {
            halves.cut_tree(faces, fields);
        }
    }
    halves.shorten(faces);
    part(faces, halves, places, moved)
}

/// Moves the faces of the second half behind those of the first and cuts the graph between them.
fn part(faces: &mut [Face], halves: &Halves, places: &mut Vec<u32>, moved: &mut Vec<Face>) -> usize {
    let middle = faces.len() - halves.n_second;
    let mut n = [0, 0];
    places.clear();
    places.extend((0..faces.len() as u32).map(|face| {
        let n = &mut n[usize::from(halves.is_second(face))];
        *n += 1;
        *n - 1
    }));
    moved.clear();
    moved.extend_from_slice(faces);
    for (i, face) in moved.iter().enumerate() {
        let is_second = halves.is_second(i as u32);
        let next = face.next.map(|mut side| {
            // Skip sides of the other half; the ring leads back to the side itself.
            while halves.is_second(side / 3) != is_second {
                side = moved[side as usize / 3].next[side as usize % 3];
            }
            3 * places[side as usize / 3] + side % 3
        });
        let place = places[i] as usize + if is_second { middle } else { 0 };
        faces[place] = Face { next, ..*face };
    }
    middle
}

/// Connected pieces of a set of faces.
#[derive(Default)]
struct Pieces {
    /// The piece of each face.
    of_face: Vec<u32>,
    sizes: Vec<u32>,
    queue: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Pieces {
    fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Finds the pieces of faces connected across edges of faces that are `alike`, an equivalence.
    fn find(&mut self, faces: &[Face], alike: impl Fn(u32, u32) -> bool) {
        self.of_face.clear();
        self.of_face.resize(faces.len(), NONE);
        self.sizes.clear();
        for first in 0..faces.len() as u32 {
            if self.of_face[first as usize] != NONE {
                continue;
            }
            let piece = self.sizes.len() as u32;
            self.of_face[first as usize] = piece;
            let mut size = 0;
            self.queue.clear();
            self.queue.push(first);
            while let Some(face) = self.queue.pop() {
                size += 1;
                for (k, mut side) in faces[face as usize].next.into_iter().enumerate() {
                    // The first face of the same kind on the edge finds the next one. So each side
                    // on the edge is passed once by its own kind and once by the other, whatever
                    // their number.
                    while side != 3 * face + k as u32 && !alike(face, side / 3) {
                        side = faces[side as usize / 3].next[side as usize % 3];
                    }
                    let other = side / 3;
                    if self.of_face[other as usize] == NONE {
                        self.of_face[other as usize] = piece;
                        self.queue.push(other);
                    }
                }
            }
            self.sizes.push(size);
        }
    }
}
