//! "Repositories with permissive licenses only" (UnitTests). The licence is the repository's, as cloning found
//! it; of an expression that offers a choice one allowed licence is enough.

use super::{Candidate, Settings};
use spdx::{Expression, LicenseReq};

/// Pairs of repositories whose licence is another.
pub(super) fn is_not_allowed(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    let repository = candidate.repository;
    if settings.licences.is_empty() || repository.licence.is_empty() || allows(settings, &repository.licence)
    {
        return None;
    }
    Some(format!("{} in {}", repository.licence, repository.licence_files.join(", ")))
}

/// Pairs of repositories whose licence is not known.
pub(super) fn is_unknown(settings: &Settings, candidate: &Candidate<'_>) -> Option<String> {
    let repository = candidate.repository;
    if settings.licences.is_empty() || !repository.licence.is_empty() {
        return None;
    }
    Some(match repository.licence_files.join(", ").as_str() {
        "" => "no file at the repository's root names a licence".to_owned(),
        files => format!("no known licence in {files}"),
    })
}

fn allows(settings: &Settings, licence: &str) -> bool {
    let is_listed = |requirement: &LicenseReq| {
        requirement.license.id().is_some_and(|id| settings.licences.iter().any(|name| name == id.name))
    };
    Expression::parse(licence).is_ok_and(|expression| expression.evaluate(is_listed))
}

/// Whether the settings name licences that exist.
pub(in crate::filtering) fn check(settings: &Settings) -> Result<(), String> {
    for name in &settings.licences {
        match spdx::license_id(name).filter(|id| id.name == name) {
            Some(id) if !id.is_deprecated() => {}
            Some(_) => {
                return Err(format!(
                    "filtering.licences: `{name}` is outdated; SPDX has another name for it, such as `{name}-only`"
                ));
            }
            None => {
                let near = spdx::imprecise_license_id(name)
                    .map_or_else(String::new, |(id, _)| format!("; did you mean `{}`?", id.name));
                return Err(format!(
                    "filtering.licences: `{name}` is not an SPDX identifier (see https://spdx.org/licenses){near}"
                ));
            }
        }
    }
    Ok(())
}
