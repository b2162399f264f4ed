//! Paths of modules.

/// `to` as seen from `folder`: `../b` from `a/x` is `a/b`. Nothing where it leads out of the repository.
pub(super) fn join(folder: &str, to: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in to.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// An import with its alias: `a.b as c` as `a.b` and `c`.
pub(super) fn aliased(import: &str) -> (&str, Option<&str>) {
    match import.rsplit_once(" as ") {
        Some((name, alias)) => (name.trim(), Some(alias.trim())),
        None => (import, None),
    }
}

/// An import with its alias before it: `c a/b` as `c` and `a/b`.
pub(super) fn aliased_before(import: &str) -> (Option<&str>, &str) {
    match import.split_once(' ') {
        Some((alias, path)) => (Some(alias), path.trim()),
        None => (None, import),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_inside_the_repository() {
        assert_eq!(join("a/x", "../b").as_deref(), Some("a/b"));
        assert_eq!(join("", "./b/c").as_deref(), Some("b/c"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        assert_eq!(join("a", "../../b"), None);
    }

    #[test]
    fn aliases_are_split_off() {
        assert_eq!(aliased("a.b as c"), ("a.b", Some("c")));
        assert_eq!(aliased("a.b"), ("a.b", None));
    }
}
