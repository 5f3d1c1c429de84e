//! The tests of clusters from skeletons, as one program.

mod complete;
mod odd_input;
mod scenes;
