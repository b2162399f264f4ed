//! The values of a column in the encodings of Parquet: plain, or as keys of a dictionary.

use foldhash::fast::RandomState;
use polars::prelude::*;
use polars_parquet::parquet::encoding::hybrid_rle;
use polars_parquet::write::Encoding;
use std::collections::HashMap;
use std::ops::Range;
use trefoil_stages::records::ColumnType;

/// Values up to which a dictionary is kept, however seldom they come again.
const SMALL_DICTIONARY: usize = 256;
/// Bytes that a dictionary may have.
const DICTIONARY_BYTES: usize = 1 << 20;
/// Bytes of the longest text that is looked for in one.
const LONGEST_KEY: usize = 1 << 10;

/// Values of a page, or, with a dictionary, of a row group.
pub(crate) enum Values {
    /// As they are.
    Plain(Vec<u8>),
    /// Truth values.
    Bits(Vec<bool>),
    /// Texts, many of which come again.
    Keys(Dictionary),
}

/// Each text once, in the order of first coming.
#[derive(Default)]
pub(crate) struct Dictionary {
    known: HashMap<Box<str>, u32, RandomState>,
    /// The texts, encoded as plain.
    bytes: Vec<u8>,
    /// Where each stands in them.
    places: Vec<Range<usize>>,
    keys: Vec<u32>,
}

impl Dictionary {
    /// Takes a text. False where texts like these are better spelt out; it is not taken then.
    fn add(&mut self, text: &str) -> bool {
        let same = |key: &u32| {
            self.places.get(*key as usize).and_then(|place| self.bytes.get(place.start + 4..place.end))
        };
        if let Some(last) = self.keys.last().filter(|last| same(last) == Some(text.as_bytes())) {
            self.keys.push(*last);
            return true;
        }
        if let Some(key) = self.known.get(text) {
            self.keys.push(*key);
            return true;
        }
        let (key, start) = (self.places.len(), self.bytes.len());
        let few = key < SMALL_DICTIONARY || key * 2 < self.keys.len();
        if !few || text.len() > LONGEST_KEY || start + text.len() > DICTIONARY_BYTES {
            return false;
        }
        plain(&mut self.bytes, text);
        self.known.insert(text.into(), key as u32);
        self.places.push(start..self.bytes.len());
        self.keys.push(key as u32);
        true
    }

    fn spelt_out(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        let places = self.keys.iter().filter_map(|key| self.places.get(*key as usize));
        for text in places.filter_map(|place| self.bytes.get(place.clone())) {
            plain.extend_from_slice(text);
        }
        plain
    }
}

fn plain(bytes: &mut Vec<u8>, text: &str) -> usize {
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    4 + text.len()
}

impl Values {
    /// A column's values before the first.
    pub(crate) fn new(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Text => Self::Keys(Dictionary::default()),
            ColumnType::Bool => Self::Bits(Vec::new()),
            _ => Self::Plain(Vec::new()),
        }
    }

    /// Takes a text of a column; returns its bytes, as do the others.
    pub(crate) fn text(&mut self, text: &str) -> usize {
        if let Self::Keys(dictionary) = self
            && dictionary.add(text)
        {
            return 4 + text.len();
        }
        self.spell_out();
        self.plain_text(text)
    }

    /// Takes a text of a list.
    pub(crate) fn plain_text(&mut self, text: &str) -> usize {
        if let Self::Plain(bytes) = self { plain(bytes, text) } else { 0 }
    }

    /// Takes a number, lowest byte first.
    pub(crate) fn number<const BYTES: usize>(&mut self, number: [u8; BYTES]) -> usize {
        if let Self::Plain(bytes) = self {
            bytes.extend_from_slice(&number);
        }
        BYTES
    }

    /// Takes a truth value.
    pub(crate) fn bit(&mut self, bit: bool) -> usize {
        if let Self::Bits(bits) = self {
            bits.push(bit);
        }
        1
    }

    /// Bytes that the page in hand has to be bounded by.
    pub(crate) fn page_bytes(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Bits(bits) => bits.len() / 8,
            Self::Keys(_) => 0,
        }
    }

    /// Does without a dictionary.
    pub(crate) fn spell_out(&mut self) {
        if let Self::Keys(dictionary) = self {
            *self = Self::Plain(dictionary.spelt_out());
        }
    }

    /// Values and bytes of the dictionary.
    pub(crate) fn dictionary(&mut self) -> Option<(usize, Vec<u8>)> {
        match self {
            Self::Keys(dictionary) => Some((dictionary.places.len(), std::mem::take(&mut dictionary.bytes))),
            _ => None,
        }
    }

    /// Writes the values of the page and forgets them.
    pub(crate) fn write(&mut self, page: &mut Vec<u8>) -> PolarsResult<Encoding> {
        match self {
            Self::Plain(bytes) => {
                page.append(bytes);
                Ok(Encoding::Plain)
            }
            Self::Bits(bits) => {
                hybrid_rle::bitpacked_encode(page, std::mem::take(bits).into_iter())?;
                Ok(Encoding::Plain)
            }
            Self::Keys(dictionary) => {
                let keys = std::mem::take(dictionary).keys;
                let bits = bit_width(keys.iter().copied().max().unwrap_or(0));
                page.push(bits as u8);
                hybrid_rle::encode(page, keys.into_iter(), bits)?;
                Ok(Encoding::RleDictionary)
            }
        }
    }
}

/// Bits in which numbers up to this one are written.
pub(crate) fn bit_width(highest: u32) -> u32 {
    u32::BITS - highest.leading_zeros()
}
