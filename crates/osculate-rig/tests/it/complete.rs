//! Radial view culling on skinned scenes: it finds what bounding volumes find, with joints that
//! move with their bones, with joints that follow the surface, and without a skeleton.

use osculate::method::{Radial, Volume};
use osculate::{BodyId, Contact, Mesh, Method, Model, Query, World};
use osculate_rig::{FromBones, Settings, Skeleton, cluster};
use osculate_scenes::{Motion, Scene};
use std::sync::Arc;

/// Number of consecutive steps, from two places of the animation.
const N_STEPS: usize = 3;

fn skeleton(scene: &Scene) -> FromBones {
    let bones = &scene.skin.as_ref().unwrap().bones;
    let heads: Vec<_> = bones.iter().map(|bone| bone.head).collect();
    let tails: Vec<_> = bones.iter().map(|bone| bone.tail).collect();
    let parents: Vec<_> = bones.iter().map(|bone| bone.parent.map(|parent| parent as u32)).collect();
    Skeleton::from_bones(&heads, Some(&tails), &parents).unwrap()
}

/// The joints in a frame.
fn joints(scene: &Scene, made: &FromBones, frame: usize) -> Vec<[f64; 3]> {
    let Motion::Bones(frames) = &scene.motion else { panic!("bones move the scene") };
    let image = |(&[x, y, z], &bone): (&[f64; 3], &u32)| {
        frames[frame][bone as usize].map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
    };
    made.skeleton.joints().iter().zip(&made.carrier_of).map(image).collect()
}

/// A world with one body.
struct One {
    world: World,
    body: BodyId,
    method: Method,
    moves_joints: bool,
}

impl One {
    fn new(model: &Arc<Model>, pose: &[[f64; 3]], method: Method, moves_joints: bool) -> One {
        let mut world = World::new();
        let body = world.add(model.clone(), pose).unwrap();
        One { world, body, method, moves_joints }
    }

    fn step(&mut self, poses: [&[[f64; 3]]; 2], joints: [&[[f64; 3]]; 2]) -> Vec<Contact> {
        self.world.set_pose(self.body, poses[0]).unwrap();
        if self.moves_joints {
            self.world.set_joints(self.body, Some(joints)).unwrap();
        }
        let query = Query::all().method(self.method);
        self.world.contacts(&[(self.body, poses[1])], &query).unwrap().found
    }
}

fn check(names: &[&str]) {
    for name in names {
        let scene = osculate_scenes::build(name).unwrap();
        let made = skeleton(&scene);
        let mesh = Mesh::new(scene.faces.clone(), scene.rest.len()).unwrap();
        let grown = Arc::new(Model::new(mesh, &scene.rest).unwrap());
        let clusters =
            cluster(&grown, &scene.rest, &made.skeleton, &Settings::default(), None).unwrap().clusters;
        let rigged = Arc::new(Model::clone(&grown).with_clusters(clusters).unwrap());
        let radial = Method::Radial(Radial::new());
        let with_dops = Method::Radial(Radial::new().volume(Volume::Dop16));
        let mut n_contacts = 0;
        for first in [scene.n_frames() / 4, scene.n_frames() / 2] {
            let mut pose = Vec::new();
            scene.pose(first, &mut pose);
            let mut worlds = [
                One::new(&rigged, &pose, Method::Bvh(Volume::MovingAabb), false),
                One::new(&rigged, &pose, radial, true),
                One::new(&rigged, &pose, with_dops, false),
                One::new(&grown, &pose, radial, false),
            ];
            for frame in first..first + N_STEPS {
                let mut next = Vec::new();
                scene.pose(frame + 1, &mut next);
                let joints = [joints(&scene, &made, frame), joints(&scene, &made, frame + 1)];
                let answers = worlds.each_mut().map(|one| one.step([&pose, &next], [&joints[0], &joints[1]]));
                for (i, answer) in answers.iter().enumerate() {
                    assert!(*answer == answers[0], "scene {name}, frame {frame}, world {i}");
                }
                n_contacts += answers[0].len();
                pose = next;
            }
        }
        println!("{name}: {} clusters, {n_contacts} contacts", rigged.clusters().len());
    }
}

#[test]
fn scenes_of_the_paper() {
    check(&["rope", "octopus", "urchin"]);
}

#[test]
fn scenes_of_the_paper_with_limbs() {
    check(&["walker", "box", "hand"]);
}

#[test]
fn other_skinned_scenes() {
    check(&["figure", "dwarf", "man", "creature"]);
}
