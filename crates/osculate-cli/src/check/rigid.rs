//! Parts that move as a whole. If two of them keep their places relative to each other, so does
//! their overlap: a scabbard on a belt is not measured again in every frame.

use std::collections::BTreeMap;

use osculate::penetration::{Anatomy, Overlap};
use osculate_io::{Skin, Surface};

/// Distances are the same in two frames if they differ by at most this part of the size of the
/// surface. If the parts have not moved, they differ by rounding only: rotations in f32, one after
/// the other along the bones, are off by several 1e-7. With too small a value, parts are measured
/// again in frames in which they have not moved; too large a one would hide slow motion, though
/// never for longer than a few frames.
const SAME: f64 = 1e-6;

/// For each part, four of its vertices if one bone moves all of them.
pub(super) struct Rigid {
    of_part: Vec<Option<[u32; 4]>>,
    tolerance: f64,
    /// A pose, and the overlaps that were measured in it: of rigid parts that share no component
    /// with another part, so that nothing but the two changes their overlap.
    at_rest: (Vec<[f64; 3]>, BTreeMap<[u32; 2], Overlap>),
}

impl Rigid {
    /// The rigid parts of a surface of this size at a pose, given the part of each triangle; none
    /// unless its bones alone move it.
    pub(super) fn new(
        surface: &Surface,
        follows_bones: bool,
        part_of_triangle: &[u32],
        pose: &[[f64; 3]],
        size: f64,
    ) -> Rigid {
        let n_parts = part_of_triangle.iter().max().map_or(0, |&last| last as usize + 1);
        let mut rigid =
            Rigid { of_part: vec![None; n_parts], tolerance: SAME * size, at_rest: Default::default() };
        let Some(skin) = surface.skin.as_ref().filter(|_| follows_bones) else { return rigid };
        let mut vertices: Vec<Vec<u32>> = vec![Vec::new(); n_parts];
        for (face, &part) in surface.faces.iter().zip(part_of_triangle) {
            vertices[part as usize].extend(face);
        }
        for (part, mut of_part) in vertices.into_iter().enumerate() {
            of_part.sort_unstable();
            of_part.dedup();
            if is_of_one_bone(skin, &of_part) {
                rigid.of_part[part] = Some(far_apart(&of_part, pose));
            }
        }
        rigid
    }

    /// Keeps overlaps that were measured in full at a pose, for [`Self::measured`].
    pub(super) fn remember(&mut self, anatomy: &Anatomy, pose: &[[f64; 3]], overlaps: &[Overlap]) {
        let mesh = anatomy.mesh();
        let mut part_of: Vec<Option<u32>> = vec![None; mesh.n_components()];
        let mut is_whole = vec![true; self.of_part.len()];
        for (&component, &part) in mesh.components().iter().zip(anatomy.parts()) {
            let first = *part_of[component as usize].get_or_insert(part);
            if first != part {
                is_whole[first as usize] = false;
                is_whole[part as usize] = false;
            }
        }
        let is_known = |part: u32| is_whole[part as usize] && self.of_part[part as usize].is_some();
        let known = overlaps.iter().filter(|overlap| overlap.parts.into_iter().all(is_known));
        let known = known.map(|overlap| (overlap.parts, overlap.clone())).collect();
        self.at_rest = (pose.to_vec(), known);
    }

    /// The overlap of two parts as it was measured, if they are where they were then, relative to
    /// each other. Its depth and area are those of the pose; its curve is not.
    pub(super) fn measured(&self, parts: [u32; 2], pose: &[[f64; 3]]) -> Option<&Overlap> {
        let (before, overlaps) = &self.at_rest;
        overlaps.get(&parts).filter(|_| self.keeps(parts, pose, before))
    }

    /// Whether neither of two parts bends.
    pub(super) fn are_rigid(&self, parts: [u32; 2]) -> bool {
        parts.into_iter().all(|part| self.of_part[part as usize].is_some())
    }

    /// Whether two parts are where they were, relative to each other.
    pub(super) fn keeps(&self, parts: [u32; 2], pose: &[[f64; 3]], before: &[[f64; 3]]) -> bool {
        let [Some(a), Some(b)] = parts.map(|part| self.of_part[part as usize]) else { return false };
        let distance = |pose: &[[f64; 3]], v: u32, w: u32| {
            let [p, q] = [v, w].map(|v| pose[v as usize]);
            (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f64>().sqrt()
        };
        pose.len() == before.len()
            && a.iter().all(|&v| {
                b.iter().all(|&w| (distance(pose, v, w) - distance(before, v, w)).abs() <= self.tolerance)
            })
    }
}

/// Whether all vertices follow one bone and nothing else.
fn is_of_one_bone(skin: &Skin, vertices: &[u32]) -> bool {
    let bone = |v: u32| match skin.influences(v as usize) {
        [one] => Some(one.bone),
        _ => None,
    };
    let Some(first) = vertices.first().and_then(|&v| bone(v)) else { return false };
    vertices.iter().all(|&v| bone(v) == Some(first))
}

/// Four vertices that do not all lie in a small part of the surface: the first, the farthest from
/// it, the one farthest from both, and the one farthest from all three.
fn far_apart(vertices: &[u32], pose: &[[f64; 3]]) -> [u32; 4] {
    let mut chosen = [vertices[0]; 4];
    for n in 1..4 {
        let away = |v: u32| {
            let squared = |w: &u32| {
                let (p, q) = (pose[v as usize], pose[*w as usize]);
                (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f64>()
            };
            chosen[..n].iter().map(squared).fold(f64::INFINITY, f64::min)
        };
        let mut best = vertices[0];
        for &v in vertices {
            if away(best) < away(v) {
                best = v;
            }
        }
        chosen[n] = best;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use osculate::penetration::Pierced;
    use osculate_io::{Bone, Influence};

    /// An overlap of these parts, which only the library makes.
    fn measured(surface: &Surface, pose: &[[f64; 3]], parts: [u32; 2]) -> Overlap {
        let mesh = osculate::Mesh::new(surface.faces.clone(), pose.len()).unwrap();
        let anatomy = Anatomy::new(mesh, pose, vec![parts[0], 9, parts[1], 9, 9, 9]).unwrap();
        let crossing = Pierced { triangles: [0, 2], segment: None };
        anatomy.overlaps(pose, &[crossing], |_| None).unwrap().remove(0)
    }

    #[test]
    fn parts_of_one_bone_each_keep_their_places_until_one_moves() {
        let bone = |name: &str| Bone { name: name.into(), parent: None, head: [0.0; 3], tail: None };
        let pose: Vec<[f64; 3]> =
            (0..12).map(|i| [f64::from(i * i % 7), f64::from(i), f64::from(i % 3)]).collect();
        let of = |v: usize| match v {
            0..4 => vec![Influence { bone: 0, weight: 1.0 }],
            4..8 => vec![Influence { bone: 1, weight: 1.0 }],
            _ => vec![Influence { bone: 1, weight: 0.5 }, Influence { bone: 2, weight: 0.5 }],
        };
        let vertices = pose.iter().enumerate().map(|(v, &p)| (p, of(v)));
        let skin = Skin::from_vertices("test", ["a", "b", "c"].map(bone).to_vec(), vertices).unwrap();
        let surface = Surface {
            n_vertices: 12,
            faces: vec![[0, 1, 2], [1, 2, 3], [4, 5, 6], [5, 6, 7], [8, 9, 10], [9, 10, 11]],
            objects: vec!["x".into()],
            static_objects: Vec::new(),
            vertex_object: vec![0; 12],
            skin: Some(skin),
            welding: None,
            skipped: 0,
            notes: Vec::new(),
        };
        let mut rigid = Rigid::new(&surface, true, &[0, 0, 1, 1, 2, 2], &pose, 10.0);
        let turned: Vec<[f64; 3]> = pose.iter().map(|&[x, y, z]| [-y + 3.0, x, z]).collect();
        assert!(rigid.keeps([0, 1], &turned, &pose));
        assert!(!rigid.keeps([0, 2], &turned, &pose), "a part of two bones may bend");
        let mut moved = turned.clone();
        moved[4..8].iter_mut().for_each(|p| p[0] += 1e-4);
        assert!(!rigid.keeps([0, 1], &moved, &pose));
        // Part 0 is a component; parts 1 and 2 are, too, until a triangle joins them.
        let overlap = |parts| measured(&surface, &pose, parts);
        let mut remembers = |faces: &[[u32; 3]], parts: [u32; 2]| {
            let mesh = osculate::Mesh::new(faces.to_vec(), 12).unwrap();
            let of_triangle = [0, 0, 1, 1, 2, 2, 2][..faces.len()].to_vec();
            let anatomy = Anatomy::new(mesh, &pose, of_triangle).unwrap();
            rigid.remember(&anatomy, &pose, &[overlap([0, 1])]);
            [&turned, &moved].map(|pose| rigid.measured(parts, pose).is_some())
        };
        assert_eq!(remembers(&surface.faces, [0, 1]), [true, false]);
        assert_eq!(remembers(&surface.faces, [0, 2]), [false, false]);
        let joined = [&surface.faces[..], &[[7, 8, 9]]].concat();
        assert_eq!(remembers(&joined, [0, 1]), [false, false], "a neighbor in the component may bend");
        assert!(!Rigid::new(&surface, false, &[0, 0, 1, 1, 2, 2], &pose, 10.0).keeps([0, 1], &pose, &pose));
    }
}
