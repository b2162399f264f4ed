//! `trefoil inspect`: rows of a finished run, for reading. Which rows stands here, how they look in a file for each data
//! set.

mod contest;
mod sheet;
mod unit_tests;

use crate::cli::{self, Colour};
use crate::engine::plan::{Plan, RunContext};
use crate::engine::{ExportPlan, SPLITS, dataset_folder};
use crate::process::Pager;
use crate::run_folder::RunFolder;
use anyhow::{Context, Result, bail};
use sheet::{Sheet, Style};
use std::collections::{BTreeSet, BinaryHeap};
use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write, stdout};
use std::process::ExitCode;
use trefoil_shards::read_table_while;
use trefoil_stages::export::Dataset;
use trefoil_stages::records::{ContestRow, Record, UnitTestsRow, identity};

/// Shows rows.
pub fn inspect(arguments: &cli::Inspect) -> Result<ExitCode> {
    let folder = RunFolder::existing(&arguments.run)?;
    if !folder.report().exists() {
        bail!("{} is not finished; run its config again", arguments.run.display());
    }
    let context = RunContext { plan: Plan::load(&folder.plan())?, folder };
    match context.plan.settings.export.dataset {
        Dataset::UnitTests => page_through::<UnitTestsRow>(arguments, &context),
        Dataset::Contest => page_through::<ContestRow>(arguments, &context),
    }
}

/// A row that can be shown.
trait Row: Record {
    /// The languages that rows may have: the name that Trefoil has for each of them, and that of the data set.
    fn languages() -> Vec<[&'static str; 2]>;
    /// The id by which a sample is drawn and the row is asked for.
    fn id(&self) -> &str;
    /// Another id that it goes by.
    fn other_id(&self) -> String;
    /// `host/owner/name`.
    fn repository(&self) -> &str;
    /// Name of its language in the data set.
    fn language(&self) -> &str;
    /// Writes the row, its place among those shown and its split.
    fn write(&self, place: (u64, &str), sheet: &mut Sheet<'_, '_>) -> fmt::Result;
}

fn page_through<R: Row>(arguments: &cli::Inspect, context: &RunContext) -> Result<ExitCode> {
    let wanted = Wanted::new::<R>(arguments)?;
    let terminal = stdout().is_terminal();
    let style = Style { colour: is_coloured(arguments.color, terminal), full: arguments.full };
    let mut output = Output::new(if terminal { Pager::start() } else { None });
    let shown = match arguments.sample {
        Some(count) => {
            let rows = sample::<R>(context, &wanted, count, arguments.seed)?;
            for row in &rows {
                output.write(row, style)?;
            }
            rows.len()
        }
        None => {
            let mut shown = 0;
            wanted.rows::<R>(context, |row| {
                shown += 1;
                Ok(output.write(&row, style)? && arguments.row.is_none())
            })?;
            shown
        }
    };
    output.finish()?;
    if shown == 0 {
        bail!("{}", wanted.nothing::<R>(context)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn is_coloured(wish: Colour, terminal: bool) -> bool {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    match wish {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            terminal && variable("NO_COLOR").is_none() && variable("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// A row and where it stands.
struct Found<R> {
    split: &'static str,
    row: R,
}

/// Which rows are asked for.
struct Wanted<'a> {
    arguments: &'a cli::Inspect,
    /// Name of the language in the data set.
    language: Option<&'static str>,
}

impl<'a> Wanted<'a> {
    fn new<R: Row>(arguments: &'a cli::Inspect) -> Result<Self> {
        let language = match &arguments.language {
            None => None,
            Some(name) => {
                let known = R::languages();
                let of = known.iter().find(|names| names.contains(&name.as_str())).map(|[_, own]| *own);
                Some(of.with_context(|| {
                    let names = known.iter().map(|[_, own]| *own).collect::<Vec<_>>().join(", ");
                    format!("`{name}` is no language of the data set; it has {names}")
                })?)
            }
        };
        Ok(Self { arguments, language })
    }

    fn meets<R: Row>(&self, row: &R) -> bool {
        let repository = self.arguments.repository.as_ref().is_none_or(|end| {
            let rest = row.repository().strip_suffix(end.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        });
        let id = self.arguments.row.as_ref();
        repository
            && self.language.is_none_or(|language| row.language() == language)
            && id.is_none_or(|id| *id == row.id() || *id == row.other_id())
    }

    /// Gives the rows to `visit` in the order of their files, until it wants no more.
    fn rows<R: Row>(
        &self,
        context: &RunContext,
        mut visit: impl FnMut(Found<R>) -> Result<bool>,
    ) -> Result<()> {
        let plan = ExportPlan::load(context)?;
        let dataset = dataset_folder(context);
        let cli::Inspect { by, split: asked, .. } = self.arguments;
        for split in SPLITS.into_iter().filter(|split| asked.as_ref().is_none_or(|asked| asked == split)) {
            let series = format!("{by}/{split}");
            for file in plan.groups.iter().filter_map(|group| group.files.get(&series)) {
                let mut outcome = Ok(true);
                read_table_while(&dataset.join(file), |row: R| {
                    if self.meets(&row) {
                        outcome = visit(Found { split, row });
                    }
                    outcome.as_ref().is_ok_and(|more| *more)
                })
                .context("the data set cannot be read; run its config again")?;
                if !outcome? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Why no row was shown, and what to ask instead.
    fn nothing<R: Row>(&self, context: &RunContext) -> Result<String> {
        let run = context.folder.root().display();
        if let Some(id) = &self.arguments.row {
            return Ok(format!(
                "no row `{id}` among those asked for in {run}; give the id of a row or of its pair (`meta.pair_id`); `trefoil explain` \
                 says what became of a test"
            ));
        }
        let mut there = BTreeSet::new();
        let all = cli::Inspect { repository: None, language: None, ..self.arguments.clone() };
        Wanted::new::<R>(&all)?.rows::<R>(context, |found| {
            there.insert(format!("{} ({})", found.row.repository(), found.row.language()));
            Ok(there.len() < 20)
        })?;
        let there = there.into_iter().collect::<Vec<_>>().join(", ");
        Ok(match there.as_str() {
            "" => format!("there is no such row in {run}; see `trefoil status {run}` for its splits"),
            there => format!("no row of {run} is of what was asked for; there are rows of {there}"),
        })
    }
}

/// The rows with the smallest seeded hashes, in the order of their files.
fn sample<R: Row>(
    context: &RunContext,
    wanted: &Wanted<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<Found<R>>> {
    let seed = seed.to_string();
    let mut drawn: BinaryHeap<Drawn<R>> = BinaryHeap::new();
    let mut place = 0;
    wanted.rows::<R>(context, |found| {
        place += 1;
        let hash = identity(&["inspect", &seed, found.row.id()]);
        drawn.push(Drawn { hash, place, found });
        if drawn.len() > count {
            drawn.pop();
        }
        Ok(true)
    })?;
    let mut drawn = drawn.into_vec();
    drawn.sort_by_key(|row| row.place);
    Ok(drawn.into_iter().map(|row| row.found).collect())
}

/// A row of a sample in the making; the largest hash is the first to go.
struct Drawn<R> {
    hash: String,
    place: u64,
    found: Found<R>,
}

impl<R> PartialEq for Drawn<R> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<R> Eq for Drawn<R> {}

impl<R> PartialOrd for Drawn<R> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<R> Ord for Drawn<R> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (&self.hash, self.place).cmp(&(&other.hash, other.place))
    }
}

/// The terminal, a pager on it, or a pipe.
struct Output {
    pager: Option<Pager>,
    number: u64,
}

impl Output {
    fn new(pager: Option<Pager>) -> Self {
        Self { pager, number: 0 }
    }

    /// Writes a row; false where nobody reads any more.
    fn write<R: Row>(&mut self, found: &Found<R>, style: Style) -> Result<bool> {
        self.number += 1;
        let place = (self.number, found.split);
        let row = fmt::from_fn(|out| found.row.write(place, &mut Sheet { out, style }));
        let page = format!("{row}\n");
        let written = match &mut self.pager {
            Some(pager) => pager.write(page.as_bytes()),
            None => stdout().lock().write_all(page.as_bytes()).and_then(|()| stdout().flush()),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
            written => written.map(|()| true).context("cannot write the rows"),
        }
    }

    fn finish(self) -> Result<()> {
        self.pager.map_or(Ok(()), Pager::finish).context("cannot wait for the pager")
    }
}
