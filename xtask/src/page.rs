//! The page of `osculate check --report`: builds it, checks that it is current, and tests it in a
//! browser.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::debian;
use crate::shell::{self, cargo};

/// Names of browsers, the first one that is there is taken.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The folder of the sources.
fn folder() -> PathBuf {
    shell::root().join("crates/osculate-cli/page")
}

/// Writes `page.html` again.
pub(crate) fn build() -> anyhow::Result<()> {
    install()?;
    shell::run(Command::new("node").arg("build.mjs").current_dir(folder()))
}

/// Checks that `page.html` is what its sources give, and tests pages in a browser; what cannot be
/// fetched here is reported as ignored.
pub(crate) fn test() -> anyhow::Result<()> {
    let what = "the page of check --report is current, and works in a browser";
    if !works("node", &["--version"]) || !works("npm", &["--version"]) {
        println!("ignored: {what} (there is no node with npm)\n");
        return Ok(());
    }
    if let Err(error) = install() {
        if can_fetch() {
            return Err(error);
        }
        println!("ignored: {what} (npm cannot fetch packages here)\n");
        return Ok(());
    }
    shell::run(Command::new("node").args(["build.mjs", "--check"]).current_dir(folder()))?;
    let Some(browser) = browser() else {
        println!("ignored: the page of check --report works in a browser (there is no chromium)\n");
        return Ok(());
    };
    // The command as the tests have built it, with all features.
    shell::run(&mut cargo(&["build", "--workspace", "--all-features", "--locked", "--bin", "osculate"]))?;
    let mut test = Command::new("node");
    test.arg("test/browser.mjs").arg(shell::target_dir().join("debug/osculate")).arg(browser);
    shell::run(test.arg(shell::target_dir().join("pages")).current_dir(folder()))
}

/// Fetches the packages in their locked versions, unless they are there.
fn install() -> anyhow::Result<()> {
    let probe = "import('esbuild').then(() => import('playwright-core')).then(() => import('three'))";
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", probe]).current_dir(folder());
    if node.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    shell::run(npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder()))
}

/// Whether npm can fetch a package: one of a few kilobytes that depends on nothing.
fn can_fetch() -> bool {
    works("npm", &["view", "ms", "version"])
}

/// A browser: that in `CHROMIUM`, or one on the path, or Debian's, which is installed if possible.
fn browser() -> Option<String> {
    if let Ok(given) = std::env::var("CHROMIUM") {
        return Some(given);
    }
    // With its whole path, as a browser is started without looking for it.
    let path_of = |name: &str| {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    let found = || {
        let path = BROWSERS.into_iter().filter(|name| works(name, &["--version"])).find_map(path_of)?;
        path.to_str().map(str::to_owned)
    };
    found().or_else(|| debian::install("chromium").then(found)?)
}

/// Whether a program runs and succeeds.
fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
