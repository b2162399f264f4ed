//! The data set ConTest: run, encoded, and predictions scored against it.

use crate::harness::{Outcome, Run, Workplace, repository, trefoil};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const CONFIG: &str = "[matching.modes]\njava = 'contest'\npython = 'contest'\n[dedup]\nkey = 'pair'\n\
                      [filtering]\nempty_tests = false\n[export]\ndataset = 'contest'\n";

/// A test that can be cut, and one that calls the focal method in its assertion.
fn shop(place: &Workplace, name: &str) {
    let code = format!(
        "class {name} {{ int total; void add(int n) {{ grow(n); }} void grow(int n) {{ total += n; }} }}"
    );
    let test = format!(
        "import org.junit.*;\npublic class {name}Test {{\n  {name} shop = new {name}();\n  @Test public void testAdd() {{\n    \
         int n = 2; // {name}\n    shop.add(n);\n    Assert.assertEquals(\n      n, shop.total);\n  }}\n  \
         @Test public void testGrow() {{\n    Assert.assertNull(\"{name}\", shop.grow(1));\n  }}\n}}\n"
    );
    place.write(&format!("{name}/src/main/java/{name}.java"), code);
    place.write(&format!("{name}/src/test/java/{name}Test.java"), test);
}

fn run(place: &Workplace) -> Run {
    let names = ["Bakery", "Florist", "Grocer", "Butcher"];
    names.iter().for_each(|name| shop(place, name));
    let repositories: String = names.iter().map(|name| repository(name, "")).collect();
    let run = place.run("cut", &(CONFIG.to_owned() + &repositories));
    run.go(&[]).exits(0).says("focal_call_in_assertion").says("cut into set-up and assertions");
    run
}

fn evaluate(run: &Run, predictions: &Path, more: &[&str]) -> Outcome {
    let mut arguments = vec!["evaluate", "contest", run.output.to_str().unwrap(), "--predictions"];
    arguments.extend([predictions.to_str().unwrap(), "--split", "train", "validation", "test"]);
    arguments.extend(more);
    trefoil(&arguments)
}

/// The ids of the rows, as the complaint about a file without predictions names them one by one.
fn ids(place: &Workplace, run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        place.write("some.jsonl", lines.join("\n"));
        let outcome = evaluate(run, &place.at("some.jsonl"), &[]);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        let Some(first) = said.split("have no prediction, `").nth(1) else { break };
        let id = first.split('`').next().unwrap().to_owned();
        lines.push(json!({ "id": id, "prediction": "Assert.assertEquals(n, shop.total);" }).to_string());
    }
    let id = |line: &String| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
    lines.iter().map(id).collect()
}

#[test]
fn predictions_are_scored_and_bad_ones_refused() {
    let place = Workplace::new();
    let run = run(&place);
    let report = run.report();
    let steps = &report["contest"]["java"];
    assert_eq!(
        (&steps["segmented"], &steps["without_focal_call"], &steps["rows"]),
        (&json!(8), &json!(4), &json!(4))
    );
    assert_eq!(steps["set_aside"]["focal_call_in_assertion"], 4);
    let ids = ids(&place, &run);
    assert_eq!(ids.len(), 4);
    let line = |id: &str, code: &str| json!({ "id": id, "prediction": code }).to_string();
    let right = "Assert.assertEquals(n, shop.total);";
    let some =
        [line(&ids[0], right), line(&ids[1], "Assert.assertEquals(n, shop.total"), line(&ids[2], right)];
    let json = place.at("scores.json");
    place.write("p.jsonl", [&some[..], &[line(&ids[3], right)]].concat().join("\n"));
    evaluate(&run, &place.at("p.jsonl"), &["--json", json.to_str().unwrap()]).exits(0).says("adjusted");
    let scores: Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    let all: Vec<&Value> =
        scores["splits"].as_object().unwrap().values().map(|split| &split["all"]).collect();
    assert_eq!(all.iter().map(|score| score["unparsable"].as_u64().unwrap()).sum::<u64>(), 1);
    let perfect = all.iter().find(|score| score["rows"] != 0 && score["unparsable"] == 0).unwrap();
    assert_eq!((&perfect["plain"]["bleu"], &perfect["adjusted"]["rouge_l"]), (&json!(1.0), &json!(1.0)));

    place.write(
        "bad.jsonl",
        [&some[..], &[some[0].clone(), "{".to_owned(), line("nobody", "")]].concat().join("\n"),
    );
    evaluate(&run, &place.at("bad.jsonl"), &[])
        .exits(2)
        .says("nothing is scored")
        .says("bad.jsonl:4: `")
        .says("bad.jsonl:5: EOF while parsing")
        .says("bad.jsonl:6: `nobody` is no row of project")
        .says("1 of the");
    let trees: Vec<String> = ids.iter().map(|id| line(id, "<[block]> { <[/body]>")).collect();
    place.write("trees.jsonl", trees.join("\n"));
    evaluate(&run, &place.at("trees.jsonl"), &["--form", "tree"]).exits(0).says("100.00%");
}

#[test]
fn rows_are_encoded_the_same_way_every_time() {
    let place = Workplace::new();
    let run = run(&place);
    let read = |name: &str| {
        let folder = place.at(name);
        run.ask("encode", &["--vocabulary", "300", "--check", "--output", folder.to_str().unwrap()])
            .exits(0)
            .says("tokens in the vocabulary");
        ["tokenizer.json", "train.parquet", "report.json"].map(|file| fs::read(folder.join(file)).unwrap())
    };
    let first = read("a");
    let report: Value = serde_json::from_slice(&first[2]).unwrap();
    let rows = |split: &str| report["splits"][split]["rows"].as_u64().unwrap();
    assert_eq!(["train", "validation", "test"].map(rows).iter().sum::<u64>(), 4);
    (0..4).for_each(|_| assert!(read("b") == first, "the vocabulary or the rows differ"));
    let tokenizer: Value = serde_json::from_slice(&first[0]).unwrap();
    assert_eq!(tokenizer["model"]["type"], "Unigram");
}

#[test]
fn rows_can_be_paged_through() {
    let place = Workplace::new();
    let run = run(&place);
    let shown = run.ask("inspect", &[]).exits(0);
    for part in [
        "── set-up\n    int n = 2;",
        "── assertions\n    Assert.assertEquals(\n",
        "── focal method\nvoid add(int n)",
        "── set-up context\n(empty)",
        "── focal context\nvoid grow(int n)",
        "calls   ",
    ] {
        assert!(shown.stdout.contains(part), "{part} is not in\n{}", shown.stdout);
    }
    let titles = |outcome: &Outcome| outcome.stdout.matches("━━━ ").count();
    assert_eq!(titles(&shown), 4);
    let id = shown.stdout.lines().find_map(|line| line.strip_prefix("row     ")).unwrap().to_owned();
    assert_eq!(titles(&run.ask("inspect", &["--row", &id]).exits(0)), 1);
    assert_eq!(titles(&run.ask("inspect", &["--sample", "2", "--language", "java"]).exits(0)), 2);
    run.ask("inspect", &["--language", "go"]).exits(2).says("there are rows of");
    let coloured = run.ask("inspect", &["--color", "always"]).exits(0).stdout;
    for colour in ["[31m", "[32m", "[33m"] {
        assert!(coloured.contains(&format!("\u{1b}{colour}")), "{colour} is not in\n{coloured}");
    }
}

#[test]
fn other_data_sets_are_refused() {
    let place = Workplace::new();
    place.project("bell");
    let run = place.run("plain", &repository("bell", ""));
    run.go(&[]).exits(0);
    run.ask("encode", &[]).exits(2).says("holds no rows of ConTest");
    place.write("p.jsonl", "");
    evaluate(&run, &place.at("p.jsonl"), &[]).exits(2).says("holds no rows of ConTest");
}
