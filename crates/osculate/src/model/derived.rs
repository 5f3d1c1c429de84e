//! Data computed once for a model, by type. A method adds its own types; the model knows none of
//! them.

use super::Model;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Data computed once for a model, when first needed, and kept.
pub(crate) trait Derive: Any + Send + Sync + fmt::Debug {
    /// Computes the data. It must be deterministic: which of several results is kept must not
    /// matter.
    fn derive(model: &Model) -> Self
    where
        Self: Sized;

    /// Heap memory held for the model in bytes.
    fn memory_bytes(&self, model: &Model) -> usize;
}

/// The data computed for a model so far.
///
/// A list that is append-only while it is shared, so that references to entries stay valid without
/// a lock. Entries are few, one for each type.
///
/// The values are trees built with rayon, so no lock may be held during a build: a worker that
/// waits for a part of a build may steal a task that needs the same value, and would wait for a
/// lock held by its own thread. Here no thread waits. Threads that need a value at the same time
/// each compute it, and the first result is kept. This is rare, as the engine derives the data of
/// each model once before its bodies use it in parallel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived(OnceLock<Arc<Entry>>);

#[derive(Debug)]
struct Entry {
    value: Box<dyn Derive>,
    next: Derived,
}

impl Derived {
    /// The value of a type, if it was computed.
    pub(crate) fn get<T: Derive>(&self) -> Option<&T> {
        let entry = self.0.get()?;
        let value: &dyn Any = &*entry.value;
        value.downcast_ref().or_else(|| entry.next.get())
    }

    /// Returns the value of a type; computes and keeps it if there is none.
    pub(crate) fn get_or_derive<T: Derive>(&self, model: &Model) -> &T {
        self.get().unwrap_or_else(|| self.keep(T::derive(model)))
    }

    /// Keeps a value, unless there is one of its type already; returns the one kept.
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

    /// Heap memory of the values in bytes.
    pub(crate) fn memory_bytes(&self, model: &Model) -> usize {
        self.0.get().map_or(0, |entry| entry.value.memory_bytes(model) + entry.next.memory_bytes(model))
    }
}
