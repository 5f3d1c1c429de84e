//! Checks the minimum supported Rust version: no dependency needs a later one than Cargo.toml
//! promises. Our own code is checked by the Clippy lint `incompatible_msrv`.

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::shell::cargo;

/// Fails with every dependency that needs a later version of Rust than the workspace promises.
pub(crate) fn run() -> anyhow::Result<()> {
    let output = cargo(&["metadata", "--locked", "--all-features", "--format-version", "1"])
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let library = packages.iter().find(|package| package["name"] == "osculate");
    let promised = library.and_then(needed).context("the library has no rust-version")?;
    let faults: Vec<String> = packages
        .iter()
        .filter(|package| needed(package).is_some_and(|needed| promised < needed))
        .map(|package| {
            format!("{} {} needs {}", package["name"], package["version"], package["rust_version"])
        })
        .collect();
    let [major, minor, _] = promised;
    ensure!(
        faults.is_empty(),
        "Cargo.toml promises Rust {major}.{minor}, but dependencies need more:\n  {}",
        faults.join("\n  ")
    );
    println!("{} packages build with Rust {major}.{minor}\n", packages.len());
    Ok(())
}

/// The version of Rust that a package needs, if it says so.
fn needed(package: &Value) -> Option<[u64; 3]> {
    version(package["rust_version"].as_str()?)
}

fn version(text: &str) -> Option<[u64; 3]> {
    let mut numbers = [0; 3];
    for (number, word) in numbers.iter_mut().zip(text.split('.')) {
        *number = word.parse().ok()?;
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(version("1.89"), Some([1, 89, 0]));
        assert!(version("1.9.1") < version("1.89"));
        assert_eq!(version("nightly"), None);
    }
}
