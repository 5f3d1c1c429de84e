//! What all targets share.

use osculate_io::{Options, read_bytes};

/// Reads a file of the format that the extension of `name` tells, and evaluates its first and its
/// last frames. Nothing may panic; the limits of memory and time are those of the fuzzer.
pub fn read(bytes: &[u8], name: &str) {
    let Ok(clips) = read_bytes(bytes, name, &Options::default()) else { return };
    let mut pose = Vec::new();
    for clip in &clips {
        for frame in [0, clip.n_frames() - 1] {
            let _ = clip.pose(frame, &mut pose);
        }
    }
}
