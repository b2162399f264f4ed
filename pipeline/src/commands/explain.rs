//! `trefoil explain`: every rule's answer for a test, and what became of it.

use crate::cli;
use crate::engine::plan::{Plan, RunContext};
use crate::run_folder::RunFolder;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::process::ExitCode;
use trefoil_shards::read_table;
use trefoil_stages::records::{Assignment, DedupDecision, Dropped, Pair, Vote};

/// What a test is asked for by.
enum Question<'a> {
    Id(&'a str),
    Name { path: &'a str, name: &'a str },
}

impl Question<'_> {
    fn meets(&self, ids: [&str; 2], path: &str, name: &str) -> bool {
        match self {
            Self::Id(id) => ids.contains(id),
            Self::Name { path: end, name: last } => {
                let within = |whole: &str, end: &str, border: &[char]| {
                    whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(border))
                };
                within(path, end, &['/']) && within(name, last, &['.'])
            }
        }
    }
}

/// What is known of one test.
#[derive(Default)]
struct Story {
    title: String,
    lines: Vec<String>,
    pairs: Vec<String>,
}

/// Explains a test.
pub fn explain(arguments: &cli::Explain) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    let question = match arguments.test.split_once("::") {
        Some((path, name)) => Question::Name { path, name },
        None => Question::Id(&arguments.test),
    };
    let mut stories: BTreeMap<String, Story> = BTreeMap::new();
    for shard in 0..context.plan.shards {
        collect(&context, shard, &question, &mut stories)?;
    }
    if stories.is_empty() {
        bail!(
            "no test `{}` in {}; give an id, or `path::name` such as `FooTest.java::testBar`",
            arguments.test,
            arguments.run.display()
        );
    }
    add_decisions(&context, &mut stories)?;
    for story in stories.values() {
        println!("{}", story.title);
        story.lines.iter().for_each(|line| println!("  {line}"));
    }
    Ok(ExitCode::SUCCESS)
}

fn collect(
    context: &RunContext,
    shard: u32,
    question: &Question<'_>,
    stories: &mut BTreeMap<String, Story>,
) -> Result<()> {
    let table =
        |stage: &str, table: &str| context.folder.shard(stage, shard).join(format!("{table}.parquet"));
    // A pair's id leads to its test.
    let mut pairs: Vec<Pair> = Vec::new();
    read_table(&table("matching", "pairs"), |pair: Pair| {
        if question.meets([&pair.id, &pair.test_id], &pair.path, &pair.test_name) {
            pairs.push(pair);
        }
    })?;
    let asked = |id: &str| pairs.iter().any(|pair| pair.test_id == id);
    read_table(&table("matching", "votes"), |vote: Vote| {
        if question.meets([&vote.test_id, ""], &vote.path, &vote.test_name) || asked(&vote.test_id) {
            let story = stories.entry(vote.test_id.clone()).or_default();
            story.title = format!(
                "{}/{} at {}\n{}:{} {} (id {})",
                vote.host,
                vote.repository,
                vote.commit,
                vote.path,
                vote.first_line,
                vote.test_name,
                vote.test_id
            );
            let target = match vote.focal_line {
                0 if vote.focal_path.is_empty() => String::new(),
                0 => format!(" {}", vote.focal_path),
                line => format!(" {}:{line} {}", vote.focal_path, vote.focal_name),
            };
            let rule = format!("{} / {}", vote.mode, vote.rule);
            story.lines.push(format!("{rule:<40} {}{target}  [{}]", vote.answer, vote.detail));
        }
    })?;
    for pair in pairs {
        let story = stories.entry(pair.test_id.clone()).or_default();
        story.lines.push(format!(
            "matched by {} / {}{} to {}:{} {} (pair {})",
            pair.mode,
            pair.rule,
            pair.confidence.map_or_else(String::new, |confidence| format!(" with confidence {confidence}")),
            pair.focal_path,
            pair.focal_first_line,
            pair.focal_name,
            pair.id
        ));
        story.pairs.push(pair.id);
    }
    for stage in ["matching", "filtering"] {
        read_table(&table(stage, "dropped"), |row: Dropped| {
            let of_pair = |story: &&mut Story| story.pairs.contains(&row.id);
            let known = stories.contains_key(&row.id);
            let story = if known { stories.get_mut(&row.id) } else { stories.values_mut().find(of_pair) };
            if let Some(story) = story {
                story.lines.push(format!("dropped by {stage}: {} [{}]", row.reason, row.detail));
            }
        })?;
    }
    Ok(())
}

fn add_decisions(context: &RunContext, stories: &mut BTreeMap<String, Story>) -> Result<()> {
    let table = |stage: &str, table: &str| context.folder.shard(stage, 0).join(format!("{table}.parquet"));
    let mut lines: Vec<(String, String)> = Vec::new();
    let asked = |id: &str| stories.values().any(|story| story.pairs.iter().any(|pair| pair == id));
    read_table(&table("dedup", "decisions"), |row: DedupDecision| {
        if asked(&row.id) && row.representative != row.id {
            lines.push((row.id, format!("dropped by dedup: duplicate of pair {}", row.representative)));
        }
    })?;
    read_table(&table("splitting", "assignments"), |row: Assignment| {
        if asked(&row.id) {
            let line =
                format!("split: {} by project (with {}), {} at random", row.project, row.cluster, row.random);
            lines.push((row.id, line));
        }
    })?;
    for (id, line) in lines {
        for story in stories.values_mut().filter(|story| story.pairs.contains(&id)) {
            story.lines.push(line.clone());
        }
    }
    Ok(())
}
