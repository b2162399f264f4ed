//! The way from cases to grades on a small project of our own, with a runner that knows which files pass.

#![allow(clippy::unwrap_used, reason = "the whole crate is a test, its plain functions too")]

mod project;

use project::{Known, module, questions, rows, snapshot};
use std::collections::BTreeSet;
use trefoil_clover::build::{Builder, Original};
use trefoil_clover::calibration::Calibration;
use trefoil_clover::evaluation::{Journal, Predictions, Report, assess};
use trefoil_clover::prompt::Template;
use trefoil_clover::settings::Settings;
use trefoil_clover::tasks::Task;
use trefoil_clover::trial::{original_reply, stand};
use trefoil_clover::trivial::Rules;
use trefoil_stages::records::CloverQuestion;

fn predictions(questions: &[CloverQuestion], reply: impl Fn(&CloverQuestion) -> String) -> Predictions {
    let line = |question: &CloverQuestion| {
        serde_json::json!({"instance_id": question.id, "prediction": reply(question)}).to_string()
    };
    let ids: BTreeSet<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    let text: Vec<String> = questions.iter().map(line).collect();
    Predictions::read("predictions.jsonl", &text.join("\n"), &ids).unwrap()
}

fn reference(question: &CloverQuestion) -> String {
    let template = Template::from_word(&question.template).unwrap();
    original_reply(&question.file_before, &question.original, &question.file_after, template)
}

fn report(reply: impl Fn(&CloverQuestion) -> String, runner: &Known, rules: Rules) -> Report {
    let questions = questions();
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("outcomes.jsonl")).unwrap();
    let predictions = predictions(&questions, reply);
    let grades = assess(&questions, &predictions, Some(runner), &mut journal, rules, &mut |_, _| {}).unwrap();
    Report::new(&grades, rules)
}

#[test]
fn every_task_has_rows_in_every_setting_and_template() {
    let rows = rows();
    let count = |task: Task| rows.iter().filter(|row| row.task == task.as_str()).count();
    let examples = |task: Task| {
        rows.iter()
            .filter(|row| row.task == task.as_str())
            .map(|row| &row.example)
            .collect::<BTreeSet<_>>()
            .len()
    };
    for (task, settings) in [(Task::Cloze, 6), (Task::Target, 10), (Task::Blocks, 4)] {
        assert!(examples(task) > 0, "{task:?}");
        assert_eq!(count(task), settings * examples(task), "{task:?}");
    }
    let ids: BTreeSet<&String> = rows.iter().map(|row| &row.id).collect();
    assert_eq!(ids.len(), rows.len());
    assert!(rows.iter().all(|row| row.verified && !row.blob_id.is_empty() && row.first_line > 1));
}

#[test]
fn prompts_keep_within_their_budgets_and_required_files_come_first() {
    for row in rows() {
        if let Some(budget) = row.budget {
            assert!(row.prompt_tokens + row.answer_tokens <= budget);
        }
        let required = row.context_classes.iter().take_while(|class| *class == "required").count();
        assert!(row.context_classes.iter().skip(required).all(|class| class != "required"));
        let wanted = match row.task.as_str() {
            _ if row.setting == "problem_only" => 0,
            "I" => 0,
            _ => 1,
        };
        assert_eq!(required, wanted, "{} {}", row.task, row.setting);
        if row.setting == "problem_only" {
            assert!(row.context_paths.is_empty() && !row.prompt.contains("shop/"), "{}", row.prompt);
        }
    }
}

#[test]
fn no_prompt_shows_what_is_asked_for() {
    for row in rows() {
        let code: Vec<&str> = row.original.lines().map(str::trim).filter(|line| line.len() > 20).collect();
        let shown = code.iter().filter(|line| row.prompt.contains(**line)).count();
        assert_eq!(shown, 0, "{}\n{}", row.original, row.prompt);
    }
}

#[test]
fn the_reference_of_every_row_scores_everything() {
    for rules in [Rules::Corrected, Rules::Published] {
        let report = report(reference, &Known::default(), rules);
        assert_eq!(report.lines.len(), 6 + 10 + 4);
        for line in report.lines {
            assert_eq!((line.executed, line.success), (Some(1.0), Some(1.0)), "{line:?}");
            assert_eq!(line.exact, (line.task == "I").then_some(1.0));
        }
    }
}

#[test]
fn empty_and_trivial_predictions_score_nothing_even_where_all_runs() {
    let anything = Known { passes: true, ..Known::default() };
    let trivial = |question: &CloverQuestion| match question.task.as_str() {
        "I" => {
            // What stands opposite the blank; alone it is a constant.
            let asked = question.question.trim_start_matches("assert ").to_owned();
            let sides = [" == ", " not in "].iter().find_map(|operator| asked.split_once(operator));
            let opposite = sides.map_or("True", |(left, right)| if left == "____" { right } else { left });
            question.question.replace("____", opposite)
        }
        _ => "def test_it():\n    assert str('a') == 'a'".replace("test_it", &question.function),
    };
    let nothing = |_: &CloverQuestion| String::new();
    let replies: [&dyn Fn(&CloverQuestion) -> String; 2] = [&nothing, &trivial];
    for reply in replies {
        for line in report(reply, &anything, Rules::Corrected).lines {
            assert_eq!((line.executed, line.success), (Some(0.0), Some(0.0)), "{line:?}");
            assert_eq!(line.exact.unwrap_or_default(), 0.0);
        }
    }
}

#[test]
fn wrong_answers_count_and_a_broken_environment_does_not() {
    let wrong = |question: &CloverQuestion| match question.task.as_str() {
        "I" => question.question.replace("____", "shop.wrong()"),
        _ => "assert shop.wrong()".to_owned(),
    };
    let of = |report: Report| {
        let judged: u64 = report.lines.iter().map(|line| line.judged).sum();
        let infrastructure: u64 = report.lines.iter().map(|line| line.infrastructure).sum();
        (judged, infrastructure)
    };
    let rows = questions().iter().filter(|question| question.template != "full").count() as u64;
    let full = questions().len() as u64 - rows;
    // A body alone is no answer where the whole file is asked for, whatever the environment.
    assert_eq!(of(report(wrong, &Known::default(), Rules::Corrected)), (rows + full, 0));
    let broken = Known { broken: true, ..Known::default() };
    assert_eq!(of(report(wrong, &broken, Rules::Corrected)), (full, rows));
    let infra = Known { infrastructure: u32::MAX, ..Known::default() };
    assert_eq!(of(report(wrong, &infra, Rules::Corrected)), (full, rows));
}

#[test]
fn failures_of_the_infrastructure_are_tried_again() {
    let shaky = Known { infrastructure: 2, ..Known::default() };
    for line in report(reference, &shaky, Rules::Corrected).lines {
        assert_eq!((line.infrastructure, line.success), (0, Some(1.0)));
    }
}

#[test]
fn grading_again_needs_no_runner_and_gives_the_same() {
    let questions = questions();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outcomes.jsonl");
    let predictions = predictions(&questions, reference);
    let mut quiet = |_: usize, _: usize| {};
    let mut journal = Journal::open(&path).unwrap();
    let runner = Known::default();
    let first =
        assess(&questions, &predictions, Some(&runner), &mut journal, Rules::Corrected, &mut quiet).unwrap();
    let mut journal = Journal::open(&path).unwrap();
    let again = assess(&questions, &predictions, None, &mut journal, Rules::Corrected, &mut quiet).unwrap();
    assert_eq!(first, again);
    // One file runs once, however many settings and templates ask for it.
    assert!(runner.runs() < questions.len() / 3, "{}", runner.runs());
}

#[test]
fn caps_and_draws_go_by_the_seed_and_not_by_the_order() {
    let drawn = |seed, reverse: bool| {
        let (snapshot, mut settings) = (snapshot(), Settings { seed, ..Settings::default() });
        (settings.cloze.per_repository, settings.target.per_repository) = (3, 1);
        let mut builder = Builder::new(&snapshot, &settings, &project::count);
        let mut modules = [module("tests/test_cart.py"), module("tests/test_more.py")];
        if reverse {
            modules.reverse();
        }
        modules.iter().for_each(|module| builder.add(module));
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(&folder.path().join("trial.jsonl")).unwrap();
        let mut ids = Vec::new();
        for (task, examples) in builder.draw() {
            let wanted = settings.of(task).per_repository;
            let runner = Known::default();
            let stood =
                stand(&builder, examples, wanted, &runner, &mut journal, &mut Default::default()).unwrap();
            assert!(stood.len() <= wanted);
            ids.extend(stood.into_iter().map(|example| example.id));
        }
        ids
    };
    assert_eq!(drawn(1, false), drawn(1, true));
    assert!((2..10).any(|seed| drawn(seed, false) != drawn(1, false)));
}

#[test]
fn an_assertion_that_is_never_reached_is_no_example() {
    let (snapshot, settings) = (snapshot(), Settings::default());
    let mut builder = Builder::new(&snapshot, &settings, &project::count);
    builder.add(&module("tests/test_cart.py"));
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(&folder.path().join("trial.jsonl")).unwrap();
    let examples = builder.draw().remove(&Task::Cloze).unwrap();
    let count = examples.len();
    let runner = Known { passes: true, ..Known::default() };
    let mut tally = Default::default();
    let stood = stand(&builder, examples, 50, &runner, &mut journal, &mut tally).unwrap();
    assert_eq!((stood.len(), tally[&(Task::Cloze, "assertion_not_reached")]), (0, count));
}

#[test]
fn rows_name_the_place_of_the_test_in_its_module() {
    let (snapshot, settings) = (snapshot(), Settings::default());
    let module = module("tests/test_cart.py");
    let mut builder = Builder::new(&snapshot, &settings, &project::count);
    builder.add(&module);
    let text = "import shop\n\n\ndef test_total():\n    pass\n\n\ndef other():\n    pass\n";
    let original = Original { blob_id: "b".into(), text: text.into() };
    let calibration = Calibration::new(&module);
    let drawn = builder.draw();
    let example = drawn[&Task::Target].iter().find(|example| example.function == "test_total").unwrap();
    let row = builder.rows(&calibration, &original, (example, true)).remove(0);
    assert_eq!((row.first_line, row.last_line), (4, 5));
    assert_eq!(&text[row.start_byte as usize..row.end_byte as usize], "def test_total():\n    pass");
}
