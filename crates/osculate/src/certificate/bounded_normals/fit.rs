//! The linear map of a patch whose governors are points (paper 003, section 5, "Subdivision").
//!
//! Points x_k at rest and y_k at a pose have no linear maps of their own, so one is fitted for all
//! of them. Any map gives a valid bound; the best one makes the translations that are left small.
//! It minimizes `Σ |y_k - y - A (x_k - x)|^2 + t |A a - b|^2`, for the means x and y, the axis a of
//! the normals at rest, and the deformed normal b: points in a plane say nothing about the
//! direction perpendicular to it, and a fit of least squares alone would have no solution, or a
//! singular one.

use crate::Affine;
use crate::math::vector::{cross, dot, minus, scale};

/// The weight of the axis, as a share of the variance of the points.
const AXIS: f64 = 0.02;

/// A weight of all directions, which keeps the map finite for points on a line.
const ALL: f64 = 1e-6;

/// Adds the vector `z_k = P (x_k - x)` of each point, so that the fitted map is
/// `Σ (y_k - y) z_k' + b z'`, and returns z; `P = (Σ (x_k - x) (x_k - x)' + t a a')^-1`.
pub(super) fn fits(points: &[[f64; 3]], axis: [f64; 3], fits: &mut Vec<[f64; 3]>) -> [f64; 3] {
    let share = 1.0 / points.len() as f64;
    let mut mean = [0.0; 3];
    for point in points {
        (0..3).for_each(|i| mean[i] += share * point[i]);
    }
    let mut sums = [[0.0; 3]; 3];
    for &point in points {
        let d = minus(point, mean);
        for i in 0..3 {
            (0..3).for_each(|j| sums[i][j] += d[i] * d[j]);
        }
    }
    let variance = sums[0][0] + sums[1][1] + sums[2][2];
    let weight = AXIS * variance;
    for i in 0..3 {
        sums[i][i] += ALL * variance;
        (0..3).for_each(|j| sums[i][j] += weight * axis[i] * axis[j]);
    }
    // The inverse of a symmetric matrix: its cofactors over its determinant.
    let cofactors = [cross(sums[1], sums[2]), cross(sums[2], sums[0]), cross(sums[0], sums[1])];
    let inverse = 1.0 / dot(sums[0], cofactors[0]);
    let apply = |v: [f64; 3]| {
        let fit = cofactors.map(|row| inverse * dot(row, v));
        if fit.iter().all(|x| x.is_finite()) { fit } else { [0.0; 3] }
    };
    fits.extend(points.iter().map(|&point| apply(minus(point, mean))));
    apply(scale(weight, axis))
}

/// The linear map that fits points, the translations of maps, at a pose.
pub(super) fn fitted<'a>(
    points: impl Iterator<Item = &'a Affine> + Clone,
    fits: &[[f64; 3]],
    normal_fit: [f64; 3],
    axis: [f64; 3],
) -> [[f64; 3]; 3] {
    let point = |map: &Affine| [map[0][3], map[1][3], map[2][3]];
    let (mut mean, share) = ([0.0; 3], 1.0 / fits.len() as f64);
    for map in points.clone() {
        (0..3).for_each(|i| mean[i] += share * map[i][3]);
    }
    let mut linear = [[0.0; 3]; 3];
    for (map, fit) in points.zip(fits) {
        let d = minus(point(map), mean);
        for i in 0..3 {
            (0..3).for_each(|j| linear[i][j] += d[i] * fit[j]);
        }
    }
    // The deformed normal is that of the map so far, which is right along the surface.
    let cofactors = [cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1])];
    let normal = cofactors.map(|row| dot(row, axis));
    let length = dot(normal, normal).sqrt();
    if 0.0 < length && length.is_finite() {
        // As long as the map stretches lengths along the surface.
        let normal = scale(length.sqrt() / length, normal);
        for i in 0..3 {
            (0..3).for_each(|j| linear[i][j] += normal[i] * normal_fit[j]);
        }
    }
    linear
}
