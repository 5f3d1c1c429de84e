//! The `osculate` command.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::Context as _;

fn main() -> ExitCode {
    ExitCode::from(osculate_cli::run(std::env::args_os(), &listen))
}

/// The first Ctrl-C sets the flag; the second one ends the process at once.
fn listen(flag: Arc<AtomicBool>) -> anyhow::Result<()> {
    let handler = move || {
        if flag.swap(true, Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")
}
