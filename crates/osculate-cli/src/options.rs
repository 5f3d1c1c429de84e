//! Options shared by several commands.

use clap::ValueEnum;
use osculate::{Method, NormalCone, Radial, Refit, Rival, Shape, SphereTree, Volume};
use osculate_io::write::Guarantee;

/// Method names on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodName {
    /// Chosen by triangle count and number of steps
    #[default]
    Auto,
    /// Every pair of triangles: the reference
    Brute,
    /// Bounding volume hierarchy: moving boxes, and 16-DOPs at an instant
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
    /// Normal cones with a contour test: culls patches that cannot self-collide
    NormalCone,
    /// The same with a front: each traversal starts where the last one stopped
    NormalConeFront,
    /// Radial view culling, from observers inside each body
    Radial,
    /// The same, exact up to the first contact
    RadialFirst,
    /// Sphere tree refitted on demand, from bones for skinned bodies
    SphereTree,
    /// The same, refitted bottom-up: the conventional baseline
    SphereBottomUp,
    /// The same as sphere-tree, with boxes
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
    /// All complete methods, slowest first.
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

    /// The method of the library. For `auto`, which commands resolve first, one that suits any
    /// input.
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

    /// Whether the method uses clusters and observers.
    pub(crate) fn is_radial(self) -> bool {
        matches!(self, MethodName::Radial | MethodName::RadialFirst)
    }

    /// Whether the method refits bounds from bones, for bodies posed by bones.
    pub(crate) fn refits_from_bones(self) -> bool {
        matches!(self.method(), Method::SphereTree(_))
    }

    /// The guarantee of the method.
    pub(crate) fn guarantee(self) -> Guarantee {
        guarantee(self.method().guarantee())
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// The guarantee, as written in reports.
pub(crate) fn guarantee(guarantee: osculate::Guarantee) -> Guarantee {
    match guarantee {
        osculate::Guarantee::Complete => Guarantee::Complete,
        osculate::Guarantee::FirstContact => Guarantee::FirstContact,
        osculate::Guarantee::Nothing => Guarantee::Nothing,
    }
}

/// How the input is divided into bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bodies {
    /// One body
    Whole,
    /// One for each connected component
    Components,
    /// One for each object of the file
    #[default]
    Objects,
}
