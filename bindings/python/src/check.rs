//! `osculate.check` and `osculate.check_frames`: the report of the command, without printing.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::Result;
use osculate_cli::{Checked, Place, Watch};
use osculate_io::write::JsonWriter;
use osculate_io::{Bone, Clip, Influence, Skin, Surface};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{Indices, Numbers, items, rows};
use crate::columns::Columns;
use crate::errors::{Class, of_command, plain};
use crate::work::{run, run_with};

/// What a check returns: the JSON report, notes, and the entry of each pair in a baseline file.
type Answer<'py> = (Bound<'py, PyBytes>, Vec<String>, Vec<String>);

/// Check a clip with the arguments of `osculate check`; return the JSON report, notes, and the
/// entry of each pair in a baseline file.
#[pyfunction]
#[pyo3(signature = (arguments: "list[str]") -> "tuple[bytes, list[str], list[str]]")]
pub(crate) fn check(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Answer<'_>> {
    let with_frames = lists_contacts(&arguments);
    // As large as can be: the size of the clip is not known yet.
    let checked = run(py, usize::MAX, |interrupted| {
        let watch = Watch { interrupted, n_done: Arc::default() };
        written(osculate_cli::check(arguments, &watch)?, with_frames)
    })?;
    Ok(answer(py, raised(py, checked)?).0)
}

/// The bones of `osculate.Bones`, each with its parent, -1 for none.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Bones<'py> {
    names: Vec<String>,
    parents: Vec<i64>,
    heads: Numbers<'py>,
    joints: Indices<'py>,
    weights: Numbers<'py>,
}

/// What moves: `osculate.check_frames` says what it is.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Given<'py> {
    name: String,
    fps: f64,
    faces: Indices<'py>,
    frames: Numbers<'py>,
    rest: Option<Numbers<'py>>,
    objects: Vec<String>,
    vertex_object: Indices<'py>,
    bones: Option<Bones<'py>>,
}

/// Check frames in memory with the arguments of `osculate check`; return what `check` does, and the
/// places of episodes. `progress` is called with the number of frames that are done; if it raises
/// an exception, the check ends with it.
#[pyfunction]
#[pyo3(signature = (
    given: "dict[str, object]", arguments: "list[str]", progress: "object"
) -> "tuple[tuple[bytes, list[str], list[str]], list[dict[str, NDArray[Any]]]]")]
pub(crate) fn check_frames<'py>(
    py: Python<'py>,
    given: Given<'py>,
    arguments: Vec<OsString>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Answer<'py>, Vec<Columns<'py>>)> {
    let with_frames = lists_contacts(&arguments);
    let clip = raised(py, clip(py, &given)?)?;
    let n_done = Arc::new(AtomicUsize::new(0));
    let tick = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (n_done.load(Relaxed),)).map(drop),
        None => Ok(()),
    };
    let checked = run_with(py, tick, |interrupted| {
        let watch = Watch { interrupted, n_done: n_done.clone() };
        written(osculate_cli::check_clip(clip, arguments, &watch)?, with_frames)
    })?;
    let (answer, places) = answer(py, raised(py, checked)?);
    Ok((answer, places.iter().map(|place| columns(py, place)).collect::<PyResult<_>>()?))
}

fn lists_contacts(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--contacts")
}

/// The report as JSON, with all else that was found.
fn written(checked: Checked, with_frames: bool) -> Result<(Vec<u8>, Checked)> {
    let mut json = JsonWriter::new(Vec::new(), with_frames);
    for frame in &checked.frames {
        json.frame(frame)?;
    }
    Ok((json.finish(&checked.report)?, checked))
}

fn answer<'py>(py: Python<'py>, (json, checked): (Vec<u8>, Checked)) -> (Answer<'py>, Vec<Place>) {
    ((PyBytes::new(py, &json), checked.notes, checked.baseline), checked.places)
}

fn raised<T>(py: Python<'_>, result: Result<T>) -> PyResult<T> {
    result.map_err(|error| match error.is::<std::io::Error>() {
        true => plain(py, Class::File, format!("{error:#}")),
        false => of_command(py, &error),
    })
}

/// The clip that is given. Exceptions are defects of the caller, which has checked shapes; errors
/// are about values.
fn clip(py: Python<'_>, given: &Given<'_>) -> PyResult<Result<Clip>> {
    let Given { name, fps, objects, .. } = given;
    let (faces, frames) = (rows::<u32, 3>(&given.faces)?, rows::<f64, 3>(&given.frames)?);
    let vertex_object = items(&given.vertex_object)?;
    let rest = given.rest.as_ref().map(rows::<f64, 3>).transpose()?;
    let bones = given.bones.as_ref().map(BoneSlices::of).transpose()?;
    run(py, frames.len(), |_| {
        let n_vertices = vertex_object.len();
        let frames: Vec<Vec<[f64; 3]>> = frames.chunks(n_vertices.max(1)).map(<[_]>::to_vec).collect();
        let skin = match (bones, rest.or(frames.first().map(Vec::as_slice))) {
            (Some(bones), Some(rest)) => Some(bones.skin(name, rest)?),
            _ => None,
        };
        let surface = Surface {
            faces: faces.to_vec(),
            n_vertices,
            objects: objects.clone(),
            static_objects: Vec::new(),
            vertex_object: vertex_object.to_vec(),
            skin,
            welding: None,
            skipped: 0,
            notes: Vec::new(),
        };
        Ok(Clip::from_poses_and_rest(name, *fps, surface, frames, rest.map(<[_]>::to_vec))?)
    })
}

/// Bones as slices, which can be read without the interpreter.
struct BoneSlices<'a> {
    names: &'a [String],
    parents: &'a [i64],
    heads: &'a [[f64; 3]],
    joints: &'a [u32],
    weights: &'a [f64],
}

impl<'a> BoneSlices<'a> {
    fn of(bones: &'a Bones<'_>) -> PyResult<BoneSlices<'a>> {
        Ok(BoneSlices {
            names: &bones.names,
            parents: &bones.parents,
            heads: rows(&bones.heads)?,
            joints: items(&bones.joints)?,
            weights: items(&bones.weights)?,
        })
    }

    fn skin(&self, name: &str, rest: &[[f64; 3]]) -> Result<Skin> {
        let all = self.names.iter().zip(self.parents).zip(self.heads);
        let all = all.map(|((name, &parent), &head)| Bone {
            name: name.clone(),
            parent: u32::try_from(parent).ok(),
            head,
            tail: None,
        });
        let per_vertex = (self.joints.len() / rest.len().max(1)).max(1);
        let rows = self.joints.chunks(per_vertex).zip(self.weights.chunks(per_vertex));
        let influences = rows.map(|(joints, weights)| {
            let pairs = joints.iter().zip(weights).filter(|&(_, &weight)| weight != 0.0);
            pairs.map(|(&bone, &weight)| Influence { bone, weight }).collect()
        });
        let vertices = rest.iter().copied().zip(influences);
        Ok(Skin::from_vertices(name, all.collect(), vertices)?)
    }
}

/// A place as columns; `ends` are the numbers of points up to the end of each curve.
fn columns<'py>(py: Python<'py>, place: &Place) -> PyResult<Columns<'py>> {
    let columns = Columns::new(py);
    columns.add("triangles", place.triangles.clone())?;
    columns.add_rows("points", place.curves.concat())?;
    let ends = place.curves.iter().scan(0, |end, curve| {
        *end += curve.len() as u32;
        Some(*end)
    });
    columns.add("ends", ends.collect())?;
    columns.add("vertices", place.depths.iter().map(|&(vertex, _)| vertex).collect())?;
    columns.add("depths", place.depths.iter().map(|&(_, depth)| depth).collect())?;
    columns.add_rows(
        "contacts",
        place.contacts.iter().map(|[p, n]| [p[0], p[1], p[2], n[0], n[1], n[2]]).collect(),
    )?;
    Ok(columns)
}
