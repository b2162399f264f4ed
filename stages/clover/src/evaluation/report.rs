//! Grades added up. Answers that could not be judged are counted apart and in no rate; questions without an answer count
//! against the model.

use super::grading::{Grade, INFRASTRUCTURE, MISSING, SUCCESS};
use crate::settings::PROBLEM_ONLY;
use crate::tasks::Task;
use crate::trivial::Rules;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use trefoil_scores::{ContextUtilisation, Rate};

/// What a model reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Rules of grading: `corrected` or `published`.
    pub rules: &'static str,
    /// One line for each task, template and setting that has an answer.
    pub lines: Vec<Line>,
    /// What context adds, for each task and template.
    pub context: Vec<Context>,
}

/// The answers of one task under one template and setting.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// Task.
    pub task: String,
    /// Template.
    pub template: String,
    /// Setting.
    pub setting: String,
    /// Rows of the data set.
    pub rows: u64,
    /// Rows without an answer; they count as failures.
    pub missing: u64,
    /// Rows whose answer could not be judged; they count neither way.
    pub infrastructure: u64,
    /// Answers that were judged, the missing ones among them.
    pub judged: u64,
    /// Share of exact matches (Task I).
    pub exact: Option<f64>,
    /// Execution rate (ER).
    pub executed: Option<f64>,
    /// RER (Task I) or success rate.
    pub success: Option<f64>,
    /// Judged answers by what became of them.
    pub kinds: BTreeMap<String, u64>,
    /// Success by repository: met and judged.
    pub repositories: BTreeMap<String, (u64, u64)>,
}

/// What context adds to the success rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Context {
    /// Task.
    pub task: String,
    /// Template.
    pub template: String,
    /// Best share over the budgets minus that of problem-only.
    pub max: f64,
    /// Worst share over the budgets minus that of problem-only.
    pub min: f64,
}

impl Report {
    /// Adds up the grades of all rows of a data set. Settings to which nobody answered are left out.
    pub fn new(grades: &[Grade], rules: Rules) -> Self {
        let mut groups: BTreeMap<_, Vec<&Grade>> = BTreeMap::new();
        for grade in grades {
            let key = (&grade.task, &grade.template, by_size(&grade.setting));
            groups.entry(key).or_default().push(grade);
        }
        groups.retain(|_, grades| grades.iter().any(|grade| grade.kind != MISSING));
        let lines: Vec<Line> = groups.values().map(|grades| Line::new(grades)).collect();
        let rules = match rules {
            Rules::Corrected => "corrected",
            Rules::Published => "published",
        };
        Self { rules, context: context(&lines), lines }
    }

    /// The tables for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "grading by the {} rules\n\n{:<5}{:<10}{:<14}{:>6}{:>8}{:>7}{:>8}{:>8}{:>8}{:>9}\n",
            self.rules,
            "task",
            "template",
            "setting",
            "rows",
            "missing",
            "infra",
            "judged",
            "EM",
            "ER",
            "success"
        );
        for line in &self.lines {
            let share =
                |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
            let _ = writeln!(
                text,
                "{:<5}{:<10}{:<14}{:>6}{:>8}{:>7}{:>8}{:>8}{:>8}{:>9}",
                line.task,
                line.template,
                line.setting,
                line.rows,
                line.missing,
                line.infrastructure,
                line.judged,
                share(line.exact),
                share(line.executed),
                share(line.success)
            );
        }
        text += "\nEM exact match, ER execution rate; success is RER in Task I, the success rate in Tasks II and III.\n";
        for Context { task, template, max, min } in &self.context {
            let _ = writeln!(
                text,
                "context utilisation of task {task}, {template}: max {:+.1}, min {:+.1} points",
                100.0 * max,
                100.0 * min
            );
        }
        for line in &self.lines {
            let kinds: Vec<String> =
                line.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let _ = writeln!(text, "{} {} {}: {}", line.task, line.template, line.setting, kinds.join(", "));
        }
        text
    }
}

/// Problem-only first, then budgets by size.
fn by_size(setting: &str) -> (u32, &str) {
    let budget = setting.strip_suffix('k').and_then(|number| number.parse().ok());
    (if setting == PROBLEM_ONLY { 0 } else { budget.unwrap_or(u32::MAX) }, setting)
}

impl Line {
    fn new(grades: &[&Grade]) -> Self {
        let mut line = Self::default();
        let (mut exact, mut executed, mut success) = (Rate::default(), Rate::default(), Rate::default());
        for grade in grades {
            line.rows += 1;
            line.missing += u64::from(grade.kind == MISSING);
            *line.kinds.entry(grade.kind.clone()).or_default() += 1;
            if grade.kind == INFRASTRUCTURE {
                line.infrastructure += 1;
                continue;
            }
            exact.add(grade.exact);
            executed.add(grade.executed);
            success.add(grade.success);
            let repository = line.repositories.entry(grade.repository.clone()).or_default();
            repository.0 += u64::from(grade.kind == SUCCESS);
            repository.1 += 1;
        }
        if let Some(first) = grades.first() {
            line.task.clone_from(&first.task);
            line.template.clone_from(&first.template);
            line.setting.clone_from(&first.setting);
        }
        line.judged = success.judged;
        line.exact = exact.share().filter(|_| line.task == Task::Cloze.as_str());
        (line.executed, line.success) = (executed.share(), success.share());
        line
    }
}

fn context(lines: &[Line]) -> Vec<Context> {
    let without = lines.iter().filter(|line| line.setting == PROBLEM_ONLY);
    let of = |line: &Line| {
        let same = lines.iter().filter(|other| other.task == line.task && other.template == line.template);
        let with: Vec<f64> =
            same.filter(|other| other.setting != PROBLEM_ONLY).filter_map(|other| other.success).collect();
        let ContextUtilisation { max, min } = ContextUtilisation::new(line.success?, &with)?;
        Some(Context { task: line.task.clone(), template: line.template.clone(), max, min })
    };
    without.filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(setting: &str, kind: &str, executed: bool) -> Grade {
        Grade {
            id: String::new(),
            example: String::new(),
            task: "I".into(),
            setting: setting.into(),
            template: "statement".into(),
            repository: "local/shop".into(),
            exact: false,
            executed,
            success: kind == SUCCESS,
            kind: kind.into(),
            detail: String::new(),
            run: String::new(),
        }
    }

    #[test]
    fn failures_of_the_infrastructure_are_in_no_rate_and_missing_answers_are() {
        let grades = [
            grade("4k", SUCCESS, true),
            grade("4k", "copied", true),
            grade("4k", MISSING, false),
            grade("4k", INFRASTRUCTURE, false),
            grade("8k", MISSING, false),
        ];
        let report = Report::new(&grades, Rules::Corrected);
        assert_eq!(report.lines.len(), 1);
        let line = &report.lines[0];
        assert_eq!((line.rows, line.missing, line.infrastructure, line.judged), (4, 1, 1, 3));
        assert_eq!((line.success, line.executed), (Some(1.0 / 3.0), Some(2.0 / 3.0)));
        assert_eq!(line.repositories["local/shop"], (1, 3));
        assert_eq!(line.kinds["infrastructure"], 1);
    }

    #[test]
    fn context_is_held_against_problem_only_and_budgets_go_by_size() {
        let grades = [
            grade("16k", "failed", false),
            grade(PROBLEM_ONLY, SUCCESS, true),
            grade(PROBLEM_ONLY, "failed", false),
            grade("4k", SUCCESS, true),
        ];
        let report = Report::new(&grades, Rules::Corrected);
        let settings: Vec<&str> = report.lines.iter().map(|line| line.setting.as_str()).collect();
        assert_eq!(settings, [PROBLEM_ONLY, "4k", "16k"]);
        assert_eq!((report.context[0].max, report.context[0].min), (0.5, -0.5));
        assert!(report.text().contains("max +50.0, min -50.0 points"), "{}", report.text());
    }
}
