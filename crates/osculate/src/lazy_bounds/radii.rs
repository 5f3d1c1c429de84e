//! How tight the spheres of a tree are (paper 002, table 2).

use super::balls::Ball;
use super::fitted::{Fitted, Purpose};
use super::smallest_ball::smallest_ball;
use super::tree::LazyTree;
use crate::bounds::{Reach, Sweep};
use crate::motion::{Line, Placement};
use crate::options::Refit;
use crate::stats::Skinning;
use crate::{Affine, Mesh, Skin};

/// The number of spheres on one level of a tree, and their mean radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereRadii {
    /// Number of spheres.
    pub spheres: usize,
    /// At rest: the smallest enclosing spheres.
    pub reference: f64,
    /// At the pose: refitted from the bones.
    pub on_demand: f64,
    /// At the pose: refitted bottom-up.
    pub bottom_up: f64,
    /// At the pose: the smallest enclosing spheres.
    pub best: f64,
}

/// The mean radii of a tree at a pose, which must fit the skin, level by level from the root.
pub(crate) fn radii(tree: &LazyTree, mesh: &Mesh, skin: &Skin, bones: &[Affine]) -> Vec<SphereRadii> {
    let placement = Placement::new(mesh.n_vertices(), bones.as_flattened().as_flattened());
    let pose = skin.pose(bones);
    let lines: Vec<Line> = pose.iter().map(|p| Line::new(p, p)).collect();
    let fitted = |refit: Refit| {
        let mut fitted = Fitted::<Ball>::new(tree);
        let reach = Reach { sweep: Sweep::Start, margin: 0.0, largest: 0.0 };
        let purpose = Purpose { version: 0, moves: false, refit, reach };
        fitted.begin(tree, Some((skin, &placement)), &lines, purpose, &mut Skinning::default());
        fitted.all(tree)
    };
    let (on_demand, bottom_up) = (fitted(Refit::OnDemand), fitted(Refit::BottomUp));
    let mut levels: Vec<SphereRadii> = Vec::new();
    let mut vertices = vec![Vec::new(); tree.n_nodes()];
    for node in (0..tree.n_nodes() as u32).rev() {
        let at = node as usize;
        if tree.is_nothing(node) {
            continue;
        }
        match tree.node(node).children() {
            None => vertices[at] = tree.vertices(node).to_vec(),
            Some(children) => {
                let mut all: Vec<u32> =
                    children.flat_map(|child| std::mem::take(&mut vertices[child as usize])).collect();
                all.sort_unstable();
                all.dedup();
                vertices[at] = all;
            }
        }
        let points: Vec<[f64; 3]> = vertices[at].iter().map(|&v| pose[v as usize]).collect();
        let level = tree.level(node);
        let none = SphereRadii { spheres: 0, reference: 0.0, on_demand: 0.0, bottom_up: 0.0, best: 0.0 };
        if levels.len() <= level {
            levels.resize(level + 1, none);
        }
        let sums = &mut levels[level];
        sums.spheres += 1;
        sums.reference += tree.radius_at_rest(node);
        sums.on_demand += f64::from(on_demand[at].0[3]);
        sums.bottom_up += f64::from(bottom_up[at].0[3]);
        sums.best += smallest_ball(&points).1;
    }
    for level in &mut levels {
        let n = level.spheres as f64;
        level.reference /= n;
        level.on_demand /= n;
        level.bottom_up /= n;
        level.best /= n;
    }
    levels
}
