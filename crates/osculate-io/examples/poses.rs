//! Prints the objects of each clip of a file, their triangles and their positions in each frame, as
//! JSON: what `cargo xtask exchange` compares with Blender's own evaluation.

use std::process::ExitCode;

use osculate_io::{Options, open};
use serde_json::json;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: poses FILE");
        return ExitCode::FAILURE;
    };
    match poses(&path.into()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn poses(path: &std::path::PathBuf) -> osculate_io::Result<serde_json::Value> {
    let mut clips = Vec::new();
    let mut pose = Vec::new();
    for clip in open(std::slice::from_ref(path), &Options { fps: 24.0, ..Options::default() })? {
        let mut frames = Vec::new();
        for frame in 0..clip.n_frames() {
            clip.pose(frame, &mut pose)?;
            frames.push(pose.clone());
        }
        let has_rest = clip.rest(&mut pose);
        clips.push(json!({
            "name": clip.name,
            "fps": clip.fps,
            "times": (0..clip.n_frames()).map(|frame| clip.time(frame)).collect::<Vec<_>>(),
            "objects": clip.surface.objects,
            "vertex_object": clip.surface.vertex_object,
            "faces": clip.surface.faces,
            "notes": clip.surface.notes,
            "bones": clip.surface.skin.as_ref().map(|skin| {
                skin.bones.iter().map(|bone| json!([bone.name, bone.parent, bone.head])).collect::<Vec<_>>()
            }),
            "rest": has_rest.then_some(&pose),
            "frames": frames,
        }));
    }
    Ok(clips.into())
}
