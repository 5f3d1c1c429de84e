//! Skin weights: each vertex starts with the bone of the nearest cone, and weights then diffuse
//! over the surface. So a limb affects only what it is connected to, not what is merely near.

use crate::field::Field;
use crate::scene::{Bone, Skin};
use crate::surface::Surface;
use crate::vector::{Vector, distance};

/// Maximum number of bones per vertex.
const MOST: usize = 4;
/// Maximum number of bones per vertex during diffusion.
const MOST_SPREADING: usize = 6;
/// Weights below this are dropped.
const LEAST: f64 = 1e-3;

/// Binds a surface to bones. Weights change from one bone to the next over about `width` radii of
/// the shape.
pub(crate) fn bind(
    bones: Vec<Bone>,
    field: &Field,
    faces: &[[u32; 3]],
    points: &[Vector],
    width: f64,
) -> Skin {
    let surface = Surface::new(faces, points.to_vec());
    let samples: Vec<_> = points.iter().map(|&point| field.sample(point)).collect();
    let radii_per_edge = (0..points.len() as u32).map(|vertex| {
        let (mut sum, mut n) = (0.0, 0.0);
        for neighbor in surface.neighbors(vertex) {
            sum += distance(surface.point(vertex), surface.point(neighbor));
            n += 1.0;
        }
        samples[vertex as usize].radius * n / sum
    });
    let ratio = radii_per_edge.sum::<f64>() / points.len() as f64;
    // A step below diffuses by the square root of a quarter of an edge length squared, along each
    // direction.
    let n_steps = (4.0 * (width * ratio) * (width * ratio)) as usize;
    let weights = samples.iter().map(|sample| vec![(sample.bone as u32, 1.0)]).collect();
    skin_of(bones, spread(&surface, weights, n_steps))
}

/// Repeatedly replaces the weights of each vertex by the mean of its own and its neighbors'.
fn spread(surface: &Surface, mut weights: Vec<Vec<(u32, f64)>>, n_steps: usize) -> Vec<Vec<(u32, f64)>> {
    for _ in 0..n_steps {
        let mean = |vertex: u32| {
            let mut sum = weights[vertex as usize].clone();
            let own = surface.valence(vertex) as f64;
            sum.iter_mut().for_each(|entry| entry.1 *= own);
            for neighbor in surface.neighbors(vertex) {
                for &(bone, weight) in &weights[neighbor as usize] {
                    match sum.iter_mut().find(|entry| entry.0 == bone) {
                        Some(entry) => entry.1 += weight,
                        None => sum.push((bone, weight)),
                    }
                }
            }
            normalized(sum, MOST_SPREADING, 0.0)
        };
        weights = (0..weights.len() as u32).map(mean).collect();
    }
    weights
}

/// The greatest weights, descending, normalized.
fn normalized(mut weights: Vec<(u32, f64)>, most: usize, least: f64) -> Vec<(u32, f64)> {
    weights.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    weights.truncate(most);
    let total: f64 = weights.iter().map(|entry| entry.1).sum();
    weights.retain(|entry| least * total <= entry.1);
    let total: f64 = weights.iter().map(|entry| entry.1).sum();
    weights.iter_mut().for_each(|entry| entry.1 /= total);
    weights
}

/// A skin of the given weights, which need not be normalized.
pub(crate) fn skin_of(bones: Vec<Bone>, weights: Vec<Vec<(u32, f64)>>) -> Skin {
    let mut skin = Skin { bones, offsets: vec![0], influences: Vec::new() };
    for of_vertex in weights {
        skin.influences.extend(normalized(of_vertex, MOST, LEAST));
        skin.offsets.push(skin.influences.len() as u32);
    }
    skin
}
