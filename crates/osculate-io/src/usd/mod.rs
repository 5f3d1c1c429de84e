//! USD: text (`.usda`), binary (`.usdc`), packages (`.usdz`), and `.usd` for either of the first
//! two.
//!
//! The crate `openusd` parses layers, after they were checked here ([`binary`], [`text`]). What
//! follows is done here: finding other layers ([`layer`]), composing them ([`compose`]), asking for
//! the strongest opinions ([`fields`]), and evaluating what moves meshes. Positions are in meters
//! and Y is up, whatever the axes and the unit of the file.

mod binary;
mod compose;
mod fields;
mod layer;
mod lists;
mod model;
mod numbers;
mod paths;
mod playing;
mod samples;
mod scene;
mod skel;
mod text;
mod xform;

use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use crate::Options;
use crate::bytes::{self, Budget};
use crate::clip::{Clip, Surface};
use crate::error::{Result, malformed};
use crate::mirrored;
use crate::stage::{Source as _, Take};
use layer::Layers;
use playing::Playing;

/// Stack of the thread that reads, in bytes. Levels of text and of prims are limited, so that this
/// is enough for both.
const STACK: usize = 256 << 20;
/// The name of the thread that reads.
const THREAD: &str = "osculate-usd";

/// A scene, and the files that it consists of.
struct Read {
    playing: Playing,
    surface: Surface,
    /// First and last time codes that the file names, and its frames per second.
    span: (Option<f64>, Option<f64>),
    fps: f64,
    opened: Vec<PathBuf>,
}

/// Returns the clip of a file. Other layers are searched beside `path`, if there is one.
pub(crate) fn read(
    bytes: Vec<u8>,
    file: &str,
    stem: &str,
    path: Option<&Path>,
    options: &Options,
) -> Result<Clip> {
    let Read { playing, mut surface, span, fps, .. } = guarded(bytes, file, path, options)?;
    mirrored::turn_by_bones(&mut surface, &playing.matrices(None)?);
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for times in playing.moving() {
        first = first.min(times[0]);
        last = last.max(times[times.len() - 1]);
    }
    let (start, end) = match span {
        // What stands still has one frame.
        _ if last < first => (0.0, 0.0),
        (Some(start), Some(end)) if start <= end => (start, end),
        _ => (first, last),
    };
    let rate = playing.time_codes_per_second;
    let (start, end) = (start / rate, end / rate);
    Take { name: stem.to_owned(), start, end, fps, source: Arc::new(playing) }
        .into_clip(file, Arc::new(surface))
}

/// Returns the files that a file refers to; of a damaged one, none.
pub(crate) fn external_layers(path: &Path) -> Vec<PathBuf> {
    let file = path.display().to_string();
    let read = bytes::read(path).and_then(|bytes| guarded(bytes, &file, Some(path), &Options::default()));
    read.map_or_else(|_| Vec::new(), |read| read.opened)
}

/// Reads a file in a thread of its own, whose stack is large. A panic of the parser becomes an
/// error, and is not reported by itself.
fn guarded(bytes: Vec<u8>, file: &str, path: Option<&Path>, options: &Options) -> Result<Read> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() != Some(THREAD) {
                others(info);
            }
        }));
    });
    let fault = |problem: String| malformed(file, "layers", problem);
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name(THREAD.into()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, || parse(bytes, file, path, options));
        let thread = thread.map_err(|error| fault(format!("there is no memory for a stack ({error})")))?;
        thread.join().unwrap_or_else(|_| Err(fault("they are damaged; the parser of USD gave up".into())))
    })
}

fn parse(bytes: Vec<u8>, file: &str, path: Option<&Path>, options: &Options) -> Result<Read> {
    let size = bytes.len();
    let mut of_layers = Budget::new(file, size, options.memory);
    let mut layers = Layers::open(bytes, file, path, &mut of_layers)?;
    let left = layers.budget.borrow().left();
    // The surface is built from what the layers leave.
    let mut of_surface = Budget::new(file, 0, Some(left));
    let (playing, surface) = model::read(&mut layers, &mut of_surface)?;
    let span = (layers.number(0, "startTimeCode")?, layers.number(0, "endTimeCode")?);
    let frames = layers.number(0, "framesPerSecond")?.filter(|fps| fps.is_finite() && 0.0 < *fps);
    let fps = frames.unwrap_or(playing.time_codes_per_second);
    Ok(Read { playing, surface, span, fps, opened: std::mem::take(&mut layers.opened) })
}
