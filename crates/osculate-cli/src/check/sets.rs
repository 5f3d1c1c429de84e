//! `--colors` and `--survivors`: the sets of chromatic decomposition, and the triangles that its
//! stages left in the last step.

use std::ops::Range;

use anyhow::{Result, bail, ensure};
use osculate::Method;
use osculate::chromatic::Size;
use osculate::method::SetStage;
use osculate_io::Clip;

use super::args::Args;
use super::painting::Painting;
use crate::bodies::Parts;
use crate::options::MethodName;
use crate::words::{counted, grouped};

/// The files, if they are wanted.
pub(super) struct Sets<'a> {
    colors: Option<Painting<'a>>,
    survivors: Option<Painting<'a>>,
    method: MethodName,
    checked: Range<usize>,
}

impl<'a> Sets<'a> {
    /// Opens the files, before the frames are checked.
    pub(super) fn new(args: &'a Args, checked: Range<usize>) -> Result<Sets<'a>> {
        let [colors, survivors] =
            [&args.colors, &args.survivors].map(|path| path.as_deref().map(Painting::open).transpose());
        Ok(Sets { colors: colors?, survivors: survivors?, method: args.method(), checked })
    }

    /// Takes the colors, and what the query about the last frame has left.
    pub(super) fn look(&mut self, parts: &mut Parts, clip: &Clip, frame: usize) -> Result<()> {
        if self.colors.is_none() && self.survivors.is_none() {
            return Ok(());
        }
        let Method::Chromatic(how) = self.method.method() else {
            bail!("{} is not chromatic decomposition", self.method);
        };
        if frame + 1 != self.checked.end {
            return Ok(());
        }
        if let Some(painting) = &mut self.colors {
            let colors = parts.set_colors(how.size);
            let words = described(parts, how.size);
            let shown: Vec<[u8; 3]> = colors.iter().map(|&color| hue(color)).collect();
            painting.paint(parts, clip, ("set", &colors), &shown, format!("frame {frame}: {words}"))?;
        }
        if let Some(painting) = &mut self.survivors {
            let stages = parts.set_stages()?;
            ensure!(
                stages.is_some(),
                "--survivors: no sets were tested in frame {frame}, as they were not expected to pay; chromatic:sets tests them in every step"
            );
            let stages = stages.unwrap_or_default();
            let values: Vec<u32> = stages.iter().map(|&stage| stage as u32).collect();
            let shown: Vec<[u8; 3]> = stages.iter().map(|&stage| shade(stage)).collect();
            let n = |least: SetStage| stages.iter().filter(|&&stage| least <= stage).count() as u64;
            let words = format!(
                "frame {frame}: of {}, {} after stage I and {} after stage II",
                counted(stages.len(), "triangle"),
                grouped(n(SetStage::Apart)),
                grouped(n(SetStage::Left)),
            );
            painting.paint(parts, clip, ("stage", &values), &shown, words)?;
        }
        Ok(())
    }

    /// Gives the files their names; returns lines about them, or nothing.
    pub(super) fn finish(self) -> Result<String> {
        let mut text = String::new();
        for (painting, what) in [(self.colors, "colors"), (self.survivors, "survivors")] {
            text += &painting.map_or_else(|| Ok(String::new()), |painting| painting.finish(what))?;
        }
        Ok(text)
    }
}

/// How many colors the bodies have, and how many they need at least.
fn described(parts: &Parts, size: Size) -> String {
    let of_bodies = parts.numbers_of_colors(size).into_iter();
    let listed = of_bodies.map(|[colors, bound]| format!("{} (at least {bound})", counted(colors, "color")));
    listed.collect::<Vec<_>>().join(", ")
}

/// A color for each set: hues a golden angle apart, so that any few successive ones differ.
fn hue(set: u32) -> [u8; 3] {
    let turn = (0.618_033_988_749_895 * f64::from(set)).fract();
    // Five shades in turn, some darker and some paler: any two of 32 sets differ.
    let shades = [(0.75, 0.35), (0.55, 0.15), (0.85, 0.15), (1.0, 0.0), (1.0, 0.45)];
    let (light, pale) = shades[set as usize % shades.len()];
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let distance = ((turn + shift).fract() * 6.0 - 3.0).abs() - 1.0;
        let value = light * (pale + (1.0 - pale) * distance.clamp(0.0, 1.0));
        (255.0 * value).round() as u8
    })
}

/// Gray for what stage I culls, blue for what stage II culls, orange for what is left.
fn shade(stage: SetStage) -> [u8; 3] {
    match stage {
        SetStage::Left => [232, 119, 34],
        SetStage::Apart => [70, 130, 200],
        _ => [205, 205, 205],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sets_have_distinct_colors() {
        let colors: Vec<[u8; 3]> = (0..32).map(hue).collect();
        for (i, a) in colors.iter().enumerate() {
            for b in &colors[..i] {
                let distance: u32 = a.iter().zip(b).map(|(&x, &y)| u32::from(x.abs_diff(y))).sum();
                assert!(20 < distance, "{a:?} {b:?}");
            }
        }
    }
}
