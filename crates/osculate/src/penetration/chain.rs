//! Chains segments into curves.

use crate::math::orient::Point;
use crate::math::vector::{dot, minus, plus, scale};

/// Ends of segments are the same point if they are closer than this part of the extent of all
/// segments. They are intersections that were computed twice, and differ by rounding only; too
/// large a value would join curves that pass each other, too small a one would leave gaps.
const SAME: f64 = 1e-6;

/// Curves as sequences of points; the first point of a closed curve is repeated at its end.
pub type Curves = Vec<Vec<[f64; 3]>>;

/// Returns the curves that consist of the given segments, each used once; segments of length zero
/// are dropped. Where more than two segments meet, curves end or pass arbitrarily, but always in
/// the same way for the same list.
#[must_use]
pub fn chain(segments: &[[[f64; 3]; 2]]) -> Curves {
    let (extent, _) = extent(segments.as_flattened());
    let nodes = nodes(segments.as_flattened(), SAME * extent);
    let mut at_node: Vec<Vec<u32>> = vec![Vec::new(); segments.len() * 2];
    for i in 0..segments.len() {
        let [a, b] = [nodes[2 * i], nodes[2 * i + 1]];
        if a != b {
            at_node[a as usize].push(i as u32);
            at_node[b as usize].push(i as u32);
        }
    }
    let mut is_used = vec![false; segments.len()];
    let mut curves = Vec::new();
    let mut follow = |start: u32, is_used: &mut [bool]| {
        let mut points: Vec<Point> = Vec::new();
        let mut node = start;
        while let Some(&next) = at_node[node as usize].iter().find(|&&s| !is_used[s as usize]) {
            is_used[next as usize] = true;
            let i = next as usize;
            let (from, to) = if nodes[2 * i] == node { (0, 1) } else { (1, 0) };
            if points.is_empty() {
                points.push(segments[i][from]);
            }
            points.push(segments[i][to]);
            node = nodes[2 * i + to];
        }
        if node == start
            && let [first, .., last] = points.as_mut_slice()
        {
            *last = *first;
        }
        if !points.is_empty() {
            curves.push(points);
        }
    };
    // Curves with ends from one of them, then those that are closed.
    for is_end in [true, false] {
        for node in 0..at_node.len() as u32 {
            if (at_node[node as usize].len() % 2 == 1) == is_end {
                follow(node, &mut is_used);
            }
        }
    }
    curves
}

/// For each point, the first point that is the same as it, within a distance.
fn nodes(points: &[Point], within: f64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by(|&i, &j| points[i as usize][0].total_cmp(&points[j as usize][0]).then(i.cmp(&j)));
    let mut node: Vec<u32> = (0..points.len() as u32).collect();
    for (k, &i) in order.iter().enumerate() {
        if node[i as usize] != i {
            continue;
        }
        let p = points[i as usize];
        for &j in order[k + 1..].iter().take_while(|&&j| points[j as usize][0] - p[0] <= within) {
            let away = minus(points[j as usize], p);
            if node[j as usize] == j && dot(away, away) <= within * within {
                node[j as usize] = i;
            }
        }
    }
    node
}

/// The distance of two points that are far apart, and the point nearest to the mean of all; zeros
/// without any.
///
/// From the point farthest from the first one, the farthest one: no two points are farther apart
/// than √3 times their distance.
pub(super) fn extent(points: &[Point]) -> (f64, Point) {
    let Some(&first) = points.first() else { return (0.0, [0.0; 3]) };
    let squared = |a: &Point, b: &Point| dot(minus(*a, *b), minus(*a, *b));
    let farthest = |from: &Point| {
        points.iter().fold((0.0, *from), |(most, point), p| {
            let away = squared(p, from);
            if most < away { (away, *p) } else { (most, point) }
        })
    };
    let (_, end) = farthest(&first);
    let (most, _) = farthest(&end);
    let sum = points.iter().fold([0.0; 3], |sum, &p| plus(sum, p));
    let mean = scale(1.0 / points.len() as f64, sum);
    let nearest = points.iter().fold((f64::INFINITY, first), |(least, point), p| {
        let away = squared(p, &mean);
        if away < least { (away, *p) } else { (least, point) }
    });
    (most.sqrt(), nearest.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_in_any_order_and_direction_become_their_curves() {
        // A square, and an open path beside it.
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let path = [[5.0, 0.0, 0.0], [6.0, 0.0, 1.0], [7.0, 0.5, 0.0]];
        let noise = 1e-13;
        let mut segments: Vec<[Point; 2]> =
            (0..4).map(|i| [corners[i], corners[(i + 1) % 4].map(|x| x + noise)]).collect();
        segments.swap(0, 2);
        segments[1].reverse();
        segments.insert(1, [path[2], path[1]]);
        segments.push([path[0], path[1]]);
        segments.push([path[0], path[0]]);
        let curves = chain(&segments);
        assert_eq!(curves.len(), 2);
        let closed: Vec<bool> = curves.iter().map(|curve| curve.first() == curve.last()).collect();
        assert_eq!((closed, curves[0].len(), curves[1].len()), (vec![false, true], 3, 5));
        let length = |curve: &[Point]| -> f64 {
            curve.windows(2).map(|two| dot(minus(two[1], two[0]), minus(two[1], two[0])).sqrt()).sum()
        };
        assert!((length(&curves[1]) - 4.0).abs() < 1e-9);
        assert!((extent(&corners).0 - 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(chain(&[]), Curves::new());
    }
}
