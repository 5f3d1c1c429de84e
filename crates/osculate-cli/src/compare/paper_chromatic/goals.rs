//! What chromatic decomposition is meant to reach, and whether it does.

use super::colors::Colors;
use super::race::{AUTO, NO_SETS, SETS};
use super::{CATHETER, CURTAINS, Study, excess};

/// A goal and what was measured.
pub(super) struct Goal {
    pub(super) words: String,
    pub(super) wanted: String,
    /// The first one decides.
    pub(super) figures: Vec<f64>,
    pub(super) is_reached: bool,
}

/// A goal that is reached by a figure of at least, or at most, the wanted one.
fn goal(words: String, at_least: bool, wanted: f64, figures: Vec<f64>) -> Goal {
    let is_reached = if at_least { wanted <= figures[0] } else { figures[0] <= wanted };
    let bound = if at_least { "least" } else { "most" };
    Goal { words, wanted: format!("at {bound} {wanted}"), figures, is_reached }
}

/// The goals whose scenes were measured.
pub(super) fn goals(studies: &[Study], colors: &[Colors]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for study in studies {
        let scene = &study.scene;
        if scene == CURTAINS {
            for (method, wanted) in [(NO_SETS, 5.0), (SETS, 15.0)] {
                let name = study.rows[method].method;
                let words = format!("{scene}: elementary tests, bvh:aabb / {name}; then without contacts");
                goals.push(goal(words, true, wanted, study.fewer_tests(method)));
            }
        }
        let words = format!("{scene}: time, bvh:aabb / chromatic; medians, then means");
        let wanted = if scene == CURTAINS { 2.0 } else { 0.9 };
        goals.push(goal(words, true, wanted, study.speedup(AUTO).to_vec()));
        if scene == CATHETER {
            let row = &study.rows[AUTO];
            let words = format!("{scene}: milliseconds of a step, chromatic; the median, then the mean");
            goals.push(goal(words, false, 5.0, vec![row.median(), row.mean()]));
        }
    }
    let singles: Vec<&Colors> = colors.iter().filter(|colors| colors.size == 1).collect();
    if let Some(most) = singles.iter().map(|colors| excess(colors)).max_by(f64::total_cmp) {
        goals.push(goal("colors / lower bound, the greatest".to_owned(), false, 1.35, vec![most]));
    }
    let large = singles.iter().filter(|colors| 100_000 <= colors.triangles);
    if let Some(most) = large.map(|colors| colors.ms).max_by(f64::total_cmp) {
        goals.push(goal("seconds to color 100,000 triangles".to_owned(), false, 1.0, vec![1e-3 * most]));
    }
    goals
}
