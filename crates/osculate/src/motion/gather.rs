//! Gathers triangles into vector lanes.

use super::Line;

/// Number of triangles in a block.
pub(crate) const LANES: usize = 8;

/// The corners of eight triangles: `[corner][coordinate][lane]`; coordinates are x, y, z at t = 0,
/// then at t = 1.
pub(crate) type Gathered = [[[f64; LANES]; 6]; 3];

/// Gathers one to eight triangles; lanes past the end repeat the first. `corners` index `vertices`,
/// which index `lines`. At an instant, the coordinates at t = 1 stay zero.
#[inline(always)]
pub(crate) fn gather(vertices: &[u32], corners: &[[u32; 3]], lines: &[Line], is_instant: bool) -> Gathered {
    let mut gathered = [[[0.0; LANES]; 6]; 3];
    for lane in 0..LANES {
        let corners = corners[if lane < corners.len() { lane } else { 0 }];
        for (k, corner) in corners.into_iter().enumerate() {
            let line = &lines[vertices[corner as usize] as usize].0;
            for i in 0..3 {
                gathered[k][i][lane] = line[i];
                if !is_instant {
                    gathered[k][i + 3][lane] = line[i + 4];
                }
            }
        }
    }
    gathered
}
