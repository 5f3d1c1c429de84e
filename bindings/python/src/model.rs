//! Meshes, skins and models: immutable, and shared by worlds and threads.

use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays::{Indices, Item, Numbers, Rows, items, rows};
use crate::errors::{of_library, of_pose};
use crate::work::run;

/// Triangles over vertices.
#[pyclass(frozen, module = "osculate._osculate")]
pub(crate) struct Mesh(osculate::Mesh);

#[pymethods]
impl Mesh {
    #[new]
    fn new(py: Python<'_>, faces: Indices<'_>, n: usize) -> PyResult<Mesh> {
        let faces = rows::<u32, 3>(&faces)?;
        let mesh = run(py, faces.len(), |_| osculate::Mesh::new(faces.to_vec(), n))?;
        mesh.map(Mesh).map_err(|faults| of_library(py, &faults.into()))
    }

    /// Number of vertices.
    fn n_vertices(&self) -> usize {
        self.0.n_vertices()
    }

    /// The triangles.
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, u32>> {
        table(py, self.0.triangles().as_flattened(), 3)
    }

    /// The edges.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py, u32>> {
        let edges = run(py, self.0.triangles().len(), |_| self.0.edges())?;
        table(py, edges.as_flattened(), 2)
    }
}

fn table<'py, T: Item>(py: Python<'py>, items: &[T], n: usize) -> PyResult<Rows<'py, T>> {
    Ok(Rows(PyArray1::from_slice(py, items).reshape([items.len() / n, n])?))
}

/// The bones and weights of each vertex.
#[pyclass(frozen, module = "osculate._osculate")]
pub(crate) struct Skin(osculate::Skin);

#[pymethods]
impl Skin {
    /// `joints` and `weights` have a row for each vertex; entries with weight zero do not count.
    #[new]
    fn new(
        py: Python<'_>,
        rest: Numbers<'_>,
        joints: Indices<'_>,
        weights: Numbers<'_>,
        n_bones: usize,
    ) -> PyResult<Skin> {
        let &[_, per_vertex] = joints.shape() else { return Err(PyTypeError::new_err("joints need rows")) };
        if joints.shape() != weights.shape() {
            return Err(PyTypeError::new_err("joints and weights need the same shape"));
        }
        let (joints, weights) = (items(&joints)?, items(&weights)?);
        let rest = rows::<f64, 3>(&rest)?;
        let per_vertex = per_vertex.max(1);
        let influences =
            joints.chunks(per_vertex).zip(weights.chunks(per_vertex)).map(|(joints, weights)| {
                let pairs = joints.iter().copied().zip(weights.iter().copied());
                pairs.filter(|&(_, weight)| weight != 0.0).collect::<Vec<(u32, f64)>>()
            });
        let skin = run(py, rest.len(), |_| osculate::Skin::new(n_bones, rest, influences))?;
        skin.map(Skin).map_err(|error| of_library(py, &error))
    }

    /// Number of bones.
    fn n_bones(&self) -> usize {
        self.0.n_bones()
    }

    /// The positions of all vertices at a pose of the bones.
    fn pose<'py>(&self, py: Python<'py>, bones: Numbers<'py>) -> PyResult<Rows<'py, f64>> {
        let bones = rows::<f64, 4>(&bones)?.as_chunks::<3>().0;
        if bones.len() != self.0.n_bones() {
            let error = osculate::Error::BoneCount { given: bones.len(), bones: self.0.n_bones() };
            return Err(of_library(py, &error));
        }
        let positions = run(py, self.0.rest().len(), |_| self.0.pose(bones))?;
        table(py, positions.as_flattened(), 3)
    }
}

/// A mesh with its hierarchy.
#[pyclass(frozen, module = "osculate._osculate")]
pub(crate) struct Model(pub(crate) Arc<osculate::Model>);

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (mesh, rest, skin=None))]
    fn new(py: Python<'_>, mesh: &Mesh, rest: Numbers<'_>, skin: Option<PyRef<'_, Skin>>) -> PyResult<Model> {
        let rest = rows::<f64, 3>(&rest)?;
        let mesh = &mesh.0;
        let model = run(py, mesh.triangles().len(), |_| osculate::Model::new(mesh.clone(), rest))?;
        let model = model.map_err(|error| of_pose(py, &error))?;
        let model = match skin {
            Some(skin) => model.with_skin(skin.0.clone()).map_err(|error| of_library(py, &error))?,
            None => model,
        };
        Ok(Model(Arc::new(model)))
    }
}
