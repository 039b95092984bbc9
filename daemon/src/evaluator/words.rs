//! The sentences in which a run is told: what was wrong with a file, how a case ended, which call
//! differs. It reads results and decides nothing.

use vosim_protocol::v1::evaluation::{Detail, Difference};
use vosim_protocol::v1::problem::{Function, Interface, Language, Op};
use vosim_sandbox_spec::Limits;

use super::frames::{Problem, Raised};
use super::value::{self, show_json};

/// Longest run that is told whole, bytes.
const INPUT_MAX_BYTES: usize = 4096;

/// Calls told at each end of a longer one.
const CALLS_SHOWN: usize = 6;

/// Longest text of one value on a screen, in characters.
const VALUE_SHOWN: usize = 400;

/// For example `ZeroDivisionError: division by zero (solution.py, line 7, in get)`.
pub(super) fn exception(raised: &Raised, file: &str) -> String {
    let text = if raised.message.is_empty() {
        raised.kind.clone()
    } else {
        format!("{}: {}", raised.kind, one_line(&raised.message))
    };
    match (&raised.syntax, raised.trace.last()) {
        (Some(Some(line)), _) => format!("{text} ({file}, line {line})"),
        (_, Some((line, function))) if function != "<module>" => {
            format!("{text} ({file}, line {line}, in {function})")
        }
        (_, Some((line, _))) => format!("{text} ({file}, line {line})"),
        (_, None) => text,
    }
}

/// A text without line ends; control characters are written out.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = String::with_capacity(words.len());
    for character in words.chars() {
        if character.is_control() {
            value::escape(&mut line, character);
        } else {
            line.push(character);
        }
    }
    line
}

/// For example `LRUCache is not defined in solution.py; found LruCache`.
pub(super) fn missing(
    interface: &Interface,
    file: &str,
    found: &[String],
    is: Option<&str>,
) -> String {
    let (name, kind) = match interface {
        Interface::Class { name, .. } => (name, "class"),
        Interface::Function(function) => (&function.name, "function"),
    };
    if let Some(is) = is {
        return format!("{name} in {file} must be a {kind}, but its type is {is}");
    }
    match found {
        [] => format!("the {kind} {name} is not defined in {file}"),
        found => format!("the {kind} {name} is not defined in {file}; found {}", found.join(", ")),
    }
}

/// For example `found Get, needed get(key)`. What there is instead of all that is missing is told
/// once, after it, without what is wanted or was told already.
pub(super) fn signature(interface: &Interface, problems: &[Problem]) -> String {
    let mut told = Vec::new();
    let (mut missing, mut others) = (Vec::new(), &[][..]);
    for problem in problems {
        let selfless = problem.found.as_ref().is_some_and(|found| found.ends_with(SELFLESS));
        let needed = needed(interface, &problem.need, selfless.then_some("self"));
        match &problem.found {
            Some(found) => told.push(format!("found {found}, needed {needed}")),
            None => {
                missing.push(needed);
                others = &problem.others;
            }
        }
    }
    let known = |name: &str| {
        let mut found = problems.iter().filter_map(|problem| problem.found.as_deref());
        is_wanted(interface, name)
            || found.any(|found| found.split(['(', ' ']).next() == Some(name))
    };
    let others: Vec<_> = others.iter().map(String::as_str).filter(|name| !known(name)).collect();
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "is" } else { "are" };
        let mut sentence = format!("{} {are} missing", missing.join(" and "));
        if !others.is_empty() {
            sentence += &format!("; found {}", others.join(", "));
        }
        told.push(sentence);
    }
    told.join("; ")
}

fn is_wanted(interface: &Interface, name: &str) -> bool {
    match interface {
        Interface::Function(function) => function.name == name,
        Interface::Class { methods, .. } => methods.iter().any(|method| method.name == name),
    }
}

/// What the driver says of a method that lacks what Python gives it first.
const SELFLESS: &str = " without self";

/// A call as the interface has it, with a parameter in front where one is given.
fn needed(interface: &Interface, name: &str, front: Option<&str>) -> String {
    let one = |function: &Function| {
        let params = function.params.iter().map(|param| param.name.as_str());
        let params: Vec<_> = front.into_iter().chain(params).collect();
        format!("{name}({})", params.join(", "))
    };
    match interface {
        Interface::Function(function) => one(function),
        Interface::Class { name: class, constructor, methods } => {
            let own = Function { name: class.clone(), params: constructor.clone(), returns: None };
            methods.iter().find(|method| method.name == name).map_or_else(|| one(&own), one)
        }
    }
}

/// Of a hidden case that left: its status may be a message.
pub(super) const LEFT: &str = "left before its end";

/// For example `ended by signal 11 (SIGSEGV)`.
pub(super) fn signal(number: i32) -> String {
    nix::sys::signal::Signal::try_from(number).map_or_else(
        |_| format!("ended by signal {number}"),
        |signal| format!("ended by signal {number} ({})", signal.as_str()),
    )
}

/// The bound that a detail is about, for example `10 s` or `512 MB`.
pub(super) fn limit_value(detail: Detail, limits: &Limits) -> String {
    match detail {
        Detail::Time => duration(limits.cpu_ms),
        Detail::Wall => duration(limits.wall_ms),
        Detail::Idle => duration(limits.idle_ms),
        Detail::Memory => size(limits.memory),
        Detail::Output => size(limits.output_max),
        Detail::Processes => format!("{} processes", limits.processes),
        Detail::Signal
        | Detail::Exit
        | Detail::Exception
        | Detail::Syntax
        | Detail::Missing
        | Detail::Signature
        | Detail::Value => String::new(),
    }
}

fn duration(millis: u64) -> String {
    if millis.is_multiple_of(1000) {
        format!("{} s", millis / 1000)
    } else {
        format!("{millis} ms")
    }
}

fn size(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

/// The call number `index` of a case with all that leads to it.
pub(super) fn difference(
    ops: &[Op],
    index: usize,
    expected: String,
    actual: &str,
    language: Language,
) -> Difference {
    let (expected, actual) = (cut(&expected), cut(actual));
    let same = expected.chars().zip(actual.chars()).take_while(|(a, b)| a == b).count();
    Difference {
        input: input(&ops[..=index], language),
        call: index as u64 + 1,
        column: same as u64,
        expected,
        actual,
    }
}

/// What an operation must return, in words; `anything` where that does not matter.
pub(super) fn expectation(op: &Op, anything: &str, language: Language) -> String {
    op.expect.as_ref().map_or_else(|| anything.to_owned(), |json| show_json(json, language))
}

/// For example `put(1, 1)`.
pub(super) fn call(op: &Op, language: Language) -> String {
    let args = op.args.iter().map(|arg| show_json(arg, language)).collect::<Vec<_>>();
    cut(&format!("{}({})", op.call, args.join(", ")))
}

fn input(ops: &[Op], language: Language) -> String {
    let show = |op: &Op| call(op, language);
    let (mut whole, mut bytes) = (Vec::new(), 0);
    for shown in ops.iter().map(show) {
        bytes += shown.len() + 2;
        if bytes > INPUT_MAX_BYTES && ops.len() > 2 * CALLS_SHOWN + 1 {
            break;
        }
        whole.push(shown);
    }
    if whole.len() == ops.len() {
        return whole.join("  ");
    }
    let (first, last) = (&ops[..CALLS_SHOWN], &ops[ops.len() - CALLS_SHOWN..]);
    let mut words: Vec<_> = first.iter().map(show).collect();
    words.push(format!("… {} more …", ops.len() - 2 * CALLS_SHOWN));
    words.extend(last.iter().map(show));
    words.join("  ")
}

/// Longest answer of a small run that is kept, in characters.
const ANSWER_KEPT: usize = 24;

/// An answer of a small run as evidence holds it: short, and without blanks.
pub(super) fn answer(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    cut_to(&bare, ANSWER_KEPT)
}

/// A text as long as a screen can take.
pub(super) fn cut(text: &str) -> String {
    cut_to(text, VALUE_SHOWN)
}

/// A text of at most so many characters, with a mark where it was cut.
pub(super) fn cut_to(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ops(json: serde_json::Value) -> Vec<Op> {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn an_exception_names_the_candidate_s_line_and_function() {
        let mut raised = Raised {
            kind: "KeyError".to_owned(),
            message: "3\n4".to_owned(),
            trace: vec![(2, "<module>".to_owned()), (7, "get".to_owned())],
            ..Raised::default()
        };
        assert_eq!(exception(&raised, "a b.py"), "KeyError: 3 4 (a b.py, line 7, in get)");
        raised.trace.pop();
        assert_eq!(exception(&raised, "a b.py"), "KeyError: 3 4 (a b.py, line 2)");
        raised.syntax = Some(Some(9));
        assert_eq!(exception(&raised, "a b.py"), "KeyError: 3 4 (a b.py, line 9)");
    }

    #[test]
    fn a_long_case_is_cut_in_the_middle() {
        let calls: Vec<_> = (0..1000).map(|n| json!(["put", [n, n]])).collect();
        let shown = difference(&ops(json!(calls)), 999, "1".to_owned(), "-1", Language::Python);
        assert!(shown.input.starts_with("put(0, 0)  put(1, 1)"));
        assert!(shown.input.contains("… 988 more …") && shown.input.ends_with("put(999, 999)"));
        assert_eq!((shown.call, shown.column), (1000, 0));
        let whole = difference(&ops(json!(calls)), 99, "1".to_owned(), "-1", Language::Python);
        assert_eq!(whole.input.split("  ").count(), 100, "what a screen shortens is kept whole");
    }

    #[test]
    fn the_first_difference_is_marked() {
        let calls = ops(json!([["f", ["a"], "abc"]]));
        let shown = difference(&calls, 0, "'abc'".to_owned(), "'abd'", Language::Python);
        assert_eq!((shown.input.as_str(), shown.column), ("f('a')", 3));
    }

    #[test]
    fn what_there_is_instead_of_all_that_is_missing_is_told_once() {
        let method =
            |name: &str| json!({ "name": name, "params": [{ "name": "key", "type": "int" }] });
        let interface = serde_json::from_value(json!({ "form": "class", "name": "LRUCache",
            "constructor": [], "methods": [method("get"), method("put"), method("size")] }))
        .unwrap();
        let problem = |need: &str, found: Option<&str>, others: &[&str]| Problem {
            need: need.to_owned(),
            found: found.map(str::to_owned),
            others: others.iter().map(|name| (*name).to_owned()).collect(),
        };
        let told = |problems: &[Problem]| signature(&interface, problems);
        let (get, put) =
            (problem("get", None, &["read", "set"]), problem("put", None, &["read", "set"]));
        assert_eq!(told(std::slice::from_ref(&get)), "get(key) is missing; found read, set");
        let both = "get(key) and put(key) are missing; found read, set";
        assert_eq!(told(&[get.clone(), put.clone()]), both);
        let size = problem("size", Some("Size"), &[]);
        assert_eq!(told(&[get, size, put]), format!("found Size, needed size(key); {both}"));
        let few = problem("get", Some("get()"), &[]);
        let put = problem("put", None, &["get", "set", "size"]);
        assert_eq!(
            told(&[few, put.clone()]),
            "found get(), needed get(key); put(key) is missing; found set"
        );
        let upper = problem("get", Some("Get"), &[]);
        let bare = Problem { others: vec!["Get".to_owned(), "size".to_owned()], ..put };
        assert_eq!(told(&[upper, bare]), "found Get, needed get(key); put(key) is missing");
        let bare = [problem("get", None, &[]), problem("put", None, &[])];
        assert_eq!(told(&bare), "get(key) and put(key) are missing");
    }
}
