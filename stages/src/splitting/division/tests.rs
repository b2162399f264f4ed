use super::{By, Division, Earlier, FrozenRows, Near, Reason, Row, Rows, Settings, divide};
use crate::records::Cell;
use crate::splitting::Split;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A row in words.
#[derive(Clone, Debug)]
struct Spoken {
    id: String,
    repository: String,
    cluster: String,
    language: &'static str,
    test: String,
    day: u32,
}

fn row(repository: &str, number: usize) -> Spoken {
    let id = format!("{repository}#{number}");
    Spoken {
        repository: repository.into(),
        cluster: format!("h/{repository}"),
        language: "java",
        test: format!("test of {id}"),
        day: 0,
        id,
    }
}

fn rows(spoken: &[Spoken]) -> Rows {
    let mut rows = Rows::default();
    for row in spoken {
        rows.push(&Row {
            id: &row.id,
            repository: &row.repository,
            cluster: &row.cluster,
            language: row.language,
            test_cluster: &row.test,
            focal_cluster: &format!("focal of {}", row.id),
            pair_cluster: &row.id,
            day: row.day,
        });
    }
    rows
}

/// Repositories of like distribution of sizes as real ones: many small, few large.
fn repositories(count: usize) -> Vec<Spoken> {
    (0..count)
        .flat_map(|number| {
            let repository = format!("owner{}/r{number}", number / 3);
            let size = 1 + (super::place("size", &repository, 0) % 15).pow(2) as usize;
            (0..size).map(move |number| row(&repository, number)).collect::<Vec<_>>()
        })
        .collect()
}

fn by_id(spoken: &[Spoken], division: &Division) -> BTreeMap<String, Result<Split, Reason>> {
    spoken.iter().map(|row| row.id.clone()).zip(division.rows.iter().copied()).collect()
}

fn divided(spoken: &[Spoken], settings: &Settings) -> BTreeMap<String, Result<Split, Reason>> {
    by_id(spoken, &divide(&rows(spoken), &FrozenRows::default(), settings))
}

fn splits_of<'a>(
    spoken: &'a [Spoken],
    division: &Division,
    name: impl Fn(&'a Spoken) -> &'a str,
) -> BTreeMap<&'a str, BTreeSet<Split>> {
    let mut all: BTreeMap<&str, BTreeSet<Split>> = BTreeMap::new();
    for (row, split) in spoken.iter().zip(&division.rows) {
        all.entry(name(row)).or_default().extend(split.ok());
    }
    all
}

#[test]
fn ratios_are_met_in_rows() {
    for (by, count) in [(By::Project, 60), (By::Project, 2_000), (By::Organisation, 300), (By::Random, 40)] {
        for seed in 0..10 {
            let spoken = repositories(count);
            let division =
                divide(&rows(&spoken), &FrozenRows::default(), &Settings { seed, ..Settings::new(by) });
            for way in &division.summary.splits {
                assert!(way.miss.abs() <= 0.5 || count < 100, "{by:?} {count} {seed}: {way:?}");
                assert!(way.miss.abs() <= 4.0, "{by:?} {count} {seed}: {way:?}");
            }
        }
    }
}

#[test]
fn a_tenth_more_repositories_moves_no_row() {
    let all = repositories(2_200);
    let is_new =
        |row: &&Spoken| super::place("new", row.repository.split('/').next().unwrap(), 0).is_multiple_of(11);
    let old: Vec<Spoken> = all.iter().filter(|row| !is_new(row)).cloned().collect();
    assert!(old.len() * 105 / 100 < all.len() && old.len() * 120 / 100 > all.len());
    for by in [By::Project, By::Organisation, By::Random] {
        // Few repositories miss the ratios by more than hundreds of thousands do.
        let settings = Settings { tolerance: 0.03, ..Settings::new(by) };
        let (before, after) = (divided(&old, &settings), divided(&all, &settings));
        let moved = before.iter().filter(|(id, split)| after.get(*id) != Some(split)).count();
        assert_eq!(moved, 0, "{by:?}");
    }
}

#[test]
fn units_stay_together() {
    let spoken = repositories(200);
    let project = divide(&rows(&spoken), &FrozenRows::default(), &Settings::new(By::Project));
    assert!(splits_of(&spoken, &project, |row| &row.cluster).values().all(|splits| splits.len() == 1));
    let owners = divide(&rows(&spoken), &FrozenRows::default(), &Settings::new(By::Organisation));
    let owner = |row: &'static Spoken| row.repository.split('/').next().unwrap();
    let leaked: &'static [Spoken] = Box::leak(spoken.clone().into_boxed_slice());
    assert!(splits_of(leaked, &owners, owner).values().all(|splits| splits.len() == 1));
    assert_ne!(project.rows, owners.rows);
}

#[test]
fn languages_meet_the_ratios_by_themselves() {
    let mut spoken = repositories(900);
    for (number, row) in spoken.iter_mut().enumerate() {
        row.language = if row.repository.ends_with('7') { "go" } else { "java" };
        row.day = number as u32;
    }
    let settings = Settings { stratify: true, seed: 4, ..Settings::new(By::Project) };
    let summary = divide(&rows(&spoken), &FrozenRows::default(), &settings).summary;
    assert_eq!(summary.languages.len(), 2);
    for (language, ways) in summary.languages {
        assert!(ways.iter().all(|way| way.miss.abs() <= 1.0), "{language}: {ways:?}");
    }
}

#[test]
fn near_duplicates_are_left_out_joined_or_ignored() {
    let mut spoken = repositories(400);
    // Every twentieth test is like one of another repository.
    for number in (0..spoken.len() - 40).step_by(20) {
        spoken[number].test = spoken[number + 37].test.clone();
    }
    for by in [By::Project, By::Random] {
        let with = |near| {
            let settings = Settings { near, ..Settings::new(by) };
            divide(&rows(&spoken), &FrozenRows::default(), &settings)
        };
        let torn = |division: &Division| {
            splits_of(&spoken, division, |row| &row.test).values().filter(|splits| splits.len() > 1).count()
        };
        let left_out = with(Near::LeaveOut);
        assert_eq!((torn(&left_out), torn(&with(Near::Join))), (0, 0));
        assert_eq!(torn(&with(Near::Ignore)) > 0, by == By::Project, "{by:?}");
        let reasons: BTreeSet<_> = left_out.rows.iter().filter_map(|row| row.err()).collect();
        assert!(reasons.iter().all(|reason| *reason == Reason::NearDuplicate));
        let tests = |division: &Division| division.rows.iter().filter(|row| **row == Ok(Split::Test)).count();
        assert_eq!(tests(&left_out), tests(&with(Near::Ignore)), "rows of test stay");
    }
}

#[test]
fn frozen_rows_never_move_and_nothing_beside_them_trains() {
    let spoken = repositories(300);
    let rows = rows(&spoken);
    let before = divide(&rows, &FrozenRows::default(), &Settings::new(By::Project));
    let frozen: FrozenRows = (0..)
        .zip(&before.rows)
        .filter_map(|(row, split)| Some((row, split.ok().filter(|split| *split == Split::Test)?)))
        .collect();
    for seed in 2..12 {
        let after = divide(&rows, &frozen, &Settings { seed, ..Settings::new(By::Project) });
        for (row, split) in frozen.iter() {
            assert_eq!(after.rows[row as usize], Ok(split));
        }
        assert!(splits_of(&spoken, &after, |row| &row.cluster).values().all(|splits| splits.len() == 1));
        assert!(after.summary.splits.iter().all(|way| way.miss.abs() <= 0.5), "{:?}", after.summary.splits);
        assert_eq!(after.summary.frozen.kept as usize, frozen.iter().count());
        assert_ne!(after.rows, before.rows);
    }
}

#[test]
fn what_an_earlier_release_trained_on_and_tests_on_is_left_out_of_training() {
    let spoken: Vec<Spoken> = (0..5).map(|number| row("o/one", number)).collect();
    let frozen = FrozenRows::from_iter([(0, Split::Test), (1, Split::Train), (2, Split::Validation)]);
    let division = divide(&rows(&spoken), &frozen, &Settings::new(By::Project));
    let expected = [
        Ok(Split::Test),
        Err(Reason::BelongsToFrozen),
        Ok(Split::Validation),
        Ok(Split::Test),
        Ok(Split::Test),
    ];
    assert_eq!(division.rows, expected);
}

#[test]
fn unknown_frozen_rows_are_named() {
    let rows = rows(&repositories(3));
    let earlier = |ids: &[&str]| {
        let mut earlier = Earlier::default();
        ids.iter().for_each(|id| earlier.push(id, Split::Test));
        earlier
    };
    let ours = "0123456789abcdef0123456789abcdef";
    let unknown = rows.find(&earlier(&["owner0/r0#0", "nowhere", ours, "else"]));
    assert_eq!(unknown, Err([ours, "else", "nowhere"].map(str::to_owned).to_vec()));
    let found = rows.find(&earlier(&["owner0/r0#0"])).unwrap();
    assert_eq!(found.iter().collect::<Vec<_>>(), [(0, Split::Test)]);
}

#[test]
fn what_comes_later_gives_way_to_an_earlier_release() {
    let mut spoken = repositories(300);
    let old = spoken.len() * 9 / 10;
    let before = divide(&rows(&spoken[..old]), &FrozenRows::default(), &Settings::new(By::Project));
    // Each new row is like an old one, whatever the splits of both.
    for new in old..spoken.len() {
        spoken[new].test = spoken[(new * 31) % old].test.clone();
    }
    let rows = rows(&spoken);
    let frozen: FrozenRows =
        (0..).zip(&before.rows).filter_map(|(row, split)| Some((row, split.ok()?))).collect();
    for seed in 1..6 {
        let after = divide(&rows, &frozen, &Settings { seed, ..Settings::new(By::Project) });
        assert!(frozen.iter().all(|(row, split)| after.rows[row as usize] == Ok(split)), "{seed}");
        let torn = splits_of(&spoken, &after, |row| &row.test).values().filter(|it| it.len() > 1).count();
        assert_eq!(torn, 0, "{seed}");
    }
}

#[test]
fn rows_read_in_parts_are_the_same_rows() {
    let spoken = repositories(40);
    let whole = rows(&spoken);
    let mut parts = Rows::default();
    spoken.chunks(97).for_each(|part| parts.append(rows(part)));
    let (one, other) =
        [&whole, &parts].map(|rows| divide(rows, &FrozenRows::default(), &Settings::new(By::Project))).into();
    assert_eq!(one, other);
    let mut ids = Vec::new();
    let outcome: Result<(), ()> = other.write(&parts, |columns, count| {
        ids.extend((0..count).filter_map(|row| String::from_column(&columns[0], row)));
        Ok(())
    });
    assert!(outcome.is_ok() && ids.iter().eq(spoken.iter().map(|row| &row.id)));
}

#[test]
fn the_newest_are_tested_on_and_copies_are_as_old_as_the_first() {
    let mut spoken = repositories(300);
    for (number, row) in spoken.iter_mut().enumerate() {
        row.day = 20_200_101 + (number as u32 * 5) % 28;
    }
    spoken[3].day = 0;
    let oldest = (0..spoken.len()).filter(|row| *row != 3).min_by_key(|row| spoken[*row].day).unwrap();
    let newest = (0..spoken.len()).rev().max_by_key(|row| spoken[*row].day).unwrap();
    spoken[newest].test = spoken[oldest].test.clone();
    let division = divide(&rows(&spoken), &FrozenRows::default(), &Settings::new(By::Time));
    let days = |split| {
        let of = |(row, is): (&Spoken, &Result<Split, Reason>)| (*is == Ok(split)).then_some(row.day);
        spoken.iter().zip(&division.rows).filter_map(of).collect::<BTreeSet<u32>>()
    };
    assert!(days(Split::Validation).last() < days(Split::Test).first());
    assert!(division.summary.splits.iter().all(|way| way.miss.abs() < 4.0), "{:?}", division.summary.splits);
    assert_eq!(division.rows[newest], Ok(Split::Train), "the copy of an old test is old");
    assert_eq!(division.rows[3], Ok(Split::Train), "without a date");
}

#[test]
fn nothing_before_the_cutoff_is_tested_on() {
    let mut spoken = repositories(300);
    spoken.iter_mut().enumerate().for_each(|(number, row)| row.day = 20_240_801 + number as u32 % 28);
    let settings = Settings { cutoff: Some(20_240_815), ..Settings::new(By::Project) };
    let division = divide(&rows(&spoken), &FrozenRows::default(), &settings);
    let tested = spoken.iter().zip(&division.rows).filter(|(_, split)| **split == Ok(Split::Test));
    assert!(tested.clone().count() > 20 && { tested }.all(|(row, _)| row.day > 20_240_815));
    assert!(division.summary.left_out["before_cutoff"] > 20);
}

#[test]
fn a_giant_trains_and_no_split_is_empty() {
    let mut spoken: Vec<Spoken> = (0..5_000).map(|number| row("giant/one", number)).collect();
    spoken.extend((0..10).flat_map(|repository| (0..60).map(move |n| row(&format!("s/{repository}"), n))));
    for seed in 0..20 {
        let division =
            divide(&rows(&spoken), &FrozenRows::default(), &Settings { seed, ..Settings::new(By::Project) });
        assert_eq!(division.rows[0], Ok(Split::Train));
        assert!(division.summary.splits.iter().all(|way| way.rows > 0));
        assert_eq!(division.summary.largest_unit, 5_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn order_does_not_matter(sizes in prop::collection::vec(1..30_usize, 1..40), seed in any::<u64>()) {
        let mut spoken: Vec<Spoken> = (0..)
            .zip(&sizes)
            .flat_map(|(repository, size)| (0..*size).map(move |number| row(&format!("o/{repository}"), number)))
            .collect();
        for by in [By::Project, By::Random, By::Organisation] {
            let settings = Settings { seed, ..Settings::new(by) };
            let before = divided(&spoken, &settings);
            spoken.reverse();
            prop_assert_eq!(before, divided(&spoken, &settings));
        }
    }
}
