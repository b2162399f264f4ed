//! How the user names the place of a repository, and what it is called from then on.

use std::path::{Path, PathBuf};

use super::SourceError;

/// The place of a repository as the user gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A plain directory, read as it stands.
    Directory(PathBuf),
    /// A git repository, read at one commit.
    Git {
        /// A path, or a URL once it was fetched.
        location: String,
        /// A branch, a tag or a commit; the default branch where none is given.
        revision: Option<String>,
    },
    /// A tar, tar.gz, tar.xz or zip file, whatever its name.
    Archive(PathBuf),
}

/// Endings that say how a repository is packed, not what it is called.
const PACKAGING: [&str; 9] = [".tar.gz", ".tar.xz", ".tgz", ".txz", ".tar", ".zip", ".jar", ".whl", ".git"];

/// Whether a git location must be fetched before it can be opened, or refused for its protocol.
pub fn is_remote(location: &str) -> bool {
    protocol(location).is_some()
}

/// The host and the name that a repository goes by: `github.com` and `owner/name` for a URL, `local` and the
/// name of the file or directory for a path.
pub fn default_name(location: &Location) -> (String, String) {
    match location {
        Location::Git { location, .. } if is_remote(location) => remote_name(location),
        Location::Git { location, .. } => {
            let path = absolute(Path::new(location));
            let name = file_name(&path);
            // `x/.git` and `x/repo` are git directories inside a directory that has the telling name.
            let parent = path.parent().map(file_name).filter(|parent| !parent.is_empty());
            match (name.as_str(), parent) {
                ("" | "repo", Some(parent)) => ("local".into(), parent),
                _ => ("local".into(), name),
            }
        }
        Location::Directory(path) | Location::Archive(path) => ("local".into(), file_name(&absolute(path))),
    }
}

/// The path of a git repository on this disk, or why the location is none.
pub(super) fn local_repository(location: &str) -> Result<PathBuf, SourceError> {
    if !is_remote(location) {
        return Ok(PathBuf::from(location));
    }
    allowed(location)?;
    Err(SourceError::NotFetched { location: without_credentials(location) })
}

/// Lets only URLs pass whose protocol talks to a server and runs nothing: `ext::` starts a program, `file://`
/// reads what the list's author chose on this disk.
pub(super) fn allowed(location: &str) -> Result<(), SourceError> {
    let refuse = |cause: String| {
        Err(SourceError::ProtocolNotAllowed { location: without_credentials(location), cause })
    };
    if location.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return refuse("the URL holds white space or control characters".into());
    }
    match protocol(location) {
        Some("https" | "http" | "git") => Ok(()),
        Some("ssh") => refuse("this build has no SSH transport".into()),
        Some(other) => refuse(format!("protocol `{other}` is refused")),
        None => refuse("not a URL".into()),
    }
}

/// The URL without a user name or token, fit for messages and records.
pub fn without_credentials(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.into() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{path}"),
        None => url.into(),
    }
}

/// The protocol of a location that git would not take for a path.
fn protocol(location: &str) -> Option<&str> {
    if let Some((scheme, _)) = location.split_once("://").filter(|(scheme, _)| !scheme.contains('/')) {
        // Helpers nest: `ext::https://…` is `ext`.
        return Some(scheme.split("::").next().unwrap_or(scheme));
    }
    let (before, after) = location.split_once(':')?;
    if before.contains('/') || before.is_empty() || Path::new(location).exists() {
        return None;
    }
    // `helper::address` runs a remote helper; `host:path` is SSH in short.
    Some(if after.starts_with(':') { before } else { "ssh" })
}

fn remote_name(url: &str) -> (String, String) {
    let url = without_credentials(url);
    let (host, path) = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => url.split_once(':').unwrap_or((&url, "")),
    };
    let host = host.rsplit('@').next().unwrap_or(host).to_ascii_lowercase();
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    (host, path.strip_suffix(".git").unwrap_or(path).into())
}

fn absolute(path: &Path) -> PathBuf {
    match path.file_name() {
        Some(_) => std::path::absolute(path).unwrap_or_else(|_| path.into()),
        // `.` and `..` have no name of their own.
        None => path.canonicalize().unwrap_or_else(|_| path.into()),
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bare = PACKAGING.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    bare.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(location: &str) -> Location {
        Location::Git { location: location.into(), revision: None }
    }

    #[test]
    fn names_of_urls_and_paths() {
        let cases = [
            (git("https://github.com/pallets/flask.git"), "github.com", "pallets/flask"),
            (git("https://user:token@GitHub.com/pallets/flask/"), "github.com", "pallets/flask"),
            (git("git@github.com:pallets/flask.git"), "github.com", "pallets/flask"),
            (git("git://127.0.0.1:9418/a/b"), "127.0.0.1:9418", "a/b"),
            (git("/data/flask.git"), "local", "flask"),
            (git("/data/flask/.git"), "local", "flask"),
            (git("/data/flask/repo"), "local", "flask"),
            (git("/data/flask/"), "local", "flask"),
            (Location::Directory("/data/flask".into()), "local", "flask"),
            (Location::Archive("/data/flask-3.0.tar.gz".into()), "local", "flask-3.0"),
            (Location::Archive("/data/gson-2.1-sources.jar".into()), "local", "gson-2.1-sources"),
        ];
        for (location, host, name) in cases {
            assert_eq!(default_name(&location), (host.into(), name.into()), "{location:?}");
        }
    }

    #[test]
    fn only_network_protocols_without_programs_are_allowed() {
        for url in ["https://h/a", "http://h/a", "git://h/a"] {
            assert!(allowed(url).is_ok(), "{url}");
        }
        let refused =
            ["ext::sh -c id", "ext::https://h/a", "file:///etc", "ssh://h/a", "git@h:a", "fd::7", "/a"];
        for url in refused.into_iter().chain(["https://h/a\nb", "HTTPS+x://h/a"]) {
            assert_eq!(allowed(url).unwrap_err().reason(), "protocol_not_allowed", "{url}");
        }
    }

    #[test]
    fn a_remote_location_is_not_opened_in_place() {
        assert_eq!(local_repository("https://h/a").unwrap_err().reason(), "repository_not_fetched");
        assert_eq!(local_repository("file:///a").unwrap_err().reason(), "protocol_not_allowed");
        assert_eq!(local_repository("./a:b/c").unwrap(), PathBuf::from("./a:b/c"));
    }

    #[test]
    fn messages_never_show_credentials() {
        let error = local_repository("https://me:secret@h/a@b").unwrap_err();
        assert!(error.to_string().contains("https://h/a@b"), "{error}");
        assert!(!error.to_string().contains("secret"));
    }
}
