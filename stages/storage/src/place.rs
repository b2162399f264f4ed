//! Where things go, and what opens the door.

use crate::StorageError;
use rusty_s3::{Bucket, Credentials, UrlStyle};
use url::Url;

/// `s3://bucket/prefix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bucket.
    pub bucket: String,
    /// Prefix without slashes around it; empty for the whole bucket.
    pub prefix: String,
}

impl Place {
    /// Reads an address.
    pub fn parse(address: &str) -> Result<Self, StorageError> {
        let wrong = || StorageError::NoPlace(address.to_owned());
        let path = address.strip_prefix("s3://").ok_or_else(wrong)?;
        let (bucket, prefix) = path.split_once('/').unwrap_or((path, ""));
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
        let prefix = prefix.trim_matches('/');
        let is_plain = prefix.is_empty() || prefix.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if bucket.len() < 3 || !bucket.chars().all(is_name) || !is_plain || prefix.contains(['?', '#', '\\'])
        {
            return Err(wrong());
        }
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// The last word of it, as a name for what lies there.
    pub fn name(&self) -> &str {
        self.prefix.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(&self.bucket)
    }

    /// The key of a file.
    pub(crate) fn key(&self, name: &str) -> String {
        if self.prefix.is_empty() { name.to_owned() } else { format!("{}/{name}", self.prefix) }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "s3://{}", self.key_of_folder().trim_end_matches('/'))
    }
}

impl Place {
    fn key_of_folder(&self) -> String {
        format!("{}/{}", self.bucket, self.prefix)
    }
}

/// Credentials, region and server. It cannot be printed.
pub struct Access {
    credentials: Credentials,
    region: String,
    endpoint: Option<String>,
}

impl Access {
    /// From the variables that Amazon's own tools read: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_SESSION_TOKEN`, `AWS_REGION` or `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`.
    /// `endpoint` goes before the latter.
    pub fn from_environment(
        endpoint: Option<&str>,
        read: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, StorageError> {
        let value =
            |name: &str| read(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let needed = |name| value(name).ok_or(StorageError::NoCredentials(name));
        let (key, secret) = (needed("AWS_ACCESS_KEY_ID")?, needed("AWS_SECRET_ACCESS_KEY")?);
        let credentials = match value("AWS_SESSION_TOKEN") {
            Some(token) => Credentials::new_with_token(key, secret, token),
            None => Credentials::new(key, secret),
        };
        let first = |names: [&str; 2]| names.into_iter().find_map(value);
        Ok(Self {
            credentials,
            region: first(["AWS_REGION", "AWS_DEFAULT_REGION"]).unwrap_or_else(|| "us-east-1".to_owned()),
            endpoint: endpoint
                .map(str::to_owned)
                .or_else(|| first(["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"])),
        })
    }

    pub(crate) fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// The bucket on its server, and the server's name for messages. Other servers than Amazon's are asked by path:
    /// few of them have a name for each bucket.
    pub(crate) fn bucket(&self, place: &Place) -> Result<(Bucket, String), StorageError> {
        let (address, style) = match &self.endpoint {
            Some(endpoint) => (endpoint.clone(), UrlStyle::Path),
            None => {
                let style =
                    if place.bucket.contains(['.', '_']) { UrlStyle::Path } else { UrlStyle::VirtualHost };
                (format!("https://s3.{}.amazonaws.com", self.region), style)
            }
        };
        let wrong =
            || StorageError::NoEndpoint(address.split('@').next_back().unwrap_or_default().to_owned());
        let url: Url = address.parse().map_err(|_| wrong())?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(wrong());
        }
        let server = url.host_str().map(|host| match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        });
        let bucket = Bucket::new(url, style, place.bucket.clone(), self.region.clone());
        bucket.ok().zip(server).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_or_refused() {
        let place = Place::parse("s3://data-sets/trefoil/chat/").unwrap();
        assert_eq!(
            (place.bucket.as_str(), place.prefix.as_str(), place.name()),
            ("data-sets", "trefoil/chat", "chat")
        );
        assert_eq!(place.to_string(), "s3://data-sets/trefoil/chat");
        assert_eq!(Place::parse("s3://data-sets").unwrap().name(), "data-sets");
        for wrong in [
            "data",
            "s3://",
            "s3:///x",
            "gs://b/x",
            "s3://bucket/../x",
            "s3://bucket/a//b",
            "s3://bu cket/x",
            "s3://bucket/a?b",
        ] {
            assert!(Place::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn access_is_of_the_environment_and_passwords_in_addresses_are_refused_unseen() {
        let with = |name: &str| name.starts_with("AWS_").then(|| "word".to_owned());
        let place = Place::parse("s3://bucket/x").unwrap();
        assert!(matches!(
            Access::from_environment(None, |_| None),
            Err(StorageError::NoCredentials("AWS_ACCESS_KEY_ID"))
        ));
        let access = Access::from_environment(Some("https://user:secret@host"), with).unwrap();
        let error = access.bucket(&place).unwrap_err().to_string();
        assert!(error.contains("`host` is no address") && !error.contains("secret"), "{error}");
        let access = Access::from_environment(Some("http://127.0.0.1:9000"), with).unwrap();
        assert_eq!(access.bucket(&place).unwrap().1, "127.0.0.1:9000");
        let amazon =
            Access::from_environment(None, |name| with(name).filter(|_| !name.contains("URL"))).unwrap();
        assert_eq!(
            amazon.bucket(&place).unwrap().0.base_url().as_str(),
            "https://bucket.s3.word.amazonaws.com/"
        );
    }
}
