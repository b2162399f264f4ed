//! The pages of a column in a row group, compressed.
//!
//! A thread keeps one context of zstd: making one asks the processor what it can do, which takes longer on a virtual
//! machine than compressing a small page. Columns that are hardly longer than their headers stay as they are, so that
//! reading them needs none either.

use polars::prelude::*;
use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::compression::Compression;
use polars_parquet::parquet::metadata::Descriptor;
use polars_parquet::parquet::page::{CompressedDictPage, DataPageHeader, DataPageHeaderV1};
use polars_parquet::write::{CompressedDataPage, CompressedPage, Encoding};
use std::cell::RefCell;
use zstd::bulk::Compressor;

/// The fastest level of zstd: tables are read soon and often, and their text is most of them either way.
const ZSTD_LEVEL: i32 = 1;
/// Bytes of a column in a row group up to which it is not compressed.
const UNCOMPRESSED: usize = 2_000;

/// What a page holds.
pub(crate) enum Content {
    /// The values of a dictionary.
    Dictionary {
        /// How many.
        values: usize,
    },
    /// Levels and values.
    Data {
        /// Of the values.
        encoding: Encoding,
        /// How many, with those that are not there.
        values: usize,
        /// Rows that they belong to.
        rows: usize,
    },
}

/// The pages of a column in a row group.
pub(crate) struct Pages {
    descriptor: Descriptor,
    /// Pages that may be too short to be compressed, and their bytes.
    waiting: Vec<(Content, Vec<u8>)>,
    waiting_bytes: usize,
    done: Vec<CompressedPage>,
}

impl Pages {
    pub(crate) fn new(descriptor: &Descriptor) -> Self {
        Self { descriptor: descriptor.clone(), waiting: Vec::new(), waiting_bytes: 0, done: Vec::new() }
    }

    /// Adds a page behind the others.
    pub(crate) fn push(&mut self, content: Content, page: Vec<u8>) -> PolarsResult<()> {
        self.waiting_bytes += page.len();
        self.waiting.push((content, page));
        if self.waiting_bytes > UNCOMPRESSED || !self.done.is_empty() {
            self.take_over(Compression::Zstd)?;
        }
        Ok(())
    }

    /// All pages of the row group.
    pub(crate) fn finish(&mut self) -> PolarsResult<Vec<CompressedPage>> {
        self.take_over(Compression::Uncompressed)?;
        Ok(std::mem::take(&mut self.done))
    }

    fn take_over(&mut self, compression: Compression) -> PolarsResult<()> {
        self.waiting_bytes = 0;
        for (content, page) in std::mem::take(&mut self.waiting) {
            let bytes = page.len();
            let buffer = CowBuffer::Owned(packed(page, compression)?);
            self.done.push(match content {
                Content::Dictionary { values } => {
                    CompressedPage::Dict(CompressedDictPage::new(buffer, compression, bytes, values, false))
                }
                Content::Data { encoding, values, rows } => {
                    let header = header(encoding, values);
                    let descriptor = self.descriptor.clone();
                    CompressedPage::Data(CompressedDataPage::new(
                        header,
                        buffer,
                        compression,
                        bytes,
                        descriptor,
                        rows,
                    ))
                }
            });
        }
        Ok(())
    }
}

/// In pages of the first version all is compressed, levels too.
fn header(encoding: Encoding, values: usize) -> DataPageHeader {
    DataPageHeader::V1(DataPageHeaderV1 {
        num_values: values as i32,
        encoding: encoding.into(),
        definition_level_encoding: Encoding::Rle.into(),
        repetition_level_encoding: Encoding::Rle.into(),
        statistics: None,
    })
}

/// Where pages are compressed, time and again.
struct Packer {
    compressor: Compressor<'static>,
    packed: Vec<u8>,
}

fn packed(bytes: Vec<u8>, compression: Compression) -> std::io::Result<Vec<u8>> {
    thread_local! {
        static PACKER: RefCell<Option<Packer>> = const { RefCell::new(None) };
    }
    if compression == Compression::Uncompressed {
        return Ok(bytes);
    }
    PACKER.with_borrow_mut(|packer| {
        let Packer { compressor, packed } = match packer {
            Some(packer) => packer,
            None => packer.insert(Packer { compressor: Compressor::new(ZSTD_LEVEL)?, packed: Vec::new() }),
        };
        packed.clear();
        packed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        compressor.compress_to_buffer(&bytes, packed)?;
        Ok(packed.clone())
    })
}
