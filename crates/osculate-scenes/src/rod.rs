//! Ropes and bars: a row of bones along y, each blending into the next.

use crate::rig::Rig;
use crate::scene::Skin;
use crate::skin::skin_of;
use crate::vector::Vector;

/// Bones of equal length from the origin up to a height.
pub(crate) fn row_of_bones(name: &str, n: usize, height: f64) -> Rig {
    let mut rig = Rig::default();
    let joints: Vec<Vector> = (0..=n).map(|i| [0.0, height * i as f64 / n as f64, 0.0]).collect();
    rig.chain(name, None, &joints);
    rig
}

/// Binds points to a row of bones by cubic B-splines: a bone affects points within two bone lengths
/// of its middle, with the largest weight at the middle.
pub(crate) fn bind_to_row(rig: &Rig, height: f64, points: &[Vector]) -> Skin {
    let last = rig.bones.len() as i64 - 1;
    let weights = points.iter().map(|point| {
        let place = point[1] / height * (last + 1) as f64 - 0.5;
        let low = place.floor();
        let (t, u) = (place - low, 1.0 - (place - low));
        let parts = [u * u * u, 3.0 * t * t * (t - 2.0) + 4.0, 3.0 * u * u * (u - 2.0) + 4.0, t * t * t];
        let mut of_point: Vec<(u32, f64)> = Vec::new();
        for (i, part) in parts.into_iter().enumerate() {
            // Points beyond the ends belong to the last bones.
            let bone = (low as i64 - 1 + i as i64).clamp(0, last) as u32;
            match of_point.last_mut() {
                Some(entry) if entry.0 == bone => entry.1 += part,
                _ => of_point.push((bone, part)),
            }
        }
        of_point
    });
    skin_of(rig.bones.clone(), weights.collect())
}
