//! `--gpu`: tests of sets on a GPU. If it cannot be used, or not any longer, the library compares
//! sets by itself, with the same answer, and one note says so.

use std::sync::{Arc, Mutex, PoisonError};

use osculate::World;
use osculate::raster::RasterFault;
#[cfg(any(feature = "gpu", test))]
use osculate::raster::{Frame, Hidden, Raster};

use crate::terminal;

/// The GPU of a run of the command, if one is asked for and is there.
#[derive(Default)]
pub(crate) struct Gpu {
    #[cfg(feature = "gpu")]
    raster: Option<osculate_gpu::GpuRaster>,
    fault: FirstFault,
}

/// The first fault of the rasterizers of all worlds. Later ones are its consequences.
#[derive(Clone, Default)]
struct FirstFault(Arc<Mutex<Option<RasterFault>>>);

impl Gpu {
    /// Opens a GPU with this text in its name, if it is given; without one, a note says so.
    #[cfg(feature = "gpu")]
    pub(crate) fn open(name: Option<&str>) -> Gpu {
        let Some(name) = name else { return Gpu::default() };
        match osculate_gpu::GpuRaster::with(&osculate_gpu::Settings::new().adapter(name)) {
            Ok(raster) => Gpu { raster: Some(raster), ..Gpu::default() },
            Err(fault) => {
                terminal::note(&sentence(&fault));
                Gpu::default()
            }
        }
    }

    /// Opens nothing: this build has no GPUs, and `--gpu` is refused.
    #[cfg(not(feature = "gpu"))]
    pub(crate) fn open(_: Option<&str>) -> Gpu {
        Gpu::default()
    }

    /// Lets a world use the GPU, if there is one.
    pub(crate) fn give_to(&self, world: &mut World) {
        #[cfg(feature = "gpu")]
        if let Some(raster) = &self.raster {
            world.set_raster(Some(Box::new(Watched { raster: raster.share(), fault: self.fault.clone() })));
        }
        #[cfg(not(feature = "gpu"))]
        let _ = (self, world);
    }

    /// Prints a note if the GPU has failed since it was opened. To be called once, when nothing
    /// else is being printed.
    pub(crate) fn tell(&self) {
        if let Some(fault) = self.fault.get() {
            terminal::note(&sentence(&fault));
        }
    }
}

/// What is printed about a fault.
fn sentence(fault: &RasterFault) -> String {
    format!("{fault}; sets are compared by the processor instead, with the same answer")
}

impl FirstFault {
    #[cfg(any(feature = "gpu", test))]
    fn add(&self, fault: &RasterFault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault.clone());
    }

    fn get(&self) -> Option<RasterFault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A rasterizer whose first fault is kept.
#[cfg(any(feature = "gpu", test))]
struct Watched<R> {
    raster: R,
    fault: FirstFault,
}

#[cfg(any(feature = "gpu", test))]
impl<R: Raster> Raster for Watched<R> {
    fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, RasterFault> {
        self.raster.hidden(frame).inspect_err(|fault| self.fault.add(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails, each time with another fault.
    struct Failing(u32);

    impl Raster for Failing {
        fn hidden(&mut self, _: &Frame) -> Result<Vec<Hidden>, RasterFault> {
            self.0 += 1;
            Err(RasterFault(format!("fault {}", self.0)))
        }
    }

    #[test]
    fn the_first_fault_of_all_worlds_is_told() {
        let gpu = Gpu::default();
        let frame = Frame { n_sets: 1, primitives: &[], neighbors: &[], tiles: &[], lists: &[] };
        assert_eq!(gpu.fault.get(), None);
        for world in [10, 20] {
            let mut watched = Watched { raster: Failing(world), fault: gpu.fault.clone() };
            for _ in 0..3 {
                assert!(watched.hidden(&frame).is_err());
            }
        }
        let fault = gpu.fault.get().unwrap();
        assert_eq!(
            sentence(&fault),
            "fault 11; sets are compared by the processor instead, with the same answer"
        );
    }
}
