//! Code shared by all targets.

use osculate_io::{Clip, Options, read_bytes, read_cache};

/// Reads a file of the format given by the extension of `name`, and evaluates its first and its
/// last frames. Nothing may panic; the fuzzer limits memory and time.
pub fn read(bytes: &[u8], name: &str) {
    evaluate(&read_bytes(bytes, name, &Options::default()).unwrap_or_default());
}

/// The same for a point cache of four points.
pub fn read_with_mesh(bytes: &[u8], name: &str) {
    let square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    if let Ok(clip) = read_cache(bytes.to_vec(), name, square, &Options::default()) {
        evaluate(&[clip]);
    }
}

fn evaluate(clips: &[Clip]) {
    let mut pose = Vec::new();
    for clip in clips {
        for frame in [0, clip.n_frames() - 1] {
            let _ = clip.pose(frame, &mut pose);
        }
    }
}
