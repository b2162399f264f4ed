use super::Sketch;
use crate::matching::{Settings, check};

fn repository() -> Sketch {
    Sketch::default()
        .java("a/Foo.java", false)
        .class("Foo")
        .method("add")
        .java("a/FooTest.java", true)
        .class("FooTest")
        .test("testAdd", &[])
        .test("other", &[])
        .python("test_b.py", true)
        .pytest("test_b")
}

#[test]
fn pairs_name_both_sides() {
    let written = repository().matched("methods2test");
    let pair = &written.pairs[0];
    assert_eq!(pair.id, crate::records::identity(&["a/FooTest.java#1", "a/Foo.java#1"]));
    assert_eq!((&*pair.host, &*pair.repository, &*pair.commit), ("local", "sketch", "c0ffee"));
    assert_eq!((&*pair.path, &*pair.blob_id), ("a/FooTest.java", "blob of a/FooTest.java"));
    assert_eq!((pair.start_byte, pair.end_byte, pair.first_line), (30, 40, 4));
    assert_eq!(pair.focal_blob_id, "blob of a/Foo.java");
    assert_eq!((pair.focal_start_byte, pair.focal_end_byte, pair.focal_first_line), (10, 20, 2));
    assert_eq!((pair.test_kind.as_str(), pair.focal_kind.as_str()), ("method", "method"));
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    let mut reversed = repository();
    reversed.files.reverse();
    reversed.callables.reverse();
    reversed.tests.reverse();
    assert_eq!(reversed.matched("methods2test"), repository().matched("methods2test"));
}

#[test]
fn a_language_without_a_mode_is_voted_on_and_dropped() {
    let mut settings = crate::Settings::default();
    settings.matching.modes.remove("java");
    let written = repository().matched_with(&settings).unwrap();
    assert_eq!(
        written.outcomes(),
        [
            "FooTest.testAdd: no_mode_for_language",
            "FooTest.other: no_mode_for_language",
            "test_b: no_function_of_that_name"
        ]
    );
    let voted = written.votes_on("FooTest.testAdd");
    assert!(voted.iter().any(|vote| vote == "methods2test name: matched"), "{voted:?}");
}

#[test]
fn only_the_chosen_mode_votes_where_that_is_wanted() {
    let mut settings = crate::Settings::default();
    settings.matching.votes = crate::matching::Voters::Chosen;
    let written = repository().matched_with(&settings).unwrap();
    assert!(
        written.votes.iter().all(|vote| ["methods2test-fixed", "unittests-python"].contains(&&*vote.mode))
    );
    assert_eq!(written.pairs, repository().matched_with(&crate::Settings::default()).unwrap().pairs);
    settings.matching.modes.insert("java".to_owned(), "combined".to_owned());
    let written = repository().matched_with(&settings).unwrap();
    assert!(written.votes_on("FooTest.testAdd").iter().any(|vote| vote.starts_with("contest ")));
}

#[test]
fn an_empty_repository_gives_no_rows() {
    assert_eq!(Sketch::default().matched("methods2test"), crate::matching::memory::Written::default());
}

#[test]
fn unknown_words_are_refused_with_the_right_ones() {
    let with = |language: &str, mode: &str| {
        check(&Settings { modes: [(language.to_owned(), mode.to_owned())].into(), ..Settings::default() })
            .unwrap_err()
    };
    assert_eq!(check(&Settings::default()), Ok(()));
    assert_eq!(
        with("java", "methods2test-fix"),
        "matching.modes.java: no mode `methods2test-fix` for java; did you mean `methods2test-fixed`? \
         There are methods2test, methods2test-fixed, unittests-java, contest, unitsyn, combined"
    );
    assert!(with("python", "methods2test").contains("did you mean `unittests-python`?"));
    assert!(
        with("jav", "methods2test")
            .contains("no language `jav`; there are csharp, go, java, javascript, python")
    );
    let mut settings = crate::Settings::default();
    settings.matching.modes.insert("java".into(), "x".into());
    assert!(repository().matched_with(&settings).unwrap_err().to_string().starts_with("unknown_mode: "));
}

#[test]
fn a_run_is_matched_anew_when_the_weights_were_fitted_anew() {
    use crate::matching::Matching;
    use crate::stage::RepositoryStage;
    let settings = Matching.settings(&crate::Settings::default());
    assert_eq!(settings["fitted"], crate::matching::combined::fitted());
    assert!(settings["matching"]["modes"].is_object(), "the settings are in it, too: {settings}");
}
