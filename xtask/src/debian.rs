//! Packages of Debian that tests need, installed if this user may.

use std::process::{Command, Stdio};

/// Installs a package. Returns whether it did: not if there is no apt-get, this user is not root,
/// or the package cannot be fetched. It asks nothing, and prints what it does.
pub(crate) fn install(package: &str) -> bool {
    if !(prints(Command::new("id").arg("-u"), "0") && prints(&mut apt(&["--version"]), "apt")) {
        return false;
    }
    println!("$ apt-get install {package}");
    let install = || succeeds(&mut apt(&["install", "--no-install-recommends", package]));
    // The lists of packages may be missing or old.
    let is_there = install() || succeeds(&mut apt(&["update"])) && install();
    println!("  {}\n", if is_there { "done" } else { "failed" });
    is_there
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
