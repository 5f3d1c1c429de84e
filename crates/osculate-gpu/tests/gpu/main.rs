//! The rasterizer on a GPU passes the checks of the library's own one, and its faults lose nothing.
//!
//! Without an adapter, the trials that need one are reported as ignored, not as passed. With one
//! that cannot be used, they fail.

#[allow(dead_code, unused_imports)]
#[path = "../../../osculate/tests/it/common/mod.rs"]
mod common;
#[path = "../../../osculate/tests/it/rasters/mod.rs"]
mod rasters;

mod curtain;
mod faults;

use libtest_mimic::{Arguments, Trial};
use osculate_gpu::{GpuRaster, adapters};
use std::process::ExitCode;

fn main() -> ExitCode {
    let is_missing = adapters().is_empty();
    let on_gpu = |name: &str, check: fn(GpuRaster)| {
        let run = move || {
            check(GpuRaster::new()?);
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(is_missing)
    };
    let trials = vec![
        on_gpu("frames::random", |mut gpu| rasters::check_frames(&mut gpu, 0..3000)),
        // Up to, and beyond, the number that is left to the processor.
        on_gpu("frames::crowds", |mut gpu| {
            rasters::check_crowds(&mut gpu, &[63, 64, 65, 195, 1000, 4000, 4096, 5000]);
        }),
        on_gpu("frames::special", |mut gpu| rasters::check_special_frames(&mut gpu)),
        on_gpu("worlds::random", |gpu| {
            let counts = rasters::check_worlds(0..200, || Some(Box::new(gpu.share())));
            assert!(5_000 < counts.contacts && counts.left < counts.marked, "{counts:?}");
        }),
        on_gpu("worlds::curtain", curtain::check),
        on_gpu("faults::lost_between_frames", faults::lost_between_frames),
        on_gpu("faults::lost_in_a_sequence", faults::lost_in_a_sequence),
        on_gpu("faults::out_of_memory", faults::out_of_memory),
        // Needs no adapter.
        Trial::test("faults::no_adapter", || {
            faults::no_adapter();
            Ok(())
        }),
        on_gpu("adapters::by_name", |gpu| {
            let name = gpu.adapter_name().to_uppercase();
            let named = GpuRaster::with(&osculate_gpu::Settings::new().adapter(name)).unwrap();
            assert_eq!(named.adapter_name(), gpu.adapter_name());
            assert!(adapters().iter().any(|name| name == gpu.adapter_name()));
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
