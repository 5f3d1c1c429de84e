//! A Vulkan driver for the tests of `osculate-gpu`, which are reported as ignored where there is
//! none.

use std::path::Path;

use crate::debian;

/// Debian's drivers. One of them, lavapipe, needs no GPU.
const PACKAGE: &str = "mesa-vulkan-drivers";

/// Where the Vulkan loader looks for drivers.
const FOLDERS: [&str; 3] = ["/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

/// Variables by which a user names drivers.
const VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// Installs a driver if this machine has none and this user may; otherwise says that tests will be
/// ignored. It does not fail: nothing else needs a driver.
pub(crate) fn install_driver() {
    if !cfg!(target_os = "linux") || has_driver() {
        return;
    }
    if !debian::install(PACKAGE) {
        println!(
            "ignored: the tests of osculate-gpu (there is no Vulkan driver; Debian has one in {PACKAGE})\n"
        );
    }
}

fn has_driver() -> bool {
    let is_filled =
        |folder: &&str| Path::new(folder).read_dir().is_ok_and(|mut files| files.next().is_some());
    VARIABLES.iter().any(|name| std::env::var_os(name).is_some()) || FOLDERS.iter().any(is_filled)
}
