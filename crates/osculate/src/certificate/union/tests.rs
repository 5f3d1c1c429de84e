use super::super::pairs::{Pair, Pairs};
use super::*;
use crate::Mesh;
use crate::hierarchy::{Patches, Split, build};
use crate::mesh::patch::{Patch, Workspace};

/// A loop starting at its smallest vertex.
fn turned(vertices: &[u32]) -> Vec<u32> {
    let least =
        (0..vertices.len()).min_by_key(|&i| (vertices[i], vertices[(i + 1) % vertices.len()])).unwrap_or(0);
    [&vertices[least..], &vertices[..least]].concat()
}

#[test]
fn loops_are_joined_along_one_path() {
    let mut union = Union::default();
    let mut join = |first: &[u32], second: &[u32]| {
        let joined = union.join_loops(first, second);
        (joined, if joined == Joined::Loop { turned(union.contour()) } else { Vec::new() })
    };
    let square = [0, 1, 2, 3];
    assert_eq!(join(&square, &[10, 11, 12]), (Joined::Apart, vec![]));
    // A shared vertex is no shared edge, and neither is an edge in the same direction.
    assert_eq!(join(&square, &[2, 11, 12]).0, Joined::Apart);
    assert_eq!(join(&square, &[1, 2, 12]).0, Joined::Apart);
    // One edge, two, three; at any place of both.
    for (second, expected) in [
        (vec![2, 1, 9], vec![0, 1, 9, 2, 3]),
        (vec![3, 2, 1, 9], vec![0, 1, 9, 3]),
        (vec![0, 3, 2, 1, 9], vec![0, 1, 9]),
    ] {
        for i in 0..square.len() {
            for j in 0..second.len() {
                let (mut first, mut second) = (square, second.clone());
                first.rotate_left(i);
                second.rotate_left(j);
                assert_eq!(join(&first, &second), (Joined::Loop, expected.clone()));
            }
        }
    }
    // All edges of one or of both, and two paths.
    assert_eq!(join(&square, &[3, 2, 1, 0]).0, Joined::Several);
    assert_eq!(join(&[0, 1, 2], &[2, 1, 0, 7]).0, Joined::Loop);
    assert_eq!(join(&square, &[1, 0, 9, 3, 2, 8]).0, Joined::Several);
}

/// A ring of triangles that is pinched at vertex 1, where another patch touches both of its ends.
/// Gluing both edges would give two loops, not the one that following the second loop gives: it
/// would skip vertex 5, which may be anywhere.
#[test]
fn a_path_is_contiguous_in_both_loops() {
    // The outer side is 2 1 and 1 0 ...; the hole is 1 3 4 5.
    let second = [1, 0, 20, 21, 22, 2, 1, 3, 4, 5];
    let first = [0, 1, 2, 30, 31];
    let mut union = Union::default();
    for i in 0..second.len() {
        let mut second = second;
        second.rotate_left(i);
        for j in 0..first.len() {
            let mut first = first;
            first.rotate_left(j);
            let joined = union.join_loops(&first, &second);
            // Along one of the two edges it would be a surface, whose loop passes a vertex twice.
            if joined == Joined::Loop {
                assert_eq!(union.contour().len(), first.len() + second.len() - 2, "{:?}", union.contour());
                assert!(union.contour().contains(&5));
            }
        }
    }
}

/// The joined loop of two nodes is the contour of all their triangles, and is kept with the pair.
#[test]
fn unions_of_nodes() {
    let n = 12u32;
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles: Vec<[u32; 3]> = squares
        .filter(|&(i, j)| !(3..6).contains(&i) || !(5..7).contains(&j))
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect();
    let places: Vec<[f64; 3]> =
        (0..(n + 1) * (n + 1)).map(|v| [f64::from(v / (n + 1)), f64::from(v % (n + 1)), 0.0]).collect();
    let mesh = Mesh::new(triangles, places.len()).unwrap();
    for arity in 2..=4 {
        let hierarchy = build(&mesh, &places, crate::Build { split: Split::ConnectedPatches, arity });
        let patches = Patches::of(&mesh, &hierarchy);
        let (mut union, mut workspace, mut n_joined) = (Union::default(), Workspace::default(), [0; 3]);
        let mut pairs = Pairs::default();
        for a in 0..hierarchy.n_nodes() as u32 {
            for b in a + 1..hierarchy.n_nodes() as u32 {
                let (r, s) = (hierarchy.range(a), hierarchy.range(b));
                if r.start < s.end && s.start < r.end {
                    continue;
                }
                let both = [hierarchy.triangles_below(a), hierarchy.triangles_below(b)].concat();
                let patch = Patch::of(&mesh, &both, &mut workspace);
                let joined = union.join(&patches, [a, b]);
                n_joined[joined as usize] += 1;
                for _ in 0..2 {
                    match &*pairs.get(&patches, [a, b], &mut Union::default()) {
                        Pair::Apart => assert_eq!(joined, Joined::Apart),
                        Pair::Several => assert_eq!(joined, Joined::Several),
                        Pair::Glued { contour, .. } => {
                            assert_eq!((joined, &contour[..]), (Joined::Loop, union.contour()));
                        }
                    }
                    // Another step, in which the pair is known.
                    pairs.begin(hierarchy.n_nodes());
                }
                match joined {
                    Joined::Apart => assert!(!patch.is_connected),
                    Joined::Several => {}
                    Joined::Loop => {
                        // Where the whole is pinched, a part of the shared path may have been
                        // missed.
                        let overlooked =
                            union.contour().len() - patch.loops[0].len().min(union.contour().len());
                        assert!(patch.is_eligible());
                        if overlooked == 0 {
                            assert_eq!(patch.loops.len(), 1);
                            assert_eq!(turned(union.contour()), turned(&patch.loops[0]));
                        }
                    }
                }
            }
        }
        println!("apart, several, joined: {n_joined:?}");
        assert!(100 < n_joined[0] && 100 < n_joined[2], "{n_joined:?}");
    }
}
