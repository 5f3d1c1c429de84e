//! Parts that move as a whole. If two of them keep their places relative to each other, so does
//! their overlap: a scabbard on a belt is not measured again in every frame.

use osculate_io::{Skin, Surface};

/// Distances are the same in two frames if they differ by at most this part of the size of the
/// surface. They differ by rounding only if the parts have not moved; too large a value would hide
/// slow motion, though never for longer than a few frames.
const SAME: f64 = 1e-7;

/// For each part, four of its vertices if one bone moves all of them.
pub(super) struct Rigid {
    of_part: Vec<Option<[u32; 4]>>,
    tolerance: f64,
}

impl Rigid {
    /// The rigid parts of a surface of this size at a pose, given the part of each triangle.
    pub(super) fn new(
        surface: &Surface,
        has_morphs: bool,
        part_of_triangle: &[u32],
        pose: &[[f64; 3]],
        size: f64,
    ) -> Rigid {
        let n_parts = part_of_triangle.iter().max().map_or(0, |&last| last as usize + 1);
        let mut rigid = Rigid { of_part: vec![None; n_parts], tolerance: SAME * size };
        let Some(skin) = surface.skin.as_ref().filter(|_| !has_morphs) else { return rigid };
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
    use osculate_io::{Bone, Influence};

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
        let rigid = Rigid::new(&surface, false, &[0, 0, 1, 1, 2, 2], &pose, 10.0);
        let turned: Vec<[f64; 3]> = pose.iter().map(|&[x, y, z]| [-y + 3.0, x, z]).collect();
        assert!(rigid.keeps([0, 1], &turned, &pose));
        assert!(!rigid.keeps([0, 2], &turned, &pose), "a part of two bones may bend");
        let mut moved = turned;
        moved[4..8].iter_mut().for_each(|p| p[0] += 1e-4);
        assert!(!rigid.keeps([0, 1], &moved, &pose));
        assert!(!Rigid::new(&surface, true, &[0, 0, 1, 1, 2, 2], &pose, 10.0).keeps([0, 1], &pose, &pose));
    }
}
