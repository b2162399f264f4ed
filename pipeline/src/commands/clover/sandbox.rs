//! Runs answers in the environments' sandbox.

use super::environment::Recipe;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::PathBuf;
use trefoil_clover::evaluation::running::Environment;
use trefoil_clover::evaluation::{Job, Ran, Runner};

/// Environments by what they are of.
pub struct Sandboxed {
    folders: BTreeMap<Environment, PathBuf>,
}

impl Sandboxed {
    /// Finds what each folder is of; refuses to go on without a sandbox.
    pub fn new(folders: &[PathBuf]) -> Result<Self> {
        let mut known = BTreeMap::new();
        for folder in folders {
            let Recipe { host, repository, commit } = Recipe::read(folder)?;
            known.insert(Environment { host, repository, commit }, folder.clone());
        }
        if known.is_empty() {
            bail!("no environment is named, so that nothing can run");
        }
        Ok(Self { folders: known })
    }
}

impl Runner for Sandboxed {
    fn run(&self, environment: &Environment, _: &[&Job], _: &mut dyn FnMut(&str, Ran)) -> Result<(), String> {
        let Environment { repository, commit, .. } = environment;
        if !self.folders.contains_key(environment) {
            return Err(format!("no environment of {repository} at {commit} is named"));
        }
        Err("there is no sandbox".to_owned())
    }
}
