//! Recognising the text of a licence: likeness of word pairs to the texts of SPDX, which the crate `spdx`
//! brings along.

use foldhash::fast::FixedState;
use spdx::detection::{Store, TextData};
use spdx::identifiers::LICENSES;
use spdx::{Expression, LicenseId, ParseMode};
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// A licence that was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recognised {
    /// SPDX expression.
    pub expression: String,
    /// Likeness to the text of SPDX, in per cent.
    pub confidence: u32,
}

/// Least likeness of the text, or of the part of it that is most like a licence. Names, years and line
/// breaks cost less than this; BSD's clauses and Apache's sections more.
const LIKENESS: f32 = 0.95;

/// Longest text that is looked at, in bytes. The longest licences have 35 KiB.
const LONGEST: usize = 64 << 10;

/// Words of the shortest licence that SPDX knows. A note that points to a licence elsewhere often has fewer, and needs
/// no store to be told from one.
const SHORTEST: usize = 12;

/// Of a licence's pairs of words at most one in so many may be missing in a text that holds the licence:
/// twice what [`LIKENESS`] allows, since titles, names and spellings do not count there.
const LACKING: usize = 5;

/// Licences whose texts are compared before the store is opened.
const USUAL: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "BSD-3-Clause",
    "BSD-2-Clause",
    "ISC",
    "Unlicense",
    "MPL-2.0",
    "GPL-3.0-only",
    "GPL-2.0-only",
    "LGPL-2.1-only",
    "AGPL-3.0-only",
];

/// Words that take back, beside a licence's text, what the text grants. No list can be complete; these are
/// the clauses that are in use.
const RESTRICTIONS: [&str; 4] =
    ["commons clause", "non commercial", "noncommercial", "does not include the right to sell"];

/// The licence that a file's text is or says it is.
pub(super) fn recognise(text: &str) -> Option<Recognised> {
    let text = text.get(..text.floor_char_boundary(LONGEST))?;
    if let Some(expression) = identifier(text) {
        return Some(Recognised { expression, confidence: 100 });
    }
    if let Some(name) = usual(text) {
        return Some(Recognised { expression: name.to_owned(), confidence: 100 });
    }
    if words(text).take(SHORTEST).count() < SHORTEST {
        return None;
    }
    let data = TextData::new(text);
    let likely: Vec<_> = contained(text).map(|id| (id.name, TextData::new(id.text()))).collect();
    let known = nearest(likely.iter().map(|(name, known)| (*name, known)), &data);
    known.and_then(|(name, known)| compare(&data, name, known)).or_else(|| {
        // Left are variants and standard headers, which all speak of a licence.
        words(text).find(|word| word.starts_with("licen"))?;
        let (name, known) = nearest(variants()?, &data)?;
        compare(&data, name, known)
    })
}

/// The licence where the text, or the part of it that is most like the licence's, is like enough.
fn compare(data: &TextData, name: &str, known: &TextData) -> Option<Recognised> {
    let whole = known.match_score(data);
    let (part, score) = data.optimize_bounds(known);
    let (first, last) = part.lines_view();
    if whole.max(score) < LIKENESS || is_restricted(data.lines(), first, last) {
        return None;
    }
    // What stands around the licence makes it less sure that nothing else holds.
    Some(Recognised { expression: name.to_owned(), confidence: (whole * 100.0) as u32 })
}

/// The licence whose words these are, but for title and copyright: most repositories are told by this alone,
/// and the store, which takes a tenth of a second to load, stays closed.
fn usual(text: &str) -> Option<&'static str> {
    let apache = spdx::license_id("Apache-2.0")?;
    let terms = apache.text().split_once("APPENDIX:").map(|(terms, _)| (apache.name, terms));
    let whole = USUAL.iter().filter_map(|name| spdx::license_id(name)).map(|id| (id.name, id.text()));
    let (name, _) = whole.chain(terms).find(|(_, known)| terms_of(known).eq(terms_of(text)))?;
    let titles = text.lines().filter(|line| is_title(line));
    let lines: Vec<String> = titles.map(str::to_owned).collect();
    (!is_restricted(&lines, 0, 0)).then_some(name)
}

/// The words in lower case, without lines of copyright and names of the licence.
fn terms_of(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| !is_title(line)).flat_map(|line| words(without_marker(line)))
}

fn words(line: &str) -> impl Iterator<Item = String> {
    let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| if word == "https" { "http".to_owned() } else { word.to_lowercase() })
}

/// Clauses are numbered or have a sign before them, as anybody likes.
fn without_marker(line: &str) -> &str {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    number.strip_prefix('.').filter(|_| number.len() < line.len()).unwrap_or(line)
}

/// Whether a line only says whose the work is, what the licence is called or where its authors once lived.
fn is_title(line: &str) -> bool {
    let title =
        ["the", "mit", "x11", "expat", "isc", "bsd", "2", "3", "clause", "new", "simplified", "license"];
    let start = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '©');
    // Sentences of the terms have the word too, where lines are broken, but in small or in capital letters.
    let copyright = start.starts_with("Copyright");
    copyright
        || start.starts_with('©')
        || words(line).eq(["all", "rights", "reserved"])
        || words(line).eq(["end", "of", "terms", "and", "conditions"])
        || words(line).all(|word| title.contains(&word.as_str()))
        || words(line).any(|word| word == "boston")
}

/// `SPDX-License-Identifier: …` on one of the first lines.
fn identifier(text: &str) -> Option<String> {
    let words = text.lines().take(20).find_map(|line| line.split_once("SPDX-License-Identifier:"))?.1;
    let words = words.trim_matches(|end: char| end.is_whitespace() || "*/->".contains(end));
    Expression::parse_mode(words, ParseMode::STRICT).ok().map(|_| words.to_owned())
}

fn is_restricted(lines: &[String], first: usize, last: usize) -> bool {
    let around = lines.iter().enumerate().filter(|(line, _)| !(first..last).contains(line));
    let around: Vec<String> = around.map(|(_, line)| line.to_lowercase().replace('-', " ")).collect();
    let around = around.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    RESTRICTIONS.iter().any(|words| around.contains(words))
}

/// Licences of which so much stands in the text that a part of it could be like one of them.
fn contained(text: &str) -> impl Iterator<Item = LicenseId> {
    let there: HashSet<u64> = pairs(text).collect();
    let ids = LICENSES.iter().filter_map(|licence| spdx::license_id(licence.name));
    ids.filter(move |id| {
        let (mut all, mut missing) = (0, 0);
        // What is long and other is seen to be so at its beginning.
        let other = pairs(id.text()).any(|pair| {
            all += 1;
            missing += usize::from(!there.contains(&pair));
            missing > there.len() / LACKING
        });
        !other && missing * LACKING < all
    })
}

/// Digests of each word together with the one before it.
fn pairs(text: &str) -> impl Iterator<Item = u64> {
    let mut before = String::new();
    words(text).map(move |word| {
        let digest = FixedState::default().hash_one((&before, &word));
        before = word;
        digest
    })
}

/// The most similar licence. Of names that share a text, current ones go before outdated ones and those
/// for one version before those for later ones too, which the text alone does not grant.
fn nearest<'a>(
    texts: impl Iterator<Item = (&'a str, &'a TextData)>,
    data: &TextData,
) -> Option<(&'a str, &'a TextData)> {
    let scored = texts.map(|(name, text)| (text.match_score(data), name, text));
    let best = scored.max_by(|(left, one, _), (right, other, _)| {
        left.total_cmp(right).then_with(|| rank(other).cmp(&rank(one)))
    })?;
    Some((best.1, best.2))
}

fn rank(name: &str) -> (bool, bool, usize, &str) {
    let outdated = spdx::license_id(name).is_none_or(|id| id.is_deprecated()) || name.ends_with('+');
    (outdated, name.ends_with("-or-later"), name.len(), name)
}

/// Every text of the store with its name.
fn variants() -> Option<impl Iterator<Item = (&'static str, &'static TextData)>> {
    Some(store()?.iter().flat_map(|(name, entry)| {
        let name = entry.aliases.iter().chain([name]).map(String::as_str).min_by_key(|name| rank(name));
        let texts = std::iter::once(&entry.original).chain(&entry.alternates).chain(&entry.headers);
        name.into_iter().flat_map(move |name| texts.clone().map(move |text| (name, text)))
    }))
}

/// The texts of SPDX with standard headers, and Apache's without its appendix, which many leave out.
fn store() -> Option<&'static Store> {
    static STORE: OnceLock<Option<Store>> = OnceLock::new();
    STORE
        .get_or_init(|| {
            let mut store = Store::load_inline().ok()?;
            let apache = spdx::license_id("Apache-2.0")?;
            let (terms, _) = apache.text().split_once("APPENDIX:")?;
            let kind = spdx::detection::LicenseType::Alternate;
            store.add_variant(apache.name, kind, TextData::new(terms).without_text()).ok()?;
            Some(store)
        })
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(id: &str) -> &'static str {
        spdx::license_id(id).unwrap().text()
    }

    #[test]
    fn no_licence_is_shorter_than_what_is_left_unread() {
        let of_none = ["NOASSERTION"];
        let names = spdx::identifiers::LICENSES.iter().map(|licence| licence.name);
        let lengths = names.filter(|name| !of_none.contains(name)).map(|name| words(text_of(name)).count());
        assert_eq!(lengths.min(), Some(SHORTEST));
        assert_eq!(name_of("BSD-3-Clause License\n====\n\n.. include:: ../LICENSE.txt\n"), None);
    }

    fn name_of(text: &str) -> Option<String> {
        recognise(text).map(|recognised| recognised.expression)
    }

    #[test]
    fn the_licences_of_unit_tests_are_told_apart() {
        for id in [
            "MIT",
            "Apache-2.0",
            "Unlicense",
            "MPL-2.0",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "EPL-1.0",
            "EPL-2.0",
            "0BSD",
            "ISC",
            "BSD-4-Clause",
            "MIT-0",
            "GPL-2.0-only",
            "GPL-3.0-only",
            "LGPL-2.1-only",
            "AGPL-3.0-only",
            "CC0-1.0",
            "BSL-1.0",
            "Pixar",
        ] {
            let recognised = recognise(text_of(id)).unwrap();
            assert_eq!(recognised.expression, id);
            assert!(recognised.confidence >= 98, "{id}: {recognised:?}");
        }
    }

    #[test]
    fn layout_names_and_years_do_not_count() {
        let mit = text_of("MIT");
        let own = mit.replacen(
            "Copyright (c) <year> <copyright holders>",
            "Copyright © 1999-2024 A. Person, B. Corp.",
            1,
        );
        assert_ne!(own, mit);
        for text in
            [own.replace('\n', "\r\n"), format!("# The MIT License\n\n{own}"), own.replace(". ", ".\n   ")]
        {
            assert_eq!(name_of(&text).as_deref(), Some("MIT"), "{text}");
        }
        let (terms, _) = text_of("Apache-2.0").split_once("APPENDIX:").unwrap();
        assert_eq!(name_of(terms).as_deref(), Some("Apache-2.0"));
    }

    #[test]
    fn the_usual_texts_are_told_by_their_words() {
        for id in USUAL {
            let text = text_of(id).replace("\n", "\r\n");
            assert_eq!(usual(&format!("Copyright (c) 2024 A. Person\n\n{text}")), Some(id));
            assert_eq!(usual(&format!("{text}\nand more")), None, "{id}");
        }
        let mit = text_of("MIT");
        assert_eq!(usual(&format!("Copyright 2024 B, non-commercial use\n{mit}")), None);
        assert_eq!(usual(&mit.replacen("without restriction", "with restriction", 1)), None);
    }

    #[test]
    fn a_licence_among_other_words_is_found_with_less_confidence() {
        let words = "The logo was drawn by a friend of the house and is shown here with her kind leave.\n";
        let text = format!("{}\n{}\n{}", words.repeat(3), text_of("MIT"), words.repeat(12));
        let recognised = recognise(&text).unwrap();
        assert_eq!(recognised.expression, "MIT");
        assert!((30..90).contains(&recognised.confidence), "{recognised:?}");
    }

    #[test]
    fn every_licence_is_contained_in_its_own_text_and_few_others_are() {
        let ids = LICENSES.iter().filter_map(|licence| spdx::license_id(licence.name));
        for id in ids.step_by(7).filter(|id| id.name != "NOASSERTION") {
            let text = format!("Some words in front.\n\n{}", id.text());
            let names: Vec<_> = contained(&text).map(|id| id.name).collect();
            assert!(names.contains(&id.name), "{} not in {names:?}", id.name);
            assert!(names.len() < 60, "{}: {names:?}", id.name);
        }
        assert_eq!(contained("The licence is that of the project itself, which see.").count(), 0);
    }

    #[test]
    fn a_header_names_its_licence() {
        let header = "Licensed under the Apache License, Version 2.0 (the \"License\");\nyou may not use this file except in compliance with the License.\nYou may obtain a copy of the License at\n\n    http://www.apache.org/licenses/LICENSE-2.0\n\nUnless required by applicable law or agreed to in writing, software\ndistributed under the License is distributed on an \"AS IS\" BASIS,\nWITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.\nSee the License for the specific language governing permissions and\nlimitations under the License.\n";
        assert_eq!(name_of(header).as_deref(), Some("Apache-2.0"));
    }

    #[test]
    fn what_takes_rights_back_is_no_known_licence() {
        let clause = "\"Commons Clause\" License Condition v1.0\n\nThe grant of rights does not include the right to Sell the Software.\n";
        for id in ["MIT", "Apache-2.0"] {
            assert_eq!(name_of(&format!("{clause}\n{}", text_of(id))), None);
            assert_eq!(name_of(&format!("{}\nFor non-commercial use only.\n", text_of(id))), None);
        }
    }

    #[test]
    fn other_texts_are_no_licence() {
        for text in ["", "\n\n", "All rights reserved.", "fn main() {}", "\u{0}\u{fffd}"] {
            assert_eq!(recognise(text), None, "{text:?}");
        }
        assert_eq!(recognise(&"free software ".repeat(20_000)), None);
    }

    #[test]
    fn an_identifier_is_taken_at_its_word() {
        assert_eq!(
            name_of("/* SPDX-License-Identifier: MIT OR Apache-2.0 */").as_deref(),
            Some("MIT OR Apache-2.0")
        );
        assert_eq!(name_of("SPDX-License-Identifier: nothing known"), None);
    }
}
