//! Components connected by shared vertices.

use super::union_find::UnionFind;

/// Components.
#[derive(Clone, Debug)]
pub(super) struct Components {
    /// The component of each triangle, numbered in order of first appearance.
    pub(super) of_triangle: Vec<u32>,
    /// Their number.
    pub(super) n: usize,
}

/// The components of validated triangles.
pub(super) fn label(triangles: &[[u32; 3]], n_vertices: usize) -> Components {
    let mut sets = UnionFind::default();
    sets.reset(n_vertices);
    for &[a, b, c] in triangles {
        sets.union(a, b);
        sets.union(a, c);
    }
    const NONE: u32 = u32::MAX;
    let mut names = vec![NONE; n_vertices];
    let mut n_components = 0;
    let mut component = |&[a, _, _]: &[u32; 3]| {
        let name = &mut names[sets.find(a) as usize];
        if *name == NONE {
            *name = n_components;
            n_components += 1;
        }
        *name
    };
    let of_triangle = triangles.iter().map(&mut component).collect();
    Components { of_triangle, n: n_components as usize }
}
