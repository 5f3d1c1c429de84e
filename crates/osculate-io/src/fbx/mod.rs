//! FBX, binary and text: skins, blend shapes and animated nodes, with a clip for each take.
//!
//! The library `ufbx` parses files and evaluates their curves, constraints of scale inheritance and
//! pivots. Its memory is limited by the budget of the file. Positions are in meters and Y is up,
//! whatever the axes and the unit of the file.

mod model;
mod playing;
mod visibility;

use std::sync::Arc;

use crate::Options;
use crate::bytes::Budget;
use crate::clip::Clip;
use crate::error::{Error, Result, malformed};
use crate::mirrored;
use crate::stage::Take;
use playing::Playing;

/// Deepest node that is read: each frame walks to the root from each of them.
const MAX_DEPTH: u32 = 1000;

/// Returns the clips of a file: one for each take, or only the requested one, or the pose of the
/// nodes if there is none.
pub(crate) fn read(bytes: &[u8], file: &str, stem: &str, options: &Options) -> Result<Vec<Clip>> {
    let mut budget = Budget::new(file, bytes.len(), options.memory);
    let scene = load(bytes, file, &mut budget)?;
    let (model, mut surface) = model::read(&scene, file, &mut budget)?;
    mirrored::turn_by_bones(&mut surface, &model.rest());
    let fps = scene.settings.frames_per_second;
    let fps = if fps.is_finite() && 0.0 < fps { fps } else { options.fps };
    let names: Vec<String> =
        scene.anim_stacks.iter().enumerate().map(|(i, stack)| name_of(i, stack)).collect();
    let n_takes = names.len();
    let shared = Arc::new((scene, model));
    let surface = Arc::new(surface);
    let limit = usize::try_from(budget.left()).unwrap_or(usize::MAX);
    let mut clips = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if options.clip.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        budget.charge(1, 512 + 2 * name.len(), || format!("take {i}"))?;
        let (start, end) = span(&shared.0.anim_stacks[i]);
        let source =
            Arc::new(Playing { shared: shared.clone(), stack: Some(i), limit, file: file.to_owned() });
        clips.push(Take { name: name.clone(), start, end, fps, source }.into_clip(file, surface.clone())?);
    }
    match &options.clip {
        Some(wanted) if clips.is_empty() => Err(no_such_clip(file, wanted, &names)),
        None if n_takes == 0 => {
            let source = Arc::new(Playing { shared, stack: None, limit, file: file.to_owned() });
            let still = Take { name: stem.to_owned(), start: 0.0, end: 0.0, fps, source };
            Ok(vec![still.into_clip(file, surface)?])
        }
        _ => Ok(clips),
    }
}

/// Returns the first and the last moment of a take: those that it names, or else of its keys.
fn span(stack: &ufbx::AnimStack) -> (f64, f64) {
    if stack.time_begin < stack.time_end {
        return (stack.time_begin, stack.time_end);
    }
    let values = stack.layers.iter().flat_map(|layer| layer.anim_values.iter());
    let keys =
        values.flat_map(|value| value.curves.iter().flatten()).filter(|curve| !curve.keyframes.is_empty());
    let spans = keys.map(|curve| (curve.min_time, curve.max_time));
    let whole = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    whole.unwrap_or((stack.time_begin, stack.time_begin))
}

fn name_of(index: usize, stack: &ufbx::AnimStack) -> String {
    match &stack.element.name[..] {
        "" => format!("take {index}"),
        name => name.to_owned(),
    }
}

/// Returns the parsed file, within the budget.
fn load(bytes: &[u8], file: &str, budget: &mut Budget) -> Result<ufbx::SceneRoot> {
    if bytes.is_empty() {
        return Err(malformed(file, "header", "the file is empty"));
    }
    let limit = usize::try_from(budget.left()).unwrap_or(usize::MAX);
    let allocator = |share: usize| ufbx::AllocatorOpts { memory_limit: share, ..Default::default() };
    let options = ufbx::LoadOpts {
        temp_allocator: allocator(limit / 2),
        result_allocator: allocator(limit / 2),
        ignore_embedded: true,
        index_error_handling: ufbx::IndexErrorHandling::AbortLoading,
        node_depth_limit: MAX_DEPTH,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        file_format: ufbx::FileFormat::Fbx,
        ..Default::default()
    };
    let scene = ufbx::load_memory(bytes, options).map_err(|error| match error.type_ {
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::OutOfMemory | ufbx::ErrorType::AllocationLimit => {
            budget.exceeded(limit as u64 / 2, "the scene".into())
        }
        ufbx::ErrorType::UnsupportedVersion => Error::Unsupported {
            file: file.to_owned(),
            what: "this version of FBX".into(),
            advice: "export FBX 7.4 or 7.5".into(),
        },
        _ => {
            let (what, info) = (error.description.to_string(), error.info().to_owned());
            let info = if info.is_empty() { info } else { format!(" ({info})") };
            malformed(file, "scene", format!("{what}{info}"))
        }
    })?;
    budget.charge(scene.metadata.result_memory_used, 1, || "the scene".into())?;
    Ok(scene)
}

/// Returns the error for a clip that is not among those with the given names.
fn no_such_clip(file: &str, clip: &str, names: &[String]) -> Error {
    let available = match names.len() {
        0 => "there are no animations".to_owned(),
        n => {
            let first = names.iter().take(20).map(|name| name.chars().take(60).collect::<String>());
            let among = if n <= 20 { "there are" } else { "among them are" };
            format!("{among} {}", first.collect::<Vec<_>>().join(", "))
        }
    };
    Error::NoSuchClip { file: file.to_owned(), clip: clip.to_owned(), available }
}
