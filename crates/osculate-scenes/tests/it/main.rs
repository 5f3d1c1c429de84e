//! The tests of the built-in scenes, as one program.

mod catheter;
mod catheter_path;
mod cloth;
mod crowd;
mod scenes;
mod skinned;
