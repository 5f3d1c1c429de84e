//! Exceptions: which class an error of the library becomes, and its element.

use osculate::{Error, MeshFault, MeshFaults};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The classes of `osculate/_errors.py`.
#[derive(Clone, Copy)]
pub(crate) enum Class {
    Osculate,
    Mesh,
    Pose,
    File,
}

/// Returns an exception with a message and the element that is wrong.
pub(crate) fn exception<'py>(
    py: Python<'py>,
    class: Class,
    message: impl ToString,
    element: impl IntoPyObject<'py>,
) -> PyErr {
    static CLASSES: [PyOnceLock<Py<PyType>>; 4] = [const { PyOnceLock::new() }; 4];
    let name = ["OsculateError", "MeshError", "PoseError", "FileError"][class as usize];
    let found = CLASSES[class as usize].import(py, "osculate._errors", name);
    match found.and_then(|class| class.call1((message.to_string(), element))) {
        Ok(exception) => PyErr::from_value(exception.into_any()),
        Err(error) => error,
    }
}

/// An exception without an element.
pub(crate) fn plain(py: Python<'_>, class: Class, message: impl ToString) -> PyErr {
    exception(py, class, message, py.None())
}

/// The exception for an error of the library.
pub(crate) fn of_library(py: Python<'_>, error: &Error) -> PyErr {
    let (class, element) = match error {
        Error::Mesh(faults) => (Class::Mesh, of_faults(faults)),
        Error::Pose { faults, .. } => (Class::Pose, of_faults(faults)),
        Error::NonFinite { vertex, .. } => (Class::Pose, Some(*vertex)),
        Error::BoneRange { bone } => (Class::Pose, Some(*bone)),
        Error::BoneCount { .. } | Error::ParameterCount { .. } | Error::PoseLengths { .. } => {
            (Class::Pose, None)
        }
        Error::NoDeformer { body } | Error::PoseKinds { body, .. } => (Class::Pose, Some(body.index())),
        Error::NoSuchBone { vertex, .. }
        | Error::SkinWeight { vertex, .. }
        | Error::SkinWeightSum { vertex, .. } => (Class::Mesh, Some(*vertex)),
        Error::OtherSkin { .. } => (Class::Mesh, None),
        Error::NoSuchBody { body, .. } | Error::NotClosed { body, .. } => {
            (Class::Osculate, Some(body.index()))
        }
        _ => (Class::Osculate, None),
    };
    exception(py, class, error, element)
}

/// The exception for faults of a pose, which the library calls faults of a mesh.
pub(crate) fn of_pose(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Mesh(faults) => exception(py, Class::Pose, faults, of_faults(faults)),
        error => of_library(py, error),
    }
}

/// The triangle or vertex of the first fault.
fn of_faults(faults: &MeshFaults) -> Option<usize> {
    match faults.faults().first()? {
        MeshFault::VertexOutOfRange { triangle, .. } | MeshFault::RepeatedCorner { triangle, .. } => {
            Some(*triangle)
        }
        MeshFault::NonFinite { vertex, .. } => Some(*vertex),
        _ => None,
    }
}

/// The exception for an error of the command; the element of a file error is its path.
pub(crate) fn of_command(py: Python<'_>, error: &anyhow::Error) -> PyErr {
    let message = format!("{error:#}");
    let of_file = error.chain().find_map(|cause| cause.downcast_ref::<osculate_io::Error>());
    let of_library = error.chain().find_map(|cause| cause.downcast_ref::<Error>());
    let is_io = error.chain().any(|cause| cause.is::<std::io::Error>());
    use osculate_io::Error as Io;
    let file = match of_file {
        Some(Io::Io { path, .. }) => Some(path.to_string_lossy().into_owned()),
        Some(
            Io::Malformed { file, .. }
            | Io::Unsupported { file, .. }
            | Io::TooLarge { file, .. }
            | Io::NoSuchClip { file, .. }
            | Io::FacesDiffer { file, .. },
        ) => Some(file.clone()),
        _ => None,
    };
    match (of_file, of_library) {
        (Some(_), _) => exception(py, Class::File, message, file),
        (None, _) if is_io => plain(py, Class::File, message),
        _ => plain(py, Class::Osculate, message),
    }
}
