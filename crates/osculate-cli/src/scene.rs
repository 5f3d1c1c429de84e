//! `osculate scene`: a built-in scene as a file.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args as Arguments;
use osculate_io::write::{Animation, save};

use crate::Report;
use crate::source::{build_scene, clip_of_scene, scene_names};

/// Write a built-in scene as a file; without a name, list the scenes.
#[derive(Arguments)]
pub(crate) struct Args {
    /// The scene
    #[arg(requires = "output")]
    name: Option<String>,
    /// The file: .glb or .npz
    #[arg(short, long, value_name = "FILE", requires = "name")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let (Some(name), Some(output)) = (&args.name, &args.output) else {
        let text = scene_names().iter().map(|name| format!("{name}\n")).collect();
        return Ok(Report { text, found: false });
    };
    let scene = build_scene(name)?;
    let about = scene.about.clone();
    let clip = clip_of_scene(scene)?;
    save(&Animation::of_clip(&clip)?, output)?;
    let surface = &clip.surface;
    let text = format!(
        "{about}\n{} triangles, {} vertices, {} frames, written to {}\n",
        surface.faces.len(),
        surface.n_vertices,
        clip.n_frames(),
        output.display()
    );
    Ok(Report { text, found: false })
}
