//! Why a test failed (003: explain-failure): first in the candidate's words, then in ours, and never in code.

use vosim_protocol::next::Next;
use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{Event, FailureExplained, FailureGuidance, Step};
use vosim_protocol::v1::evaluation::{CaseOutcome, CaseResult, Load};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::problem::{Interface, Issue, IssueMatch, Problem};

use super::state::{Draft, State};
use super::steps::{in_step, required, v2};
use crate::parts::naming::{Named, named};
use crate::parts::text::sentences;
use crate::parts::words::TEXT_MAX_BYTES;
use crate::parts::{admission, verdict};
use crate::rejection::Rejection;

/// 003: explain-failure; the candidate explains first, then is told what it may be, and no code.
pub(super) fn explain(
    draft: &mut Draft<'_>,
    test_index: u32,
    told: [&str; 4],
) -> Result<(), Rejection> {
    const COMMAND: &str = "explain a failed test";
    let [test_input, expected, actual, user_explanation] = told;
    let state = draft.state();
    v2(state, COMMAND)?;
    in_step(state, COMMAND, &[Step::Verify])?;
    for text in told {
        admission::bound("the text", text.len() as u64, TEXT_MAX_BYTES)?;
    }
    required("your explanation", user_explanation)?;
    let cases = state.evaluation.as_ref().map(|found| found.cases.as_slice()).unwrap_or_default();
    let place = usize::try_from(test_index).unwrap_or(usize::MAX);
    let case = cases.get(place).filter(|case| !case.outcome.passed());
    let Some(case) = case else {
        let failed = cases.iter().enumerate().filter(|(_, case)| !case.outcome.passed());
        let failed: Vec<_> = failed.map(|(at, case)| format!("{at} ({})", case.name)).collect();
        let message = format!("test {test_index} did not fail in the last run");
        let next = vec![Next::edit(format!("name one that failed: {}", failed.join(", ")))];
        return Err(Rejection::InvalidInput { message, next });
    };
    // The shortest run that fails says more than the case of which it was made.
    let known = match (traced(state, case), case.shown.as_ref().or(case.twin.as_ref())) {
        (Some(short), _) => short,
        (None, Some(known)) => [&known.input, &known.expected, &known.actual].map(String::clone),
        (None, None) => Default::default(),
    };
    let or_known = |given: &str, at: usize| {
        if given.is_empty() { known[at].clone() } else { given.to_owned() }
    };
    let explained = FailureExplained {
        test_index,
        test_input: or_known(test_input, 0),
        expected: or_known(expected, 1),
        actual: or_known(actual, 2),
        user_explanation: user_explanation.to_owned(),
        guidance: guidance(state, case, user_explanation),
    };
    draft.push(Event::FailureExplained(explained));
    Ok(())
}

/// The shortest run of a case that fails, what its last call must give, and what it gives.
fn traced(state: &State, case: &CaseResult) -> Option<[String; 3]> {
    let traced = state.trace.as_ref().filter(|traced| traced.case == case.name)?;
    let trace = traced.trace.as_ref().filter(|trace| trace.omitted == 0)?;
    let last = trace.calls.last()?;
    let calls: Vec<_> = trace.calls.iter().map(|call| call.call.as_str()).collect();
    let said = |text: &Option<String>| text.clone().unwrap_or_default();
    Some([calls.join("  "), said(&last.expected), said(&last.actual)])
}

/// What may have gone wrong in a case, from the facts of its run, and whether the candidate has said it.
fn guidance(state: &State, case: &CaseResult, said: &str) -> FailureGuidance {
    let problem = &state.spec.problem;
    let found = state.evaluation.as_ref().map(|found| verdict::classify(found));
    let issue = found.as_ref().and_then(|verdict| verdict::issue(&problem.issues, verdict));
    let shown = issue.zip(found.as_ref());
    let shown = shown.and_then(|(issue, found)| verdict::evidence(&problem.runs, issue, found));
    let happened = happened(state, case);
    let short = traced(state, case);
    let call = case.shown.as_ref().or(case.twin.as_ref()).map(|known| known.call);
    let step = match call {
        _ if not_loaded(state).is_some() => phrase!("failure.step_load"),
        _ if short.is_some() => phrase!("failure.step_traced"),
        Some(call) if call > 1 => phrase!("failure.step_call", call, before = call - 1),
        None if matches!(case.outcome, CaseOutcome::Limit { .. } | CaseOutcome::NotRun) => {
            phrase!("failure.step_limit")
        }
        Some(_) | None => phrase!("failure.step_first"),
    };
    let short = short.map(|[calls, ..]| phrase!("failure.traced", calls));
    let shown = [Some(heard(problem, issue, said)), Some(happened), short, shown];
    let shown: Vec<_> = shown.into_iter().flatten().collect();
    let back = back_to(problem, &shown);
    let happened = shown.into_iter().chain(back).map(|phrase| phrase.text);
    FailureGuidance {
        likely_bug_type: slip(problem, issue),
        failing_case_explanation: happened.collect::<Vec<_>>().join(" "),
        suggested_next_debug_step: step.text,
    }
}

/// What happened in a case, from the facts of its run.
fn happened(state: &State, case: &CaseResult) -> Phrase {
    if let Some(message) = not_loaded(state) {
        return phrase!("failure.not_loaded", message);
    }
    let test = case.name.as_str();
    match (&case.outcome, &case.shown, &case.twin) {
        (CaseOutcome::Raised { exception }, ..) => {
            phrase!("failure.raised", test, exception = exception.as_str())
        }
        (CaseOutcome::Limit { .. }, ..) => {
            let hit = state.evaluation.as_ref().and_then(|found| found.limit.as_ref());
            let what = hit.map(|hit| verdict::limit_sentence(hit.detail, &hit.value));
            phrase!("failure.limit", test, what = what.unwrap_or_default())
        }
        (CaseOutcome::Crashed { message, .. }, ..) => {
            phrase!("failure.crashed", test, message = message.as_str())
        }
        (CaseOutcome::NotRun, ..) => phrase!("failure.not_run", test),
        (_, Some(known), _) => phrase!(
            "failure.differs",
            test,
            call = known.call,
            expected = known.expected.as_str(),
            actual = known.actual.as_str()
        ),
        (_, None, Some(known)) => phrase!(
            "failure.twin_differs",
            test,
            input = known.input.as_str(),
            expected = known.expected.as_str(),
            actual = known.actual.as_str()
        ),
        (_, None, None) => phrase!("failure.unknown", test),
    }
}

/// Why nothing could be called in the last run; none where the file was loaded.
fn not_loaded(state: &State) -> Option<&str> {
    match &state.evaluation.as_ref()?.load {
        Load::Loaded => None,
        Load::ImportError { message, .. }
        | Load::Crashed { message, .. }
        | Load::WrongSignature { message } => Some(message),
    }
}

/// The sort of slip in plain words, as the issue's own text begins, with its id. The issue that fits
/// everything is none.
fn slip(problem: &Problem, issue: Option<&Issue>) -> String {
    let Some(issue) = issue else { return phrase!("failure.no_kind").text };
    if issue.when == IssueMatch::default() {
        return format!("{} ({})", phrase!("failure.no_kind").text, issue.id);
    }
    let text = issue.feedback.replace("{facts}", "");
    let text = text.replace("{runs}", &problem.runs.len().to_string());
    let text = text.replace("{total}", &problem.cases.len().to_string());
    let first = sentences(&text).first().copied().unwrap_or_default();
    let plain =
        first.trim_end_matches(|c: char| c.is_ascii_punctuation() && !matches!(c, '`' | ')'));
    format!("{plain} ({})", issue.id).trim_start().to_owned()
}

/// What is said of the candidate's own words: whether they name what the runs point to.
fn heard(problem: &Problem, issue: Option<&Issue>, said: &str) -> Phrase {
    // The issue that fits everything is no cause.
    let cause = issue.filter(|issue| issue.when != IssueMatch::default());
    match named(said, problem, cause) {
        Named::Nothing => phrase!("failure.says_nothing"),
        Named::Cause => phrase!("failure.named"),
        Named::Near => phrase!("failure.near"),
        Named::Other if cause.is_none() => phrase!("failure.cannot_tell"),
        Named::Other => phrase!("failure.not_named"),
    }
}

/// What a call means that goes back to an object made before, where one of the runs shows it.
fn back_to(problem: &Problem, shown: &[Phrase]) -> Option<Phrase> {
    let Interface::Class { name, .. } = &problem.interface else { return None };
    let mark = format!("{name}@");
    let rest =
        shown.iter().find_map(|phrase| phrase.text.split_once(&mark)).map(|(_, rest)| rest)?;
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(phrase!("failure.back_to", name = name.as_str(), number))
}
