//! What is looked at: clips of files, or a built-in scene.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args as Arguments;
use osculate_io::{Bone, Clip, Influence, Options, Skin, Surface};
use osculate_scenes::{Motion, Scene};

/// The scene that is taken when nothing else is asked for.
const DEFAULT_SCENE: &str = "figure";

/// Which input; the same for all commands that have one.
#[derive(Arguments)]
pub(crate) struct InputArgs {
    /// A .glb, .gltf, .vrm or .npz file; or .ply and .obj files, or a folder of them, in name order: the frames of one animation
    #[arg(conflicts_with = "scene")]
    pub(crate) input: Vec<PathBuf>,
    /// A built-in scene instead of files
    #[arg(long, value_name = "NAME")]
    pub(crate) scene: Option<String>,
    /// The animation to look at [default: all of the file]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Frames per second at which keyframes are sampled, and of files that do not tell
    #[arg(long, default_value_t = 30.0)]
    pub(crate) fps: f64,
    /// Memory that reading a file may take, such as 2GB [default: 512 MB and 20 times the size of the file]
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse)]
    pub(crate) memory: Option<u64>,
}

/// Clips, and what to call where they come from.
pub(crate) struct Source {
    pub(crate) inputs: Vec<String>,
    pub(crate) clips: Vec<Clip>,
}

impl Source {
    pub(crate) fn open(args: &InputArgs) -> Result<Source> {
        if args.input.is_empty() {
            return Source::of_scene(args.scene.as_deref().unwrap_or(DEFAULT_SCENE));
        }
        let options = Options { clip: args.clip.clone(), fps: args.fps, memory: args.memory };
        let clips = osculate_io::open(&args.input, &options)?;
        let inputs = args.input.iter().map(|path| path.display().to_string()).collect();
        Ok(Source { inputs, clips })
    }

    /// A built-in scene.
    pub(crate) fn of_scene(name: &str) -> Result<Source> {
        let scene = build_scene(name)?;
        Ok(Source { inputs: vec![format!("scene {name}")], clips: vec![clip_of_scene(scene)?] })
    }

    /// The inputs in a few words.
    pub(crate) fn name(&self) -> String {
        match self.inputs.as_slice() {
            [one] => one.clone(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            [] => String::new(),
        }
    }
}

/// The names of all scenes, those that take long to build last.
pub(crate) fn scene_names() -> Vec<&'static str> {
    let mut names = osculate_scenes::names();
    names.extend(osculate_scenes::large_names());
    names
}

/// The scene of that name; fails with the names that there are.
pub(crate) fn build_scene(name: &str) -> Result<Scene> {
    osculate_scenes::build(name)
        .with_context(|| format!("there is no scene '{name}'; the scenes are {}", scene_names().join(", ")))
}

/// The clip of a built-in scene.
pub(crate) fn clip_of_scene(scene: Scene) -> Result<Clip> {
    let Scene { name, faces, rest, objects, vertex_object, skin, fps, motion, .. } = scene;
    let skin = skin.map(|skin| {
        let bones = skin.bones.iter().map(|bone| Bone {
            name: bone.name.clone(),
            parent: bone.parent.map(|parent| parent as u32),
            head: bone.head,
            tail: Some(bone.tail),
        });
        let vertices = rest.iter().enumerate().map(|(v, &rest)| {
            let influences =
                skin.of_vertex(v).iter().map(|&(bone, weight)| Influence { bone, weight }).collect();
            (rest, influences)
        });
        Skin::from_vertices(&name, bones.collect(), vertices)
    });
    let surface = Surface {
        n_vertices: rest.len(),
        faces,
        objects,
        vertex_object,
        skin: skin.transpose()?,
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    };
    Ok(match motion {
        Motion::Bones(frames) => Clip::from_matrices(&name, fps, surface, frames)?,
        Motion::Frames(poses) => Clip::from_poses(&name, fps, surface, poses)?,
    })
}
