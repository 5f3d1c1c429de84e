//! Random numbers for unit tests.

/// Numbers in [0, 1), the same for the same seed.
pub(crate) fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 40) as f64 / (1u64 << 24) as f64
    }
}
