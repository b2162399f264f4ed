//! What functions return: what is needed to tell the type of a receiver. Of interest is a value that is made
//! there, or that another function of the project gives, or the object itself.

use super::walk::{Walk, What, span};
use crate::{Binding, CallableKind, Span};
use trefoil_syntax::Node;

/// What [`Binding::name`] is for the value that a function returns.
const RETURNED: &str = "return";

impl Walk<'_> {
    /// `return value` of the innermost declaration, or the value of `() => value`.
    pub(super) fn bind_returned(&mut self, value: Option<Node>) {
        let Some(owner) = self.function_around() else { return };
        let Some((value, _)) = value.map(|value| self.value_of(value)) else { return };
        let made = value.kind_id() == self.grammar.new;
        let given = value.kind_id() == self.grammar.call && value.child(0).is_some_and(|it| self.tells(it));
        if made || given {
            self.push_returned(owner, String::new(), span(value));
        }
    }

    /// The end of a method that is `return this;`, which no mark leads to.
    pub(super) fn bind_own_object(&mut self) {
        let Some(owner) = self.function_around() else { return };
        let method = self.outline.callables.get(owner as usize);
        let Some((body, class)) = method.and_then(|method| method.body.zip(method.parent)) else { return };
        let last = body.of(self.text).trim_end_matches('}').trim_end().trim_end_matches(';').trim_end();
        let bare = last.strip_suffix("this").map(str::trim_end);
        let class = self.outline.callables.get(class as usize).filter(|class| class.kind.is_type());
        let Some(class) = class.map(|class| class.name.clone()) else { return };
        if bare.is_some_and(|bare| bare.ends_with("return")) {
            self.push_returned(owner, class, Span::default());
        }
    }

    fn push_returned(&mut self, owner: u32, type_name: String, value: Span) {
        self.outline.bindings.push(Binding {
            owner: Some(owner),
            name: RETURNED.into(),
            type_name: type_name.into(),
            value,
        });
    }

    /// The function whose statements the cursor is among, with none that has no name between.
    fn function_around(&self) -> Option<u32> {
        let holds = |what: &What| matches!(what, What::Declared { .. } | What::Unnamed | What::Module { .. });
        let around = self.open.iter().rev().map(|open| &open.what).find(|what| holds(what))?;
        let kind = self.innermost_kind()?;
        let is_function =
            matches!(kind, CallableKind::Function | CallableKind::Method | CallableKind::Lambda);
        self.innermost.filter(|_| is_function && matches!(around, What::Declared { .. }))
    }

    /// Whether a callee may be of the project: a plain name, what the object itself has, or a class's.
    fn tells(&self, callee: Node) -> bool {
        let text = self.text_of(callee);
        let is_plain = callee.kind_id() == self.grammar.identifier;
        is_plain || text.starts_with("this.") || text.starts_with(|first: char| first.is_uppercase())
    }
}
