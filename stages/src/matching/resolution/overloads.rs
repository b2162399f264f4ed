//! Which of several declarations of a name a call means: by the number of its arguments, by their types, and
//! by who declares it.

use super::super::index::CallSite;
use super::arguments::{Argument, is_type_parameter};
use super::values::{MAX_RECEIVER, Scope};
use super::{Declaration, Found, Key, Resolution};
use compact_str::CompactString;

impl<'a> Resolution<'a> {
    /// The declarations that fit the call best; all of them where none fits.
    pub(super) fn chosen(&self, keys: Vec<Key>, scope: Scope, site: &CallSite<'a>) -> Found {
        if keys.len() < 2 {
            return Found::Some(keys);
        }
        if !self.rules.has_overloads {
            // One redefines another, or announces it (`@overload`): the first with a body of its own.
            let real = keys.iter().find(|key| self.declaration(**key).is_some_and(|it| !announces(it)));
            return Found::Some(vec![*real.unwrap_or(&keys[0])]);
        }
        let keys = self.callable_from(scope, keys);
        let fit = |key: &Key| self.declaration(*key).map_or(Fit::None, |it| fit(it, site.arguments));
        let best = keys.iter().map(fit).max().unwrap_or(Fit::None);
        // Where parameters may be left out, types say more than the number of arguments.
        let least = if self.rules.optional_parameters { best.min(Fit::Defaults) } else { best };
        let mut fitting: Vec<Key> = keys.into_iter().filter(|key| fit(key) >= least).collect();
        self.narrow_by_type_arguments(&mut fitting, scope, site);
        // What a class declares itself hides what it inherits with the same parameters.
        let mut seen: Vec<&[CompactString]> = Vec::new();
        fitting.retain(|key| {
            let types = self.declaration(*key).map_or(&[][..], |it| it.parameter_types.as_slice());
            let new = !seen.contains(&types);
            seen.push(types);
            new
        });
        if fitting.len() > 1 {
            self.narrow_by_types(&mut fitting, scope, site);
            let best = fitting.iter().map(fit).max();
            fitting.retain(|key| Some(fit(key)) == best);
        }
        Found::Some(fitting)
    }

    /// Those that can be called from a place; all of them where that is none.
    fn callable_from(&self, scope: Scope, keys: Vec<Key>) -> Vec<Key> {
        let name = |key: Key| self.declaration(key).map(|it| it.name.as_str());
        let here = self.type_around(scope).and_then(name);
        let is_hidden = |key: &Key| {
            key.file != scope.file
                && self.declaration(*key).is_some_and(|it| self.is_hidden(it))
                // Another part of the same type (`partial`) may call it.
                && (here.is_none() || self.owner_type(*key).and_then(name) != here)
        };
        if keys.iter().all(is_hidden) {
            keys
        } else {
            keys.into_iter().filter(|key| !is_hidden(key)).collect()
        }
    }

    /// `Read<Foo>()` means a declaration that has type parameters, as far as its signature shows them; `Read()`
    /// one without, where nothing else tells the two apart.
    fn narrow_by_type_arguments(&self, keys: &mut Vec<Key>, scope: Scope, site: &CallSite<'a>) {
        let Some(text) = self.text_of(scope, site) else { return };
        let after = text.get(site.receiver.len()..).and_then(|rest| rest.split_once(site.name));
        let told = after.is_some_and(|(_, rest)| rest.starts_with('<'));
        let fits = |key: &Key| self.declaration(*key).is_some_and(|it| is_generic(it) == told);
        if keys.iter().any(fits) && (told || self.same_parameters(keys)) {
            keys.retain(fits);
        }
    }

    fn same_parameters(&self, keys: &[Key]) -> bool {
        let types = |key: &Key| self.declaration(*key).map(|it| &it.parameter_types);
        keys.windows(2).all(|pair| matches!(pair, [a, b] if types(a) == types(b)))
    }

    fn text_of(&self, scope: Scope, site: &CallSite<'a>) -> Option<&'a str> {
        self.file(scope.file)?.text.get(site.start as usize..site.end as usize)
    }

    /// Keeps those whose parameters suit the arguments best, an extension method's first one the receiver.
    fn narrow_by_types(&self, keys: &mut Vec<Key>, scope: Scope, site: &CallSite<'a>) {
        let Some(text) = self.text_of(scope, site) else { return };
        let place = |part: &str| site.start + (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let arguments: Vec<Option<Argument>> = arguments(text, site.receiver.len())
            .into_iter()
            .map(|part| self.argument(scope, place(part), part))
            .collect();
        let receiver = text.get(..site.receiver.len()).unwrap_or_default();
        let receiver = self.argument(scope, site.start, receiver);
        let score = |key: &Key| -> Option<u32> {
            let types = &self.declaration(*key)?.parameter_types;
            let extends = types.first().is_some_and(|first| first.starts_with("this "));
            let of_receiver = extends.then_some(&receiver);
            let last = types.last().map_or("", |name| name.as_str());
            let mut sum = 0;
            for (at, argument) in of_receiver.into_iter().chain(&arguments).enumerate() {
                let (Some(own), Some(argument)) =
                    (types.get(at).map_or(Some(last), |own| Some(own)), argument)
                else {
                    continue;
                };
                let element =
                    own.trim_start_matches("params ").trim_end_matches("...").trim_end_matches("[]");
                let variadic = own.ends_with("...") || own.starts_with("params ");
                let whole = self.suits(own, argument);
                let fits = if variadic { whole.max(self.suits(element, argument)) } else { whole };
                sum += fits?;
            }
            Some(sum)
        };
        let best = keys.iter().filter_map(score).max();
        if best.is_some() {
            keys.retain(|key| score(key) == best);
        }
    }
}

/// Whether a signature names a type parameter.
fn is_generic(declaration: &Declaration) -> bool {
    let types = declaration.parameter_types.iter().chain([&declaration.return_type]);
    types.flat_map(|own| own.split(|c: char| !c.is_alphanumeric())).any(is_type_parameter)
}

/// How well a number of arguments fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    None,
    /// Parameters may be left out.
    Defaults,
    Variadic,
    Exact,
}

fn fit(declaration: &Declaration, arguments: u32) -> Fit {
    let own = declaration.parameter_types.len() as u32;
    let last = declaration.parameter_types.last().map_or("", |name| name.as_str());
    // An extension method is called on its first parameter.
    let extended = declaration.parameter_types.first().is_some_and(|first| first.starts_with("this "));
    let own = own - u32::from(extended);
    if own == arguments {
        Fit::Exact
    } else if (last.ends_with("...") || last.starts_with("params ")) && arguments + 1 >= own {
        Fit::Variadic
    } else if arguments < own {
        Fit::Defaults
    } else {
        Fit::None
    }
}

/// Whether a declaration only announces a signature to type checkers (`typing.overload`).
fn announces(declaration: &Declaration) -> bool {
    declaration.annotations.iter().any(|name| name == "overload" || name.ends_with(".overload"))
}

/// The arguments of a call, as written, behind a receiver of so many bytes.
fn arguments(call: &str, receiver: usize) -> Vec<&str> {
    if receiver >= MAX_RECEIVER {
        return Vec::new(); // It may have been cut.
    }
    let opening = call.get(receiver..).and_then(|rest| rest.find('(')).map(|at| receiver + at);
    let Some(mut start) = opening.map(|at| at + 1) else { return Vec::new() };
    let mut depth = 0_i32;
    let mut quote = None;
    let mut escaped = false;
    let mut found = Vec::new();
    for (at, byte) in call.bytes().enumerate().skip(start) {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            (None, b',') if depth == 0 => {
                found.push(call.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(call.get(start..call.len().saturating_sub(1)).unwrap_or_default().trim());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_told_apart() {
        let call = "a(f(1, 2)).b(\"x, (y\", g(3, 4), [5, 6])";
        assert_eq!(arguments(call, 10), ["\"x, (y\"", "g(3, 4)", "[5, 6]"]);
        assert_eq!(arguments("a", 0), [] as [&str; 0]);
    }
}
