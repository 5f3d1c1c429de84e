//! Links between two particles: along edges, across folds, and over longer stretches of cloth.

use super::Object;
use crate::vector::{Vector, distance, sub};
use std::collections::HashMap;

/// Two particles and their distance at rest.
pub(super) struct Link {
    ends: [u32; 2],
    rest: f64,
    /// Whether they may come closer.
    is_slack: bool,
}

fn link(object: &Object, first: u32, [a, b]: [u32; 2], is_slack: bool) -> Link {
    let rest = distance(object.points[a as usize], object.points[b as usize]);
    Link { ends: [first + a, first + b], rest, is_slack }
}

/// The edges of the triangles, and the vertices across from each in their order.
fn edges(faces: &[[u32; 3]]) -> Vec<([u32; 2], Vec<u32>)> {
    let mut numbers: HashMap<[u32; 2], usize> = HashMap::new();
    let mut edges: Vec<([u32; 2], Vec<u32>)> = Vec::new();
    for &[a, b, c] in faces {
        for [p, q, apex] in [[a, b, c], [b, c, a], [c, a, b]] {
            let edge = [p.min(q), p.max(q)];
            let number = *numbers.entry(edge).or_insert_with(|| {
                edges.push((edge, Vec::new()));
                edges.len() - 1
            });
            edges[number].1.push(apex);
        }
    }
    edges
}

/// Edges keep their lengths.
pub(super) fn stretch(object: &Object, first: u32) -> impl Iterator<Item = Link> {
    edges(&object.faces).into_iter().map(move |(edge, _)| link(object, first, edge, false))
}

/// The two vertices across from an edge keep their distance.
pub(super) fn bend(object: &Object, first: u32) -> impl Iterator<Item = Link> {
    edges(&object.faces).into_iter().filter_map(move |(_, apexes)| match apexes[..] {
        [a, b] => Some(link(object, first, [a, b], false)),
        _ => None,
    })
}

/// Spans get no longer.
pub(super) fn reach(object: &Object, first: u32) -> impl Iterator<Item = Link> {
    object.spans.iter().map(move |&span| link(object, first, span, true))
}

/// Brings each link in turn nearer to its length, by a part of what is wanted.
pub(super) fn hold(links: &[Link], positions: &mut [Vector], mobility: &[f64], part: f64) {
    for link in links {
        let [a, b] = link.ends.map(|end| end as usize);
        let off = sub(positions[b], positions[a]);
        let length_sq = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
        let moving = mobility[a] + mobility[b];
        let is_fine = link.is_slack && length_sq <= link.rest * link.rest;
        if is_fine || length_sq == 0.0 || moving == 0.0 {
            continue;
        }
        let pull = part * (1.0 - link.rest / length_sq.sqrt()) / moving;
        for axis in 0..3 {
            positions[a][axis] += mobility[a] * pull * off[axis];
            positions[b][axis] -= mobility[b] * pull * off[axis];
        }
    }
}
