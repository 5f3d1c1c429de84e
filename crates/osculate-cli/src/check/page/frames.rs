//! Frames as bytes: positions on a grid of 16 bits, and their differences.
//!
//! A block has up to [`BLOCK`] frames, so that a page decodes what it shows and no more. All its
//! positions are on one grid over their bounds. The first frame is coded by differences from vertex
//! to vertex, others from frame to frame; x, y and z apart, low bytes apart from high ones, since
//! that compresses best.

use super::marks::Mark;
use super::pack::{Bytes, zigzag};

/// Frames of a block. More make the page smaller, and the first picture later.
pub(super) const BLOCK: usize = 16;

/// Steps of the grid along the longest side of the bounds.
const STEPS: f64 = 65535.0;

/// Returns the bytes of a block: points of each frame (vertices, then joints), and marks, with
/// frames counted from the first one of the block.
pub(super) fn encode(frames: &[Vec<[f64; 3]>], marks: &[(u32, &Mark)]) -> Vec<u8> {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for point in frames.iter().flatten() {
        for k in 0..3 {
            bounds[0][k] = bounds[0][k].min(point[k]);
            bounds[1][k] = bounds[1][k].max(point[k]);
        }
    }
    let longest = (0..3).map(|k| bounds[1][k] - bounds[0][k]).fold(0.0, f64::max);
    // What the page computes with: rounded to f32 before positions are put on the grid. A length
    // beyond f32 cannot be drawn; its positions all become the origin.
    let scale = f64::from((longest / STEPS) as f32 * (1.0 + f32::EPSILON));
    let scale = if scale.is_finite() && 0.0 < scale { scale } else { 1.0 };
    let origin = bounds[0].map(|x| f64::from(x as f32));
    let mut bytes = Bytes::default();
    bytes.u32(frames.len() as u32);
    bytes.f32(scale);
    bytes.point(origin);
    let mut before: Vec<i32> = Vec::new();
    for frame in frames {
        let n = frame.len();
        let on_grid = |i: usize| {
            let (k, v) = (i / n, i % n);
            ((frame[v][k] - origin[k]) / scale).round().clamp(0.0, STEPS) as i32
        };
        let grid: Vec<i32> = (0..3 * n).map(on_grid).collect();
        let codes: Vec<u32> = (0..3 * n)
            .map(|i| {
                let from = match before.get(i) {
                    Some(&from) => from,
                    None if i % n == 0 => 0,
                    None => grid[i - 1],
                };
                // Modulo 2^16, so that every difference fits.
                zigzag(i32::from((grid[i] - from) as i16)) & 0xffff
            })
            .collect();
        bytes.0.extend(codes.iter().map(|code| *code as u8));
        bytes.0.extend(codes.iter().map(|code| (code >> 8) as u8));
        before = grid;
    }
    bytes.align();
    bytes.u32(marks.len() as u32);
    for (frame, mark) in marks {
        bytes.u32(*frame);
        mark.encode(&mut bytes);
    }
    bytes.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `decode` of `page/src/data.js` does.
    fn decode(bytes: &[u8], n: usize) -> Vec<Vec<[f64; 3]>> {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let f32_at = |at: usize| f64::from(f32::from_bits(u32_at(at)));
        let mut at = 20;
        let mut all: Vec<Vec<u16>> = Vec::new();
        for k in 0..u32_at(0) as usize {
            let mut grid: Vec<u16> = vec![0; 3 * n];
            for i in 0..3 * n {
                let z = i32::from(bytes[at + i]) | i32::from(bytes[at + 3 * n + i]) << 8;
                let difference = z >> 1 ^ -(z & 1);
                let before = if 0 < k {
                    all[k - 1][i]
                } else if i % n == 0 {
                    0
                } else {
                    grid[i - 1]
                };
                grid[i] = (i32::from(before) + difference) as u16;
            }
            at += 6 * n;
            all.push(grid);
        }
        let place = |grid: &Vec<u16>, v: usize| {
            [0, 1, 2].map(|k| f32_at(8 + 4 * k) + f32_at(4) * f64::from(grid[k * n + v]))
        };
        all.iter().map(|grid| (0..n).map(|v| place(grid, v)).collect()).collect()
    }

    #[test]
    fn positions_return_within_half_a_step_of_the_grid() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / (1 << 24) as f64
        };
        let frames: Vec<Vec<[f64; 3]>> =
            (0..5).map(|_| (0..40).map(|_| [0, 1, 2].map(|_| 7.0 * random() - 2.0)).collect()).collect();
        let back = decode(&encode(&frames, &[]), 40);
        for (a, b) in frames.iter().flatten().zip(back.iter().flatten()) {
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 7.0 / STEPS), "{a:?} {b:?}");
        }
        // Opposite corners, so that differences exceed 15 bits.
        let far = vec![vec![[0.0; 3], [1.0; 3], [0.0; 3]], vec![[1.0; 3], [0.0; 3], [1.0; 3]]];
        let back = decode(&encode(&far, &[]), 3);
        assert!(far.iter().flatten().zip(back.iter().flatten()).all(|(a, b)| (a[0] - b[0]).abs() < 2e-5));
        assert_eq!(decode(&encode(&[vec![[3.0, 4.0, 5.0]]], &[]), 1), [[[3.0, 4.0, 5.0]]]);
    }
}
