//! Fifty creatures walk through each other: who touches whom, frame by frame, and how few vertices
//! have to be deformed to find out.
//!
//! `cargo run --release -p osculate-scenes --example crowd`

use osculate::method::SphereTree;
use osculate::{Affine, Budget, Mesh, MeshFaults, Method, Model, Query, Skin, World};
use osculate_scenes::{build, crowd};
use std::collections::BTreeSet;
use std::sync::Arc;

const CREATURES: usize = 50;
/// The clip of the creature is a cycle; they repeat it several times, and come closer.
const LAST_FRAME: usize = 480;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = build("creature").ok_or("there is a scene of that name")?;
    let weights = scene.skin.as_ref().ok_or("the creature has bones")?;

    // A model has a surface and a skin: the vertices at rest, with the bones and weights of each.
    // All creatures share it.
    let mesh: Result<Mesh, MeshFaults> = Mesh::new(scene.faces.clone(), scene.rest.len());
    let of_vertices = (0..scene.rest.len()).map(|v| weights.of_vertex(v));
    let skin = Skin::new(weights.bones.len(), &scene.rest, of_vertices)?;
    let model = Arc::new(Model::new(mesh?, &scene.rest)?.with_skin(skin)?);

    // A body is posed by its bone matrices. No vertex is deformed yet.
    let places = crowd(&scene, CREATURES, 1);
    let mut world = World::new();
    let mut bodies = Vec::new();
    for place in &places {
        let bones: Vec<Affine> = place.bones(&scene, 0);
        bodies.push(world.add(model.clone(), &bones)?);
    }

    // Collisions between creatures, without self-collision; bounds are refitted from the bones, on
    // demand.
    let filter = |a, b| a != b;
    let method = Method::SphereTree(SphereTree::new());
    let query = Query::all().method(method).filter(&filter);
    let n_vertices = CREATURES * scene.rest.len();
    println!("{CREATURES} creatures, {} triangles, {n_vertices} vertices", CREATURES * scene.faces.len());
    println!("| frame | pairs of creatures | crossings | bounds refitted | vertices moved |");
    println!("|--:|--:|--:|--:|--:|");
    for frame in (0..=LAST_FRAME).step_by(24) {
        for (place, &body) in places.iter().zip(&bodies) {
            world.set_pose(body, &place.bones(&scene, frame))?;
        }
        let report = world.crossings(&query)?;
        let pairs: BTreeSet<_> = report.found.iter().map(|crossing| crossing.bodies).collect();
        let moved = report.stats.skinning;
        let share = 100.0 * moved.vertices as f64 / n_vertices as f64;
        println!(
            "| {frame} | {} | {} | {} | {} ({share:.2} %) |",
            pairs.len(),
            report.count,
            moved.refits,
            moved.vertices
        );
    }

    // The same with a budget of tests: who is known to touch whom so far, and the remaining pairs.
    // A first crossing of each pair of creatures comes before all crossings of any.
    for most in [5_000, 10_000, 20_000, 10_000_000] {
        for (place, &body) in places.iter().zip(&bodies) {
            world.set_pose(body, &place.bones(&scene, LAST_FRAME))?;
        }
        let partial = world.crossings_within(&query, Budget::Tests(most))?;
        let pairs: BTreeSet<_> = partial.report.found.iter().map(|crossing| crossing.bodies).collect();
        let (pairs, found, left) = (pairs.len(), partial.report.count, partial.left.len());
        println!(
            "{most} tests: {:?}, {pairs} pairs of creatures, {found} crossings, {left} pairs of patches left",
            partial.answer()
        );
    }
    Ok(())
}
