//! `--cleared`: the surface at the start of the last step, colored by the patches that were proven
//! free of self-collisions in it.

use std::ops::Range;

use anyhow::{Result, ensure};
use osculate_io::Clip;

use super::args::Args;
use super::painting::Painting;
use crate::bodies::Parts;
use crate::options::MethodName;
use crate::words::counted;

/// The file, if it is wanted.
pub(super) struct Cleared<'a> {
    painting: Option<Painting<'a>>,
    method: MethodName,
    checked: Range<usize>,
}

impl<'a> Cleared<'a> {
    /// Opens the file, before the frames are checked.
    pub(super) fn new(args: &'a Args, checked: Range<usize>) -> Result<Cleared<'a>> {
        let painting = args.cleared.as_deref().map(Painting::open).transpose()?;
        Ok(Cleared { painting, method: args.method(), checked })
    }

    /// Takes what the query about a frame has proven. Fails after the first one if the method tests
    /// no patches.
    pub(super) fn look(&mut self, parts: &mut Parts, clip: &Clip, frame: usize) -> Result<()> {
        let [is_first, is_last] = [frame == self.checked.start, frame + 1 == self.checked.end];
        let Some(painting) = self.painting.as_mut().filter(|_| is_first || is_last) else {
            return Ok(());
        };
        let sizes = parts.cleared_patches()?;
        ensure!(
            !is_first || sizes.is_some(),
            "--cleared: the method {} tests no patches of these bodies; bn-tree, normal-cone and hsc do",
            self.method
        );
        if !is_last {
            return Ok(());
        }
        // Without tests in this step, as after steps in which little was cleared, nothing is.
        let sizes = sizes.unwrap_or_else(|| vec![[0, 1]; clip.surface.faces.len()]);
        let colors: Vec<[u8; 3]> = sizes.iter().map(|&[patch, body]| color(patch, body)).collect();
        let values: Vec<u32> = sizes.into_iter().map(|[patch, _]| patch).collect();
        let words = format!("frame {frame}: {}", shares(&mut values.clone()));
        painting.paint(parts, clip, ("cleared_patch", &values), &colors, words)
    }

    /// Gives the file its name; returns a line about it, or nothing.
    pub(super) fn finish(self) -> Result<String> {
        self.painting.map_or_else(|| Ok(String::new()), |painting| painting.finish("patches"))
    }
}

/// How many triangles are in cleared patches, and in how large ones, given the sizes of their
/// patches, which are sorted.
fn shares(sizes: &mut [u32]) -> String {
    sizes.sort_unstable();
    let cleared = &sizes[sizes.partition_point(|&size| size == 0)..];
    let share = 100.0 * cleared.len() as f64 / sizes.len().max(1) as f64;
    // Each patch of n triangles appears n times.
    let n_patches: usize =
        cleared.chunk_by(|a, b| a == b).map(|same| same.len() / same[0].max(1) as usize).sum();
    let half = cleared.get(cleared.len() / 2).map_or(String::new(), |&size| {
        format!(", half of them in patches of {} or more", counted(size as usize, "triangle"))
    });
    format!(
        "{share:.1} % of {} in {}{half}",
        counted(sizes.len(), "triangle"),
        counted(n_patches, "cleared patch")
    )
}

/// The part of a body from which on a patch is blue. Large patches of closed bodies bend too much.
const LARGE: f64 = 1.0 / 16.0;

/// From red, for a triangle in no cleared patch, over yellow to blue, for a [`LARGE`] patch: by the
/// logarithm of its size, which is its height in the tree.
fn color(patch: u32, body: u32) -> [u8; 3] {
    const STOPS: [[f64; 3]; 5] = [
        [196.0, 48.0, 43.0],
        [244.0, 140.0, 80.0],
        [252.0, 226.0, 144.0],
        [120.0, 180.0, 214.0],
        [35.0, 90.0, 175.0],
    ];
    let height = f64::from(patch.max(1)).ln() / (LARGE * f64::from(body)).max(2.0).ln();
    let at = 4.0 * height.clamp(0.0, 1.0);
    let from = (at as usize).min(3);
    let part = at - from as f64;
    std::array::from_fn(|i| {
        let value = (1.0 - part) * STOPS[from][i] + part * STOPS[from + 1][i];
        value.round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_count_patches_by_their_sizes() {
        let mut sizes = [3, 0, 3, 3, 8, 8, 8, 8, 8, 8, 8, 8, 3, 3, 3, 0];
        assert_eq!(
            shares(&mut sizes),
            "87.5 % of 16 triangles in 3 cleared patches, half of them in patches of 8 triangles or more"
        );
        assert_eq!(shares(&mut [0, 0]), "0.0 % of 2 triangles in 0 cleared patches");
        assert_eq!(
            shares(&mut [1]),
            "100.0 % of 1 triangle in 1 cleared patch, half of them in patches of 1 triangle or more"
        );
    }

    #[test]
    fn colors_run_from_red_to_blue() {
        assert_eq!([color(0, 1600), color(1, 1600), color(1, 1)], [[196, 48, 43]; 3]);
        assert_eq!(color(10, 1600), [252, 226, 144]);
        assert_eq!([color(100, 1600), color(1600, 1600), color(2, 2)], [[35, 90, 175]; 3]);
    }
}
