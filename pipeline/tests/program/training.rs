//! `trefoil export` and `trefoil report`: what a finished run hands out.

use crate::harness::{Run, Workplace, samples, trefoil};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn finished(place: &Workplace) -> Run {
    let run = place.run("samples", &samples(&["samples"]));
    run.go(&[]).exits(0);
    run
}

fn export(run: &Run, place: &Workplace, recipe: &str, output: &str) -> crate::harness::Outcome {
    place.write("recipe.toml", recipe);
    let (recipe, output) = (place.at("recipe.toml"), place.at(output));
    trefoil(&[
        "export",
        run.output.to_str().unwrap(),
        recipe.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ])
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn conversations_come_with_card_metadata_and_attribution() {
    let place = Workplace::new();
    let run = finished(&place);
    export(&run, &place, "compression = 'none'\n", "chat").exits(0).says("training data:");
    let folder = place.at("chat");
    let expected = ["ATTRIBUTION.md", "README.md", "croissant.json", "data", "manifest.json"];
    assert_eq!(names(&folder), expected.map(str::to_owned).into());
    let rows = lines(&folder.join("data/train-00000-of-00001.jsonl"));
    let card = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(card.contains(&format!("num_examples: {}", rows.len())), "{card}");
    assert!(rows.iter().all(|row| row["messages"][1]["role"] == "assistant" && row["licence"].is_string()));
    let attribution = fs::read_to_string(folder.join("ATTRIBUTION.md")).unwrap();
    assert!(attribution.contains("| samples/ledger | content:") && attribution.contains("| MIT |"));
    export(&run, &place, "compression = 'none'\n", "again").exits(0);
    for name in ["README.md", "croissant.json"] {
        let text = |folder: &str| fs::read_to_string(place.at(folder).join(name)).unwrap();
        assert_eq!(text("again").replace("again", "chat"), text("chat"));
    }
}

#[test]
fn shards_licences_and_divisions_follow_the_recipe() {
    let place = Workplace::new();
    let run = finished(&place);
    trefoil(&["split", run.output.to_str().unwrap(), "--ratios", "50/25/25", "--name", "halves"]).exits(0);
    let recipe = "by = 'halves'\nform = 'prompt_completion'\ncompression = 'none'\nshard_bytes = 9_000\n\
                  licences = ['MIT']\n[template]\nuser = '{inputs.focal_func}'\n";
    export(&run, &place, recipe, "some").exits(0).says("(licence)");
    let files = names(&place.at("some/data"));
    assert!(files.iter().filter(|name| name.starts_with("train-")).count() > 1, "{files:?}");
    for file in files {
        for row in lines(&place.at("some/data").join(file)) {
            assert_eq!(row["licence"], "MIT");
            assert!(row["prompt"].as_str().unwrap().starts_with("```"));
        }
    }
}

#[test]
fn bad_recipes_leave_nothing_behind() {
    let place = Workplace::new();
    let run = finished(&place);
    for (recipe, words) in [
        ("form = 'poem'", "unknown variant `poem`"),
        ("colums = []", "unknown field `colums`"),
        ("columns = ['meta.nothing']", "there is no `meta.nothing`; there are"),
        ("[template]\nuser = '{nothing}'", "template.user: there is no `{nothing}`"),
        ("licences = ['WTFPL']", "no row is left to hand out"),
        ("form = 'tokens'", "`tokens.tokenizer` names no file"),
        ("form = 'tokens'\n[tokens]\ntokenizer = 'none.json'", "cannot read the tokeniser"),
        ("by = 'nothing'", "there is no division `nothing`"),
    ] {
        export(&run, &place, recipe, "out").exits(2).says(words);
        let left: Vec<String> = names(&place.at(""))
            .into_iter()
            .filter(|name| name.contains("out") || name.contains("tmp"))
            .collect();
        assert!(left.is_empty(), "{recipe}: {left:?}");
    }
    place.write("full/file", "");
    export(&run, &place, "", "full").exits(2).says("is not empty");
}

#[test]
fn tokens_are_cut_into_rows_of_one_length() {
    let place = Workplace::new();
    let run = finished(&place);
    place.write("tokenizer.json", TOKENIZER);
    let recipe = "form = 'tokens'\n[tokens]\ntokenizer = 'tokenizer.json'\nlength = 32\nend = '[END]'\n";
    export(&run, &place, recipe, "tokens").exits(0).says("data/train-00000-of-00001.parquet");
    let card = fs::read_to_string(place.at("tokens/README.md")).unwrap();
    assert!(card.contains("- name: input_ids\n    list: uint32"), "{card}");
    export(&run, &place, &recipe.replace("[END]", "</s>"), "others").exits(2).says("has no token `</s>`");
}

/// Words and marks, most of them unknown.
const TOKENIZER: &str = r#"{
  "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
  "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
  "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "[END]": 1, "assert": 2, "(": 3, ")": 4}, "unk_token": "[UNK]"}
}"#;

#[test]
fn the_page_stands_alone_and_shows_texts_as_text() {
    let place = Workplace::new();
    place.write("evil/evil.py", "def count(text):\n    return '</script><script>alert(1)</script>'\n");
    place.write(
        "evil/tests/test_evil.py",
        "from evil import count\n\n\ndef test_count():\n    assert count('</script>') != 1\n",
    );
    let run = place.run("evil", &crate::harness::repository("evil", ""));
    run.go(&[]).exits(0);
    let page = place.at("page.html");
    trefoil(&["report", run.output.to_str().unwrap(), "--output", page.to_str().unwrap()])
        .exits(0)
        .says("report:");
    let text = fs::read_to_string(page).unwrap();
    assert_eq!(text.matches("</script>").count(), 2, "the page's own two");
    assert!(text.contains("\\u003c/script>") && !text.contains("http://") && !text.contains("https://"));
}
