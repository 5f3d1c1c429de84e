//! Compares the answers of two methods; a method that guarantees only the first contact must have
//! found that.

use osculate::{Contact, Crossing};

/// The answer of a method; one of the lists is empty. Both are sorted.
#[derive(Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) crossings: Vec<Crossing>,
}

/// Difference of an answer from the correct one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Number of missing results.
    pub(crate) missed: usize,
    /// Number of wrong results.
    pub(crate) extra: usize,
    /// Whether its earliest contact differs.
    pub(crate) is_first_missed: bool,
}

impl Answer {
    /// Number of contacts and crossings.
    pub(crate) fn n_results(&self) -> u64 {
        (self.contacts.len() + self.crossings.len()) as u64
    }

    /// Returns how `other` differs from this answer, which is correct.
    pub(crate) fn difference(&self, other: &Answer) -> Difference {
        let of_contacts = of_contacts(&self.contacts, &other.contacts);
        if self.crossings == other.crossings {
            return of_contacts;
        }
        let lacking = |here: &[Crossing], there: &[Crossing]| {
            let key = |c: &Crossing| (c.bodies, c.triangles);
            let has = |c: &&Crossing| there.binary_search_by_key(&key(c), key).is_ok_and(|i| there[i] == **c);
            here.iter().filter(|c| !has(c)).count()
        };
        Difference {
            missed: of_contacts.missed + lacking(&self.crossings, &other.crossings),
            extra: of_contacts.extra + lacking(&other.crossings, &self.crossings),
            ..of_contacts
        }
    }
}

/// Returns how contacts differ from the correct ones.
pub(crate) fn of_contacts(right: &[Contact], other: &[Contact]) -> Difference {
    if right == other {
        return Difference::default();
    }
    let lacking = |here: &[Contact], there: &[Contact]| {
        let has = |c: &&Contact| {
            there.binary_search_by_key(&c.key, |other| other.key).is_ok_and(|i| there[i] == **c)
        };
        here.iter().filter(|c| !has(c)).count()
    };
    Difference {
        missed: lacking(right, other),
        extra: lacking(other, right),
        is_first_missed: earliest(right) != earliest(other),
    }
}

/// The contact with the least `lo`; among those, the one with the least `hi`, then the first in the
/// list.
fn earliest(contacts: &[Contact]) -> Option<&Contact> {
    contacts.iter().min_by(|a, b| a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi)))
}
