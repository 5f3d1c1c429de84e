//! Two triangles at an instant against an exact linear program, over families that are degenerate
//! on purpose.

use crate::tri_referee::Meeting;
use osculate::Error;
use osculate::narrow::{Relation, Shared, TriangleStats, intersection_segment, triangle_triangle};

type Point = [f64; 3];
type Triangle = [Point; 3];

const PERMUTATIONS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// Uniform in [-1, 1).
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A whole number from -n to n.
    fn whole(&mut self, n: u64) -> f64 {
        self.below(2 * n + 1) as f64 - n as f64
    }

    fn point(&mut self, mut coordinate: impl FnMut(&mut Random) -> f64) -> Point {
        [coordinate(self), coordinate(self), coordinate(self)]
    }

    fn points(&mut self, mut coordinate: impl FnMut(&mut Random) -> f64) -> [Point; 6] {
        std::array::from_fn(|_| self.point(&mut coordinate))
    }
}

/// Two triangles over six vertices of which they share some.
#[derive(Clone, Copy, Debug)]
struct Pair {
    vertices: [Point; 6],
    a: [u32; 3],
    b: [u32; 3],
}

impl Pair {
    /// Triangles over the first three and the last three vertices, the latter naming the first
    /// `shared` vertices of the former instead, in random order.
    fn new(vertices: [Point; 6], shared: u32, random: &mut Random) -> Pair {
        let mut b = [3, 4, 5];
        for v in 0..shared {
            b[v as usize] = v;
        }
        let permute = |t: [u32; 3], by: u64| PERMUTATIONS[by as usize].map(|i| t[i]);
        Pair { vertices, a: permute([0, 1, 2], random.below(6)), b: permute(b, random.below(6)) }
    }

    fn positions(&self) -> (Triangle, Triangle) {
        let at = |t: [u32; 3]| t.map(|v| self.vertices[v as usize]);
        (at(self.a), at(self.b))
    }

    fn shared(&self) -> Vec<usize> {
        (0..3).filter(|i| self.b.contains(&self.a[*i])).collect()
    }

    fn relation(&self, stats: &mut TriangleStats) -> Result<Relation, Error> {
        let (a, b) = self.positions();
        triangle_triangle(&a, &b, Shared::between(self.a, self.b), stats)
    }

    /// Every order of the corners and of the triangles.
    fn variants(self) -> impl Iterator<Item = Pair> {
        PERMUTATIONS.into_iter().flat_map(move |by_a| {
            PERMUTATIONS.into_iter().flat_map(move |by_b| {
                let (a, b) = (by_a.map(|i| self.a[i]), by_b.map(|i| self.b[i]));
                [Pair { a, b, ..self }, Pair { a: b, b: a, ..self }]
            })
        })
    }
}

/// Pairs of each relation seen, and the counts of the library.
#[derive(Default, Debug)]
struct Seen {
    relations: [u64; 4],
    stats: TriangleStats,
}

impl Seen {
    fn check(&mut self, pair: &Pair) {
        let (a, b) = pair.positions();
        let meeting = Meeting::new(&a, &b);
        let expected = meeting.relation(&pair.shared());
        assert_eq!(pair.relation(&mut self.stats), Ok(expected), "{pair:?}");
        for variant in pair.variants() {
            let relation = variant.relation(&mut TriangleStats::default());
            assert_eq!(relation, Ok(expected), "{variant:?}");
        }
        check_segment(pair, &meeting, expected);
        self.relations[expected as usize] += 1;
    }

    fn report(&self, family: &str) {
        println!(
            "{family}: separate, touching, piercing, overlapping {:?}; {:?}",
            self.relations, self.stats
        );
    }
}

/// The reported segment has the referee's ends, as far as rounding allows, and is absent when it
/// should be.
fn check_segment(pair: &Pair, meeting: &Meeting, relation: Relation) {
    let (a, b) = pair.positions();
    let segment = intersection_segment(&a, &b, Shared::between(pair.a, pair.b)).unwrap();
    assert_eq!(segment.is_some(), relation.is_crossing() && !meeting.is_flat(), "{pair:?}");
    let Some(ends) = segment else { return };
    for corner in pair.shared() {
        assert!(ends.contains(&a[corner]), "{pair:?} {ends:?}");
    }
    let size = a.iter().chain(&b).flatten().fold(0f64, |m, x| m.max(x.abs()));
    if !(1e-200..1e200).contains(&size) {
        return;
    }
    let near = |p: &Point, q: &Point| (0..3).all(|k| (p[k] - q[k]).abs() <= size * 2f64.powi(-26));
    let points = meeting.points();
    assert!(ends.iter().all(|e| points.iter().any(|p| near(e, p))), "{pair:?} {ends:?} {points:?}");
    assert!(points.iter().all(|p| ends.iter().any(|e| near(e, p))), "{pair:?} {ends:?} {points:?}");
}

fn cases(normal: u64) -> u64 {
    let asked = std::env::var("OSCULATE_SOAK_QUERIES").ok().and_then(|n| n.parse::<u64>().ok());
    // The variable asks for a total; the families below add up to 20,000 in a normal run.
    asked.map_or(normal, |total| normal.max(total / 20_000 * normal))
}

/// Checks as many pairs as asked, sharing 0 to 3 vertices, and each relation that can be seen.
fn check_family(family: &str, normal: u64, mut vertices: impl FnMut(&mut Random) -> [Point; 6]) -> Seen {
    let mut random = Random(family.bytes().fold(7u64, |h, b| h.wrapping_mul(31) ^ u64::from(b)));
    let mut seen = Seen::default();
    for case in 0..cases(normal) {
        let shared = [0, 1, 0, 2, 0, 1, 0, 3][(case % 8) as usize];
        let vertices = vertices(&mut random);
        seen.check(&Pair::new(vertices, shared, &mut random));
    }
    seen.report(family);
    seen
}

#[test]
fn generic_triangles() {
    let seen = check_family("generic", 4000, |random| random.points(Random::unit));
    assert!(seen.relations[Relation::Piercing as usize] > 100);
    // Shared corners are known to be in the plane, so nothing generic needs integers.
    assert!(seen.stats.exact * 1000 <= seen.stats.pairs, "{seen:?}");
}

#[test]
fn integer_grids() {
    for (family, normal, n) in [("grid 1", 4000, 1), ("grid 2", 3000, 2)] {
        let seen = check_family(family, normal, |random| random.points(|r| r.whole(n)));
        assert!(seen.relations.iter().all(|n| *n > 30), "{seen:?}");
    }
}

#[test]
fn coplanar_triangles() {
    let seen = check_family("coplanar", 1500, |random| {
        // Whole multiples of two whole vectors stay exact.
        let (e, f, o) =
            (random.point(|r| r.whole(9)), random.point(|r| r.whole(9)), random.point(|r| r.whole(99)));
        std::array::from_fn(|_| {
            let (u, v) = (random.whole(5), random.whole(5));
            std::array::from_fn(|k| o[k] + u * e[k] + v * f[k])
        })
    });
    assert!(seen.relations[Relation::Overlapping as usize] > 100, "{seen:?}");
    let seen = check_family("level", 1000, |random| {
        let (axis, level) = (random.below(3) as usize, random.unit());
        random.points(Random::unit).map(|p| std::array::from_fn(|k| if k == axis { level } else { p[k] }))
    });
    assert!(seen.relations[Relation::Overlapping as usize] > 100, "{seen:?}");
}

#[test]
fn triangles_without_area() {
    let seen = check_family("without area", 2500, |random| {
        let n = 1 + random.below(2);
        let mut vertices = random.points(|r| r.whole(n));
        for first in [0, 3] {
            if first == 0 || random.below(2) == 0 {
                // The third corner goes between the others, onto one of them, or beyond.
                let (p, q, t) = (vertices[first], vertices[first + 1], random.whole(2));
                vertices[first + 2] = std::array::from_fn(|k| p[k] + 0.5 * t * (q[k] - p[k]));
                if random.below(8) == 0 {
                    vertices[first + 2] = p;
                    vertices[first + 1] = p;
                }
            }
        }
        vertices
    });
    let [_, touching, piercing, overlapping] = seen.relations;
    assert!(touching > 100 && piercing > 10 && overlapping == 0, "{seen:?}");
}

#[test]
fn segments_on_one_line() {
    let seen = check_family("one line", 500, |random| {
        let (origin, along) = (random.point(|r| r.whole(9)), random.point(|r| r.whole(9)));
        std::array::from_fn(|_| {
            let t = random.whole(3);
            std::array::from_fn(|k| origin[k] + t * along[k])
        })
    });
    assert!(seen.relations[Relation::Touching as usize] > 50, "{seen:?}");
}

#[test]
fn needles() {
    check_family("needle", 1000, |random| {
        let mut vertices = random.points(Random::unit);
        for first in [0, 3] {
            let width = 2f64.powi(-(random.below(60) as i32));
            let (p, q) = (vertices[first], vertices[first + 1]);
            let t = random.unit();
            let near = random.point(Random::unit);
            vertices[first + 2] = std::array::from_fn(|k| p[k] + t * (q[k] - p[k]) + width * near[k]);
        }
        vertices
    });
}

#[test]
fn far_from_the_origin() {
    check_family("offset", 1000, |random| {
        let offset = random.point(|r| 1e6 * r.unit());
        random.points(Random::unit).map(|p| std::array::from_fn(|k| offset[k] + p[k]))
    });
}

#[test]
fn one_ulp_from_touching() {
    let near_grid = |random: &mut Random| {
        let mut vertices = random.points(|r| 0.1 * r.whole(2) + 1.0);
        for _ in 0..=random.below(3) {
            let x = &mut vertices[random.below(6) as usize][random.below(3) as usize];
            *x = if random.below(2) == 0 { x.next_up() } else { x.next_down() };
        }
        vertices
    };
    let seen = check_family("one ulp", 1500, near_grid);
    assert!(seen.stats.exact > 100 && seen.relations.iter().all(|n| *n > 10), "{seen:?}");
    let seen = check_family("one ulp in a plane", 1000, |random| {
        // Grids far from square, so that the products of the two axes round differently.
        let scale = random.point(|r| 1.0 + r.below(9) as f64 / 3.0);
        near_grid(random).map(|p| [scale[0] * p[0], scale[1] * p[1], 0.5])
    });
    assert!(seen.stats.exact > 100 && seen.relations[Relation::Touching as usize] > 10, "{seen:?}");
}

#[test]
fn a_corner_stepping_through_a_triangle() {
    let a = [[0.0, 0.0, 0.1], [0.7, 0.0, 0.1], [0.0, 0.7, 0.1]];
    for (z, expected) in [
        (0.1f64.next_up(), Relation::Separate),
        (0.1, Relation::Touching),
        (0.1f64.next_down(), Relation::Piercing),
    ] {
        let b = [[0.1, 0.2, z], [0.1, 0.3, 2.0], [0.3, 0.1, 2.0]];
        let mut stats = TriangleStats::default();
        assert_eq!(triangle_triangle(&a, &b, Shared::NONE, &mut stats), Ok(expected), "{z}");
    }
}

/// Grids stretched by powers of two, each axis by its own, to both ends of the range of f64.
#[test]
fn the_whole_range_of_f64() {
    let seen = check_family("range", 400, |random| {
        let scale =
            random.point(|r| 2f64.powi([-1074, -1060, -500, -340, 0, 340, 500, 1021][r.below(8) as usize]));
        random.points(|r| r.whole(2)).map(|p| std::array::from_fn(|k| p[k] * scale[k]))
    });
    assert!(seen.relations.iter().all(|n| *n > 10), "{seen:?}");
    // The same with the axes mixed, such that products of unlike size meet in one sum.
    check_family("mixed range", 150, |random| {
        random.points(|r| {
            r.unit() * 2f64.powi([-1074, -1000, -500, -100, 0, 100, 500, 1023][r.below(8) as usize])
        })
    });
}

/// Underflow: the signs of triangles whose products of coordinates are all too small for f64, or
/// which add up to what is too small.
#[test]
fn products_below_the_range_of_f64() {
    check_family("underflow", 500, |random| {
        let scale = 2f64.powi(-(300 + random.below(80) as i32));
        random.points(Random::unit).map(|p| p.map(|x| x * scale))
    });
}

#[test]
fn random_bit_patterns_are_decided_or_refused() {
    let mut random = Random(11);
    let mut finite = 0;
    for case in 0..cases(3000) {
        let mut vertices = random.points(|r| f64::from_bits(r.bits()));
        if case % 4 == 0 {
            let special =
                [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MAX, f64::from_bits(1)];
            vertices = random.points(|r| special[r.below(7) as usize]);
        }
        let pair = Pair::new(vertices, (case % 4) as u32, &mut random);
        let (a, b) = pair.positions();
        let fault = a.iter().chain(&b).enumerate().find_map(|(vertex, p)| {
            p.iter().position(|x| !x.is_finite()).map(|axis| (vertex, axis, p[axis].to_bits()))
        });
        let relation = pair.relation(&mut TriangleStats::default());
        match (fault, relation) {
            (None, Ok(relation)) => {
                finite += 1;
                if case % 16 == 1 {
                    assert_eq!(Meeting::new(&a, &b).relation(&pair.shared()), relation, "{pair:?}");
                }
                let shared = Shared::between(pair.a, pair.b);
                assert!(intersection_segment(&a, &b, shared).is_ok(), "{pair:?}");
            }
            (Some(fault), Err(Error::NonFinite { vertex, axis, t: 0, value })) => {
                assert_eq!(fault, (vertex, axis, value.to_bits()), "{pair:?}");
            }
            (fault, relation) => panic!("{pair:?} {fault:?} {relation:?}"),
        }
    }
    assert!(finite > 1000);
}

/// Indices that mark corners in different positions as shared: those corners count as not shared.
#[test]
fn shared_corners_in_different_places_are_not_shared() {
    let mut random = Random(12);
    for case in 0..cases(1000) {
        let vertices = random.points(|r| r.whole(1));
        let (a, b) = ([vertices[0], vertices[1], vertices[2]], [vertices[3], vertices[4], vertices[5]]);
        let indices = PERMUTATIONS[(case % 6) as usize].map(|i| i as u32);
        let shared: Vec<usize> =
            (0..3).filter(|i| a[*i] == b[indices.iter().position(|v| *v == *i as u32).unwrap()]).collect();
        let expected = Meeting::new(&a, &b).relation(&shared);
        let stats = &mut TriangleStats::default();
        assert_eq!(
            triangle_triangle(&a, &b, Shared::between([0, 1, 2], indices), stats),
            Ok(expected),
            "{a:?} {b:?}"
        );
    }
}

/// A triangle may name a vertex twice; it is a segment then, or a point.
#[test]
fn repeated_indices() {
    let mut random = Random(13);
    for _ in 0..cases(1000) {
        let vertices = random.points(|r| r.whole(1));
        let [a, b] = [0, 0].map(|_: i32| std::array::from_fn(|_| random.below(4) as u32));
        let pair = Pair { vertices, a, b };
        let mut shared = pair.shared();
        shared.dedup_by_key(|i| a[*i]);
        if shared.len() == 3 && a[shared[0]] == a[shared[2]] {
            shared.pop();
        }
        assert_eq!(shared.len(), Shared::between(a, b).count());
        let (p, q) = pair.positions();
        let expected = Meeting::new(&p, &q).relation(&shared);
        for variant in pair.variants() {
            assert_eq!(variant.relation(&mut TriangleStats::default()), Ok(expected), "{variant:?}");
        }
    }
}

/// Pairs one can draw: the relation of each is what a reader of the documentation expects.
#[test]
fn drawn_by_hand() {
    let check = |a: Triangle, b: Triangle, shared: Shared, expected: Relation| {
        let mut stats = TriangleStats::default();
        assert_eq!(triangle_triangle(&a, &b, shared, &mut stats), Ok(expected), "{a:?} {b:?}");
        let counts = [stats.plane_misses, stats.box_misses, stats.filtered, stats.exact];
        assert_eq!((stats.pairs, counts.iter().sum()), (1, 1), "{stats:?}");
    };
    let (o, x, y, z) = ([0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]);
    let floor = [o, x, y];
    let vertex = Shared::between([0, 1, 2], [0, 3, 4]);
    let edge = Shared::between([0, 1, 2], [0, 1, 3]);
    let all = Shared::between([0, 1, 2], [2, 1, 0]);

    // A spike through the inside, one that only reaches it, and one that only reaches an edge.
    let spike = |tip: Point| [tip, [0.4, 0.5, 1.0], [0.5, 0.4, 1.0]];
    check(floor, spike([0.5, 0.5, -1.0]), Shared::NONE, Relation::Piercing);
    check(floor, spike([0.5, 0.5, 0.0]), Shared::NONE, Relation::Touching);
    check(floor, spike([0.5, 0.5, 0.5]), Shared::NONE, Relation::Separate);
    check(floor, spike([1.0, 1.0, 0.0]), Shared::NONE, Relation::Touching);
    // A wall that stands on the floor touches it, and pierces it when it goes on below.
    check(floor, [[0.1, 0.5, 0.0], [0.9, 0.5, 0.0], [0.5, 0.5, 1.0]], Shared::NONE, Relation::Touching);
    check(floor, [[0.1, 0.5, -1.0], [0.9, 0.5, -1.0], [0.5, 0.5, 1.0]], Shared::NONE, Relation::Piercing);
    // In one plane: beside, along an edge, over each other, one inside the other.
    check(floor, [[3.0, 0.0, 0.0], [5.0, 0.0, 0.0], [3.0, 2.0, 0.0]], Shared::NONE, Relation::Separate);
    check(floor, [o, x, [1.0, -1.0, 0.0]], Shared::NONE, Relation::Touching);
    check(floor, [o, x, [1.0, 1.0, 0.0]], Shared::NONE, Relation::Overlapping);
    check(floor, [[0.2, 0.2, 0.0], [0.4, 0.2, 0.0], [0.2, 0.4, 0.0]], Shared::NONE, Relation::Overlapping);
    // A shared edge: a fold is nothing, until the triangles lie on each other.
    check(floor, [o, x, z], edge, Relation::Separate);
    check(floor, [o, x, [1.0, -1.0, 0.0]], edge, Relation::Separate);
    check(floor, [o, x, [1.0, 1.0, 0.0]], edge, Relation::Overlapping);
    // A shared vertex: nothing, unless the other triangle is entered or an edge runs along it.
    check(floor, [o, [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0]], vertex, Relation::Separate);
    check(floor, [o, [-1.0, 0.0, 1.0], [-1.0, 0.0, -1.0]], vertex, Relation::Separate);
    check(floor, [o, [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]], vertex, Relation::Piercing);
    check(floor, [o, [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]], vertex, Relation::Touching);
    check(floor, [o, [1.0, 1.0, 0.0], z], vertex, Relation::Touching);
    check(floor, [o, [1.0, -1.0, 0.0], [1.0, 1.0, 0.0]], vertex, Relation::Overlapping);
    check(floor, [o, [1.0, -1.0, 0.0], [3.0, 0.0, 0.0]], vertex, Relation::Touching);
    check(floor, [o, [1.0, -1.0, 0.0], [-1.0, 0.0, 0.0]], vertex, Relation::Separate);
    // The same three vertices, with and without area.
    check(floor, [y, x, o], all, Relation::Overlapping);
    check([o, [1.0, 0.0, 0.0], x], [x, [1.0, 0.0, 0.0], o], all, Relation::Separate);
    check([o, [1.0, 0.0, 0.0], x], [x, [1.0, 0.0, 0.0], o], Shared::NONE, Relation::Touching);
    // Without area: a needle through the inside pierces, a point on it touches, crossed needles
    // touch.
    let needle = [[0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [0.5, 0.5, 1.0]];
    check(floor, needle, Shared::NONE, Relation::Piercing);
    check(floor, [[0.5, 0.5, 0.0]; 3], Shared::NONE, Relation::Touching);
    check([[0.0, 0.5, 0.0], [1.0, 0.5, 0.0], [1.0, 0.5, 0.0]], needle, Shared::NONE, Relation::Touching);
    check([[0.0, 0.4, 0.0], [1.0, 0.4, 0.0], [1.0, 0.4, 0.0]], needle, Shared::NONE, Relation::Separate);
}

#[test]
fn the_segment_of_a_pierced_triangle() {
    let floor = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let wall = [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [5.0, 1.0, 0.0]];
    let segment = intersection_segment(&floor, &wall, Shared::NONE).unwrap();
    let mut ends = segment.unwrap();
    ends.sort_by(|p, q| p[0].total_cmp(&q[0]));
    assert_eq!(ends, [[1.0, 1.0, 0.0], [3.0, 1.0, 0.0]]);
    let apart = wall.map(|p| [p[0], p[1], p[2] + 3.0]);
    assert_eq!(intersection_segment(&floor, &apart, Shared::NONE), Ok(None));
    assert_eq!(intersection_segment(&floor, &floor, Shared::NONE), Ok(None));
}
