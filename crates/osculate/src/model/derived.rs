//! What is computed once for a model, by type: a method adds its own types, and the model knows
//! none of them.

use super::Model;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Something that is computed once for a model, when it is first asked for, and kept.
pub(crate) trait Derive: Any + Send + Sync + fmt::Debug {
    /// Computes it. Deterministic: it does not matter which of several results is kept.
    fn derive(model: &Model) -> Self
    where
        Self: Sized;

    /// Bytes of memory that it holds for the model.
    fn memory_bytes(&self, model: &Model) -> usize;
}

/// What has been computed for a model so far.
///
/// A list to which entries are appended and from which none is removed while it is shared, so that
/// references to entries stay valid without a lock. Entries are few, one for each type.
///
/// The values are trees that are built with rayon, so no lock may be held while they are: a worker
/// that waits for a part of a build may steal a task which asks for the same value, and would wait
/// for a lock that its own thread holds. Here nobody waits. Threads that ask at the same time each
/// compute the value, and the first result is kept; the engine asks once for each model before its
/// bodies do so in parallel, so that this is rare.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived(OnceLock<Arc<Entry>>);

#[derive(Debug)]
struct Entry {
    value: Box<dyn Derive>,
    next: Derived,
}

impl Derived {
    /// The value of a type, if it is there.
    pub(crate) fn get<T: Derive>(&self) -> Option<&T> {
        let entry = self.0.get()?;
        let value: &dyn Any = &*entry.value;
        value.downcast_ref().or_else(|| entry.next.get())
    }

    /// Returns the value of a type, and keeps it if there was none.
    pub(crate) fn get_or_derive<T: Derive>(&self, model: &Model) -> &T {
        self.get().unwrap_or_else(|| self.keep(T::derive(model)))
    }

    /// Keeps a value, unless there is one of its type; returns the one that is there.
    fn keep<T: Derive>(&self, value: T) -> &T {
        let mut new = Some(value);
        let mut list = self;
        loop {
            let entry = list.0.get_or_init(|| {
                let value = new.take().map(|value| Box::new(value) as Box<dyn Derive>);
                Arc::new(Entry { value: value.expect("it is taken once"), next: Derived::default() })
            });
            let value: &dyn Any = &*entry.value;
            if let Some(value) = value.downcast_ref() {
                return value;
            }
            list = &entry.next;
        }
    }

    /// Bytes of memory that the values hold.
    pub(crate) fn memory_bytes(&self, model: &Model) -> usize {
        self.0.get().map_or(0, |entry| entry.value.memory_bytes(model) + entry.next.memory_bytes(model))
    }
}
