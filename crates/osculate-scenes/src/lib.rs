//! Generated animated models, without files: the scenes shared by tests, benches and examples.
//!
//! A [`Scene`] is plain data. The small ones have a closed, consistently oriented surface with an
//! exact number of triangles, a skeleton, and the pose of the skeleton at each frame. Every scene
//! is free of crossings at its first frame, and touches itself in a part of its clip.
//!
//! | scene | triangles | bones | frames | what touches | in steps |
//! |---|---|---|---|---|---|
//! | `figure` | 8,000 | 21 | 90 | folded arms | 41 to 58 |
//! | `rope` | 48,440 | 199 | 120 | coils on coils | 76 to 118 |
//! | `octopus` | 47,976 | 71 | 120 | arms with their neighbors | 57 to 89 |
//! | `urchin` | 2,840 | 4 | 90 | spikes | some of 31 to 63 |
//! | `walker` | 20,000 | 21 | 160 | hands and thighs | 60 to 100, in passing |
//! | `box` | 25,088 | 33 | 90 | the ends of a loop | 44 to 65 |
//! | `hand` | 11,208 | 20 | 90 | fingers, thumb and palm | 29 to 47, 50 to 74 |
//! | `dwarf` | 1,664 | 45 | 56 | beard and belly | 21 to 24, 26 to 35 |
//! | `man` | 8,270 | 27 | 64 | clapping hands | three times in 21 to 42 |
//! | `creature` | 13,590 | 56 | 64 | tail and flank | 29 to 38 |
//!
//! The last three are cycles: their clips can be repeated. [`crowd`] places many instances of one,
//! and [`subdivided`] refines them.
//!
//! The [large scenes](large_names) are built by name only, since they take up to a minute:
//!
//! | scene | triangles | moved by | frames | what touches | in steps |
//! |---|---|---|---|---|---|
//! | `drape` | 64,000 and a ball of 6,912 | simulation | 100 | a sheet that hangs over a ball and itself | 49 on |
//! | `curtains` | 2 × 32,500 | simulation | 100 | two curtains, themselves and each other | 69 on |
//! | `twist` | 64,000 | simulation | 100 | a wrung sheet and itself | 74 on |
//! | `jelly` | 4 × 4,800 and a bowl of 3,888 | simulation | 80 | soft balls that squash each other | 64 on |
//! | `spikes` | 1,000,000 | formula | 20 | 820 spikes of a squashed ball | 5 to 15 |
//! | `reduced-cloth-2`, `-3`, `-4` | 6,400, 25,600, 102,400 | 231 control vertices | 90 | the ends of a roll | 39, 42 to 49, 60 to 67 |
//! | `particles` | 52,800 | 24 particles | 90 | arms, in front of a soft toy | some of 27 to 43 |
//! | `modal` | 40,000 | 10 modes | 90 | the prongs of a fork | 26 to 30, 49 to 54 |
//! | `beast-walk` | 244,736 | 40 bones | 64 | tail and hind legs | 25 to 33, 39 to 43 |
//! | `beast-jump` | 244,736 | 40 bones | 64 | legs, belly and tail, at the joints | some of 10 to 20, 46 to 56 |
//! | `catheter` | 10,000 and vessels of 83,000 | 110 bones | 100 | a catheter and the vessels it is pushed into | 89 on |
//!
//! Scenes with bones, control vertices, particles or modes are [models](Scene::model) that are
//! [posed by these](Scene::model_pose), too; the library then gives the same positions bit by bit.
//!
//! Simulations are kept free of contact up to a frame, by the library itself, and unconstrained
//! from then on. Their frames are cached in the folder `osculate-scenes` of the target folder. The
//! number of contacts in each step of each scene is in docs/scenes.md, which the example
//! `contacts_table` prints.
//!
//! Nothing here depends on the platform: scenes are computed with operations that round the same
//! everywhere, so the same name gives the same bits on every machine.
//!
//! ```
//! let scene = osculate_scenes::build("figure").unwrap();
//! let mut pose = Vec::new();
//! scene.pose(12, &mut pose);
//! assert_eq!(pose.len(), scene.rest.len());
//! ```

// In reading order; a module uses only modules above it.
mod scene;
mod vector;
mod rig;
mod field;
mod march;
mod surface;
mod remesh;
mod skin;
mod body;
mod rod;
mod hole;
mod vessel;
mod humanoid;
mod walk;
mod quadruped;
mod subdivide;
mod sheet;
mod ball;
mod cache;
mod solver;
mod simulated;
mod scenes;
mod crowd;

pub use crowd::{Placement, crowd};
pub use scene::{Affine, Bone, Motion, Part, Scene, Skin};
pub use subdivide::subdivided;

/// The names of the scenes with a skeleton, which build quickly.
#[must_use]
pub fn names() -> Vec<&'static str> {
    scenes::SCENES.iter().map(|&(name, _)| name).collect()
}

/// The names of all other scenes: large ones, and simulations, which take up to a minute to build
/// if they are not cached.
#[must_use]
pub fn large_names() -> Vec<&'static str> {
    scenes::LARGE.iter().map(|&(name, _)| name).collect()
}

/// The center line of the vessels that the catheter of the scene `catheter` is pushed through, from
/// the inlet to the end of a branch.
#[must_use]
pub fn catheter_route() -> Vec<[f64; 3]> {
    scenes::catheter_route()
}

/// Builds the scene of that name, large or not; `None` if there is none.
#[must_use]
pub fn build(name: &str) -> Option<Scene> {
    scenes::SCENES.iter().chain(scenes::LARGE).find(|entry| entry.0 == name).map(|(_, make)| make())
}
