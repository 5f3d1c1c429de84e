//! Arrays of Python as slices, without copies.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A C-contiguous array of f64, borrowed.
pub(crate) type Numbers<'py> = PyReadonlyArrayDyn<'py, f64>;
/// A C-contiguous array of u32, borrowed.
pub(crate) type Indices<'py> = PyReadonlyArrayDyn<'py, u32>;

/// The items of an array. Fails if it is not in C order: `as_slice` would accept Fortran order.
pub(crate) fn items<'a, T: numpy::Element>(array: &'a PyReadonlyArrayDyn<'_, T>) -> PyResult<&'a [T]> {
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err("the array is not C-contiguous"));
    }
    Ok(array.as_slice()?)
}

/// The rows of an array whose last dimension is N.
pub(crate) fn rows<'a, T: numpy::Element, const N: usize>(
    array: &'a PyReadonlyArrayDyn<'_, T>,
) -> PyResult<&'a [[T; N]]> {
    if array.shape().last() != Some(&N) {
        return Err(PyTypeError::new_err(format!("the array has shape {:?}, not (…, {N})", array.shape())));
    }
    Ok(items(array)?.as_chunks().0)
}

/// The address of the rows that queries read; for tests.
#[pyfunction]
#[pyo3(signature = (pose: "numpy.typing.NDArray[numpy.float64]"))]
pub(crate) fn address(pose: Numbers<'_>) -> PyResult<usize> {
    Ok(rows::<f64, 3>(&pose)?.as_ptr().addr())
}
