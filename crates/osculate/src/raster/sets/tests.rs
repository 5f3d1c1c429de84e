use super::*;
use crate::narrow::{Shared, TriangleStats, triangle_triangle};
use crate::random::random;
use crate::raster::{AllPairs, MAX_SETS};

#[test]
fn intervals_keep_their_order() {
    let bounds = [-1e300, -2.5, -1.0 - 1e-12, -1.0, -1e-310, -0.0, 0.0, 1e-310, 1.0, 1.0 + 1e-12, 7.0, 1e300];
    for &a in &bounds {
        for &b in &bounds {
            let [of_a, of_b] = [a, b].map(|x| interval([x, x], 0.0));
            assert!(of_a.z_min <= of_a.z_max);
            if a <= b {
                assert!(of_a.z_min <= of_b.z_max, "{a} {b}");
            }
        }
    }
    assert!(interval([0.0, 1.0], 0.0).z_max < interval([1.0 + 1e-6, 2.0], 0.0).z_min);
    assert!(interval([0.0, 1.0], 0.01).z_max >= interval([1.01, 2.0], 0.0).z_min);
}

/// Triangles at an instant, of random sets.
struct Soup {
    triangles: Vec<[[f64; 3]; 3]>,
    group: Group,
}

impl Shapes for Soup {
    fn bounds(&self, p: usize) -> [[f64; 3]; 2] {
        let [a, b, c] = self.triangles[p];
        let fold = |f: fn(f64, f64) -> f64| [0, 1, 2].map(|k| f(f(a[k], b[k]), c[k]));
        [fold(f64::min), fold(f64::max)]
    }

    fn footprint(&self, view: &View, p: usize) -> Footprint {
        let [a, b, c] = self.triangles[p];
        view.footprint(&[a, b, c], [a, b, c], [[a, b], [b, c], [c, a]])
    }

    fn margin(&self) -> f64 {
        0.0
    }
}

impl Soup {
    /// Triangles of a given size in a box, flat along z, on a grid of points, so that many touch.
    fn new(seed: u64) -> Soup {
        let mut random = random(seed);
        let n = 2 + (random() * 60.0) as usize;
        let n_sets = 1 + (random() * MAX_SETS as f64) as usize;
        let (size, steps) = (0.05 + 0.4 * random(), [8.0, 64.0, 1e6][(random() * 3.0) as usize]);
        let turn = (random() * 3.0) as usize;
        let triangle = |random: &mut dyn FnMut() -> f64| {
            let center = [random(), random(), 0.3 * random()];
            [0; 3].map(|_| {
                let mut p = center.map(|x| ((x + size * (random() - 0.5)) * steps).round() / steps);
                p.rotate_left(turn);
                p
            })
        };
        let triangles: Vec<_> = (0..n).map(|_| triangle(&mut random)).collect();
        let sets: Vec<u32> = (0..n).map(|_| (random() * n_sets as f64) as u32).collect();
        // Some neighbors, at most one in each set; itself in its own.
        let mut neighbors = vec![NONE; n * n_sets];
        for p in 0..n {
            neighbors[p * n_sets + sets[p] as usize] = p as u32;
        }
        for _ in 0..n {
            let [p, q] = [random(), random()].map(|x| (x * n as f64) as usize);
            let at = [p * n_sets + sets[q] as usize, q * n_sets + sets[p] as usize];
            if sets[p] != sets[q] && at.iter().all(|&at| neighbors[at] == NONE) {
                neighbors[at[0]] = q as u32;
                neighbors[at[1]] = p as u32;
            }
        }
        let all = u32::MAX >> (MAX_SETS - n_sets);
        Soup { triangles, group: Group { n_sets, sets, neighbors, others: vec![all; n_sets] } }
    }

    /// Whether a primitive was pruned against another that it meets; and the pairs that were not
    /// pruned, and all.
    fn check(&self, pruned: &Pruned) -> (bool, [usize; 2]) {
        let Group { n_sets, sets, neighbors, .. } = &self.group;
        let (mut is_wrong, mut n) = (false, [0; 2]);
        for p in 0..sets.len() {
            for q in 0..sets.len() {
                if p == q || neighbors[p * n_sets + sets[q] as usize] == q as u32 {
                    continue;
                }
                let is_apart = pruned.apart[p] >> sets[q] & 1 != 0;
                n[0] += usize::from(!is_apart);
                n[1] += 1;
                let meet = || {
                    let [a, b] = [p, q].map(|p| self.triangles[p]);
                    let relation =
                        triangle_triangle(&a, &b, Shared::default(), &mut TriangleStats::default());
                    relation.unwrap().is_crossing()
                };
                is_wrong |= is_apart && meet();
            }
        }
        (is_wrong, n)
    }
}

#[test]
fn primitives_that_meet_are_not_pruned() {
    let (mut n_kept, mut n_all) = (0, 0);
    for seed in 0..2000 {
        let soup = Soup::new(seed);
        let pruned = prune(&soup.group, &soup, &mut CpuRaster);
        let (is_wrong, [kept, all]) = soup.check(&pruned);
        assert!(!is_wrong, "seed {seed}");
        (n_kept, n_all) = (n_kept + kept, n_all + all);
        if seed < 200 {
            assert_eq!(prune(&soup.group, &soup, &mut AllPairs).apart, pruned.apart, "seed {seed}");
        }
    }
    assert!(3 * n_kept < 2 * n_all, "{n_kept} of {n_all} kept");
    println!("{n_kept} of {n_all} kept");
}
