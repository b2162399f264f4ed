use super::redaction::{EMAIL, redact};
use super::{Form, Kitchen, Recipe, Redaction, Rules, Served, Template, Treatment, json};
use serde_json::{Value, json as value};
use std::collections::BTreeMap;

fn row() -> Value {
    value!({
        "instruction": "Write a {test_func_type} for {focal_func}",
        "inputs": { "focal_func": "int f() { return {x}; }", "test_func_type": "method", "language": "java" },
        "outputs": "@Test void testF() { mail(\"jane.doe@megacorp.io\"); }",
        "meta": { "licence": "MIT", "repo_id": "h/o/n", "pair_id": "p", "commit": "c", "confidence": null },
    })
}

fn served(recipe: &Recipe) -> (Served, BTreeMap<String, u64>) {
    let mut found = BTreeMap::new();
    let served = Kitchen::new(recipe, &Rules::default(), &row()).unwrap().serve(&row(), &mut found);
    (served, found)
}

fn line(recipe: &Recipe) -> Value {
    match served(recipe).0 {
        Served::Row { line, .. } => Value::Object(line),
        Served::LeftOut(reason) => panic!("left out: {reason}"),
    }
}

#[test]
fn a_chat_has_the_prompt_filled_in_once() {
    let line = line(&Recipe::default());
    assert_eq!(line["messages"][0]["content"], "Write a method for int f() { return {x}; }");
    assert_eq!(line["messages"][1]["role"], "assistant");
    assert_eq!((&line["licence"], &line["repo_id"]), (&value!("MIT"), &value!("h/o/n")));
}

#[test]
fn forms_and_templates_are_chosen() {
    let mut recipe = Recipe { form: Form::PromptCompletion, ..Recipe::default() };
    recipe.template.system = "{{be brief}}".to_owned();
    recipe.template.user = "{inputs.focal_func}".to_owned();
    let made = line(&recipe);
    assert_eq!(made["prompt"], "{be brief}\n\nint f() { return {x}; }");
    assert!(made["completion"].as_str().unwrap().starts_with("```java\n@Test"));
    recipe.form = Form::Columns;
    recipe.columns = vec!["outputs".to_owned(), "meta.confidence".to_owned()];
    assert_eq!(line(&recipe).as_object().unwrap().len(), 2);
}

#[test]
fn what_is_not_there_is_named() {
    let error = |recipe: &Recipe| Kitchen::new(recipe, &Rules::default(), &row()).err().unwrap();
    let mut recipe = Recipe { columns: vec!["meta.licence2".to_owned()], ..Recipe::default() };
    assert!(
        error(&recipe).contains("no `meta.licence2`; there are") && error(&recipe).contains("meta.licence,")
    );
    recipe.columns.clear();
    recipe.template.user = "{inputs.focal}".to_owned();
    assert!(error(&recipe).starts_with("template.user: there is no `{inputs.focal}`"));
    assert!(Template::new("a { b", &row()).unwrap_err().contains("no partner"));
    assert!(json::paths(&row()).contains(&"inputs.language".to_owned()));
}

#[test]
fn licences_and_addresses_leave_rows_out() {
    let recipe = Recipe { licences: vec!["Apache-2.0".to_owned()], ..Recipe::default() };
    assert_eq!(served(&recipe).0, Served::LeftOut("licence"));
    let redaction = Redaction { emails: Treatment::Drop, ..Redaction::default() };
    let (left_out, found) = served(&Recipe { redaction, ..Recipe::default() });
    assert_eq!((left_out, found), (Served::LeftOut("email"), BTreeMap::from([(EMAIL.to_owned(), 1)])));
    assert!(!line(&Recipe::default()).to_string().contains("jane.doe"));
    let redaction = Redaction { emails: Treatment::Keep, ..Redaction::default() };
    assert!(line(&Recipe { redaction, ..Recipe::default() }).to_string().contains("jane.doe@megacorp.io"));
}

/// Secrets are put together here, so that no scanner takes this file for a leak.
#[test]
fn secrets_are_found_and_what_looks_like_them_is_not() {
    let body = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    let secrets = [
        format!("{}_{body}", "ghp"),
        format!("{}{}", "AKIA", "Q3EGRIZ7HEDFX2LM"),
        format!("{}-{}", "xoxb", "123456789012-abcdefABCDEF"),
        format!("{}.{}.{body}", "eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0"),
        format!("-----BEGIN RSA {}-----\nabc\n-----END RSA {}-----", "PRIVATE KEY", "PRIVATE KEY"),
        "first.last@uni-ulm.de".to_owned(),
    ];
    let none = Rules::default();
    for secret in &secrets {
        let text = format!("call(\"{secret}\", 7); // ünd\n");
        let there = redact(&text, &none, |_| true);
        assert_eq!(there.found.len(), 1, "{secret}: {:?}", there.found);
        assert!(!there.text.contains(secret.as_str()));
        assert_eq!(there.text.len(), text.len());
        assert_eq!(there.text.lines().count(), text.lines().count());
        assert!(there.text.starts_with("call(\"") && there.text.ends_with("\", 7); // ünd\n"));
        assert!(redact(&there.text, &none, |_| true).found.is_empty(), "{}", there.text);
    }
    for harmless in [
        "assertEquals(\"da39a3ee5e6b4b0d3255bfef95601890afd80709\", sha1(\"\"));",
        "git@github.com:owner/name.git @Test @Override a@b.c user@example.com x@y.test @app.route(\"/\")",
        "AKIAXXXXXXXXXXXXXXXX AKIAIOSFODNN7EXAMPLE ghp_short sha512-abc eyJ eyJa.eyJb.c name_ghp_",
        "foo.bar@Component.class -----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----",
    ] {
        assert_eq!(redact(harmless, &none, |_| true).found, [], "{harmless}");
    }
}

#[test]
fn rules_that_are_brought_along_are_used_beside_our_own() {
    let rules =
        Rules::read("[[rules]]\nid = 'acme'\nregex = 'acme_([a-z0-9]{8})'\nkeywords = ['acme']").unwrap();
    let text = "call(\"acme_q9x7lmp2\", \"jane.doe@megacorp.io\")";
    let there = redact(text, &rules, |_| true);
    assert_eq!(there.found.iter().map(|one| one.rule).collect::<Vec<_>>(), ["acme", EMAIL]);
    assert!(there.text.starts_with("call(\"acme_ACMEXXXX\"") && there.text.len() == text.len());
    let row = value!({ "outputs": text, "meta": { "licence": "MIT" } });
    let recipe = Recipe {
        form: Form::Columns,
        columns: vec!["outputs".to_owned()],
        redaction: Redaction { secrets: Treatment::Drop, ..Redaction::default() },
        template: super::Templates { user: String::new(), assistant: String::new(), system: String::new() },
        ..Recipe::default()
    };
    let mut found = BTreeMap::new();
    let served = Kitchen::new(&recipe, &rules, &row).unwrap().serve(&row, &mut found);
    assert_eq!((served, found["acme"]), (Served::LeftOut("secret"), 1));
}

#[test]
fn lists_of_texts_stand_one_below_the_other() {
    let row = value!({ "setup_context": { "texts": ["a()", "b()"] } });
    assert_eq!(Template::new("{setup_context.texts}", &row).unwrap().fill(&row), "a()\n\nb()");
}
