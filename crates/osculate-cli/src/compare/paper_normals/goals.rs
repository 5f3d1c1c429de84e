//! What bounded normal trees are meant to reach, and whether they do.

use super::race::{BN_TREE, BN_TREE_OF_PAPER, HSC, HSC_OF_PAPER, NORMAL_CONE};
use super::{CLOTH, JUMP, Study, WALK};
use crate::compare::goals::Goal;

/// The paper's speed-up over HSC for a walking cat.
const SPEEDUP_OF_PAPER: f64 = 3.0;

/// The goals whose scenes were measured.
pub(super) fn goals(studies: &[Study]) -> Vec<Goal> {
    let find = |name: &str| studies.iter().find(|study| study.scene == name);
    let mut goals = Vec::new();
    let mut add_speedup = |scene: &str, over: usize, method: usize, wanted: f64| {
        if let Some(study) = find(scene) {
            let figures = vec![study.ratio_of_medians([over, method]), study.ratio_of_means([over, method])];
            let [name, other] = [method, over].map(|i| study.rows[i].method.to_string());
            let words = format!("{scene}: speed-up of {name} over {other}");
            goals.push(Goal::at_least(wanted, words, figures));
        }
    };
    add_speedup(WALK, HSC, BN_TREE, 3.0);
    add_speedup(JUMP, HSC, BN_TREE, 1.2);
    add_speedup(WALK, HSC_OF_PAPER, BN_TREE_OF_PAPER, SPEEDUP_OF_PAPER);
    add_speedup(JUMP, HSC_OF_PAPER, BN_TREE_OF_PAPER, 1.2);
    add_speedup(WALK, NORMAL_CONE, BN_TREE, 4.0);
    add_speedup(JUMP, NORMAL_CONE, BN_TREE, 1.0);
    let cloth: Vec<&Study> = CLOTH.iter().filter_map(|name| find(name)).collect();
    if cloth.len() == CLOTH.len() {
        let figures: Vec<f64> = cloth.iter().map(|study| study.ratio_of_medians([HSC, BN_TREE])).collect();
        goals.push(Goal {
            words: "cloth: speed-up of bn-tree over hsc at each level".to_owned(),
            wanted: "growing".to_owned(),
            is_reached: figures.is_sorted_by(|a, b| a < b),
            figures,
        });
        let free: Vec<f64> = cloth.iter().filter_map(|study| study.ms_of_free_steps(BN_TREE)).collect();
        if let [coarsest, .., finest] = free[..] {
            goals.push(Goal::at_most(
                2.0,
                "cloth: time of bn-tree at level 4 / level 2, steps without contacts".to_owned(),
                vec![finest / coarsest],
            ));
        }
    }
    if let Some(study) = find(WALK) {
        let seconds = 1e-3 * study.rows[BN_TREE].build_ms;
        goals.push(Goal::at_most(
            2.0,
            format!("{WALK}: seconds for data computed once, bn-tree"),
            vec![seconds],
        ));
    }
    goals
}
