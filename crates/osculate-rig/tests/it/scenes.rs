//! Clusters of whole scenes: every triangle has one, they are connected, independent of the number
//! of threads, and nearly all of their triangles face away from their observers.

use osculate::method::Observer;
use osculate::{Mesh, Model};
use osculate_rig::{Clustering, Settings, Skeleton, cluster};
use std::collections::BTreeSet;

struct Rigged {
    model: Model,
    rest: Vec<[f64; 3]>,
    skeleton: Skeleton,
}

fn rigged(name: &str) -> Rigged {
    let scene = osculate_scenes::build(name).unwrap();
    let bones = &scene.skin.as_ref().unwrap().bones;
    let heads: Vec<_> = bones.iter().map(|bone| bone.head).collect();
    let tails: Vec<_> = bones.iter().map(|bone| bone.tail).collect();
    let parents: Vec<_> = bones.iter().map(|bone| bone.parent.map(|parent| parent as u32)).collect();
    let skeleton = Skeleton::from_bones(&heads, Some(&tails), &parents).unwrap().skeleton;
    let model = Model::new(Mesh::new(scene.faces, scene.rest.len()).unwrap(), &scene.rest).unwrap();
    Rigged { model, rest: scene.rest, skeleton }
}

impl Rigged {
    fn cluster(&self, settings: &Settings) -> Clustering {
        cluster(&self.model, &self.rest, &self.skeleton, settings, None).unwrap()
    }
}

/// Pairs of triangles that share an edge and have different labels.
fn n_border_edges(mesh: &Mesh, labels: &[u32]) -> usize {
    let edges = 0..mesh.edges().len() as u32;
    edges
        .filter(|&edge| {
            mesh.triangles_of_edge(edge).windows(2).any(|t| labels[t[0] as usize] != labels[t[1] as usize])
        })
        .count()
}

/// Panics unless each cluster has triangles, all connected over edges.
fn assert_connected(mesh: &Mesh, made: &Clustering) {
    let of_triangle = made.clusters.of_triangles();
    let mut seen = vec![false; of_triangle.len()];
    let mut started = BTreeSet::new();
    for first in 0..of_triangle.len() {
        if seen[first] {
            continue;
        }
        assert!(started.insert(of_triangle[first]), "cluster {} is in pieces", of_triangle[first]);
        let mut stack = vec![first];
        seen[first] = true;
        while let Some(triangle) = stack.pop() {
            for edge in mesh.triangle_edges()[triangle] {
                for other in mesh.triangles_of_edge(edge).iter().map(|&other| other as usize) {
                    if !seen[other] && of_triangle[other] == of_triangle[first] {
                        seen[other] = true;
                        stack.push(other);
                    }
                }
            }
        }
    }
    assert_eq!(started.len(), made.clusters.len(), "clusters without triangles");
}

#[test]
fn every_triangle_of_a_scene_is_in_a_connected_cluster() {
    for name in ["urchin", "hand", "figure", "dwarf"] {
        let rigged = rigged(name);
        let made = rigged.cluster(&Settings::default());
        let n_bones = rigged.skeleton.bones().len();
        println!("{name}: {n_bones} bones, {} -> {} clusters", made.n_before, made.clusters.len());
        assert_eq!(made.clusters.of_triangles().len(), rigged.model.mesh().triangles().len());
        assert!(made.bone_of_triangle.iter().all(|&bone| (bone as usize) < n_bones));
        assert!(made.clusters.len() <= made.n_before);
        assert_connected(rigged.model.mesh(), &made);
        assert_eq!(made.clusters.joints(), rigged.skeleton.joints());
        rigged.model.with_clusters(made.clusters).unwrap();
    }
}

#[test]
fn refinement_shortens_borders() {
    for name in ["hand", "figure"] {
        let rigged = rigged(name);
        let [coarse, fine] = [false, true].map(|refine| {
            let made = rigged.cluster(&Settings { refine, ..Settings::default() });
            n_border_edges(rigged.model.mesh(), &made.bone_of_triangle)
        });
        println!("{name}: {coarse} -> {fine} border edges");
        assert!(fine <= coarse);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let rigged = rigged("figure");
    let with_threads = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| rigged.cluster(&Settings::default()))
    };
    let alone = with_threads(1);
    assert_eq!(alone, with_threads(2));
    assert_eq!(alone, with_threads(5));
}

#[test]
fn settings_do_what_they_say() {
    let rigged = rigged("hand");
    let all = rigged.cluster(&Settings { reduce: false, ..Settings::default() });
    assert_eq!(all.clusters.len(), all.n_before);
    let joints = rigged.cluster(&Settings { segments: false, ..Settings::default() });
    assert!(joints.clusters.observers().iter().all(|observer| matches!(observer, Observer::Joint(_))));
    let any = Settings { admissible_share: 0.0, most_bones: 99, ..Settings::default() };
    let one = rigged.cluster(&any);
    assert_eq!(one.clusters.len(), 1, "the hand is one component");
    let bad = Settings { heat: -1.0, ..Settings::default() };
    assert!(cluster(&rigged.model, &rigged.rest, &rigged.skeleton, &bad, None).is_err());
    assert!(cluster(&rigged.model, &rigged.rest[1..], &rigged.skeleton, &Settings::default(), None).is_err());
}
