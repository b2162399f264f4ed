use crate::{Comments, Detector, Settings, Shingler, Text, jaccard};
use rayon::prelude::*;

fn detector(texts: &[String], settings: &Settings, scratch: bool) -> Detector {
    let file = scratch.then(tempfile);
    let mut detector = Detector::new(settings, file);
    let texts: Vec<Text<'_>> = texts.iter().map(|code| Text { code, comments: Comments::Slashes }).collect();
    texts.chunks(100).for_each(|texts| detector.add(texts).unwrap());
    detector
}

fn tempfile() -> std::fs::File {
    tempfile::tempfile().unwrap()
}

/// Functions in families: members of one differ in some statements.
fn families(count: usize) -> Vec<String> {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..count)
        .map(|number| {
            let family = number / 6;
            let statements = 3 + (family * 7) % 30;
            let changes = draw(4);
            let body: String = (0..statements)
                .map(|line| {
                    let changed = draw(10) < changes;
                    let owner = if changed { format!("own{number}") } else { format!("family{family}") };
                    format!("  int value{line} = {owner}.compute{line}({line}, \"{owner}\");\n")
                })
                .collect();
            format!("void f{family}() {{\n{body}}}")
        })
        .collect()
}

fn by_force(texts: &[String], settings: &Settings) -> Vec<(u32, u32)> {
    let sets: Vec<Vec<u32>> = texts
        .iter()
        .map(|text| {
            let mut set = Vec::new();
            Shingler::new(settings).set(text, Comments::Slashes, &mut set);
            set
        })
        .collect();
    let of = |a: usize| {
        let sets = &sets;
        (a + 1..sets.len())
            .filter(move |&b| jaccard(&sets[a], &sets[b]) >= settings.threshold)
            .map(move |b| (a as u32, b as u32))
    };
    (0..sets.len()).into_par_iter().flat_map_iter(of).collect()
}

#[test]
fn what_is_alike_is_found_and_nothing_else() {
    let texts = families(1_500);
    for threshold in [0.5, 0.7, 0.9] {
        let settings = Settings { threshold, ..Settings::default() };
        let expected = by_force(&texts, &settings);
        let found: Vec<(u32, u32)> = detector(&texts, &settings, false)
            .pairs()
            .unwrap()
            .iter()
            .map(|pair| (pair.first, pair.second))
            .collect();
        assert!(expected.len() > 300, "{threshold}: {} pairs say nothing", expected.len());
        assert!(found.iter().all(|pair| expected.binary_search(pair).is_ok()), "{threshold}");
        assert!(found.len() as f64 >= 0.99 * expected.len() as f64, "{} of {}", found.len(), expected.len());
    }
}

#[test]
fn clusters_are_the_components_of_pairs() {
    let texts = families(600);
    let mut detector = detector(&texts, &Settings::default(), false);
    let mut of: Vec<u32> = (0..texts.len() as u32).collect();
    for pair in detector.pairs().unwrap() {
        let (a, b) = (of[pair.first as usize], of[pair.second as usize]);
        of.iter_mut().filter(|cluster| **cluster == a.max(b)).for_each(|cluster| *cluster = a.min(b));
    }
    assert_eq!(detector.clusters().unwrap().of, of);
}

#[test]
fn threads_batches_and_the_scratch_file_change_nothing() {
    let texts = families(800);
    let settings = Settings { memory_bytes: 10_000, ..Settings::default() };
    let mut in_memory = detector(&texts, &settings, false);
    let mut with_scratch = detector(&texts, &settings, true);
    assert_eq!(in_memory.pairs().unwrap(), with_scratch.pairs().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = pool.install(|| detector(&texts, &settings, true).clusters().unwrap());
    assert_eq!(alone, with_scratch.clusters().unwrap());
}

#[test]
fn short_texts_are_like_their_equals_only() {
    let texts: Vec<String> = [
        "a();",
        "b();",
        "a( ) ;",
        "",
        "// nothing",
        "x",
        "a();\na();",
        "assertTrue(true);",
        "assertTrue(false);",
    ]
    .map(str::to_owned)
    .into();
    let clusters = detector(&texts, &Settings::default(), false).clusters().unwrap();
    assert_eq!(clusters.of, [0, 1, 0, 3, 4, 5, 6, 7, 8]);
    assert_eq!(clusters.shared().collect::<Vec<_>>(), [vec![0, 2]]);
}

#[test]
fn what_is_trivial_can_be_left_alone() {
    let texts: Vec<String> = ["int get() { return x; }", "int get() { return x; }", "f(a, b, c, d, e);"]
        .iter()
        .flat_map(|text| [(*text).to_owned(), format!("{text} {text}")])
        .collect();
    let settings = Settings { least_tokens: 15, ..Settings::default() };
    assert_eq!(detector(&texts, &settings, false).clusters().unwrap().of, [0, 1, 2, 1, 4, 5]);
}

#[test]
fn renamed_copies_are_found_where_names_are_normalised() {
    let texts: Vec<String> = [
        "int sum(int[] values) { int all = 0; for (int value : values) { all += value; } return all; }",
        "int total(int[] xs) { int t = 0; for (int x : xs) { t += x; } return t; }",
    ]
    .map(str::to_owned)
    .into();
    let with = |normalise| Settings { normalise, ..Settings::default() };
    assert_eq!(detector(&texts, &with(false), false).clusters().unwrap().of, [0, 1]);
    assert_eq!(detector(&texts, &with(true), false).clusters().unwrap().of, [0, 0]);
}

#[test]
fn a_crowded_bucket_costs_no_copy_its_cluster() {
    let mut texts: Vec<String> = (0..400).map(|number| format!("void t() {{ call({number}); }}")).collect();
    texts.extend(families(60));
    texts.extend(families(60));
    let clusters = detector(&texts, &Settings::default(), false).clusters().unwrap();
    for copy in 460..520 {
        assert_eq!(clusters.of[copy], clusters.of[copy - 60]);
    }
}

#[test]
fn likeness_is_the_jaccard_index() {
    let texts: Vec<String> = ["a b c d e f", "a b c d e g", "a b c d e f"].map(str::to_owned).into();
    let mut detector = detector(&texts, &Settings::default(), false);
    assert_eq!(detector.likeness(0, 2).unwrap(), 1.0);
    assert!((detector.likeness(0, 1).unwrap() - 1.0 / 3.0).abs() < 1e-12);
}
