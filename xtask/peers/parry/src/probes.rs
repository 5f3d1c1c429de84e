//! Closest points and ray casts on the cloth-ball mesh, on request.
//!
//! `closeness FOLDER` reads `positions.f64`, `faces.u32` and `probes.f64` there (rows of x0 y0 z0
//! x1 y1 z1, of three vertices, and of two points), and answers `closest` and `rays` as the bench
//! `engine_peers` does.

use std::error::Error;
use std::io::BufRead as _;
use std::path::Path;
use std::time::Instant;

use parry3d_f64::math::Vector;
use parry3d_f64::query::{PointQuery as _, Ray, RayCast as _};
use parry3d_f64::shape::TriMesh;

use crate::answers::send;
use crate::rows::{read_rows, write_numbers};

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let positions: Vec<[f64; 6]> = read_rows(&folder.join("positions.f64"), f64::from_le_bytes)?;
    let faces: Vec<[u32; 3]> = read_rows(&folder.join("faces.u32"), u32::from_le_bytes)?;
    let probes: Vec<[f64; 6]> = read_rows(&folder.join("probes.f64"), f64::from_le_bytes)?;
    let vertices: Vec<Vector> = positions.iter().map(|&[.., x, y, z]| Vector::new(x, y, z)).collect();
    let start = Instant::now();
    let mesh = TriMesh::new(vertices, faces)?;
    let build = start.elapsed().as_secs_f64();
    send("{}")?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let query = line.trim();
        let ask: fn(&TriMesh, Vector, Vector) -> f64 = match query {
            "closest" => |mesh, p, _| (mesh.project_local_point(p, false).point - p).length(),
            "rays" => |mesh, p, q| mesh.cast_local_ray(&Ray::new(p, q - p), 1.0, false).unwrap_or(1.0),
            _ => return Err(format!("unknown command: {line}").into()),
        };
        let start = Instant::now();
        let answers: Vec<f64> = probes
            .iter()
            .map(|&[a, b, c, d, e, f]| ask(&mesh, Vector::new(a, b, c), Vector::new(d, e, f)))
            .collect();
        let seconds = start.elapsed().as_secs_f64();
        write_numbers(&folder.join(format!("{query}-parry.f64")), &answers)?;
        send(&format!(r#"{{"seconds": {seconds}, "prepare_seconds": {build}}}"#))?;
    }
    Ok(())
}
