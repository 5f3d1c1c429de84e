//! `osculate queries`: replays vertex–face and edge–edge queries with known answers and counts the
//! wrong ones.
//!
//! The format is that of the public CCD sample queries (see [`parse`]). Every file is read and
//! checked before the first query is decided.

mod parse;
mod rational;
mod replay;
mod table;

use std::path::{Path, PathBuf};

use anyhow::bail;
use osculate::narrow::Kind;

use crate::Report;

/// Replay vertex-face and edge-edge queries with known answers, and count the wrong answers.
///
/// A file holds 8 rows for each query: its 4 points at the start of the step, then at the end (the
/// vertex and the face's three vertices, or the ends of the first edge and those of the second). A
/// row is `x,x',y,y',z,z',answer` in integers; the coordinates are x/x', y/y' and z/z', the answer
/// is 1 if the features touch during the step and 0 if not. Exits with 1 if any answer is wrong.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// CSV files of queries.
    #[arg(required = true, value_name = "FILE.csv")]
    files: Vec<PathBuf>,

    /// The kind of all queries [default: from each path].
    ///
    /// By default, the last part of the path (folder or file name) that contains `vertex-face` or
    /// `edge-edge` decides.
    #[arg(long, value_enum)]
    kind: Option<KindName>,
}

/// [`Kind`] as it is written on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum KindName {
    VertexFace,
    EdgeEdge,
}

/// The names of the kinds in paths, on the command line and in the table.
const KIND_NAMES: [(Kind, &str); 2] = [(Kind::VertexFace, "vertex-face"), (Kind::EdgeEdge, "edge-edge")];

/// Replays the queries of all files.
pub(crate) fn run(args: &Args) -> anyhow::Result<Report> {
    let mut files = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let queries = parse::read(path)?;
        let kind = match args.kind {
            Some(KindName::VertexFace) => Kind::VertexFace,
            Some(KindName::EdgeEdge) => Kind::EdgeEdge,
            None => kind_of_path(path)?,
        };
        files.push((path, kind, queries));
    }
    let mut replays = Vec::with_capacity(files.len());
    for (path, kind, queries) in &files {
        replays.push(replay::replay(path, *kind, queries)?);
    }
    let found = replays.iter().any(|replay| !replay.wrong.is_empty());
    Ok(Report { text: table::render(&replays), found, ..Report::default() })
}

/// Returns the kind named by the innermost part of `path` that names one; the working directory
/// counts.
fn kind_of_path(path: &Path) -> anyhow::Result<Kind> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for part in absolute.components().rev() {
        let part = part.as_os_str().to_string_lossy();
        let mut named = KIND_NAMES.iter().filter(|(_, name)| part.contains(name));
        match (named.next(), named.next()) {
            (None, _) => {}
            (Some((kind, _)), None) => return Ok(*kind),
            (Some(_), Some(_)) => {
                bail!(
                    "{}: `{part}` names both vertex-face and edge-edge; say which it is with --kind",
                    path.display()
                );
            }
        }
    }
    bail!("{}: the path names neither vertex-face nor edge-edge; say which it is with --kind", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn innermost_part_of_the_path_names_the_kind() {
        let check = |path: &str, expected: Option<Kind>| {
            assert_eq!(kind_of_path(Path::new(path)).ok(), expected, "{path}");
        };
        check("/data/vertex-face/a.csv", Some(Kind::VertexFace));
        check("/data/edge-edge/deep/a.csv", Some(Kind::EdgeEdge));
        check("/data/my-edge-edge-2.csv", Some(Kind::EdgeEdge));
        check("/edge-edge/vertex-face/a.csv", Some(Kind::VertexFace));
        check("/vertex-face/edge-edge.csv", Some(Kind::EdgeEdge));
        check("/vertex-face/edge-edge-vertex-face.csv", None);
        check("/data/a.csv", None);
    }
}
