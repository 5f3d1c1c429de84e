//! The world: bodies with their poses, and queries about them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArrayMethods as _, PyUntypedArrayMethods as _};
use osculate::{BodyId, BodySettings, Contact, Error, Pose, Query, Report};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{Numbers, Rows, items, rows};
use crate::columns::{self, Columns};
use crate::errors::{Class, exception, of_library, of_pose};
use crate::model::Model;
use crate::query::Options;
use crate::work::{run, run_on};

/// Bodies with their poses.
#[pyclass(frozen, module = "osculate._osculate")]
#[derive(Default)]
pub(crate) struct World {
    inner: Mutex<Inner>,
    /// Number of triangles of all bodies, by which small worlds are told from large ones.
    n_triangles: AtomicUsize,
}

#[derive(Default)]
struct Inner {
    world: osculate::World,
    ids: Vec<BodyId>,
}

/// Why a query failed.
enum Fault {
    Library(Error),
    NoSuchBody(usize, usize),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Library(error)
    }
}

impl Fault {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Fault::Library(error) => of_library(py, error),
            Fault::NoSuchBody(body, bodies) => {
                let message = format!("there is no body {body}; the world has {bodies}");
                exception(py, Class::Osculate, message, *body)
            }
        }
    }
}

impl Inner {
    fn id(&self, body: usize) -> Result<BodyId, Fault> {
        self.ids.get(body).copied().ok_or_else(|| Fault::NoSuchBody(body, self.world.len()))
    }

    fn moves<'a>(&self, moves: &[(usize, Pose<'a>)]) -> Result<Vec<(BodyId, Pose<'a>)>, Fault> {
        moves.iter().map(|(body, pose)| Ok((self.id(*body)?, pose.clone()))).collect()
    }
}

/// The pose in an array: (n, 3) vertices, or (b, 3, 4) bones.
fn pose<'a>(array: &'a Numbers<'_>) -> PyResult<Pose<'a>> {
    match array.shape() {
        [_, 3] => Ok(Pose::from(rows::<f64, 3>(array)?)),
        [_, 3, 4] => Ok(Pose::parameters(items(array)?)),
        shape => Err(PyTypeError::new_err(format!("the pose has shape {shape:?}"))),
    }
}

/// Bodies with their poses in arrays.
type Moves<'py> = Vec<(usize, Numbers<'py>)>;

fn poses<'a>(moves: &'a Moves<'_>) -> PyResult<Vec<(usize, Pose<'a>)>> {
    moves.iter().map(|(body, array)| Ok((*body, pose(array)?))).collect()
}

impl World {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs work on the world.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner, &AtomicBool) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let result = run_on(py, self.n_triangles.load(Relaxed), &self.inner, work)?;
        result.map_err(|fault| fault.raise(py))
    }
}

type Answer<'py> = PyResult<(Columns<'py>, u64)>;

#[pymethods]
impl World {
    #[new]
    fn new() -> World {
        World::default()
    }

    #[expect(clippy::too_many_arguments, reason = "one for each setting")]
    fn add(
        &self,
        py: Python<'_>,
        model: &Model,
        pose: Numbers<'_>,
        is_static: bool,
        self_contact: bool,
        groups: u32,
        touches: u32,
    ) -> PyResult<usize> {
        let settings = BodySettings::new();
        let settings =
            settings.is_static(is_static).self_contact(self_contact).groups(groups).touches(touches);
        let pose = self::pose(&pose)?;
        let (model, n) = (&model.0, model.0.mesh().triangles().len());
        let body = run_on(py, n, &self.inner, |inner, _| {
            let id = inner.world.add_with(model.clone(), pose, settings)?;
            inner.ids.push(id);
            Ok(id.index())
        })?;
        let body = body.map_err(|error: Error| of_library(py, &error))?;
        self.n_triangles.fetch_add(n, Relaxed);
        Ok(body)
    }

    fn remove(&self, py: Python<'_>, body: usize) -> PyResult<()> {
        self.with(py, |inner, _| Ok(inner.world.remove(inner.id(body)?)?))
    }

    /// The numbers of the bodies.
    fn bodies(&self, py: Python<'_>) -> Vec<usize> {
        py.detach(|| self.lock().world.bodies().map(BodyId::index).collect())
    }

    fn set_poses(&self, py: Python<'_>, moves: Moves<'_>) -> PyResult<()> {
        let moves = poses(&moves)?;
        self.with(py, |inner, _| Ok(inner.world.set_poses(&inner.moves(&moves)?)?))
    }

    fn vertices<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Rows<'py, f64>> {
        let vertices = self.with(py, |inner, _| Ok(inner.world.vertices(inner.id(body)?)?))?;
        let shape = [vertices.len(), 3];
        Ok(Rows(PyArray1::from_vec(py, vertices.into_flattened()).reshape(shape)?))
    }

    #[pyo3(signature = (moves, options: "dict[str, object]"))]
    fn contacts<'py>(&self, py: Python<'py>, moves: Moves<'py>, options: Options) -> Answer<'py> {
        let (moves, query) = (poses(&moves)?, options.query(py)?);
        let report = self
            .with(py, |inner, stop| Ok(inner.world.contacts(&inner.moves(&moves)?, &query.stop(stop))?))?;
        let step = vec![0; report.found.len()];
        Ok((columns::contacts(py, &report.found, step)?, report.count))
    }

    #[pyo3(signature = (options: "dict[str, object]"))]
    fn crossings<'py>(&self, py: Python<'py>, options: Options) -> Answer<'py> {
        let query = options.query(py)?;
        let report = self.with(py, |inner, stop| Ok(inner.world.crossings(&query.stop(stop))?))?;
        Ok((columns::crossings(py, &report.found)?, report.count))
    }

    #[pyo3(signature = (radius, options: "dict[str, object]"))]
    fn proximities<'py>(&self, py: Python<'py>, radius: f64, options: Options) -> Answer<'py> {
        let query = options.query(py)?;
        let report =
            self.with(py, |inner, stop| Ok(inner.world.proximities(radius, &query.stop(stop))?))?;
        Ok((columns::proximities(py, &report.found)?, report.count))
    }

    #[pyo3(signature = (moves, options: "dict[str, object]"))]
    fn largest_free_step<'py>(
        &self,
        py: Python<'py>,
        moves: Moves<'py>,
        options: Options,
    ) -> PyResult<(f64, Columns<'py>)> {
        let (moves, query) = (poses(&moves)?, options.query(py)?);
        let free = self.with(py, |inner, stop| {
            Ok(inner.world.largest_free_step(&inner.moves(&moves)?, &query.stop(stop))?)
        })?;
        let limit: Vec<Contact> = free.limit.into_iter().collect();
        Ok((free.size, columns::contacts(py, &limit, vec![0; limit.len()])?))
    }

    fn closest_points<'py>(
        &self,
        py: Python<'py>,
        body: usize,
        points: Numbers<'py>,
    ) -> PyResult<Columns<'py>> {
        let points = rows::<f64, 3>(&points)?;
        let found = self.with(py, |inner, stop| {
            let id = inner.id(body)?;
            each(points, stop, |&point| inner.world.closest_point(id, point))
        })?;
        let columns = Columns::new(py);
        let none = f64::NAN;
        columns.add("found", found.iter().map(Option::is_some).collect())?;
        columns.add("triangle", found.iter().map(|at| at.map_or(u32::MAX, |at| at.triangle)).collect())?;
        columns
            .add_rows("weights", found.iter().map(|at| at.map_or([none; 3], |at| at.weights)).collect())?;
        columns.add_rows("point", found.iter().map(|at| at.map_or([none; 3], |at| at.point)).collect())?;
        let distances = found.iter().map(|at| at.map_or(f64::INFINITY, |at| at.distance));
        columns.add("distance", distances.collect())?;
        Ok(columns)
    }

    fn signed_distances<'py>(
        &self,
        py: Python<'py>,
        body: usize,
        points: Numbers<'py>,
    ) -> PyResult<Columns<'py>> {
        let points = rows::<f64, 3>(&points)?;
        let distances = self.with(py, |inner, stop| {
            let id = inner.id(body)?;
            each(points, stop, |&point| inner.world.signed_distance(id, point))
        })?;
        let columns = Columns::new(py);
        columns.add("distance", distances)?;
        Ok(columns)
    }

    fn ray_casts<'py>(
        &self,
        py: Python<'py>,
        body: usize,
        start: Numbers<'py>,
        end: Numbers<'py>,
    ) -> PyResult<Columns<'py>> {
        let rays: Vec<_> = rows::<f64, 3>(&start)?.iter().zip(rows::<f64, 3>(&end)?).collect();
        let hits = self.with(py, |inner, stop| {
            let id = inner.id(body)?;
            each(&rays, stop, |&(&from, &to)| inner.world.ray_cast(id, from, to))
        })?;
        let columns = Columns::new(py);
        let none = f64::NAN;
        columns.add("found", hits.iter().map(Option::is_some).collect())?;
        columns.add("triangle", hits.iter().map(|hit| hit.map_or(u32::MAX, |hit| hit.triangle)).collect())?;
        columns.add("fraction", hits.iter().map(|hit| hit.map_or(none, |hit| hit.fraction)).collect())?;
        columns.add_rows("point", hits.iter().map(|hit| hit.map_or([none; 3], |hit| hit.point)).collect())?;
        Ok(columns)
    }
}

/// The answers for all items, until the flag is set.
fn each<I, T>(
    items: &[I],
    stop: &AtomicBool,
    mut answer: impl FnMut(&I) -> Result<T, Error>,
) -> Result<Vec<T>, Fault> {
    let answers =
        items.iter().map(|item| if stop.load(Relaxed) { Err(Error::Stopped) } else { answer(item) });
    Ok(answers.collect::<Result<_, _>>()?)
}

/// Contacts of all steps of a sequence of poses, `(k, n, 3)` or `(k, b, 3, 4)`.
#[pyfunction]
#[pyo3(signature = (model, sequence, options: "dict[str, object]"))]
pub(crate) fn contacts_batch<'py>(
    py: Python<'py>,
    model: &Model,
    sequence: Numbers<'py>,
    options: Options,
) -> Answer<'py> {
    let per_pose = sequence.shape().iter().skip(1).product::<usize>().max(1);
    let all = items(&sequence)?;
    let poses: Vec<Pose> = match sequence.shape() {
        [_, _, 3] => all.chunks(per_pose).map(|pose| Pose::from(pose.as_chunks::<3>().0)).collect(),
        [_, _, 3, 4] => all.chunks(per_pose).map(Pose::parameters).collect(),
        shape => return Err(PyTypeError::new_err(format!("the poses have shape {shape:?}"))),
    };
    let query = options.query(py)?;
    let (model, n) = (&model.0, model.0.mesh().triangles().len());
    let size = n.saturating_mul(poses.len());
    let reports = run(py, size, |stop| steps(model, &poses, &query.stop(stop)))?;
    let reports = reports.map_err(|(i, error)| {
        let raised = of_pose(py, &error);
        let note = format!("at pose {i} of {}", poses.len());
        raised.value(py).call_method1("add_note", (note,)).err().unwrap_or(raised)
    })?;
    let count = reports.iter().map(|report| report.count).sum();
    let numbered = reports.iter().zip(0u32..);
    let step = numbered.flat_map(|(report, i)| std::iter::repeat_n(i, report.found.len())).collect();
    let found: Vec<Contact> = reports.into_iter().flat_map(|report| report.found).collect();
    Ok((columns::contacts(py, &found, step)?, count))
}

/// Chunks of steps per thread: with several, threads that are done early take another one.
const PER_THREAD: usize = 4;

/// The reports of all steps. Long sequences are cut into chunks, each answered by one thread;
/// answers depend on the poses of their step alone. Fails with the number of a pose.
fn steps(
    model: &Arc<osculate::Model>,
    poses: &[Pose],
    query: &Query,
) -> Result<Vec<Report<Contact>>, (usize, Error)> {
    let Some(n_steps) = poses.len().checked_sub(1) else { return Ok(Vec::new()) };
    let run = |first: usize, end: usize| -> Result<Vec<Report<Contact>>, (usize, Error)> {
        let mut world = osculate::World::new();
        let body = world.add(model.clone(), &poses[first]).map_err(|error| (first, error))?;
        let step = |i: usize| {
            let report = world.contacts(&[(body, &poses[i + 1])], query)?;
            world.set_pose(body, &poses[i + 1])?;
            Ok(report)
        };
        (first..end)
            .map(step)
            .zip(first..)
            .map(|(report, i)| report.map_err(|error| (i + 1, error)))
            .collect()
    };
    let n_threads = rayon_threads();
    if n_threads == 1 || n_steps < 2 * n_threads {
        return run(0, n_steps);
    }
    let size = n_steps.div_ceil(PER_THREAD * n_threads);
    let chunks: Vec<Result<_, _>> = (0..n_steps.div_ceil(size))
        .into_par_iter()
        .with_max_len(1)
        .map(|i| osculate::on_this_thread(|| run(i * size, ((i + 1) * size).min(n_steps))))
        .collect();
    let mut all = Vec::with_capacity(n_steps);
    for chunk in chunks {
        all.extend(chunk?);
    }
    Ok(all)
}

/// Number of threads of the pool that this thread belongs to; 1 outside of one.
fn rayon_threads() -> usize {
    if rayon::current_thread_index().is_some() { rayon::current_num_threads() } else { 1 }
}
