//! What chromatic decomposition is meant to reach, and whether it does.

use super::colors::Colors;
use super::race::{AUTO, NO_SETS, SETS};
use super::{CATHETER, CURTAINS, Study, excess};
use crate::compare::goals::Goal;

/// The goals whose scenes were measured.
pub(super) fn goals(studies: &[Study], colors: &[Colors]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for study in studies {
        let scene = &study.scene;
        if scene == CURTAINS {
            for (method, wanted) in [(NO_SETS, 5.0), (SETS, 15.0)] {
                let name = study.rows[method].method;
                let words = format!("{scene}: elementary tests, bvh:aabb / {name}; then without contacts");
                goals.push(Goal::at_least(wanted, words, study.fewer_tests(method)));
            }
        }
        let words = format!("{scene}: time, bvh:aabb / chromatic; medians, then means");
        let wanted = if scene == CURTAINS { 2.0 } else { 0.9 };
        goals.push(Goal::at_least(wanted, words, study.speedup(AUTO).to_vec()));
        if scene == CATHETER {
            let row = &study.rows[AUTO].timed;
            let words = format!("{scene}: milliseconds of a step, chromatic; the median, then the mean");
            goals.push(Goal::at_most(5.0, words, vec![row.median(), row.mean()]));
        }
    }
    let singles: Vec<&Colors> = colors.iter().filter(|colors| colors.size == 1).collect();
    if let Some(most) = singles.iter().map(|colors| excess(colors)).max_by(f64::total_cmp) {
        goals.push(Goal::at_most(1.35, "colors / lower bound, the greatest".to_owned(), vec![most]));
    }
    let large = singles.iter().filter(|colors| 100_000 <= colors.triangles);
    if let Some(most) = large.map(|colors| colors.ms).max_by(f64::total_cmp) {
        goals.push(Goal::at_most(1.0, "seconds to color 100,000 triangles".to_owned(), vec![1e-3 * most]));
    }
    goals
}
