//! The repositories of the stand-in.

use crate::date::iso;
use serde_json::{Value, json};

/// Whether a repository can be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It can.
    #[default]
    There,
    /// Deleted or made private: 404.
    Gone,
    /// Blocked by law: 451.
    Blocked,
    /// Found by searches, but gone when it is asked for by name.
    GoneWhenAsked,
    /// Git is given it only with a token.
    Private,
}

/// One repository.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    /// Number.
    pub id: u64,
    /// `owner/name`.
    pub full_name: String,
    /// Names that it had before.
    pub former_names: Vec<String>,
    /// Whether it can be seen.
    pub state: State,
    /// Languages with their bytes, largest first.
    pub languages: Vec<(String, u64)>,
    /// SPDX id; empty for none.
    pub licence: String,
    /// Stars.
    pub stars: u64,
    /// Forks of it.
    pub forks: u64,
    /// What it was forked from.
    pub parent: Option<String>,
    /// Archived.
    pub archived: bool,
    /// Creation, in seconds since 1970.
    pub created: u64,
    /// Last push.
    pub pushed: u64,
    /// KiB on the server's disks.
    pub kilobytes: u64,
    /// Default branch.
    pub default_branch: String,
    /// Its newest commit; none in an empty repository.
    pub commit: Option<String>,
}

/// A generator of numbers that look random (xorshift, Marsaglia 2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 up to below 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn pick<'a>(&mut self, among: &[(&'a str, f64)]) -> &'a str {
        let mut share = self.share() * among.iter().map(|(_, weight)| weight).sum::<f64>();
        for (name, weight) in among {
            share -= weight;
            if share < 0.0 {
                return name;
            }
        }
        among[0].0
    }
}

const LANGUAGES: [(&str, f64); 6] = [
    ("Java", 0.25),
    ("Python", 0.35),
    ("JavaScript", 0.2),
    ("Go", 0.1),
    ("C#", 0.08),
    ("Jupyter Notebook", 0.02),
];
const LICENCES: [(&str, f64); 6] = [
    ("MIT", 0.4),
    ("Apache-2.0", 0.25),
    ("", 0.15),
    ("GPL-3.0", 0.1),
    ("BSD-3-Clause", 0.05),
    ("NOASSERTION", 0.05),
];

/// 2008 and 2026, between which repositories are created, more and more of them.
const YEARS: (u64, u64) = (1_199_145_600, 1_767_225_600);

/// So many repositories: stars by a power law from 10 on, dates that grow denser, fewer at weekends.
pub fn population(number: usize, seed: u64) -> Vec<Repository> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..number).map(|index| repository(index as u64, &mut random)).collect()
}

fn repository(index: u64, random: &mut Random) -> Repository {
    let id = 1_000 + index * 37;
    let language = random.pick(&LANGUAGES);
    let kilobytes = (20.0 * (1.0 - random.share()).powf(-0.9)) as u64;
    let created = loop {
        let created = YEARS.0 + (random.share().powf(0.6) * (YEARS.1 - YEARS.0) as f64) as u64;
        if created / 86_400 % 7 > 1 || random.share() < 0.6 {
            break created;
        }
    };
    let is_fork = random.share() < 0.05;
    Repository {
        id,
        full_name: format!("owner{}/repository-{index}", random.next() % 5_000),
        languages: vec![(language.to_owned(), kilobytes * 700), ("Shell".to_owned(), kilobytes)],
        licence: random.pick(&LICENCES).to_owned(),
        stars: (10.0 * (1.0 - random.share()).powf(-0.9)).min(400_000.0) as u64,
        forks: random.next() % 50,
        parent: is_fork.then(|| format!("upstream/repository-{index}")),
        archived: random.share() < 0.08,
        created,
        pushed: created + (random.share() * (YEARS.1 - created) as f64) as u64,
        kilobytes,
        default_branch: if random.share() < 0.6 { "main" } else { "master" }.to_owned(),
        commit: Some(format!("{:016x}{:016x}{:08x}", random.next(), random.next(), index)),
        ..Repository::default()
    }
}

impl Repository {
    pub(crate) fn language(&self) -> &str {
        self.languages.first().map_or("", |(name, _)| name)
    }

    /// As REST shows it. Searches leave out what it was forked from.
    pub(crate) fn rest(&self, alone: bool) -> Value {
        let licence = match self.licence.as_str() {
            "" => Value::Null,
            id => json!({"key": id.to_lowercase(), "spdx_id": id, "name": id}),
        };
        let owner = self.full_name.split('/').next();
        let mut value = json!({
            "id": self.id, "full_name": self.full_name, "owner": {"login": owner}, "private": false,
            "fork": self.parent.is_some(), "archived": self.archived, "license": licence,
            "stargazers_count": self.stars, "forks_count": self.forks, "size": self.kilobytes,
            "language": self.language(), "default_branch": self.default_branch,
            "created_at": iso(self.created), "pushed_at": iso(self.pushed), "updated_at": iso(self.pushed),
        });
        if alone {
            value["parent"] = match &self.parent {
                Some(parent) => json!({"full_name": parent}),
                None => Value::Null,
            };
        }
        value
    }

    /// As GraphQL shows it: every field that it knows; a query chooses among them.
    pub(crate) fn graphql(&self) -> Value {
        let or_null = |there: bool, value: Value| if there { value } else { Value::Null };
        let edges: Vec<Value> =
            self.languages.iter().map(|(name, size)| json!({"size": size, "node": {"name": name}})).collect();
        let branch = json!({"name": self.default_branch, "target": {"oid": self.commit}});
        json!({
            "databaseId": self.id, "nameWithOwner": self.full_name, "isFork": self.parent.is_some(),
            "isArchived": self.archived, "isEmpty": self.commit.is_none(), "stargazerCount": self.stars,
            "forkCount": self.forks, "createdAt": iso(self.created), "pushedAt": iso(self.pushed),
            "updatedAt": iso(self.pushed), "diskUsage": self.kilobytes,
            "licenseInfo": or_null(!self.licence.is_empty(), json!({"spdxId": self.licence})),
            "parent": or_null(self.parent.is_some(), json!({"nameWithOwner": self.parent})),
            "primaryLanguage": or_null(!self.languages.is_empty(), json!({"name": self.language()})),
            "languages": {"edges": edges},
            "defaultBranchRef": or_null(self.commit.is_some(), branch),
        })
    }
}
