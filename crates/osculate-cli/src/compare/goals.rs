//! What a method is meant to reach, and whether it does.

use comfy_table::Table;
use serde_json::{Value, json};

use super::paper::table;

/// A goal and what was measured.
pub(super) struct Goal {
    pub(super) words: String,
    pub(super) wanted: String,
    /// The first one decides, unless the goal is about all.
    pub(super) figures: Vec<f64>,
    pub(super) is_reached: bool,
}

impl Goal {
    /// A goal that is reached if the first figure is at least `wanted`.
    pub(super) fn at_least(wanted: f64, words: String, figures: Vec<f64>) -> Goal {
        Goal { words, wanted: format!("at least {wanted}"), is_reached: wanted <= figures[0], figures }
    }

    /// A goal that is reached if the first figure is at most `wanted`.
    pub(super) fn at_most(wanted: f64, words: String, figures: Vec<f64>) -> Goal {
        Goal { words, wanted: format!("at most {wanted}"), is_reached: figures[0] <= wanted, figures }
    }
}

/// One row for each goal.
pub(super) fn goals_table(goals: &[Goal]) -> Table {
    let mut table = table(2, &["goal", "wanted", "measured", "reached"]);
    for goal in goals {
        let figures: Vec<String> = goal.figures.iter().map(|figure| format!("{figure:.2}")).collect();
        let reached = if goal.is_reached { "yes" } else { "no" };
        table.add_row([&goal.words, &goal.wanted, &figures.join(", "), reached]);
    }
    table
}

/// The goals as JSON.
pub(super) fn goals_json(goals: &[Goal]) -> Vec<Value> {
    let one = |goal: &Goal| {
        json!({
            "goal": goal.words,
            "wanted": goal.wanted,
            "measured": goal.figures,
            "reached": goal.is_reached,
        })
    };
    goals.iter().map(one).collect()
}
