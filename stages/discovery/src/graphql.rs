//! GitHub's GraphQL interface: queries, and their answers read. The names in them stand in GitHub's public
//! schema.

use crate::api::{Method, Request, Resource};
use crate::question::{Answer, Looked, Page, Question};
use crate::repository::{Absence, Repository};
use serde_json::{Value, json};

/// Counts in one request. Each is a search of its own to GitHub, which gives a request ten seconds.
pub(crate) const COUNTS_AT_ONCE: usize = 20;

/// Names in one request, which together cost one point.
pub(crate) const NAMES_AT_ONCE: usize = 50;

const FIELDS: &str = "fragment Fields on Repository { databaseId nameWithOwner isFork isArchived isEmpty \
    stargazerCount forkCount createdAt pushedAt updatedAt diskUsage licenseInfo { spdxId } \
    parent { nameWithOwner } primaryLanguage { name } \
    languages(first: 10, orderBy: {field: SIZE, direction: DESC}) { edges { size node { name } } } \
    defaultBranchRef { name target { oid } } }";

/// The request for a question.
pub(crate) fn request(question: &Question) -> Request {
    let (query, variables, words) = match question {
        Question::Page { words, after, size } => {
            let query = format!(
                "query($words: String!, $after: String, $size: Int!) {{ \
                 search(type: REPOSITORY, query: $words, first: $size, after: $after) {{ repositoryCount \
                 pageInfo {{ hasNextPage endCursor }} nodes {{ ...Fields }} }} }} {FIELDS}"
            );
            let sorted = format!("{words} sort:stars-desc");
            (query, json!({"words": sorted, "after": after, "size": size}), format!("the search `{words}`"))
        }
        Question::Counts(all) => {
            let one = |number: usize| {
                format!(
                    "c{number}: search(type: REPOSITORY, query: $c{number}, first: 1) {{ repositoryCount }}"
                )
            };
            let query = aliased("c", all.len(), &one);
            (query, variables("c", all.iter().map(|words| json!(words))), "counts".to_owned())
        }
        Question::Named(names) => {
            let one = |number: usize| {
                format!("r{number}: repository(owner: $o{number}, name: $n{number}) {{ ...Fields }}")
            };
            let parts = names.iter().map(|name| name.split_once('/').unwrap_or((name, "")));
            let (owners, repositories): (Vec<&str>, Vec<&str>) = parts.unzip();
            let declared = declare("o", names.len()) + &declare("n", names.len());
            let fields: String = (0..names.len()).map(|number| one(number) + " ").collect();
            let mut all = variables("o", owners.into_iter().map(|owner| json!(owner)));
            if let (Some(all), Value::Object(more)) =
                (all.as_object_mut(), variables("n", repositories.into_iter().map(|name| json!(name))))
            {
                all.extend(more);
            }
            (format!("query({declared}) {{ {fields}}} {FIELDS}"), all, "repositories by name".to_owned())
        }
    };
    Request {
        method: Method::Post(json!({"query": query, "variables": variables})),
        path: "/graphql".to_owned(),
        resource: Resource::Graphql,
        etag: None,
        can_be_smaller: question.can_be_smaller(),
        question: words,
    }
}

fn declare(letter: &str, count: usize) -> String {
    (0..count).map(|number| format!("${letter}{number}: String! ")).collect()
}

fn aliased(letter: &str, count: usize, one: &dyn Fn(usize) -> String) -> String {
    let fields: String = (0..count).map(|number| one(number) + " ").collect();
    format!("query({}) {{ {fields}}}", declare(letter, count))
}

fn variables(letter: &str, values: impl Iterator<Item = Value>) -> Value {
    values.enumerate().map(|(number, value)| (format!("{letter}{number}"), value)).collect()
}

/// Reads the answer to a question; none where it has another form.
pub(crate) fn answer(question: &Question, body: &Value) -> Option<Answer> {
    let data = body.get("data")?;
    Some(match question {
        Question::Counts(all) => {
            let count = |number| data.get(format!("c{number}"))?.get("repositoryCount")?.as_u64();
            Answer::Counts((0..all.len()).map(count).collect::<Option<_>>()?)
        }
        Question::Page { .. } => Answer::Page(page(data.get("search")?)?),
        Question::Named(names) => {
            let looked = (0..names.len()).map(|number| match data.get(format!("r{number}"))? {
                Value::Null => Some(Looked::Absent(Absence::RepositoryGone, String::new())),
                node => Some(Looked::Found(Box::new(repository(node)?))),
            });
            Answer::Named(looked.collect::<Option<_>>()?)
        }
    })
}

fn page(search: &Value) -> Option<Page> {
    let info = search.get("pageInfo")?;
    let more = info.get("hasNextPage")?.as_bool()?;
    let nodes = search.get("nodes")?.as_array()?;
    // A node is null where its repository went away while the search was answered.
    let there = nodes.iter().filter(|node| !node.is_null());
    Some(Page {
        total: search.get("repositoryCount")?.as_u64()?,
        incomplete: false,
        next: if more { Some(info.get("endCursor")?.as_str()?.to_owned()) } else { None },
        repositories: there.map(repository).collect::<Option<_>>()?,
    })
}

fn repository(node: &Value) -> Option<Repository> {
    let text = |path: &[&str]| {
        let value = path.iter().try_fold(node, |value, name| value.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let number = |name: &str| node.get(name).and_then(Value::as_u64).unwrap_or_default();
    let truth = |name: &str| node.get(name).and_then(Value::as_bool).unwrap_or_default();
    let edges = node.get("languages").and_then(|languages| languages.get("edges")?.as_array());
    let language = |edge: &Value| {
        Some((edge.get("node")?.get("name")?.as_str()?.to_owned(), edge.get("size")?.as_u64()?))
    };
    Some(Repository {
        id: node.get("databaseId")?.as_u64()?,
        full_name: node.get("nameWithOwner")?.as_str()?.to_owned(),
        default_branch: text(&["defaultBranchRef", "name"]),
        commit: text(&["defaultBranchRef", "target", "oid"]),
        is_empty: truth("isEmpty"),
        licence: text(&["licenseInfo", "spdxId"]),
        stars: number("stargazerCount"),
        forks: number("forkCount"),
        is_fork: truth("isFork"),
        parent: text(&["parent", "nameWithOwner"]),
        is_archived: truth("isArchived"),
        created: text(&["createdAt"]),
        pushed: text(&["pushedAt"]),
        updated: text(&["updatedAt"]),
        kilobytes: number("diskUsage"),
        language: text(&["primaryLanguage", "name"]),
        languages: edges.into_iter().flatten().filter_map(language).collect(),
    })
}
