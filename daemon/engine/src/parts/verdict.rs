//! Classifies what the evaluator found (000: classification rules, in their order).

use std::collections::BTreeMap;

use vosim_protocol::v1::evaluation::{
    CaseOutcome, CaseResult, Detail, Evaluation, FailureType, LimitHit, Load, SmallRuns, WrongRun,
};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::problem::{Issue, IssueMatch, Problem, SmallRun};
use vosim_protocol::{Wire, phrase};

use crate::parts::words::{self, MESSAGE_MAX_BYTES, TEXT_MAX_BYTES};

/// Most bytes an evaluation may take inside an event; a record holds 64 KiB.
const EVALUATION_MAX_BYTES: usize = 40 * 1024;
/// Most bytes of an evaluation with the names that stand beside it; leaves room for the rest of a
/// record.
const VERDICT_MAX_BYTES: usize = 60 * 1024;
/// Most notes, and most bytes of each.
const NOTES_MAX: usize = 6;
const NOTE_MAX_BYTES: usize = 256;
/// What a shortened evaluation says of itself.
const LEFT_OUT: &str = "Some of the output was left out of the record.";

/// The class of a submission with everything it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The class.
    pub failure_type: FailureType,
    /// Why it applies; none for a pass.
    pub detail: Option<Detail>,
    /// Cases that passed.
    pub tests_passed: u32,
    /// All others.
    pub tests_failed: u32,
    /// Those others in suite order (DECISIONS 16).
    pub failing_tests: Vec<String>,
    /// The first exception, crash or limit, one line.
    pub exception: Option<String>,
    /// The limit that ended the run.
    pub limit: Option<LimitHit>,
    /// Cases a limit left without their turn.
    pub not_run: Vec<String>,
    /// True when no test was reached: it ended while the file was being loaded.
    pub while_loading: bool,
    /// What the small runs showed.
    pub small_runs: Option<SmallRuns>,
}

/// Classifies an evaluation.
pub fn classify(evaluation: &Evaluation) -> Verdict {
    let usable = evaluation.load == Load::Loaded;
    let failing: Vec<_> =
        evaluation.cases.iter().filter(|case| !usable || !case.outcome.passed()).collect();
    let failed = count(failing.len());
    let passed = count(evaluation.cases.len()) - failed;
    let (failure_type, detail, exception) = class(evaluation, passed, failed);
    Verdict {
        while_loading: matches!(
            evaluation.load,
            Load::Crashed { .. } | Load::ImportError { detail: Detail::Exit, .. }
        ),
        small_runs: evaluation.small_runs.clone(),
        failure_type,
        detail,
        tests_passed: passed,
        tests_failed: failed,
        failing_tests: failing.iter().map(|case| case.name.clone()).collect(),
        exception,
        limit: evaluation.limit.clone(),
        not_run: evaluation
            .cases
            .iter()
            .filter(|case| case.outcome == CaseOutcome::NotRun)
            .map(|case| case.name.clone())
            .collect(),
    }
}

/// The rules of 000 in their order: import, signature, exception, then the share that passed.
fn class(
    evaluation: &Evaluation,
    passed: u32,
    failed: u32,
) -> (FailureType, Option<Detail>, Option<String>) {
    match &evaluation.load {
        Load::ImportError { detail, message } => {
            return (FailureType::ImportError, Some(*detail), Some(message.clone()));
        }
        Load::WrongSignature { message } => {
            return (FailureType::WrongSignature, Some(Detail::Signature), Some(message.clone()));
        }
        Load::Crashed { detail, message } => {
            return (FailureType::Exception, Some(*detail), Some(message.clone()));
        }
        Load::Loaded => {}
    }
    if let Some((detail, message)) = evaluation.cases.iter().find_map(|c| broken(c, evaluation)) {
        return (FailureType::Exception, Some(detail), Some(message));
    }
    match (passed, failed) {
        (_, 0) => (FailureType::Pass, None, None),
        (passed, failed) if passed >= failed => {
            (FailureType::PartialPass, Some(Detail::Value), None)
        }
        _ => (FailureType::WrongAnswer, Some(Detail::Value), None),
    }
}

/// How a case came to no answer at all, if it did.
fn broken(case: &CaseResult, evaluation: &Evaluation) -> Option<(Detail, String)> {
    match &case.outcome {
        CaseOutcome::Raised { exception } => Some((Detail::Exception, exception.clone())),
        CaseOutcome::Crashed { detail, message } => Some((*detail, message.clone())),
        CaseOutcome::Limit { detail } => {
            let value = evaluation.limit.as_ref().map_or("", |limit| limit.value.as_str());
            Some((*detail, limit_sentence(*detail, value)))
        }
        CaseOutcome::Passed | CaseOutcome::Failed | CaseOutcome::NotRun => None,
    }
}

/// What a user is told of an exhausted limit; waiting and computing are different sentences.
pub fn limit_sentence(detail: Detail, value: &str) -> String {
    match detail {
        Detail::Time => format!("timed out ({value} limit)"),
        Detail::Wall => format!("took too long on the clock ({value} limit)"),
        Detail::Idle => format!("waited without computing ({value} limit)"),
        Detail::Memory => format!("needed too much memory ({value} limit)"),
        Detail::Output => format!("wrote too much output ({value} limit)"),
        Detail::Processes => format!("needed too many processes or threads ({value} limit)"),
        Detail::Signal
        | Detail::Exit
        | Detail::Exception
        | Detail::Syntax
        | Detail::Missing
        | Detail::Signature
        | Detail::Value => format!("ended early ({})", detail.word()),
    }
}

/// The first issue that fits, in the problem's own order.
pub fn issue<'a>(issues: &'a [Issue], verdict: &Verdict) -> Option<&'a Issue> {
    issues.iter().find(|issue| fits(&issue.when, verdict))
}

/// A list that is empty does not matter; the others must all agree.
fn fits(when: &IssueMatch, verdict: &Verdict) -> bool {
    let failing = |name: &String| verdict.failing_tests.contains(name);
    (when.failure_types.is_empty() || when.failure_types.contains(&verdict.failure_type))
        && (when.details.is_empty() || verdict.detail.is_some_and(|d| when.details.contains(&d)))
        && (when.failing.is_empty() || when.failing.iter().any(failing))
        && !when.passing.iter().any(failing)
        && (!when.while_loading || verdict.while_loading)
        && (when.exceptions.is_empty() || when.exceptions.iter().any(|kind| raised(verdict, kind)))
        && shown(when, verdict).is_some()
}

/// Whether the verdict's exception is of a kind: its text begins with it.
fn raised(verdict: &Verdict, kind: &str) -> bool {
    let text = verdict.exception.as_deref().unwrap_or_default();
    text.strip_prefix(kind).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// The runs that show an issue: none by name where it rests on no run.
fn shown(when: &IssueMatch, verdict: &Verdict) -> Option<Vec<String>> {
    if when.shows.is_empty() && !when.all_right {
        return Some(Vec::new());
    }
    let runs = verdict.small_runs.as_ref()?;
    if when.all_right {
        return runs.wrong.is_empty().then(Vec::new);
    }
    let wrong = |name: &str| runs.wrong.iter().find(|run| run.name == name);
    let gave = |(name, pattern): (&String, &String)| match (pattern.as_str(), wrong(name)) {
        ("right", run) => run.is_none(),
        ("wrong", run) => run.is_some_and(|run| run.answers.is_some()),
        (pattern, Some(WrongRun { answers: Some(answers), .. })) => is_like(answers, pattern),
        (_, Some(WrongRun { answers: None, .. }) | None) => false,
    };
    let fits = |named: &&BTreeMap<String, String>| {
        named.iter().all(gave)
            && (!when.only || runs.wrong.iter().all(|run| named.contains_key(&run.name)))
    };
    let named = when.shows.iter().find(fits)?;
    let telling = runs.wrong.iter().map(|run| &run.name).filter(|name| named.contains_key(*name));
    Some(telling.cloned().collect())
}

/// Whether answers are those of a pattern, word by word; `*` stands for any.
fn is_like(answers: &str, pattern: &str) -> bool {
    let (mut answers, mut pattern) = (answers.split(' '), pattern.split(' '));
    loop {
        match (answers.next(), pattern.next()) {
            (None, None) => return true,
            (Some(answer), Some(like)) if like == "*" || like == answer => {}
            (None | Some(_), None | Some(_)) => return false,
        }
    }
}

/// The first run that shows an issue, as a sentence: all its calls, what had to come back, and what
/// did. Of one that raised an exception, the calls up to there.
pub fn evidence(runs: &[SmallRun], issue: &Issue, verdict: &Verdict) -> Option<Phrase> {
    let shown = shown(&issue.when, verdict)?;
    let run = runs.iter().find(|run| shown.contains(&run.name))?;
    let wrong = verdict.small_runs.as_ref()?.wrong.iter().find(|wrong| wrong.name == run.name)?;
    let mut given = wrong.answers.as_ref()?.split(' ');
    let (mut calls, mut expected, mut actual) = (Vec::new(), Vec::new(), Vec::new());
    for op in &run.ops {
        let args: Vec<_> = op.args.iter().map(ToString::to_string).collect();
        calls.push(format!("{}({})", op.call, args.join(", ")));
        let Some(answer) = &op.expect else { continue };
        let answer = answer.to_string();
        match given.next() {
            None | Some("!") if actual == expected => {
                return Some(phrase!("run.raised", calls = in_code(&calls), expected = answer));
            }
            None | Some("!") => {
                expected.push(answer);
                actual.push("an exception".to_owned());
                break;
            }
            Some(word) if as_kept(word) == as_kept(&answer) => actual.push(answer.clone()),
            Some(word) => actual.push(plain(word).to_owned()),
        }
        expected.push(answer);
    }
    if actual == expected {
        return None;
    }
    let calls = in_code(&calls);
    let [expected, actual] = [expected, actual].map(|answers| answers.join(", "));
    Some(phrase!("run.differs", calls, expected, actual))
}

fn in_code(calls: &[String]) -> String {
    format!("`{}`", calls.join("  "))
}

/// Most characters of an answer that the evidence keeps.
const ANSWER_KEPT: usize = 24;

/// An answer in one spelling for case data and for every language, as short as the evidence keeps it.
fn as_kept(answer: &str) -> String {
    let bare = answer.chars().filter(|c| !c.is_whitespace() && !c.is_control());
    let mut bare: String = bare.map(|c| if c == '\'' { '"' } else { c }).collect();
    if let Some((end, _)) = bare.char_indices().nth(ANSWER_KEPT) {
        bare.truncate(end);
        bare.push('…');
    }
    WORDS.iter().fold(bare, |text, (word, plain)| text.replace(word, plain))
}

/// Words of Python and how the data of a case spells them.
const WORDS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];

/// An answer as it is spelled beside what was expected.
fn plain(answer: &str) -> &str {
    WORDS.iter().find(|(word, _)| *word == answer).map_or(answer, |known| known.1)
}

/// Cuts an evaluation down to what an event may hold: messages to their bound, then what was
/// printed, then what is shown of cases late in the suite. How a case ended is never cut.
///
/// What was cut once is not cut again, so a replay comes to the same evaluation.
pub fn bounded(mut evaluation: Evaluation) -> Evaluation {
    bound_messages(&mut evaluation);
    let room = EVALUATION_MAX_BYTES.min(VERDICT_MAX_BYTES.saturating_sub(names_len(&evaluation)));
    let mut size = evaluation.to_line().len();
    if size <= room {
        return evaluation;
    }
    evaluation.notes.truncate(NOTES_MAX - 1);
    evaluation.notes.push(LEFT_OUT.to_owned());
    size += LEFT_OUT.len() + 3 + r#","notes":[]"#.len();
    for cut in CUTS {
        for case in evaluation.cases.iter_mut().rev() {
            let before = case.to_line().len();
            cut(case);
            size -= before - case.to_line().len();
            if size <= room {
                return evaluation;
            }
        }
    }
    evaluation
}

/// What the lists of failing and of not run cases take beside the evaluation.
fn names_len(evaluation: &Evaluation) -> usize {
    let verdict = classify(evaluation);
    verdict.failing_tests.iter().chain(&verdict.not_run).map(|name| name.len() + 3).sum()
}

/// What is cut, least telling first.
const CUTS: [fn(&mut CaseResult); 6] = [
    |case| {
        if case.outcome.passed() {
            case.prints = None;
        }
    },
    |case| case.prints = None,
    |case| case.twin = None,
    |case| case.shown = None,
    |case| shorten(&mut case.outcome, 80),
    |case| shorten(&mut case.outcome, "…".len()),
];

fn bound_messages(evaluation: &mut Evaluation) {
    match &mut evaluation.load {
        Load::ImportError { message, .. }
        | Load::Crashed { message, .. }
        | Load::WrongSignature { message } => bound(message, MESSAGE_MAX_BYTES),
        Load::Loaded => {}
    }
    for case in &mut evaluation.cases {
        shorten(&mut case.outcome, MESSAGE_MAX_BYTES);
    }
    evaluation.notes.truncate(NOTES_MAX);
    for text in evaluation.notes.iter_mut().chain([&mut evaluation.runtime]) {
        bound(text, NOTE_MAX_BYTES);
    }
    if let Some(limit) = &mut evaluation.limit {
        bound(&mut limit.value, NOTE_MAX_BYTES);
    }
}

fn shorten(outcome: &mut CaseOutcome, max: usize) {
    match outcome {
        CaseOutcome::Raised { exception: text } | CaseOutcome::Crashed { message: text, .. } => {
            bound(text, max);
        }
        CaseOutcome::Passed
        | CaseOutcome::Failed
        | CaseOutcome::Limit { .. }
        | CaseOutcome::NotRun => {}
    }
}

fn bound(text: &mut String, max: usize) {
    *text = words::cut(std::mem::take(text), max);
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Puts what is known of a run into a feedback text: `{facts}`, whole sentences about how it went;
/// `{total}`, the number of tests; `{runs}`, that of small runs. Anything else stays as it is.
pub fn fill(template: &str, problem: &Problem, evaluation: &Evaluation) -> String {
    let facts: Vec<_> = facts(problem, evaluation).into_iter().map(|fact| fact.text).collect();
    let text = template
        .replace("{facts}", &facts.join(" "))
        .replace("{total}", &evaluation.cases.len().to_string())
        .replace("{runs}", &problem.runs.len().to_string());
    words::cut(text, TEXT_MAX_BYTES)
}

/// How a run went, each sentence made of what that run left: which test broke it, how, at which
/// limit, how many passed, and how many had no turn.
pub fn facts(problem: &Problem, evaluation: &Evaluation) -> Vec<Phrase> {
    let verdict = classify(evaluation);
    let (passed, total) = (verdict.tests_passed, verdict.tests_passed + verdict.tests_failed);
    match &evaluation.load {
        Load::ImportError { .. } | Load::WrongSignature { .. } => {
            return vec![phrase!("fact.none_ran", total)];
        }
        Load::Crashed { message, .. } => {
            return vec![phrase!("fact.ended_while_loading", message = message.as_str(), total)];
        }
        Load::Loaded => {}
    }
    let mut facts = Vec::new();
    // The case that gives the verdict its class.
    if let Some(case) = evaluation.cases.iter().find(|case| broken(case, evaluation).is_some()) {
        facts.push(broke(case, evaluation));
        let visible = problem.cases.iter().any(|info| info.name == case.name && info.visible);
        if !visible && matches!(case.outcome, CaseOutcome::Raised { .. }) {
            facts.push(phrase!("fact.hidden"));
        }
    }
    facts.push(phrase!("fact.passed", passed, total));
    if !verdict.not_run.is_empty() {
        facts.push(phrase!("fact.not_run", number = count(verdict.not_run.len())));
    }
    facts
}

/// How a case broke off.
fn broke(case: &CaseResult, evaluation: &Evaluation) -> Phrase {
    let test = format!("`{}`", case.name);
    let limit = evaluation.limit.as_ref().map_or("", |limit| limit.value.as_str());
    match &case.outcome {
        CaseOutcome::Raised { exception } => {
            phrase!("fact.raised", test, error = exception.as_str())
        }
        CaseOutcome::Crashed { message, .. } => {
            phrase!("fact.crashed", test, message = message.as_str())
        }
        CaseOutcome::Limit { detail } => match detail {
            Detail::Time => phrase!("fact.time", test, limit),
            Detail::Wall => phrase!("fact.wall", test, limit),
            Detail::Idle => phrase!("fact.idle", test, limit),
            Detail::Memory => phrase!("fact.memory", test, limit),
            Detail::Output => phrase!("fact.output", test, limit),
            Detail::Processes => phrase!("fact.processes", test, limit),
            Detail::Signal
            | Detail::Exit
            | Detail::Exception
            | Detail::Syntax
            | Detail::Missing
            | Detail::Signature
            | Detail::Value => phrase!("fact.limit", test, word = detail.word()),
        },
        CaseOutcome::Passed | CaseOutcome::Failed | CaseOutcome::NotRun => {
            phrase!("fact.failed", test)
        }
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::evaluation::Prints;
    use vosim_protocol::v1::problem::{Language, Op};

    use super::*;

    #[test]
    fn a_right_answer_in_the_words_of_a_language_is_no_difference() {
        for (kept, expected) in [("True", "true"), ("None", "null"), ("['a',1]", "[\"a\",1]")] {
            assert_eq!(as_kept(kept), as_kept(expected));
        }
        let long = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]";
        assert_eq!(as_kept(long), "[1,2,3,4,5,6,7,8,9,10,11…");
        assert_eq!(as_kept(&as_kept(long)), as_kept(long));
        assert_ne!(as_kept("True"), as_kept("false"));
    }

    fn case(index: usize, outcome: CaseOutcome) -> CaseResult {
        CaseResult {
            name: format!("case_{index}"),
            outcome,
            micros: 0,
            shown: None,
            twin: None,
            returned: None,
            prints: None,
        }
    }

    fn evaluation(load: Load, outcomes: Vec<CaseOutcome>) -> Evaluation {
        Evaluation {
            load,
            cases: outcomes.into_iter().enumerate().map(|(i, o)| case(i, o)).collect(),
            limit: None,
            runtime_ms: 1,
            cpu_ms: 1,
            peak_memory: 0,
            language: Language::Python,
            runtime: "3.11.7".to_owned(),
            started: None,
            small_runs: None,
            notes: Vec::new(),
        }
    }

    fn share(passed: usize, failed: usize) -> Evaluation {
        let mut outcomes = vec![CaseOutcome::Passed; passed];
        outcomes.extend(vec![CaseOutcome::Failed; failed]);
        evaluation(Load::Loaded, outcomes)
    }

    #[test]
    fn the_share_of_passed_cases_decides_between_pass_partial_and_wrong() {
        for (passed, class) in [
            (12, FailureType::Pass),
            (11, FailureType::PartialPass),
            (6, FailureType::PartialPass),
            (5, FailureType::WrongAnswer),
            (0, FailureType::WrongAnswer),
        ] {
            let verdict = classify(&share(passed, 12 - passed));
            assert_eq!(verdict.failure_type, class, "{passed}/12");
            assert_eq!(verdict.tests_passed + verdict.tests_failed, 12);
        }
    }

    #[test]
    fn an_exception_wins_over_the_share_of_passed_cases() {
        let mut all = share(11, 0);
        let raised = CaseOutcome::Raised { exception: "KeyError: 1".to_owned() };
        all.cases.push(case(11, raised));
        let verdict = classify(&all);
        assert_eq!(verdict.failure_type, FailureType::Exception);
        assert_eq!(verdict.detail, Some(Detail::Exception));
        assert_eq!(verdict.exception.as_deref(), Some("KeyError: 1"));
        assert_eq!(verdict.tests_passed, 11);
    }

    #[test]
    fn a_limit_on_all_tests_together_is_not_told_as_one_test_s_own() {
        let told = |detail, value: &str| {
            let mut all = evaluation(Load::Loaded, vec![CaseOutcome::Limit { detail }]);
            all.limit = Some(LimitHit { detail, value: value.to_owned(), case: None });
            broke(&all.cases[0], &all).text
        };
        insta::assert_snapshot!(
            [
                told(Detail::Memory, "512 MB"),
                told(Detail::Output, "64 MB"),
                told(Detail::Processes, "64 processes"),
            ]
            .join("\n"),
            @r"
        In `case_0` the program needed more than the 512 MB of memory that it may have.
        `case_0` was stopped when all tests together had written more than 64 MB.
        In `case_0` the program needed more than the 64 processes that it may have at one time, threads counted.
        "
        );
    }

    #[test]
    fn import_and_signature_come_before_everything_and_count_no_case() {
        let import = Load::ImportError {
            detail: Detail::Syntax,
            message: "SyntaxError: invalid syntax (a.py, line 3)".to_owned(),
        };
        for (load, class) in [
            (import, FailureType::ImportError),
            (
                Load::WrongSignature { message: "found Get, needed get(key)".to_owned() },
                FailureType::WrongSignature,
            ),
            (
                Load::Crashed { detail: Detail::Exit, message: "left with status 0".to_owned() },
                FailureType::Exception,
            ),
        ] {
            let verdict = classify(&evaluation(load, vec![CaseOutcome::Passed; 12]));
            assert_eq!(verdict.failure_type, class);
            assert_eq!((verdict.tests_passed, verdict.tests_failed), (0, 12));
            assert_eq!(verdict.failing_tests.len(), 12);
        }
    }

    #[test]
    fn a_limit_keeps_what_was_judged_and_names_the_rest() {
        let mut all = evaluation(
            Load::Loaded,
            vec![
                CaseOutcome::Passed,
                CaseOutcome::Limit { detail: Detail::Time },
                CaseOutcome::NotRun,
            ],
        );
        all.limit = Some(LimitHit {
            detail: Detail::Time,
            value: "10 s".to_owned(),
            case: Some("case_1".to_owned()),
        });
        let verdict = classify(&all);
        assert_eq!(verdict.failure_type, FailureType::Exception);
        assert_eq!(verdict.exception.as_deref(), Some("timed out (10 s limit)"));
        assert_eq!(verdict.tests_passed, 1);
        assert_eq!(verdict.not_run, ["case_2"]);
    }

    #[test]
    fn the_first_issue_that_fits_is_taken() {
        let issue_of = |id: &str, when: IssueMatch| Issue {
            id: id.to_owned(),
            when,
            feedback: String::new(),
            hints: Default::default(),
            ways: Vec::new(),
        };
        let issues = [
            issue_of(
                "other_class",
                IssueMatch { failure_types: vec![FailureType::Exception], ..IssueMatch::default() },
            ),
            issue_of(
                "only_the_last",
                IssueMatch {
                    failing: vec!["case_11".to_owned()],
                    passing: vec!["case_0".to_owned()],
                    ..IssueMatch::default()
                },
            ),
            issue_of("catch_all", IssueMatch::default()),
        ];
        let id = |evaluation| issue(&issues, &classify(&evaluation)).unwrap().id.clone();
        assert_eq!(id(share(11, 1)), "only_the_last");
        assert_eq!(id(share(0, 12)), "catch_all");
    }

    fn ran(wrong: &[(&str, Option<&str>)]) -> Verdict {
        let mut all = share(5, 7);
        let wrong = wrong.iter().map(|(name, answers)| WrongRun {
            name: (*name).to_owned(),
            answers: answers.map(str::to_owned),
        });
        all.small_runs = Some(SmallRuns { number: 3, wrong: wrong.collect() });
        classify(&all)
    }

    fn showing(lines: &[&[(&str, &str)]], only: bool) -> IssueMatch {
        let pair = |(name, pattern): &(&str, &str)| ((*name).to_owned(), (*pattern).to_owned());
        let shows = lines.iter().map(|line| line.iter().map(pair).collect()).collect();
        IssueMatch { shows, only, ..IssueMatch::default() }
    }

    #[test]
    fn an_issue_is_named_only_where_the_small_runs_show_it() {
        let store: &[_] = &[("store", "right"), ("full", "5 * 7")];
        for (when, wrong, named) in [
            (showing(&[store], false), &[("full", Some("5 -1 7"))][..], true),
            (showing(&[store], false), &[("full", Some("5 -1 8"))], false),
            (showing(&[store], false), &[("full", Some("5 -1"))], false),
            (showing(&[store], false), &[("full", None)], false),
            (showing(&[store], false), &[("store", Some("2")), ("full", Some("5 6 7"))], false),
            (showing(&[store], false), &[], false),
            // What else went wrong matters only where it was said so.
            (showing(&[store], false), &[("full", Some("5 6 7")), ("one", Some("!"))], true),
            (showing(&[store], true), &[("full", Some("5 6 7")), ("one", Some("!"))], false),
            (showing(&[store, &[("one", "wrong")]], false), &[("one", Some("!"))], true),
            // One that came to no end is neither right nor wrong.
            (showing(&[&[("one", "wrong")]], false), &[("one", None)], false),
            (IssueMatch { all_right: true, ..IssueMatch::default() }, &[], true),
            (IssueMatch { all_right: true, ..IssueMatch::default() }, &[("one", None)], false),
        ] {
            assert_eq!(fits(&when, &ran(wrong)), named, "{when:?} {wrong:?}");
        }
        let without = classify(&share(5, 7));
        assert!(!fits(&showing(&[store], false), &without), "without runs nothing is shown");
    }

    #[test]
    fn the_run_that_shows_an_issue_is_told_with_all_its_answers() {
        let ops = br#"[["C",[2]],["get",[1],-1],["put",[1,5]],["get",[1],5],["get",[2],-1]]"#;
        let ops = Vec::<Op>::from_bytes(ops).unwrap();
        let run = SmallRun { name: "store".to_owned(), about: String::new(), ops };
        let issue = Issue {
            id: "store".to_owned(),
            when: showing(&[&[("store", "wrong")]], false),
            feedback: String::new(),
            hints: Default::default(),
            ways: Vec::new(),
        };
        for (answers, told) in [
            (
                "0 5 -1",
                "`C(2)  get(1)  put(1, 5)  get(1)  get(2)` must give -1, 5, -1, and gives 0, 5, -1.",
            ),
            // Of one that raised an exception, only the calls that were made.
            ("!", "`C(2)  get(1)` must give -1, and raises an exception."),
            ("-1 !", "`C(2)  get(1)  put(1, 5)  get(1)` must give 5, and raises an exception."),
            (
                "0 !",
                "`C(2)  get(1)  put(1, 5)  get(1)` must give -1, 5, and gives 0, an exception.",
            ),
            // In one spelling with what was expected.
            (
                "-1 None -1",
                "`C(2)  get(1)  put(1, 5)  get(1)  get(2)` must give -1, 5, -1, and gives -1, null, -1.",
            ),
        ] {
            let verdict = ran(&[("store", Some(answers))]);
            let text = evidence(std::slice::from_ref(&run), &issue, &verdict).unwrap().text;
            assert_eq!(text, format!("A small run shows it: {told}"));
        }
    }

    #[test]
    fn an_evaluation_is_cut_to_its_bound_without_losing_an_outcome() {
        let mut large = share(500, 12);
        for case in &mut large.cases {
            let text = "x".repeat(1000);
            case.prints = Some(Prints { text, bytes: 1000, truncated: false });
        }
        let small = bounded(large.clone());
        assert!(small.to_line().len() <= EVALUATION_MAX_BYTES, "{}", small.to_line().len());
        assert_eq!(classify(&small), classify(&large));
        assert_eq!(small.notes, [LEFT_OUT]);
        assert_eq!(bounded(small.clone()), small);
        assert_eq!(bounded(share(1, 1)), share(1, 1));
    }

    /// As many cases, with names as long, as a problem may have.
    #[test]
    fn the_largest_suite_fits_whatever_its_cases_say() {
        let hostile = "\u{1}\"\u{1f600}".repeat(5_000);
        for outcome in [
            CaseOutcome::NotRun,
            CaseOutcome::Raised { exception: hostile.clone() },
            CaseOutcome::Crashed { detail: Detail::Exception, message: hostile.clone() },
        ] {
            let load = Load::Crashed { detail: Detail::Exit, message: hostile.clone() };
            let mut all = evaluation(load, vec![outcome; 200]);
            for case in &mut all.cases {
                case.name = format!("{:x<64}", case.name);
                case.micros = u64::MAX;
            }
            all.notes = vec![hostile.clone(); 100];
            all.runtime = hostile.clone();
            let small = bounded(all.clone());
            assert!(small.to_line().len() <= EVALUATION_MAX_BYTES);
            assert!(small.to_line().len() + names_len(&small) <= VERDICT_MAX_BYTES);
            assert_eq!(bounded(small.clone()), small);
            assert_eq!(classify(&small).failing_tests, classify(&all).failing_tests);
        }
    }
}
