//! Which triangles are enclosed, and by what.

use super::area::enclosed_area;
use super::deepest::{EXITS, Sample};
use super::{Anatomy, Spot};
use crate::hash::OfNumbers;
use crate::math::orient::Point;
use crate::math::vector::{cross, dot, minus, plus, scale};
use crate::narrow::distances_to_triangles;
use crate::segment::{Segments, SurfacePoint, closest_on_segment};
use std::collections::{HashMap, HashSet};

/// Maximum number of triangles of a region whose winding number is tried.
const TRIALS: usize = 6;

/// Whether a point at the border of a triangle is enclosed by its own component is asked this part
/// of the way to the center of the triangle, where its neighbors do not touch it.
const INSIDE: f64 = 1e-3;

/// One of the two triangles of a crossing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) triangle: u32,
    pub(super) other: u32,
    /// The pair of parts of the crossing.
    pub(super) pair: u32,
    pub(super) segment: Option<[Point; 2]>,
}

/// Where a triangle is, as seen by what encloses its component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Unknown,
    /// In the region that is being looked at.
    Met,
    Crossed,
    Outside,
    Enclosed,
}

/// A component that crosses a closed component, which may be itself.
#[derive(Debug)]
struct Enclosure {
    outer: u32,
    /// For one component that crosses itself: where its triangles are, and their connected patches
    /// of crossed and enclosed ones, `u32::MAX` for the others. Empty otherwise.
    places: Vec<Place>,
    patches: Vec<u32>,
    /// The parts that cross each other in it, both ways; empty otherwise.
    opponents: HashSet<[u32; 2], OfNumbers>,
    /// The intersections of the crossed triangles, one after the other, and the triangles that
    /// cross them in their plane.
    segments: Vec<[Point; 2]>,
    coplanar: Vec<u32>,
}

/// A triangle that is enclosed, or crossed so that a part of it may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) triangle: u32,
    pub(super) is_crossed: bool,
    enclosure: u32,
    /// The part that it has passed through.
    other_part: u32,
    /// Where its intersections begin and end, if it is crossed, and the triangles in its plane.
    segments: [u32; 2],
    coplanar: [u32; 2],
}

/// The enclosed surface of a pair of parts.
#[derive(Debug)]
pub(super) struct Enclosed<'f> {
    field: &'f Field<'f>,
    pub(super) items: &'f [Item],
}

/// The enclosed surfaces of all pairs of parts at a pose.
#[derive(Debug)]
pub(super) struct Field<'a> {
    anatomy: &'a Anatomy,
    /// For each component that may enclose something, at the pose.
    segments: &'a [Option<Segments<'a>>],
    pose: &'a [Point],
    size: f64,
    enclosures: Vec<Enclosure>,
    /// For each pair of parts, its triangles.
    items: HashMap<u32, Vec<Item>, OfNumbers>,
}

impl<'a> Field<'a> {
    /// Finds what is enclosed by the components that are given at the pose.
    pub(super) fn new(
        anatomy: &'a Anatomy,
        segments: &'a [Option<Segments<'a>>],
        pose: &'a [Point],
        mut sides: Vec<Side>,
    ) -> Field<'a> {
        let component = |t: u32| anatomy.mesh.components()[t as usize];
        let key = |side: &Side| [component(side.triangle), component(side.other)];
        sides.sort_by_cached_key(|side| (key(side), side.triangle, side.pair, side.other));
        let mut extent = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for p in pose {
            for i in 0..3 {
                extent[0][i] = extent[0][i].min(p[i]);
                extent[1][i] = extent[1][i].max(p[i]);
            }
        }
        let across = minus(extent[1], extent[0]);
        let mut field = Field {
            anatomy,
            segments,
            pose,
            size: dot(across, across).sqrt(),
            enclosures: Vec::new(),
            items: HashMap::default(),
        };
        let mut places = vec![Place::Unknown; anatomy.part_of_triangle.len()];
        for group in sides.chunk_by(|a, b| key(a) == key(b)) {
            field.add(group, key(&group[0]), &mut places);
        }
        field
    }

    /// The closed component of a number, at the pose, and its triangles.
    fn outer(&self, component: u32) -> Option<(&Segments<'a>, &[u32])> {
        let segments = self.segments[component as usize].as_ref()?;
        Some((segments, &self.anatomy.components[component as usize].triangles))
    }

    /// Adds a component that crosses a closed one. `places` are all unknown, and are so again
    /// afterwards.
    fn add(&mut self, sides: &[Side], [inner, outer]: [u32; 2], places: &mut [Place]) {
        let mesh = &self.anatomy.mesh;
        for side in sides {
            places[side.triangle as usize] = Place::Crossed;
        }
        let mut met: Vec<u32> = Vec::new();
        let neighbors = |t: u32| {
            let edges = mesh.triangle_edges()[t as usize];
            edges.into_iter().flat_map(move |e| mesh.triangles_of_edge(e)).copied().filter(move |&u| u != t)
        };
        // A region that reaches out of the bounds of the outer component, or to one that does, is
        // outside, whatever the rest of it; most regions are known soon.
        let extent = self.outer(outer).filter(|_| inner != outer).map(|(segments, _)| segments.extent());
        let reaches_out = |t: u32| {
            let is_out = |p: Point, [lo, hi]: [Point; 2]| (0..3).any(|i| p[i] < lo[i] || hi[i] < p[i]);
            extent.is_some_and(|extent| self.corners(t).into_iter().any(|p| is_out(p, extent)))
        };
        let mut flood = |start: u32, places: &mut [Place]| {
            let mut region = vec![start];
            places[start as usize] = Place::Met;
            let mut is_out = reaches_out(start);
            let mut next = 0;
            while !is_out && let Some(&t) = region.get(next) {
                next += 1;
                for u in neighbors(t) {
                    match places[u as usize] {
                        Place::Unknown => {
                            places[u as usize] = Place::Met;
                            region.push(u);
                            is_out |= reaches_out(u);
                        }
                        Place::Outside => is_out = true,
                        Place::Met | Place::Crossed | Place::Enclosed => {}
                    }
                }
            }
            let is_enclosed = !is_out && self.is_enclosed(&region, [inner, outer]);
            let place = if is_enclosed { Place::Enclosed } else { Place::Outside };
            region.iter().for_each(|&t| places[t as usize] = place);
            met.extend(region);
        };
        for side in sides {
            for u in neighbors(side.triangle) {
                if places[u as usize] == Place::Unknown {
                    flood(u, places);
                }
            }
        }
        if inner == outer {
            let of_component = (0..).zip(mesh.components()).filter(|&(_, &c)| c == inner);
            for (t, _) in of_component {
                if places[t as usize] == Place::Unknown {
                    flood(t, places);
                }
            }
        }
        // From the crossings along the enclosed surface, so that each triangle belongs to the pair
        // that is next to it.
        let part = |t: u32| self.anatomy.part_of_triangle[t as usize];
        let enclosure = self.enclosures.len() as u32;
        let mut queue: Vec<(u32, Item)> = Vec::new();
        let (mut segments, mut coplanar) = (Vec::with_capacity(sides.len()), Vec::new());
        for of_triangle in sides.chunk_by(|a, b| a.triangle == b.triangle) {
            let starts = [segments.len() as u32, coplanar.len() as u32];
            segments.extend(of_triangle.iter().filter_map(|side| side.segment));
            coplanar.extend(of_triangle.iter().filter(|side| side.segment.is_none()).map(|side| side.other));
            for same in of_triangle.chunk_by(|a, b| a.pair == b.pair) {
                let item = Item {
                    triangle: same[0].triangle,
                    is_crossed: true,
                    enclosure,
                    other_part: part(same[0].other),
                    segments: [starts[0], segments.len() as u32],
                    coplanar: [starts[1], coplanar.len() as u32],
                };
                queue.push((same[0].pair, item));
            }
        }
        let mut is_met: HashSet<u32, OfNumbers> = HashSet::default();
        let mut next = 0;
        while let Some(&(pair, item)) = queue.get(next) {
            next += 1;
            for u in neighbors(item.triangle) {
                if places[u as usize] == Place::Enclosed && is_met.insert(u) {
                    let (segments, coplanar) = ([0; 2], [0; 2]);
                    queue.push((pair, Item { triangle: u, is_crossed: false, segments, coplanar, ..item }));
                }
            }
        }
        let opponents = || sides.iter().map(|side| [part(side.triangle), part(side.other)]).collect();
        let mut of_self = (Vec::new(), Vec::new());
        if inner == outer {
            of_self.0 = places.to_vec();
            of_self.1 = patches(places, &queue, neighbors);
        }
        for (pair, item) in queue {
            self.items.entry(pair).or_default().push(item);
        }
        for &t in met.iter().chain(sides.iter().map(|side| &side.triangle)) {
            places[t as usize] = Place::Unknown;
        }
        self.enclosures.push(Enclosure {
            outer,
            places: of_self.0,
            patches: of_self.1,
            opponents: if inner == outer { opponents() } else { HashSet::default() },
            segments,
            coplanar,
        });
    }

    /// Whether a region that crosses nothing is enclosed.
    fn is_enclosed(&self, region: &[u32], [inner, outer]: [u32; 2]) -> bool {
        let Some((segments, _)) = self.outer(outer) else { return false };
        let winding = |&t: &u32| {
            if inner == outer {
                let local = self.anatomy.number_of_triangle[t as usize];
                return segments.winding_outside(local, |_| true).map(|number| 1 <= number);
            }
            let [a, b, c] = self.corners(t);
            let middle = scale(1.0 / 3.0, plus(plus(a, b), c));
            segments.winding_at(middle, |_| true).map(|number| number != 0)
        };
        region.iter().take(TRIALS).find_map(winding).unwrap_or(false)
    }

    /// What is enclosed of a pair of parts; `None` if neither surface encloses a volume.
    pub(super) fn of_pair(&self, pair: u32) -> Option<Enclosed<'_>> {
        Some(Enclosed { field: self, items: self.items.get(&pair)? })
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, triangle: u32) -> [Point; 3] {
        self.anatomy.mesh.triangles()[triangle as usize].map(|v| self.pose[v as usize])
    }

    /// The position of a point of the surface.
    pub(super) fn point(&self, spot: Spot) -> Point {
        spot.position(self.anatomy.mesh.triangles(), self.pose)
    }

    /// The vertices of a triangle.
    pub(super) fn vertices(&self, triangle: u32) -> [u32; 3] {
        self.anatomy.mesh.triangles()[triangle as usize]
    }

    /// The size of the surface: the diagonal of its bounds.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// Numbers that are the same for items that have passed through the same surface, so that their
    /// common vertices have the same depth.
    pub(super) fn target(&self, item: &Item) -> [u32; 4] {
        let enclosure = &self.enclosures[item.enclosure as usize];
        let Some(&patch) = enclosure.patches.get(item.triangle as usize) else {
            return [item.enclosure, 0, 0, 0];
        };
        let own = self.anatomy.part_of_triangle[item.triangle as usize];
        // Sides of a part that crosses itself are told apart by the triangle.
        let facing = if item.other_part == own { item.triangle + 1 } else { 0 };
        [item.enclosure, own, patch, facing]
    }

    /// The distance of an enclosed point of an item to the surface that it has passed through,
    /// which is known to be at most `within`. If it is at most `enough`, any number between it and
    /// `enough` may be returned.
    pub(super) fn depth(&self, item: &Item, point: Point, within: f64, enough: f64) -> Sample {
        let Enclosure { outer, ref places, ref patches, ref opponents, .. } =
            self.enclosures[item.enclosure as usize];
        let none = Sample { depth: 0.0, is_open: false, exit: None };
        let Some((segments, triangles)) = self.outer(outer) else { return none };
        let sample = |found: SurfacePoint| Sample {
            depth: found.distance,
            is_open: false,
            exit: Some(found.triangle),
        };
        if places.is_empty() {
            return segments.closest_point_of(point, within, enough, |_| true).map_or(none, sample);
        }
        let part = |t: u32| self.anatomy.part_of_triangle[t as usize];
        let (own, own_patch) = (part(item.triangle), patches[item.triangle as usize]);
        let normal = self.normal(item.triangle);
        // A part that crosses itself has two sides, which face each other.
        let faces = |t: u32| item.other_part == own && part(t) == own && dot(self.normal(t), normal) < 0.0;
        let is_way_out = |local: u32| {
            let t = triangles[local as usize];
            places[t as usize] == Place::Outside
                || patches[t as usize] != own_patch
                || part(t) != own && opponents.contains(&[own, part(t)])
                || faces(t)
        };
        segments.closest_point_of(point, within, enough, is_way_out).map_or(none, sample)
    }

    /// The distances of points from each of up to [`EXITS`] exits of samples of the item.
    pub(super) fn distances<const N: usize>(
        &self,
        item: &Item,
        exits: &[u32],
        points: &[Point; N],
    ) -> [[f64; N]; EXITS] {
        let mut distances = [[0.0; N]; EXITS];
        if let Some((segments, _)) = self.outer(self.enclosures[item.enclosure as usize].outer) {
            let mut corners = [[[0.0; 3]; 3]; EXITS];
            for (corners, &exit) in corners.iter_mut().zip(exits) {
                *corners = segments.corners(exit);
            }
            let n = exits.len();
            distances_to_triangles(points, &corners[..n], distances[..n].as_flattened_mut());
        }
        distances
    }

    /// The normal of a triangle, not normalized.
    fn normal(&self, triangle: u32) -> Point {
        let [a, b, c] = self.corners(triangle);
        cross(minus(b, a), minus(c, a))
    }

    /// Whether an item has passed through another component than its own.
    pub(super) fn is_of_another(&self, item: &Item) -> bool {
        self.enclosures[item.enclosure as usize].places.is_empty()
    }

    /// The intersections of a crossed triangle.
    pub(super) fn intersections(&self, item: &Item) -> &[[Point; 2]] {
        let [start, end] = item.segments;
        &self.enclosures[item.enclosure as usize].segments[start as usize..end as usize]
    }

    /// The triangles that cross a crossed triangle in its plane.
    pub(super) fn coplanar(&self, item: &Item) -> &[u32] {
        let [start, end] = item.coplanar;
        &self.enclosures[item.enclosure as usize].coplanar[start as usize..end as usize]
    }

    /// The largest distance of points of a crossed triangle from those at which it is decided
    /// whether they are enclosed.
    pub(super) fn blur(&self, item: &Item) -> f64 {
        if self.is_of_another(item) {
            return 0.0;
        }
        let [a, b, c] = self.corners(item.triangle);
        let center = scale(1.0 / 3.0, plus(plus(a, b), c));
        let away = [a, b, c].map(|corner| minus(corner, center));
        INSIDE * away.into_iter().map(|away| dot(away, away)).fold(0.0, f64::max).sqrt()
    }

    /// The distance of a point of a crossed triangle to its intersections. Where what is enclosed
    /// of it ends at a triangle in its plane, a neighbor of that one intersects it, too.
    pub(super) fn to_intersection(&self, item: &Item, point: Point) -> f64 {
        let away = self.intersections(item).iter().map(|[from, to]| {
            let away = minus(closest_on_segment(&point, from, to), point);
            dot(away, away)
        });
        away.reduce(f64::min).unwrap_or(0.0).sqrt()
    }

    /// Whether a point of a crossed triangle, given by weights, is enclosed.
    pub(super) fn is_enclosed_at(&self, item: &Item, weights: [f64; 3], point: Point) -> bool {
        let enclosure = &self.enclosures[item.enclosure as usize];
        let Some((segments, _)) = self.outer(enclosure.outer) else { return false };
        if enclosure.places.is_empty() {
            return segments.winding_at(point, |_| true).is_some_and(|number| number != 0);
        }
        let pulled = weights.map(|w| (1.0 - INSIDE) * w + INSIDE / 3.0);
        let local = self.anatomy.number_of_triangle[item.triangle as usize];
        segments.winding_outside_at(local, pulled, |_| true).is_some_and(|number| 1 <= number)
    }
}

impl Enclosed<'_> {
    /// The enclosed area.
    pub(super) fn area(&self) -> f64 {
        let of_item = |item: &Item| {
            let corners = self.field.corners(item.triangle);
            let [a, b, c] = corners;
            let normal = cross(minus(b, a), minus(c, a));
            let whole = 0.5 * dot(normal, normal).sqrt();
            if !item.is_crossed {
                return whole;
            }
            enclosed_area(&corners, self.field.intersections(item), |weights, point| {
                self.field.is_enclosed_at(item, weights, point)
            })
        };
        self.items.iter().map(of_item).sum()
    }
}

/// The connected patches of crossed and enclosed triangles, by the number of one of their items;
/// `u32::MAX` for other triangles.
fn patches<I: Iterator<Item = u32>>(
    places: &[Place],
    items: &[(u32, Item)],
    neighbors: impl Fn(u32) -> I,
) -> Vec<u32> {
    let mut patches = vec![u32::MAX; places.len()];
    for (number, (_, item)) in (0..).zip(items) {
        if patches[item.triangle as usize] != u32::MAX {
            continue;
        }
        let mut stack = vec![item.triangle];
        patches[item.triangle as usize] = number;
        while let Some(t) = stack.pop() {
            for u in neighbors(t) {
                let is_inner = matches!(places[u as usize], Place::Crossed | Place::Enclosed);
                if is_inner && patches[u as usize] == u32::MAX {
                    patches[u as usize] = number;
                    stack.push(u);
                }
            }
        }
    }
    patches
}
