//! `osculate scene`: writes a built-in scene to a file.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args as Arguments;
use osculate_io::write::{Animation, save};

use crate::source::{build_scene, clip_of_scene, scene_names};
use crate::words::counted;
use crate::{Report, terminal, threads};

/// Write a built-in scene to a file; without a name, list the scenes.
#[derive(Arguments)]
pub(crate) struct Args {
    /// Name of the scene
    #[arg(requires = "output")]
    name: Option<String>,
    /// Output file: .glb or .npz
    #[arg(short, long, value_name = "FILE", requires = "name")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let (Some(name), Some(output)) = (&args.name, &args.output) else {
        let text = scene_names().iter().map(|name| format!("{name}\n")).collect();
        return Ok(Report { text, ..Report::default() });
    };
    threads::pool(None)?.install(|| write(name, output))
}

fn write(name: &str, output: &Path) -> Result<Report> {
    let scene = build_scene(name)?;
    let about = scene.about.clone();
    let clip = clip_of_scene(scene)?;
    save(&Animation::of_clip(&clip)?, output)?;
    let surface = &clip.surface;
    let text = format!(
        "{about}\n{}, {}, {}, written to {}\n",
        counted(surface.faces.len(), "triangle"),
        counted(surface.n_vertices, "vertex"),
        counted(clip.n_frames(), "frame"),
        terminal::shown(output)
    );
    Ok(Report { text, ..Report::default() })
}
