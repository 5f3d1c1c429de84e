//! The paper's numbers: figures 9 to 11.

/// The numbers of one animation.
pub(super) struct Published {
    /// Our similar scene.
    scene: &'static str,
    /// The name in the paper.
    pub(super) name: &'static str,
    /// Milliseconds of contour tests: at an instant, those of the paper and of SCT; over a step,
    /// those of the paper and of CBC.
    contours: [[f64; 2]; 2],
    /// Milliseconds of a query at an instant: AABB-only, SCT, the paper.
    crossings: [f64; 3],
    /// Milliseconds of a query over a step: AABB-only, CBC, normal cones, normal cones and front.
    contacts: [f64; 4],
    /// The size of the front with normal cones, in percent of that without: at an instant, and over
    /// a step.
    fronts: [f64; 2],
}

impl Published {
    /// How many times as long as the paper's contour tests those of SCT take, and those of CBC.
    pub(super) fn contour_speedup(&self, is_step: bool) -> f64 {
        let [ours, theirs] = self.contours[usize::from(is_step)];
        theirs / ours
    }

    /// AABB-only divided by SCT and the paper at an instant.
    pub(super) fn speedups_at_instants(&self) -> [f64; 2] {
        let [boxes, sct, ours] = self.crossings;
        [boxes / sct, boxes / ours]
    }

    /// AABB-only divided by CBC, normal cones, and normal cones with a front over a step.
    pub(super) fn speedups_over_steps(&self) -> [f64; 3] {
        let [boxes, cbc, cones, front] = self.contacts;
        [boxes / cbc, boxes / cones, boxes / front]
    }

    /// The size of the front with normal cones, as a share of that without.
    pub(super) fn front_share(&self, is_step: bool) -> f64 {
        1e-2 * self.fronts[usize::from(is_step)]
    }
}

/// The numbers of the animation that a scene is similar to.
pub(super) fn published(scene: &str) -> Option<&'static Published> {
    ANIMATIONS.iter().find(|animation| animation.scene == scene)
}

const ANIMATIONS: [Published; 4] = [
    Published {
        scene: "twist",
        name: "Twisting",
        contours: [[0.41, 1.58], [1.09, 5.39]],
        crossings: [80.08, 60.15, 56.79],
        contacts: [105.55, 95.56, 92.19, 82.6],
        fronts: [34.48, 37.10],
    },
    Published {
        scene: "drape",
        name: "Funnel",
        contours: [[0.63, 2.29], [1.17, 7.56]],
        crossings: [78.52, 58.76, 53.37],
        contacts: [82.27, 79.46, 64.96, 61.5],
        fronts: [28.71, 31.40],
    },
    Published {
        scene: "spikes",
        name: "SquishyBall",
        contours: [[141.1, 196.5], [454.3, 668.5]],
        crossings: [2484.0, 1921.0, 1842.0],
        contacts: [6553.0, 5749.0, 5609.0, 5142.0],
        fronts: [12.21, 11.40],
    },
    Published {
        scene: "reduced-cloth-4",
        name: "FlowingCloth",
        contours: [[0.033, 0.14], [0.8, 9.37]],
        crossings: [46.64, 23.43, 21.27],
        contacts: [55.22, 40.1, 27.01, 25.03],
        fronts: [8.01, 9.20],
    },
];
