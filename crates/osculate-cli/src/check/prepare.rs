//! Builds the bodies of a clip, with clusters, bones or other parameters if the method uses them.

use anyhow::{Context as _, Result};
use osculate::Mesh;
use osculate::method::Input;
use osculate_io::{Clip, Surface};

use super::args::Args;
use crate::bodies::{Parts, Wanted, are_grown_instead};
use crate::governors::Governors;
use crate::rig::Skeleton;
use crate::terminal::shown;
use crate::words::counted;
use crate::{clusters, governors};

/// Returns the bodies of a clip's surface, with models made at a rest pose, and at the given pose
/// of a frame; and a note about their clusters or parameters.
///
/// With a method that refits bounds from parameters, such as bones, bodies are posed by these if
/// they alone determine the vertices.
///
/// Clusters are read from the user's file. If it does not exist, they are computed and written to
/// it.
pub(super) fn bodies(
    args: &Args,
    input: &str,
    clip: &Clip,
    frame: usize,
    [rest, pose]: [&[[f64; 3]]; 2],
) -> Result<(Parts, String)> {
    let surface = &*clip.surface;
    let new = |wanted: Wanted| Parts::with_rest(input, surface, [rest, pose], args.bodies, wanted);
    if args.method().gains_from(Input::Parameters) {
        let Governors { deformer, name } = match governors::of_clip(clip, frame, pose)? {
            Ok(known) => known,
            Err(why) => {
                return Ok((new(Wanted::Nothing)?, format!("; posed by vertices, as {why}")));
            }
        };
        let mut parts = new(Wanted::Deformer(&deformer))?;
        if let Some(parameters) = governors::parameters(clip, frame)? {
            parts.set_next_parameters(parameters);
        }
        parts.advance().with_context(|| input.to_owned())?;
        return Ok((parts, format!("; posed by {name}")));
    }
    if !args.method().gains_from(Input::Clusters) {
        return Ok((new(Wanted::Nothing)?, String::new()));
    }
    let Some(path) = &args.clusters else {
        let parts = new(Wanted::Clusters)?;
        let words = format!("; {}{}", counted(parts.clusters()?.len(), "cluster"), origin(surface));
        return Ok((parts, words));
    };
    let mesh = Mesh::new(surface.faces.clone(), surface.n_vertices).with_context(|| input.to_owned())?;
    let skeleton = surface.skin.as_ref().map(Skeleton::of).transpose().with_context(|| input.to_owned())?;
    let joints = skeleton.map(|skeleton| skeleton.rest());
    let file = shown(path);
    if let Some(whole) = clusters::load(path, &mesh, joints.as_deref())? {
        let words = format!("; {}, read from {file}", counted(whole.len(), "cluster"));
        return Ok((new(Wanted::GivenClusters(&whole))?, words));
    }
    let parts = new(Wanted::Clusters)?;
    let whole = parts.clusters()?;
    clusters::save(path, &mesh, &whole)?;
    let words = format!("; {}{}, written to {file}", counted(whole.len(), "cluster"), origin(surface));
    Ok((parts, words))
}

/// Where clusters that were made come from, if one would think they come from the skeleton.
fn origin(surface: &Surface) -> &'static str {
    if are_grown_instead(surface) { ", grown along the surface" } else { "" }
}
