//! The walk: from trees of patches and their bounds to pairs of triangles that may touch.
//!
//! A walk is cut into tasks ([`task`]), each of which is taken apart into tasks one level below,
//! until pairs of triangles are left. What a walk asks about patches and pairs is plugged into it:
//! a certificate, a mask, a front. There are two kernels that take tasks apart: [`eager`], over
//! bounds that have all been refitted, four children to a node; and [`lazy`], over bounds that are
//! refitted when they are asked for, with any number of children. And there are three drivers:
//! [`parallel`] shares the tasks of an eager walk among workers; [`on_demand`] works off those of a
//! lazy one in order, or best first with a budget.

mod eager;
mod front;
pub(crate) mod lazy;
pub(crate) mod on_demand;
pub(crate) mod parallel;
mod task;
mod track;

pub(crate) use front::Front;
pub(crate) use task::Task;
