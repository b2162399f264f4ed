use super::*;
use crate::records::RepositoryKey;
use std::path::Path;

const HEADER: &str =
    "repository,commit,test_path,test_line,test_name,focal_path,focal_line,focal_name,remark\n";

fn labels(text: &str) -> Labels {
    let mut labels = Labels::default();
    labels.add(Path::new("labels.csv"), text).unwrap();
    labels
}

fn problem(text: &str) -> String {
    Labels::default().add(Path::new("labels.csv"), text).unwrap_err().to_string()
}

/// `path line-line name(types)`, for Java `Class.name`, of the repository `a/b`.
fn declaration(path: &str, lines: (u32, u32), qualified_name: &str, parameters: &[&str]) -> DeclarationRow {
    let name = qualified_name.rsplit('.').next().unwrap();
    DeclarationRow {
        host: "github.com".into(),
        repository: "a/b".into(),
        path: path.into(),
        first_line: lines.0,
        last_line: lines.1,
        id: format!("{path}:{}", lines.0),
        language: trefoil_languages::of_path(path).unwrap().name.into(),
        name: name.into(),
        qualified_name: qualified_name.into(),
        parameter_types: parameters.iter().map(|name| (*name).into()).collect(),
        role: if name.starts_with("test") { "test" } else { "plain" }.into(),
    }
}

fn repository() -> Vec<RepositoryKey> {
    vec![RepositoryKey { host: "github.com".into(), repository: "a/b".into(), commit: "c1".into() }]
}

fn vote(test: &str, mode: &str, focal: &str, focal_name: &str) -> VoteAnswer {
    VoteAnswer {
        test_id: test.into(),
        mode: mode.into(),
        answer: "matched".into(),
        confidence: None,
        focal_id: focal.into(),
        focal_path: focal.split(':').next().unwrap_or_default().into(),
        focal_name: focal_name.into(),
        detail: String::new(),
    }
}

/// The same of a mode that gives several.
fn weighed(test: &str, confidence: f64, focal: &str, focal_name: &str) -> VoteAnswer {
    VoteAnswer { confidence: Some(confidence), ..vote(test, "combined", focal, focal_name) }
}

/// Four tests in lines of ten, and what they could be about.
fn python() -> Vec<DeclarationRow> {
    let test = |at: u32| declaration("test_a.py", (at * 10, at * 10 + 5), &format!("test_{at}"), &[]);
    let mut all: Vec<_> = (1..5).map(test).collect();
    all.push(declaration("a.py", (1, 50), "Stack", &[]));
    all.push(declaration("a.py", (2, 8), "Stack.push", &["int"]));
    all.push(declaration("a.py", (10, 12), "Stack.pop", &[]));
    all.push(declaration("b.py", (1, 3), "Queue.push", &["int"]));
    all
}

const PYTHON: &str = "\
a/b,c1,test_a.py,10,test_1,a.py,2,Stack.push,
a/b,c1,test_a.py,23,test_2,a.py,10,Stack.pop,
a/b,c1,test_a.py,23,test_2,a.py,2,Stack.push,second link
a/b,c1,test_a.py,30,test_3,,,,no focal method
a/b,c1,test_a.py,40,test_4,a.py,2,Stack.push,
";

#[test]
fn answers_are_scored_by_declaration_and_by_name() {
    let truth = Truth::new(&labels(&(HEADER.to_owned() + PYTHON)), &repository(), python());
    assert_eq!(truth.unmatched, []);
    let votes = vec![
        // A file alone is no answer, and what a further rule says counts for nothing.
        vote("test_a.py:10", "contest", "", ""),
        vote("test_a.py:10", "contest", "a.py:2", "Stack.push"),
        vote("test_a.py:10", "contest", "a.py:10", "Stack.pop"),
        // Labelled to have no focal method.
        vote("test_a.py:30", "contest", "a.py:10", "Stack.pop"),
        // Right by name only.
        vote("test_a.py:40", "contest", "b.py:1", "Queue.push"),
        VoteAnswer { answer: "not_a_test_file".into(), ..vote("test_a.py:10", "unittests-python", "", "") },
        weighed("test_a.py:20", 0.9, "a.py:10", "Stack.pop"),
        weighed("test_a.py:20", 0.8, "a.py:2", "Stack.push"),
        VoteAnswer { answer: "less_likely".into(), ..weighed("test_a.py:20", 0.1, "b.py:1", "Queue.push") },
    ];
    let pairs = vec![PairAnswer {
        test_id: "test_a.py:40".into(),
        focal_id: "a.py:2".into(),
        focal_name: "Stack.push".into(),
    }];
    let scores = Scores::new(&truth, votes, pairs);
    let python = &scores.languages["python"];
    assert_eq!((python.labelled_tests, python.found, python.labelled_none), (4, 4, 1));
    let modes: Vec<_> = python.modes.iter().map(|mode| (mode.mode.as_str(), mode.answered)).collect();
    assert_eq!(modes, [("unittests-python", 0), ("contest", 3), ("combined", 1), ("pairs", 1)]);
    let [_, contest, combined, pairs] = &python.modes[..] else { unreachable!() };
    assert_eq!(contest.answered_none, 1);
    let LinkScore { correct, precision, recall, links, labelled_links, links_right, .. } =
        contest.by_declaration;
    assert_eq!((correct, precision, recall), (1, 1.0 / 3.0, 1.0 / 3.0));
    assert_eq!((links, labelled_links, links_right), (3, 4, 1));
    assert_eq!((contest.by_name.correct, contest.by_name.links_right), (2, 2));
    let LinkScore { correct, links, links_right, link_precision, link_recall, .. } = combined.by_declaration;
    assert_eq!((correct, links, links_right, link_precision, link_recall), (1, 2, 2, 1.0, 0.5));
    assert_eq!(pairs.by_declaration.precision, 1.0);
    let told: Vec<_> = scores.reliability.bins.iter().filter(|bin| bin.tests > 0).collect();
    let bin = Bin { from: 0.9, to: 0.95, tests: 1, confidence: 0.9, right_declaration: 1, right_function: 1 };
    assert_eq!(told, [&bin], "the likeliest candidate alone");
    let text = scores.text();
    assert!(
        text.contains("python: 4 labelled tests, 4 of them in the run, 1 without a focal method"),
        "{text}"
    );
    assert!(text.lines().any(|line| line.starts_with("contest") && line.contains("0.33")), "{text}");
}

#[test]
fn candidates_are_written_with_what_is_right() {
    let truth = Truth::new(&labels(&(HEADER.to_owned() + PYTHON)), &repository(), python());
    let votes = [
        VoteAnswer {
            detail: "0.900: name_share 0.50, asserted".into(),
            ..weighed("test_a.py:10", 0.9, "a.py:2", "Stack.push")
        },
        // Another overload of a labelled function.
        weighed("test_a.py:20", 0.8, "a.py:99", "Stack.pop"),
        weighed("test_a.py:30", 0.1, "a.py:2", "Stack.push"),
        // Modes without a confidence weigh nothing.
        vote("test_a.py:40", "contest", "a.py:2", "Stack.push"),
    ];
    assert_eq!(
        candidates_csv(&truth, &votes),
        "language,repository,test_id,labelled,focal_path,focal_name,right_declaration,right_function,confidence,evidence\n\
         python,a/b,test_a.py:10,1,a.py,Stack.push,1,1,0.9,\"name_share 0.50, asserted\"\n\
         python,a/b,test_a.py:20,2,a.py,Stack.pop,0,1,0.8,\n\
         python,a/b,test_a.py:30,0,a.py,Stack.push,0,0,0.1,\n\
         python,a/b,test_a.py:40,1,,,0,0,,\n"
    );
}

#[test]
fn labels_that_match_nothing_are_told_and_still_count() {
    let rows = "\
a/b,c1,test_a.py,99,test_1,a.py,2,Stack.push,
a/b,c1,test_a.py,20,test_2,a.py,40,Stack.peek,
a/b,c1,none.py,1,test_x,a.py,2,Stack.push,
a/b,c0,test_a.py,10,test_1,a.py,2,Stack.push,
x/y,c1,test_a.py,10,test_1,a.py,2,Stack.push,
a/b,c1,a.py,2,Stack.push,a.py,2,Stack.push,
";
    let truth = Truth::new(&labels(&(HEADER.to_owned() + rows)), &repository(), python());
    let told: Vec<String> = truth.unmatched.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "labels.csv:2: test: no `test_1` at line 99 of test_a.py",
            "labels.csv:3: focal method: no `Stack.peek` at line 40 of a.py",
            "labels.csv:4: test: the run has no declarations in none.py",
            "labels.csv:5: the run has a/b at c1, the label is for c0",
            "labels.csv:6: the run has no repository `x/y`; it has a/b",
            "labels.csv:7: test: `Stack.push` of a.py is no test case",
        ]
    );
    let votes = vec![vote("test_a.py:20", "contest", "a.py:9", "Stack.peek")];
    let scores = Scores::new(&truth, votes, []);
    let python = &scores.languages["python"];
    assert_eq!((python.labelled_tests, python.found), (6, 1));
    let contest = &python.modes[0];
    assert_eq!((contest.by_declaration.correct, contest.by_name.correct), (0, 1));
    assert_eq!(contest.by_name.recall, 1.0 / 6.0);
    assert_eq!(contest.by_declaration.labelled_links, 1, "what the run lacks is still to be found");
}

#[test]
fn what_no_declaration_makes_is_unreachable_and_no_fault() {
    let rows = "a/b,c1,test_a.py,10,test_1,a.py,-,Stack.get,\n";
    let truth = Truth::new(&labels(&(HEADER.to_owned() + rows)), &repository(), python());
    assert!(truth.unmatched.is_empty(), "{:?}", truth.unmatched);
    let scores = Scores::new(&truth, vec![vote("test_a.py:10", "contest", "a.py:9", "Stack.peek")], []);
    assert_eq!(scores.languages["python"].unreachable, 1);
    let contest = &scores.languages["python"].modes[0].by_declaration;
    assert_eq!((contest.correct, contest.labelled_links), (0, 1), "it is missed by all");
    assert!(scores.text().contains("1 whose focal methods no declaration makes"), "{}", scores.text());
    assert!(
        problem(&(HEADER.to_owned() + "a/b,c1,test_a.py,-,test_1,a.py,2,Stack.get,\n"))
            .contains("no line number")
    );
}

#[test]
fn titles_are_found_by_their_line() {
    let rows = "\
a/b,c1,test_a.py,12,cart > adds.things,a.py,10,operator <,
a/b,c1,test_a.py,20,suite > test_2,a.py,3,push,
a/b,c1,test_a.py,30,test_3,a.py,10,total,
";
    let declarations = || {
        let mut all = python();
        all[0] = DeclarationRow { name: "adds.things".into(), role: "test".into(), ..all[0].clone() };
        all
    };
    let truth = Truth::new(&labels(&(HEADER.to_owned() + rows)), &repository(), declarations());
    assert_eq!(truth.unmatched.len(), 1);
    assert_eq!(truth.unmatched[0].problem, "focal method: no `total` at line 10 of a.py");
    let ids =
        |test: &str| truth.tests[test].links.iter().map(|link| link.id.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids("test_a.py:10"), ["a.py:10"]);
    assert_eq!(ids("test_a.py:20"), ["a.py:2"]);
}

#[test]
fn java_labels_are_found_by_package_class_and_types() {
    let source = "src/main/java/org/x/Cart.java";
    let declarations = vec![
        declaration("src/test/java/org/x/CartTest.java", (5, 9), "CartTest.testAdd", &[]),
        declaration("src/test/java/org/y/CartTest.java", (5, 9), "CartTest.testAdd", &[]),
        declaration(source, (2, 3), "Cart.add", &["String", "int..."]),
        declaration(source, (4, 5), "Cart.add", &["Map<K, List<V>>"]),
        declaration(source, (6, 7), "Cart.Cart", &["java.util.Locale"]),
        declaration(source, (8, 9), "Cart.Line.price", &["T"]),
    ];
    let rows = "test-fqn,function-fqn,raters
org.x.CartTest.testAdd(),\"org.x.Cart.add(java.lang.String, int[])\",\"J1,J2\"
org.x.CartTest.testAdd(),\"org.x.Cart.add(java.util.Map<K, java.util.List<V>>)\",J1
org.x.CartTest.testAdd(),org.x.Cart.<init>(java.util.Locale),J1
org.x.CartTest.testAdd(),org.x.Cart.Line.price(java.lang.Object),J1
org.x.CartTest.testAdd(),org.x.Cart.add(long),J1
org.x.CartTest.testRemove(),org.x.Cart.add(long),J1
";
    let truth = Truth::new(&labels(rows), &repository(), declarations);
    let links: Vec<_> = truth.tests["src/test/java/org/x/CartTest.java:5"]
        .links
        .iter()
        .map(|link| link.id.as_deref().map_or("none", |id| id.rsplit(':').next().unwrap()))
        .collect();
    assert_eq!(links, ["2", "4", "6", "8", "none"]);
    let told: Vec<String> = truth.unmatched.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "labels.csv:6: focal method: no `org.x.Cart.add` takes (long)",
            "labels.csv:7: test: the run has no `org.x.CartTest.testRemove`",
        ]
    );
}

#[test]
fn bad_files_are_refused_with_their_line() {
    assert!(
        problem("repository,commit,test_path\n")
            .starts_with("labels.csv: no column `test_line`; labels have")
    );
    assert!(problem("test-fqn,raters\n").starts_with("labels.csv: no column `function-fqn`"));
    assert!(problem("").starts_with("labels.csv: no column `repository`"));
    let row = |row: &str| problem(&format!("{HEADER}{row}\n"));
    assert_eq!(row("a/b,c1"), "labels.csv:2: 2 values under a header of 9");
    assert_eq!(
        row("a/b,c1,t.py,ten,test_1,,,,"),
        "labels.csv:2: `ten` in the column `test_line` is no line number"
    );
    assert_eq!(row("a/b,c1,t.py,1,test_1,a.py,3,,"), "labels.csv:2: `focal_path` or `focal_name` is empty");
    assert_eq!(row("a/b,c1,,,,a.py,3,f,"), "labels.csv:2: the row names no test");
    assert_eq!(row("\"a/b"), "labels.csv:2: a quotation mark is opened and never closed");
    let java = problem("test-fqn,function-fqn\na.B.c(),a.B.d\n");
    assert_eq!(
        java,
        "labels.csv:2: `a.B.d` in the column `function-fqn` is no `package.Class.method(types)`"
    );
}
