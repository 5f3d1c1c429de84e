//! The tests of readers and writers on what is made here, as one program.

mod clip;
mod formats;
mod write;
