//! The joints of a skeleton: their parents, and their local transforms in every frame.

use super::super::animation::Rig;
use super::transform::{Parts, inverse};
use crate::skin::{Affine, apply, compose};

/// Maximum deviation of the weight sum from 1; a reader divides by the sum.
const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Maximum displacement of a vertex by joint rounding, relative to the largest coordinate of all
/// frames. Bones of real files have shear of that order, from f32 rounding; more than that is
/// intended.
const TOLERANCE: f64 = 1e-6;

pub(super) struct Skeleton {
    /// The parent of each joint. Not all bones can keep their parents, see [`Self::of_rig`].
    pub(super) parents: Vec<Option<u32>>,
    /// For each joint, its transform relative to its parent in each frame.
    pub(super) locals: Vec<Vec<Parts>>,
    /// The position of each joint at rest. Joints are not rotated there.
    pub(super) heads: Vec<[f32; 3]>,
}

/// A joint in all frames: its local transforms, and its global ones as a reader computes them.
struct Track {
    locals: Vec<Parts>,
    globals: Vec<Affine>,
}

impl Skeleton {
    /// Returns the skeleton of a rig; `None` if glTF cannot express it.
    ///
    /// A bone whose parent is scaled non-uniformly, or to nothing, may not be expressible relative
    /// to it. Such a bone becomes a root. If that does not help either, and vertices follow it,
    /// there is no skeleton. The transform of a joint is relative to its parent after rounding; so
    /// errors do not accumulate along a limb.
    pub(super) fn of_rig(rig: &Rig) -> Option<Self> {
        let are_weights_fit = (0..rig.rest.len()).all(|vertex| {
            let weights = || rig.of_vertex(vertex).iter().map(|influence| influence.weight);
            weights().all(|weight| 0.0 <= weight) && (weights().sum::<f64>() - 1.0).abs() <= WEIGHT_TOLERANCE
        });
        let n = rig.bones.len();
        if !are_weights_fit || usize::from(u16::MAX) < n {
            return None;
        }
        let boxes = boxes(rig);
        let limit = TOLERANCE * largest_coordinate(rig, &boxes);
        let heads: Vec<[f32; 3]> = rig.bones.iter().map(|bone| bone.head.map(|x| x as f32)).collect();
        let mut skeleton = Self { parents: vec![None; n], locals: vec![Vec::new(); n], heads };
        let mut globals: Vec<Vec<Affine>> = vec![Vec::new(); n];
        for bone in parents_first(rig) {
            let head = skeleton.heads[bone].map(f64::from);
            let wanted = || rig.matrices.iter().map(|frame| compose(&frame[bone], &shift(head)));
            let from_rest = shift(head.map(|x| -x));
            // Without vertices there are no corners, so everything is near.
            let is_near = |track: &Track| {
                let mut frames = rig.matrices.iter().zip(&track.globals);
                frames.all(|(frame, global)| {
                    let found = compose(global, &from_rest);
                    boxes[bone].iter().flat_map(corners).all(|corner| {
                        let (wanted, found) = (apply(&frame[bone], corner), apply(&found, corner));
                        (0..3).all(|i| (found[i] - wanted[i]).abs() <= limit)
                    })
                })
            };
            let parent = rig.bones[bone].parent;
            let below = parent.and_then(|parent| track(Some(&globals[parent as usize]), wanted()));
            let (parent, track) = match below.filter(is_near) {
                Some(track) => (parent, track),
                None => (None, track(None, wanted()).filter(is_near)?),
            };
            skeleton.parents[bone] = parent;
            skeleton.locals[bone] = track.locals;
            globals[bone] = track.globals;
        }
        Some(skeleton)
    }
}

/// Returns a joint with global transforms at or near the wanted ones, below the given transforms of
/// its parent.
fn track(parent: Option<&[Affine]>, wanted: impl Iterator<Item = Affine>) -> Option<Track> {
    let mut track = Track { locals: Vec::new(), globals: Vec::new() };
    for (frame, wanted) in wanted.enumerate() {
        let above = parent.map(|parent| &parent[frame]);
        let mut local = match above {
            Some(above) => Parts::of(&compose(&inverse(above)?, &wanted))?,
            None => Parts::of(&wanted)?,
        };
        if let Some(before) = track.locals.last() {
            local.follow(before);
        }
        track.globals.push(above.map_or_else(|| local.map(), |above| compose(above, &local.map())));
        track.locals.push(local);
    }
    Some(track)
}

/// The least and the greatest coordinates of some points.
type Bounds = [[f64; 3]; 2];

/// Returns the box at rest of the vertices of each bone, `None` if there are none.
fn boxes(rig: &Rig) -> Vec<Option<Bounds>> {
    let mut boxes: Vec<Option<Bounds>> = vec![None; rig.bones.len()];
    for (vertex, &p) in rig.rest.iter().enumerate() {
        for influence in rig.of_vertex(vertex) {
            let bounds = &mut boxes[influence.bone as usize];
            let [min, max] = bounds.unwrap_or([p, p]);
            let (min, max) = (|i: usize| min[i].min(p[i]), |i: usize| max[i].max(p[i]));
            *bounds = Some([std::array::from_fn(min), std::array::from_fn(max)]);
        }
    }
    boxes
}

/// Returns an upper bound of the coordinates of all vertices in all frames.
fn largest_coordinate(rig: &Rig, boxes: &[Option<Bounds>]) -> f64 {
    let mut largest = 0.0f64;
    for frame in rig.matrices.iter() {
        for (matrix, bounds) in frame.iter().zip(boxes) {
            let coordinates = bounds.iter().flat_map(corners).flat_map(|corner| apply(matrix, corner));
            largest = coordinates.fold(largest, |largest, x| largest.max(x.abs()));
        }
    }
    largest
}

/// Returns the corners of a box. The error of an affine map is greatest at one of them.
fn corners(bounds: &Bounds) -> [[f64; 3]; 8] {
    std::array::from_fn(|corner| std::array::from_fn(|i| bounds[corner >> i & 1][i]))
}

/// Returns the translation of the origin to a point.
fn shift([x, y, z]: [f64; 3]) -> Affine {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
}

/// Returns the bones with parents before their children.
fn parents_first(rig: &Rig) -> Vec<usize> {
    let mut order = Vec::with_capacity(rig.bones.len());
    let mut is_listed = vec![false; rig.bones.len()];
    for bone in 0..rig.bones.len() {
        let start = order.len();
        let mut at = Some(bone);
        while let Some(bone) = at.filter(|&bone| !is_listed[bone]) {
            is_listed[bone] = true;
            order.push(bone);
            at = rig.bones[bone].parent.map(|parent| parent as usize);
        }
        // The path went up to the root.
        order[start..].reverse();
    }
    order
}
