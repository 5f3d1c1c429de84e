//! Triangles side by side, for vector instructions.

use super::Line;

/// Triangles of a block.
pub(crate) const LANES: usize = 8;

/// The corners of eight triangles: `[corner][coordinate][lane]`, the coordinates being those at t =
/// 0 and then those at t = 1.
pub(crate) type Gathered = [[[f64; LANES]; 6]; 3];

/// Gathers up to eight triangles, one at least; lanes past the end repeat the first. `corners` are
/// places in `vertices`, which are places in `lines`. Those at t = 1 are left out at an instant.
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
