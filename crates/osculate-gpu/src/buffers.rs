//! Buffers on a device, which grow with the frames.

use crate::device::Device;
use crate::fault::Fault;
use wgpu::BufferUsages as Usages;

/// The buffers of a rasterizer. Those of the shader are in the order of its bindings.
#[derive(Debug)]
pub(crate) struct Buffers {
    /// The largest sum of their sizes, in bytes.
    budget: Option<u64>,
    buffers: [Option<wgpu::Buffer>; N],
    bindings: Option<wgpu::BindGroup>,
}

/// The number of buffers.
const N: usize = 7;

/// The numbers of buffers: of a portion of the work, of the frame, of the answers, and of a copy of
/// the answers that can be read.
pub(crate) const TASK: usize = 0;
pub(crate) const PRIMITIVES: usize = 1;
pub(crate) const NEIGHBORS: usize = 2;
pub(crate) const TILES: usize = 3;
pub(crate) const LISTS: usize = 4;
pub(crate) const ANSWERS: usize = 5;
pub(crate) const COPY: usize = 6;

/// What the buffers are used for.
const USAGES: [Usages; N] = [
    Usages::UNIFORM.union(Usages::COPY_DST),
    Usages::STORAGE.union(Usages::COPY_DST),
    Usages::STORAGE.union(Usages::COPY_DST),
    Usages::STORAGE.union(Usages::COPY_DST),
    Usages::STORAGE.union(Usages::COPY_DST),
    Usages::STORAGE.union(Usages::COPY_DST).union(Usages::COPY_SRC),
    Usages::MAP_READ.union(Usages::COPY_DST),
];

/// The smallest buffer, in bytes: more than one element of each.
const LEAST: u64 = 256;

/// Buffers of the right size, with their bindings.
pub(crate) struct Bound<'a> {
    pub(crate) buffers: [&'a wgpu::Buffer; N],
    pub(crate) bindings: &'a wgpu::BindGroup,
}

impl Buffers {
    /// No buffers yet.
    pub(crate) fn new(budget: Option<u64>) -> Buffers {
        Buffers { budget, buffers: [const { None }; N], bindings: None }
    }

    /// Others, with the same budget.
    pub(crate) fn another(&self) -> Buffers {
        Buffers::new(self.budget)
    }

    /// Makes the buffers at least as large as these numbers of bytes. One that is too small is
    /// replaced by one that is larger by half than needed, if memory allows it.
    pub(crate) fn fit(&mut self, device: &Device, sizes: [u64; N]) -> Result<Bound<'_>, Fault> {
        let sizes = sizes.map(|bytes| bytes.max(LEAST));
        if let Some(&bytes) = sizes.iter().find(|&&bytes| device.largest < bytes) {
            return Err(Fault::TooLarge { bytes, limit: device.largest });
        }
        let held =
            |buffers: &[Option<wgpu::Buffer>; N], i: usize| buffers[i].as_ref().map_or(0, wgpu::Buffer::size);
        for i in 0..N {
            if sizes[i] <= held(&self.buffers, i) {
                continue;
            }
            self.buffers[i] = None;
            self.bindings = None;
            let rest: u64 = (0..N).map(|j| held(&self.buffers, j)).sum();
            let roomy = (sizes[i] + sizes[i] / 2).next_multiple_of(LEAST);
            let allowed =
                device.largest.min(self.budget.map_or(u64::MAX, |budget| budget.saturating_sub(rest)));
            let size = if roomy <= allowed { roomy } else { sizes[i] };
            if allowed < size {
                return Err(Fault::OverBudget {
                    bytes: sizes.iter().sum(),
                    budget: self.budget.unwrap_or(0),
                });
            }
            let buffer = device.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage: USAGES[i],
                mapped_at_creation: false,
            });
            device.check()?;
            self.buffers[i] = Some(buffer);
        }
        let buffers = self.buffers.each_ref().map(Option::as_ref);
        let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g)] = buffers else {
            return Err(Fault::Memory);
        };
        let buffers = [a, b, c, d, e, f, g];
        let bindings = self.bindings.get_or_insert_with(|| {
            let entry = |i: usize| wgpu::BindGroupEntry {
                binding: i as u32,
                resource: buffers[i].as_entire_binding(),
            };
            device.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &device.pipeline.get_bind_group_layout(0),
                entries: &[TASK, PRIMITIVES, NEIGHBORS, TILES, LISTS, ANSWERS].map(entry),
            })
        });
        device.check()?;
        Ok(Bound { buffers, bindings })
    }
}
