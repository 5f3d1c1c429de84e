//! Answers queries about worlds that arrive on standard input, on standard output: a reference for
//! packages in other languages, whose answers must have the same bits.
//!
//! All numbers are little-endian. A world: the number of bodies (u32); for each, the numbers of
//! vertices and faces (u32), the faces (u32), and the vertices at the start and at the end of the
//! step (f64); the minimum separation (f64); the length of the name of a method (u32), and the
//! name. An answer: the number of contacts (u32); for each, its bodies, kind, features and
//! vertices (nine u32), and lo, hi, point, normal, weights and distance (thirteen f64); the
//! number of crossings (u32); for each, its bodies, triangles and relation (five u32; 1 is
//! touching, 2 piercing, 3 overlapping) and its segment (six f64, NaN if there is none).

use osculate::narrow::Relation;
use osculate::{Contact, Mesh, Model, Query, World};
use std::error::Error;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    // Until the input ends.
    while let Ok(n_bodies) = u32_of(&mut input) {
        answer(n_bodies, &mut input, &mut output)?;
        output.flush()?;
    }
    Ok(())
}

fn answer(n_bodies: u32, input: &mut impl Read, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let mut next = Vec::new();
    for _ in 0..n_bodies {
        let (n_vertices, n_faces) = (u32_of(input)? as usize, u32_of(input)? as usize);
        let mut faces = Vec::new();
        for _ in 0..n_faces {
            faces.push([u32_of(input)?, u32_of(input)?, u32_of(input)?]);
        }
        let [start, end] = [points(n_vertices, input)?, points(n_vertices, input)?];
        let model = Arc::new(Model::new(Mesh::new(faces, n_vertices)?, &start)?);
        next.push((world.add(model, &start)?, end));
    }
    let separation = f64_of(input)?;
    let mut name = vec![0; u32_of(input)? as usize];
    input.read_exact(&mut name)?;
    let query = Query::all().method(String::from_utf8(name)?.parse()?);
    let next: Vec<_> = next.iter().map(|(body, end)| (*body, end.as_slice())).collect();
    let contacts = world.contacts(&next, &query.min_separation(separation))?.found;
    write_u32(output, &[contacts.len() as u32])?;
    for Contact { key, vertices, lo, hi, at, .. } in contacts {
        let [a, b] = key.bodies.map(|body| body.index() as u32);
        write_u32(output, &[a, b, key.kind as u32, key.features[0], key.features[1]])?;
        write_u32(output, &vertices)?;
        for numbers in [&[lo, hi][..], &at.point, &at.normal, &at.weights, &[at.distance]] {
            write_f64(output, numbers)?;
        }
    }
    let crossings = world.crossings(&query)?.found;
    write_u32(output, &[crossings.len() as u32])?;
    for crossing in crossings {
        let [a, b] = crossing.bodies.map(|body| body.index() as u32);
        let relation = match crossing.relation {
            Relation::Separate => 0,
            Relation::Touching => 1,
            Relation::Piercing => 2,
            Relation::Overlapping => 3,
        };
        write_u32(output, &[a, b, crossing.triangles[0], crossing.triangles[1], relation])?;
        let segment = crossing.segment.unwrap_or([[f64::NAN; 3]; 2]);
        write_f64(output, segment.as_flattened())?;
    }
    Ok(())
}

fn u32_of(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn f64_of(input: &mut impl Read) -> io::Result<f64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(f64::from_le_bytes(bytes))
}

fn points(n: usize, input: &mut impl Read) -> io::Result<Vec<[f64; 3]>> {
    (0..n).map(|_| Ok([f64_of(input)?, f64_of(input)?, f64_of(input)?])).collect()
}

fn write_f64(output: &mut impl Write, numbers: &[f64]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| output.write_all(&number.to_le_bytes()))
}

fn write_u32(output: &mut impl Write, numbers: &[u32]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| output.write_all(&number.to_le_bytes()))
}
