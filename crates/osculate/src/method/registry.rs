//! The registry: every method with its name, options, guarantee, and the input it gains from. It is
//! the only list of methods; the command, its help and the comparison tests read it.

use super::{auto, bn_tree, brute, bvh, chromatic, normal_cone, radial, rivals, spatial_hash, sphere_tree};
use crate::Error;
use crate::bounds::Volume;
use crate::options::{BnTree, Chromatic, Guarantee, Method, NormalCone, Radial, Rival};
use std::fmt;
use std::str::FromStr;

/// The facts about a method: a constant in its file.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodFacts {
    /// The name in commands and reports.
    pub name: &'static str,
    /// A description in one line.
    pub line: &'static str,
    /// The method without options.
    pub method: Method,
    /// The options, without those for bounding volumes.
    pub(super) own_options: &'static [MethodOption],
    /// Whether there is a choice of bounding volumes.
    pub(super) has_volume: bool,
    /// Input that makes the method faster. No method needs it for its guarantee.
    pub gains_from: Option<Input>,
    /// Whether it is meant for comparison only.
    pub is_baseline: bool,
}

/// An option of a method.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodOption {
    /// The name, as it appears after the colon in the name of a method.
    pub name: &'static str,
    /// A description in a few words.
    pub line: &'static str,
    /// Whether comparisons include the method with this option.
    pub is_compared: bool,
    pub(super) set: fn(&mut Method),
}

impl MethodOption {
    pub(super) const fn new(name: &'static str, line: &'static str, set: fn(&mut Method)) -> MethodOption {
        MethodOption { name, line, is_compared: false, set }
    }

    pub(super) const fn compared(mut self) -> MethodOption {
        self.is_compared = true;
        self
    }

    /// Whether the option is set in a method.
    fn is_in(&self, method: Method) -> bool {
        let mut with = method;
        (self.set)(&mut with);
        with == method
    }
}

/// Input that makes a method faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// Clusters of triangles with observers; grown along the surface if not given.
    Clusters,
    /// Poses given by the parameters of a deformer, such as the bones of a skin.
    Parameters,
}

/// All methods, in display order.
const REGISTRY: &[MethodFacts] = &[
    brute::FACTS,
    spatial_hash::FACTS,
    bvh::FACTS,
    normal_cone::FACTS,
    radial::FACTS,
    chromatic::FACTS,
    sphere_tree::FACTS,
    sphere_tree::FACTS_OF_BOXES,
    bn_tree::FACTS,
    auto::FACTS,
    rivals::HSC,
    rivals::SCT,
    rivals::CBC,
    rivals::MCD,
];

/// All methods, in display order.
#[must_use]
pub fn registry() -> &'static [MethodFacts] {
    REGISTRY
}

/// The methods that comparisons run: those of the registry, and each of them with one option that
/// [is compared](MethodOption::is_compared).
pub fn compared() -> impl Iterator<Item = Method> {
    REGISTRY.iter().flat_map(|facts| {
        std::iter::once(facts.method).chain(facts.options().filter(|option| option.is_compared).map(
            |option| {
                let mut method = facts.method;
                (option.set)(&mut method);
                method
            },
        ))
    })
}

/// The options for bounding volumes.
const VOLUMES: &[MethodOption] = &[
    MethodOption::new("moving", "boxes that move with the step", |method| {
        set_volume(method, Volume::MovingAabb)
    }),
    MethodOption::new("aabb", "boxes of the whole step", |method| set_volume(method, Volume::Aabb)),
    MethodOption::new("16dop", "16-DOPs", |method| set_volume(method, Volume::Dop16)),
    MethodOption::new("18dop", "18-DOPs", |method| set_volume(method, Volume::Dop18)),
    MethodOption::new("24dop", "24-DOPs", |method| set_volume(method, Volume::Dop24)),
];

fn set_volume(method: &mut Method, of_method: Volume) {
    match method {
        Method::Bvh(volume)
        | Method::Rival(_, volume)
        | Method::NormalCone(NormalCone { volume, .. })
        | Method::Radial(Radial { volume, .. })
        | Method::Chromatic(Chromatic { volume, .. }) => *volume = of_method,
        Method::Auto | Method::Brute | Method::SpatialHash | Method::SphereTree(_) | Method::BnTree(_) => {}
    }
}

impl MethodFacts {
    /// All options of the method.
    pub fn options(&self) -> impl Iterator<Item = &'static MethodOption> {
        self.own_options.iter().chain(if self.has_volume { VOLUMES } else { &[] })
    }

    /// The method with the options that are set in another one.
    fn with_options_of(&self, other: Method) -> Method {
        let mut method = self.method;
        self.options().filter(|option| option.is_in(other)).for_each(|option| (option.set)(&mut method));
        method
    }
}

/// The name of the method, with its options: `bvh`, `normal-cone:front,radial`.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let facts = self.facts();
        f.write_str(facts.name)?;
        let options = facts.options().filter(|option| option.is_in(*self) && !option.is_in(facts.method));
        for (k, option) in options.enumerate() {
            write!(f, "{}{}", if k == 0 { ':' } else { ',' }, option.name)?;
        }
        Ok(())
    }
}

/// Former names, which are still parsed, and their replacements.
const FORMER: &[(&str, &str)] = &[
    ("bvh-aabb", "bvh:aabb"),
    ("bvh-16dop", "bvh:16dop"),
    ("bvh-18dop", "bvh:18dop"),
    ("bvh-24dop", "bvh:24dop"),
    ("normal-cone-front", "normal-cone:front"),
    ("radial-first", "radial:first"),
    ("sphere-bottom-up", "sphere-tree:bottom-up"),
    ("box-bottom-up", "box-tree:bottom-up"),
    ("vmt94", "hsc:no-contour"),
];

/// Parses a name in the registry, with options after a colon, separated by commas or plus signs.
impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Method, Error> {
        let former = FORMER.iter().find(|(former, _)| *former == text);
        let text = former.map_or(text, |(_, present)| present);
        let (name, options) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let facts = REGISTRY.iter().find(|facts| facts.name == name).ok_or_else(|| Error::NoSuchMethod {
            name: name.to_owned(),
            names: REGISTRY.iter().map(|facts| facts.name).collect::<Vec<_>>().join(", "),
        })?;
        let mut method = facts.method;
        for option in options.iter().flat_map(|options| options.split([',', '+'])) {
            method = method.with_option(option)?;
        }
        Ok(method)
    }
}

impl Method {
    /// The entry of the method in the registry.
    #[must_use]
    pub fn facts(self) -> &'static MethodFacts {
        let found = REGISTRY.iter().find(|facts| facts.with_options_of(self) == self);
        found.expect("a method is one of the registry with some of its options")
    }

    /// Returns the method with an option set. Fails if it has no option of that name.
    pub fn with_option(self, option: &str) -> Result<Method, Error> {
        let facts = self.facts();
        let known = facts.options().find(|known| known.name == option);
        let known = known.ok_or_else(|| Error::NoSuchMethodOption {
            method: facts.name,
            option: option.to_owned(),
            options: facts.options().map(|option| option.name).collect::<Vec<_>>().join(", "),
        })?;
        let mut method = self;
        (known.set)(&mut method);
        Ok(method)
    }

    /// The guarantee of the method.
    #[must_use]
    pub fn guarantee(self) -> Guarantee {
        match self {
            Method::Rival(Rival::Mcd | Rival::Hsc { contour: false }, _)
            | Method::BnTree(BnTree { contour: false, .. }) => Guarantee::Nothing,
            Method::Radial(Radial { first_contact: true, .. }) => Guarantee::FirstContact,
            _ => Guarantee::Complete,
        }
    }

    /// Whether queries by this method can have a [budget](crate::Budget).
    #[must_use]
    pub fn takes_budget(self) -> bool {
        matches!(self, Method::SphereTree(_))
    }

    /// Whether the method can answer queries about a step, and not only about an instant.
    #[must_use]
    pub fn takes_steps(self) -> bool {
        !matches!(self, Method::Rival(Rival::Sct, _))
    }

    /// Fails if the method cannot answer queries about a step.
    pub(crate) fn check_step(self) -> Result<(), Error> {
        if self.takes_steps() { Ok(()) } else { Err(Error::NotForSteps { method: self.facts().name }) }
    }
}
