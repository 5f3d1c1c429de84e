//! Loop subdivision as weights: every vertex of the fine surface is a convex combination of control
//! points.
//!
//! Loop, "Smooth subdivision surfaces based on triangles", 1987. At inner vertices, the weights of
//! Warren: β = 3/16 for each of three neighbors, β = 3/(8 n) for each of n others. They need no
//! cosine, and agree with those of Loop at regular vertices. On the rim, the rules of cubic
//! B-splines, also at corners; so the rim is a smooth curve that depends on the control points of
//! the rim alone.

use crate::Error;
use std::collections::HashMap;

/// Control points and their weights, ascending. Weights are positive and sum to one up to rounding.
pub(super) type Row = Vec<(u32, f64)>;

/// Maximum number of weights of all vertices: some 4 GB.
const MOST_WEIGHTS: usize = 1 << 28;

/// A surface whose vertices are combinations of control points.
pub(super) struct Fine {
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) rows: Vec<Row>,
}

/// The edges of a surface: for each, its ends, and the opposite corners of its triangles with the
/// numbers of the triangles.
struct Edges {
    ends: Vec<[u32; 2]>,
    opposite: Vec<Vec<(u32, usize)>>,
    /// For each triangle, the edges that start at its corners.
    of_triangles: Vec<[u32; 3]>,
}

impl Edges {
    /// The edges of triangles, in the order in which the triangles have them first.
    fn new(triangles: &[[u32; 3]]) -> Edges {
        let mut numbers: HashMap<[u32; 2], u32> = HashMap::new();
        let mut edges = Edges { ends: Vec::new(), opposite: Vec::new(), of_triangles: Vec::new() };
        for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
            let of_triangle = [[a, b, c], [b, c, a], [c, a, b]].map(|[p, q, apex]| {
                let ends = [p.min(q), p.max(q)];
                let number = *numbers.entry(ends).or_insert_with(|| {
                    edges.ends.push(ends);
                    edges.opposite.push(Vec::new());
                    edges.ends.len() as u32 - 1
                });
                edges.opposite[number as usize].push((apex, triangle));
                number
            });
            edges.of_triangles.push(of_triangle);
        }
        edges
    }
}

impl Fine {
    /// The control mesh itself.
    pub(super) fn control(triangles: &[[u32; 3]], n_points: usize) -> Fine {
        let rows = (0..n_points as u32).map(|point| vec![(point, 1.0)]).collect();
        Fine { triangles: triangles.to_vec(), rows }
    }

    /// Splits each triangle into four, and smooths all vertices. The old vertices come first, then
    /// one for each edge. A vertex without triangles stays where it is.
    ///
    /// Fails if there would be more than 2^28 weights.
    pub(super) fn subdivided(&self, level: usize) -> Result<Fine, Error> {
        let n = self.rows.len();
        let edges = Edges::new(&self.triangles);
        let (mut neighbors, mut along_rim) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (&[a, b], opposite) in edges.ends.iter().zip(&edges.opposite) {
            for (end, other) in [(a, b), (b, a)] {
                neighbors[end as usize].push(other);
                if opposite.len() == 1 {
                    along_rim[end as usize].push(other);
                }
            }
        }
        let old = (0..n).map(|vertex| at_vertex(vertex as u32, &neighbors[vertex], &along_rim[vertex]));
        let new = edges.ends.iter().zip(&edges.opposite).map(|(&ends, opposite)| on_edge(ends, opposite));
        let parts: Vec<Row> = old.chain(new).collect();
        let n_weights: usize =
            parts.iter().flatten().map(|&(vertex, _)| self.rows[vertex as usize].len()).sum();
        if MOST_WEIGHTS < n_weights {
            return Err(Error::LoopSize { level, weights: n_weights, allowed: MOST_WEIGHTS });
        }
        let mut triangles = Vec::with_capacity(4 * self.triangles.len());
        for (&[a, b, c], of_triangle) in self.triangles.iter().zip(&edges.of_triangles) {
            let [ab, bc, ca] = of_triangle.map(|edge| n as u32 + edge);
            triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        Ok(Fine { triangles, rows: parts.iter().map(|parts| self.combined(parts)).collect() })
    }

    /// The row of a combination of vertices.
    fn combined(&self, parts: &[(u32, f64)]) -> Row {
        let mut sum: Row = Vec::new();
        for &(vertex, part) in parts {
            sum.extend(self.rows[vertex as usize].iter().map(|&(point, weight)| (point, part * weight)));
        }
        // Stable, so that equal points are added in the order of the parts.
        sum.sort_by_key(|entry| entry.0);
        sum.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        sum
    }
}

/// The parts of an old vertex.
fn at_vertex(vertex: u32, neighbors: &[u32], along_rim: &[u32]) -> Row {
    if let &[a, b] = along_rim {
        return vec![(vertex, 0.75), (a, 0.125), (b, 0.125)];
    }
    if neighbors.is_empty() {
        return vec![(vertex, 1.0)];
    }
    let n = neighbors.len() as f64;
    let (each, own) =
        if neighbors.len() == 3 { (3.0 / 16.0, 7.0 / 16.0) } else { (3.0 / (8.0 * n), 5.0 / 8.0) };
    std::iter::once((vertex, own)).chain(neighbors.iter().map(|&neighbor| (neighbor, each))).collect()
}

/// The parts of a vertex on an edge.
fn on_edge([a, b]: [u32; 2], opposite: &[(u32, usize)]) -> Row {
    match *opposite {
        [(c, _), (d, _)] => vec![(a, 0.375), (b, 0.375), (c, 0.125), (d, 0.125)],
        _ => vec![(a, 0.5), (b, 0.5)],
    }
}

/// Fails unless triangles are a manifold, with or without a rim: at most two triangles at an edge,
/// no two triangles with the same corners, and the triangles around a vertex are one fan. Triangles
/// need not be oriented alike. Corners must exist and differ.
pub(super) fn check_manifold(triangles: &[[u32; 3]], n_points: usize) -> Result<(), Error> {
    let edges = Edges::new(triangles);
    // For each corner of a triangle, a corner of the same fan, and finally the first one.
    let mut fans: Vec<usize> = (0..3 * triangles.len()).collect();
    for (&ends, opposite) in edges.ends.iter().zip(&edges.opposite) {
        match opposite[..] {
            [_] => {}
            [(c, first), (d, second)] if c == d => {
                return Err(Error::ControlTwins { triangles: [first, second] });
            }
            [(_, first), (_, second)] => {
                for end in ends {
                    let corner = |triangle: usize| {
                        3 * triangle + triangles[triangle].iter().position(|&v| v == end).unwrap_or(0)
                    };
                    let (a, b) = (root(&mut fans, corner(first)), root(&mut fans, corner(second)));
                    fans[a.max(b)] = a.min(b);
                }
            }
            _ => return Err(Error::ControlEdge { edge: ends, triangles: opposite.len() }),
        }
    }
    let mut fan_of = vec![None; n_points];
    for (corner, &vertex) in triangles.as_flattened().iter().enumerate() {
        let fan = root(&mut fans, corner);
        if *fan_of[vertex as usize].get_or_insert(fan) != fan {
            return Err(Error::ControlVertex { vertex });
        }
    }
    Ok(())
}

/// The first corner of the fan of a corner; shortens the way to it.
fn root(fans: &mut [usize], mut corner: usize) -> usize {
    while fans[corner] != corner {
        fans[corner] = fans[fans[corner]];
        corner = fans[corner];
    }
    corner
}
