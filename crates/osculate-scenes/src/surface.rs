//! A closed surface whose edges can be split, flipped and collapsed. It always stays a closed
//! 2-manifold.
//!
//! Half-edge `h` belongs to triangle `h / 3` and leads from vertex `from[h]` to that of the next
//! half-edge of the triangle.

use crate::vector::Vector;

const DEAD: u32 = u32::MAX;

#[derive(Clone)]
pub(crate) struct Surface {
    pub(crate) points: Vec<Vector>,
    from: Vec<u32>,
    twin: Vec<u32>,
    /// A half-edge that starts at each vertex.
    leaving: Vec<u32>,
    n_faces: usize,
}

pub(crate) fn next(h: u32) -> u32 {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

pub(crate) fn previous(h: u32) -> u32 {
    if h.is_multiple_of(3) { h + 2 } else { h - 1 }
}

impl Surface {
    /// A surface of triangles, each of whose directed edges must have its opposite exactly once.
    pub(crate) fn new(faces: &[[u32; 3]], points: Vec<Vector>) -> Surface {
        let from: Vec<u32> = faces.iter().flatten().copied().collect();
        let to = |h: u32| from[next(h) as usize];
        let mut by_edge: Vec<([u32; 2], u32)> =
            (0..from.len() as u32).map(|h| ([from[h as usize], to(h)], h)).collect();
        by_edge.sort_unstable();
        let find = |edge: [u32; 2]| by_edge[by_edge.partition_point(|entry| entry.0 < edge)];
        let twin: Vec<u32> = (0..from.len() as u32)
            .map(|h| {
                let opposite = [to(h), from[h as usize]];
                let (edge, twin) = find(opposite);
                assert!(edge == opposite, "the surface is closed");
                twin
            })
            .collect();
        let mut leaving = vec![DEAD; points.len()];
        for (h, &vertex) in from.iter().enumerate() {
            leaving[vertex as usize] = h as u32;
        }
        Surface { points, from, twin, leaving, n_faces: faces.len() }
    }

    pub(crate) fn n_faces(&self) -> usize {
        self.n_faces
    }

    /// The remaining triangles and vertices, renumbered.
    pub(crate) fn compact(&self) -> (Vec<[u32; 3]>, Vec<Vector>) {
        let mut number = vec![DEAD; self.points.len()];
        let mut points = Vec::new();
        for (vertex, &h) in self.leaving.iter().enumerate() {
            if h != DEAD {
                number[vertex] = points.len() as u32;
                points.push(self.points[vertex]);
            }
        }
        (self.faces().map(|face| face.map(|vertex| number[vertex as usize])).collect(), points)
    }

    /// The remaining triangles.
    pub(crate) fn faces(&self) -> impl Iterator<Item = [u32; 3]> {
        self.from.chunks(3).filter(|face| face[0] != DEAD).map(|face| [face[0], face[1], face[2]])
    }

    /// The remaining vertices.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = u32> {
        (0..self.points.len() as u32).filter(|&vertex| self.leaving[vertex as usize] != DEAD)
    }

    /// All half-edge numbers; see [`is_edge`](Surface::is_edge).
    pub(crate) fn half_edges(&self) -> std::ops::Range<u32> {
        0..self.from.len() as u32
    }

    /// Whether this half-edge exists and represents its edge.
    pub(crate) fn is_edge(&self, h: u32) -> bool {
        self.from[h as usize] != DEAD && h < self.twin[h as usize]
    }

    pub(crate) fn twin(&self, h: u32) -> u32 {
        self.twin[h as usize]
    }

    /// The start and end vertices of a half-edge.
    pub(crate) fn ends(&self, h: u32) -> [u32; 2] {
        [self.from[h as usize], self.from[next(h) as usize]]
    }

    pub(crate) fn point(&self, vertex: u32) -> Vector {
        self.points[vertex as usize]
    }

    pub(crate) fn end_points(&self, h: u32) -> [Vector; 2] {
        self.ends(h).map(|vertex| self.point(vertex))
    }

    /// The half-edges that start at a vertex, around it.
    pub(crate) fn around(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let first = self.leaving[vertex as usize];
        let step = move |&h: &u32| Some(self.twin(previous(h))).filter(|&h| h != first);
        std::iter::successors(Some(first), step)
    }

    pub(crate) fn neighbors(&self, vertex: u32) -> impl Iterator<Item = u32> {
        self.around(vertex).map(|h| self.ends(h)[1])
    }

    pub(crate) fn valence(&self, vertex: u32) -> usize {
        self.around(vertex).count()
    }

    /// The vertex opposite an edge, in the triangle of this half-edge.
    pub(crate) fn apex(&self, h: u32) -> u32 {
        self.from[previous(h) as usize]
    }

    fn glue(&mut self, h: u32, g: u32) {
        self.twin[h as usize] = g;
        self.twin[g as usize] = h;
    }

    /// Replaces an edge by the other diagonal of its two triangles, unless that already exists or a
    /// vertex would keep fewer than three edges.
    pub(crate) fn flip(&mut self, h: u32) -> bool {
        let g = self.twin(h);
        let ([a, b], c, d) = (self.ends(h), self.apex(h), self.apex(g));
        let is_thin = self.valence(a) == 3 || self.valence(b) == 3;
        if is_thin || c == d || self.neighbors(c).any(|vertex| vertex == d) {
            return false;
        }
        let [n, p, gn, gp] = [next(h), previous(h), next(g), previous(g)];
        let [bc, ca, ad, db] = [n, p, gn, gp].map(|e| self.twin(e));
        for (e, vertex) in [(h, c), (n, d), (p, b), (g, d), (gn, c), (gp, a)] {
            self.from[e as usize] = vertex;
            self.leaving[vertex as usize] = e;
        }
        for (e, outer) in [(n, db), (p, bc), (gn, ca), (gp, ad)] {
            self.glue(e, outer);
        }
        true
    }

    /// Inserts a vertex on an edge, which adds two triangles. Returns the vertex.
    pub(crate) fn split(&mut self, h: u32, point: Vector) -> u32 {
        let g = self.twin(h);
        let ([_, b], c, d) = (self.ends(h), self.apex(h), self.apex(g));
        let [n, gp] = [next(h), previous(g)];
        let [bc, db] = [n, gp].map(|e| self.twin(e));
        let m = self.points.len() as u32;
        self.points.push(point);
        let x = self.from.len() as u32;
        let y = x + 3;
        self.from.extend([m, b, c, b, m, d]);
        self.twin.extend([DEAD; 6]);
        self.from[n as usize] = m;
        self.from[g as usize] = m;
        for (e, other) in [(x, y), (x + 1, bc), (x + 2, n), (y + 1, gp), (y + 2, db)] {
            self.glue(e, other);
        }
        self.leaving.push(n);
        self.leaving[b as usize] = x + 1;
        self.n_faces += 2;
        m
    }

    /// Whether an edge can be collapsed: its ends must have no common neighbors except the two
    /// opposite vertices.
    pub(crate) fn can_collapse(&self, h: u32) -> bool {
        let ([a, b], c, d) = (self.ends(h), self.apex(h), self.apex(self.twin(h)));
        let of_b: Vec<u32> = self.neighbors(b).collect();
        c != d
            && self.neighbors(a).filter(|vertex| of_b.contains(vertex)).count() == 2
            && 3 < self.valence(c)
            && 3 < self.valence(d)
    }

    /// Merges both ends of a collapsible edge at a point, which removes two triangles.
    pub(crate) fn collapse(&mut self, h: u32, point: Vector) {
        let g = self.twin(h);
        let ([a, b], c, d) = (self.ends(h), self.apex(h), self.apex(g));
        let spokes: Vec<u32> = self.around(b).collect();
        for e in spokes {
            self.from[e as usize] = a;
        }
        let [cb, ac, da, bd] = [next(h), previous(h), next(g), previous(g)].map(|e| self.twin(e));
        self.glue(cb, ac);
        self.glue(da, bd);
        for (vertex, e) in [(a, ac), (c, cb), (d, da), (b, DEAD)] {
            self.leaving[vertex as usize] = e;
        }
        for e in [h, next(h), previous(h), g, next(g), previous(g)] {
            self.from[e as usize] = DEAD;
        }
        self.points[a as usize] = point;
        self.n_faces -= 2;
    }
}
