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

use crate::scene::Scene;

/// A name and what builds the scene.
type Entry = (&'static str, fn() -> Scene);

/// The scenes, in the order of [`names`](crate::names).
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
