//! What an interview answers to each command: facts, or the reason why not.
//!
//! Nothing is changed here, and nobody is asked: what takes time is an effect of the facts.

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::drill::HintRequested;
use vosim_protocol::v1::interview::{
    AskKind, AssistantQuery, CandidateCodeSubmission, CandidateMessage, Clarification,
    ClarificationGiven, Command, ContentRequested, Dimension, Event, ExitReason, Guard,
    InterviewCreated, InterviewStarted, MESSAGE_MAX_BYTES, OWN_CASES_MAX, Origin, OwnTestsStarted,
    PlannedSection, SolutionUnwatched, SolutionWatched,
};
use vosim_protocol::v1::problem::{Language, Op};
use vosim_protocol::{BlobRef, Time};

use super::draft::{Draft, millis};
use super::section::SectionState;
use super::{Stage, State, passes};
use crate::parts::coverage::{hear, tells_verdict};
use crate::parts::hints::{HintContext, HintLevel};
use crate::parts::words::json_len;
use crate::rejection::Rejection;

/// Longest path of a file, bytes.
const FILE_PATH_MAX_BYTES: usize = 4096;
/// Most bytes of a text inside a record, as JSON spells it; a record holds 64 KiB.
const WRITTEN_MAX_BYTES: usize = 48 * 1024;
/// Most operations in the candidate's own cases of one run.
const OWN_OPS_MAX: usize = 2_000;
/// Most cards that one message is answered with.
const CARDS_MAX: usize = 3;
/// Most messages, questions, runs and hints of one interview: nobody types more, a script might.
const TRANSCRIPT_MAX: usize = 5_000;

pub(super) fn decide(state: &State, command: &Command, at: Time) -> Result<Vec<Event>, Rejection> {
    match state.stage {
        Stage::Completed(_) | Stage::Terminated(_) => return Err(Rejection::SessionEnded),
        Stage::NotStarted | Stage::Open | Stage::Closing => {}
    }
    let mut draft = Draft::new(state, at);
    match command {
        Command::Begin {} => begin(&mut draft)?,
        Command::Say { text, section } => say(&mut draft, text, section.as_deref())?,
        Command::Done {} => done(&mut draft)?,
        Command::Submit { file_path, code, language, again } => {
            submit(&mut draft, file_path, code, *language, *again)?;
        }
        Command::Test { file_path, code, language, cases } => {
            test(&mut draft, file_path, code, *language, cases)?;
        }
        Command::Watch { file_path, language } => watch(&mut draft, file_path, *language)?,
        Command::Unwatch {} => unwatch(&mut draft)?,
        Command::Ask { kind, question, code } => ask(&mut draft, *kind, question, code.as_ref())?,
        Command::Hint {} => hint(&mut draft)?,
        Command::End {} => end(&mut draft)?,
    }
    Ok(draft.finish_command())
}

/// The plan, with what was granted.
pub(super) fn created(state: &State) -> InterviewCreated {
    let spec = &state.spec;
    let planned = spec.schema.sections.iter().map(|plan| PlannedSection {
        section_id: plan.id.clone(),
        title: plan.title.clone(),
        duration_ms: millis(state.granted_micros(plan.duration_seconds)),
        followup_cap: plan.followup_cap,
    });
    InterviewCreated {
        schema_id: spec.schema.id.clone(),
        schema_version: spec.schema.version,
        problem_id: spec.problem.id.clone(),
        candidate_id: spec.candidate.clone(),
        sections: planned.collect(),
        total_ms: millis(total_micros(state)),
        grace_seconds: spec.schema.grace_seconds,
        accommodation: spec.accommodation,
        python_version: spec.python_version.clone(),
    }
}

fn total_micros(state: &State) -> i64 {
    let sections = state.spec.schema.sections.iter();
    sections.map(|plan| state.granted_micros(plan.duration_seconds)).sum()
}

fn begin(draft: &mut Draft) -> Result<(), Rejection> {
    if draft.state.stage != Stage::NotStarted {
        return Err(Rejection::InvalidTransition {
            command: "begin",
            because: "the interview has begun already",
            next: "see where it stands: vosimctl status",
        });
    }
    let ends_by = draft.at.plus_micros(total_micros(&draft.state));
    draft.push(Event::InterviewStarted(InterviewStarted { ends_by }));
    draft.start_section(0);
    Ok(())
}

fn not_begun(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "the interview has not begun",
        next: "start its clock with: vosimctl interview begin",
    }
}

fn closing(command: &'static str) -> Rejection {
    Rejection::InvalidTransition {
        command,
        because: "the last section has ended",
        next: "the interview completes by itself within seconds",
    }
}

/// The open section, where a command needs one.
fn open<'s>(state: &'s State, command: &'static str) -> Result<&'s SectionState, Rejection> {
    match state.stage {
        Stage::NotStarted => Err(not_begun(command)),
        Stage::Open | Stage::Closing | Stage::Completed(_) | Stage::Terminated(_) => {
            state.open().ok_or_else(|| closing(command))
        }
    }
}

/// The open section, where a command needs the one in which code is written.
fn coding<'s>(state: &'s State, command: &'static str) -> Result<&'s SectionState, Rejection> {
    open(state, command)?;
    state.coding().ok_or_else(|| {
        let coding = |section: &SectionState| section.plan(&state.spec.schema).coding;
        if state.sections.iter().any(coding) {
            Rejection::InvalidTransition {
                command,
                because: "the section in which code is judged has ended",
                next: "go on with the question of this section: vosimctl status",
            }
        } else {
            Rejection::InvalidTransition {
                command,
                because: "code is judged in a later section",
                next: "answer the question of this section, or end it: vosimctl done",
            }
        }
    })
}

fn bound(what: &'static str, size: u64, limit: usize) -> Result<(), Rejection> {
    let limit = limit as u64;
    if size > limit { Err(Rejection::TooLarge { what, size, limit }) } else { Ok(()) }
}

fn text_of(what: &'static str, text: &str) -> Result<(), Rejection> {
    if text.trim().is_empty() {
        return Err(Rejection::InvalidInput {
            message: format!("{what} is empty"),
            next: "write something, then send it again",
        });
    }
    bound(what, text.len() as u64, MESSAGE_MAX_BYTES)?;
    // Control characters take six bytes each in a record.
    bound(what, json_len(text) as u64, WRITTEN_MAX_BYTES)
}

fn room(state: &State) -> Result<(), Rejection> {
    if state.transcript.len() < TRANSCRIPT_MAX {
        return Ok(());
    }
    Err(Rejection::InvalidInput {
        message: format!("the transcript holds {TRANSCRIPT_MAX} entries, the most there may be"),
        next: "end the section with: vosimctl done",
    })
}

/// Where a message belongs: its section and whether it is late (001 5.2; DECISIONS 10).
fn addressed<'s>(
    state: &'s State,
    named: Option<&str>,
    at: Time,
) -> Result<(&'s SectionState, bool), Rejection> {
    let schema = &state.spec.schema;
    if state.stage == Stage::NotStarted {
        return Err(not_begun("say anything"));
    }
    let late = state.previous().filter(|s| s.grace_until().is_some_and(|until| at <= until));
    let Some(name) = named else {
        return match late {
            Some(previous) => Ok((previous, true)),
            None => open(state, "say anything").map(|section| (section, false)),
        };
    };
    let Some(place) = schema.sections.iter().position(|section| section.id == name) else {
        let known: Vec<_> = schema.sections.iter().map(|section| section.id.as_str()).collect();
        return Err(Rejection::InvalidInput {
            message: format!("there is no section {name:?}; there are {}", known.join(", ")),
            next: "leave --section away to answer the current one",
        });
    };
    if place >= state.sections.len() {
        return Err(Rejection::InvalidInput {
            message: format!("the section {name:?} has not begun"),
            next: "leave --section away to answer the current one",
        });
    }
    // While closing there is no next section: what is said belongs to the last one.
    match late.filter(|previous| previous.place == place || state.stage == Stage::Closing) {
        Some(previous) => Ok((previous, true)),
        // Beyond the grace it is attached to the next section (001 5.2).
        None => open(state, "say anything").map(|section| (section, false)),
    }
}

fn say(draft: &mut Draft, text: &str, named: Option<&str>) -> Result<(), Rejection> {
    let state = &draft.state;
    let (section, late) = addressed(state, named, draft.at)?;
    text_of("the message", text)?;
    room(state)?;
    let plan = section.plan(&state.spec.schema);
    let statement = state.spec.problem.statement.as_str();
    let told: Vec<_> = section.told().chain([statement]).collect();
    let heard = hear(text, &plan.dimensions, &told);
    let guard = if late { Some(Guard::Late) } else { heard.guard };
    let told_verdict = !late && plan.coding && tells_latest(state, text);
    let mut coverage = if late { Vec::new() } else { section.coverage.changes(&heard) };
    if told_verdict && let Some(change) = section.coverage.verdict_told() {
        coverage.retain(|other| other.dimension != change.dimension);
        coverage.push(change);
    }
    let declined = section.followup.clone().filter(|_| guard == Some(Guard::Declined));
    let section_id = plan.id.clone();
    draft.push(Event::CandidateMessage(CandidateMessage {
        section_id: section_id.clone(),
        text: text.to_owned(),
        late,
        until_deadline_micros: section.deadline.micros_since(draft.at),
        named: named.map(str::to_owned),
        word_count: heard.word_count,
        signals: heard.signals,
        specific: heard.specific,
        tells_verdict: told_verdict,
        guard,
        declined,
        coverage,
    }));
    if !late {
        clarify(draft, &section_id, text);
    }
    Ok(())
}

/// True when a text tells the latest verdict as it is.
fn tells_latest(state: &State, text: &str) -> bool {
    state.judging.is_empty()
        && state.attempts.last().is_some_and(|attempt| {
            let result = &attempt.result;
            let total = result.tests_passed + result.tests_failed;
            tells_verdict(text, result.tests_passed, total)
        })
}

/// True when a text hits every group of a card.
fn asks_for(text: &str, card: &Clarification) -> bool {
    let groups = Dimension {
        id: card.id.clone(),
        title: String::new(),
        required: false,
        signals: card.asks.clone(),
        evidence: None,
        questions: Vec::new(),
    };
    let heard = hear(text, std::slice::from_ref(&groups), &[]);
    heard.signals.get(&card.id).is_some_and(|hit| hit.len() == card.asks.len())
}

/// The sentences of a text that ask: what is told beside a question asks for nothing.
fn questions(text: &str) -> impl Iterator<Item = &str> {
    let mut before = ' ';
    let ends = move |character: char| {
        // A point inside a number or a name ends nothing.
        let ended = matches!(before, '.' | '!' | ';' | '?') && character.is_whitespace();
        before = character;
        ended || character == '\n'
    };
    text.split(ends).filter(|sentence| sentence.contains('?'))
}

/// Answers each clarifying question from its card, once in an interview.
fn clarify(draft: &mut Draft, section_id: &str, text: &str) {
    let spec = std::sync::Arc::clone(&draft.state.spec);
    let asked: Vec<_> = questions(text).collect();
    let cards = spec.clarifications.iter().filter(|card| {
        !draft.state.cards.contains(&card.id)
            && asked.iter().any(|question| asks_for(question, card))
    });
    let given: Vec<_> = cards.take(CARDS_MAX).collect();
    for card in given {
        let Some(section) = draft.state.section(section_id) else { return };
        let given = ClarificationGiven {
            section_id: section_id.to_owned(),
            card: card.id.clone(),
            text: card.answer.clone(),
            coverage: section.coverage.touched(&card.dimension),
        };
        draft.push(Event::ClarificationGiven(given));
    }
}

fn done(draft: &mut Draft) -> Result<(), Rejection> {
    let state = &draft.state;
    let section = open(state, "end the section")?;
    if state.coding().is_some() && state.running() {
        return Err(Rejection::InvalidTransition {
            command: "end the section",
            because: "your code is still being run",
            next: "wait for the verdict (vosimctl status), then say it again",
        });
    }
    let loaded = state.attempts.all().iter().any(|attempt| {
        use vosim_protocol::v1::evaluation::FailureType as Class;
        attempt.result.failure_type != Class::ImportError
    });
    let missing = section.missing(&state.spec.schema, loaded);
    if missing.is_empty() {
        draft.end_section(ExitReason::CandidateDone);
        return Ok(());
    }
    if section.nudged {
        return Err(Rejection::TooLittle { missing: missing.join("; ") });
    }
    let requested = ContentRequested {
        section_id: section.plan(&state.spec.schema).id.clone(),
        text: state.spec.schema.nudge.clone(),
        missing,
    };
    draft.push(Event::ContentRequested(requested));
    Ok(())
}

fn file(
    state: &State,
    file_path: &str,
    code: &BlobRef,
    language: Language,
) -> Result<(), Rejection> {
    bound("the file", code.bytes, SUBMISSION_MAX_BYTES)?;
    path(state, file_path, language)
}

fn path(state: &State, file_path: &str, language: Language) -> Result<(), Rejection> {
    bound("the file's path", file_path.len() as u64, FILE_PATH_MAX_BYTES)?;
    let starters = &state.spec.problem.starters;
    if starters.contains_key(&language) {
        return Ok(());
    }
    let offered: Vec<_> = starters.keys().map(|language| language.name()).collect();
    Err(Rejection::LanguageNotOffered {
        language: language.name().to_owned(),
        offered: offered.join(", "),
    })
}

/// The number of the next submission; that of an aborted one is used again.
pub(super) fn next_attempt(state: &State) -> u32 {
    let judging = state.judging.iter().map(|judging| judging.submission.attempt_number);
    judging.max().unwrap_or_else(|| state.attempts.count()) + 1
}

fn submit(
    draft: &mut Draft,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    again: bool,
) -> Result<(), Rejection> {
    let state = &draft.state;
    let section = coding(state, "submit")?;
    if !state.judging.is_empty() {
        return Err(Rejection::InvalidTransition {
            command: "submit",
            because: "a submission is being judged",
            next: "wait for its verdict: vosimctl status",
        });
    }
    file(state, file_path, code, language)?;
    room(state)?;
    let earlier = state.attempts.of_code(code.hash);
    if let Some(earlier) = earlier.filter(|_| !again) {
        let result = &earlier.result;
        return Err(Rejection::IdenticalSubmission {
            attempt: result.attempt_number,
            passed: result.tests_passed,
            total: result.tests_passed + result.tests_failed,
        });
    }
    let submission = CandidateCodeSubmission {
        section_id: section.plan(&state.spec.schema).id.clone(),
        attempt_number: next_attempt(state),
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        origin: Origin::Candidate,
        captured_late: false,
        repeated: earlier.is_some(),
        until_deadline_micros: section.deadline.micros_since(draft.at),
    };
    draft.push(Event::CandidateCodeSubmission(submission));
    Ok(())
}

fn test(
    draft: &mut Draft,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    cases: &[Vec<Op>],
) -> Result<(), Rejection> {
    let state = &draft.state;
    let section = coding(state, "run own tests")?;
    if state.testing.is_some() {
        return Err(Rejection::InvalidTransition {
            command: "run own tests",
            because: "the last ones are still being run",
            next: "wait for them: vosimctl status",
        });
    }
    file(state, file_path, code, language)?;
    room(state)?;
    let ops: usize = cases.iter().map(Vec::len).sum();
    if cases.is_empty() || cases.iter().any(Vec::is_empty) {
        return Err(Rejection::InvalidInput {
            message: "there is no case to run, or an empty one".to_owned(),
            next: "name one with --case, for example: --case 'LRUCache(1) put(1,1) get(1)==1'",
        });
    }
    bound("the list of cases", cases.len() as u64, OWN_CASES_MAX)?;
    bound("the list of operations", ops as u64, OWN_OPS_MAX)?;
    let started = OwnTestsStarted {
        section_id: section.plan(&state.spec.schema).id.clone(),
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        cases: cases.to_vec(),
    };
    let written = vosim_protocol::Wire::to_line(&started).len() as u64;
    bound("the text of the cases", written, WRITTEN_MAX_BYTES)?;
    draft.push(Event::OwnTestsStarted(started));
    Ok(())
}

fn watch(draft: &mut Draft, file_path: &str, language: Language) -> Result<(), Rejection> {
    let state = &draft.state;
    path(state, file_path, language)?;
    let ended =
        |section: &SectionState| section.ended.is_some() && section.plan(&state.spec.schema).coding;
    if state.sections.iter().any(ended) {
        return Err(Rejection::InvalidTransition {
            command: "watch a file",
            because: "the section in which code is judged has ended",
            next: "go on with the question of this section: vosimctl status",
        });
    }
    if !file_path.starts_with('/') {
        return Err(Rejection::InvalidInput {
            message: format!("the path {file_path:?} is not absolute"),
            next: "name the file by its whole path",
        });
    }
    room(state)?;
    let file_path = file_path.to_owned();
    draft.push(Event::SolutionWatched(SolutionWatched { file_path, language }));
    Ok(())
}

fn unwatch(draft: &mut Draft) -> Result<(), Rejection> {
    if draft.state.watch.is_none() || draft.state.capture.is_some() {
        return Err(Rejection::InvalidTransition {
            command: "stop watching",
            because: "no file is watched",
            next: "watch one with: vosimctl interview watch FILE",
        });
    }
    draft.push(Event::SolutionUnwatched(SolutionUnwatched { reason: None }));
    Ok(())
}

fn ask(
    draft: &mut Draft,
    kind: AskKind,
    question: &str,
    code: Option<&BlobRef>,
) -> Result<(), Rejection> {
    let state = &draft.state;
    let section = open(state, "ask the assistant")?;
    if state.asked.is_some() {
        return Err(Rejection::InvalidTransition {
            command: "ask the assistant",
            because: "it is still answering the last question",
            next: "wait for its answer: vosimctl status",
        });
    }
    text_of("the question", question)?;
    room(state)?;
    if let Some(code) = code {
        bound("the file", code.bytes, SUBMISSION_MAX_BYTES)?;
    } else if kind == AskKind::Code {
        return Err(Rejection::InvalidInput {
            message: "a question about your code needs the code".to_owned(),
            next: "name the file: vosimctl ask --code FILE QUESTION",
        });
    }
    draft.push(Event::AssistantQuery(AssistantQuery {
        section_id: section.plan(&state.spec.schema).id.clone(),
        kind,
        question: question.to_owned(),
        code_hash: code.map(|code| code.hash),
        line_count: code.map(|code| code.line_count),
        bytes: code.map(|code| code.bytes),
    }));
    Ok(())
}

/// Hints as in a drill, but never the reference solution.
fn hint(draft: &mut Draft) -> Result<(), Rejection> {
    let state = &draft.state;
    coding(state, "request hint")?;
    room(state)?;
    if !state.judging.is_empty() {
        return Err(Rejection::InvalidTransition {
            command: "request hint",
            because: "a submission is being judged",
            next: "wait for its verdict: vosimctl status",
        });
    }
    let Some(last) = state.attempts.last() else {
        return Err(Rejection::InvalidTransition {
            command: "request hint",
            because: "nothing has been submitted yet",
            next: "submit code first with: vosimctl submit FILE",
        });
    };
    let Some(issue) = &last.issue else { return Err(Rejection::AlreadyPassed) };
    if state.hint_pending() {
        return Err(Rejection::HintPending);
    }
    let HintLevel { level, reason } = hint_context(state).below_four();
    draft.push(Event::HintRequested(HintRequested {
        attempt_number: last.result.attempt_number,
        give_up: false,
        hint_level: level,
        trigger_reason: reason,
        issue: issue.clone(),
    }));
    Ok(())
}

/// What the hint policy looks at.
pub(super) fn hint_context(state: &State) -> HintContext {
    let failed = |class| !passes(class);
    let failures = state.attempts.distinct().filter(|a| failed(a.result.failure_type));
    HintContext {
        failures: failures.map(|a| (a.event, a.result.failure_type)).collect(),
        attempts: u32::try_from(state.attempts.distinct().count()).unwrap_or(u32::MAX),
        last_hint: state.hints.last().map(|hint| (hint.requested, hint.request.hint_level)),
        give_up: false,
    }
}

fn end(draft: &mut Draft) -> Result<(), Rejection> {
    if draft.state.stage == Stage::Closing {
        return Err(closing("leave the interview"));
    }
    draft.abandon();
    Ok(())
}
