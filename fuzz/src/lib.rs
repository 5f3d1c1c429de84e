//! Code shared by all targets.

use osculate_io::{Options, read_bytes};

/// Reads a file of the format given by the extension of `name`, and evaluates its first and its
/// last frames. Nothing may panic; the fuzzer limits memory and time.
pub fn read(bytes: &[u8], name: &str) {
    let Ok(clips) = read_bytes(bytes, name, &Options::default()) else { return };
    let mut pose = Vec::new();
    for clip in &clips {
        for frame in [0, clip.n_frames() - 1] {
            let _ = clip.pose(frame, &mut pose);
        }
    }
}
