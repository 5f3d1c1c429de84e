//! Prints the page of the scenes, docs/scenes.md: a description of each, and the number of contacts
//! in each of its steps. With names, only these.
//!
//! `cargo run --release -p osculate-scenes --example contacts_table > docs/scenes.md` takes some
//! minutes.

use osculate::{BodyId, BodySettings, Error, Mesh, Model, Query, World};
use osculate_scenes::{Motion, Part, Placement, Scene, build, crowd, large_names, names};
use std::sync::Arc;

/// The scene of the crowd, the number of instances, the number of frames, and the seed.
const CROWD: (&str, usize, usize, u64) = ("dwarf", 50, 112, 1);

fn main() -> Result<(), Error> {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.is_empty() {
        wanted = names().into_iter().chain(large_names()).chain(["crowd"]).map(str::to_owned).collect();
    }
    let mut entries = Vec::new();
    for name in &wanted {
        if name == "crowd" {
            entries.push(crowd_entry()?);
        } else if let Some(scene) = build(name) {
            entries.push(scene_entry(&scene)?);
        } else {
            eprintln!("there is no scene '{name}'");
        }
    }
    print!("{}", page(&entries));
    Ok(())
}

/// The data of a scene on the page.
struct Entry {
    name: String,
    about: String,
    n_triangles: usize,
    n_bodies: usize,
    /// What moves its vertices.
    governors: String,
    /// Contacts in each step.
    counts: Vec<u64>,
}

fn scene_entry(scene: &Scene) -> Result<Entry, Error> {
    let mut world = World::new();
    let mut bodies: Vec<(BodyId, Part)> = Vec::new();
    for part in scene.parts() {
        let rest = part.pose(&scene.rest);
        let model = Model::new(Mesh::new(part.faces.clone(), rest.len())?, &rest)?;
        let settings = BodySettings::default().is_static(part.is_static);
        bodies.push((world.add_with(Arc::new(model), &rest, settings)?, part));
    }
    let mut whole = Vec::new();
    let poses = (0..scene.n_frames()).map(|frame| {
        scene.pose(frame, &mut whole);
        bodies.iter().map(|(body, part)| (*body, part.pose(&whole))).collect()
    });
    Ok(Entry {
        name: scene.name.clone(),
        about: scene.about.clone(),
        n_triangles: scene.faces.len(),
        n_bodies: bodies.len(),
        governors: governors(scene, 1),
        counts: count(&mut world, poses)?,
    })
}

fn crowd_entry() -> Result<Entry, Error> {
    let (name, n_bodies, n_frames, seed) = CROWD;
    let scene = build(name).expect("a scene");
    let mesh = Mesh::new(scene.faces.clone(), scene.rest.len())?;
    let model = Arc::new(Model::new(mesh, &scene.rest)?);
    let mut world = World::new();
    let mut bodies = Vec::new();
    for place in crowd(&scene, n_bodies, seed) {
        let settings = BodySettings::default().self_contact(false);
        bodies.push((world.add_with(model.clone(), &scene.rest, settings)?, place));
    }
    let poses = (0..n_frames).map(|frame| {
        let pose = |&(body, place): &(BodyId, Placement)| {
            let mut pose = Vec::new();
            place.pose(&scene, frame, &mut pose);
            (body, pose)
        };
        bodies.iter().map(pose).collect()
    });
    Ok(Entry {
        name: format!("{n_bodies} × {name}"),
        about: format!(
            "`crowd` with {n_bodies} instances of `{name}` and the seed {seed}; contacts of two of them only."
        ),
        n_triangles: n_bodies * scene.faces.len(),
        n_bodies,
        governors: governors(&scene, n_bodies),
        counts: count(&mut world, poses)?,
    })
}

/// What moves the vertices of some instances of a scene.
fn governors(scene: &Scene, n_bodies: usize) -> String {
    let (n, what) = match &scene.motion {
        Motion::Frames(_) => return "–".to_owned(),
        Motion::Bones(_) => (scene.skin.as_ref().map_or(0, |skin| skin.bones.len()), "bones"),
        Motion::Control(surface, _) => (surface.control().len(), "control points"),
        Motion::Particles(particles, _) => (particles.n_particles(), "particles"),
        Motion::Modes(modes, _) => (modes.n_modes(), "modes"),
    };
    format!("{} {what}", grouped((n_bodies * n) as u64))
}

/// The number of contacts from each pose to the next.
fn count(
    world: &mut World,
    poses: impl Iterator<Item = Vec<(BodyId, Vec<[f64; 3]>)>>,
) -> Result<Vec<u64>, Error> {
    let mut counts = Vec::new();
    for (frame, pose) in poses.enumerate() {
        if frame != 0 {
            let next: Vec<_> = pose.iter().map(|(body, pose)| (*body, pose.as_slice())).collect();
            counts.push(world.contacts(&next, &Query::count())?.count);
        }
        for (body, pose) in &pose {
            world.set_pose(*body, pose)?;
        }
    }
    Ok(counts)
}

fn page(entries: &[Entry]) -> String {
    let mut text = String::from(
        "# Scenes\n\n\
         Made by `cargo run --release -p osculate-scenes --example contacts_table > docs/scenes.md`. The scenes are made by code, \
         without files; `osculate scene NAME -o FILE` writes one as GLB or NPZ.\n\n\
         ![The scenes, each at a frame of its clip](scenes.png)\n\n\
         Step k leads from frame k to frame k + 1. Contacts are all vertex–face and edge–edge pairs that touch in it, \
         within one body and between bodies. Every method finds these numbers, on every machine. Where nothing else is said, each vertex is moved by itself, by a simulation or a formula.\n\n\
         | scene | triangles | bodies | moved by | frames | free steps | steps with contacts | most in a step | in all |\n\
         |---|--:|--:|---|--:|--:|--:|--:|--:|\n",
    );
    for entry in entries {
        let touching = entry.counts.iter().filter(|&&n| n != 0).count();
        let numbers = [
            grouped(entry.n_triangles as u64),
            entry.n_bodies.to_string(),
            entry.governors.clone(),
            (entry.counts.len() + 1).to_string(),
            (entry.counts.len() - touching).to_string(),
            touching.to_string(),
            grouped(entry.counts.iter().copied().max().unwrap_or(0)),
            grouped(entry.counts.iter().sum()),
        ];
        text += &format!("| {} | {} |\n", entry.name, numbers.join(" | "));
    }
    text += "\n## Contacts of each step\n";
    for entry in entries {
        text += &format!("\n**{}**: {}\n\n", entry.name, entry.about);
        text += &runs(&entry.counts);
    }
    text
}

/// One line for each run of steps with contacts, or without.
fn runs(counts: &[u64]) -> String {
    let mut text = String::new();
    let mut first = 0;
    for run in counts.chunk_by(|&a, &b| (a == 0) == (b == 0)) {
        let last = first + run.len() - 1;
        let steps = if first == last { format!("{first}") } else { format!("{first}–{last}") };
        let numbers: Vec<String> = run.iter().map(|&n| grouped(n)).collect();
        let found = if run[0] == 0 { "none".to_owned() } else { numbers.join(" · ") };
        text += &format!("- {steps}: {found}\n");
        first = last + 1;
    }
    text
}

/// A number with its digits in groups of three.
fn grouped(n: u64) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", grouped(n / 1000), n % 1000) }
}
