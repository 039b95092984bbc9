//! The verdict on a submission (000: submit).

use vosim_protocol::v1::evaluation::{Evaluation, Started};
use vosim_protocol::v1::judging::EvalResult;
use vosim_protocol::v1::problem::CaseInfo;

use crate::render::evaluation;
use crate::render::look::{Icon, Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::text::count;

/// The panel, the failing tests and what the evaluator noted.
pub(crate) fn result(result: &EvalResult, infos: &[CaseInfo], look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank().panel(&panel(result, look));
    if evaluation::load(&result.evaluation.load).is_none() {
        evaluation::failing(&mut page, &result.evaluation, infos);
    }
    evaluation::notes(&mut page, &result.evaluation);
    page.finish()
}

fn panel(result: &EvalResult, look: &Look) -> Panel {
    let total = result.tests_passed + result.tests_failed;
    let (tone, status) = if result.passed {
        (Tone::Good, format!("{}Passed", look.icon(Icon::Pass)))
    } else {
        (Tone::Bad, format!("{}Failed", look.icon(Icon::Fail)))
    };
    let mut lines = vec![
        Line::field("Submission", &result.attempt_number.to_string()),
        Line::toned_field("Status", tone, &status),
        Line::field("Tests Passed", &format!("{}/{total}", result.tests_passed)),
        Line::field("Tests Failed", &failed(result, total)),
        Line::field("Runtime", &format!("{}ms", result.runtime_ms)),
    ];
    if !result.passed {
        let detail = result.detail.map_or(String::new(), |detail| format!(" ({})", detail.word()));
        lines.push(Line::field("Failure Type", &format!("{}{detail}", result.failure_type)));
    }
    if let Some(reason) = reason(result) {
        lines.push(Line::field("Reason", &reason));
    }
    Panel::titled("Evaluation Result").section(lines)
}

fn failed(result: &EvalResult, total: u32) -> String {
    match result.not_run.len() {
        0 => format!("{}/{total}", result.tests_failed),
        n => format!("{}/{total} ({n} of them not run)", result.tests_failed),
    }
}

/// What gave the verdict its class: the limit where it was a limit, why the file could not be used, or
/// the first exception. Another test may have met something else.
fn reason(result: &EvalResult) -> Option<String> {
    if let Some(hit) = result.limit.as_ref().filter(|hit| result.detail == Some(hit.detail)) {
        return Some(evaluation::limit(hit));
    }
    let load = evaluation::load(&result.evaluation.load).map(str::to_owned);
    load.or_else(|| result.exception.clone())
}

/// With which runtime, and whether it was started for this run; None in older records.
pub(crate) fn judged_by(result: &EvalResult, look: &Look) -> Option<String> {
    let Evaluation { language, runtime, started, .. } = &*result.evaluation;
    let name = language.runtime();
    let how = match (*started)? {
        Started::Cold => "started for this run (cold)",
        Started::Warm => "which had been waiting (warm)",
        Started::Mixed => "partly waiting, partly started for this run (mixed)",
    };
    let mut page = Page::new(look);
    page.blank().say(Tone::Plain, &format!("Judged by {name} {runtime}, {how}."));
    Some(page.finish())
}

/// What to do after a verdict.
pub(crate) fn next_step(passed: bool, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank().say(
        Tone::Plain,
        if passed {
            "Finish with: vosimctl end"
        } else {
            "Try again or type 'vosimctl hint' for guidance."
        },
    );
    page.finish()
}

/// A trial run of visible and own cases, which is no submission.
pub(crate) fn tested(evaluation: &Evaluation, infos: &[CaseInfo], look: &Look) -> String {
    let mut page = Page::new(look);
    let total = evaluation.cases.len();
    let passed = evaluation.cases.iter().filter(|case| case.outcome.passed()).count();
    if let Some(message) = evaluation::load(&evaluation.load) {
        let lead = format!("{}Failed: ", look.icon(Icon::Fail));
        page.hanging(&lead, "  ", Tone::Bad, message);
        evaluation::notes_only(&mut page, evaluation);
        return page.finish();
    }
    evaluation::all(&mut page, evaluation, infos);
    evaluation::notes_only(&mut page, evaluation);
    if let Some(hit) = &evaluation.limit {
        page.blank().say(Tone::Bad, &format!("Stopped: {}", evaluation::limit(hit)));
    }
    let cases = count(total as u64, "case");
    let (tone, icon, word, how) = if passed == total {
        (Tone::Good, Icon::Pass, "Passed", "")
    } else {
        (Tone::Bad, Icon::Fail, "Failed", " passed")
    };
    let text = format!(
        "{}{word}: {passed} of {cases}{how} in {}ms. This was not a submission; hidden tests were not run.",
        look.icon(icon),
        evaluation.runtime_ms
    );
    page.blank().say(tone, &text);
    page.finish()
}

/// The same in short, for somebody who saves again and again: the first case that fails, and what the
/// cases return that only `asked` for it.
pub(crate) fn watched(
    evaluation: &Evaluation,
    infos: &[CaseInfo],
    asked: &[&str],
    look: &Look,
) -> String {
    let mut page = Page::new(look);
    page.blank();
    let (icons, ms) = ([Icon::Fail, Icon::Pass].map(|icon| look.icon(icon)), evaluation.runtime_ms);
    let [failed, passed] = icons;
    if let Some(message) = evaluation::load(&evaluation.load) {
        page.hanging(&format!("{failed}Failed: "), "  ", Tone::Bad, message);
        evaluation::notes_only(&mut page, evaluation);
        return page.finish();
    }
    let total = evaluation.cases.len();
    let good = evaluation.cases.iter().filter(|case| case.outcome.passed()).count();
    let cases = count(total as u64, "case");
    if good == total {
        page.say(Tone::Good, &format!("{passed}Passed: {good} of {cases} in {ms}ms."));
    } else {
        page.say(Tone::Bad, &format!("{failed}Failed: {good} of {cases} passed in {ms}ms."));
    }
    evaluation::in_short(&mut page, evaluation, infos, asked);
    evaluation::notes_only(&mut page, evaluation);
    page.finish()
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::evaluation::Prints;

    use super::*;
    use crate::render::look::Charset;
    use crate::render::samples;

    #[test]
    fn a_wrong_answer_shows_input_expected_and_actual_and_keeps_hidden_data_hidden() {
        let shown = result(&samples::wrong_answer(), &samples::infos(), &Look::PLAIN);
        insta::assert_snapshot!(shown, @r#"
        ╭───────────────── Evaluation Result ─────────────────╮
        │ Submission: 3                                       │
        │ Status: ❌ Failed                                   │
        │ Tests Passed: 1/5                                   │
        │ Tests Failed: 4/5                                   │
        │ Runtime: 145ms                                      │
        │ Failure Type: EXCEPTION (exception)                 │
        │ Reason: KeyError: 7 (lru_cache.py, line 12, in put) │
        ╰─────────────────────────────────────────────────────╯

        Failing Tests:
          • test_eviction_order_simple (Eviction): wrong answer
              input:    LRUCache(2)  put(1, 1)  put(2, 2)  put(3, 3)  get(1)
              expected: -1
              actual:   1
                        ^ call 5 differs here
              printed:
              | evicting \x1b[31m2
              | cache = {1: 1, 3: 3}
              (cut; 9,000 bytes in all)
          • test_capacity_large (Edge Case, hidden): wrong answer
              Its data is hidden. A public case of the same kind fails too:
              input:    LRUCache(3)  put(1, 10)  get(1)
              expected: 10
              actual:   100
                          ^ call 3 differs here
          • test_all_same_key (Edge Case, hidden): raised KeyError: 7 (lru_cache.py,
            line 12, in put)
              input:    LRUCache(3)  put(7, 1)  put(7, 2)  put(8, 1000)  put(9, 2000)
                        put(10, 3000)
              call 6:   KeyError: 7
          • test_deterministic_random (Randomized, hidden): wrong answer
              Its data is hidden. It is about: Fixed seed: 100 random ops

        Note: The file uses OrderedDict without importing it.

        1 passing test printed something; see it with: vosimctl test FILE
        "#);
    }

    #[test]
    fn a_watched_file_is_told_in_short() {
        let verdict = samples::wrong_answer();
        let mut tried = (*verdict.evaluation).clone();
        let shown = |tried: &Evaluation, asked: &[&str]| {
            watched(tried, &samples::infos(), asked, &Look::PLAIN)
        };
        insta::assert_snapshot!(shown(&tried, &[]), @r"
        ❌ Failed: 1 of 5 cases passed in 145ms.
          • test_eviction_order_simple (Eviction): wrong answer
              input:    LRUCache(2)  put(1, 1)  put(2, 2)  put(3, 3)  get(1)
              expected: -1
              actual:   1
                        ^ call 5 differs here
              printed:
              | evicting \x1b[31m2
              | cache = {1: 1, 3: 3}
              (cut; 9,000 bytes in all)
          and test_capacity_large, test_all_same_key, test_deterministic_random

        Note: The file uses OrderedDict without importing it.
        ");
        for case in &mut tried.cases {
            case.outcome = vosim_protocol::v1::evaluation::CaseOutcome::Passed;
            case.shown = None;
            case.prints = None;
        }
        tried.cases[0].returned = Some("[None, 1]".to_owned());
        let name = tried.cases[0].name.clone();
        insta::assert_snapshot!(shown(&tried, &[&name]), @r"
        ✅ Passed: 5 of 5 cases in 145ms.
          • test_basic_put_get (Basic): passed
              returned: [None, 1]

        Note: The file uses OrderedDict without importing it.
        ");
    }

    #[test]
    fn whether_the_interpreter_had_been_waiting_is_told_where_it_is_known() {
        let mut told = samples::pass();
        assert_eq!(judged_by(&told, &Look::PLAIN), None);
        told.evaluation.started = Some(Started::Warm);
        let shown = judged_by(&told, &Look::PLAIN).unwrap();
        assert_eq!(shown, "\nJudged by Python 3.11.7, which had been waiting (warm).\n");
    }

    #[test]
    fn that_more_was_printed_than_is_kept_is_told_with_a_pass() {
        let mut told = samples::pass();
        let text = "line 1\n".to_owned();
        told.evaluation.cases[0].prints = Some(Prints { text, bytes: 9_000_000, truncated: true });
        let shown = result(&told, &samples::infos(), &Look::PLAIN);
        let line = "1 passing test printed more than is kept; see it with: vosimctl test FILE\n";
        assert!(shown.ends_with(line), "{shown}");
    }

    #[test]
    fn a_pass() {
        let shown = result(&samples::pass(), &samples::infos(), &Look::PLAIN);
        insta::assert_snapshot!(shown + &next_step(true, &Look::PLAIN), @r#"
        ╭────────────── Evaluation Result ───────────────╮
        │ Submission: 3                                  │
        │ Status: ✅ Passed                              │
        │ Tests Passed: 5/5                              │
        │ Tests Failed: 0/5                              │
        │ Runtime: 145ms                                 │
        ╰────────────────────────────────────────────────╯

        Finish with: vosimctl end
        "#);
    }

    #[test]
    fn a_time_out_names_limit_and_case_and_keeps_what_was_judged() {
        let shown = result(&samples::time_out(), &samples::infos(), &Look::PLAIN);
        insta::assert_snapshot!(shown, @r#"
        ╭───────────────────────────── Evaluation Result ─────────────────────────────╮
        │ Submission: 3                                                               │
        │ Status: ❌ Failed                                                           │
        │ Tests Passed: 1/5                                                           │
        │ Tests Failed: 4/5 (3 of them not run)                                       │
        │ Runtime: 145ms                                                              │
        │ Failure Type: EXCEPTION (time)                                              │
        │ Reason: timed out (10 s of computing in all), in test_eviction_order_simple │
        ╰─────────────────────────────────────────────────────────────────────────────╯

        Failing Tests:
          • test_eviction_order_simple (Eviction): timed out (10 s of computing in all)

        Not run, because the limit was used up:
          test_capacity_large, test_all_same_key, test_deterministic_random
        "#);
    }

    #[test]
    fn an_import_error_shows_the_line_and_no_list_of_tests() {
        let shown = result(&samples::import_error(), &samples::infos(), &Look::PLAIN);
        insta::assert_snapshot!(shown, @r#"
        ╭─────────────────── Evaluation Result ────────────────────╮
        │ Submission: 3                                            │
        │ Status: ❌ Failed                                        │
        │ Tests Passed: 0/5                                        │
        │ Tests Failed: 5/5 (5 of them not run)                    │
        │ Runtime: 145ms                                           │
        │ Failure Type: IMPORT_ERROR (syntax)                      │
        │ Reason: SyntaxError: expected ':' (lru_cache.py, line 4) │
        ╰──────────────────────────────────────────────────────────╯
        "#);
    }

    #[test]
    fn a_wrong_signature_names_what_was_found() {
        let shown = result(&samples::wrong_signature(), &samples::infos(), &Look::PLAIN);
        insta::assert_snapshot!(shown + &next_step(false, &Look::PLAIN), @r#"
        ╭────────────── Evaluation Result ───────────────╮
        │ Submission: 3                                  │
        │ Status: ❌ Failed                              │
        │ Tests Passed: 0/5                              │
        │ Tests Failed: 5/5 (5 of them not run)          │
        │ Runtime: 145ms                                 │
        │ Failure Type: WRONG_SIGNATURE (signature)      │
        │ Reason: found Get, needed get(key)             │
        ╰────────────────────────────────────────────────╯

        Try again or type 'vosimctl hint' for guidance.
        "#);
    }

    #[test]
    fn a_narrow_ascii_result() {
        let look = Look { width: 40, charset: Charset::Ascii, ..Look::PLAIN };
        insta::assert_snapshot!(result(&samples::wrong_answer(), &samples::infos(), &look), @r#"
        +--------- Evaluation Result ----------+
        | Submission: 3                        |
        | Status: Failed                       |
        | Tests Passed: 1/5                    |
        | Tests Failed: 4/5                    |
        | Runtime: 145ms                       |
        | Failure Type: EXCEPTION (exception)  |
        | Reason:                              |
        |   KeyError: 7 (lru_cache.py, line    |
        |   12, in put)                        |
        +--------------------------------------+

        Failing Tests:
          * test_eviction_order_simple
            (Eviction): wrong answer
              input:    LRUCache(2)  put(1, 1)
                        put(2, 2)  put(3, 3)
                        get(1)
              expected: -1
              actual:   1
                        ^ call 5 differs here
              printed:
              | evicting \x1b[31m2
              | cache = {1: 1, 3: 3}
              (cut; 9,000 bytes in all)
          * test_capacity_large (Edge Case,
            hidden): wrong answer
              Its data is hidden. A public case
              of the same kind fails too:
              input:    LRUCache(3)  put(1, 10)
                        get(1)
              expected: 10
              actual:   100
                          ^ call 3 differs here
          * test_all_same_key (Edge Case,
            hidden): raised KeyError: 7
            (lru_cache.py, line 12, in put)
              input:    LRUCache(3)  put(7, 1)
                        put(7, 2)  put(8, 1000)
                        put(9, 2000)
                        put(10, 3000)
              call 6:   KeyError: 7
          * test_deterministic_random
            (Randomized, hidden): wrong answer
              Its data is hidden. It is about:
              Fixed seed: 100 random ops

        Note: The file uses OrderedDict without
              importing it.

        1 passing test printed something; see it
        with: vosimctl test FILE
        "#);
    }

    #[test]
    fn a_trial_run() {
        let evaluation = samples::wrong_answer().evaluation;
        insta::assert_snapshot!(tested(&evaluation, &samples::infos(), &Look::PLAIN), @r#"
          • test_basic_put_get (Basic): passed
              printed:
              | hello
          • test_eviction_order_simple (Eviction): wrong answer
              input:    LRUCache(2)  put(1, 1)  put(2, 2)  put(3, 3)  get(1)
              expected: -1
              actual:   1
                        ^ call 5 differs here
              printed:
              | evicting \x1b[31m2
              | cache = {1: 1, 3: 3}
              (cut; 9,000 bytes in all)
          • test_capacity_large (Edge Case, hidden): wrong answer
              Its data is hidden. A public case of the same kind fails too:
              input:    LRUCache(3)  put(1, 10)  get(1)
              expected: 10
              actual:   100
                          ^ call 3 differs here
          • test_all_same_key (Edge Case, hidden): raised KeyError: 7 (lru_cache.py,
            line 12, in put)
              input:    LRUCache(3)  put(7, 1)  put(7, 2)  put(8, 1000)  put(9, 2000)
                        put(10, 3000)
              call 6:   KeyError: 7
          • test_deterministic_random (Randomized, hidden): wrong answer
              Its data is hidden. It is about: Fixed seed: 100 random ops

        Note: The file uses OrderedDict without importing it.

        ❌ Failed: 1 of 5 cases passed in 145ms. This was not a submission; hidden tests
        were not run.
        "#);
    }
}
