//! Access tokens. They come from the environment or from a file that the environment or the command line
//! names, never from a config, and no log, file or message ever shows one.

use crate::DiscoveryError;
use std::fmt;
use std::path::{Path, PathBuf};

/// A secret. It cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(***)")
    }
}

impl Token {
    /// For the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn new(text: &str, origin: &str) -> Result<Option<Self>, DiscoveryError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        // Anything else could not be sent in a header, and the message must not say what it was.
        if !text.chars().all(|letter| letter.is_ascii_graphic()) {
            return Err(DiscoveryError::Token {
                origin: origin.to_owned(),
                cause: "it holds a token with white space or letters that no token has".to_owned(),
            });
        }
        Ok(Some(Self(text.to_owned())))
    }
}

/// Removes every token from a text.
pub(crate) fn redact(text: &str, tokens: &[Token]) -> String {
    tokens.iter().fold(text.to_owned(), |text, token| text.replace(&token.0, "***"))
}

/// Variables that hold tokens: one, and several apart by commas or white space.
pub const VARIABLES: [&str; 2] = ["TREFOIL_GITHUB_TOKENS", "GITHUB_TOKEN"];

/// Variable that names a file of tokens, one a line.
pub const FILE_VARIABLE: &str = "TREFOIL_GITHUB_TOKEN_FILE";

/// All tokens that are there, each once, in a fixed order. `file` is the one named on the command line.
pub fn tokens(
    file: Option<&Path>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Token>, DiscoveryError> {
    let mut texts: Vec<(String, String)> = Vec::new();
    let named = variable(FILE_VARIABLE).map(PathBuf::from);
    for path in file.map(Path::to_owned).into_iter().chain(named) {
        let origin = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| DiscoveryError::Token { origin: origin.clone(), cause: error.to_string() })?;
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        texts.extend(lines.map(|line| (line.to_owned(), origin.clone())));
    }
    for name in VARIABLES {
        let value = variable(name).unwrap_or_default();
        let parts = value.split(|letter: char| letter == ',' || letter.is_whitespace());
        texts.extend(parts.map(|part| (part.to_owned(), name.to_owned())));
    }
    let mut tokens: Vec<Token> = Vec::new();
    for (text, origin) in texts {
        if let Some(token) = Token::new(&text, &origin)?
            && !tokens.contains(&token)
        {
            tokens.push(token);
        }
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_from_the_environment_and_from_files_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        std::fs::write(&file, "# two accounts\none\n\ntwo\n").unwrap();
        let variable = |name: &str| match name {
            "GITHUB_TOKEN" => Some("three".to_owned()),
            "TREFOIL_GITHUB_TOKENS" => Some("two, four".to_owned()),
            _ => None,
        };
        let found = tokens(Some(&file), &variable).unwrap();
        let texts: Vec<&str> = found.iter().map(Token::reveal).collect();
        assert_eq!(texts, ["one", "two", "four", "three"]);
        assert_eq!(format!("{found:?}").matches("***").count(), 4);
    }

    #[test]
    fn a_token_that_cannot_be_sent_is_refused_without_being_shown() {
        let variable = |name: &str| (name == "GITHUB_TOKEN").then(|| "gheim\u{1}nis".to_owned());
        let error = tokens(None, &variable).unwrap_err();
        assert!(error.to_string().contains("GITHUB_TOKEN") && !error.to_string().contains("heim"), "{error}");
    }

    #[test]
    fn texts_lose_their_tokens() {
        let secret = Token("ghp_abc".into());
        assert_eq!(redact("sent ghp_abc to ghp_abc", &[secret]), "sent *** to ***");
    }
}
