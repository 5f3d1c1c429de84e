//! Checks that modules of the library use only modules above them in `lib.rs`. There are no
//! exceptions.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::shell::root;

/// Fails with every use of a module that is below the using one.
pub(crate) fn run() -> anyhow::Result<()> {
    let source = root().join("crates/osculate/src");
    let order = Order::of(&read(&source.join("lib.rs"))?);
    ensure!(10 < order.modules.len(), "lib.rs declares only {} modules", order.modules.len());
    let mut faults = Vec::new();
    for (rank, module) in order.modules.iter().enumerate() {
        for file in files(&source, module)? {
            let name = file.strip_prefix(&source).unwrap_or(&file).display().to_string();
            for used in order.used_by(&read(&file)?).into_iter().filter(|&used| rank < used) {
                faults.push(format!("{name} uses {}, which stands below {module}", order.modules[used]));
            }
        }
    }
    ensure!(faults.is_empty(), "modules of the library are out of order:\n  {}", faults.join("\n  "));
    println!("{} modules use only modules above them\n", order.modules.len());
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The files of a module, without its tests.
fn files(source: &Path, module: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![source.join(module)];
    let single = source.join(format!("{module}.rs"));
    files.extend(single.exists().then_some(single));
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten() {
            let path = entry?.path();
            match path.file_name().and_then(|name| name.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("tests.rs") => {}
                _ => files.push(path),
            }
        }
    }
    ensure!(!files.is_empty(), "the module {module} has no file");
    files.sort();
    Ok(files)
}

/// The modules of a crate, from the top to the bottom of its `lib.rs`.
struct Order {
    modules: Vec<String>,
    /// The module number of each module name, and of each name exported at the root.
    rank_of: HashMap<String, usize>,
}

impl Order {
    fn of(lib: &str) -> Order {
        let lib = without_tests(lib);
        let declared = lib.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
        });
        let modules: Vec<String> = declared.collect();
        let mut rank_of: HashMap<String, usize> = modules.iter().cloned().zip(0..).collect();
        for export in lib.split("pub use ").skip(1) {
            let Some((path, _)) = export.split_once(';') else { continue };
            let Some((module, names)) = path.split_once("::") else { continue };
            let Some(&rank) = rank_of.get(module.trim()) else { continue };
            for name in names.split([',', '{', '}']) {
                let exported = name.rsplit(' ').next().unwrap_or(name).rsplit("::").next().unwrap_or(name);
                rank_of.entry(exported.trim().to_owned()).or_insert(rank);
            }
        }
        Order { modules, rank_of }
    }

    /// The modules that a file uses, ascending.
    fn used_by(&self, text: &str) -> Vec<usize> {
        let text = without_tests(text);
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let mut used: Vec<usize> = code
            .split("crate::")
            .skip(1)
            .flat_map(|rest| match rest.strip_prefix('{') {
                Some(list) => first_names(list),
                None => vec![identifier(rest)],
            })
            .filter_map(|name| self.rank_of.get(name).copied())
            .collect();
        used.sort_unstable();
        used.dedup();
        used
    }
}

/// The text up to the tests of a file, which may use anything.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // An inline module ends the file; anything else is one item on the lines up to its end.
            if lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{')) {
                break;
            }
            lines.next();
            continue;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

/// The first name of each path in a list of uses, up to the brace that ends it.
fn first_names(list: &str) -> Vec<&str> {
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(identifier(&list[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(identifier(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIB: &str = "\
#[cfg(test)]
mod random;

mod error;
pub mod math;
mod mesh;

pub use error::Error;
pub use mesh::{Mesh, Fault as MeshFault};
";

    #[test]
    fn modules_and_exports_have_the_order_of_the_file() {
        let order = Order::of(LIB);
        assert_eq!(order.modules, ["error", "math", "mesh"]);
        assert_eq!(order.used_by("use crate::{MeshFault, math::{a, b}};"), [1, 2]);
        assert_eq!(order.used_by("fn f(e: crate::Error) { crate::math::g() }"), [0, 1]);
    }

    #[test]
    fn comments_and_tests_may_use_anything() {
        let order = Order::of(LIB);
        assert!(order.used_by("/// See [`crate::Mesh`].\nfn f() {}\n").is_empty());
        assert!(order.used_by("#[cfg(test)]\nmod tests {\n    use crate::Mesh;\n}\n").is_empty());
        assert_eq!(order.used_by("#[cfg(test)]\nuse crate::Mesh;\nuse crate::Error;\n"), [0]);
    }
}
