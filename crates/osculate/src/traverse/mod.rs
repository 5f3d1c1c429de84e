//! The walk: from hierarchies and bounds to pairs of triangles that may touch.
//!
//! A walk is cut into tasks, which are independent and run in parallel; each task streams its pairs to a visitor and stores none.

mod walk;

pub(crate) use walk::{Side, Task, WalkStats, tasks, walk};
