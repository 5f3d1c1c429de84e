//! Stands for the reader of USD in a build without it.

use std::path::{Path, PathBuf};

use crate::Options;
use crate::clip::Clip;
use crate::error::{Error, Result};

/// Fails, and says how to build with the reader.
pub(crate) fn read(_: Vec<u8>, file: &str, _: &str, _: Option<&Path>, _: &Options) -> Result<Clip> {
    Err(Error::Unsupported {
        file: file.to_owned(),
        what: "USD, which this program was built without,".into(),
        advice: "build it with the feature `usd`, or export glTF, FBX or Alembic".into(),
    })
}

/// Returns no files, as none are read.
pub(crate) fn external_layers(_: &Path) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_how_to_build_with_the_reader() {
        let read = read(b"#usda 1.0".to_vec(), "a.usda", "a", None, &Options::default());
        let message = read.unwrap_err().to_string();
        assert!(message.starts_with("a.usda") && message.contains("the feature `usd`"), "{message}");
        assert!(external_layers(Path::new("a.usda")).is_empty());
    }
}
