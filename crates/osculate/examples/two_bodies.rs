//! A tetrahedron flies through a static wall; both are instances in one world.
//!
//! `cargo run --release --example two_bodies`

use osculate::{BodySettings, Error, Mesh, Model, Query, World};
use std::sync::Arc;

fn main() -> Result<(), Error> {
    let wall_pose = [[0.0, -5.0, -5.0], [0.0, 5.0, -5.0], [0.0, 0.0, 8.0]];
    let wall = Arc::new(Model::new(Mesh::new(vec![[0, 1, 2]], 3)?, &wall_pose)?);
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let faces = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let tetrahedron = Arc::new(Model::new(Mesh::new(faces, 4)?, &corners)?);

    let mut world = World::new();
    world.add_with(wall, &wall_pose, BodySettings::default().is_static(true))?;
    let at = |x: f64| corners.map(|[cx, cy, cz]| [cx + x, cy, cz]);
    let body = world.add(tetrahedron, &at(-4.1))?;

    // Four steps to the right; the body stops where it first touches the wall.
    let mut x = -4.1;
    for step in 0..4 {
        let next = at(x + 1.5);
        let free = world.largest_free_step(&[(body, &next)], &Query::all())?;
        x += 1.5 * free.size;
        world.set_pose(body, &at(x))?;
        println!("step {step}: free up to t = {}, now at x = {x}", free.size);
        if let Some(contact) = free.limit {
            println!("  {:?} at {:?}, normal {:?}", contact.key.kind, contact.at.point, contact.at.normal);
            break;
        }
    }
    Ok(())
}
