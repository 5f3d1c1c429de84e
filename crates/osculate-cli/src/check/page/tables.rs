//! What a page has of a whole file or clip: triangles, and how deep each vertex ever was.

use anyhow::Result;

use super::pack::{Bytes, template, zigzag};
use super::scenery::Scenery;

impl Scenery<'_> {
    /// The triangles of all files.
    pub(super) fn surfaces(&self) -> Result<String> {
        let mut text = String::new();
        for (file, &clip) in self.files.iter().enumerate() {
            let surface = &self.clip(clip).surface;
            let joints = self.skeletons[file].as_ref().map_or(0, |skeleton| skeleton.rest().len());
            let mut bytes = Bytes::default();
            for n in [surface.n_vertices, surface.faces.len(), joints] {
                bytes.u32(n as u32);
            }
            let mut before = None;
            for &corner in surface.faces.as_flattened() {
                let code = before.map_or(corner, |before: u32| zigzag(corner.wrapping_sub(before) as i32));
                bytes.u32(code);
                before = Some(corner);
            }
            self.names[file].of_triangles.iter().for_each(|&part| bytes.u32(part));
            if let Some(skeleton) = &self.skeletons[file] {
                skeleton.parents().into_iter().for_each(|parent| bytes.u32(parent.unwrap_or(u32::MAX)));
            }
            text.push_str(&template(&format!("surface-{file}"), &bytes.0));
        }
        Ok(text)
    }

    /// The largest depth of a vertex in a clip.
    pub(super) fn hottest(&self, clip: usize) -> f64 {
        self.heat[clip].values().copied().fold(0.0, f64::max)
    }

    /// Whether heat is that of all frames of all problems of a clip.
    pub(super) fn is_heat_whole(&self, clip: usize) -> bool {
        let is_drawn = |frame| self.marks.contains_key(&(clip, frame));
        let mut own = self.problems.iter().enumerate().filter(|(_, p)| p.clip == clip && p.is_new());
        own.all(|(i, problem)| {
            !self.partly_drawn.contains(&i)
                && problem.runs().all(|[first, last]| (first..=last).all(is_drawn))
        })
    }

    /// The largest depth of each vertex over each clip, as shares of the largest.
    pub(super) fn heats(&self) -> String {
        let mut text = String::new();
        for (clip, heat) in self.heat.iter().enumerate().filter(|(_, heat)| !heat.is_empty()) {
            let most = self.hottest(clip);
            let mut bytes = vec![0; self.clip(clip).surface.n_vertices];
            for (&vertex, &depth) in heat {
                bytes[vertex as usize] = (255.0 * depth / most).ceil().min(255.0) as u8;
            }
            text.push_str(&template(&format!("heat-{clip}"), &bytes));
        }
        text
    }
}
