//! A GPU that is lost, too small or missing: the answers are the same, and the fault is told.

use crate::curtain::{N_STEPS, steps};
use crate::rasters::{check_special_frames, sets};
use osculate::chromatic::Size;
use osculate::raster::{Frame, Primitive, Raster, Tile};
use osculate::{Method, World};
use osculate_gpu::{GpuRaster, Settings, adapters};

/// Checks that the steps of a curtain give the answers of a hierarchy, and returns the fault of the
/// GPU.
fn fault_of(gpu: GpuRaster, between: impl FnMut(usize)) -> Option<String> {
    let (expected, _, _) = steps(None, Method::default(), |_| ());
    let (found, _, world) = steps(Some(Box::new(gpu)), sets(Size::One), between);
    assert!(found == expected);
    fault(&world)
}

fn fault(world: &World) -> Option<String> {
    world.raster_fault().map(ToString::to_string)
}

/// The device is lost after a frame. From then on, the rasterizer fails, and so does one that
/// shares the device.
pub(crate) fn lost_between_frames(mut gpu: GpuRaster) {
    let mut other = gpu.share();
    check_special_frames(&mut gpu);
    gpu.lose_device();
    let primitives = [Primitive { renders: 3, tests: 3, ..Primitive::default() }; 2];
    let frame = Frame {
        n_sets: 1,
        primitives: &primitives,
        neighbors: &[0, 1],
        tiles: &[Tile { len: 2, ..Tile::default() }],
        lists: &[0, 1],
    };
    for raster in [&mut gpu, &mut other] {
        for _ in 0..2 {
            let fault = raster.hidden(&frame).unwrap_err().to_string();
            assert!(fault.starts_with("the GPU is lost"), "{fault}");
        }
    }
    assert!(gpu.share().hidden(&frame).is_err());
}

/// The device is lost between the steps of a world.
pub(crate) fn lost_in_a_sequence(gpu: GpuRaster) {
    assert_eq!(fault_of(gpu.share(), |_| ()), None);
    let handle = gpu.share();
    let fault = fault_of(gpu, |k| {
        if k == N_STEPS / 2 {
            handle.lose_device();
        }
    });
    assert!(fault.is_some_and(|fault| fault.starts_with("the GPU is lost")));
}

/// Frames need more memory than there is: from the first on, or from a later, larger one on.
pub(crate) fn out_of_memory(gpu: GpuRaster) {
    drop(gpu);
    for bytes in [0, 1 << 10, 1 << 17, 1 << 19] {
        let small = GpuRaster::with(&Settings::new().memory(bytes)).unwrap();
        let fault = fault_of(small, |_| ()).unwrap();
        assert!(fault.starts_with("the GPU may use ") && fault.ends_with(" MB are needed"), "{fault}");
    }
    let enough = GpuRaster::with(&Settings::new().memory(1 << 28)).unwrap();
    assert_eq!(fault_of(enough, |_| ()), None);
}

/// No adapter has the name, or there is none at all.
pub(crate) fn no_adapter() {
    let fault = GpuRaster::with(&Settings::new().adapter("no such name")).unwrap_err().to_string();
    let there = adapters();
    if there.is_empty() {
        assert_eq!(fault, "there is no GPU with a driver");
        assert_eq!(GpuRaster::new().unwrap_err().to_string(), fault);
    } else {
        let names = there.join(", ");
        assert_eq!(fault, format!("no GPU has \"no such name\" in its name; there are {names}"));
    }
}
