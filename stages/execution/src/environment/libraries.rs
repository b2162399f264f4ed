//! Libraries of the system that a project is compiled against and the machine lacks: what Debian builds it with,
//! unpacked into the environment's own folder and nowhere else.

use super::build::Builder;
use super::{EnvironmentError, PYTHON, SYSTEM};
use crate::sandbox::Mount;
use std::path::Path;

/// What the machine has, so that only the rest is fetched.
const INSTALLED: &str = "/var/lib/dpkg/status";
/// Where it gets packages from; credentials and settings lie elsewhere.
const SOURCES: [(&str, &str); 2] = [
    ("/etc/apt/sources.list", "/machine/sources/machine.list"),
    ("/etc/apt/sources.list.d", "/machine/sources/more"),
];
/// Debian's names for the machine's architecture, as they stand in paths.
const ARCHITECTURES: [(&str, &str); 2] = [("x86_64", "x86_64-linux-gnu"), ("aarch64", "aarch64-linux-gnu")];

impl Builder<'_> {
    /// Fetches them, once. Whether there is something now that was not there before.
    pub(super) fn libraries(&mut self) -> Result<bool, EnvironmentError> {
        let folder = self.environment.folder.join("system");
        if folder.exists() || !Path::new(INSTALLED).is_file() {
            return Ok(false);
        }
        std::fs::create_dir_all(&folder).map_err(|cause| EnvironmentError::file(&folder, cause))?;
        let names = source_packages(&self.environment.recipe.repository);
        let command: Vec<&str> = [PYTHON, "-I", "/trefoil/libraries.py", "/machine", SYSTEM]
            .into_iter()
            .chain(names.iter().map(String::as_str))
            .collect();
        let mut job = self.job(&command, true);
        job.mounts.push(Mount::read_only(INSTALLED, "/machine/status"));
        let sources = SOURCES.into_iter().filter(|(place, _)| Path::new(place).exists());
        job.mounts.extend(sources.map(|(place, target)| Mount::read_only(place, target)));
        let Some(packages) =
            self.step("libraries of the system", job)?.filter(|text| !text.trim().is_empty())
        else {
            std::fs::remove_dir_all(&folder).map_err(|cause| EnvironmentError::file(&folder, cause))?;
            return Ok(false);
        };
        let path = self.environment.folder.join("system.txt");
        std::fs::write(&path, packages).map_err(|cause| EnvironmentError::file(&path, cause))?;
        Ok(true)
    }
}

/// What Debian may call the source of a project, likeliest first.
fn source_packages(repository: &str) -> [String; 2] {
    let name = repository.rsplit('/').next().unwrap_or(repository).to_lowercase().replace(['_', '.'], "-");
    [name.clone(), format!("python-{name}")]
}

/// Where compilers and loaders look for libraries in the folder, as variables.
pub(super) fn variables() -> Vec<(String, String)> {
    let architecture = ARCHITECTURES.iter().find(|(name, _)| *name == std::env::consts::ARCH);
    let triplet = architecture.map_or("", |(_, triplet)| triplet);
    let libraries = format!("{SYSTEM}/usr/lib/{triplet}:{SYSTEM}/lib/{triplet}");
    [
        ("CPATH", format!("{SYSTEM}/usr/include:{SYSTEM}/usr/include/{triplet}")),
        ("LIBRARY_PATH", libraries.clone()),
        ("LD_LIBRARY_PATH", libraries),
        ("PKG_CONFIG_PATH", format!("{SYSTEM}/usr/lib/{triplet}/pkgconfig:{SYSTEM}/usr/share/pkgconfig")),
        ("CMAKE_PREFIX_PATH", format!("{SYSTEM}/usr")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_are_looked_for_under_the_names_that_debian_gives() {
        assert_eq!(source_packages("zeromq/pyzmq"), ["pyzmq", "python-pyzmq"]);
        assert_eq!(source_packages("pygit2_x"), ["pygit2-x", "python-pygit2-x"]);
    }
}
