//! The columns of a row group as compressed pages.
//!
//! polars' own writer makes a context of zstd for each page, and each asks the processor what it can do, which takes
//! longer on a virtual machine than compressing a small page. A thread keeps one context here, and columns that are
//! hardly longer than their headers stay as they are, so that reading them needs none either.

use polars::prelude::*;
use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::compression::Compression;
use polars_parquet::parquet::page::CompressedDictPage;
use polars_parquet::write::{
    CompressedDataPage, CompressedPage, CompressionOptions, DynIter, Encoding, Page, ParquetType, Version,
    WriteOptions, array_to_columns, get_dtype_encoding,
};
use std::cell::RefCell;
use zstd::bulk::Compressor;

/// The fastest level of zstd: tables are read soon and often, and their text is most of them either way.
const ZSTD_LEVEL: i32 = 1;
/// Bytes of a column in a row group up to which it is not compressed.
const UNCOMPRESSED: usize = 2_000;
/// Rows up to which no dictionary is tried: polars' estimate of how many values differ costs more than it saves.
const PLAIN_ROWS: usize = 128;

/// The pages of each column of a row group, whose chunks lie aligned; `types` are those of the file's schema.
pub(crate) fn pages(frame: &DataFrame, types: &[ParquetType]) -> PolarsResult<Vec<Vec<CompressedPage>>> {
    // In pages of the first version all is compressed, levels too. Compression is ours.
    let options = WriteOptions {
        statistics: StatisticsOptions::empty(),
        version: Version::V1,
        compression: CompressionOptions::Uncompressed,
        data_page_size: None,
    };
    let mut columns = Vec::new();
    for batch in frame.iter_chunks(CompatLevel::newest(), false) {
        for (array, column_type) in batch.columns().iter().zip(types) {
            let mut encodings = get_dtype_encoding(array.dtype());
            if frame.height() <= PLAIN_ROWS {
                encodings.fill(Encoding::Plain);
            }
            for pages in array_to_columns(array, column_type.clone(), options, &encodings)? {
                columns.push(column(pages)?);
            }
        }
    }
    Ok(columns)
}

fn column(mut pages: DynIter<'static, PolarsResult<Page>>) -> PolarsResult<Vec<CompressedPage>> {
    let (mut first, mut bytes) = (Vec::new(), 0);
    for page in pages.by_ref() {
        let page = page?;
        bytes += match &page {
            Page::Data(page) => page.buffer().len(),
            Page::Dict(page) => page.buffer.len(),
        };
        first.push(page);
        if bytes > UNCOMPRESSED {
            break;
        }
    }
    let compression = if bytes > UNCOMPRESSED { Compression::Zstd } else { Compression::Uncompressed };
    first.into_iter().map(Ok).chain(pages).map(|page| compressed(page?, compression)).collect()
}

fn compressed(page: Page, compression: Compression) -> PolarsResult<CompressedPage> {
    Ok(match page {
        Page::Data(page) => {
            let rows = page.num_rows().unwrap_or_default();
            let (bytes, buffer) = (page.buffer().len(), packed(page.buffer(), compression)?);
            let header = page.header().clone();
            let page = CompressedDataPage::new(header, buffer, compression, bytes, page.descriptor, rows);
            CompressedPage::Data(page)
        }
        Page::Dict(page) => {
            let (bytes, buffer) = (page.buffer.len(), packed(&page.buffer, compression)?);
            let (values, is_sorted) = (page.num_values, page.is_sorted);
            CompressedPage::Dict(CompressedDictPage::new(buffer, compression, bytes, values, is_sorted))
        }
    })
}

fn packed(bytes: &[u8], compression: Compression) -> PolarsResult<CowBuffer> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    if compression == Compression::Uncompressed {
        return Ok(CowBuffer::Owned(bytes.to_vec()));
    }
    COMPRESSOR.with_borrow_mut(|compressor| {
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => compressor.insert(Compressor::new(ZSTD_LEVEL)?),
        };
        Ok(CowBuffer::Owned(compressor.compress(bytes)?))
    })
}
