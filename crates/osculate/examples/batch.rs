//! The contacts of all steps of a sequence of poses, one step after the other, and how long they
//! take. The file has, in little-endian order: the numbers of triangles, vertices and poses (u32),
//! the triangles (u32), and the poses (f64). `bindings/python/examples/batch.py` writes one, and
//! compares the time with that of `contacts_batch`.
//!
//! `cargo run --release --example batch FILE`

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use osculate::{Mesh, Model, Query, World};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("the name of a file is missing")?;
    let bytes = std::fs::read(path)?;
    let (head, rest) = bytes.split_at_checked(12).ok_or("the file has no header")?;
    let [n_triangles, n_vertices, n_poses] =
        [0, 4, 8].map(|i| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]) as usize);
    let (triangles, poses) = rest.split_at_checked(12 * n_triangles).ok_or("triangles are missing")?;
    let triangles = triangles.as_chunks::<4>().0.iter().map(|item| u32::from_le_bytes(*item));
    let triangles: Vec<u32> = triangles.collect();
    let poses: Vec<f64> = poses.as_chunks::<8>().0.iter().map(|item| f64::from_le_bytes(*item)).collect();
    let poses: Vec<&[[f64; 3]]> = poses.as_chunks::<3>().0.chunks(n_vertices.max(1)).collect();
    if poses.len() != n_poses {
        return Err(format!("{} of {n_poses} poses are there", poses.len()).into());
    }
    let (&first, others) = poses.split_first().ok_or("there is no pose")?;
    let mesh = Mesh::new(triangles.as_chunks::<3>().0.to_vec(), n_vertices)?;
    let model = Arc::new(Model::new(mesh, first)?);

    // The first time, memory and threads are new.
    let mut last = (0.0, 0);
    for _ in 0..2 {
        let start = Instant::now();
        let mut world = World::new();
        let body = world.add(model.clone(), first)?;
        let mut count = 0;
        for &pose in others {
            count += world.contacts(&[(body, pose)], &Query::all())?.count;
            world.set_pose(body, pose)?;
        }
        last = (start.elapsed().as_secs_f64(), count);
    }
    let (seconds, count) = last;
    println!("{seconds:.3} s, {count} contacts");
    Ok(())
}
