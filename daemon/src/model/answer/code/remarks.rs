//! What is seen in a program, as an observation with a question.

use std::sync::LazyLock;

use vosim_engine::parts::lists::list;
use vosim_protocol::v1::problem::Syntax;

use super::super::entries::Asked;
use super::scan::{Definition, Line};
use super::sketch::Sketch;

/// Calls that look at or shift many items, with what they do; of lists in either language.
const SEARCHES_PYTHON: [(&str, &str); 9] = [
    (".index(", "`index` compares one item after another"),
    (".remove(", "`remove` on a list searches it and shifts what follows"),
    (".pop(0)", "taking from the front of a list shifts all that follows"),
    (".insert(", "`insert` shifts every item behind the place"),
    (".count(", "`count` looks at every item"),
    ("min(", "`min` looks at every item"),
    ("max(", "`max` looks at every item"),
    ("sorted(", "`sorted` looks at every item more than once"),
    (".sort(", "`sort` looks at every item more than once"),
];
const SEARCHES_JAVASCRIPT: [(&str, &str); 10] = [
    (".indexOf(", "`indexOf` compares one item after another"),
    (".includes(", "`includes` on an array compares one item after another"),
    (".findIndex(", "`findIndex` looks at one item after another"),
    (".find(", "`find` looks at one item after another"),
    (".filter(", "`filter` looks at every item and makes a new array"),
    (".splice(", "`splice` shifts every item behind the place"),
    (".shift(", "`shift` moves every item to the front by one"),
    (".unshift(", "`unshift` moves every item back by one"),
    (".sort(", "`sort` looks at every item more than once"),
    ("Object.keys(", "`Object.keys` lists every key"),
];
/// Names that promise an answer.
const ANSWERS: [&str; 12] = [
    "get", "peek", "size", "has", "is", "find", "count", "top", "len", "contains", "search", "sum",
];

/// Stems of a question about the cost of something.
static COST: LazyLock<Vec<&str>> = LazyLock::new(|| list(include_str!("remarks.txt"), "cost"));

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Truth,
    Cost,
    Returns,
    Recursion,
    Sharing,
    Unfinished,
    Errors,
}

impl Topic {
    /// What the question is about, if it tells; a value that counts as false only where one is
    /// asked for its truth.
    pub(super) fn of(asked: &Asked, remarks: &[Remark]) -> Option<Self> {
        let topics: [(Self, &[&str]); 6] = [
            (Self::Truth, &["0", "zero", "false", "falsy", "truthy", "empty text", "empty string"]),
            (Self::Recursion, &["recurs", "calls itself", "stack overflow", "maximum call"]),
            (Self::Cost, &COST),
            (Self::Returns, &["return", "none", "undefined", "nothing back", "answer back"]),
            (Self::Sharing, &["shared", "sharing", "share", "instances", "default argument"]),
            (Self::Errors, &["exception", "except", "catch"]),
        ];
        let seen = |topic| remarks.iter().any(|remark| remark.topic == topic);
        let mut told = topics.into_iter().filter(|(_, stems)| asked.mentions(stems));
        told.find(|(topic, _)| *topic != Self::Truth || seen(Self::Truth)).map(|(topic, _)| topic)
    }

    /// What is said when nothing of the kind is seen.
    pub(super) fn unseen(self) -> Option<String> {
        let text = match self {
            Self::Cost => {
                "I see no loop inside a loop and no call that searches or shifts a list. Which of \
                 your calls do more work when more is stored, and what makes them do so?"
            }
            Self::Returns => {
                "Each function whose name promises an answer has a `return` somewhere. Is there a \
                 path through it that ends before one is reached?"
            }
            Self::Truth | Self::Recursion | Self::Sharing | Self::Unfinished | Self::Errors => {
                return None;
            }
        };
        Some(text.to_owned())
    }
}

/// Something that is seen.
#[derive(Debug)]
pub(super) struct Remark {
    pub(super) topic: Topic,
    pub(super) line: usize,
    pub(super) text: String,
}

/// Everything that is seen, what misleads most first.
pub(super) fn all(program: &Sketch) -> Vec<Remark> {
    let mut found = Vec::new();
    found.extend(unfinished(program));
    found.extend(shared(program));
    found.extend(silent(program));
    found.extend(answerless(program));
    found.extend(nested_loops(program));
    found.extend(searches(program));
    found.extend(recursion(program));
    found.extend(truths(program));
    found
}

fn remark(topic: Topic, line: usize, text: String) -> Remark {
    Remark { topic, line, text }
}

fn functions(program: &Sketch) -> impl Iterator<Item = &Definition> {
    program.definitions.iter().filter(|definition| !definition.is_class)
}

fn unfinished(program: &Sketch) -> Option<Remark> {
    let definition = functions(program).find(|definition| {
        let body = program.block(definition.at);
        let empty = |line: &Line| matches!(line.text.as_str(), "pass" | "..." | "}");
        let python = program.syntax == Syntax::Python;
        (python && !body.is_empty() || program.lines[definition.at].text.ends_with('{'))
            && body.iter().all(empty)
    })?;
    let (name, line) = (&definition.name, definition.line);
    Some(remark(
        Topic::Unfinished,
        line,
        format!(
            "`{name}` on line {line} does nothing yet. What should be true after a call of it that \
             was not true before?"
        ),
    ))
}

fn shared(program: &Sketch) -> Vec<Remark> {
    if program.syntax != Syntax::Python {
        return Vec::new();
    }
    let fresh = |text: &str| ["[]", "{}", "set()", "dict()", "list()"].contains(&text.trim());
    let mut found = Vec::new();
    for definition in &program.definitions {
        let (name, line) = (&definition.name, definition.line);
        let opening = &program.lines[definition.at];
        if definition.is_class {
            let body = program.block(definition.at);
            let level = body.first().map_or(0, |line| line.level);
            let value = |text: &str| text.split_once('=').is_some_and(|(_, value)| fresh(value));
            let attribute = body.iter().find(|line| line.level == level && value(&line.text));
            found.extend(attribute.map(|line| {
                let number = line.number;
                remark(Topic::Sharing, number, format!(
                    "Line {number} makes a value in the class `{name}` itself, so all its instances \
                     use the same one. What would a second instance see?"
                ))
            }));
        } else if opening.text.contains("=[]")
            || opening.text.contains("={}")
            || opening.text.split(['=', ',', ')']).skip(1).any(fresh)
        {
            found.push(remark(Topic::Sharing, line, format!(
                "Line {line} gives `{name}` a default value that can change. It is made once, when \
                 the function is defined; what does the second call find in it?"
            )));
        }
    }
    found
}

fn silent(program: &Sketch) -> Option<Remark> {
    let bare = |line: &&Line| line.text == "except:" || line.text.contains("catch {}");
    let line = program.lines.iter().find(bare)?.number;
    Some(remark(
        Topic::Errors,
        line,
        format!(
            "Line {line} takes every exception, also those of a mistyped name. Which single one do \
             you expect there?"
        ),
    ))
}

fn answerless(program: &Sketch) -> Vec<Remark> {
    let nothing = match program.syntax {
        Syntax::Python => "None",
        Syntax::Javascript => "undefined",
    };
    let mut found = Vec::new();
    for definition in functions(program) {
        let name = definition.name.trim_start_matches(['_', '#']);
        let promises = ANSWERS.iter().any(|word| {
            let rest = name.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
        });
        let opening = &program.lines[definition.at];
        let body = program.block(definition.at);
        let has = |line: &Line| ["return", "yield", "=>"].iter().any(|w| line.text.contains(w));
        let raises = |line: &Line| line.text.starts_with("raise") || line.text.starts_with("throw");
        if promises && !has(opening) && !body.iter().any(|line| has(line) || raises(line)) {
            let (name, line) = (&definition.name, definition.line);
            found.push(remark(Topic::Returns, line, format!(
                "`{name}` on line {line} has no `return`, so a call gives `{nothing}`. What does \
                 its caller expect to get?"
            )));
        }
    }
    found
}

fn is_loop(line: &Line) -> bool {
    let text = line.text.trim_start_matches("} ");
    let begins =
        |word: &str| text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '(']));
    begins("for") || begins("while") || text.contains(".forEach(")
}

fn nested_loops(program: &Sketch) -> Vec<Remark> {
    let mut found = Vec::new();
    for (at, outer) in program.lines.iter().enumerate().filter(|(_, line)| is_loop(line)) {
        if let Some(inner) = program.block(at).iter().find(|line| is_loop(line)) {
            let (outer, inner) = (outer.number, inner.number);
            found.push(remark(Topic::Cost, outer, format!(
                "The loop on line {inner} stands inside the one on line {outer}, so their rounds \
                 multiply. How often does the inner one run in all when twice as much is stored?"
            )));
        }
    }
    found
}

fn searches(program: &Sketch) -> Vec<Remark> {
    let calls = match program.syntax {
        Syntax::Python => SEARCHES_PYTHON.as_slice(),
        Syntax::Javascript => &SEARCHES_JAVASCRIPT,
    };
    let mut found = Vec::new();
    for line in &program.lines {
        if let Some((_, what)) = calls.iter().find(|(call, _)| calls_it(&line.text, call)) {
            let number = line.number;
            found.push(remark(Topic::Cost, number, format!(
                "On line {number}: {what}. How often is that line reached, and how many items are \
                 there at most?"
            )));
        }
    }
    found
}

/// Where what a lookup found is asked for its truth, so that 0 counts as missing.
fn truths(program: &Sketch) -> Vec<Remark> {
    let (not, or) = match program.syntax {
        Syntax::Python => ("not ", " or "),
        Syntax::Javascript => ("!", "||"),
    };
    let mut found = Vec::new();
    for line in &program.lines {
        let text = &line.text;
        let negated = text.match_indices(not).any(|(at, _)| looks_up(&text[at + not.len()..]));
        let replaced = text.match_indices(or).any(|(at, _)| {
            let before = text[..at].trim_end();
            let start = before.rfind([' ', '=', '!']).map_or(0, |at| at + 1);
            before.ends_with([']', ')']) && looks_up(&before[start..])
        });
        if negated || replaced {
            let number = line.number;
            found.push(remark(Topic::Truth, number, format!(
                "Line {number} asks whether what a lookup gave counts as true. Zero and an empty \
                 text count as false there, just as a missing value does. What tells them apart?"
            )));
        }
    }
    found
}

/// True for `a.b[…` and `a.b.get(…`, not for a name or another call.
fn looks_up(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || "_.#".contains(c)));
    end.is_some_and(|end| match text.as_bytes()[end] {
        b'[' => end > 0,
        b'(' => text[..end].ends_with(".get"),
        _ => false,
    })
}

/// True when the call stands there and is not the end of a longer name.
fn calls_it(text: &str, call: &str) -> bool {
    text.match_indices(call).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        call.starts_with('.') || before.is_none_or(|c| !(c.is_alphanumeric() || "_.".contains(c)))
    })
}

fn recursion(program: &Sketch) -> Vec<Remark> {
    let mut found = Vec::new();
    for definition in functions(program) {
        let name = &definition.name;
        let body = program.block(definition.at);
        let own = [format!("self.{name}("), format!("this.{name}(")];
        let calls = |line: &&Line| {
            own.iter().any(|call| line.text.contains(call))
                || calls_it(&line.text, &format!("{name}("))
        };
        if let Some(line) = body.iter().find(calls) {
            let number = line.number;
            found.push(remark(Topic::Recursion, number, format!(
                "`{name}` calls itself on line {number}. Which case ends without a further call, \
                 and what gets smaller on the way to it?"
            )));
        }
    }
    found
}
