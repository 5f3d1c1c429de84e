//! The mutants, by part of the library, and those of the command.

mod bounded_normals;
mod bounds;
mod certificate;
mod check;
mod chromatic;
mod contour;
mod feature;
mod lazy_bounds;
mod many;
mod method;
mod narrow;
mod penetration;
mod query;
mod radial;

use super::{COMMAND, LIBRARY, Mutant, Tests};

/// All mutants, in the order of their numbers.
pub(super) fn all() -> impl Iterator<Item = &'static Mutant> {
    [
        bounded_normals::MUTANTS,
        bounds::MUTANTS,
        certificate::MUTANTS,
        check::MUTANTS,
        chromatic::MUTANTS,
        contour::MUTANTS,
        feature::MUTANTS,
        lazy_bounds::MUTANTS,
        many::MUTANTS,
        method::MUTANTS,
        narrow::MUTANTS,
        penetration::MUTANTS,
        query::MUTANTS,
        radial::MUTANTS,
    ]
    .into_iter()
    .flatten()
}

/// A mutant that some of the tests must detect.
const fn mutant(
    name: &'static str,
    file: &'static str,
    edits: &'static [(&'static str, &'static str)],
    tests: &'static [&'static str],
) -> Mutant {
    Mutant { name, package: LIBRARY, file, edits, tests: Tests::Fail(tests) }
}

/// A mutant that changes no answer.
const fn equivalent(
    name: &'static str,
    file: &'static str,
    edits: &'static [(&'static str, &'static str)],
    why: &'static str,
) -> Mutant {
    Mutant { name, package: LIBRARY, file, edits, tests: Tests::Equivalent(why) }
}

/// A mutant of the command that some of its tests must detect.
const fn of_command(
    name: &'static str,
    file: &'static str,
    edits: &'static [(&'static str, &'static str)],
    tests: &'static [&'static str],
) -> Mutant {
    Mutant { name, package: COMMAND, file, edits, tests: Tests::Fail(tests) }
}
