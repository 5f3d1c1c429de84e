//! Linear blend skinning: bones, influences of each vertex, and the evaluation of a pose.

use crate::error::{Result, malformed};

/// The three rows of an affine map: `x' = m[0][0] x + m[0][1] y + m[0][2] z + m[0][3]`, and so on.
pub type Affine = [[f64; 4]; 3];

/// A joint of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name in the file, or "joint N". Several skins of one file may have bones of the same name.
    pub name: String,
    /// Index of the parent bone. A bone is never its own ancestor.
    pub parent: Option<u32>,
    /// Position of the joint at rest, in the space of [`Skin::rest`].
    pub head: [f64; 3],
    /// Position of the other end at rest, if the file has it (glTF does not).
    pub tail: Option<[f64; 3]>,
}

/// A bone and its weight on a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// Index of the bone.
    pub bone: u32,
    /// Its weight, never 0.
    pub weight: f64,
}

/// Bones, and the influences of each vertex: `v' = Σ weight · M(bone) · [v, 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The bones. Nodes with a mesh without a skin are bones, too.
    pub bones: Vec<Bone>,
    /// Positions to which the bone matrices are applied.
    pub rest: Vec<[f64; 3]>,
    /// Vertex v has the influences `starts[v]..starts[v + 1]`.
    starts: Vec<u32>,
    influences: Vec<Influence>,
}

impl Skin {
    /// Returns the skin of vertices at rest, with the influences of each. Fails if a vertex has no
    /// bone, or a nonexistent one; `name` is for errors.
    pub fn from_vertices(
        name: &str,
        bones: Vec<Bone>,
        vertices: impl IntoIterator<Item = ([f64; 3], Vec<Influence>)>,
    ) -> Result<Self> {
        let mut skin = Self::new(bones);
        for (v, (rest, influences)) in vertices.into_iter().enumerate() {
            let problem =
                match influences.iter().find(|influence| skin.bones.len() <= influence.bone as usize) {
                    Some(influence) => {
                        format!("bone {}, but there are {} bones", influence.bone, skin.bones.len())
                    }
                    None if influences.is_empty() => "it follows no bone".to_owned(),
                    None => {
                        skin.push(rest, &influences);
                        continue;
                    }
                };
            return Err(malformed(name, format!("vertex {v}"), problem));
        }
        Ok(skin)
    }

    /// Returns a skin without vertices.
    pub(crate) fn new(bones: Vec<Bone>) -> Self {
        Self { bones, rest: Vec::new(), starts: vec![0], influences: Vec::new() }
    }

    /// Reserves exact memory for `vertices` and `influences` more.
    pub(crate) fn reserve(&mut self, vertices: usize, influences: usize) {
        self.rest.reserve_exact(vertices);
        self.starts.reserve_exact(vertices);
        self.influences.reserve_exact(influences);
    }

    /// Adds a vertex. The caller has checked that there is an influence, that the bones exist, and
    /// that all influences together are fewer than 2^32.
    pub(crate) fn push(&mut self, rest: [f64; 3], influences: &[Influence]) {
        self.rest.push(rest);
        self.influences.extend_from_slice(influences);
        self.starts.push(self.influences.len() as u32);
    }

    /// Returns the influences of a vertex; empty for a nonexistent vertex.
    #[must_use]
    pub fn influences(&self, vertex: usize) -> &[Influence] {
        match (self.starts.get(vertex), self.starts.get(vertex + 1)) {
            (Some(&start), Some(&end)) => &self.influences[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Returns the bone with the greatest weight on a vertex, the first of equal ones; `None` for a
    /// nonexistent vertex.
    #[must_use]
    pub fn dominant_bone(&self, vertex: usize) -> Option<u32> {
        let mut best: Option<Influence> = None;
        for &influence in self.influences(vertex) {
            if best.is_none_or(|best| best.weight < influence.weight) {
                best = Some(influence);
            }
        }
        best.map(|influence| influence.bone)
    }

    /// Replaces each position by its image: `p' = (Σ weight · M(bone)) [p, 1]`.
    ///
    /// There is a matrix for each bone, and `positions` are those of the vertices in order.
    /// Blending the matrices first costs twelve multiplications for each influence and vectorizes;
    /// a vertex with one bone of weight 1 moves exactly as the bone does.
    pub(crate) fn blend(&self, matrices: &[Affine], positions: &mut [[f64; 3]]) {
        for (position, ends) in positions.iter_mut().zip(self.starts.windows(2)) {
            let mut sum = [[0.0; 4]; 3];
            for influence in &self.influences[ends[0] as usize..ends[1] as usize] {
                let matrix = &matrices[influence.bone as usize];
                for (sum, row) in sum.iter_mut().zip(matrix) {
                    for (sum, entry) in sum.iter_mut().zip(row) {
                        *sum += influence.weight * entry;
                    }
                }
            }
            *position = apply(&sum, *position);
        }
    }
}

/// Sorts the influences of a vertex by bone, sums those of the same bone, and normalizes them. They
/// are positive and finite.
pub(crate) fn normalize(influences: &mut Vec<Influence>) {
    // Sorted before the sum, so that vertices with the same weights in another order get the same
    // bits.
    influences.sort_by_key(|influence| influence.bone);
    influences.dedup_by(|next, kept| {
        let is_same = next.bone == kept.bone;
        kept.weight += if is_same { next.weight } else { 0.0 };
        is_same
    });
    let sum: f64 = influences.iter().map(|influence| influence.weight).sum();
    influences.iter_mut().for_each(|influence| influence.weight /= sum);
}

/// Returns the image of a point.
pub(crate) fn apply(m: &Affine, p: [f64; 3]) -> [f64; 3] {
    m.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3])
}

/// Returns the map that applies `b` first and `a` second.
pub(crate) fn compose(a: &Affine, b: &Affine) -> Affine {
    a.map(|row| {
        std::array::from_fn(|j| {
            let offset = if j == 3 { row[3] } else { 0.0 };
            row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j] + offset
        })
    })
}

/// Returns the point that `m` maps to the origin; `None` if `m` is singular.
pub(crate) fn origin_of(m: &Affine) -> Option<[f64; 3]> {
    let [a, b, c, d]: [[f64; 3]; 4] = std::array::from_fn(|j| [m[0][j], m[1][j], m[2][j]]);
    let det = |x: [f64; 3], y: [f64; 3], z: [f64; 3]| {
        x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0])
            + x[2] * (y[0] * z[1] - y[1] * z[0])
    };
    // Cramer's rule for the columns: x a + y b + z c = -d.
    let whole = det(a, b, c);
    let point = [-det(d, b, c) / whole, -det(a, d, c) / whole, -det(a, b, d) / whole];
    point.iter().all(|x| x.is_finite()).then_some(point)
}

/// Returns the index of a bone that is its own ancestor, or `None` if there is none.
pub(crate) fn find_cycle(parents: &[Option<u32>]) -> Option<usize> {
    // 0 is new, 1 on the current path, 2 known to reach a root.
    let mut state = vec![0u8; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(bone) = at.filter(|&bone| state[bone] != 2) {
            if state[bone] == 1 {
                return Some(bone);
            }
            state[bone] = 1;
            path.push(bone);
            at = parents[bone].map(|parent| parent as usize);
        }
        path.into_iter().for_each(|bone| state[bone] = 2);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Affine = [[0.0, -2.0, 0.0, 1.0], [2.0, 0.0, 0.0, -3.0], [0.0, 0.0, 0.5, 4.0]];

    #[test]
    fn maps_compose_and_invert() {
        let p = [0.25, 1.5, -2.0];
        assert_eq!(apply(&compose(&TURN, &TURN), p), apply(&TURN, apply(&TURN, p)));
        assert_eq!(apply(&TURN, origin_of(&TURN).unwrap()), [0.0; 3]);
        assert_eq!(origin_of(&[[0.0; 4]; 3]), None);
    }

    #[test]
    fn strongest_bone_and_bad_vertices() {
        let mut skin = Skin::new(Vec::new());
        let weights = [0.25, 0.5, 0.25].iter().zip(0..);
        skin.push([0.0; 3], &weights.map(|(&weight, bone)| Influence { bone, weight }).collect::<Vec<_>>());
        assert_eq!(skin.dominant_bone(0), Some(1));
        assert_eq!(skin.dominant_bone(1), None);
        assert!(skin.influences(7).is_empty());
    }

    #[test]
    fn cycles_of_bones_are_found() {
        assert_eq!(find_cycle(&[None, Some(0), Some(1), Some(0)]), None);
        assert_eq!(find_cycle(&[Some(0)]), Some(0));
        assert!(find_cycle(&[None, Some(3), Some(1), Some(2)]).is_some());
    }
}
