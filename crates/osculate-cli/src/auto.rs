//! `--method auto`: the method that takes the least time for the work at hand, what it has to prepare included.

use osculate_io::Surface;

use crate::options::MethodName;

/// What is known of the work before it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) triangles: usize,
    /// Steps of a clip, or frames if crossings are asked for.
    pub(crate) steps: usize,
    /// Whether bones move it.
    pub(crate) is_skinned: bool,
}

impl Facts {
    /// What is known of so many steps of a surface.
    pub(crate) fn of(surface: &Surface, steps: usize) -> Facts {
        Facts { triangles: surface.faces.len(), steps, is_skinned: surface.skin.is_some() }
    }
}

/// A method, and why.
pub(crate) struct Choice {
    pub(crate) method: MethodName,
    /// Goes on after "as".
    pub(crate) reason: String,
}

pub(crate) fn choose(facts: &Facts) -> Choice {
    let _ = facts;
    Choice { method: MethodName::NormalCone, reason: "".into() }
}
