//! What a test calls of the repository's own code: in its body, by way of a helper of the tests one level
//! down, or in the set-up that runs before it.

mod handed;
mod lookup;
mod mentions;
mod syntax;

use super::super::hash::HashMap;
use super::super::index::{CallSite, File};
use super::super::resolution::{Key, Resolution, Resolved, Target, is_type, makes_objects};
use super::super::tables::Declaration;
use super::super::test_calls::test_calls;
use super::layout;
use super::subject::{Spellings, Subject, is_test_code, plain};
use std::cell::RefCell;
use std::rc::Rc;

/// By which way a test comes to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// In its body.
    Body,
    /// In a function of the tests that it calls.
    Helper,
    /// In what runs before it.
    SetUp,
    /// Syntax calls it: it is a property or an operator.
    Syntax,
    /// It is named and not called: handed over, or a property.
    Reference,
}

/// One call that may be of the focal method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) way: Way,
    /// Where in the test: the call itself, or that of the helper.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) in_assertion: bool,
    pub(super) arguments: u32,
    /// The declaration was found by more than its name.
    pub(super) resolved: bool,
    /// It is the last of the repository's own calls in a helper or set-up function that the test runs.
    pub(super) closing: bool,
    /// Set-up keeps its value, and an assertion of the test names where.
    pub(super) kept: bool,
}

/// A call of a helper, in which further calls are made.
#[derive(Clone, Copy)]
struct By<'c, 'a> {
    way: Way,
    /// The call in the test.
    place: &'c CallSite<'a>,
    closing: bool,
    kept: bool,
}

/// A function with its overloads and all the uses that a test makes of it.
pub(super) struct Candidate<'a> {
    /// The overload that is used most, or else named best.
    pub(super) target: Target<'a>,
    pub(super) uses: Vec<Use>,
    /// Other overloads that the test calls about as often, where its name does not tell which it is about.
    pub(super) further: Vec<Target<'a>>,
    overloads: Vec<Overload<'a>>,
}

struct Overload<'a> {
    target: Target<'a>,
    /// Calls that may be of it.
    uses: u32,
    /// Calls that are of no other.
    sure: u32,
}

/// The candidates of one test, in the order of their first use.
pub(super) struct Gathered<'a> {
    pub(super) candidates: Vec<Candidate<'a>>,
    /// Calls of the body that are no candidates, for the reason of an abstention.
    pub(super) outside: u32,
    pub(super) unknown: u32,
}

/// The method by which objects of Python are called.
const CALL: &str = "__call__";

/// Most helpers of one test that are looked into, and most calls of each.
const MAX_HELPERS: usize = 40;
const MAX_HELPER_CALLS: usize = 60;
/// Helpers call helpers (`executeCommand`, `executeCommandC`), seldom more than two below each other.
const MAX_HELPER_DEPTH: u32 = 3;
/// Most functions of one name among which the receiver's name may decide.
const MAX_NAMESAKES: usize = 60;

/// What is the same for all tests of a repository, as far as somebody has asked.
#[derive(Default)]
pub(super) struct Known<'a> {
    pub(super) spellings: Spellings<'a>,
    /// What stands behind abstract methods.
    behind: RefCell<HashMap<Key, Vec<Target<'a>>>>,
    /// Functions of the repository's own code by name.
    production: RefCell<HashMap<&'a str, Rc<[Target<'a>]>>>,
    /// The set-up functions of a class or block.
    set_up: RefCell<HashMap<Key, Rc<[Target<'a>]>>>,
}

/// Gathers the candidates of one test.
pub(super) struct Gathering<'r, 'a> {
    resolution: &'r Resolution<'a>,
    subject: &'r Subject<'a>,
    /// The file of the test.
    file: &'a File<'a>,
    found: Gathered<'a>,
    places: HashMap<Key, usize>,
    helpers: Vec<Key>,
    known: &'r Known<'a>,
    /// How many helpers the call at hand is inside of.
    depth: u32,
    /// Whether that is the last call of the outermost.
    closing: bool,
    /// Whether the value of the call at hand is kept for an assertion.
    kept: bool,
    /// The texts of the test's assertions.
    asserted: Vec<&'a str>,
    /// Calls of methods that were taken in so far.
    own_calls: u32,
    /// Classes of objects that the test made and handed over, and where.
    callables: Vec<(Target<'a>, u32)>,
}

impl<'r, 'a> Gathering<'r, 'a> {
    pub(super) fn of(
        resolution: &'r Resolution<'a>,
        subject: &'r Subject<'a>,
        known: &'r Known<'a>,
        file: &'a File<'a>,
        test: &'a Declaration,
    ) -> Gathered<'a> {
        let found = Gathered { candidates: Vec::new(), outside: 0, unknown: 0 };
        let mut this = Self {
            resolution,
            subject,
            file,
            found,
            places: HashMap::default(),
            helpers: Vec::new(),
            known,
            depth: 0,
            closing: false,
            kept: false,
            asserted: layout::asserted(file, test),
            own_calls: 0,
            callables: Vec::new(),
        };
        for call in test_calls(file, test) {
            this.call(file, &call, None);
        }
        // Asserting calls may be helpers of the tests themselves.
        for call in file.calls(test).filter(|call| call.in_assertion) {
            this.asserting(file, &call);
        }
        this.decorators(file, test);
        this.set_up(file, test);
        if resolution.calls_by_syntax() {
            this.syntax(file, test);
        }
        this.method_references(file, test);
        this.callables();
        this.references(file, test);
        this.named_operators(test);
        this.found.candidates.iter_mut().for_each(|candidate| candidate.choose_overload(subject));
        this.found
    }

    /// Takes in a call, of the test or, with the call that leads there, of a helper.
    fn call(&mut self, file: &'a File<'a>, call: &CallSite<'a>, by: Option<By<'_, 'a>>) {
        let place = by.map_or(call, |by| by.place);
        let made = Use {
            way: by.map_or(Way::Body, |by| by.way),
            start: place.start,
            end: place.end,
            in_assertion: call.in_assertion || place.in_assertion,
            arguments: call.arguments,
            resolved: true,
            closing: by.is_some_and(|by| by.closing),
            kept: by.is_some_and(|by| by.kept),
        };
        let targets = match self.resolution.resolve(file, call.position) {
            Resolved::One(target) => vec![target],
            Resolved::Several(targets) => targets,
            Resolved::External => {
                match self.behind_outer(file, call) {
                    Some(target) => self.add(target, Use { resolved: false, ..made }, true),
                    None => self.found.outside += u32::from(by.is_none()),
                }
                return;
            }
            Resolved::Unknown => {
                let named = self.by_name(call);
                if named.is_empty() {
                    self.found.unknown += u32::from(by.is_none());
                }
                let sure = named.len() == 1;
                let made = Use { resolved: false, ..made };
                named.iter().for_each(|target| self.add(*target, made, sure));
                return;
            }
        };
        // A value of a plain structure is made by nobody's code.
        let is_code =
            |target: &Target<'_>| !matches!(target.declaration.kind.as_str(), "struct" | "interface");
        let sure = targets.len() == 1;
        for target in targets.into_iter().filter(is_code) {
            if by.is_none() {
                self.note_callable(target, file, call);
            }
            if self.is_of_tests(&target) {
                match by {
                    None => self.helper(target, Way::Helper, call),
                    Some(by) => self.helper(target, by.way, by.place),
                }
            } else {
                // `len(cart)` hands nothing over to the method that answers.
                let by_syntax =
                    target.declaration.name.starts_with("__") && target.declaration.name != call.name;
                let arguments = if by_syntax { 0 } else { made.arguments };
                self.add(self.concrete(target), Use { arguments, ..made }, sure);
            }
        }
    }

    /// Whether a function serves the tests, so that it is what a test works with and not what it is about.
    fn is_of_tests(&self, target: &Target<'a>) -> bool {
        is_test_code(target.file)
            || target.declaration.role != "plain"
            || (self.resolution.takes_test_handle(target.declaration) && !self.is_of_subject(target))
    }

    /// A call that asserts and is declared among the tests.
    fn asserting(&mut self, file: &'a File<'a>, call: &CallSite<'a>) {
        let Resolved::One(target) = self.resolution.resolve(file, call.position) else { return };
        if self.is_of_tests(&target) {
            self.helper(target, Way::Helper, call);
            return;
        }
        // A library of assertions tests its own: those that the test is named after.
        let words = self.known.spellings.words(&target.declaration.name);
        if !words.is_empty() && words.is_within(&self.subject.words) {
            let (start, end) = (call.start, call.end);
            let made = Use {
                way: Way::Body,
                start,
                end,
                in_assertion: true,
                arguments: call.arguments,
                resolved: true,
                closing: false,
                kept: false,
            };
            self.add(self.concrete(target), made, true);
        }
    }

    fn helper(&mut self, target: Target<'a>, way: Way, place: &CallSite<'a>) {
        let key = target.key();
        if self.depth >= MAX_HELPER_DEPTH
            || self.helpers.len() >= MAX_HELPERS
            || self.helpers.contains(&key)
            || target.declaration.role == "test"
        {
            return;
        }
        self.helpers.push(key);
        self.depth += 1;
        let mut calls: Vec<CallSite<'a>> =
            target.file.calls(target.declaration).take(MAX_HELPER_CALLS).collect();
        calls.sort_by_key(|call| (std::cmp::Reverse(call.end), call.start));
        // What the last call leads to, be it by way of another helper.
        let mut closing = self.depth == 1 || self.closing;
        let mut kept_from = None;
        for call in calls {
            let before = self.own_calls;
            let outer = std::mem::replace(&mut self.closing, closing);
            // Of a chain that is kept, the last of the repository's own calls counts.
            let is_first = kept_from != Some(call.start);
            let kept = way == Way::SetUp
                && ((is_first && self.is_kept(target.file, &call)) || (self.kept && closing));
            let outer_kept = std::mem::replace(&mut self.kept, kept);
            self.call(target.file, &call, Some(By { way, place, closing, kept }));
            self.kept = outer_kept;
            if kept && self.own_calls > before {
                kept_from = Some(call.start);
            }
            self.closing = outer;
            closing &= self.own_calls == before;
        }
        self.depth -= 1;
    }

    /// Set-up functions of the classes and blocks around, their superclasses included, and functions that a
    /// base class of specifications calls between set-up and checks.
    fn set_up(&mut self, file: &'a File<'a>, test: &'a Declaration) {
        let before = CallSite {
            name: "",
            receiver: "",
            arguments: 0,
            start: 0,
            end: 0,
            is_constructor: false,
            in_assertion: false,
            position: 0,
        };
        let around = std::iter::successors(Some(test), |outer| file.parent(outer)).skip(1);
        let mut holders: Vec<Target<'a>> = around.map(|declaration| Target { file, declaration }).collect();
        if let Some(class) = holders.first().copied().filter(|class| class.declaration.kind == "class") {
            holders.extend(
                self.resolution.lineage(class).into_iter().skip(1).filter(|class| is_test_code(class.file)),
            );
        }
        for holder in holders {
            for member in &*self.set_up_of(holder) {
                self.helper(*member, Way::SetUp, &before);
            }
            // The values of fields.
            if matches!(holder.declaration.kind.as_str(), "class" | "struct" | "record") {
                for call in holder.file.calls(holder.declaration).take(MAX_HELPER_CALLS) {
                    let kept = self.is_kept(holder.file, &call);
                    let by = By { way: Way::SetUp, place: &before, closing: false, kept };
                    self.call(holder.file, &call, Some(by));
                }
            }
        }
    }

    /// Whether the value of a call of the set-up goes where an assertion of the test looks: `result = cart.total()`.
    fn is_kept(&self, file: &'a File<'a>, call: &CallSite<'a>) -> bool {
        let Some(name) = self.resolution.holder_of(file, call) else { return false };
        let bare = name.rsplit('.').next().unwrap_or(name);
        self.asserted.iter().any(|text| layout::names(text, bare))
    }

    fn set_up_of(&self, holder: Target<'a>) -> Rc<[Target<'a>]> {
        let mut known = self.known.set_up.borrow_mut();
        let find = || {
            let members = holder.file.members(holder.declaration).filter(|member| is_set_up(member));
            members.map(|member| Target { file: holder.file, declaration: member }).collect()
        };
        known.entry(holder.key()).or_insert_with(find).clone()
    }

    /// Takes in a use; `sure` if it is of no other overload or function. Where there is no code, there is nothing
    /// to test: of an abstract method, and of a type that declares no constructor.
    fn add(&mut self, target: Target<'a>, made: Use, sure: bool) {
        if !has_code(target.declaration) {
            return;
        }
        let place = place_of(&target);
        let next = self.found.candidates.len();
        let at = *self.places.entry(place).or_insert(next);
        if at == next {
            let (uses, further, overloads) = Default::default();
            self.found.candidates.push(Candidate { target, uses, further, overloads });
        }
        let Some(candidate) = self.found.candidates.get_mut(at) else { return };
        self.own_calls += u32::from(!candidate.constructs());
        let known = candidate.overloads.iter_mut().find(|overload| overload.target == target);
        match known {
            Some(overload) => {
                overload.uses += 1;
                overload.sure += u32::from(sure);
            }
            None => candidate.overloads.push(Overload { target, uses: 1, sure: u32::from(sure) }),
        }
        let same = candidate.uses.last().is_some_and(|last| last.start == made.start && last.end == made.end);
        if !same {
            candidate.uses.push(made);
        }
    }
}

impl Candidate<'_> {
    /// Whether all that the test makes of it are calls in its body at these places.
    pub(super) fn is_within(&self, places: &[(u32, u32)]) -> bool {
        self.uses.iter().all(|made| made.way == Way::Body && places.contains(&(made.start, made.end)))
    }

    /// The overload whose parameters the test's name tells, or the one used most.
    fn choose_overload(&mut self, subject: &Subject<'_>) {
        if self.overloads.len() < 2 {
            return;
        }
        let told = |target: &Target<'_>| {
            let types = target.declaration.parameter_types.iter();
            let simple = types.map(|own| plain(own.split('<').next().unwrap_or(own)));
            simple.filter(|own| !own.is_empty() && subject.name.contains(own.as_str())).count()
        };
        let rank = |overload: &Overload<'_>| (told(&overload.target), overload.sure, overload.uses);
        // Of equal ones the first.
        let Some(best) = self.overloads.iter().rev().max_by_key(|overload| rank(overload)) else { return };
        self.target = best.target;
        let as_much = |other: &&Overload<'_>| {
            other.target != best.target
                && other.sure > 0
                && other.sure * 2 >= best.sure
                && told(&other.target) == told(&best.target)
        };
        self.further = self.overloads.iter().filter(as_much).map(|other| other.target).collect();
    }
}

/// The name of what holds a function, as its qualified name tells: a class, or an object of JavaScript.
pub(super) fn class_name(declaration: &Declaration) -> Option<&str> {
    declaration.qualified_name.rsplit('.').nth(1)
}

/// The name by which people speak of a function: a constructor goes by its class, and so does what is called by
/// calling the object.
pub(super) fn telling_name(declaration: &Declaration) -> &str {
    let of_class = makes_objects(declaration) || declaration.name == CALL;
    class_name(declaration).filter(|_| of_class).unwrap_or(&declaration.name)
}

/// Whether a function only says that others will do it: an abstract one of Python, or one that raises that it is not
/// implemented.
fn is_stub(target: &Target<'_>) -> bool {
    const EXCUSES: [&str; 2] = ["NotImplementedError", "NotImplementedException"];
    let mut calls = target.file.calls(target.declaration).map(|call| call.name);
    match (calls.next(), calls.next()) {
        (Some(only), None) => EXCUSES.contains(&only),
        (None, _) => target.declaration.annotations.iter().any(|mark| mark.ends_with("abstractmethod")),
        _ => false,
    }
}

fn has_code(declaration: &Declaration) -> bool {
    declaration.body_start.is_some() && !is_type(declaration)
}

/// What overloads have in common.
pub(super) fn place_of(target: &Target<'_>) -> Key {
    Key { file: target.file.position, ordinal: target.file.first_overload(target.declaration) }
}

fn is_set_up(member: &Declaration) -> bool {
    const STEPS: [&str; 8] =
        ["becauseof", "because", "establishcontext", "establish", "given", "when", "act", "arrange"];
    member.role == "setup"
        || member.kind == "constructor"
        || (member.role == "plain"
            && member.kind == "method"
            && STEPS.contains(&plain(&member.name).as_str()))
}
