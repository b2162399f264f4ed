//! The files of one split: JSON lines or tokens, cut by size, numbered when all are there.

use anyhow::{Context, Result, anyhow};
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use trefoil_shards::{TableWriter, digest_of_file};
use trefoil_stages::export::training::card::{DataFile, ending};
use trefoil_stages::export::training::{Compression, Form, Recipe};
use trefoil_stages::records::{Record, TokenRow};
use trefoil_tokens::Counter;

/// Writes one split.
pub struct Writer {
    folder: PathBuf,
    split: String,
    ending: &'static str,
    compression: Compression,
    shard_bytes: u64,
    tokens: Option<Tokens>,
    open: Option<(Sink, u64)>,
    /// Rows of each file.
    rows: Vec<u64>,
}

/// What is still to be cut into rows.
struct Tokens {
    tokenizer: Counter,
    end: u32,
    length: usize,
    pending: Vec<u32>,
}

enum Sink {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
    Table(Box<TableWriter>),
}

impl Writer {
    /// A writer into `folder`.
    pub fn new(recipe: &Recipe, folder: &Path, split: &str) -> Result<Self> {
        let tokens = match recipe.form {
            Form::Tokens => Some(Tokens::new(recipe)?),
            _ => None,
        };
        Ok(Self {
            folder: folder.to_owned(),
            split: split.to_owned(),
            ending: ending(recipe),
            compression: recipe.compression,
            shard_bytes: recipe.shard_bytes,
            tokens,
            open: None,
            rows: Vec::new(),
        })
    }

    /// Adds a row: its line, or where tokens are wanted its text.
    pub fn add(&mut self, line: &Value, text: &str) -> Result<()> {
        if let Some(tokens) = &mut self.tokens {
            let rows = tokens.rows(text)?;
            return rows.into_iter().try_for_each(|input_ids| self.add_tokens(input_ids));
        }
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.sink(bytes.len() as u64)?.write(&bytes)
    }

    fn add_tokens(&mut self, input_ids: Vec<u32>) -> Result<()> {
        let rows = [TokenRow { input_ids }];
        match self.sink(rows[0].bytes() as u64)? {
            Sink::Table(table) => {
                table.append(&TokenRow::columns(&rows), 1)?;
                Ok(())
            }
            _ => Err(anyhow!("tokens are written to tables")),
        }
    }

    /// The file that has room for so many bytes more.
    fn sink(&mut self, bytes: u64) -> Result<&mut Sink> {
        if self.open.as_ref().is_some_and(|(_, written)| written + bytes > self.shard_bytes) {
            self.close()?;
        }
        if self.open.is_none() {
            let path = self.unnumbered(self.rows.len());
            self.open = Some((self.create(&path)?, 0));
            self.rows.push(0);
        }
        if let Some(rows) = self.rows.last_mut() {
            *rows += 1;
        }
        let (sink, written) = self.open.as_mut().context("there is no file")?;
        *written += bytes;
        Ok(sink)
    }

    fn create(&self, path: &Path) -> Result<Sink> {
        if self.tokens.is_some() {
            return Ok(Sink::Table(Box::new(TableWriter::create(path, &TokenRow::SCHEMA)?)));
        }
        let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(match self.compression {
            Compression::None => Sink::Plain(file),
            Compression::Gzip => Sink::Gzip(Box::new(GzEncoder::new(file, flate2::Compression::default()))),
        })
    }

    fn unnumbered(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{}-{number:05}", self.split))
    }

    fn close(&mut self) -> Result<()> {
        match self.open.take() {
            Some((sink, _)) => {
                sink.close().with_context(|| format!("cannot write {}", self.folder.display()))
            }
            None => Ok(()),
        }
    }

    /// Closes the last file and gives all their names.
    pub fn finish(mut self) -> Result<Vec<DataFile>> {
        self.close()?;
        let all = self.rows.len();
        let file = |(number, rows): (usize, &u64)| {
            let name = format!("{}-{number:05}-of-{all:05}.{}", self.split, self.ending);
            let path = self.folder.join(&name);
            std::fs::rename(self.unnumbered(number), &path)
                .with_context(|| format!("cannot create {}", path.display()))?;
            let (sha256, bytes) = digest_of_file(&path)?;
            Ok(DataFile {
                path: format!("data/{name}"),
                split: self.split.clone(),
                rows: *rows,
                bytes,
                sha256,
            })
        };
        self.rows.iter().enumerate().map(file).collect()
    }
}

impl Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Gzip(file) => file.write_all(bytes),
            Self::Table(_) => Err(std::io::Error::other("a table takes no lines")),
        }
        .context("cannot write the training data")
    }

    fn close(self) -> Result<()> {
        let file = match self {
            Self::Plain(file) => file,
            Self::Gzip(file) => file.finish()?,
            Self::Table(table) => {
                table.finish()?;
                return Ok(());
            }
        };
        Ok(file.into_inner()?.sync_all()?)
    }
}

impl Tokens {
    fn new(recipe: &Recipe) -> Result<Self> {
        let tokenizer = Counter::load(Path::new(&recipe.tokens.tokenizer))?;
        let end = tokenizer.id(&recipe.tokens.end).with_context(|| {
            format!(
                "the tokenizer {} has no token `{}`; name the one that ends a text in `tokens.end`",
                recipe.tokens.tokenizer, recipe.tokens.end
            )
        })?;
        Ok(Self { tokenizer, end, length: recipe.tokens.length as usize, pending: Vec::new() })
    }

    /// The rows that are full with this text. What is left at the end of a split fills none and is dropped.
    fn rows(&mut self, text: &str) -> Result<Vec<Vec<u32>>> {
        self.pending.extend(self.tokenizer.encode(text)?);
        self.pending.push(self.end);
        let mut rows = Vec::new();
        while self.pending.len() >= self.length {
            let rest = self.pending.split_off(self.length);
            rows.push(std::mem::replace(&mut self.pending, rest));
        }
        Ok(rows)
    }
}
