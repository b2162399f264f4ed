//! Which of several declarations of a name a call means: by the number of its arguments, by literals among
//! them, and by who declares it.

use super::super::index::CallSite;
use super::values::{MAX_RECEIVER, Scope};
use super::{Declaration, Found, Key, Resolution};

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
        let fit = |key: &Key| self.declaration(*key).map_or(Fit::None, |it| fit(it, site.arguments));
        let best = keys.iter().map(fit).max().unwrap_or(Fit::None);
        let mut fitting: Vec<Key> = keys.into_iter().filter(|key| fit(key) == best).collect();
        // What a class declares itself hides what it inherits with the same parameters.
        let mut seen: Vec<&[String]> = Vec::new();
        fitting.retain(|key| {
            let types = self.declaration(*key).map_or(&[][..], |it| it.parameter_types.as_slice());
            let new = !seen.contains(&types);
            seen.push(types);
            new
        });
        if fitting.len() > 1 {
            self.narrow_by_literals(&mut fitting, scope, site);
        }
        Found::Some(fitting)
    }

    /// Leaves out what a literal among the arguments cannot be given to.
    fn narrow_by_literals(&self, keys: &mut Vec<Key>, scope: Scope, site: &CallSite<'a>) {
        let Some(text) =
            self.file(scope.file).and_then(|file| file.text.get(site.start as usize..site.end as usize))
        else {
            return;
        };
        let arguments = arguments(text, site.receiver.len());
        let takes = |key: &Key| {
            self.declaration(*key).is_some_and(|it| {
                arguments
                    .iter()
                    .zip(&it.parameter_types)
                    .filter(|(argument, own)| takes(own, argument))
                    .count()
                    == arguments.len().min(it.parameter_types.len())
            })
        };
        let fitting: Vec<Key> = keys.iter().copied().filter(takes).collect();
        if !fitting.is_empty() {
            *keys = fitting;
        }
    }
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
    let last = declaration.parameter_types.last().map_or("", String::as_str);
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

/// Whether a parameter of this type can be given an argument; anything but a literal can be.
fn takes(type_name: &str, argument: &str) -> bool {
    let simple = type_name.split('<').next().unwrap_or(type_name).rsplit('.').next().unwrap_or(type_name);
    let simple = simple.trim_end_matches('?').trim();
    let is_number =
        matches!(simple, "int" | "long" | "short" | "byte" | "double" | "float" | "Integer" | "Long");
    let is_other_value = matches!(simple, "boolean" | "bool" | "char");
    let is_array = simple.ends_with(']') || simple.ends_with("...");
    match argument.as_bytes() {
        [b'"', ..] => !(is_number || is_other_value || is_array),
        [b'\'', ..] => {
            !(is_array || matches!(simple, "String" | "string" | "boolean" | "bool" | "CharSequence"))
        }
        [b'0'..=b'9', ..] => {
            !(is_array || matches!(simple, "String" | "string" | "boolean" | "bool" | "CharSequence"))
        }
        b"true" | b"false" => {
            !(is_number || is_array || matches!(simple, "char" | "String" | "string" | "CharSequence"))
        }
        b"null" => !(is_number || is_other_value) || is_array,
        _ => true,
    }
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

    #[test]
    fn literals_fit_their_types_only() {
        assert!(takes("String", "\"a\"") && takes("T", "\"a\"") && takes("CharSequence", "\"a\""));
        assert!(!takes("int", "\"a\"") && !takes("char[]", "\"a\"") && !takes("String", "1"));
        assert!(
            takes("double", "1") && !takes("boolean", "1") && !takes("int", "null") && takes("int[]", "null")
        );
    }
}
