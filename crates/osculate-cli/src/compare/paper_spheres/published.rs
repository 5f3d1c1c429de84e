//! The paper's numbers: Tables 2 and 3, Figure 7, and the text of section 5.

/// The numbers of one scenario.
#[derive(Clone, Copy)]
pub(super) struct Published {
    /// Our name of it.
    pub(super) scenario: &'static str,
    /// Milliseconds on demand and bottom-up.
    pub(super) ms: Option<[f64; 2]>,
    /// Speed-up of on demand over bottom-up.
    pub(super) speedup: f64,
    pub(super) details: Option<Details>,
}

/// Further columns of Table 3.
#[derive(Clone, Copy)]
pub(super) struct Details {
    pub(super) spheres: u64,
    pub(super) crossings: u64,
    /// Sphere tests on demand and bottom-up.
    pub(super) tests: [u64; 2],
}

/// The numbers of a scenario.
pub(super) fn published(scenario: &str) -> Option<&'static Published> {
    SCENARIOS.iter().find(|published| published.scenario == scenario)
}

/// Radii of the spheres on each level of the tree of the creature: reference, on demand, bottom-up,
/// best.
pub(super) const RADII: [[f64; 4]; 9] = [
    [34.55, 43.89, 45.68, 33.33],
    [18.86, 26.17, 24.63, 19.39],
    [7.38, 8.05, 9.21, 7.31],
    [3.68, 3.95, 4.58, 3.70],
    [1.69, 1.77, 2.27, 1.70],
    [0.91, 0.94, 1.17, 0.92],
    [0.61, 0.63, 0.74, 0.61],
    [0.42, 0.43, 0.49, 0.42],
    [0.30, 0.30, 0.35, 0.30],
];

const SCENARIOS: [Published; 12] = [
    timed("two men", [0.36, 18.13], 50.0),
    timed("two creatures", [6.97, 37.1], 5.32),
    timed("two creatures, any", [0.82, 30.18], 36.8),
    timed("crowd", [52.83, 779.3], 15.0),
    apart("dwarves apart, 0", 32.0),
    apart("dwarves apart, 1", 126.0),
    apart("dwarves apart, 2", 502.0),
    apart("dwarves apart, 3", 1995.0),
    crossing("dwarves crossing, 0", [1.33, 5.24], 3.9, [2046, 46, 4866, 9515]),
    crossing("dwarves crossing, 1", [2.17, 18.1], 8.34, [8821, 90, 9309, 19833]),
    crossing("dwarves crossing, 2", [3.8, 66.37], 17.47, [36506, 178, 17083, 40527]),
    crossing("dwarves crossing, 3", [8.04, 260.0], 32.34, [147_025, 350, 37682, 86437]),
];

const fn timed(scenario: &'static str, ms: [f64; 2], speedup: f64) -> Published {
    Published { scenario, ms: Some(ms), speedup, details: None }
}

const fn apart(scenario: &'static str, speedup: f64) -> Published {
    Published { scenario, ms: None, speedup, details: None }
}

const fn crossing(scenario: &'static str, ms: [f64; 2], speedup: f64, counts: [u64; 4]) -> Published {
    let [spheres, crossings, on_demand, bottom_up] = counts;
    let details = Some(Details { spheres, crossings, tests: [on_demand, bottom_up] });
    Published { scenario, ms: Some(ms), speedup, details }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong digit would break one of the ratios, or the order of levels, that the paper's
    /// numbers obey.
    #[test]
    fn the_numbers_of_the_paper_fit_each_other() {
        for Published { scenario, ms, speedup, .. } in SCENARIOS {
            let Some([on_demand, bottom_up]) = ms else { continue };
            assert!((bottom_up / on_demand / speedup - 1.0).abs() < 0.02, "{scenario}");
        }
        for levels in RADII.windows(2) {
            assert!((0..4).all(|k| levels[1][k] < levels[0][k]), "{levels:?}");
        }
    }
}
