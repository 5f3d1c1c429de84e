//! A frame on a device: upload, portions of work, and answers.

use crate::buffers::{ANSWERS, Bound, Buffers, COPY, LISTS, NEIGHBORS, PRIMITIVES, TASK, TILES};
use crate::device::Device;
use crate::fault::Fault;
use bytemuck::cast_slice;
use osculate::raster::{CpuRaster, Frame, Hidden, Primitive, Raster, Tile};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;

/// A device and the buffers of a rasterizer.
#[derive(Debug)]
pub(crate) struct Works {
    device: Device,
    buffers: Buffers,
}

/// A tile with more primitives is left to the library's own rasterizer: a workgroup would walk over
/// them while the others are done.
const LONGEST: u32 = 4096;

/// The largest number of primitives of the tiles of a submission: a GPU of 1 TFLOPS that compares
/// each with 32 sets in 64 pixels takes some tenths of a second. Drivers wait for 2 s or more.
const MOST_ENTRIES: u64 = 1 << 20;

/// Words of a primitive.
const N_WORDS: usize = 22;

impl Works {
    /// A rasterizer on a device whose buffers have at most this number of bytes.
    pub(crate) fn new(device: Device, memory: Option<u64>) -> Works {
        Works { device, buffers: Buffers::new(memory) }
    }

    /// Another one on the same device.
    pub(crate) fn share(&self) -> Works {
        Works { device: self.device.clone(), buffers: self.buffers.another() }
    }

    /// The device.
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Compares the primitives of a frame.
    pub(crate) fn hidden(&mut self, frame: &Frame) -> Result<Vec<Hidden>, Fault> {
        self.device.check()?;
        let (long, short): (Vec<Tile>, Vec<Tile>) = frame.tiles.iter().partition(|tile| LONGEST < tile.len);
        let by_itself = || CpuRaster.hidden(&Frame { tiles: &long, ..*frame }).unwrap_or_default();
        if frame.primitives.is_empty() || short.is_empty() {
            return Ok(by_itself());
        }
        let n_answers = frame.primitives.len() as u64 * 16;
        let sizes = [
            8,
            frame.primitives.len() as u64 * 4 * N_WORDS as u64,
            frame.neighbors.len() as u64 * 4,
            short.len() as u64 * 16,
            frame.lists.len() as u64 * 4,
            n_answers,
            n_answers,
        ];
        let Device { device, queue, pipeline, .. } = &self.device;
        let Bound { buffers, bindings } = self.buffers.fit(&self.device, sizes)?;
        let primitives: Vec<[i32; N_WORDS]> = frame.primitives.iter().map(words_of_primitive).collect();
        let tiles: Vec<[i32; 4]> = short.iter().map(words_of_tile).collect();
        queue.write_buffer(buffers[PRIMITIVES], 0, cast_slice(&primitives));
        queue.write_buffer(buffers[NEIGHBORS], 0, cast_slice(frame.neighbors));
        queue.write_buffer(buffers[TILES], 0, cast_slice(&tiles));
        queue.write_buffer(buffers[LISTS], 0, cast_slice(frame.lists));
        self.device.check()?;

        let n_done = Arc::new(AtomicUsize::new(0));
        let portions = portions(&short, self.device.most_workgroups);
        for (i, tiles) in portions.iter().enumerate() {
            // Takes effect between the submissions before and after it.
            queue.write_buffer(buffers[TASK], 0, cast_slice(&[frame.n_sets as u32, tiles.start as u32]));
            let mut commands = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            if i == 0 {
                commands.clear_buffer(buffers[ANSWERS], 0, Some(n_answers));
            }
            let mut pass = commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bindings, &[]);
            pass.dispatch_workgroups(tiles.len() as u32, 2, 1);
            drop(pass);
            if i + 1 == portions.len() {
                commands.copy_buffer_to_buffer(buffers[ANSWERS], 0, buffers[COPY], 0, n_answers);
            }
            queue.submit([commands.finish()]);
            let n_done = n_done.clone();
            queue.on_submitted_work_done(move || _ = n_done.fetch_add(1, Relaxed));
            self.device.check()?;
        }
        let (sender, message) = channel();
        // If nobody listens any more, the fault is known.
        buffers[COPY].map_async(wgpu::MapMode::Read, ..n_answers, move |result| _ = sender.send(result));
        let mut answers = if long.is_empty() { Vec::new() } else { by_itself() };
        if self.device.wait(&message, &n_done)?.is_err() {
            return Err(self.device.lost());
        }
        answers.resize(frame.primitives.len(), Hidden::default());
        let view = buffers[COPY].get_mapped_range(..n_answers);
        let view = view.map_err(|error| Fault::Refused(error.to_string()))?;
        for (answer, words) in answers.iter_mut().zip(view.chunks_exact(16)) {
            let word = |k: usize| u32::from_ne_bytes([0, 1, 2, 3].map(|byte| words[4 * k + byte]));
            answer.first_front |= word(0);
            answer.first_back |= word(1);
            answer.second_front |= word(2);
            answer.second_back |= word(3);
        }
        drop(view);
        buffers[COPY].unmap();
        self.device.check()?;
        Ok(answers)
    }
}

/// A primitive as the shader reads it.
fn words_of_primitive(primitive: &Primitive) -> [i32; N_WORDS] {
    let Primitive { footprint: f, set, renders, tests } = *primitive;
    let [[a0, b0, c0], [a1, b1, c1], [a2, b2, c2]] = f.edges;
    let [set, renders, tests] = [set, renders, tests].map(u32::cast_signed);
    [
        f.x0, f.x1, f.y0, f.y1, a0, b0, c0, a1, b1, c1, a2, b2, c2, f.gx, f.gy, f.c_min, f.c_max, f.z_min,
        f.z_max, set, renders, tests,
    ]
}

/// A tile as the shader reads it.
fn words_of_tile(tile: &Tile) -> [i32; 4] {
    [tile.x, tile.y, tile.first.cast_signed(), tile.len.cast_signed()]
}

/// Divides tiles into portions of at most `most_tiles` tiles and [`MOST_ENTRIES`] primitives.
fn portions(tiles: &[Tile], most_tiles: usize) -> Vec<Range<usize>> {
    let mut portions = Vec::new();
    let (mut start, mut n_entries) = (0, 0);
    for (i, tile) in tiles.iter().enumerate() {
        n_entries += u64::from(tile.len);
        if start < i && (most_tiles <= i - start || MOST_ENTRIES < n_entries) {
            portions.push(start..i);
            (start, n_entries) = (i, u64::from(tile.len));
        }
    }
    if start < tiles.len() {
        portions.push(start..tiles.len());
    }
    portions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_limited_and_contain_each_tile_once() {
        let tile = |len: u32| Tile { len, ..Tile::default() };
        assert_eq!(portions(&[], 5), []);
        assert_eq!(portions(&[tile(3); 12], 5), [0..5, 5..10, 10..12]);
        let many: Vec<Tile> = (0..1000).map(|i| tile(if i % 3 == 0 { LONGEST } else { 7 })).collect();
        let divided = portions(&many, 65_535);
        assert!(divided.concat_ranges().eq(0..1000), "{divided:?}");
        for portion in &divided {
            let n: u64 = many[portion.clone()].iter().map(|tile| u64::from(tile.len)).sum();
            assert!(n <= MOST_ENTRIES, "{portion:?}");
        }
        assert_eq!(divided.len(), 2);
        // More than a portion by itself.
        assert_eq!(portions(&[tile(u32::MAX), tile(1)], 5), [0..1, 1..2]);
    }

    /// The numbers of all ranges, one after the other.
    trait ConcatRanges {
        fn concat_ranges(&self) -> impl Iterator<Item = usize>;
    }

    impl ConcatRanges for Vec<Range<usize>> {
        fn concat_ranges(&self) -> impl Iterator<Item = usize> {
            self.iter().cloned().flatten()
        }
    }
}
