//! Animated models made by code, without files: the scenes that tests, benches and examples share.
//!
//! A [`Scene`] is plain data: a closed, consistently oriented surface of an exact number of triangles, a skeleton that holds it, and the
//! pose of the skeleton at each frame. It is free of crossings at its first frame, and touches itself in a part of its clip.
//!
//! Nothing here depends on the platform: scenes are computed with operations that round the same everywhere, so the same name gives
//! the same bits on every machine.
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
mod humanoid;
mod walk;
mod scenes;

pub use scene::{Affine, Bone, Motion, Scene, Skin};

/// The names of all scenes.
#[must_use]
pub fn names() -> Vec<&'static str> {
    scenes::SCENES.iter().map(|&(name, _)| name).collect()
}

/// Builds the scene of that name; `None` if there is none.
#[must_use]
pub fn build(name: &str) -> Option<Scene> {
    scenes::SCENES.iter().find(|entry| entry.0 == name).map(|(_, make)| make())
}
