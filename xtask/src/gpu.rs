//! A Vulkan driver for the tests of `osculate-gpu`, which are reported as ignored where there is
//! none.

use std::path::Path;
use std::process::{Command, Stdio};

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
    let what = "the tests of osculate-gpu";
    if !(prints(Command::new("id").arg("-u"), "0") && prints(&mut apt(&["--version"]), "apt")) {
        println!("ignored: {what} (there is no Vulkan driver; Debian has one in {PACKAGE})\n");
        return;
    }
    println!("$ apt-get install {PACKAGE}");
    let install = || succeeds(&mut apt(&["install", "--no-install-recommends", PACKAGE]));
    // The lists of packages may be missing or old.
    if install() || succeeds(&mut apt(&["update"])) && install() {
        println!("  done\n");
    } else {
        println!("ignored: {what} (there is no Vulkan driver, and {PACKAGE} cannot be installed)\n");
    }
}

fn has_driver() -> bool {
    let is_filled =
        |folder: &&str| Path::new(folder).read_dir().is_ok_and(|mut files| files.next().is_some());
    VARIABLES.iter().any(|name| std::env::var_os(name).is_some()) || FOLDERS.iter().any(is_filled)
}

/// A call of apt-get that asks nothing, prints little, and gives up soon without a network.
fn apt(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command.args(["-qq", "-y", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"]);
    command.args(arguments);
    command
}

/// Whether a command succeeds; what it prints is dropped.
fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Whether a command prints a line that starts with `text`.
fn prints(command: &mut Command, text: &str) -> bool {
    let output = command.stdin(Stdio::null()).output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with(text))
}
