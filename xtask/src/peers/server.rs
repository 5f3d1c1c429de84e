//! A process that answers each line of its input with one line of JSON; a field `error` says why
//! there is no answer.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, bail};
use serde_json::Value;

pub(super) struct Server {
    name: &'static str,
    child: Child,
    /// Dropped to end the process.
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a process and waits for its first line, which signals that it is ready.
    pub(super) fn start(name: &'static str, command: &mut Command) -> anyhow::Result<(Server, Value)> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("cannot talk to {name}");
        };
        let mut server = Server { name, child, requests: Some(requests), answers: BufReader::new(answers) };
        let hello = server.answer()?;
        Ok((server, hello))
    }

    /// Sends one line and returns the answer to it.
    pub(super) fn ask(&mut self, request: &str) -> anyhow::Result<Value> {
        let requests = self.requests.as_mut().with_context(|| format!("{} has ended", self.name))?;
        writeln!(requests, "{request}")
            .and_then(|()| requests.flush())
            .with_context(|| format!("cannot send `{request}` to {}", self.name))?;
        self.answer()
    }

    fn answer(&mut self) -> anyhow::Result<Value> {
        let mut line = String::new();
        self.answers.read_line(&mut line).with_context(|| format!("cannot read from {}", self.name))?;
        if line.is_empty() {
            bail!("{} ended without an answer ({})", self.name, self.child.wait()?);
        }
        let answer: Value = serde_json::from_str(&line)
            .with_context(|| format!("{} answered `{}`", self.name, line.trim()))?;
        if let Some(error) = answer["error"].as_str() {
            bail!("{}: {error}", self.name);
        }
        Ok(answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Closing its input ends the process.
        self.requests = None;
        let _ = self.child.wait();
    }
}

/// The number named `name` in an answer.
pub(super) fn number(answer: &Value, name: &str) -> anyhow::Result<f64> {
    answer[name].as_f64().with_context(|| format!("no number `{name}` in the answer `{answer}`"))
}
