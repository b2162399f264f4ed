//! The GraphQL interface: any query over the few fields that the stand-in has. What it does not know is an
//! error, as with GitHub.

use crate::population::{Repository, State};
use crate::search::{MOST_RESULTS, search};
use graphql_parser::query::{
    Definition, Document, Field, FragmentDefinition, OperationDefinition, Selection, SelectionSet,
    Value as Literal, parse_query,
};
use serde_json::{Map, Value, json};

/// A query's answer and what it costs.
pub(crate) struct Answered {
    pub(crate) body: Value,
    pub(crate) points: u64,
}

/// Answers a request's body.
pub(crate) fn answer(body: &[u8], population: &[Repository]) -> Answered {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = body["query"].as_str().unwrap_or_default();
    let outcome = match parse_query::<&str>(text) {
        Ok(document) => Execution::new(&document, &body["variables"], population).and_then(Execution::run),
        Err(error) => Err(error.to_string()),
    };
    outcome.unwrap_or_else(|message| Answered {
        body: json!({"errors": [{"message": message, "type": "INVALID"}]}),
        points: 1,
    })
}

struct Execution<'a> {
    selections: &'a SelectionSet<'a, &'a str>,
    fragments: Vec<&'a FragmentDefinition<'a, &'a str>>,
    variables: &'a Value,
    population: &'a [Repository],
    errors: Vec<Value>,
    /// What GitHub's servers would ask of each other; a hundred of these cost a point.
    requests: u64,
}

impl<'a> Execution<'a> {
    fn new(
        document: &'a Document<'a, &'a str>,
        variables: &'a Value,
        population: &'a [Repository],
    ) -> Result<Self, String> {
        let mut selections = None;
        let mut fragments = Vec::new();
        for definition in &document.definitions {
            match definition {
                Definition::Operation(OperationDefinition::Query(query)) => {
                    for declared in &query.variable_definitions {
                        let missing = variables.get(declared.name).is_none_or(Value::is_null);
                        if missing && declared.var_type.to_string().ends_with('!') {
                            return Err(format!("variable ${} was not given", declared.name));
                        }
                    }
                    selections = Some(&query.selection_set);
                }
                Definition::Operation(OperationDefinition::SelectionSet(set)) => selections = Some(set),
                Definition::Operation(_) => return Err("nothing can be changed here".to_owned()),
                Definition::Fragment(fragment) => fragments.push(fragment),
            }
        }
        let selections = selections.ok_or("a query is missing")?;
        Ok(Self { selections, fragments, variables, population, errors: Vec::new(), requests: 0 })
    }

    fn run(mut self) -> Result<Answered, String> {
        let mut data = Map::new();
        for field in self.fields(self.selections)? {
            let whole = match field.name {
                "search" => self.search(field)?,
                "repository" => self.repository(field)?,
                "rateLimit" => json!({"cost": 1, "limit": 5_000}),
                other => return Err(format!("Field '{other}' doesn't exist on type 'Query'")),
            };
            let key = field.alias.unwrap_or(field.name);
            data.insert(key.to_owned(), self.select(&whole, &field.selection_set)?);
        }
        let mut body = json!({"data": data});
        if !self.errors.is_empty() {
            body["errors"] = Value::Array(self.errors);
        }
        Ok(Answered { body, points: ((self.requests + 50) / 100).max(1) })
    }

    fn fields(&self, set: &'a SelectionSet<'a, &'a str>) -> Result<Vec<&'a Field<'a, &'a str>>, String> {
        let mut fields = Vec::new();
        for selection in &set.items {
            match selection {
                Selection::Field(field) => fields.push(field),
                Selection::InlineFragment(inline) => fields.extend(self.fields(&inline.selection_set)?),
                Selection::FragmentSpread(spread) => {
                    let name = spread.fragment_name;
                    let fragment = self.fragments.iter().find(|fragment| fragment.name == name);
                    let fragment = fragment.ok_or_else(|| format!("Fragment {name} was not defined"))?;
                    fields.extend(self.fields(&fragment.selection_set)?);
                }
            }
        }
        Ok(fields)
    }

    fn argument(&self, field: &Field<'a, &'a str>, name: &str) -> Option<Value> {
        match &field.arguments.iter().find(|(known, _)| *known == name)?.1 {
            Literal::Variable(variable) => self.variables.get(*variable).cloned(),
            Literal::Int(number) => number.as_i64().map(Value::from),
            Literal::String(text) => Some(Value::from(text.clone())),
            Literal::Enum(name) => Some(Value::from(*name)),
            _ => None,
        }
    }

    fn search(&mut self, field: &Field<'a, &'a str>) -> Result<Value, String> {
        if self.argument(field, "type") != Some(json!("REPOSITORY")) {
            return Err("only repositories can be searched for".to_owned());
        }
        let words = self.argument(field, "query").unwrap_or_default();
        let first = self.argument(field, "first").and_then(|first| first.as_u64()).unwrap_or(0) as usize;
        if !(1..=100).contains(&first) {
            return Err("`first` must be from 1 to 100".to_owned());
        }
        let places = search(words.as_str().unwrap_or_default(), self.population)?;
        let after = self.argument(field, "after").unwrap_or_default();
        let from = match after.as_str() {
            Some(cursor) => {
                cursor.strip_prefix("cursor:").and_then(|at| at.parse().ok()).ok_or("bad cursor")?
            }
            None => 0,
        };
        let shown = places.len().min(MOST_RESULTS);
        let (from, to) = (from.min(shown), (from + first).min(shown));
        self.requests += 1 + first as u64;
        let nodes: Vec<Value> =
            places[from..to].iter().map(|&place| self.population[place].graphql()).collect();
        Ok(json!({
            "repositoryCount": places.len(), "nodes": nodes,
            "pageInfo": {"hasNextPage": to < shown, "endCursor": format!("cursor:{to}")},
        }))
    }

    fn repository(&mut self, field: &Field<'a, &'a str>) -> Result<Value, String> {
        let argument = |name: &str| {
            let value = self.argument(field, name).unwrap_or_default();
            value.as_str().map(str::to_owned).ok_or_else(|| format!("`{name}` is missing"))
        };
        let name = format!("{}/{}", argument("owner")?, argument("name")?);
        self.requests += 2;
        let is_named = |repository: &&Repository| {
            let mut names = repository.former_names.iter().chain([&repository.full_name]);
            names.any(|known| known.eq_ignore_ascii_case(&name))
        };
        match self
            .population
            .iter()
            .find(is_named)
            .filter(|found| matches!(found.state, State::There | State::Private))
        {
            Some(repository) => Ok(repository.graphql()),
            None => {
                let message = format!("Could not resolve to a Repository with the name '{name}'.");
                self.errors.push(json!({"type": "NOT_FOUND", "path": [field.alias], "message": message}));
                Ok(Value::Null)
            }
        }
    }

    /// The part of a value that is asked for.
    fn select(&self, value: &Value, set: &'a SelectionSet<'a, &'a str>) -> Result<Value, String> {
        match value {
            Value::Array(values) => values.iter().map(|value| self.select(value, set)).collect(),
            Value::Object(all) => {
                let fields = self.fields(set)?;
                if fields.is_empty() {
                    return Err("a field with fields of its own must name some".to_owned());
                }
                let mut chosen = Map::new();
                for field in fields {
                    let value =
                        all.get(field.name).ok_or_else(|| format!("Field '{}' doesn't exist", field.name))?;
                    let key = field.alias.unwrap_or(field.name);
                    chosen.insert(key.to_owned(), self.select(value, &field.selection_set)?);
                }
                Ok(Value::Object(chosen))
            }
            plain => Ok(plain.clone()),
        }
    }
}
