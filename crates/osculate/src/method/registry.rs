//! The registry: every method by name, with its options, what it guarantees, and what it gains
//! from. The only list of methods; the command, its help and the tests that compare methods read
//! it.

use super::{brute, bvh, normal_cone, radial, rivals, spatial_hash, sphere_tree};
use crate::Error;
use crate::bounds::Volume;
use crate::options::{Guarantee, Method, NormalCone, Radial, Rival};
use std::fmt;
use std::str::FromStr;

/// What there is to know about a method. One constant in the file of each.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodFacts {
    /// Its name in commands and reports.
    pub name: &'static str,
    /// What it does, in one line.
    pub line: &'static str,
    /// The method without options.
    pub method: Method,
    /// Its options besides those for bounding volumes.
    pub(super) own_options: &'static [MethodOption],
    /// Whether there is a choice of bounding volumes.
    pub(super) has_volume: bool,
    /// What makes it faster, if a body has it. No method needs anything for its guarantee.
    pub gains_from: Option<Input>,
    /// Whether it is there to compare with, not to use.
    pub is_baseline: bool,
}

/// An option of a method.
#[derive(Debug)]
#[non_exhaustive]
pub struct MethodOption {
    /// Its name, behind the colon in the name of a method.
    pub name: &'static str,
    /// What it changes, in a few words.
    pub line: &'static str,
    /// Whether the method with this option is a method of its own in comparisons.
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

    /// Whether a method has the option.
    fn is_in(&self, method: Method) -> bool {
        let mut with = method;
        (self.set)(&mut with);
        with == method
    }
}

/// What a method may gain from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// Clusters of triangles, and observers that see them; grown along the surface if none are
    /// given.
    Clusters,
    /// A pose by the parameters of a deformer, such as the bones of a skin.
    Parameters,
}

/// All methods, in the order in which they are shown.
const REGISTRY: &[MethodFacts] = &[
    brute::FACTS,
    spatial_hash::FACTS,
    bvh::FACTS,
    normal_cone::FACTS,
    radial::FACTS,
    sphere_tree::FACTS,
    sphere_tree::FACTS_OF_BOXES,
    rivals::VMT94,
    rivals::SCT,
    rivals::CBC,
    rivals::MCD,
];

/// All methods, in the order in which they are shown.
#[must_use]
pub fn registry() -> &'static [MethodFacts] {
    REGISTRY
}

/// The methods that comparisons run over: those of the registry, and those with an option that
/// [counts as another](MethodOption::is_compared).
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

/// The choice of bounding volumes.
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
        | Method::Radial(Radial { volume, .. }) => *volume = of_method,
        Method::Brute | Method::SpatialHash | Method::SphereTree(_) => {}
    }
}

impl MethodFacts {
    /// The options that the name may have.
    pub fn options(&self) -> impl Iterator<Item = &'static MethodOption> {
        self.own_options.iter().chain(if self.has_volume { VOLUMES } else { &[] })
    }

    /// The method with those options that another one has.
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

/// Names that were given up, with what they mean.
const FORMER: &[(&str, &str)] = &[
    ("bvh-aabb", "bvh:aabb"),
    ("bvh-16dop", "bvh:16dop"),
    ("bvh-18dop", "bvh:18dop"),
    ("bvh-24dop", "bvh:24dop"),
    ("normal-cone-front", "normal-cone:front"),
    ("radial-first", "radial:first"),
    ("sphere-bottom-up", "sphere-tree:bottom-up"),
    ("box-bottom-up", "box-tree:bottom-up"),
];

/// The method of a name in the registry, with options behind a colon, separated by commas or plus
/// signs.
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
    /// What the registry says about the method.
    #[must_use]
    pub fn facts(self) -> &'static MethodFacts {
        let found = REGISTRY.iter().find(|facts| facts.with_options_of(self) == self);
        found.expect("a method is one of the registry with some of its options")
    }

    /// Returns the method with one of the options of its name. Fails if it has none of that name.
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

    /// What is guaranteed about the answers.
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

    /// Whether the method can answer queries about a step, and not only about an instant.
    #[must_use]
    pub fn takes_steps(self) -> bool {
        !matches!(self, Method::Rival(Rival::Sct, _))
    }

    /// Fails unless the method can be asked about a step.
    pub(crate) fn check_step(self) -> Result<(), Error> {
        if self.takes_steps() { Ok(()) } else { Err(Error::NotForSteps { method: self.facts().name }) }
    }
}
