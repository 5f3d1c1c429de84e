//! Queries about the crowd, read from standard input, and their answers.
//!
//! Each line is a query that is run in all frames, and answered by one line of JSON with the
//! seconds it took. The results are then written, outside of the measured time, to
//! `FOLDER/crowd-NAME.u32`: rows of little-endian numbers. The queries, and the content of a row:
//!
//! - `any`: whether anything touches; the frame
//! - `bodies`: which bodies touch; the frame and two bodies
//! - `triangles`: which triangles touch; the frame, two bodies and their triangles

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Any,
    Bodies,
    Triangles,
}

/// The results of a frame: for each pair, two bodies and their triangles; and the time of the
/// stages.
pub(crate) struct Found {
    pub(crate) pairs: Vec<[u32; 4]>,
    pub(crate) stages: Vec<(&'static str, f64)>,
}

/// Answers until there are no more queries; `ask` is given a query and the number of a frame.
pub(crate) fn serve(
    folder: &Path,
    name: &str,
    n_frames: usize,
    mut ask: impl FnMut(Question, usize) -> Result<Found, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let question = match line.trim() {
            "any" => Question::Any,
            "bodies" => Question::Bodies,
            "triangles" => Question::Triangles,
            _ => return Err(format!("unknown question: {line}").into()),
        };
        let start = Instant::now();
        let found: Vec<Found> = (0..n_frames).map(|frame| ask(question, frame)).collect::<Result<_, _>>()?;
        let seconds = start.elapsed().as_secs_f64();
        let mut stages: Vec<(&str, f64)> = Vec::new();
        for &(stage, seconds) in found.iter().flat_map(|found| &found.stages) {
            match stages.iter_mut().find(|known| known.0 == stage) {
                Some(known) => known.1 += seconds,
                None => stages.push((stage, seconds)),
            }
        }
        let rows = rows(question, &found);
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        fs::write(folder.join(format!("crowd-{name}.u32")), bytes)?;
        let stages: Vec<String> =
            stages.iter().map(|(stage, seconds)| format!(r#""{stage}": {seconds}"#)).collect();
        send(&format!(r#"{{"seconds": {seconds}, "stages": {{{}}}}}"#, stages.join(", ")))?;
    }
    Ok(())
}

/// One row for each frame, pair of bodies, or pair of triangles, without repetitions.
fn rows(question: Question, found: &[Found]) -> Vec<Vec<u32>> {
    let width = match question {
        Question::Any => 1,
        Question::Bodies => 3,
        Question::Triangles => 5,
    };
    let frames = (0..).zip(found);
    let rows = frames.flat_map(|(frame, found)| {
        found.pairs.iter().map(move |&[a, b, ta, tb]| [frame, a, b, ta, tb][..width].to_vec())
    });
    let mut rows: Vec<Vec<u32>> = rows.collect();
    rows.dedup();
    rows
}

/// Sends one line of JSON.
pub(crate) fn send(json: &str) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{json}")?;
    stdout.flush()
}

/// Says why there is no answer.
pub(crate) fn send_error(error: &dyn Error) {
    let sentence = error.to_string().replace(['"', '\\', '\n'], "'");
    // If nobody listens any more, the exit code tells.
    let _ = send(&format!(r#"{{"error": "{sentence}"}}"#));
}
