//! The registry: every method by name, what it does, and what it guarantees. The only list of
//! methods in the library.

use crate::Error;
use crate::bounds::Volume;
use crate::query::{Guarantee, Method, NormalCone, Radial, Refit, Rival, Shape, SphereTree};
use std::str::FromStr;

/// What is known of a method with certain options.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// Its name in commands and reports.
    pub name: &'static str,
    /// What it does, in one line.
    pub line: &'static str,
    /// The method.
    pub method: Method,
    /// Whether it is there to compare with, not to use.
    pub is_baseline: bool,
}

const fn facts_of(name: &'static str, line: &'static str, method: Method) -> Facts {
    Facts { name, line, method, is_baseline: false }
}

const fn baseline(name: &'static str, line: &'static str, method: Method) -> Facts {
    Facts { name, line, method, is_baseline: true }
}

const fn on_demand(shape: Shape, refit: Refit) -> Method {
    Method::SphereTree(SphereTree { shape, refit, certificates: true })
}

/// All methods, with the options that have a name.
const METHODS: &[Facts] = &[
    baseline("brute", "all pairs of triangles: the referee", Method::Brute),
    facts_of(
        "bvh",
        "bounding volume hierarchies with boxes that move with the step",
        Method::Bvh(Volume::MovingAabb),
    ),
    facts_of("bvh-aabb", "the same with boxes of the whole step", Method::Bvh(Volume::Aabb)),
    facts_of("bvh-16dop", "the same with 16-DOPs", Method::Bvh(Volume::Dop16)),
    facts_of("bvh-18dop", "the same with 18-DOPs", Method::Bvh(Volume::Dop18)),
    facts_of("bvh-24dop", "the same with 24-DOPs", Method::Bvh(Volume::Dop24)),
    facts_of("spatial-hash", "triangles that share a cell of a uniform grid", Method::SpatialHash),
    facts_of(
        "normal-cone",
        "leaves out patches that are proven not to touch themselves",
        Method::NormalCone(NormalCone::new()),
    ),
    facts_of(
        "normal-cone-front",
        "the same, starting where the last walk stopped",
        Method::NormalCone(NormalCone { front: true, ..NormalCone::new() }),
    ),
    facts_of(
        "radial",
        "leaves out pairs of triangles that face away from a point inside the body",
        Method::Radial(Radial::new()),
    ),
    facts_of(
        "radial-first",
        "the same, exact up to the first contact",
        Method::Radial(Radial { first_contact: true, ..Radial::new() }),
    ),
    facts_of(
        "sphere-tree",
        "balls refitted on demand from the bones of skinned bodies",
        on_demand(Shape::Ball, Refit::OnDemand),
    ),
    facts_of(
        "box-tree",
        "boxes refitted on demand from the bones of skinned bodies",
        on_demand(Shape::Box, Refit::OnDemand),
    ),
    baseline(
        "sphere-bottom-up",
        "balls refitted from the leaves up: the conventional baseline of sphere-tree",
        on_demand(Shape::Ball, Refit::BottomUp),
    ),
    baseline(
        "box-bottom-up",
        "boxes refitted from the leaves up: the conventional baseline of box-tree",
        on_demand(Shape::Box, Refit::BottomUp),
    ),
    baseline(
        "vmt94",
        "common directions of normals; a heuristic",
        Method::Rival(Rival::Vmt94, Volume::MovingAabb),
    ),
    baseline(
        "sct",
        "normal cones and star-shaped contours; for crossings only",
        Method::Rival(Rival::Sct, Volume::MovingAabb),
    ),
    baseline(
        "cbc",
        "normal cones, and contours compared edge by edge",
        Method::Rival(Rival::Cbc, Volume::MovingAabb),
    ),
    baseline("mcd", "normal cones alone; a heuristic", Method::Rival(Rival::Mcd, Volume::MovingAabb)),
];

/// All methods, with the options that have a name, in the order in which they are shown.
#[must_use]
pub fn facts() -> &'static [Facts] {
    METHODS
}

/// The method of a name in the registry.
impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Method, Error> {
        let found = METHODS.iter().find(|facts| facts.name == name);
        found.map(|facts| facts.method).ok_or_else(|| Error::NoSuchMethod { name: name.to_owned() })
    }
}

impl Method {
    /// What is known of the answers.
    #[must_use]
    pub fn guarantee(self) -> Guarantee {
        match self {
            Method::Rival(Rival::Mcd | Rival::Vmt94, _) => Guarantee::Nothing,
            Method::Radial(Radial { first_contact: true, .. }) => Guarantee::FirstContact,
            _ => Guarantee::Complete,
        }
    }

    /// Whether a query by this method may have a [budget](crate::Budget).
    #[must_use]
    pub fn takes_budget(self) -> bool {
        matches!(self, Method::SphereTree(_))
    }

    /// Fails unless the method can be asked about a step.
    pub(crate) fn check_step(self) -> Result<(), Error> {
        match self {
            Method::Rival(Rival::Sct, _) => Err(Error::NotForSteps { method: "sct" }),
            _ => Ok(()),
        }
    }
}
