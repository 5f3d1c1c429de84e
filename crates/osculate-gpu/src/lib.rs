//! The set tests of [osculate] on a GPU: [`GpuRaster`] is a [`Raster`] that works in a compute
//! shader.
//!
//! ```no_run
//! # let mut world = osculate::World::new();
//! match osculate_gpu::GpuRaster::new() {
//!     Ok(raster) => world.set_raster(Some(Box::new(raster))),
//!     Err(fault) => eprintln!("{fault}; sets are compared by the processor"),
//! }
//! ```
//!
//! Guarantee: the same answers as [`CpuRaster`](osculate::raster::CpuRaster), bit for bit, on any
//! adapter. The library rounds primitives to integers before a rasterizer sees them; the shader
//! adds, multiplies and compares integers of 32 bits, which WGSL defines exactly, and collects bits
//! by `or`, in any order. It needs no optional feature of a GPU.
//!
//! # Why a compute shader
//!
//! The paper draws primitives and asks for the number of visible pixels (occlusion queries). A GPU
//! draws a pixel if its center is covered, so that primitives that overlap between centers are
//! missed; drawing larger ones makes up for this, but how much larger depends on the rounding of
//! the driver. Each query is also an object of its own, in the order of drawing, of which there are
//! at most 4,096 in a batch. A compute shader covers the pixels that the footprint says, and
//! answers all queries of a tile in one walk over its primitives.
//!
//! # The algorithm
//!
//! A workgroup has a tile and a pass. Its 64 invocations have a pixel each. They load 64 primitives
//! into shared memory, then each takes these one by one, in the order of the pass: compares the
//! primitive with the sets so far, then adds it to its set. A set has in each pixel its two nearest
//! and its two farthest depths, as the nearest may belong to the neighbor, which does not count.
//! Time is linear in the number of primitives of a tile, whatever they are.
//!
//! A driver resets a GPU that works for seconds without a pause. So work is submitted in portions
//! of a limited number of tiles and primitives, and a tile with very many primitives, which a
//! workgroup would walk alone, is left to the library's own rasterizer, at the same time.
//!
//! # Faults
//!
//! Without an adapter, [`GpuRaster::new`] fails. If memory is too small, or the device is lost, or
//! does not answer, [`Raster::hidden`] fails, and the library repeats the frame by itself; no
//! answer is lost. Nothing waits forever, and nothing panics here; wgpu itself may, if a driver
//! runs out of memory while its queue is dropped.

mod buffers;
mod device;
mod fault;
mod settings;
mod work;

pub use settings::Settings;

use device::Device;
use fault::Fault;
use osculate::raster::{Frame, Hidden, Raster, RasterFault};
use work::Works;

/// The names of all adapters of this machine.
#[must_use]
pub fn adapters() -> Vec<String> {
    device::adapters().iter().map(|adapter| adapter.get_info().name).collect()
}

/// A rasterizer on a GPU. The device and its buffers are kept from frame to frame.
#[derive(Debug)]
pub struct GpuRaster {
    name: String,
    /// Or why it has given up.
    works: Result<Works, RasterFault>,
}

impl GpuRaster {
    /// A rasterizer on the fastest kind of adapter: a discrete GPU, one that shares the memory of
    /// the processor, any other, or a driver that runs on the processor.
    pub fn new() -> Result<GpuRaster, RasterFault> {
        GpuRaster::with(&Settings::new())
    }

    /// The same with settings.
    pub fn with(settings: &Settings) -> Result<GpuRaster, RasterFault> {
        let device = Device::open(settings).map_err(|fault| fault.in_words())?;
        Ok(GpuRaster { name: device.name.clone(), works: Ok(Works::new(device, settings.memory)) })
    }

    /// Another rasterizer on the same device, with buffers of its own, for another world.
    #[must_use]
    pub fn share(&self) -> GpuRaster {
        let works = self.works.as_ref().map(Works::share).map_err(Clone::clone);
        GpuRaster { name: self.name.clone(), works }
    }

    /// The name of the adapter.
    #[must_use]
    pub fn adapter_name(&self) -> &str {
        &self.name
    }

    /// Loses the device, as a driver does that resets the GPU: for tests.
    #[doc(hidden)]
    pub fn lose_device(&self) {
        if let Ok(works) = &self.works {
            works.device().destroy();
        }
    }
}

impl Raster for GpuRaster {
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault> {
        let works = self.works.as_mut().map_err(|fault| fault.clone())?;
        works.hidden(frame).map_err(|fault| {
            let words = fault.in_words();
            let is_stuck = matches!(fault, Fault::Stuck);
            if let Ok(works) = std::mem::replace(&mut self.works, Err(words.clone()))
                && is_stuck
            {
                // To drop a device is to wait for its work.
                std::mem::forget(works);
            }
            words
        })
    }
}
