//! `trefoil report`: one page of HTML about a finished run. It needs nothing beside itself: numbers and rows stand
//! in it as JSON, and its script puts texts of repositories in as text, never as markup.

mod numbers;
mod row;
mod sample;

use super::audit::look;
use super::data_set::DataSet;
use super::export::report as report_of;
use crate::cli;
use crate::engine::plan::{Plan, RunContext};
use crate::run_folder::RunFolder;
use anyhow::Result;
use numbers::Numbers;
use row::PageRow;
use sample::Sample;
use serde_json::{Value, json};
use std::process::ExitCode;
use trefoil_shards::write_bytes;
use trefoil_stages::export::Dataset;
use trefoil_stages::records::{ContestRow, UnitTestsRow};

const PAGE: &str = include_str!("page.html");
/// Stands in the page where the JSON goes.
const DATA: &str = "\"DATA\"";

/// Writes the page.
pub fn report(arguments: &cli::ReportPage) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    let report = report_of(&folder)?;
    let data = DataSet::open(&folder, &arguments.by, false)?;
    let audit = look(&folder, (&arguments.by, false), &Default::default(), &[])?;
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    let (mut numbers, rows) = match data.kind() {
        Dataset::UnitTests => look_at::<UnitTestsRow>(&data, arguments.rows, &context),
        Dataset::Contest => look_at::<ContestRow>(&data, arguments.rows, &context),
    }?;
    numbers.add_clusters(&context)?;
    let name = context.folder.root().file_name().unwrap_or_default().to_string_lossy();
    let data = json!({
        "name": name,
        "by": arguments.by,
        "steps": report.steps(),
        "splits": audit.rows,
        "languages": report.languages,
        "repositories": report.repositories.iter().map(|(key, one)| (key, one.pairs)).collect::<Vec<_>>(),
        "failed": report.failed_repositories,
        "numbers": numbers,
        "leaks": audit.counts,
        "rows": rows,
    });
    // Inside a script no `<` may stand that could end it.
    let text = serde_json::to_string(&data)?.replace('<', "\\u003c");
    write_bytes(&arguments.output, PAGE.replacen(DATA, &text, 1).as_bytes())?;
    println!("report: {}", arguments.output.display());
    Ok(ExitCode::SUCCESS)
}

/// What the page counts over all rows, and those of its browser.
fn look_at<R: PageRow>(data: &DataSet, wanted: usize, context: &RunContext) -> Result<(Numbers, Vec<Value>)> {
    let mut numbers = Numbers::default();
    let mut sample = Sample::<R>::new(wanted);
    data.visit(R::id, |split, row| {
        numbers.add(&row);
        sample.add(split, row);
        Ok(())
    })?;
    Ok((numbers, sample.rows(context)?))
}
