//! Which pairs of parts are looked at.

use std::sync::Arc;

use super::rules::Rules;
use super::sides::Sides;

/// The pairs of parts that are ignored.
pub(super) struct PairFilter {
    n_parts: usize,
    /// For each pair of parts.
    is_ignored: Vec<bool>,
    is_active: bool,
}

impl PairFilter {
    /// The pairs that rules ignore.
    pub(super) fn new(rules: &Rules, sides: &Sides, names: &[Arc<str>]) -> PairFilter {
        let is_active = !rules.ignore.is_empty() || !rules.between.is_empty() || rules.ignore_adjacent_bones;
        let n_parts = names.len();
        let mut is_ignored = Vec::new();
        if is_active {
            for a in 0..n_parts {
                for b in 0..n_parts {
                    let parts = [&*names[a], &*names[b]];
                    let is_adjacent =
                        rules.ignore_adjacent_bones && sides.are_adjacent_bones([a as u32, b as u32]);
                    let is_between = rules.between.is_empty()
                        || rules.between.iter().any(|pattern| pattern.matches(parts));
                    let is_named = rules.ignore.iter().any(|pattern| pattern.matches(parts));
                    is_ignored.push(is_adjacent || !is_between || is_named);
                }
            }
        }
        PairFilter { n_parts, is_ignored, is_active }
    }

    /// Whether a pair of parts is ignored, given the names of all parts and those of the pair.
    pub(super) fn ignores_named(&self, names: &[Arc<str>], parts: [&str; 2]) -> bool {
        let number = |part: &str| names.iter().position(|name| **name == *part).map(|i| i as u32);
        matches!(parts.map(number), [Some(a), Some(b)] if self.ignores([a, b]))
    }

    /// Whether a pair of parts is ignored.
    pub(super) fn ignores(&self, [a, b]: [u32; 2]) -> bool {
        self.is_active && self.is_ignored[a as usize * self.n_parts + b as usize]
    }
}
