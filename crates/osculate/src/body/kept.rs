//! Data that methods keep for a body from step to step, by type. A method adds its own types; the
//! body knows none of them.

use crate::Model;
use std::any::Any;

/// Data kept for a body, or for a world.
pub(crate) trait Keep: Any + Send + Sync {
    /// Heap memory held for the body alone in bytes.
    fn memory_bytes(&self, _model: &Model) -> usize {
        0
    }
}

/// The data that methods keep for a body: at most one value of each type. Lookup is linear, as
/// values are few.
#[derive(Default)]
pub(crate) struct Kept(Vec<Box<dyn Keep>>);

impl Kept {
    /// The value of a type, if there is one.
    pub(crate) fn get<T: Keep>(&self) -> Option<&T> {
        self.0.iter().find_map(|value| {
            let value: &dyn Any = &**value;
            value.downcast_ref()
        })
    }

    /// The value of a type, if there is one.
    pub(crate) fn get_mut<T: Keep>(&mut self) -> Option<&mut T> {
        self.0.iter_mut().find_map(|value| {
            let value: &mut dyn Any = &mut **value;
            value.downcast_mut()
        })
    }

    /// The values of two different types, if both exist.
    pub(crate) fn get_two<S: Keep, T: Keep>(&mut self) -> Option<(&mut S, &T)> {
        let (mut first, mut second) = (None, None);
        for value in &mut self.0 {
            let value: &mut dyn Any = &mut **value;
            if value.is::<S>() {
                first = value.downcast_mut();
            } else if value.is::<T>() {
                second = value.downcast_ref();
            }
        }
        first.zip(second)
    }

    /// The value of a type, created if there is none.
    pub(crate) fn get_or<T: Keep>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        let place = self.0.iter().position(|value| {
            let value: &dyn Any = &**value;
            value.is::<T>()
        });
        let place = place.unwrap_or_else(|| {
            self.0.push(Box::new(make()));
            self.0.len() - 1
        });
        let value: &mut dyn Any = &mut *self.0[place];
        value.downcast_mut().expect("it is of this type")
    }

    /// Heap memory of the values in bytes.
    pub(crate) fn memory_bytes(&self, model: &Model) -> usize {
        self.0.iter().map(|value| value.memory_bytes(model)).sum()
    }
}
