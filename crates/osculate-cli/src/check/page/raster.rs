//! Draws a problem without a browser, in the colors of the page.
//!
//! The two parts are solid, all others a veil of one layer; enclosed surface is colored by depth
//! and shines through; the intersection curve lies on top. Triangles are drawn from both sides,
//! into a depth buffer, at [`FINE`] times the size, which is then averaged to smooth edges.

use super::image::Image;
use super::look::{View, cross, dot, minus, unit};
use super::scenery::Shot;

/// Samples along each side of a pixel.
const FINE: usize = 2;

/// Half of the angle of view, as in the page.
const HALF_ANGLE: f64 = 17.5;

const PLAIN: [f64; 3] = [0.725, 0.757, 0.796];
/// The colors of the two parts.
pub(super) const FIRST: [f64; 3] = [0.353, 0.612, 0.910];
pub(super) const SECOND: [f64; 3] = [0.941, 0.639, 0.290];
const CURVE: [f64; 3] = [0.063, 0.078, 0.094];
const GLOW: [f64; 3] = [1.0; 3];
const CONTACT: [f64; 3] = [0.847, 0.106, 0.376];
/// The length of normals at contacts, as a share of the radius that is looked at; as in the page.
const NORMAL: f64 = 0.12;
const VEIL: f64 = 0.2;
const INSIDE: f64 = 0.72;
/// The cosine of the angle up to which normals are smoothed.
const CREASE: f64 = 0.64;

/// The colors of depths, from 0 to the largest.
const RAMP: [[f64; 3]; 4] =
    [[1.0, 0.882, 0.29], [1.0, 0.549, 0.102], [0.878, 0.125, 0.106], [0.541, 0.059, 0.361]];

/// The color of a depth, given as a share of the largest.
pub(super) fn ramp(share: f64) -> [f64; 3] {
    let x = 3.0 * share.clamp(0.0, 1.0);
    let i = (x as usize).min(2);
    mix(RAMP[i], RAMP[i + 1], x - i as f64)
}

fn mix(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t)
}

/// Depths and colors of samples.
struct Layer {
    depth: Vec<f64>,
    color: Vec<[f64; 3]>,
}

impl Layer {
    fn new(n: usize) -> Layer {
        Layer { depth: vec![f64::INFINITY; n], color: vec![[0.0; 3]; n] }
    }
}

/// Where the eye is: the rows of a rotation, and its place.
struct Camera {
    right: [f64; 3],
    up: [f64; 3],
    back: [f64; 3],
    eye: [f64; 3],
    focal: f64,
    size: [f64; 2],
    near: f64,
}

impl Camera {
    fn new(view: &View, size: [usize; 2]) -> Camera {
        let size = size.map(|n| n as f64);
        let tangent = HALF_ANGLE.to_radians().tan();
        let narrow = (size[0] / size[1]).min(1.0);
        let distance = view.radius / (tangent * narrow).atan().sin();
        let back = view.direction;
        let mut right = unit(cross([0.0, 1.0, 0.0], back));
        if right == [0.0; 3] {
            right = [1.0, 0.0, 0.0];
        }
        let eye = [0, 1, 2].map(|k| view.center[k] + distance * back[k]);
        let focal = 0.5 * size[1] / tangent;
        Camera { right, up: cross(back, right), back, eye, focal, size, near: distance * 0.02 }
    }

    /// A point as seen: x and y in samples, and its distance; `None` behind the eye.
    fn see(&self, p: [f64; 3]) -> Option<[f64; 3]> {
        let p = minus(p, self.eye);
        let away = -dot(p, self.back);
        if away < self.near || !away.is_finite() {
            return None;
        }
        let scale = self.focal / away;
        Some([
            0.5 * self.size[0] + scale * dot(p, self.right),
            0.5 * self.size[1] - scale * dot(p, self.up),
            away,
        ])
    }
}

/// Draws a shot.
pub(super) fn render(shot: &Shot, size: [usize; 2]) -> Image {
    let fine = size.map(|n| n * FINE);
    let camera = Camera::new(&shot.view, fine);
    let n = fine[0] * fine[1];
    let [mut solid, mut veil, mut inside] = [Layer::new(n), Layer::new(n), Layer::new(n)];
    let mut depths = vec![0.0; shot.pose.len()];
    let most = shot.mark.most();
    for &(vertex, depth) in &shot.mark.depths {
        depths[vertex as usize] = if 0.0 < most { depth / most } else { 0.0 };
    }
    let normals = normals(shot);
    for (face, &part) in shot.faces.iter().zip(&shot.of_triangles) {
        let base = match shot.parts {
            None => PLAIN,
            Some([first, _]) if first == part => FIRST,
            Some([_, second]) if second == part => SECOND,
            Some(_) => PLAIN,
        };
        let is_near = shot.parts.is_none_or(|parts| parts.contains(&part));
        let corners = face.map(|v| shot.pose[v as usize]);
        let [Some(a), Some(b), Some(c)] = corners.map(|p| camera.see(p)) else { continue };
        let flat = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
        let of_corners = face.map(|v| {
            let smooth = unit(normals[v as usize]);
            if CREASE <= dot(smooth, flat) { smooth } else { flat }
        });
        let toward = unit(minus(camera.eye, corners[0]));
        let of_depths = face.map(|v| depths[v as usize]);
        fill(fine, [a, b, c], |at, weights, away| {
            let normal = unit([0, 1, 2].map(|k| (0..3).map(|i| weights[i] * of_corners[i][k]).sum::<f64>()));
            let depth: f64 = (0..3).map(|i| weights[i] * of_depths[i]).sum();
            let is_enclosed = is_near && 0.0 < depth;
            let color =
                shade(&camera, normal, toward, if is_enclosed { ramp(depth) } else { base }, is_enclosed);
            let layer = if is_near { &mut solid } else { &mut veil };
            if away < layer.depth[at] {
                (layer.depth[at], layer.color[at]) = (away, color);
            }
            if is_enclosed && away < inside.depth[at] {
                (inside.depth[at], inside.color[at]) = (away, color);
            }
        });
    }
    let mut samples = background(fine);
    for (at, sample) in samples.iter_mut().enumerate() {
        if solid.depth[at].is_finite() {
            *sample = solid.color[at];
        }
        if veil.depth[at] < solid.depth[at] {
            *sample = mix(*sample, veil.color[at], VEIL);
        }
        if inside.depth[at].is_finite() && solid.depth[at].min(veil.depth[at]) < inside.depth[at] {
            *sample = mix(*sample, inside.color[at], INSIDE);
        }
    }
    let scale = FINE as f64 * size[1] as f64 / 480.0;
    for (color, width) in [(GLOW, 2.6 * scale), (CURVE, 1.2 * scale)] {
        for two in shot.mark.curves.iter().flat_map(|curve| curve.windows(2)) {
            if let [Some(a), Some(b)] = [two[0], two[1]].map(|p| camera.see(p)) {
                stroke(fine, &mut samples, [a, b], width, color);
            }
        }
    }
    for &[point, normal] in &shot.mark.contacts {
        let end = [0, 1, 2].map(|k| point[k] + NORMAL * shot.view.radius * normal[k]);
        if let [Some(a), Some(b)] = [point, end].map(|p| camera.see(p)) {
            stroke(fine, &mut samples, [a, a], 4.0 * scale, CONTACT);
            stroke(fine, &mut samples, [a, b], 0.8 * scale, CONTACT);
        }
    }
    average(fine, &samples)
}

/// The sum of the normals of the triangles around each vertex, by their areas.
fn normals(shot: &Shot) -> Vec<[f64; 3]> {
    let mut normals = vec![[0.0; 3]; shot.pose.len()];
    for face in &shot.faces {
        let [a, b, c] = face.map(|v| shot.pose[v as usize]);
        let normal = cross(minus(b, a), minus(c, a));
        for &v in face {
            (0..3).for_each(|k| normals[v as usize][k] += normal[k]);
        }
    }
    normals
}

/// Light from above and from the eye, on both sides of the surface.
fn shade(camera: &Camera, normal: [f64; 3], toward: [f64; 3], base: [f64; 3], is_enclosed: bool) -> [f64; 3] {
    let normal = if dot(normal, toward) < 0.0 { normal.map(|x| -x) } else { normal };
    let lamp = unit([0, 1, 2].map(|k| 0.35 * camera.right[k] + 0.75 * camera.up[k] + 0.6 * camera.back[k]));
    let light = 0.34 + 0.42 * dot(normal, lamp).max(0.0) + 0.3 * dot(normal, toward).max(0.0);
    let light = if is_enclosed { 0.55 * light + 0.45 } else { light };
    base.map(|x| (x * light).min(1.0))
}

/// Calls `put` for each sample in a triangle, with the weights of its corners, by perspective, and
/// its distance.
fn fill(size: [usize; 2], [a, b, c]: [[f64; 3]; 3], mut put: impl FnMut(usize, [f64; 3], f64)) {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let range = |k: usize, n: usize| {
        let [lo, hi] = [a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k])];
        (lo.floor().max(0.0) as usize)..((hi.ceil().clamp(0.0, n as f64) as usize + 1).min(n))
    };
    for y in range(1, size[1]) {
        for x in range(0, size[0]) {
            let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
            let side = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (py - p[1]) - (q[1] - p[1]) * (px - p[0]);
            let flat = [side(b, c) / area, side(c, a) / area, side(a, b) / area];
            if flat.iter().all(|&w| 0.0 <= w) {
                let near = [flat[0] / a[2], flat[1] / b[2], flat[2] / c[2]];
                let sum: f64 = near.iter().sum();
                put(y * size[0] + x, near.map(|w| w / sum), 1.0 / sum);
            }
        }
    }
}

/// Draws a segment with round ends.
fn stroke(size: [usize; 2], samples: &mut [[f64; 3]], [a, b]: [[f64; 3]; 2], half: f64, color: [f64; 3]) {
    let range = |k: usize, n: usize| {
        let [lo, hi] = [a[k].min(b[k]) - half, a[k].max(b[k]) + half];
        (lo.floor().max(0.0) as usize)..((hi.ceil().clamp(0.0, n as f64) as usize + 1).min(n))
    };
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0] * d[0] + d[1] * d[1];
    for y in range(1, size[1]) {
        for x in range(0, size[0]) {
            let p = [x as f64 + 0.5 - a[0], y as f64 + 0.5 - a[1]];
            let t = if 0.0 < length { ((p[0] * d[0] + p[1] * d[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
            let off = [p[0] - t * d[0], p[1] - t * d[1]];
            if off[0] * off[0] + off[1] * off[1] <= half * half {
                samples[y * size[0] + x] = color;
            }
        }
    }
}

fn background(size: [usize; 2]) -> Vec<[f64; 3]> {
    let [width, height] = size.map(|n| n as f64);
    let at = |i: usize| {
        let x = (i % size[0]) as f64 / width - 0.5;
        let y = (i / size[0]) as f64 / height - 0.4;
        mix([0.969, 0.976, 0.984], [0.827, 0.855, 0.890], (1.6 * (x * x + y * y).sqrt()).min(1.0))
    };
    (0..size[0] * size[1]).map(at).collect()
}

/// The mean of the samples of each pixel.
fn average(fine: [usize; 2], samples: &[[f64; 3]]) -> Image {
    let size = fine.map(|n| n / FINE);
    let pixel = |i: usize| {
        let (x, y) = (i % size[0] * FINE, i / size[0] * FINE);
        [0, 1, 2].map(|k| {
            let row = |y: usize| (0..FINE).map(move |dx| samples[y * fine[0] + x + dx][k]).sum::<f64>();
            let sum: f64 = (0..FINE).map(|dy| row(y + dy)).sum();
            (255.0 * sum / (FINE * FINE) as f64).round() as u8
        })
    };
    Image { size, pixels: (0..size[0] * size[1]).map(pixel).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::page::marks::Mark;

    /// Three squares, one behind the other, seen along z: of another part, of the first part, and
    /// of the second part, which is enclosed.
    fn shot() -> Shot {
        let mut pose = Vec::new();
        for (z, side) in [(2.0, 0.5), (1.0, 1.0), (0.0, 0.5)] {
            pose.extend(
                [[-1, -1], [1, -1], [1, 1], [-1, 1]]
                    .map(|[x, y]| [side * f64::from(x), side * f64::from(y), z]),
            );
        }
        let faces = (0..3).flat_map(|i| [[4 * i, 4 * i + 1, 4 * i + 2], [4 * i, 4 * i + 2, 4 * i + 3]]);
        let depths = (8..12).map(|v| (v, 0.5)).collect();
        let curve = vec![[-0.9, 0.9, 1.0], [0.9, 0.9, 1.0]];
        Shot {
            faces: faces.collect(),
            of_triangles: vec![7, 7, 3, 3, 5, 5],
            parts: Some([3, 5]),
            mark: Mark { depths, curves: vec![curve], ..Mark::default() },
            view: View { center: [0.0; 3], radius: 2.0, direction: [0.0, 0.0, 1.0] },
            pose,
        }
    }

    #[test]
    fn enclosed_surface_shines_through_and_curves_lie_on_top() {
        let image = render(&shot(), [240, 240]);
        let at = |x: usize, y: usize| image.pixels[y * 240 + x].map(i32::from);
        // In the middle the deepest color prevails: dark red. Beside it, the first part is blue.
        let [r, g, b] = at(120, 135);
        assert!(g < r && b < r, "{:?}", [r, g, b]);
        let [r, g, b] = at(168, 135);
        assert!(r < g && g < b, "{:?}", [r, g, b]);
        let dark = (0..240).filter(|&y| at(120, y).iter().all(|&x| x < 100)).count();
        assert!(0 < dark && dark < 8, "{dark}");
        assert!(at(0, 0).iter().all(|&x| 200 < x));
    }

    #[test]
    fn depths_have_the_colors_of_the_legend() {
        assert_eq!([ramp(-1.0), ramp(0.0), ramp(1.0), ramp(9.0)], [RAMP[0], RAMP[0], RAMP[3], RAMP[3]]);
        assert_eq!(ramp(1.0 / 3.0), RAMP[1]);
    }

    #[test]
    fn what_is_behind_the_eye_or_nowhere_is_not_drawn() {
        let mut shot = shot();
        shot.pose[0] = [f64::NAN, 0.0, 0.0];
        shot.pose[4] = [0.0, 0.0, 1e9];
        shot.pose[8] = [1e300, 0.0, 0.0];
        assert_eq!(render(&shot, [16, 12]).pixels.len(), 192);
    }
}
