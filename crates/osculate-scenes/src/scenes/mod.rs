//! The scenes, one file each.

mod figure;
mod rope;
mod octopus;
mod urchin;
mod walker;
mod twisted_box;
mod hand;
mod dwarf;
mod man;
mod creature;
mod drape;
mod curtains;
mod twist;
mod jelly;
mod spikes;
mod reduced_cloth;
mod particles;
mod modal;
mod beast;
mod catheter;
#[cfg(test)]
mod tests;

pub(crate) use catheter::route as catheter_route;

use crate::scene::Scene;

/// A name and the function that builds the scene.
type Entry = (&'static str, fn() -> Scene);

/// Scenes that build quickly, in the order of [`names`](crate::names).
pub(crate) const SCENES: &[Entry] = &[
    ("figure", figure::figure),
    ("rope", rope::rope),
    ("octopus", octopus::octopus),
    ("urchin", urchin::urchin),
    ("walker", walker::walker),
    ("box", twisted_box::twisted_box),
    ("hand", hand::hand),
    ("dwarf", dwarf::dwarf),
    ("man", man::man),
    ("creature", creature::creature),
];

/// Scenes that are slow to build or large, in the order of [`large_names`](crate::large_names).
pub(crate) const LARGE: &[Entry] = &[
    ("drape", drape::drape),
    ("curtains", curtains::curtains),
    ("twist", twist::twist),
    ("jelly", jelly::jelly),
    ("spikes", spikes::spikes),
    ("reduced-cloth-2", reduced_cloth::reduced_cloth_2),
    ("reduced-cloth-3", reduced_cloth::reduced_cloth_3),
    ("reduced-cloth-4", reduced_cloth::reduced_cloth_4),
    ("particles", particles::particles),
    ("modal", modal::modal),
    ("beast-walk", beast::beast_walk),
    ("beast-jump", beast::beast_jump),
    ("catheter", catheter::catheter),
];
