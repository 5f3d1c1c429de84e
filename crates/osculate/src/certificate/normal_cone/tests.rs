use super::super::union::{Joined, Union};
use super::*;
use crate::Mesh;
use crate::hierarchy::{Patches, Split, build};
use crate::motion::Line;
use crate::narrow::{Shared, TriangleStats, triangle_triangle};
use crate::random::random;

/// Number of parts of the step that are tested.
const TIMES: i32 = 8;

/// A grid of n by n squares that waves and leans over, at both ends of the step. Coordinates are
/// multiples of 2^-20, so that positions at eighths of the step are exact.
fn sheet(next: &mut impl FnMut() -> f64, n: u32) -> (Vec<[u32; 3]>, Vec<[[f64; 3]; 2]>) {
    let (phase, size) = (6.0 * next(), [1.2 * next(), 1.2 * next()]);
    let grid = |x: f64| (x * 1_048_576.0).round() / 1_048_576.0;
    let place = |v: u32, t: usize, off: f64| {
        let (u, v) = (f64::from(v / (n + 1)) / f64::from(n), f64::from(v % (n + 1)) / f64::from(n));
        let (sin, cos) = (8.0 * u + phase + 0.7 * v * t as f64).sin_cos();
        [u - 0.4 * size[t] * sin, v + 0.2 * t as f64 * u + off, size[t] * cos + off].map(grid)
    };
    let ends =
        (0..(n + 1) * (n + 1)).map(|v| [place(v, 0, 0.02 * next()), place(v, 1, 0.02 * next())]).collect();
    let squares = (0..n * n).map(|i| (i / n) * (n + 1) + i % n);
    (squares.flat_map(|v| [[v, v + n + 1, v + 1], [v + 1, v + n + 1, v + n + 2]]).collect(), ends)
}

/// Cleared patches and pairs of patches do not cross themselves at any tested time; those that are
/// not cleared often do.
#[test]
fn what_is_cleared_does_not_cross() {
    let mut next = random(41);
    let (mut n_cleared, mut n_crossing) = ([0; 2], [0; 2]);
    for round in 0..40 {
        let (triangles, ends) = sheet(&mut next, 9);
        let start: Vec<[f64; 3]> = ends.iter().map(|p| p[0]).collect();
        let mesh = Mesh::new(triangles.clone(), ends.len()).unwrap();
        let hierarchy = build(&mesh, &start, Split::ConnectedPatches);
        let patches = Patches::of(&mesh, &hierarchy);
        let lines: Vec<Line> = ends.iter().map(|[p, q]| Line::new(p, q)).collect();
        let mut normals = Normals::default();
        normals.refit(&hierarchy, &lines, false);
        let test = ConeTest {
            normals: &normals,
            second_kernel: true,
            simple: round % 2 == 0,
            radial: round % 3 == 0,
        };
        let surface = Surface { hierarchy: &hierarchy, patches: &patches, lines: &lines };

        // For each triangle, those with a greater number that it crosses at some time.
        let poses: Vec<Vec<[f64; 3]>> = (0..=TIMES)
            .map(|k| {
                let t = f64::from(k) / f64::from(TIMES);
                ends.iter().map(|[p, q]| [0, 1, 2].map(|i: usize| p[i] * (1.0 - t) + q[i] * t)).collect()
            })
            .collect();
        let crosses = |s: u32, t: u32| {
            let (a, b) = (triangles[s as usize], triangles[t as usize]);
            let stats = &mut TriangleStats::default();
            poses.iter().any(|pose| {
                let [a, b] = [a, b].map(|t| t.map(|v| pose[v as usize]));
                let shared = Shared::between(triangles[s as usize], triangles[t as usize]);
                triangle_triangle(&a, &b, shared, stats).unwrap().is_crossing()
            })
        };
        let n = triangles.len();
        let mut crossing = vec![false; n * n];
        for s in 0..n {
            for t in 0..s {
                let is_crossing = crosses(t as u32, s as u32);
                (crossing[s * n + t], crossing[t * n + s]) = (is_crossing, is_crossing);
            }
        }
        let any = |a: &[u32], b: &[u32]| {
            a.iter().any(|&s| b.iter().any(|&t| crossing[s as usize * n + t as usize]))
        };
        let (workspace, union) = (&mut Workspace::default(), &mut Union::default());
        for a in 0..hierarchy.n_nodes() as u32 {
            let below = hierarchy.triangles_below(a);
            let is_cleared = patches.is_eligible(a) && test.clears(surface, a, workspace);
            let is_crossing = any(below, below);
            assert!(!(is_cleared && is_crossing), "round {round}: node {a} of {} triangles", below.len());
            n_cleared[0] += usize::from(is_cleared);
            n_crossing[0] += usize::from(is_crossing);
            for b in a + 1..hierarchy.n_nodes() as u32 {
                let (r, s) = (hierarchy.range(a), hierarchy.range(b));
                if r.start < s.end && s.start < r.end {
                    continue;
                }
                if union.join(&patches, [a, b]) != Joined::Loop {
                    continue;
                }
                let is_cleared = test.clears_pair(surface, [a, b], union.contour(), workspace);
                let is_crossing = any(below, hierarchy.triangles_below(b));
                assert!(!(is_cleared && is_crossing), "round {round}: nodes {a} and {b}");
                n_cleared[1] += usize::from(is_cleared);
                n_crossing[1] += usize::from(is_crossing);
            }
        }
    }
    println!("patches and pairs: {n_cleared:?} cleared, {n_crossing:?} cross");
    assert!(n_cleared.iter().chain(&n_crossing).all(|&n| 20 < n), "{n_cleared:?} {n_crossing:?}");
}
