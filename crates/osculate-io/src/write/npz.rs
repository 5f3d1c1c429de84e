//! Animations as NPZ archives, in the forms of the reader: frames, a skin, or other parameters.
//!
//! Members are stored without compression and without a date; so the same animation gives the same
//! bytes. Numbers are exact: an array is f32 if all its values are, otherwise f64.

use super::animation::{Animation, Governed, Motion, Rig};
use crate::error::{Result, malformed};
use crate::governed::Deformer;

/// Returns an animation as the bytes of an NPZ file.
pub fn npz(animation: &Animation) -> Result<Vec<u8>> {
    animation.check()?;
    let mut zip = Zip::default();
    zip.triangles("faces", animation.faces);
    let objects = animation.vertex_object.iter().map(|&object| i64::from(object));
    zip.integers("vertex_object", &[animation.vertex_object.len()], objects);
    zip.numbers("fps", &[], || std::iter::once(animation.fps));
    match &animation.motion {
        Motion::Frames(frames) => {
            let shape = [frames.len(), animation.n_vertices(), 3];
            zip.numbers("frames", &shape, || frames.iter().flatten().flatten().copied());
        }
        Motion::Bones(rig) => add_rig(&mut zip, rig),
        Motion::Governed(governed) => add_governed(&mut zip, governed),
    }
    zip.finish()
        .ok_or_else(|| malformed(animation.name, "archive", "NPZ files of 4 GB or more are not written"))
}

fn add_governed(zip: &mut Zip, Governed { deformer, frames, rig }: &Governed) {
    let values = || frames.iter().flatten().copied();
    match deformer {
        Deformer::Control(surface) => {
            zip.triangles("control_faces", surface.control_triangles());
            zip.numbers("control_vertices", &[frames.len(), surface.control().len(), 3], values);
            zip.integers("subdivision_levels", &[], std::iter::once(surface.levels() as i64));
        }
        Deformer::Particles(particles) => {
            let (at_rest, n) = (particles.particles(), particles.n_particles());
            zip.points("rest_vertices", particles.rest());
            zip.numbers("particle_rest", &[n, 3], || at_rest.iter().flat_map(|particle| particle.center));
            zip.numbers("particle_radii", &[n], || at_rest.iter().map(|particle| particle.radius));
            zip.numbers("particle_matrices", &[frames.len(), n, 3, 4], values);
        }
        Deformer::Modes(modes) => {
            let (n, n_modes) = (modes.rest().len(), modes.n_modes());
            match rig {
                Some(rig) => add_rig(zip, rig),
                None => zip.points("rest_vertices", modes.rest()),
            }
            zip.numbers("modes", &[n_modes, n, 3], || {
                (0..n_modes).flat_map(move |mode| (0..n).flat_map(move |v| modes.displacements(v)[mode]))
            });
            let amplitudes = || frames.iter().flat_map(|frame| frame[12 * modes.n_bones()..].iter().copied());
            zip.numbers("amplitudes", &[frames.len(), n_modes], amplitudes);
        }
    }
}

fn add_rig(zip: &mut Zip, rig: &Rig) {
    let (n, n_bones) = (rig.rest.len(), rig.bones.len());
    zip.points("rest_vertices", rig.rest);
    let width = (0..n).map(|vertex| rig.of_vertex(vertex).len()).max().unwrap_or(0);
    let padded = || (0..n).flat_map(|v| (0..width).map(move |i| rig.of_vertex(v).get(i)));
    zip.integers("joints", &[n, width], padded().map(|i| i.map_or(0, |i| i64::from(i.bone))));
    zip.numbers("weights", &[n, width], || padded().map(|i| i.map_or(0.0, |i| i.weight)));
    zip.numbers("bone_matrices", &[rig.matrices.len(), n_bones, 3, 4], || {
        rig.matrices.iter().flatten().flatten().flatten().copied()
    });
    zip.texts("bone_names", rig.bones.iter().map(|bone| bone.name.as_str()));
    zip.integers("bone_parents", &[n_bones], rig.bones.iter().map(|bone| bone.parent.map_or(-1, i64::from)));
    zip.numbers("bone_heads", &[n_bones, 3], || rig.bones.iter().flat_map(|bone| bone.head));
    if rig.bones.iter().all(|bone| bone.tail.is_some()) {
        zip.numbers("bone_tails", &[n_bones, 3], || rig.bones.iter().filter_map(|bone| bone.tail).flatten());
    }
}

/// A ZIP archive of arrays under construction.
#[derive(Default)]
struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    n_members: u16,
}

impl Zip {
    /// Adds the corners of triangles.
    fn triangles(&mut self, name: &str, triangles: &[[u32; 3]]) {
        let corners = triangles.as_flattened().iter().map(|&corner| i64::from(corner));
        self.integers(name, &[triangles.len(), 3], corners);
    }

    /// Adds points.
    fn points(&mut self, name: &str, points: &[[f64; 3]]) {
        self.numbers(name, &[points.len(), 3], || points.iter().flatten().copied());
    }

    /// Adds numbers as f32 if that is lossless, otherwise as f64.
    fn numbers<I: Iterator<Item = f64>>(&mut self, name: &str, shape: &[usize], values: impl Fn() -> I) {
        if values().all(|value| f64::from(value as f32).to_bits() == value.to_bits()) {
            self.array(name, "<f4", shape, values().map(|value| (value as f32).to_le_bytes()));
        } else {
            self.array(name, "<f8", shape, values().map(f64::to_le_bytes));
        }
    }

    /// Adds integers, as i32 if that suffices.
    fn integers(&mut self, name: &str, shape: &[usize], values: impl Iterator<Item = i64> + Clone) {
        if values.clone().all(|value| i32::try_from(value).is_ok()) {
            self.array(name, "<i4", shape, values.map(|value| (value as i32).to_le_bytes()));
        } else {
            self.array(name, "<i8", shape, values.map(i64::to_le_bytes));
        }
    }

    /// Adds texts, padded to the longest.
    fn texts<'a>(&mut self, name: &str, texts: impl Iterator<Item = &'a str> + Clone) {
        let width = texts.clone().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        let n = texts.clone().count();
        let codes =
            texts.flat_map(|text| text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width));
        self.array(name, &format!("<U{width}"), &[n], codes.map(u32::to_le_bytes));
    }

    /// Adds an array in C order: a header that ends at a multiple of 64 bytes, then the values.
    fn array<const N: usize>(
        &mut self,
        name: &str,
        descr: &str,
        shape: &[usize],
        values: impl Iterator<Item = [u8; N]>,
    ) {
        let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
        // Python writes (), (5,) and (5, 3).
        let extents = extents.trim_end_matches(if shape.len() == 1 { " " } else { ", " });
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({extents}), }}").into_bytes();
        header.resize((10 + header.len() + 1).next_multiple_of(64) - 11, b' ');
        header.push(b'\n');
        let mut content = b"\x93NUMPY\x01\x00".to_vec();
        content.extend((header.len() as u16).to_le_bytes());
        content.extend(header);
        values.for_each(|value| content.extend(value));
        self.member(&format!("{name}.npy"), &content);
    }

    /// Adds a member without compression.
    fn member(&mut self, name: &str, content: &[u8]) {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        // Version 2.0, no flags, stored, midnight of 1 January 1980, checksum and sizes, no extra
        // field. Sizes that do not fit make the archive too large, which `finish` detects.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend(crc.sum().to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&common);
        self.directory.extend([0; 10]);
        self.directory.extend((self.bytes.len() as u32).to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(content);
        self.n_members += 1;
    }

    /// Returns the archive; `None` if it is too large for 32-bit offsets.
    fn finish(mut self) -> Option<Vec<u8>> {
        let start = u32::try_from(self.bytes.len()).ok().filter(|&start| start < u32::MAX)?;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.n_members.to_le_bytes());
        self.bytes.extend(self.n_members.to_le_bytes());
        self.bytes.extend((self.directory.len() as u32).to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0, 0]);
        Some(self.bytes)
    }
}
