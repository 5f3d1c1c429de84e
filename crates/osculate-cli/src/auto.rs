//! `--method auto`: chooses the fastest method for a clip, preparation included.
//!
//! Normal cones cull most of a step, but first need a tree of patches, which takes longer to build
//! than a hierarchy of boxes. Both the build time and the savings per step grow with the triangle
//! count, so the number of steps decides. The constants come from the tables in `docs/auto.md`.

use osculate::Method;
use osculate::method::NormalCone;
use osculate_io::Surface;

use crate::options::MethodName;
use crate::words::counted;

/// Number of steps from which proofs pay for the tree of patches. Too low, and short clips wait for
/// a tree that they hardly use; too high, and clips of medium length miss the speed-up.
const STEPS: usize = 20;

/// Triangle count below which proofs never pay: patches of so few triangles are seldom flat enough.
const TRIANGLES: usize = 1000;

/// The size of the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    triangles: usize,
    /// Steps of a clip, or frames for crossings.
    steps: usize,
    /// The unit of `steps`, in the singular.
    unit: &'static str,
}

impl Facts {
    /// The facts for this number of steps, or other units, of a surface.
    pub(crate) fn of(surface: &Surface, steps: usize, unit: &'static str) -> Facts {
        Facts { triangles: surface.faces.len(), steps, unit }
    }
}

/// A method, and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) method: MethodName,
    /// The reason, as printed.
    pub(crate) reason: String,
}

/// Returns the method for a clip. Every method that it may return is complete.
pub(crate) fn choose(facts: &Facts) -> Choice {
    let triangles = counted(facts.triangles, "triangle");
    let steps = counted(facts.steps, facts.unit);
    let (method, reason) = if facts.triangles < TRIANGLES {
        (Method::default(), format!("for {triangles}, proofs about patches do not pay"))
    } else if facts.steps < STEPS {
        (Method::default(), format!("for {steps}, a tree of patches does not pay"))
    } else {
        (Method::NormalCone(NormalCone::new()), format!("for {steps}, a tree of patches pays"))
    };
    Choice { method: MethodName::Of(method), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use osculate_io::write::Guarantee;

    #[test]
    fn a_tree_of_patches_is_for_many_steps_of_many_triangles() {
        let cases = [
            (6, 3, "bvh"),
            (999, 100_000, "bvh"),
            (1000, 19, "bvh"),
            (1000, 20, "normal-cone"),
            (1_000_000, 1, "bvh"),
            (1_000_000, 20, "normal-cone"),
        ];
        for (triangles, steps, expected) in cases {
            let choice = choose(&Facts { triangles, steps, unit: "step" });
            assert_eq!(choice.method.to_string(), expected, "{triangles} triangles, {steps} steps");
            assert_eq!(choice.method.guarantee(), Guarantee::Complete);
        }
        let one = choose(&Facts { triangles: 5000, steps: 1, unit: "frame" });
        assert_eq!(one.reason, "for 1 frame, a tree of patches does not pay");
    }
}
