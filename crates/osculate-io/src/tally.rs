//! What the readers of scenes count on the way, and say about a file in its notes.

use crate::note::{counted, note};

/// When a mesh is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seen {
    Never,
    AtTimes,
    #[default]
    Always,
}

impl Seen {
    /// Returns it for what is seen or not at some moments; `None` if there are none.
    pub(crate) fn at(moments: impl IntoIterator<Item = bool>) -> Option<Self> {
        let of_moment = |is_seen| if is_seen { Seen::Always } else { Seen::Never };
        moments.into_iter().map(of_moment).reduce(Self::and)
    }

    /// Returns it for the moments of both.
    pub(crate) fn and(self, other: Self) -> Self {
        if self == other { self } else { Seen::AtTimes }
    }
}

/// How often something was left out, or read as something else; and further notes.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) n_hidden: usize,
    /// Meshes that are invisible at some times only.
    n_blinking: usize,
    /// Subdivision surfaces.
    pub(crate) n_cages: usize,
    /// Skins with dual quaternions.
    pub(crate) n_other_skins: usize,
    /// Vertices of skins without a weight above 0.
    pub(crate) n_unbound: usize,
    others: Vec<String>,
}

impl Tally {
    /// Returns whether a mesh is read, which it is unless it is never seen.
    pub(crate) fn reads(&mut self, seen: Seen) -> bool {
        self.n_hidden += usize::from(seen == Seen::Never);
        self.n_blinking += usize::from(seen == Seen::AtTimes);
        seen != Seen::Never
    }

    /// Adds a note with a count, unless that is 0.
    pub(crate) fn say(&mut self, n: usize, one: &str, many: &str) {
        if 0 < n {
            note(&mut self.others, &counted(n, one, many));
        }
    }

    /// Adds a note.
    pub(crate) fn add(&mut self, text: &str) {
        note(&mut self.others, text);
    }

    /// Returns all notes: those about what every format has, and the others as they were added.
    pub(crate) fn into_notes(self) -> Vec<String> {
        let mut all = Self::default();
        all.say(self.n_hidden, "mesh left out, as it is invisible", "meshes left out, as they are invisible");
        all.say(
            self.n_blinking,
            "mesh that is invisible at times, read as if it never were",
            "meshes that are invisible at times, read as if they never were",
        );
        all.say(
            self.n_cages,
            "subdivision surface read as the polygons of its cage",
            "subdivision surfaces read as the polygons of their cages",
        );
        all.say(
            self.n_other_skins,
            "skin with dual quaternions, read as a linear one",
            "skins with dual quaternions, read as linear ones",
        );
        all.say(
            self.n_unbound,
            "vertex of a skin without a weight above 0, which follows its mesh",
            "vertices of skins without a weight above 0, which follow their meshes",
        );
        all.others.extend(self.others);
        all.others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_seen_at_times() {
        assert_eq!(Seen::at([]), None);
        assert_eq!(Seen::at([true, true]), Some(Seen::Always));
        assert_eq!(Seen::at([false]), Some(Seen::Never));
        assert_eq!(Seen::at([false, true, true]), Some(Seen::AtTimes));
        // What is above hides it.
        assert_eq!(Seen::AtTimes.min(Seen::Never), Seen::Never);
    }

    #[test]
    fn what_was_not_met_is_not_said() {
        let mut tally = Tally { n_hidden: 1, n_unbound: 2, ..Tally::default() };
        tally.say(0, "prim", "prims");
        tally.say(3, "prim", "prims");
        tally.add("a\u{7}b");
        let notes = tally.into_notes();
        assert_eq!(notes.len(), 4, "{notes:?}");
        assert_eq!(notes[0], "1 mesh left out, as it is invisible");
        assert!(notes[1].starts_with("2 vertices of skins"));
        assert_eq!(notes[2], "3 prims");
        assert!(!notes[3].contains('\u{7}'));
    }
}
