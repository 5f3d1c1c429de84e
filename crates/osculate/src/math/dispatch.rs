//! For which sets of vector instructions a kernel is compiled.

/// As `fearless_simd::dispatch`, but on x86-64 for three sets of instructions only: AVX-512, AVX2,
/// and SSE2, which every processor has. SSE4.2 in between would serve only processors without AVX2,
/// and would be two fifths of the machine code of all kernels.
macro_rules! dispatch {
    ($level:expr, $simd:pat => $op:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            let level: fearless_simd::Level = $level;
            if let Some(token) = level.as_avx512() {
                let $simd = token;
                fearless_simd::Simd::vectorize(token, #[inline(always)] || $op)
            } else if let Some(token) = level.as_avx2() {
                let $simd = token;
                fearless_simd::Simd::vectorize(token, #[inline(always)] || $op)
            } else if let Some(token) = level.as_sse2() {
                let $simd = token;
                fearless_simd::Simd::vectorize(token, #[inline(always)] || $op)
            } else {
                unreachable!("SSE2 is a part of x86-64")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!($level, $simd => $op)
        }
    }};
}

pub(crate) use dispatch;
