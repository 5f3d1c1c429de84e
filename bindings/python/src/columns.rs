//! Results as columns: a numpy array for each field.

use numpy::{Element, PyArray1, PyArrayMethods as _};
use osculate::narrow::{ContactPoint, Relation};
use osculate::{BodyId, Contact, ContactKey, Crossing, Proximity};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pyo3::{type_hint_identifier, type_hint_subscript};

use crate::arrays::array_of;

/// Columns by name.
pub(crate) struct Columns<'py>(Bound<'py, PyDict>);

impl<'py> Columns<'py> {
    pub(crate) fn new(py: Python<'py>) -> Columns<'py> {
        Columns(PyDict::new(py))
    }

    /// Adds a column of numbers.
    pub(crate) fn add<T: Element>(&self, name: &'static str, items: Vec<T>) -> PyResult<()> {
        let py = self.0.py();
        self.0.set_item(PyString::intern(py, name), PyArray1::from_vec(py, items))
    }

    /// Adds a column of rows with N numbers each.
    pub(crate) fn add_rows<T: Element, const N: usize>(
        &self,
        name: &'static str,
        rows: Vec<[T; N]>,
    ) -> PyResult<()> {
        let py = self.0.py();
        let shape = [rows.len(), N];
        let column = PyArray1::from_vec(py, rows.into_flattened()).reshape(shape)?;
        self.0.set_item(PyString::intern(py, name), column)
    }
}

impl<'py> IntoPyObject<'py> for Columns<'py> {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("builtins", "dict"),
        type_hint_identifier!("builtins", "str"),
        array_of!(type_hint_identifier!("typing", "Any"))
    );

    fn into_pyobject(self, _: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Ok(self.0)
    }
}

/// The numbers of two bodies.
fn numbers(bodies: [BodyId; 2]) -> [u32; 2] {
    bodies.map(|body| body.index() as u32)
}

fn keys<'a>(columns: &Columns, all: impl Iterator<Item = &'a ContactKey> + Clone) -> PyResult<()> {
    columns.add("kind", all.clone().map(|key| key.kind as u8).collect())?;
    columns.add_rows("features", all.clone().map(|key| key.features).collect())?;
    columns.add_rows("bodies", all.map(|key| numbers(key.bodies)).collect())
}

fn points<'a>(columns: &Columns, all: impl Iterator<Item = &'a ContactPoint> + Clone) -> PyResult<()> {
    columns.add_rows("point", all.clone().map(|at| at.point).collect())?;
    columns.add_rows("normal", all.clone().map(|at| at.normal).collect())?;
    columns.add_rows("weights", all.clone().map(|at| at.weights).collect())?;
    columns.add("distance", all.map(|at| at.distance).collect())
}

/// The contacts of steps with their numbers.
pub(crate) fn contacts<'py>(py: Python<'py>, found: &[Contact], step: Vec<u32>) -> PyResult<Columns<'py>> {
    let columns = Columns::new(py);
    keys(&columns, found.iter().map(|contact| &contact.key))?;
    columns.add_rows("vertices", found.iter().map(|contact| contact.vertices).collect())?;
    columns.add("lo", found.iter().map(|contact| contact.lo).collect())?;
    columns.add("hi", found.iter().map(|contact| contact.hi).collect())?;
    points(&columns, found.iter().map(|contact| &contact.at))?;
    columns.add("step", step)?;
    Ok(columns)
}

pub(crate) fn proximities<'py>(py: Python<'py>, found: &[Proximity]) -> PyResult<Columns<'py>> {
    let columns = Columns::new(py);
    keys(&columns, found.iter().map(|proximity| &proximity.key))?;
    columns.add_rows("vertices", found.iter().map(|proximity| proximity.vertices).collect())?;
    points(&columns, found.iter().map(|proximity| &proximity.at))?;
    Ok(columns)
}

/// The crossings; a segment is NaN where there is none.
pub(crate) fn crossings<'py>(py: Python<'py>, found: &[Crossing]) -> PyResult<Columns<'py>> {
    let columns = Columns::new(py);
    columns.add_rows("triangles", found.iter().map(|crossing| crossing.triangles).collect())?;
    columns.add_rows("bodies", found.iter().map(|crossing| numbers(crossing.bodies)).collect())?;
    columns.add("relation", found.iter().map(|crossing| relation(crossing.relation)).collect())?;
    let segments = found.iter().map(|crossing| crossing.segment.unwrap_or([[f64::NAN; 3]; 2]));
    let segments: Vec<[f64; 6]> = segments.map(|[[a, b, c], [d, e, f]]| [a, b, c, d, e, f]).collect();
    columns.add_rows("segment", segments)?;
    Ok(columns)
}

/// The number of a relation, as in `osculate.Relation`.
fn relation(relation: Relation) -> u8 {
    match relation {
        Relation::Separate => 0,
        Relation::Touching => 1,
        Relation::Piercing => 2,
        Relation::Overlapping => 3,
    }
}
