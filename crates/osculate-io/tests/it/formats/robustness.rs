//! Truncated and damaged files: an error or a clip, never a panic, and never slow.

use std::time::{Duration, Instant};

use osculate_io::{Options, read_bytes, read_cache};

use super::support::{Random, bounded, npz};

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let (gltf, root) = super::gltf::skinned();
    [
        ("a.ply", super::ply::TEXT.into()),
        ("b.ply", super::ply::binary(false)),
        ("c.ply", super::ply::binary(true)),
        ("d.obj", super::obj::TEXT.into()),
        ("e.npz", npz(&super::npz::skin(), false)),
        ("f.npz", npz(&super::npz::skin(), true)),
        ("g.glb", gltf.glb(root)),
        ("h.glb", super::gltf_animation::everything()),
        ("i.pc2", super::cache::pc2()),
        ("j.mdd", super::cache::mdd()),
        ("k.abc", super::abc::squares()),
        #[cfg(feature = "fbx")]
        ("l.fbx", super::fbx::strip()),
        #[cfg(feature = "fbx")]
        ("p.fbx", super::fbx::binary(&super::fbx::strip())),
        #[cfg(feature = "usd")]
        ("m.usda", super::usd::STRIP.into()),
        #[cfg(feature = "usd")]
        ("n.usdc", super::usd::binary(super::usd::STRIP)),
        #[cfg(feature = "usd")]
        ("o.usdz", super::usd::package(&[("o.usdc", &super::usd::binary(super::usd::STRIP))])),
    ]
    .into_iter()
    .chain(super::packed::FIXTURES.map(|(name, bytes)| (name, bytes.to_vec())))
    .collect()
}

/// Reads the bytes, and a few frames of the result. The limit keeps thousands of files fast that
/// need much memory.
fn try_read(bytes: &[u8], name: &str) {
    let start = Instant::now();
    try_read_within(bytes, name, Some(32 << 20));
    assert!(start.elapsed() < Duration::from_secs(5), "{name} took {:?}", start.elapsed());
}

/// The same, within a memory budget.
fn try_read_within(bytes: &[u8], name: &str, memory: Option<u64>) {
    let mut pose = Vec::new();
    let options = Options { memory, ..Options::default() };
    let clips = if name.ends_with(".pc2") || name.ends_with(".mdd") {
        read_cache(bytes.to_vec(), name, super::cache::MESH, &options).map(|clip| vec![clip])
    } else {
        read_bytes(bytes, name, &options)
    };
    for clip in clips.unwrap_or_default() {
        for frame in [0, clip.n_frames() / 2, clip.n_frames() - 1, clip.n_frames()] {
            if clip.pose(frame, &mut pose).is_ok() {
                assert_eq!(pose.len(), clip.surface.n_vertices);
            }
        }
        if let Some(skin) = &clip.surface.skin {
            assert!((0..clip.surface.n_vertices).all(|vertex| skin.dominant_bone(vertex).is_some()));
        }
    }
}

/// Returns the bytes with one to three of them changed.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(damaged.len());
        match random.below(4) {
            0 => damaged[at] = random.next() as u8,
            // Digits of texts and lengths of binary files become large.
            1 => damaged[at] = [b'9', 0xff, 0x7f, b'-'][random.below(4)],
            2 => drop(damaged.splice(at..at, [b'9', b'9', b'9'])),
            _ => damaged[at] ^= 1 << random.below(8),
        }
    }
    damaged
}

#[test]
fn every_truncation() {
    for (name, bytes) in samples() {
        for length in 0..bytes.len() {
            try_read(&bytes[..length], name);
        }
    }
}

#[test]
fn flipped_bits_and_foreign_bytes() {
    let mut random = Random(7);
    for (name, bytes) in samples() {
        for _ in 0..4000 {
            try_read(&damaged(&bytes, &mut random), name);
        }
    }
}

/// The budget that files have without a limit by the user keeps to the time and the memory for
/// damaged files.
#[test]
fn damaged_files_within_the_usual_budget() {
    let mut random = Random(13);
    for (name, bytes) in samples() {
        for _ in 0..200 {
            let damaged = damaged(&bytes, &mut random);
            bounded(name, || try_read_within(&damaged, name, None));
        }
    }
}

/// Damages the arrays themselves, with checksums that match, so that the readers of arrays meet
/// them.
#[test]
fn damaged_arrays_in_sound_archives() {
    let mut random = Random(11);
    for _ in 0..4000 {
        let mut members = super::npz::skin();
        let index = random.below(members.len());
        let array = &mut members[index].1;
        let at = random.below(array.len());
        array[at] =
            if random.below(2) == 0 { random.next() as u8 } else { array[at] ^ (1 << random.below(8)) };
        try_read(&npz(&members, false), "a.npz");
    }
}
