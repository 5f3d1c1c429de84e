//! Paths of prims and properties, which may lead through variants: `/a{set=choice}b`.

pub(super) fn below(path: &str, name: &str) -> String {
    let separator = if path.ends_with(['/', '}']) { "" } else { "/" };
    format!("{path}{separator}{name}")
}

pub(super) fn of_prim(path: &str, property: &str) -> String {
    format!("{path}.{property}")
}

/// Returns the path without variants.
pub(super) fn plain(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut is_in_variant = false;
    for c in path.chars() {
        match c {
            '{' => is_in_variant = true,
            '}' => {
                is_in_variant = false;
                if !out.ends_with('/') {
                    out.push('/');
                }
            }
            _ if is_in_variant => {}
            c if c == '/' && out.ends_with('/') => {}
            c => out.push(c),
        }
    }
    if 1 < out.len() && out.ends_with('/') {
        out.pop();
    }
    out
}

/// Returns what is after the path of a prim, or in it; `None` if the path is elsewhere.
pub(super) fn after<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(prefix)?;
    (rest.is_empty() || rest.starts_with(['/', '.', '{']) || prefix == "/").then_some(rest)
}

/// Returns the path that is relative to the path of a prim.
pub(super) fn relative(prim: &str, path: &str) -> String {
    let mut parts: Vec<&str> = prim.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(plain("/a{v=x}b/c"), "/a/b/c");
        assert_eq!(plain("/a{v=x}"), "/a");
        assert_eq!(plain("/a{v=x}{w=y}b"), "/a/b");
        assert_eq!(after("/a/b", "/a"), Some("/b"));
        assert_eq!(after("/ab", "/a"), None);
        assert_eq!(relative("/a/b", "../c"), "/a/c");
        assert_eq!(below("/a{v=x}", "b"), "/a{v=x}b");
    }
}
