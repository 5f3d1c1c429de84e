//! The methods that tests compare: those of the registry.

use osculate::Method;
use osculate::method::{Guarantee, compared};

/// The methods that guarantee all contacts of a step, brute force among them.
pub(crate) fn complete_methods() -> impl Iterator<Item = Method> {
    compared().filter(|method| method.takes_steps() && method.guarantee() == Guarantee::Complete)
}
