//! Stands for the reader of FBX in a build without it.

use crate::Options;
use crate::clip::Clip;
use crate::error::{Error, Result};

/// Fails, and says how to build with the reader.
pub(crate) fn read(_: &[u8], file: &str, _: &str, _: &Options) -> Result<Vec<Clip>> {
    Err(Error::Unsupported {
        file: file.to_owned(),
        what: "FBX, which this program was built without,".into(),
        advice: "build it with the feature `fbx`, which needs a C compiler".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_how_to_build_with_the_reader() {
        let message = read(b"Kaydara", "a.fbx", "a", &Options::default()).unwrap_err().to_string();
        assert!(message.starts_with("a.fbx") && message.contains("the feature `fbx`"), "{message}");
    }
}
