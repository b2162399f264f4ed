//! A secret for one server.

use git2::Cred;

/// A token, and the server that may see it. It cannot be printed.
#[derive(Clone)]
pub struct Credentials {
    origin: String,
    token: String,
}

impl Credentials {
    /// A token for the server whose URLs begin with `address`.
    pub fn new(address: &str, token: String) -> Self {
        Self { origin: origin(address), token }
    }

    /// Whether a URL leads to the server that may see it.
    pub(super) fn are_for(&self, url: &str) -> bool {
        !self.origin.is_empty() && origin(url) == self.origin
    }

    /// In the form that git servers take tokens in.
    pub(super) fn offer(&self) -> Result<Cred, git2::Error> {
        Cred::userpass_plaintext("x-access-token", &self.token)
    }
}

/// `https://host:port` of a URL, without who asks.
fn origin(url: &str) -> String {
    let plain = super::without_credentials(url);
    let Some((scheme, rest)) = plain.split_once("://") else { return String::new() };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{authority}").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_for_one_server_and_its_protocol() {
        let credentials = Credentials::new("https://github.com/", "secret".to_owned());
        for url in ["https://github.com/a/b.git", "https://user@GitHub.com/a"] {
            assert!(credentials.are_for(url), "{url}");
        }
        for url in [
            "http://github.com/a/b.git",
            "https://github.com.example.org/a",
            "https://example.org/github.com",
            "https://github.com@example.org/a",
            "https://github.com:444/a",
            "",
        ] {
            assert!(!credentials.are_for(url), "{url}");
        }
        assert!(!Credentials::new("", "secret".to_owned()).are_for(""));
    }
}
