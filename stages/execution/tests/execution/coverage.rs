//! Lines of single tests: the ways that claim to be exact agree, and the estimate says that it is one.

use crate::repository::{built, case, suite};
use trefoil_execution::Suite;
use trefoil_execution::coverage::{CaseCoverage, CaseKind, Engine, Outcome};
use trefoil_execution::problem::Case;
use trefoil_execution::sandbox::Limits;

const PRICES: &str = "src/stall/prices.py";

fn cases() -> Vec<Case> {
    let own = [
        case("bread", "from stall import total\n\ndef test_bread():\n    assert total(['bread']) == 3\n"),
        case(
            "wrong",
            "from stall import total\n\ndef test_wrong(basket):\n    assert total(basket, 1) == 0\n",
        ),
        case("unused", "import stall.unused\n\ndef test_unused():\n    assert stall.unused.never() == 1\n"),
    ];
    let mut cases = Suite::empty_runs(&own);
    cases.extend(own);
    cases
}

fn cov(engine: Engine) -> Vec<CaseCoverage> {
    let mut rows = Vec::new();
    let suite = suite(Limits { seconds: 60, ..Limits::default() });
    suite.cov(&cases(), engine, &mut |row, _| rows.push(row)).unwrap();
    rows
}

#[test]
fn the_suite_was_tried() {
    let row = &built().row;
    assert_eq!((row.passed, row.failed, row.skipped, row.broken_files), (17, 1, 1, 0), "{row:?}");
    assert!(row.finished && row.limits.contains("no network"));
    let lock = std::fs::read_to_string(built().folder.join("lock.txt")).unwrap();
    assert!(lock.contains("pytest=="), "{lock}");
}

#[test]
fn a_fork_has_the_lines_of_a_process_of_its_own() {
    let (zygote, clover) = (cov(Engine::Zygote), cov(Engine::Clover));
    for (ours, theirs) in zygote.iter().zip(&clover) {
        assert_eq!((&ours.id, ours.outcome, &ours.files), (&theirs.id, theirs.outcome, &theirs.files));
    }
    let [empty, bread, wrong, unused] = zygote.as_slice() else { panic!("{zygote:?}") };
    assert_eq!((empty.id.as_str(), empty.kind), ("tests::", CaseKind::Empty));
    assert_eq!(wrong.outcome, Outcome::Failed);
    // A statement over several lines counts once; what is marked so does not count.
    assert_eq!(empty.files[PRICES].hit.to_string(), "3,7,10,16,23");
    assert_eq!(empty.files[PRICES].missed.to_string(), "11-13,17-20,27-30");
    assert_eq!(bread.files[PRICES].hit.to_string(), "3,7,10-13,16-18,23,27-28,30");
    assert_eq!(wrong.files[PRICES].missed.to_string(), "19-20");
    assert_eq!(bread.files["src/stall/unused.py"].missed.to_string(), "1-2");
    assert_eq!(unused.files["src/stall/unused.py"].hit.to_string(), "1-2");
}

#[test]
fn an_estimate_says_that_it_is_one() {
    let mut rows = Vec::new();
    let patience = std::time::Duration::from_secs(120);
    suite(Limits::default()).estimate(patience, &mut |row| rows.push(row)).unwrap();
    let known = rows.iter().find(|row| row.id == "tests/test_prices.py::test_known").unwrap();
    assert!(!known.exact && known.engine == Engine::Plugin && known.outcome == Outcome::Passed);
    assert!(known.files[PRICES].hit.contains(18) && known.files[PRICES].missed.contains(29), "{known:?}");
    let wrong = rows.iter().find(|row| row.id == "tests/test_prices.py::test_wrong").unwrap();
    assert_eq!(wrong.outcome, Outcome::Failed);
}
