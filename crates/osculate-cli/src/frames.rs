//! `--frames A..B`: which frames of which clips.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::{Result, bail};

use crate::source::Source;
use crate::terminal::Audience;
use crate::words::counted;

/// Maximum number of clips named in a note; the rest is counted.
const NAMED: usize = 5;

/// A range of frames, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frames {
    first: Option<usize>,
    last: Option<usize>,
}

impl FromStr for Frames {
    type Err = String;

    fn from_str(text: &str) -> Result<Frames, String> {
        let problem = || format!("'{text}' is not a range of frames; write A..B, A.. or ..B");
        let (first, last) = text.split_once("..").ok_or_else(problem)?;
        let number = |text: &str| match text.trim() {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| problem()),
        };
        let frames = Frames { first: number(first)?, last: number(last.trim_start_matches('='))? };
        match (frames.first, frames.last) {
            (Some(first), Some(last)) if last < first => Err(format!("frame {first} is behind frame {last}")),
            _ => Ok(frames),
        }
    }
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |end: Option<usize>| end.map_or(String::new(), |frame| frame.to_string());
        write!(f, "{}..{}", number(self.first), number(self.last))
    }
}

/// What to do about a range beyond the end of every clip.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Fail: all clips are known, so the user made a mistake.
    Fails,
    /// Cut the range: further clips may be longer.
    IsCut,
}

impl Frames {
    /// For each clip, its frames in the range; `None` if there are none. Tells the audience which
    /// clips are shorter than the range.
    ///
    /// With [`Beyond::Fails`], fails if no clip contains the whole range.
    pub(crate) fn select(
        self,
        source: &Source,
        beyond: Beyond,
        audience: &Audience,
    ) -> Result<Vec<Option<RangeInclusive<usize>>>> {
        let lengths: Vec<usize> = source.clips.iter().map(|clip| clip.n_frames()).collect();
        let longest = (0..lengths.len()).max_by_key(|&i| (lengths[i], std::cmp::Reverse(i)));
        if let (Some(i), Beyond::Fails) = (longest, beyond)
            && let Some(frame) = [self.first, self.last].into_iter().flatten().find(|&end| lengths[i] <= end)
        {
            let clip = source.title(i);
            let last = lengths[i] - 1;
            match (lengths.len(), last) {
                (1, 0) => bail!("--frames: {clip} has no frame {frame}; it has frame 0 only"),
                (1, _) => bail!("--frames: {clip} has no frame {frame}; its frames are 0 to {last}"),
                _ => bail!(
                    "--frames: no clip has a frame {frame}; the longest, {clip}, ends with frame {last}"
                ),
            }
        }
        let selected: Vec<_> = lengths.iter().map(|&n| self.of_length(n)).collect();
        self.tell(source, &lengths, audience);
        Ok(selected)
    }

    /// The frames in the range of a clip with `n` frames.
    fn of_length(self, n: usize) -> Option<RangeInclusive<usize>> {
        let (first, last) = (self.first.unwrap_or(0), self.last.unwrap_or(usize::MAX).min(n.checked_sub(1)?));
        (first <= last).then_some(first..=last)
    }

    /// Tells, in one line, which clips are shorter than the range.
    fn tell(self, source: &Source, lengths: &[usize], audience: &Audience) {
        let (mut cut, mut left_out) = (Vec::new(), Vec::new());
        for (i, &n) in lengths.iter().enumerate() {
            let is_cut = self.last.is_some_and(|last| n <= last);
            match self.of_length(n) {
                None => left_out.push(format!("{} (it ends with frame {})", source.title(i), n - 1)),
                Some(_) if is_cut => cut.push(format!("{} (frame {})", source.title(i), n - 1)),
                Some(_) => {}
            }
        }
        let mut parts = Vec::new();
        if !cut.is_empty() {
            parts.push(format!("ends at the last frame: {}", list(&cut)));
        }
        if !left_out.is_empty() {
            parts.push(format!("skipped: {}", list(&left_out)));
        }
        if !parts.is_empty() {
            audience.note(&format!("--frames {self}: {}", parts.join("; ")));
        }
    }
}

/// The first few names, and the number of further ones.
fn list(all: &[String]) -> String {
    let named = &all[..all.len().min(NAMED)];
    match all.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {}", named.join(", "), counted(more, "more clip")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_at_the_end_of_a_clip() {
        let cases = [
            ("..", 5, Some(0..=4)),
            ("2..", 5, Some(2..=4)),
            ("..2", 5, Some(0..=2)),
            ("1..=3", 5, Some(1..=3)),
            ("1..9", 5, Some(1..=4)),
            ("4..9", 5, Some(4..=4)),
            ("5..9", 5, None),
            ("5..", 5, None),
            ("0..0", 1, Some(0..=0)),
        ];
        for (text, n, expected) in cases {
            let frames: Frames = text.parse().unwrap();
            assert_eq!(frames.of_length(n), expected, "{text} of {n}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for (text, words) in
            [("3", "A..B"), ("a..b", "A..B"), ("3..x", "A..B"), ("5..3", "5 is behind frame 3")]
        {
            let problem = text.parse::<Frames>().unwrap_err();
            assert!(problem.contains(words), "{problem}");
        }
    }
}
