//! Finds points from which triangles face away.

use super::program::Program;
use crate::Mesh;
use crate::certificate::PlaneSums;
use crate::math::vector::{cross, dot, minus, plus, scale};

/// The cosine of 80 degrees. A triangle counts as facing away if the angle between its normal and
/// the direction from the point is less than that; beyond, it may soon turn as the surface deforms.
const LEAST_COS: f64 = 0.173_648;

/// The share of triangles that must face away, nine of ten; slightly less for a sample.
const SHARE: [usize; 2] = [9, 10];
const SHARE_OF_SAMPLE: [usize; 2] = [17, 20];

/// Maximum number of sampled triangles.
const SAMPLES: usize = 256;

/// A triangle's center and normal.
#[derive(Clone, Copy, Debug)]
struct Face {
    center: [f64; 3],
    /// Unit vector; NaN if the triangle has no area.
    normal: [f64; 3],
}

/// Finds points from which triangles face away; with scratch memory, and a work count.
pub(super) struct Seeker {
    faces: Vec<Face>,
    program: Program,
    sample: Vec<u32>,
    /// Number of triangles tested.
    pub(super) n_looks: usize,
}

impl Seeker {
    /// For the given triangles of a mesh, with vertices at `place`; from here on they are numbered
    /// from 0.
    pub(super) fn new(
        mesh: &Mesh,
        triangles: impl Iterator<Item = u32>,
        place: impl Fn(u32) -> [f64; 3],
    ) -> Seeker {
        let face = |t: u32| {
            let [a, b, c] = mesh.triangles()[t as usize].map(&place);
            let normal = cross(minus(b, a), minus(c, a));
            let length = dot(normal, normal).sqrt();
            let is_known = 1e-145 < length && length.is_finite();
            Face {
                center: scale(1.0 / 3.0, plus(a, plus(b, c))),
                normal: if is_known { scale(1.0 / length, normal) } else { [f64::NAN; 3] },
            }
        };
        let faces = triangles.map(face).collect();
        Seeker { faces, program: Program::default(), sample: Vec::new(), n_looks: 0 }
    }

    /// The best of the points that [`sees`](Seeker::sees) tries, for all triangles; `None` if there
    /// is none.
    pub(super) fn best(&mut self) -> Option<[f64; 3]> {
        let sample: Vec<u32> = (0..self.faces.len() as u32).collect();
        let equal = self.most_equal(&sample);
        let behind = self.farthest_behind(&sample, None);
        let trimmed = self.farthest_behind(&sample, behind);
        let points =
            [equal, behind, trimmed].into_iter().flatten().filter(|q| q.iter().all(|x| x.is_finite()));
        let points: Vec<[f64; 3]> = points.collect();
        points.into_iter().max_by_key(|&q| self.n_facing(&sample, q))
    }

    /// Whether a point is found from which nearly all of these triangles face away:
    /// `n . (g - q) > cos(80) |g - q|` for the center g.
    ///
    /// Three points are tried: the one whose distances from the planes are most equal, the solution
    /// of the linear program, and that of the program without the triangles that do not face away
    /// from the last point. They are computed from a sample of the triangles, and then tested on
    /// all.
    pub(super) fn sees(&mut self, triangles: &[&[u32]]) -> bool {
        let n: usize = triangles.iter().map(|part| part.len()).sum();
        let mut sample = std::mem::take(&mut self.sample);
        sample.clear();
        let stride = n.div_ceil(SAMPLES).max(1);
        sample.extend(triangles.iter().flat_map(|part| part.iter().step_by(stride)));
        let mut is_seen = false;
        let mut q = self.most_equal(&sample);
        for round in 0..3 {
            if round != 0 {
                q = self.farthest_behind(&sample, q.filter(|_| round == 2));
            }
            let Some(q) = q else { continue };
            let in_sample = self.n_facing(&sample, q);
            if SHARE_OF_SAMPLE[1] * in_sample < SHARE_OF_SAMPLE[0] * sample.len() {
                continue;
            }
            let n_facing: usize = triangles.iter().map(|part| self.n_facing(part, q)).sum();
            if SHARE[0] * n <= SHARE[1] * n_facing {
                is_seen = true;
                break;
            }
        }
        self.sample = sample;
        is_seen
    }

    fn most_equal(&self, sample: &[u32]) -> Option<[f64; 3]> {
        let mut sums = PlaneSums::new(self.faces[*sample.first()? as usize].center);
        for &t in sample {
            let Face { center, normal } = self.faces[t as usize];
            sums.push(normal, center);
        }
        sums.solve()
    }

    /// The solution of the linear program, in the middle half of the box of the sample: among
    /// several solutions, those near the ends of a tube see less. Triangles that do not face away
    /// from `last`, if given, are ignored.
    fn farthest_behind(&mut self, sample: &[u32], last: Option<[f64; 3]>) -> Option<[f64; 3]> {
        let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        self.program.clear();
        for &t in sample {
            let face = self.faces[t as usize];
            for k in 0..3 {
                (lo[k], hi[k]) = (lo[k].min(face.center[k]), hi[k].max(face.center[k]));
            }
            if last.is_none_or(|q| faces_away(&face, q)) {
                self.program.push(face.normal, face.center);
            }
        }
        let inner = |near: [f64; 3], far: [f64; 3]| [0, 1, 2].map(|k: usize| 0.75 * near[k] + 0.25 * far[k]);
        self.program.solve(inner(lo, hi), inner(hi, lo)).map(|kernel| kernel.point)
    }

    fn n_facing(&mut self, triangles: &[u32], q: [f64; 3]) -> usize {
        self.n_looks += triangles.len();
        triangles.iter().filter(|&&t| faces_away(&self.faces[t as usize], q)).count()
    }
}

/// Whether a triangle faces away from a point by an angle with some margin. A triangle without area
/// counts as facing away: no point is better for it.
fn faces_away(face: &Face, q: [f64; 3]) -> bool {
    let d = minus(face.center, q);
    face.normal[0].is_nan() || LEAST_COS * dot(d, d).sqrt() < dot(face.normal, d)
}
