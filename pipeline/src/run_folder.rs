//! The folder of a run: where things lie in it, and who may write to it.

use anyhow::{Context, Result, bail};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Paths inside a run's folder.
#[derive(Clone, Debug)]
pub struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    /// The folder at `root`, which need not exist yet.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The folder of an existing run.
    pub fn existing(root: &Path) -> Result<Self> {
        let folder = Self::new(root);
        if !folder.plan().exists() {
            bail!(
                "{} is not the output folder of a run: it holds no {}",
                root.display(),
                folder.plan().display()
            );
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The plan that workers read.
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.json")
    }

    /// The report.
    pub fn report(&self) -> PathBuf {
        self.root.join("report.json")
    }

    /// The list of all files with their digests.
    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// Folder of a stage.
    pub fn stage(&self, stage: &str) -> PathBuf {
        self.root.join(stage)
    }

    /// Folder of one shard of a stage.
    pub fn shard(&self, stage: &str, shard: u32) -> PathBuf {
        self.root.join(stage).join(format!("shard-{shard:05}"))
    }

    /// Folder of the divisions that `trefoil split` made.
    pub fn splits(&self) -> PathBuf {
        self.root.join("splits")
    }

    /// What was found on GitHub.
    pub fn github(&self) -> PathBuf {
        self.root.join("github")
    }

    /// What is known of each repository.
    pub fn evidence(&self) -> PathBuf {
        self.root.join("evidence.parquet")
    }

    /// Clones of remote repositories.
    pub fn clones(&self) -> PathBuf {
        self.root.join("clones")
    }

    /// Repositories of a task that brought workers down.
    pub fn quarantine(&self, stage: &str, shard: u32) -> PathBuf {
        self.quarantines().join(format!("{stage}-{shard:05}.json"))
    }

    /// Folder of all those.
    pub fn quarantines(&self) -> PathBuf {
        self.root.join("quarantine")
    }

    /// Takes the folder for this process, creating it first. A second run on it is refused.
    pub fn lock(&self) -> Result<Lock> {
        fs::create_dir_all(&self.root).with_context(|| {
            format!("cannot create the output folder {}; choose another in `run.output`", self.root.display())
        })?;
        let driver = self.open_lock("run.lock")?;
        match driver.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "another run is working on {}; wait for it, or choose another `run.output`",
                self.root.display()
            ),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", self.root.display()));
            }
        }
        self.wait_for_orphans()?;
        Ok(Lock { _driver: driver })
    }

    /// Workers of a killed run end themselves within moments; they must not write beside us.
    fn wait_for_orphans(&self) -> Result<()> {
        let workers = self.open_lock("workers.lock")?;
        let start = Instant::now();
        while workers.try_lock().is_err() {
            if start.elapsed() > Duration::from_secs(20) {
                bail!(
                    "worker processes of an earlier run still work on {}; end them first",
                    self.root.display()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// In a worker: shows that it is at work, for as long as the answer lives.
    pub fn lock_as_worker(&self) -> Result<File> {
        let file = self.open_lock("workers.lock")?;
        file.lock_shared().with_context(|| format!("cannot lock {}", self.root.display()))?;
        Ok(file)
    }

    fn open_lock(&self, name: &str) -> Result<File> {
        let path = self.root.join(name);
        File::options().create(true).write(true).truncate(false).open(&path).with_context(|| {
            format!("cannot write {}; choose an output folder that can be written", path.display())
        })
    }
}

/// The right to write to a run's folder.
pub struct Lock {
    _driver: File,
}
