//! Which paths of a repository may be written down and handed on.
//!
//! The names come from strangers. Nothing here touches a disk, but later stages write files under these
//! paths, so a name that could climb out of a directory or into `.git` stops at the source.

use super::{Limits, Reason};

/// Checks one raw path: the path to use, or the reason and how to write down what was found.
pub(super) fn check(raw: &[u8], limits: &Limits) -> Result<String, Refused> {
    let refuse = |reason, detail: &str| {
        let mut shown = String::from_utf8_lossy(raw).into_owned();
        // The row must not grow with what it complains about.
        if shown.len() > limits.max_path_bytes {
            shown.truncate(shown.floor_char_boundary(limits.max_path_bytes));
        }
        Err(Refused { shown, reason, detail: detail.into() })
    };
    if raw.len() > limits.max_path_bytes {
        return refuse(Reason::PathTooLong, "the path is longer than the limit");
    }
    let Ok(path) = std::str::from_utf8(raw) else {
        return refuse(Reason::PathNotUtf8, &format!("raw bytes {}", raw.escape_ascii()));
    };
    match path.split('/').find_map(unsafe_component) {
        Some(cause) => refuse(Reason::UnsafePath, cause),
        None if has_drive(path) => refuse(Reason::UnsafePath, "the path begins with a drive letter"),
        None if path.split('/').count() > limits.max_depth => {
            refuse(Reason::TooDeep, "the directories are nested deeper than the limit")
        }
        None => Ok(path.into()),
    }
}

/// A path that must not be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// The path, lossy where it is not UTF-8.
    pub shown: String,
    /// Why.
    pub reason: Reason,
    /// What exactly is wrong.
    pub detail: String,
}

/// What is wrong with one component of a path, if anything.
pub(super) fn unsafe_component(name: &str) -> Option<&'static str> {
    match name {
        "" => Some("a component of the path is empty"),
        "." | ".." => Some("a component of the path is `.` or `..`"),
        _ if name.contains(['/', '\\']) => Some("a name holds a separator"),
        _ if name.contains('\0') => Some("a name holds a NUL byte"),
        _ if is_git_directory(name) => Some("the path lies in `.git`"),
        _ => None,
    }
}

/// Whether a file system takes a name for `.git`: any that does not tell case; HFS, which passes over some
/// letters; NTFS, which passes over dots and spaces at the end, has a short name for it, and streams after a
/// colon. (These are the names that git itself refuses since CVE-2014-9390 and CVE-2019-1352.)
fn is_git_directory(name: &str) -> bool {
    let ignored = |letter: &char| matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let visible: String = name.chars().filter(|letter| !ignored(letter)).collect();
    let file = visible.split(':').next().unwrap_or_default().trim_end_matches([' ', '.']);
    file.eq_ignore_ascii_case(".git") || file.eq_ignore_ascii_case("git~1")
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_are_refused() {
        let limits = Limits { max_path_bytes: 40, max_depth: 4, ..Limits::default() };
        let cases: [(&[u8], Option<Reason>); 24] = [
            (b"src/a.py", None),
            (b"a\nb/c d.py", None),
            (b".github/x", None),
            (b"../a", Some(Reason::UnsafePath)),
            (b"a/../b", Some(Reason::UnsafePath)),
            (b"/etc/passwd", Some(Reason::UnsafePath)),
            (b"a//b", Some(Reason::UnsafePath)),
            (b"", Some(Reason::UnsafePath)),
            (b"a/", Some(Reason::UnsafePath)),
            (b"a\\b", Some(Reason::UnsafePath)),
            (b"C:/a", Some(Reason::UnsafePath)),
            (b"a/.GIT/hooks", Some(Reason::UnsafePath)),
            (b"a\0b", Some(Reason::UnsafePath)),
            (b"a/.git /x", Some(Reason::UnsafePath)),
            (b".git...", Some(Reason::UnsafePath)),
            (b"GIT~1/config", Some(Reason::UnsafePath)),
            (b".git::$INDEX_ALLOCATION/x", Some(Reason::UnsafePath)),
            (b".g\xe2\x80\x8cit/x", Some(Reason::UnsafePath)),
            (b".gitignore", None),
            (b"git~10", None),
            (b".git.d/x", None),
            (b"caf\xe9.py", Some(Reason::PathNotUtf8)),
            (b"a/b/c/d/e", Some(Reason::TooDeep)),
            (&[b'a'; 41], Some(Reason::PathTooLong)),
        ];
        for (raw, reason) in cases {
            let found = check(raw, &limits).err().map(|refused| refused.reason);
            assert_eq!(found, reason, "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn a_path_that_is_not_utf8_is_shown_lossy_and_exactly() {
        let refused = check(b"caf\xe9.py", &Limits::default()).unwrap_err();
        assert_eq!(refused.shown, "caf\u{fffd}.py");
        assert_eq!(refused.detail, "raw bytes caf\\xe9.py");
    }
}
