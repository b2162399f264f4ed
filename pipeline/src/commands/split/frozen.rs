//! Rows of an earlier release, from whatever file names them.

use anyhow::{Context, Result, anyhow, bail};
use std::path::Path;
use trefoil_shards::fold_table;
use trefoil_stages::records::{Column, DividedKey, Record};
use trefoil_stages::splitting::Split;
use trefoil_stages::splitting::division::Earlier;

/// Ids with their splits. Parquet as `trefoil split` writes it, JSON lines with `id` (or `pair_id`, `instance_id`),
/// CSV with a header, or an id a line; a row without a split is `test`.
pub fn read(path: &Path) -> Result<Earlier> {
    if path.extension().is_some_and(|ending| ending == "parquet") {
        return of_table(path);
    }
    let mut earlier = Earlier::default();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the frozen rows {}", path.display()))?;
    let rows = of_text(&text).with_context(|| format!("in the frozen rows {}", path.display()))?;
    for (id, word) in rows {
        earlier.push(&id, split(&word).ok_or_else(|| no_split(path, &word))?);
    }
    Ok(earlier)
}

/// Batch by batch and several side by side: it may be a release of millions of rows.
fn of_table(path: &Path) -> Result<Earlier> {
    let make = |columns: &[Column<'_>], count: usize| {
        let [Column::Text(ids), Column::Text(splits)] = columns else {
            bail!("{}: `id` and `split` are no texts", path.display())
        };
        let mut earlier = Earlier::default();
        for (id, word) in ids.iter().zip(splits).take(count) {
            match (id, word.map(|word| (split(word), word))) {
                (Some(id), Some((Some(split), _))) => earlier.push(id, split),
                // What was in no split binds nothing.
                (Some(_), Some((None, ""))) => {}
                (Some(_), Some((None, word))) => return Err(no_split(path, word)),
                _ => bail!("{}: a row has no id or no split", path.display()),
            }
        }
        Ok(earlier)
    };
    let (mut earlier, mut wrong) = (Earlier::default(), None);
    fold_table(path, &DividedKey::SCHEMA, make, |batch| match batch {
        Ok(batch) => earlier.append(batch),
        Err(error) => wrong = wrong.take().or(Some(error)),
    })
    .context("frozen rows in Parquet are a file of texts `id` and `split`, as `trefoil split` writes it")?;
    wrong.map_or(Ok(earlier), Err)
}

fn split(word: &str) -> Option<Split> {
    Split::ALL.into_iter().find(|known| known.as_str() == word)
}

fn no_split(path: &Path, word: &str) -> anyhow::Error {
    anyhow!("{}: `{word}` is no split; it is train, validation or test", path.display())
}

fn of_text(text: &str) -> Result<Vec<(String, String)>> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        if line.trim_start().starts_with('{') {
            let value: serde_json::Value =
                serde_json::from_str(line).with_context(|| format!("line {number} is no JSON"))?;
            let text = |key: &str| value.get(key).and_then(|value| value.as_str()).map(str::to_owned);
            let id = ["id", "pair_id", "instance_id"].into_iter().find_map(text);
            let id = id.with_context(|| format!("line {number} has no text under `id`"))?;
            rows.push((id, text("split").unwrap_or_else(|| Split::Test.as_str().to_owned())));
            continue;
        }
        let mut cells = line.split([',', '\t']).map(|cell| cell.trim().trim_matches('"'));
        let id = cells.next().unwrap_or_default();
        if number == 1 && matches!(id, "id" | "pair_id" | "instance_id") {
            continue;
        }
        if id.is_empty() {
            bail!("line {number} has no id");
        }
        rows.push((id.to_owned(), cells.next().unwrap_or(Split::Test.as_str()).to_owned()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_says_the_same() {
        let expected = vec![("a".to_owned(), "test".to_owned()), ("b".to_owned(), "train".to_owned())];
        for text in [
            "id,split\na,test\nb,train\n",
            "a\nb,train\n",
            "{\"id\": \"a\"}\n\n{\"pair_id\": \"b\", \"split\": \"train\"}",
        ] {
            assert_eq!(of_text(text).unwrap(), expected, "{text}");
        }
        assert!(of_text("{\"name\": 1}").is_err());
        assert!(of_text(",test").is_err());
    }
}
