//! Options that several commands have.

use clap::ValueEnum;
use osculate::{Method, NormalCone, Radial, Refit, Rival, Shape, SphereTree, Volume};
use osculate_io::write::Guarantee;

/// Names of the methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    /// The one that suits the input and the number of steps
    #[default]
    Auto,
    /// Every pair of triangles: the referee
    Brute,
    /// Bounding volume hierarchies: boxes that move, and 16-DOPs at an instant
    Bvh,
    /// The same with boxes of the whole step
    BvhAabb,
    /// The same with 16-DOPs
    #[value(name = "bvh-16dop")]
    Bvh16Dop,
    /// The same with 18-DOPs
    #[value(name = "bvh-18dop")]
    Bvh18Dop,
    /// The same with 24-DOPs
    #[value(name = "bvh-24dop")]
    Bvh24Dop,
    /// A uniform grid
    SpatialHash,
    /// Normal cones with a contour test, for patches that cannot touch themselves
    NormalCone,
    /// The same with a front: starts where the last walk stopped
    NormalConeFront,
    /// Radial view culling, for bodies with a skeleton
    Radial,
    /// The same, exact up to the first contact
    RadialFirst,
    /// Balls that are refitted where the search goes, from the bones of a body that has some
    SphereTree,
    /// The same, all balls being refitted from the leaves up: what was done before
    SphereBottomUp,
    /// The same as sphere-tree with boxes
    BoxTree,
    /// Rival: common directions of normals, contour untested; may miss contacts
    Vmt94,
    /// Rival: star-shaped contours; crossings only
    Sct,
    /// Rival: normal cones, edges of contours compared in pairs
    Cbc,
    /// Rival: normal cones, contour untested; may miss contacts
    Mcd,
}

impl MethodName {
    /// All methods that report every contact, the slowest first.
    pub(crate) const COMPLETE: [MethodName; 13] = [
        MethodName::Brute,
        MethodName::SpatialHash,
        MethodName::BvhAabb,
        MethodName::Bvh16Dop,
        MethodName::Bvh18Dop,
        MethodName::Bvh24Dop,
        MethodName::Bvh,
        MethodName::SphereBottomUp,
        MethodName::SphereTree,
        MethodName::BoxTree,
        MethodName::NormalCone,
        MethodName::NormalConeFront,
        MethodName::Radial,
    ];

    /// The method of the library; for `auto`, which commands decide before they ask, one that suits
    /// any input.
    pub(crate) fn method(self) -> Method {
        match self {
            MethodName::Brute => Method::Brute,
            MethodName::Auto | MethodName::Bvh => Method::Bvh(Volume::MovingAabb),
            MethodName::BvhAabb => Method::Bvh(Volume::Aabb),
            MethodName::Bvh16Dop => Method::Bvh(Volume::Dop16),
            MethodName::Bvh18Dop => Method::Bvh(Volume::Dop18),
            MethodName::Bvh24Dop => Method::Bvh(Volume::Dop24),
            MethodName::SpatialHash => Method::SpatialHash,
            MethodName::NormalCone => Method::NormalCone(NormalCone::new()),
            MethodName::NormalConeFront => {
                Method::NormalCone(NormalCone { front: true, ..NormalCone::new() })
            }
            MethodName::Radial => Method::Radial(Radial::new()),
            MethodName::RadialFirst => Method::Radial(Radial { first_contact: true, ..Radial::new() }),
            MethodName::SphereTree => Method::SphereTree(SphereTree::new()),
            MethodName::SphereBottomUp => {
                Method::SphereTree(SphereTree { refit: Refit::BottomUp, ..SphereTree::new() })
            }
            MethodName::BoxTree => Method::SphereTree(SphereTree { shape: Shape::Box, ..SphereTree::new() }),
            MethodName::Vmt94 => Method::Rival(Rival::Vmt94, Volume::Dop16),
            MethodName::Sct => Method::Rival(Rival::Sct, Volume::Dop16),
            MethodName::Cbc => Method::Rival(Rival::Cbc, Volume::Dop16),
            MethodName::Mcd => Method::Rival(Rival::Mcd, Volume::Dop16),
        }
    }

    /// Whether it looks at clusters from observers.
    pub(crate) fn is_radial(self) -> bool {
        matches!(self, MethodName::Radial | MethodName::RadialFirst)
    }

    /// Whether it refits bounds from the bones of bodies, if they are posed by them.
    pub(crate) fn refits_from_bones(self) -> bool {
        matches!(self.method(), Method::SphereTree(_))
    }

    /// What is known of its answers.
    pub(crate) fn guarantee(self) -> Guarantee {
        guarantee(self.method().guarantee())
    }

    /// The name under which the user knows it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// What is known of answers, as it is written.
pub(crate) fn guarantee(guarantee: osculate::Guarantee) -> Guarantee {
    match guarantee {
        osculate::Guarantee::Complete => Guarantee::Complete,
        osculate::Guarantee::FirstContact => Guarantee::FirstContact,
        osculate::Guarantee::Nothing => Guarantee::Nothing,
    }
}

/// What counts as one body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bodies {
    /// All of it
    Whole,
    /// Each connected component
    Components,
    /// Each object of the file
    #[default]
    Objects,
}
