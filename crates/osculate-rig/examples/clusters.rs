//! The clusters of some scenes: their number before and after merging, their observers, how many
//! triangles face away from their observers at rest and in motion, and the time of each stage.
//!
//! `cargo run --release -p osculate-rig --example clusters [--most-bones 2] [scene]...`

use osculate::method::{Clusters, Observer};
use osculate::{Mesh, Model};
use osculate_rig::{FromBones, Settings, Skeleton, cluster};
use osculate_scenes::{Motion, Scene};
use std::sync::LazyLock;
use std::time::Instant;

/// Nanoseconds since the first call.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = Settings::default();
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.first().is_some_and(|name| name == "--most-bones") {
        settings.most_bones = names.get(1).ok_or("how many?")?.parse()?;
        names.drain(..2);
    }
    if names.is_empty() {
        names = ["rope", "octopus", "urchin", "walker", "box", "hand"].map(String::from).to_vec();
    }
    println!("scene    triangles bones    clusters segments  at rest: away facing  in motion: away facing");
    println!("         milliseconds: visibility, weights, assignment, refinement, observers, reduction\n");
    for name in names {
        let scene = osculate_scenes::build(&name).ok_or("no such scene")?;
        let made = skeleton_of(&scene).ok_or("no skeleton")??;
        let model = Model::new(Mesh::new(scene.faces.clone(), scene.rest.len())?, &scene.rest)?;
        let clustering = cluster(&model, &scene.rest, &made.skeleton, &settings, Some(now))?;

        let (clusters, times) = (&clustering.clusters, clustering.times);
        let is_segment = |observer: &&Observer| matches!(observer, Observer::Bone(_));
        let n_segments = clusters.observers().iter().filter(is_segment).count();
        let at_rest = shares(&scene.faces, &scene.rest, clusters, clusters.joints());
        let in_motion = mean_shares(&scene, clusters, &made);
        println!(
            "{name:8} {:>9} {:>5} {:>4} -> {:>3} {n_segments:>8} {:>13.2}% {:>5.2}% {:>15.2}% {:>5.2}%",
            scene.faces.len(),
            made.skeleton.bones().len(),
            clustering.n_before,
            clusters.len(),
            at_rest[0],
            at_rest[1],
            in_motion[0],
            in_motion[1],
        );
        let stages = [
            times.visibility,
            times.weights,
            times.assignment,
            times.refinement,
            times.observers,
            times.reduction,
        ];
        let stages = stages.map(|nanoseconds| format!("{:.1}", nanoseconds as f64 / 1e6));
        println!("         {}", stages.join(", "));
    }
    Ok(())
}

fn skeleton_of(scene: &Scene) -> Option<Result<FromBones, osculate_rig::Error>> {
    let bones = &scene.skin.as_ref()?.bones;
    let heads: Vec<_> = bones.iter().map(|bone| bone.head).collect();
    let tails: Vec<_> = bones.iter().map(|bone| bone.tail).collect();
    let parents: Vec<_> = bones.iter().map(|bone| bone.parent.map(|parent| parent as u32)).collect();
    Some(Skeleton::from_bones(&heads, Some(&tails), &parents))
}

/// The mean of the shares over every fifth frame of the scene.
fn mean_shares(scene: &Scene, clusters: &Clusters, made: &FromBones) -> [f64; 2] {
    let Motion::Bones(frames) = &scene.motion else { return [f64::NAN; 2] };
    let (mut sums, mut n, mut pose) = ([0.0; 2], 0.0, Vec::new());
    for (frame, maps) in frames.iter().enumerate().step_by(5) {
        scene.pose(frame, &mut pose);
        let moved = clusters.joints().iter().zip(&made.carrier_of).map(|(&[x, y, z], &bone)| {
            maps[bone as usize].map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
        });
        let [away, facing] = shares(&scene.faces, &pose, clusters, &moved.collect::<Vec<_>>());
        sums = [sums[0] + away, sums[1] + facing];
        n += 1.0;
    }
    sums.map(|sum| sum / n)
}

/// The percentages of triangles that face away from the observers of their clusters at a pose, and
/// that face them.
fn shares(faces: &[[u32; 3]], pose: &[[f64; 3]], clusters: &Clusters, joints: &[[f64; 3]]) -> [f64; 2] {
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let mut counts = [0; 2];
    for (face, &cluster) in faces.iter().zip(clusters.of_triangles()) {
        let ends = match clusters.observers()[cluster as usize] {
            Observer::Joint(joint) => [joint; 2],
            Observer::Bone(ends) => ends,
            Observer::Free => continue,
        };
        let p = face.map(|v| pose[v as usize]);
        let (e, f) = (minus(p[1], p[0]), minus(p[2], p[0]));
        let normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        // From the point of the segment nearest to a corner, to that corner.
        let [a, b] = ends.map(|joint| joints[joint as usize]);
        let signs = p.map(|p| {
            let d = minus(b, a);
            let s = if a == b { 0.0 } else { (dot(minus(p, a), d) / dot(d, d)).clamp(0.0, 1.0) };
            let nearest = [0, 1, 2].map(|i| a[i] + s * d[i]);
            dot(normal, minus(p, nearest))
        });
        counts[0] += u32::from(signs.iter().all(|&sign| 0.0 < sign));
        counts[1] += u32::from(signs.iter().all(|&sign| sign < 0.0));
    }
    counts.map(|n| 100.0 * f64::from(n) / faces.len() as f64)
}
