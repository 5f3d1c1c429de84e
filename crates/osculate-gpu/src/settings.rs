//! How a device is chosen, and what it may use.

/// How a device is chosen, and what it may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub(crate) adapter: Option<String>,
    pub(crate) memory: Option<u64>,
}

impl Settings {
    /// Any adapter, and all of its memory.
    #[must_use]
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Only adapters with this text in their name, in upper or lower case.
    #[must_use]
    pub fn adapter(self, name: impl Into<String>) -> Settings {
        Settings { adapter: Some(name.into()), ..self }
    }

    /// At most this number of bytes for the buffers of each rasterizer.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Settings {
        Settings { memory: Some(bytes), ..self }
    }
}
