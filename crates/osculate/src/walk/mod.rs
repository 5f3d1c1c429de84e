//! The walk: traversal of hierarchies of patches, from bounds down to candidate pairs of triangles.
//!
//! A walk is cut into tasks ([`task`]), each of which is expanded into tasks one level below, until
//! pairs of triangles are left. Certificates, masks and fronts are plugged into it. Two kernels
//! expand tasks: [`eager`], over bounds that have all been refitted, four children to a node; and
//! [`lazy`], over bounds that are refitted on demand, with any number of children. Four drivers
//! work tasks off: [`parallel`] those of an eager walk; [`waves`] those of a lazy one in parallel;
//! [`on_demand`] those of a lazy one in the calling thread, in order, or with a budget those that
//! overlap most first.

mod eager;
mod front;
pub(crate) mod lazy;
pub(crate) mod on_demand;
pub(crate) mod parallel;
mod task;
mod track;
pub(crate) mod waves;

pub(crate) use front::Front;
pub(crate) use task::Task;
