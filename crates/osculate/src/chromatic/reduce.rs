//! Fewer colors: the primitives of the last color are given others, at the expense of neighbors
//! that in turn are given others (an ejection search, as Nagata and Bräysy 2009 for vehicle
//! routes).
//!
//! DSATUR often needs its last colors for a few primitives only. A primitive without a color takes
//! the color whose neighbors at distance one or two are the cheapest to eject; the price of a
//! primitive is one more than the number of times that it was ejected, so that the search moves on
//! where colors are scarce. If none is left, there is one color less.

use super::NONE;
use super::graph::{Extended, Graph};
use std::collections::VecDeque;

/// How long the search may take.
struct Effort {
    /// Steps per primitive, and at least [`LEAST`], that may be spent in all.
    steps: usize,
    /// No color is tried that has more than this part of the primitives: it would hardly succeed.
    part: usize,
}
const LEAST: usize = 1 << 10;

/// Primitives of a large mesh.
const LARGE: usize = 1 << 13;

const USUAL: Effort = Effort { steps: 2, part: 32 };
/// If there are more than 13/10 of the colors that are needed at least, on [`LARGE`] meshes. Small
/// ones keep to the usual effort.
const MORE: Effort = Effort { steps: 16, part: 8 };

/// Searches a coloring with fewer colors, `at_least` or more. All primitives have a color, and
/// constraints that hold remain valid.
pub(super) fn reduce(graph: &Graph, colors: &mut Vec<u32>, at_least: usize) {
    let mut n_colors = colors.iter().max().map_or(0, |&color| color as usize + 1);
    if n_colors <= at_least {
        return;
    }
    let mut extended = Extended::new(graph);
    let mut prices = vec![1u32; graph.len()];
    let mut n_spent = 0;
    while at_least < n_colors {
        let is_hard = LARGE <= graph.len() && 13 * at_least < 10 * n_colors;
        let Effort { steps, part } = if is_hard { MORE } else { USUAL };
        let most = colors.len().max(LEAST) / part;
        let mut n_steps = (steps * graph.len()).max(LEAST).saturating_sub(n_spent);
        let before = n_steps;
        let last = n_colors as u32 - 1;
        let found = without_last(&mut extended, colors, last, most, &mut prices, &mut n_steps);
        n_spent += before - n_steps;
        let Some(found) = found else { return };
        *colors = found;
        n_colors -= 1;
    }
}

/// Returns a coloring without the color `last`, if at most so many primitives have it, and it is
/// found with the remaining steps.
fn without_last(
    extended: &mut Extended,
    colors: &[u32],
    last: u32,
    most: usize,
    prices: &mut [u32],
    n_steps: &mut usize,
) -> Option<Vec<u32>> {
    let mut colors = colors.to_vec();
    let mut open: VecDeque<u32> = (0..colors.len() as u32).filter(|&p| colors[p as usize] == last).collect();
    for &p in &open {
        colors[p as usize] = NONE;
    }
    if most < open.len() {
        return None;
    }
    let mut costs = vec![0u32; last as usize];
    while let Some(p) = open.pop_front() {
        if *n_steps == 0 {
            return None;
        }
        *n_steps -= 1;
        costs.fill(0);
        let near = extended.of(p);
        for &q in near {
            if let Some(cost) = costs.get_mut(colors[q as usize] as usize) {
                *cost = cost.saturating_add(prices[q as usize]);
            }
        }
        // Of equal ones another one each time.
        let shift = prices[p as usize] - 1;
        let rotated = |color: u32| (color + last - shift % last) % last;
        let color = (0..last).min_by_key(|&color| (costs[color as usize], rotated(color)))?;
        for &q in near {
            if colors[q as usize] == color {
                colors[q as usize] = NONE;
                prices[q as usize] = prices[q as usize].saturating_add(1);
                open.push_back(q);
            }
        }
        colors[p as usize] = color;
    }
    Some(colors)
}
