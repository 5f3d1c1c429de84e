//! Inputs: clips of files, or a built-in scene.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args as Arguments;
use osculate_io::{Affine, Bone, Clip, Deformer, Influence, Options, Skin, Surface};
use osculate_scenes::{Motion, Scene};

/// The scene that is used without an input.
const DEFAULT_SCENE: &str = "figure";

/// Input options, shared by several commands.
#[derive(Arguments, Clone)]
pub(crate) struct InputArgs {
    /// A .glb, .gltf, .vrm, .fbx, .usd, .abc or .npz file; or a point cache (.pc2, .mdd) with the
    /// .obj file of the same name beside it; or .ply and .obj files, or a folder of them, as the
    /// frames of one animation in name order
    #[arg(conflicts_with = "scene")]
    pub(crate) input: Vec<PathBuf>,
    /// A built-in scene instead of files
    #[arg(long, value_name = "NAME")]
    pub(crate) scene: Option<String>,
    /// The animation of a glTF or FBX file [default: all of them]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Frames per second for sampling keyframes, and for files without a frame rate
    #[arg(long, default_value_t = 30.0)]
    pub(crate) fps: f64,
    /// Memory limit for reading a file, such as 2GB [default: 512 MB plus 20 times the size of the
    /// file]
    #[arg(long, value_name = "SIZE", value_parser = crate::memory::parse)]
    pub(crate) memory: Option<u64>,
}

impl InputArgs {
    /// Whether nothing is named.
    pub(crate) fn is_default(&self) -> bool {
        self.input.is_empty() && self.scene.is_none() && self.clip.is_none()
    }
}

/// Clips, and the names of their inputs.
pub(crate) struct Source {
    /// All inputs, as given by the user.
    pub(crate) inputs: Vec<String>,
    pub(crate) clips: Vec<Clip>,
    /// For each clip, the name of its input.
    origins: Vec<String>,
}

impl Source {
    pub(crate) fn open(args: &InputArgs) -> Result<Source> {
        if args.input.is_empty() {
            if args.clip.is_some() {
                bail!("--clip is for glTF and FBX files; a built-in scene has one animation");
            }
            return Source::of_scene(args.scene.as_deref().unwrap_or(DEFAULT_SCENE));
        }
        let options = Options { clip: args.clip.clone(), fps: args.fps, memory: args.memory };
        let inputs: Vec<String> = args.input.iter().map(|path| path.display().to_string()).collect();
        let mut source = Source { inputs, clips: Vec::new(), origins: Vec::new() };
        if args.input.iter().any(|path| is_frame(path)) {
            // Together they are one clip.
            source.add(&args.input, &options, source.name_of_frames())?;
        } else {
            for (path, input) in args.input.iter().zip(source.inputs.clone()) {
                source.add(std::slice::from_ref(path), &options, input)?;
            }
        }
        Ok(source)
    }

    /// Reads the clips of files, with the name `origin`.
    fn add(&mut self, files: &[PathBuf], options: &Options, origin: String) -> Result<()> {
        let clips = osculate_io::open(files, options)?;
        if let (Some(_), Some(path)) = (&options.clip, files.iter().find(|path| !has_clips(path))) {
            bail!(
                "{}: --clip is for glTF and FBX files; this one has no clips to choose from",
                path.display()
            );
        }
        self.origins.extend(clips.iter().map(|_| origin.clone()));
        self.clips.extend(clips);
        Ok(())
    }

    /// A built-in scene.
    pub(crate) fn of_scene(name: &str) -> Result<Source> {
        let scene = build_scene(name)?;
        let inputs = vec![format!("scene {name}")];
        Ok(Source { origins: inputs.clone(), inputs, clips: vec![clip_of_scene(scene)?] })
    }

    /// One clip of an input.
    pub(crate) fn of_clip(input: &str, clip: Clip) -> Source {
        Source { inputs: vec![input.to_owned()], clips: vec![clip], origins: vec![input.to_owned()] }
    }

    /// The name of the input of a clip.
    pub(crate) fn origin(&self, clip: usize) -> &str {
        &self.origins[clip]
    }

    /// The name of a clip, with its input if there are several.
    pub(crate) fn title(&self, clip: usize) -> String {
        let name = format!("clip '{}'", self.clips[clip].name);
        if self.inputs.len() == 1 { name } else { format!("{}, {name}", self.origin(clip)) }
    }

    /// All clips, each with the name of its input.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Clip)> {
        self.origins.iter().map(String::as_str).zip(&self.clips)
    }

    /// A short name for the files of a sequence.
    fn name_of_frames(&self) -> String {
        match self.inputs.as_slice() {
            [first, rest @ ..] if !rest.is_empty() => format!("{first} and {} more", rest.len()),
            inputs => inputs.concat(),
        }
    }
}

/// Whether a path is a frame of an animation rather than a whole one: a mesh, or a folder of
/// meshes.
fn is_frame(path: &Path) -> bool {
    path.is_dir() || has_extension(path, &["ply", "obj"])
}

/// Whether a path is a file of a kind that may have several clips.
pub(crate) fn has_clips(path: &Path) -> bool {
    has_extension(path, &["glb", "gltf", "vrm", "fbx"])
}

/// Whether a path ends with one of the extensions, in either case.
fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let is_known = |found: &str| extensions.iter().any(|extension| found.eq_ignore_ascii_case(extension));
    path.extension().and_then(|found| found.to_str()).is_some_and(is_known)
}

/// The names of all scenes, those that are slow to build last.
pub(crate) fn scene_names() -> Vec<&'static str> {
    let mut names = osculate_scenes::names();
    names.extend(osculate_scenes::large_names());
    names
}

/// The scene of that name; if there is none, fails with all names.
pub(crate) fn build_scene(name: &str) -> Result<Scene> {
    osculate_scenes::build(name)
        .with_context(|| format!("there is no scene '{name}'; the scenes are {}", scene_names().join(", ")))
}

/// The clip of a built-in scene.
pub(crate) fn clip_of_scene(scene: Scene) -> Result<Clip> {
    let Scene { name, faces, rest, objects, static_objects, vertex_object, skin, fps, motion, .. } = scene;
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
        static_objects,
        vertex_object,
        skin: skin.transpose()?,
        welding: None,
        skipped: 0,
        notes: Vec::new(),
    };
    let (deformer, frames) = match motion {
        Motion::Bones(frames) => return Ok(Clip::from_matrices(&name, fps, surface, frames)?),
        Motion::Frames(poses) => return Ok(Clip::from_poses(&name, fps, surface, poses)?),
        Motion::Control(surface, frames) => {
            (Deformer::Control(surface), frames.iter().map(|points| points.as_flattened().to_vec()).collect())
        }
        Motion::Particles(particles, frames) => {
            let flat = |maps: &Vec<Affine>| maps.as_flattened().as_flattened().to_vec();
            (Deformer::Particles(particles), frames.iter().map(flat).collect())
        }
        Motion::Modes(modes, frames) => (Deformer::Modes(modes), frames),
    };
    Ok(Clip::from_deformer(&name, fps, surface, deformer, frames)?)
}
