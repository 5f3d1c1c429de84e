//! Arrays of Python as slices, without copies, and with their types for the stub file.

use std::ops::Deref;

use numpy::{Element, PyArray2, PyReadonlyArrayDyn, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_subscript};

/// Numbers of arrays; `TYPE` is the type of such an array in Python.
pub(crate) trait Item: Element {
    const TYPE: PyStaticExpr;
}

/// `numpy.typing.NDArray[…]` of a type.
macro_rules! array_of {
    ($item:expr) => {
        type_hint_subscript!(type_hint_identifier!("numpy.typing", "NDArray"), $item)
    };
}
pub(crate) use array_of;

impl Item for f64 {
    const TYPE: PyStaticExpr = array_of!(type_hint_identifier!("numpy", "float64"));
}

impl Item for u32 {
    const TYPE: PyStaticExpr = array_of!(type_hint_identifier!("numpy", "uint32"));
}

/// An array that a caller passes, borrowed.
pub(crate) struct Given<'py, T: Item>(PyReadonlyArrayDyn<'py, T>);

/// A C-contiguous array of f64, borrowed.
pub(crate) type Numbers<'py> = Given<'py, f64>;
/// A C-contiguous array of u32, borrowed.
pub(crate) type Indices<'py> = Given<'py, u32>;

impl<'py, T: Item> Deref for Given<'py, T> {
    type Target = PyReadonlyArrayDyn<'py, T>;

    fn deref(&self) -> &PyReadonlyArrayDyn<'py, T> {
        &self.0
    }
}

impl<'a, 'py, T: Item + 'a> FromPyObject<'a, 'py> for Given<'py, T> {
    type Error = PyErr;

    const INPUT_TYPE: PyStaticExpr = T::TYPE;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Given<'py, T>> {
        given.extract().map(Given)
    }
}

/// An array of rows that a caller gets.
pub(crate) struct Rows<'py, T: Item>(pub(crate) Bound<'py, PyArray2<T>>);

impl<'py, T: Item> IntoPyObject<'py> for Rows<'py, T> {
    type Target = PyArray2<T>;
    type Output = Bound<'py, PyArray2<T>>;
    type Error = PyErr;

    const OUTPUT_TYPE: PyStaticExpr = T::TYPE;

    fn into_pyobject(self, _: Python<'py>) -> PyResult<Bound<'py, PyArray2<T>>> {
        Ok(self.0)
    }
}

/// The items of an array. Fails if it is not in C order: `as_slice` would accept Fortran order.
pub(crate) fn items<'a, T: Item>(array: &'a Given<'_, T>) -> PyResult<&'a [T]> {
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err("the array is not C-contiguous"));
    }
    Ok(array.as_slice()?)
}

/// The rows of an array whose last dimension is N.
pub(crate) fn rows<'a, T: Item, const N: usize>(array: &'a Given<'_, T>) -> PyResult<&'a [[T; N]]> {
    if array.shape().last() != Some(&N) {
        return Err(PyTypeError::new_err(format!("the array has shape {:?}, not (…, {N})", array.shape())));
    }
    Ok(items(array)?.as_chunks().0)
}

/// The address of the rows that queries read; for tests.
#[pyfunction]
pub(crate) fn address(pose: Numbers<'_>) -> PyResult<usize> {
    Ok(rows::<f64, 3>(&pose)?.as_ptr().addr())
}
