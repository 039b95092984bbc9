//! What became of each case: input, expected and actual with the first difference marked, the
//! candidate's own prints, limits in words.

use std::borrow::Cow;

use vosim_protocol::v1::clauses;
use vosim_protocol::v1::evaluation::{
    CaseOutcome, CaseResult, Detail, Difference, Evaluation, LimitHit, Load, Prints,
};
use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::problem::CaseInfo;

use crate::render::look::{Charset, Look, Runs, Tone};
use crate::render::page::Page;
use crate::render::text::{clean, columns, count, thousands};

/// Lines of a case's prints that are shown.
const PRINT_LINES_MAX: usize = 8;

/// Calls shown at each end of a run of many.
const CALLS_SHOWN: usize = 6;

/// Where the details of a case begin.
const INDENT: &str = "      ";

/// What the judge said of a submission, in the words of its event.
pub(crate) fn verdict(line: &ResultLine) -> (Tone, String) {
    let (passed, total) = (line.tests_passed, line.tests_passed + line.tests_failed);
    let class = clauses::class(line.failure_type, line.detail);
    let tone = if line.tests_failed == 0 { Tone::Good } else { Tone::Bad };
    (tone, clauses::verdict(line.attempt_number, class, passed, total).text)
}

/// A limit as a sentence; computing, waiting and the clock are told apart (DECISIONS 17). All tests share it but that
/// on waiting, so the one that meets it may have done little. What else the
/// process did meanwhile is not known, so nothing is said of it.
pub(crate) fn limit(hit: &LimitHit) -> String {
    let value = &hit.value;
    let what = match hit.detail {
        Detail::Time => format!("timed out ({value} of computing in all)"),
        Detail::Wall => format!("timed out ({value} on the clock in all)"),
        Detail::Idle => {
            format!("timed out ({value} limit for waiting): it computed nothing meanwhile")
        }
        Detail::Memory => format!("out of memory ({value} in all)"),
        Detail::Output => format!("wrote more than can be read ({value} in all)"),
        Detail::Processes => format!("came to too many processes (limit: {value})"),
        other => format!("stopped by a limit ({}: {value})", other.word()),
    };
    match &hit.case {
        Some(case) => format!("{what}, in {case}"),
        None => format!("{what}, while the file was being loaded"),
    }
}

/// Why the file could not be used; None when it could.
pub(crate) fn load(load: &Load) -> Option<&str> {
    match load {
        Load::Loaded => None,
        Load::ImportError { message, .. }
        | Load::Crashed { message, .. }
        | Load::WrongSignature { message } => Some(message),
    }
}

/// The cases that did not pass, in suite order.
pub(crate) fn failing(page: &mut Page<'_>, evaluation: &Evaluation, infos: &[CaseInfo]) {
    let failed: Vec<_> = evaluation.cases.iter().filter(|c| !c.outcome.passed()).collect();
    let (not_run, failed): (Vec<_>, Vec<_>) =
        failed.into_iter().partition(|case| case.outcome == CaseOutcome::NotRun);
    if !failed.is_empty() {
        page.blank().say(Tone::Strong, "Failing Tests:");
    }
    for case in failed {
        one(page, case, info(infos, &case.name), evaluation.limit.as_ref());
    }
    if !not_run.is_empty() {
        let names: Vec<_> = not_run.iter().map(|case| case.name.as_str()).collect();
        let why =
            if load(&evaluation.load).is_some() { "" } else { ", because the limit was used up" };
        page.blank().say(Tone::Strong, &format!("Not run{why}:"));
        page.indented(2, Tone::Plain, &names.join(", "));
    }
}

/// Every case in one line, the failing ones with their details: what `test` shows.
pub(crate) fn all(page: &mut Page<'_>, evaluation: &Evaluation, infos: &[CaseInfo]) {
    for case in &evaluation.cases {
        one(page, case, info(infos, &case.name), evaluation.limit.as_ref());
    }
}

/// The first case that did not pass with its details, the names of the others, and what was returned in
/// those of these names.
pub(crate) fn in_short(
    page: &mut Page<'_>,
    evaluation: &Evaluation,
    infos: &[CaseInfo],
    asked: &[&str],
) {
    let mut failed = evaluation.cases.iter().filter(|case| !case.outcome.passed());
    if let Some(first) = failed.next() {
        one(page, first, info(infos, &first.name), evaluation.limit.as_ref());
    }
    let others: Vec<_> = failed.map(|case| case.name.as_str()).collect();
    if !others.is_empty() {
        page.hanging("  and ", "      ", Tone::Dim, &others.join(", "));
    }
    let told = |case: &&CaseResult| asked.contains(&case.name.as_str()) && case.outcome.passed();
    for case in evaluation.cases.iter().filter(told) {
        one(page, case, info(infos, &case.name), evaluation.limit.as_ref());
    }
}

/// What the evaluator noted.
pub(crate) fn notes_only(page: &mut Page<'_>, evaluation: &Evaluation) {
    for note in &evaluation.notes {
        page.blank().hanging("Note: ", "      ", Tone::Plain, note);
    }
}

/// What the evaluator noted, and prints that are not shown.
pub(crate) fn notes(page: &mut Page<'_>, evaluation: &Evaluation) {
    notes_only(page, evaluation);
    let passing = evaluation.cases.iter().filter(|case| case.outcome.passed());
    let prints: Vec<_> = passing.filter_map(|case| case.prints.as_ref()).collect();
    if !prints.is_empty() {
        let what = count(prints.len() as u64, "passing test");
        let cut = prints.iter().any(|prints| prints.truncated);
        let how_much = if cut { "more than is kept" } else { "something" };
        let text = format!("{what} printed {how_much}; see it with: vosimctl test FILE");
        page.blank().say(Tone::Dim, &text);
    }
}

fn info<'i>(infos: &'i [CaseInfo], name: &str) -> Option<&'i CaseInfo> {
    infos.iter().find(|info| info.name == name)
}

fn one(page: &mut Page<'_>, case: &CaseResult, info: Option<&CaseInfo>, hit: Option<&LimitHit>) {
    let about = info.map_or(String::new(), |info| {
        let hidden = if info.visible { "" } else { ", hidden" };
        format!(" ({}{hidden})", info.category)
    });
    let (tone, outcome) = outcome(&case.outcome, hit);
    page.item(tone, &format!("{}{about}: {outcome}", case.name));
    details(page, case, info);
    if let Some(returned) = &case.returned {
        let lead = format!("{INDENT}returned: ");
        let rest = " ".repeat(columns(&lead));
        page.hanging(&lead, &rest, Tone::Plain, returned);
    }
    if let Some(prints) = &case.prints {
        printed(page, prints);
    }
}

fn outcome(outcome: &CaseOutcome, hit: Option<&LimitHit>) -> (Tone, String) {
    let words = match outcome {
        CaseOutcome::Passed => return (Tone::Good, "passed".to_owned()),
        CaseOutcome::NotRun => return (Tone::Warn, "not run".to_owned()),
        CaseOutcome::Failed => "wrong answer".to_owned(),
        CaseOutcome::Raised { exception } => format!("raised {exception}"),
        CaseOutcome::Crashed { message, .. } => message.clone(),
        CaseOutcome::Limit { detail } => match hit.filter(|hit| hit.detail == *detail) {
            Some(hit) => limit(&LimitHit { case: None, ..hit.clone() })
                .trim_end_matches(", while the file was being loaded")
                .to_owned(),
            None => format!("stopped by a limit ({})", detail.word()),
        },
    };
    (Tone::Bad, words)
}

fn details(page: &mut Page<'_>, case: &CaseResult, info: Option<&CaseInfo>) {
    if let Some(shown) = &case.shown {
        if case.outcome == CaseOutcome::Failed {
            difference(page, shown);
        } else {
            broken_call(page, shown);
        }
    } else if let Some(twin) = &case.twin {
        page.hanging(
            INDENT,
            INDENT,
            Tone::Dim,
            "Its data is hidden. A public case of the same kind fails too:",
        );
        difference(page, twin);
    } else if case.outcome == CaseOutcome::Failed && info.is_some_and(|info| !info.visible) {
        let about = info.map_or("", |info| info.description.as_str());
        page.hanging(
            INDENT,
            INDENT,
            Tone::Dim,
            &format!("Its data is hidden. It is about: {about}"),
        );
    }
}

/// The calls that lead to one that did not return.
fn broken_call(page: &mut Page<'_>, difference: &Difference) {
    input(page, &difference.input);
    let lead = format!("{:<16}", format!("{INDENT}call {}:", difference.call));
    page.hanging(&lead, &" ".repeat(columns(&lead)), Tone::Plain, &difference.actual);
}

/// Calls stand two blanks apart and are not broken inside.
fn input(page: &mut Page<'_>, calls: &str) {
    let lead = format!("{INDENT}input:    ");
    let rest = " ".repeat(columns(&lead));
    let room = page.look.width.saturating_sub(columns(&lead));
    let mut lines = vec![String::new()];
    let shown = shortened(calls, page.look.runs);
    for call in shown.split("  ") {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && columns(line) + 2 + columns(call) > room {
            lines.push(call.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { "  " });
            line.push_str(call);
        }
    }
    page.hanging(&lead, &rest, Tone::Plain, &lines.join("\n"));
    if shown != calls {
        page.hanging(INDENT, INDENT, Tone::Dim, "(all calls: result --full, test --full)");
    }
    if calls.contains('@') && calls.contains("()") {
        let told = "(@1 goes back to the instance that was made first, @2 to the second)";
        page.hanging(INDENT, INDENT, Tone::Dim, told);
    }
}

/// The beginning and the end of a run of many calls, where no more is wanted.
fn shortened(calls: &str, runs: Runs) -> Cow<'_, str> {
    let all: Vec<_> = calls.split("  ").collect();
    let [first @ .., _] = &all[..] else { return Cow::Borrowed(calls) };
    if runs == Runs::Whole || first.len() <= 2 * CALLS_SHOWN {
        return Cow::Borrowed(calls);
    }
    let left_out = format!("… {} more …", all.len() - 2 * CALLS_SHOWN);
    let begin = all.iter().take(CALLS_SHOWN).copied();
    let end = all.iter().skip(all.len() - CALLS_SHOWN).copied();
    Cow::Owned(begin.chain([left_out.as_str()]).chain(end).collect::<Vec<_>>().join("  "))
}

/// Input, expected and actual, below them a mark where the two differ first.
fn difference(page: &mut Page<'_>, difference: &Difference) {
    input(page, &difference.input);
    let rest = " ".repeat(16);
    let room = page.look.width.saturating_sub(rest.len()).max(16);
    let column = usize::try_from(difference.column).unwrap_or(usize::MAX);
    let cut = Window::around(column, room);
    for (label, text) in [("expected: ", &difference.expected), ("actual:   ", &difference.actual)]
    {
        let text = cut.of(text, page.look);
        page.raw(&format!("{INDENT}{label}{text}"));
    }
    let before = cut.columns_before(&difference.actual, column, page.look);
    let mark = format!("{rest}{}^ call {} differs here", " ".repeat(before), difference.call);
    if columns(&mark) <= page.look.width {
        page.raw(&page.look.paint(Tone::Bad, &mark));
    } else {
        let mark = format!("{rest}{}^", " ".repeat(before));
        page.raw(&page.look.paint(Tone::Bad, &mark));
    }
}

/// The part of two long texts that holds their first difference.
struct Window {
    start: usize,
    length: usize,
}

impl Window {
    fn around(column: usize, room: usize) -> Self {
        let length = room.saturating_sub(2).max(8);
        let start = if column < length * 2 / 3 { 0 } else { column - length / 3 };
        Self { start, length }
    }

    /// The text between the window's edges, with a mark where something is left out.
    fn of(&self, text: &str, look: &Look) -> String {
        let mark = if look.charset == Charset::Unicode { "…" } else { "~" };
        let total = text.chars().count();
        let part: String = text.chars().skip(self.start).take(self.length).collect();
        let part = crate::render::text::cut(&look.spell(&clean(&part)), self.length, "");
        let before = if self.start > 0 { mark } else { "" };
        let after = if self.start + self.length < total { mark } else { "" };
        format!("{before}{part}{after}")
    }

    /// Columns that stand before a character.
    fn columns_before(&self, text: &str, column: usize, look: &Look) -> usize {
        let part: String =
            text.chars().skip(self.start).take(column.saturating_sub(self.start)).collect();
        usize::from(self.start > 0) + columns(&look.spell(&clean(&part)))
    }
}

fn printed(page: &mut Page<'_>, prints: &Prints) {
    page.raw(&format!("{INDENT}printed:"));
    let lead = format!("{INDENT}| ");
    let shown: Vec<_> = prints.text.lines().take(PRINT_LINES_MAX).collect();
    page.verbatim(&lead, Tone::Plain, &shown.join("\n"));
    let more = prints.text.lines().count() > shown.len();
    if more || prints.truncated {
        let bytes = thousands(prints.bytes);
        page.raw(&page.look.paint(Tone::Dim, &format!("{INDENT}(cut; {bytes} bytes in all)")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_apart_in_words() {
        let hit = |detail, value: &str, case: Option<&str>| {
            limit(&LimitHit { detail, value: value.to_owned(), case: case.map(str::to_owned) })
        };
        let all = [
            hit(Detail::Time, "10 s", Some("test_a")),
            hit(Detail::Wall, "30 s", Some("test_a")),
            hit(Detail::Idle, "10 s", Some("test_a")),
            hit(Detail::Memory, "512 MB", None),
            hit(Detail::Output, "64 MB", Some("test_a")),
            hit(Detail::Processes, "16", Some("test_a")),
        ];
        insta::assert_snapshot!(all.join("\n"), @r#"
        timed out (10 s of computing in all), in test_a
        timed out (30 s on the clock in all), in test_a
        timed out (10 s limit for waiting): it computed nothing meanwhile, in test_a
        out of memory (512 MB in all), while the file was being loaded
        wrote more than can be read (64 MB in all), in test_a
        came to too many processes (limit: 16), in test_a
        "#);
    }

    #[test]
    fn long_texts_are_cut_around_their_first_difference() {
        let look = Look { width: 60, ..Look::PLAIN };
        let mut page = Page::new(&look);
        let expected = format!("[{}1, 2]", "0, ".repeat(60));
        let actual = format!("[{}7, 2]", "0, ".repeat(60));
        difference(
            &mut page,
            &Difference { input: "f(3)".to_owned(), call: 1, expected, actual, column: 181 },
        );
        insta::assert_snapshot!(page.finish(), @r#"
        input:    f(3)
        expected: …, 0, 0, 0, 0, 1, 2]
        actual:   …, 0, 0, 0, 0, 7, 2]
                                 ^ call 1 differs here
        "#);
    }

    #[test]
    fn the_mark_stands_below_the_difference_after_wide_and_escaped_characters() {
        let mut page = Page::new(&Look::PLAIN);
        let text = |last: char| format!("漢\u{1b}{last}");
        difference(
            &mut page,
            &Difference {
                input: "f()".to_owned(),
                call: 1,
                expected: text('a'),
                actual: text('b'),
                column: 2,
            },
        );
        insta::assert_snapshot!(page.finish(), @r#"
        input:    f()
        expected: 漢\x1ba
        actual:   漢\x1bb
                        ^ call 1 differs here
        "#);
    }
}
