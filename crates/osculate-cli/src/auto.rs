//! `--method auto`: the method that takes the least time for the work at hand, what it has to
//! prepare included.
//!
//! Normal cones leave out most of a step, but need a tree of patches first, which takes longer to
//! make than a hierarchy of boxes. Both the preparation and what a step saves grow with the number
//! of triangles; so it is the number of steps that decides. The constants are those of the tables
//! in `docs/auto.md`, which says how they were measured.

use osculate::Method;
use osculate::method::NormalCone;
use osculate_io::Surface;

use crate::options::MethodName;
use crate::words::counted;

/// Steps from which on proofs about patches pay for the tree of patches. Too low, and short clips
/// wait for a tree that they hardly use; too high, and clips of middle length do without proofs
/// that would have paid.
const STEPS: usize = 20;

/// Triangles below which they never do: patches of so few triangles are seldom flat enough for a
/// proof.
const TRIANGLES: usize = 1000;

/// What is known of the work before it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    triangles: usize,
    /// Steps of a clip, or frames if crossings are asked for.
    steps: usize,
    /// What they are, in the singular.
    unit: &'static str,
}

impl Facts {
    /// What is known of so many steps of a surface, or of what the unit says.
    pub(crate) fn of(surface: &Surface, steps: usize, unit: &'static str) -> Facts {
        Facts { triangles: surface.faces.len(), steps, unit }
    }
}

/// A method, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) method: MethodName,
    /// In words.
    pub(crate) reason: String,
}

/// Returns the method for some work. Every method that it may return is complete.
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
