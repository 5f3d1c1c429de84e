//! Chained setters for structs that may get more fields.

/// Defines, for each field, a method of the same name that sets it and returns the struct.
macro_rules! setters {
    ($($field:ident: $type:ty),* $(,)?) => {
        $(
            #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
            #[must_use]
            pub const fn $field(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )*
    };
}

pub(crate) use setters;
