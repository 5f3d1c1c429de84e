//! An adapter, its device and the pipeline; errors of drivers, and waiting for work.
//!
//! Errors arrive in callbacks: without one, wgpu panics. All of them are kept as the first fault of
//! the device, which is looked at after each step of the work. `wgpu::Device::poll` panics for a
//! lost device whatever the callbacks, and an empty submission also collects work that is done; so
//! waiting is submitting nothing from time to time.

use crate::fault::Fault;
use crate::settings::Settings;
use pollster::block_on;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An opened device, with the pipeline. Clones are the same device.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    /// The name of the adapter.
    pub(crate) name: String,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) pipeline: wgpu::ComputePipeline,
    /// The largest buffer, in bytes.
    pub(crate) largest: u64,
    /// The largest number of workgroups of a dispatch.
    pub(crate) most_workgroups: usize,
    first_fault: Arc<Mutex<Option<Fault>>>,
}

/// A device that has not finished a submission for so long is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The first and the longest pause while work is not done.
const PAUSES: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(1)];

impl Device {
    /// Opens the fastest kind of adapter that the settings allow and that can be opened.
    pub(crate) fn open(settings: &Settings) -> Result<Device, Fault> {
        let adapters = adapters();
        let mut named: Vec<(String, &wgpu::Adapter)> =
            adapters.iter().map(|adapter| (adapter.get_info().name, adapter)).collect();
        let there = named.iter().map(|(name, _)| name.clone()).collect();
        let is_wanted = |name: &str| {
            let wanted = settings.adapter.as_deref().unwrap_or_default();
            name.to_lowercase().contains(&wanted.to_lowercase())
        };
        named.retain(|(name, _)| is_wanted(name));
        named.sort_by_key(|(_, adapter)| rank(adapter.get_info().device_type));
        let mut fault = Fault::NoAdapter { wanted: settings.adapter.clone(), there };
        for (name, adapter) in named {
            match Device::of(name, adapter) {
                Ok(device) => return Ok(device),
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }

    fn of(name: String, adapter: &wgpu::Adapter) -> Result<Device, Fault> {
        let limits = adapter.limits();
        let (largest, most_workgroups) = (
            limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
            limits.max_compute_workgroups_per_dimension as usize,
        );
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
        let no_device = |why: String| Fault::NoDevice { name: name.clone(), why };
        let (device, queue) =
            block_on(adapter.request_device(&descriptor)).map_err(|error| no_device(error.to_string()))?;
        let first_fault = Arc::new(Mutex::new(None));
        let of_errors = first_fault.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let fault = match error {
                wgpu::Error::OutOfMemory { .. } => Fault::Memory,
                error => Fault::Refused(error.to_string()),
            };
            locked(&of_errors).get_or_insert(fault);
        }));
        let of_loss = first_fault.clone();
        device.set_device_lost_callback(move |_, why| {
            locked(&of_loss).get_or_insert(Fault::Lost(why));
        });
        let shader = device.create_shader_module(wgpu::include_wgsl!("raster.wgsl"));
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &shader,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions {
                // The shader writes what it reads.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        let name_of = name.clone();
        let made = Device { name: name_of, device, queue, pipeline, largest, most_workgroups, first_fault };
        made.check().map_err(|fault| no_device(fault.in_words().0))?;
        Ok(made)
    }

    /// Fails with the first fault of the device, if there is one.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        locked(&self.first_fault).clone().map_or(Ok(()), Err)
    }

    /// The first fault of the device, which is that it is lost if no other is known.
    pub(crate) fn lost(&self) -> Fault {
        locked(&self.first_fault).get_or_insert(Fault::Lost(String::new())).clone()
    }

    /// Waits for the message of a callback. `n_done` is the number of submissions that are done; as
    /// long as it grows, a device is not stuck.
    pub(crate) fn wait<T>(&self, message: &Receiver<T>, n_done: &AtomicUsize) -> Result<T, Fault> {
        let [mut pause, longest] = PAUSES;
        let (mut n_before, mut since) = (0, Instant::now());
        loop {
            match message.try_recv() {
                Ok(message) => return Ok(message),
                // The callback was dropped.
                Err(TryRecvError::Disconnected) => return Err(self.lost()),
                Err(TryRecvError::Empty) => self.check()?,
            }
            let n_now = n_done.load(Relaxed);
            if n_now != n_before {
                (n_before, since) = (n_now, Instant::now());
            } else if PATIENCE < since.elapsed() {
                return Err(Fault::Stuck);
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(longest);
            self.queue.submit([]);
        }
    }

    /// Loses the device.
    pub(crate) fn destroy(&self) {
        self.device.destroy();
    }
}

/// All adapters.
pub(crate) fn adapters() -> Vec<wgpu::Adapter> {
    // Without an interface for this platform, an instance would panic.
    let backends = wgpu::Instance::enabled_backend_features();
    if backends.is_empty() {
        return Vec::new();
    }
    let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    block_on(wgpu::Instance::new(descriptor).enumerate_adapters(backends))
}

/// The order in which kinds of adapters are preferred.
fn rank(kind: wgpu::DeviceType) -> u32 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

/// The content of a mutex; a panic elsewhere does not make a fault invalid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
