//! What is checked of any rasterizer: frames, compared with all pairs, and worlds, compared with
//! brute force. The tests of `osculate-gpu` include this module.

mod frames;
pub(crate) mod worlds;

pub(crate) use frames::{check_crowds, check_frames, check_special_frames};
pub(crate) use worlds::{check_worlds, sets};
