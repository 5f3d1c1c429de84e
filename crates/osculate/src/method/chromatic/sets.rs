//! Stage II: the primitives of a pair of bodies, or of a body with itself, as sets that are culled
//! against each other (paper 001, section 5.2).
//!
//! The sets of a body with itself are the colors of its primitives. Two bodies are two sets without
//! neighbors.

use super::marks::Marks;
use super::shown::SetStage;
use super::survivors::Survivors;
use crate::bounds::{Reach, Sweep};
use crate::chromatic::{Coloring, NONE, Size};
use crate::hierarchy::Hierarchy;
use crate::model::Derive;
use crate::raster::{self, Footprint, Group, MAX_SETS, Raster, RasterFault, Shapes, View};
use crate::scene::Scene;
use crate::stats::SetStats;
use crate::{Mesh, Model};

/// The primitives of a model and their colors, for primitives of at most `N` triangles.
#[derive(Debug)]
pub(super) struct Decomposed<const N: usize>(pub(super) Decomposition);

/// The primitives of a model and their colors.
#[derive(Debug)]
pub(super) struct Decomposition {
    pub(super) coloring: Coloring,
    /// Number of sets of primitives that are culled against each other: the colors, but at most
    /// [`MAX_SETS`].
    n_sets: usize,
    /// For each primitive and each set, its neighbor there.
    neighbors: Vec<u32>,
    /// Whether some primitives are in no set, as there are too many colors.
    has_rest: bool,
}

impl<const N: usize> Derive for Decomposed<N> {
    fn derive(model: &Model) -> Decomposed<N> {
        let size = match N {
            1 => Size::One,
            2 => Size::Two,
            _ => Size::Four,
        };
        let coloring = Coloring::of(model.mesh(), model.rest(), size);
        Decomposed(Decomposition::new(coloring))
    }

    fn memory_bytes(&self, _: &Model) -> usize {
        self.0.coloring.memory_bytes() + size_of_val(self.0.neighbors.as_slice())
    }
}

impl Decomposition {
    fn new(coloring: Coloring) -> Decomposition {
        let n_sets = coloring.n_colors().min(MAX_SETS);
        let neighbors = coloring.neighbors_by_color(n_sets);
        Decomposition { has_rest: n_sets < coloring.n_colors(), n_sets, neighbors, coloring }
    }

    /// Of a model, for primitives of the given size.
    pub(super) fn of(model: &Model, size: Size) -> &Decomposition {
        match size {
            Size::One => &model.derived::<Decomposed<1>>().0,
            Size::Two => &model.derived::<Decomposed<2>>().0,
            Size::Four => &model.derived::<Decomposed<4>>().0,
        }
    }

    /// Whether two primitives are adjacent or the same, given that one of them is in a set.
    #[inline(always)]
    pub(super) fn are_neighbors(&self, p: u32, q: u32) -> bool {
        let neighbor = |p: u32, q: u32| {
            let set = self.coloring.colors()[q as usize] as usize;
            set < self.n_sets && self.neighbors[p as usize * self.n_sets + set] == q
        };
        neighbor(p, q) || neighbor(q, p)
    }
}

/// What set tests found out about a pair of bodies.
pub(super) struct Outcome {
    /// Both bodies; of a body with itself, the second is empty.
    pub(super) survivors: [Survivors; 2],
    /// How far the triangles of both got; of a body with itself, the second list is empty.
    pub(super) stages: [Vec<SetStage>; 2],
    pub(super) stats: SetStats,
    pub(super) fault: Option<RasterFault>,
}

/// Culls the marked triangles of a pair of bodies, in primitives of the given size. `trees` are
/// those that the bodies are walked by.
pub(super) fn cull(
    scene: &Scene,
    marks: Marks,
    trees: [&Hierarchy; 2],
    reach: Reach,
    size: Size,
    raster: &mut dyn Raster,
) -> Outcome {
    let bodies = marks.bodies;
    let is_same = bodies[0] == bodies[1];
    let marked = marks.into_triangles();
    let is_instant = reach.sweep == Sweep::Start;
    let sides = bodies.map(|body| {
        let model = &*scene.bodies[body].model;
        Side {
            mesh: model.mesh(),
            lines: scene.lines(body),
            sets: is_same.then(|| Decomposition::of(model, size)),
        }
    });
    let mut group = Group::default();
    // For each primitive of the group, the body and its number there.
    let mut members: Vec<(usize, u32)> = Vec::new();
    if let Some(sets) = sides[0].sets {
        let mut place = vec![NONE; sets.coloring.n_primitives()];
        for (t, _) in marked[0].iter().enumerate().filter(|(_, is_marked)| **is_marked) {
            let p = sets.coloring.primitives()[t];
            if place[p as usize] == NONE && (sets.coloring.colors()[p as usize] as usize) < sets.n_sets {
                place[p as usize] = members.len() as u32;
                members.push((0, p));
            }
        }
        group.n_sets = sets.n_sets;
        for &(_, p) in &members {
            group.sets.push(sets.coloring.colors()[p as usize]);
            let of_p = &sets.neighbors[p as usize * sets.n_sets..][..sets.n_sets];
            group.neighbors.extend(of_p.iter().map(|&q| if q == NONE { NONE } else { place[q as usize] }));
        }
        group.others = vec![u32::MAX >> (MAX_SETS - sets.n_sets.max(1)); sets.n_sets];
    } else {
        group.n_sets = 2;
        group.others = vec![0b10, 0b01];
        for (side, of_body) in marked.iter().enumerate() {
            for (t, _) in (0..).zip(of_body).filter(|(_, is_marked)| **is_marked) {
                let mut neighbors = [NONE; 2];
                neighbors[side] = members.len() as u32;
                group.neighbors.extend(neighbors);
                group.sets.push(side as u32);
                members.push((side, t));
            }
        }
    }
    let swept = Swept { sides: &sides, members: &members, is_instant, margin: reach.margin };
    let pruned = raster::prune(&group, &swept, raster);
    let mut apart = vec![0; sides[0].sets.map_or(0, |sets| sets.coloring.n_primitives())];
    let mut triangles = marked.clone();
    let count =
        |triangles: &[Vec<bool>; 2]| triangles.iter().flatten().filter(|is_in| **is_in).count() as u64;
    let mut stats = SetStats { marked: count(&triangles), tests: pruned.n_tests, ..SetStats::default() };
    for (&(side, p), (&of_p, &set)) in members.iter().zip(pruned.apart.iter().zip(&group.sets)) {
        let is_apart = group.others[set as usize] & !of_p == 0;
        match sides[side].sets {
            None => triangles[side][p as usize] = !is_apart,
            Some(sets) => {
                apart[p as usize] = of_p;
                // A triangle of a larger primitive may meet one of the same or an adjacent one; and
                // one at an instant, adjacent ones.
                if is_apart && size == Size::One && !sets.has_rest {
                    triangles[0][p as usize] = false;
                }
            }
        }
    }
    stats.left = count(&triangles);
    let stage = |(&is_marked, &is_left): (&bool, &bool)| match (is_marked, is_left) {
        (false, _) => SetStage::NoPair,
        (true, false) => SetStage::Apart,
        (true, true) => SetStage::Left,
    };
    let stages = [0, 1].map(|side| marked[side].iter().zip(&triangles[side]).map(stage).collect());
    if is_same && is_instant {
        // Adjacent triangles are compared, whatever else they meet.
        triangles[0].fill(true);
    }
    let [of_first, of_second] = triangles;
    let first = Survivors::new(of_first, apart, trees[0]);
    let second = match is_same {
        true => Survivors::default(),
        false => Survivors::new(of_second, Vec::new(), trees[1]),
    };
    let survivors = [first, second];
    Outcome { survivors, stages, stats, fault: pruned.fault }
}

/// One of the two bodies.
struct Side<'a> {
    mesh: &'a Mesh,
    lines: &'a [crate::motion::Line],
    /// Its sets, if it is compared with itself.
    sets: Option<&'a Decomposition>,
}

/// The volumes that primitives sweep.
struct Swept<'a> {
    sides: &'a [Side<'a>; 2],
    members: &'a [(usize, u32)],
    is_instant: bool,
    margin: f64,
}

impl Swept<'_> {
    /// The triangles of a primitive: their vertices.
    fn triangles(&self, member: usize) -> impl Iterator<Item = [u32; 3]> + '_ {
        let (side, p) = self.members[member];
        let side = &self.sides[side];
        let of_primitive = match side.sets {
            Some(sets) => sets.coloring.triangles(p),
            None => std::slice::from_ref(&self.members[member].1),
        };
        of_primitive.iter().map(|&t| side.mesh.triangles()[t as usize])
    }

    /// The positions of a vertex at the ends of the step.
    fn ends(&self, member: usize, vertex: u32) -> [[f64; 3]; 2] {
        let line = &self.sides[self.members[member].0].lines[vertex as usize];
        if self.is_instant { [line.end(0); 2] } else { line.ends() }
    }
}

impl Shapes for Swept<'_> {
    fn bounds(&self, member: usize) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for vertex in self.triangles(member).flatten() {
            for p in self.ends(member, vertex) {
                for k in 0..3 {
                    bounds[0][k] = bounds[0][k].min(p[k]);
                    bounds[1][k] = bounds[1][k].max(p[k]);
                }
            }
        }
        bounds
    }

    /// The plane is that of the first triangle in the middle of the step; the edges are the longest
    /// ones that belong to one triangle only.
    fn footprint(&self, view: &View, member: usize) -> Footprint {
        let mut points = [[0.0; 3]; 24];
        let mut n = 0;
        for vertex in self.triangles(member).flatten() {
            for p in self.ends(member, vertex) {
                points[n] = p;
                n += 1;
            }
        }
        let middle = |vertex: u32| {
            let [p, q] = self.ends(member, vertex);
            [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k])
        };
        let first = self.triangles(member).next().expect("a primitive has a triangle");
        let mut edges = first.map(|_| [[0.0; 3]; 2]);
        if n == 6 {
            let [a, b, c] = first.map(middle);
            return view.footprint(&points[..n], [a, b, c], [[a, b], [b, c], [c, a]]);
        }
        let mut outline: Vec<([u32; 2], f64)> = Vec::new();
        for [a, b, c] in self.triangles(member) {
            for [p, q] in [[a, b], [b, c], [c, a]] {
                let edge = [p.min(q), p.max(q)];
                if let Some(known) = outline.iter().position(|known| known.0 == edge) {
                    outline.swap_remove(known);
                    continue;
                }
                let [p, q] = edge.map(middle);
                outline.push((edge, (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum()));
            }
        }
        outline.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (edge, (ends, _)) in edges.iter_mut().zip(&outline) {
            *edge = ends.map(middle);
        }
        view.footprint(&points[..n], first.map(middle), edges)
    }

    fn margin(&self) -> f64 {
        self.margin
    }
}
