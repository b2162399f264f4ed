//! The rows that a finished run hands out, for the verbs that read them: those of a way to split that the run has
//! written, or of a division that `trefoil split` made.

use super::run::FileList;
use super::split::{Divided, divided};
use crate::engine::plan::{Plan, RunContext};
use crate::engine::{SPLITS, dataset_folder};
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use trefoil_shards::read_table_while;
use trefoil_stages::export::Dataset;
use trefoil_stages::records::Record;
use trefoil_stages::splitting::Split;

/// The data set of a run.
pub struct DataSet {
    kind: Dataset,
    files: Vec<(Split, PathBuf)>,
    division: Option<Divided>,
}

impl DataSet {
    /// That of the way to split `by`; a division of the run's own names is meant where `division` says so.
    pub fn open(folder: &RunFolder, by: &str, division: bool) -> Result<Self> {
        let context = RunContext { plan: Plan::load(&folder.plan())?, folder: folder.clone() };
        let kind = context.plan.settings.export.dataset;
        if !division && ["project", "random"].contains(&by) {
            return Ok(Self { kind, files: files(&context, by)?, division: None });
        }
        Ok(Self { kind, files: files(&context, "project")?, division: Some(divided(folder, by)?) })
    }

    /// Which data set it is, and so what its rows are.
    pub fn kind(&self) -> Dataset {
        self.kind
    }

    /// Gives every row with its split to `visit`, in the order of the files; `id` names a row's pair. Rows that a
    /// division leaves out are passed over.
    pub fn visit<R: Record>(
        &self,
        id: impl Fn(&R) -> &str,
        mut visit: impl FnMut(Split, R) -> Result<()>,
    ) -> Result<()> {
        for (split, path) in &self.files {
            let mut outcome = Ok(());
            read_table_while(path, |row: R| {
                let split = match &self.division {
                    None => Some(*split),
                    Some(division) => division.get(id(&row)).copied(),
                };
                if let Some(split) = split {
                    outcome = visit(split, row);
                }
                outcome.is_ok()
            })
            .context("the data set cannot be read; run its config again")?;
            outcome?;
        }
        Ok(())
    }
}

/// The files of one way to split, each of the size that the run wrote.
fn files(context: &RunContext, config: &str) -> Result<Vec<(Split, PathBuf)>> {
    let folder = &context.folder;
    let list = FileList::load(folder)?;
    let dataset = dataset_folder(context).join(config);
    let inside = dataset.strip_prefix(folder.root()).unwrap_or(&dataset).to_owned();
    let mut files = Vec::new();
    for (name, entry) in list.files.iter().filter(|(name, _)| Path::new(name).starts_with(&inside)) {
        let path = folder.root().join(name);
        let bytes =
            path.metadata().with_context(|| format!("cannot read {}; run again", path.display()))?.len();
        if bytes != entry.bytes {
            bail!(
                "{} is damaged: it has {bytes} bytes and not the {} that were written; run again",
                path.display(),
                entry.bytes
            );
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let split =
            Split::ALL.into_iter().zip(SPLITS).find(|(_, word)| file.starts_with(&format!("{word}-")));
        files.extend(split.map(|(split, _)| (split, path)));
    }
    Ok(files)
}
