//! Problems: a list of them, and one with its whole statement.

use std::path::Path;

use vosim_protocol::v1::problem::{CaseInfo, Function, Interface, Language, Op, listed};
use vosim_protocol::v1::service::{
    Added, BrokenPackage, CauseHints, ProblemCard, ProblemDiscussed, ProblemLine,
    ProblemListResult, ReadCase,
};

use crate::render::look::{Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;
use crate::render::review::outcome;
use crate::render::text::{clean, columns, count, shell};

/// One problem, as `start` and `problem show` print it.
pub(crate) fn card(card: &ProblemCard, language: Language, look: &Look) -> String {
    let mut page = Page::new(look);
    statement(&mut page, card, language);
    page.blank().say(Tone::Strong, "Tests:");
    cases(&mut page, &card.cases);
    page.finish()
}

/// How a problem can be solved, for who has finished with it.
pub(crate) fn discussion(read: &ProblemDiscussed, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Strong, &format!("After the end: {}", read.title));
    let mut part = |title: &str, text: &str| {
        if !text.trim().is_empty() {
            page.blank().say(Tone::Strong, &format!("{title}:")).blank();
            markdown::draw(&mut page, text);
        }
    };
    part("Discussion", &read.discussion.discussion);
    for variation in &read.discussion.variations {
        part(&format!("Variation, {}", variation.title), &variation.text);
    }
    for sample in &read.discussion.samples {
        part(&format!("A good answer to {}", sample.dimension.replace('_', " ")), &sample.text);
    }
    // The program of a language that another one extends is read once.
    let again = |language: Language, program: &String| {
        language.extends().is_some_and(|base| read.solutions.get(&base) == Some(program))
    };
    for (language, program) in read.solutions.iter().filter(|(it, text)| !again(**it, text)) {
        part(&format!("How it can be written in {language}"), program);
    }
    if !read.cases.is_empty() {
        let more = "vosimctl problem discussion --hints, and with --tests";
        page.blank().say(Tone::Plain, &format!("All hints and the data of all tests: {more}"));
    }
    page.finish()
}

/// The hints that there are, by cause.
pub(crate) fn hints(read: &ProblemDiscussed, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Strong, &format!("The hints: {}", read.title));
    for CauseHints { issue, hints } in &read.hints {
        page.blank().say(Tone::Strong, &format!("{}:", issue.replace('_', " ")));
        for (level, hint) in (1..).zip(hints) {
            page.blank().say(Tone::Plain, &format!("Level {level}:"));
            markdown::draw(&mut page, hint);
        }
    }
    page.finish()
}

/// The tests with their data.
pub(crate) fn tests(read: &ProblemDiscussed, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Strong, &format!("The tests: {}", read.title));
    for ReadCase { name, description, visible, ops, omitted } in &read.cases {
        let hidden = if *visible { "" } else { " (was hidden)" };
        page.blank().say(Tone::Strong, &format!("{name}{hidden}: {description}"));
        let calls: Vec<_> = ops.iter().map(typed).collect();
        page.indented(2, Tone::Plain, &clean(&calls.join(" ")));
        if *omitted > 0 {
            page.indented(2, Tone::Dim, &format!("and {}", count(*omitted, "more call")));
        }
    }
    page.finish()
}

/// A call as it can be typed again.
pub(crate) fn typed(op: &Op) -> String {
    let args: Vec<_> = op.args.iter().map(ToString::to_string).collect();
    let answer = op.expect.as_ref().map(|answer| format!("=={answer}"));
    format!("{}({}){}", op.call, args.join(","), answer.unwrap_or_default())
}

/// The tests that show their data when they fail.
pub(crate) fn public_tests(card: &ProblemCard, look: &Look) -> String {
    let public: Vec<_> = card.cases.iter().filter(|case| case.visible).collect();
    let mut page = Page::new(look);
    page.say(Tone::Strong, &format!("Public tests, {} of {}:", public.len(), card.cases.len()));
    cases(&mut page, public);
    page.finish()
}

fn cases<'c>(page: &mut Page<'_>, cases: impl IntoIterator<Item = &'c CaseInfo> + Clone) {
    let names = cases.clone().into_iter().map(|case| columns(&case.name));
    let width = names.max().unwrap_or(0);
    for case in cases {
        let pad = " ".repeat(width - columns(&case.name));
        let hidden = if case.visible { "" } else { " (hidden)" };
        let lead = format!("  {}{pad}  ", clean(&case.name));
        let rest = " ".repeat(columns(&lead));
        page.hanging(&lead, &rest, Tone::Plain, &format!("{}{hidden}", case.description));
    }
}

/// Title, text and what the file must define (000: start).
pub(crate) fn statement(page: &mut Page<'_>, card: &ProblemCard, language: Language) {
    page.say(Tone::Strong, &format!("Problem: {}", card.title)).blank();
    markdown::draw(page, &card.statement);
    let (what, members) = members(&card.interface, language);
    page.blank().say(Tone::Plain, &what);
    for member in members {
        page.item(Tone::Plain, &member);
    }
}

fn members(interface: &Interface, language: Language) -> (String, Vec<String>) {
    match interface {
        Interface::Class { name, constructor, methods } => {
            let new = language.constructor().to_owned();
            let new = Function { name: new, params: constructor.clone(), returns: None };
            let methods = methods.iter().map(|method| signature(method, true));
            let members = std::iter::once(signature(&new, false)).chain(methods).collect();
            (format!("Your class {name} must implement:"), members)
        }
        Interface::Function(function) => {
            ("Your file must define:".to_owned(), vec![signature(function, true)])
        }
    }
}

fn signature(function: &Function, with_return: bool) -> String {
    let params: Vec<_> =
        function.params.iter().map(|param| format!("{}: {}", param.name, param.kind)).collect();
    let returns = match (&function.returns, with_return) {
        (Some(returns), true) => format!(" -> {returns}"),
        (None, true) => " -> None".to_owned(),
        (_, false) => String::new(),
    };
    format!("{}({}){returns}", function.name, params.join(", "))
}

/// One problem a line.
pub(crate) fn list(result: &ProblemListResult, look: &Look) -> String {
    let mut page = Page::new(look);
    if result.problems.is_empty() {
        page.say(Tone::Plain, "There are no problems.");
    }
    let width = result.problems.iter().map(|p| columns(p.id.as_str())).max().unwrap_or(0);
    for problem in &result.problems {
        let pad = " ".repeat(width - columns(problem.id.as_str()));
        let lead = format!("{}{pad}  ", problem.id);
        let rest = " ".repeat(columns(&lead));
        page.hanging(&lead, &rest, Tone::Plain, &in_a_line(problem));
    }
    for BrokenPackage { id, reason } in &result.unreadable {
        page.item(Tone::Plain, &format!("{id}, one of yours, cannot be read: {reason}"));
    }
    page.finish()
}

fn in_a_line(problem: &ProblemLine) -> String {
    let languages: Vec<_> = problem.languages.iter().map(ToString::to_string).collect();
    let mut facts = vec![
        format!("rung {}", problem.rung),
        count(problem.cases, "test"),
        listed(&languages, "and"),
        problem.licence.clone(),
    ];
    if problem.unproved {
        facts.insert(0, "not proved yet".to_owned());
    }
    if problem.own {
        facts.insert(0, "yours".to_owned());
    }
    let mut line = format!("{} ({})", problem.title, facts.join(", "));
    if !problem.patterns.is_empty() {
        line = format!("{line}: {}", problem.patterns.join(", "));
    }
    match problem.last {
        Some(last) => format!("{line}. Last: {}.", outcome(last)),
        None => line,
    }
}

/// A package to begin one's own with was written into a folder.
pub(crate) fn written(dir: &Path) -> String {
    let place = dir.display().to_string();
    let path = if place.contains('/') { place } else { format!("./{place}") };
    let path = shell(&path);
    format!(
        "Wrote a small package that is whole; its README.md says how to make it yours.\n\
         Check it with: vosimctl problems check {path}\n\
         Try it with: vosimctl start {path}\n"
    )
}

/// A package is kept among the problems.
pub(crate) fn added(added: &Added) -> String {
    let Added { id, title, replayed } = added;
    let what =
        if *replayed { "was among your problems already" } else { "is among your problems now" };
    format!("{title} {what}.\nStart it with: vosimctl start {id}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn a_problem_with_its_tests() {
        insta::assert_snapshot!(card(&samples::card(), Language::Javascript, &Look::PLAIN), @r#"
        Problem: LRU Cache

        Build a cache that drops its least recently used key.

        Limits

          • capacity is at least 1.

        Your class LRUCache must implement:
          • constructor(capacity: int)
          • get(key: int) -> int
          • put(key: int, value: int) -> None

        Tests:
          test_basic_put_get          Put then get returns correct value
          test_eviction_order_simple  LRU item evicted first
          test_capacity_large         Capacity of 1000 (hidden)
          test_all_same_key           Repeatedly updating same key (hidden)
          test_deterministic_random   Fixed seed: 100 random ops (hidden)
        "#);
    }

    #[test]
    fn problems_one_a_line() {
        insta::assert_snapshot!(list(&samples::problems(), &Look::PLAIN), @"
        lru_cache  LRU Cache (rung 3, 12 tests, python, javascript and typescript, cc0):
                   Hash map with a doubly linked list. Last: solved with hints.
        bird_book  Bird Book (yours, not proved yet, rung 1, 5 tests, python, cc0)
          • broken, one of yours, cannot be read: problem.yaml: is missing
        ");
    }
}
