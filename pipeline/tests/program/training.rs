//! `trefoil export` and `trefoil report`: what a finished run hands out.

use crate::harness::{Run, Workplace, samples, trefoil};
use crate::s3::Server;
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
fn rules_of_gitleaks_are_used_and_those_that_cannot_be_are_named() {
    let place = Workplace::new();
    let run = finished(&place);
    let rules = "[[rules]]\nid = 'assertion'\nregex = '(?i)(assert[a-z]*)'\nkeywords = ['assert']\n\
                 [[rules]]\nid = 'looks-back'\nregex = '(?<=a)b'\n";
    place.write("rules.toml", rules);
    let recipe = "compression = 'none'\n[redaction]\nrules = 'rules.toml'\n";
    export(&run, &place, recipe, "out").exits(0).says("(assertion)").says("rule not used: looks-back (");
    let data = fs::read_to_string(place.at("out/data/train-00000-of-00001.jsonl")).unwrap();
    assert!(!data.contains("assert ") && data.contains("ASSERT"), "{data}");
    assert!(fs::read_to_string(place.at("out/README.md")).unwrap().contains("looks-back"));
    place.write("rules.toml", "[[rules]]\nid = 3\n");
    export(&run, &place, recipe, "bad").exits(2).says("in the rules").says("rules.toml");
    export(&run, &place, &recipe.replace("rules.toml", "none.toml"), "bad")
        .exits(2)
        .says("cannot read the rules");
    assert!(!place.at("bad").exists());
}

/// An export into object storage; `run` at the place, with these variables in the environment.
fn send(
    run: &Run,
    place: &Workplace,
    server: &str,
    to: &str,
    secret: Option<&str>,
) -> crate::harness::Outcome {
    place.write("recipe.toml", "compression = 'none'\n");
    let recipe = place.at("recipe.toml");
    let mut command = crate::harness::command(env!("CARGO_BIN_EXE_trefoil"));
    command.args(["export", run.output.to_str().unwrap(), recipe.to_str().unwrap(), "--to", to]);
    command
        .args(["--endpoint", server])
        .env("TMPDIR", place.at("temporary"))
        .env("AWS_ACCESS_KEY_ID", "the-key");
    command.env_remove("AWS_SECRET_ACCESS_KEY");
    command.envs(secret.map(|secret| ("AWS_SECRET_ACCESS_KEY", secret)));
    crate::harness::carry_out(command)
}

#[test]
fn training_data_goes_to_object_storage_whole_or_not_at_all() {
    let place = Workplace::new();
    let run = finished(&place);
    fs::create_dir(place.at("temporary")).unwrap();
    let server = Server::start();
    let to = "s3://data-sets/releases/chat";
    server.held.lock().unwrap().faults = vec![503];
    send(&run, &place, &server.url, to, Some("the-secret")).exits(0).says("there already: 0 files").says(to);
    let puts = server.puts();
    assert!(puts[0].starts_with("releases/chat/data/"), "{puts:?}");
    assert_eq!(puts[puts.len() - 2..], ["releases/chat/README.md", "releases/chat/manifest.json"]);
    export(&run, &place, "compression = 'none'\n", "chat").exits(0);
    for (key, (body, _)) in &server.held.lock().unwrap().objects {
        let file = place.at("chat").join(key.strip_prefix("releases/chat/").unwrap());
        assert_eq!(*body, fs::read(file).unwrap(), "{key}");
    }
    send(&run, &place, &server.url, to, Some("the-secret")).exits(0).says("sent: 0 files");
    assert_eq!(names(&place.at("temporary")), BTreeSet::new());
}

#[test]
fn storage_that_cannot_be_reached_or_refuses_is_named() {
    let place = Workplace::new();
    let run = finished(&place);
    fs::create_dir(place.at("temporary")).unwrap();
    let server = Server::start();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let with = |server: &str, to: &str| send(&run, &place, server, to, Some("the-secret")).exits(2);
    with(&format!("http://{nobody}"), "s3://data-sets/x")
        .says("cannot be reached for the list of s3://data-sets/x");
    with(&server.url, "s3://others/x").says("NoSuchBucket; create the bucket first");
    with(&server.url, "data-sets/x").says("write it as s3://bucket/prefix");
    send(&run, &place, &server.url, "s3://data-sets/x", None).exits(2).says("needs AWS_SECRET_ACCESS_KEY");
    // A refusal on the way: what came before it stays, and what says that all is there never came.
    server.held.lock().unwrap().faults = vec![403];
    let refused = with(&server.url, "s3://data-sets/x").says("refuses s3://data-sets/x/data/");
    assert!(
        !refused.stderr.contains("the-secret") && !refused.stderr.contains("the-key"),
        "{}",
        refused.stderr
    );
    assert!(!server.held.lock().unwrap().objects.contains_key("x/manifest.json"));
    send(&run, &place, &server.url, "s3://data-sets/x", Some("the-secret")).exits(0);
    assert_eq!(names(&place.at("temporary")), BTreeSet::new());
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
