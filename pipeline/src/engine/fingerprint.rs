//! What decides whether something is done already: digests of everything that the rows depend on.

use serde::Serialize;
use trefoil_stages::records::{Record, Repository, identity};
use trefoil_stages::{RepositoryStage, Settings};

/// Fingerprint of what discovery knows of a repository.
pub fn of_discovered(repository: &Repository) -> String {
    let Repository { host, repository, commit, source, location, revision, .. } = repository;
    let version = Repository::SCHEMA.version.to_string();
    identity(&["discovery", &version, host, repository, commit, source, location, revision])
}

/// Fingerprint of one repository's rows in a stage: the stage's code and settings, and what came before.
pub fn of_repository(stage: &dyn RepositoryStage, settings: &Settings, key: &str, before: &str) -> String {
    let version = stage.version().to_string();
    let schemas: String =
        stage.writes().iter().map(|schema| format!("{}/{} ", schema.name, schema.version)).collect();
    let settings = stage.settings(settings).to_string();
    identity(&[stage.name(), &version, &schemas, &settings, key, before])
}

/// Fingerprint of a shard: those of its repositories, in order.
pub fn of_shard<'a>(stage: &str, repositories: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut parts = vec![stage];
    for (key, fingerprint) in repositories {
        parts.extend([key, fingerprint]);
    }
    identity(&parts)
}

/// Fingerprint of a global step: its version, settings and the digests of what it reads.
pub fn of_global(
    step: &str,
    version: u32,
    settings: &impl Serialize,
    inputs: &[String],
) -> anyhow::Result<String> {
    let settings = serde_json::to_string(settings)?;
    let version = version.to_string();
    let mut parts = vec![step, &version, &settings];
    parts.extend(inputs.iter().map(String::as_str));
    Ok(identity(&parts))
}
