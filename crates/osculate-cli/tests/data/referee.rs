//! A referee of depths: samples of the surface, winding numbers by solid angles, and distances to
//! all triangles. It shares nothing with the library but the reader of the file, and is slow.
//!
//! The depth of two parts is defined as in docs/check.md. Each triangle that is enclosed or
//! crossed is sampled on a grid whose points are at most `spacing` apart. No point of a triangle of
//! the grid is farther from all of its corners than its longest side over √3; so none is deeper
//! than the samples by more than that, since depths change by at most the distance moved.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

type Point = [f64; 3];

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn along(a: Point, t: f64, b: Point) -> Point {
    [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// The distance of a point to a triangle: to its plane, if the foot is inside of all three sides;
/// otherwise to the nearest side.
fn distance(p: Point, [a, b, c]: [Point; 3]) -> f64 {
    let normal = cross(minus(b, a), minus(c, a));
    let is_left = |u: Point, v: Point| 0.0 <= dot(cross(minus(v, u), minus(p, u)), normal);
    if dot(normal, normal) != 0.0 && is_left(a, b) && is_left(b, c) && is_left(c, a) {
        return dot(minus(p, a), normal).abs() / length(normal);
    }
    let to_side = |u: Point, v: Point| {
        let side = minus(v, u);
        let squared = dot(side, side);
        let t = if squared == 0.0 { 0.0 } else { (dot(minus(p, u), side) / squared).clamp(0.0, 1.0) };
        length(minus(p, along(u, t, side)))
    };
    to_side(a, b).min(to_side(b, c)).min(to_side(c, a))
}

/// Whether a segment passes through a triangle, of which no end is a corner.
fn passes(from: Point, to: Point, [a, b, c]: [Point; 3]) -> bool {
    let volume = |p: Point, q: Point, r: Point, s: Point| dot(minus(q, p), cross(minus(r, p), minus(s, p)));
    if [a, b, c].iter().any(|corner| *corner == from || *corner == to) {
        return false;
    }
    let [above, below] = [volume(a, b, c, from), volume(a, b, c, to)];
    if above * below >= 0.0 {
        return false;
    }
    let turns = [volume(from, to, a, b), volume(from, to, b, c), volume(from, to, c, a)];
    turns.iter().all(|&turn| 0.0 < turn) || turns.iter().all(|&turn| turn < 0.0)
}

/// Whether two triangles cross, besides at common corners.
fn do_cross(a: [Point; 3], b: [Point; 3]) -> bool {
    let sides = |t: [Point; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    sides(a).into_iter().any(|(u, v)| passes(u, v, b)) || sides(b).into_iter().any(|(u, v)| passes(u, v, a))
}

/// The winding number of triangles around a point, from their solid angles (Van Oosterom and
/// Strackee).
fn winding(p: Point, triangles: &[[Point; 3]]) -> i32 {
    let mut sum = 0.0;
    for &corners in triangles {
        let [a, b, c] = corners.map(|corner| minus(corner, p));
        let [la, lb, lc] = [a, b, c].map(length);
        let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        sum += 2.0 * dot(a, cross(b, c)).atan2(below);
    }
    (sum / (4.0 * std::f64::consts::PI)).round() as i32
}

/// A surface at a pose, with the part of each triangle.
pub(crate) struct Referee<'a> {
    pub faces: &'a [[u32; 3]],
    pub pose: &'a [Point],
    pub parts: &'a [u32],
    /// Samples of a triangle are at most this far apart.
    pub spacing: f64,
}

impl Referee<'_> {
    fn corners(&self, t: usize) -> [Point; 3] {
        self.faces[t].map(|v| self.pose[v as usize])
    }

    /// The component of each triangle, over common vertices.
    fn components(&self) -> Vec<usize> {
        let mut of_vertex: HashMap<u32, Vec<usize>> = HashMap::new();
        for (t, face) in self.faces.iter().enumerate() {
            face.iter().for_each(|&v| of_vertex.entry(v).or_default().push(t));
        }
        let mut component = vec![usize::MAX; self.faces.len()];
        for start in 0..self.faces.len() {
            let mut open = vec![start];
            while let Some(t) = open.pop() {
                if component[t] == usize::MAX {
                    component[t] = start;
                    open.extend(self.faces[t].iter().flat_map(|v| &of_vertex[v]));
                }
            }
        }
        component
    }

    /// The triangles that cross, as pairs, the smaller number first: all pairs are tried whose
    /// boxes overlap.
    fn crossings(&self) -> Vec<[usize; 2]> {
        let boxes: Vec<[Point; 2]> = (0..self.faces.len())
            .map(|t| {
                let corners = self.corners(t);
                [f64::min, f64::max]
                    .map(|pick| [0, 1, 2].map(|i| pick(pick(corners[0][i], corners[1][i]), corners[2][i])))
            })
            .collect();
        let mut order: Vec<usize> = (0..self.faces.len()).collect();
        order.sort_by(|&a, &b| boxes[a][0][0].total_cmp(&boxes[b][0][0]));
        let mut all = Vec::new();
        for (k, &a) in order.iter().enumerate() {
            for &b in order[k + 1..].iter().take_while(|&&b| boxes[b][0][0] <= boxes[a][1][0]) {
                let is_apart =
                    (1..3).any(|i| boxes[a][1][i] < boxes[b][0][i] || boxes[b][1][i] < boxes[a][0][i]);
                if !is_apart && do_cross(self.corners(a), self.corners(b)) {
                    all.push([a.min(b), a.max(b)]);
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// The triangles that share an edge with each one.
    fn neighbors(&self) -> Vec<Vec<usize>> {
        let mut of_edge: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (t, &[a, b, c]) in self.faces.iter().enumerate() {
            for [v, w] in [[a, b], [b, c], [c, a]] {
                of_edge.entry([v.min(w), v.max(w)]).or_default().push(t);
            }
        }
        let of_triangle = |(t, &[a, b, c]): (usize, &[u32; 3])| {
            let edges = [[a, b], [b, c], [c, a]].map(|[v, w]| &of_edge[&[v.min(w), v.max(w)]]);
            edges.into_iter().flatten().copied().filter(|&u| u != t).collect()
        };
        self.faces.iter().enumerate().map(of_triangle).collect()
    }

    /// The depths of pairs of parts of a surface that crosses itself, of which each component is
    /// closed.
    pub(crate) fn depths(&self, wanted: &BTreeSet<[u32; 2]>) -> BTreeMap<[u32; 2], f64> {
        let component = self.components();
        let neighbors = self.neighbors();
        let mut by_components: BTreeMap<[usize; 2], Vec<[usize; 2]>> = BTreeMap::new();
        for [a, b] in self.crossings() {
            let key = [component[a], component[b]];
            by_components.entry(key).or_default().push([a, b]);
            if key[0] != key[1] {
                by_components.entry([key[1], key[0]]).or_default().push([b, a]);
            }
        }
        let mut depths = BTreeMap::new();
        for ([inner, outer], crossings) in by_components {
            let is_own = inner == outer;
            let of_outer: Vec<usize> = (0..self.faces.len()).filter(|&t| component[t] == outer).collect();
            let shell: Vec<[Point; 3]> = of_outer.iter().map(|&t| self.corners(t)).collect();
            let enclosed = |t: usize, p: Point| {
                if !is_own {
                    return winding(p, &shell) != 0;
                }
                let [a, b, c] = self.corners(t);
                let normal = cross(minus(b, a), minus(c, a));
                let offset = 1e-4 * self.spacing / length(normal).max(f64::MIN_POSITIVE);
                // Not at the border, where the outside of this triangle is the inside of the next
                // one in a sharp valley.
                let middle = [0, 1, 2].map(|i| (a[i] + b[i] + c[i]) / 3.0);
                let p = along(p, 1e-3, minus(middle, p));
                1 <= winding(along(p, offset, normal), &shell)
            };
            // The pairs of parts of the crossings of each triangle, nearest crossings first.
            let mut crossed: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
            for &[a, b] in &crossings {
                let sides = if is_own { vec![[a, b], [b, a]] } else { vec![[a, b]] };
                for [t, other] in sides {
                    let others = crossed.entry(t).or_default();
                    if !others.contains(&self.parts[other]) {
                        others.push(self.parts[other]);
                    }
                }
            }
            for (t, others) in &mut crossed {
                others.sort_by_key(|&other| [self.parts[*t].min(other), self.parts[*t].max(other)]);
            }
            let opponents: HashSet<[u32; 2]> = crossed
                .iter()
                .flat_map(|(&t, others)| others.iter().map(move |&other| [self.parts[t], other]))
                .collect();
            // Enclosed triangles, from the crossings on; all of a region without crossings are.
            let mut state: HashMap<usize, bool> = HashMap::new();
            let mut is_inside = |start: usize| {
                if let Some(&known) = state.get(&start) {
                    return known;
                }
                let [a, b, c] = self.corners(start);
                let middle = [0, 1, 2].map(|i| (a[i] + b[i] + c[i]) / 3.0);
                let answer = enclosed(start, middle);
                let mut open = vec![start];
                while let Some(t) = open.pop() {
                    if !crossed.contains_key(&t) && state.insert(t, answer).is_none() {
                        open.extend(&neighbors[t]);
                    }
                }
                answer
            };
            let mut items: Vec<(usize, [u32; 2])> = Vec::new();
            let mut queue: VecDeque<(usize, [u32; 2])> = VecDeque::new();
            for (&t, others) in &crossed {
                queue.extend(
                    others.iter().map(|&other| (t, [self.parts[t].min(other), self.parts[t].max(other)])),
                );
            }
            let mut is_met: HashSet<usize> = HashSet::new();
            while let Some((t, pair)) = queue.pop_front() {
                items.push((t, pair));
                for &u in &neighbors[t] {
                    if !crossed.contains_key(&u) && is_inside(u) && is_met.insert(u) {
                        queue.push_back((u, pair));
                    }
                }
            }
            let mut patch: HashMap<usize, usize> = HashMap::new();
            for &(start, _) in &items {
                let mut open = vec![start];
                while let Some(t) = open.pop() {
                    let is_inner = crossed.contains_key(&t) || is_inside(t);
                    if is_inner && !patch.contains_key(&t) {
                        patch.insert(t, start);
                        open.extend(&neighbors[t]);
                    }
                }
            }
            for (t, pair) in items.into_iter().filter(|(_, pair)| wanted.contains(pair)) {
                let depth = depths.entry(pair).or_insert(0.0_f64);
                let own = self.parts[t];
                let is_target = |u: usize| {
                    !is_own
                        || patch.get(&u) != patch.get(&t)
                        || self.parts[u] != own && opponents.contains(&[own, self.parts[u]])
                };
                // With a ball around each, which is farther than what was found for most of them.
                let targets: Vec<([Point; 3], Point, f64)> = of_outer
                    .iter()
                    .filter(|&&u| is_target(u))
                    .map(|&u| {
                        let corners = self.corners(u);
                        let middle = [0, 1, 2].map(|i| corners.iter().map(|p| p[i]).sum::<f64>() / 3.0);
                        let radius = corners.iter().map(|&p| length(minus(p, middle))).fold(0.0, f64::max);
                        (corners, middle, radius)
                    })
                    .collect();
                let nearest = |p: Point| {
                    targets.iter().fold(f64::INFINITY, |least, &(corners, middle, radius)| {
                        let is_far = least + radius < length(minus(p, middle));
                        if is_far { least } else { least.min(distance(p, corners)) }
                    })
                };
                for p in self.samples(t) {
                    let away = nearest(p);
                    if *depth < away && (!crossed.contains_key(&t) || enclosed(t, p)) {
                        *depth = away;
                    }
                }
            }
        }
        depths
    }

    /// A grid of points of a triangle, with its corners.
    fn samples(&self, t: usize) -> Vec<Point> {
        let [a, b, c] = self.corners(t);
        let (u, v) = (minus(b, a), minus(c, a));
        let longest = length(u).max(length(v)).max(length(minus(c, b)));
        let n = (longest / self.spacing).ceil().max(1.0) as usize;
        let at = |i: usize, j: usize| along(along(a, i as f64 / n as f64, u), j as f64 / n as f64, v);
        (0..=n).flat_map(|i| (0..=n - i).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect()
    }
}
