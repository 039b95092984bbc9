//! Explains an interview's events: the rule, what it looked at, and what was not taken.

use vosim_protocol::v1::drill::Words;
use vosim_protocol::v1::interview::{
    AssistantResponse, CandidateMessage, CoverageChange, CoverageRule, Event, ExitReason,
    FollowupRule, FollowupSelected, Guard, Origin, ReturnedBy, SectionEnded, TerminationReason,
    Violation,
};
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::{EventId, Json, Wire};

use super::State;
use super::decide::hint_context;
use crate::kind::Recorded;
use crate::kinds::because::{Because, because};

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, event: &Recorded<Event>) -> Explanation {
    explain(state, event).of(event)
}

fn explain(state: &State, recorded: &Recorded<Event>) -> Because {
    match &recorded.event {
        Event::InterviewCreated(created) => {
            because("the interview was planned", "001 3.1: an instance of the schema")
                .input("schema", format!("{} {}", created.schema_id, created.schema_version))
                .input("accommodation", created.accommodation.to_json())
        }
        Event::InterviewStarted(_) => because("the clock began to run", "001 4.1: IN_PROGRESS"),
        Event::SectionStarted(started) => because(
            format!("section {} began", started.number),
            "001 5.2: the next one begins at once",
        )
        .input("deadline", started.deadline.to_string()),
        Event::PromptPresented(prompt) => {
            because("the section's question was asked", "001 4.2: SECTION_QUESTION_ACTIVE")
                .input("words", words(prompt.words))
        }
        Event::CandidateMessage(message) => message_because(message),
        Event::ClarificationGiven(given) => because(
            "a clarifying question was answered",
            "the problem's cards answer what they are asked for, once each",
        )
        .input("card", given.card.as_str())
        .input("coverage", given.coverage.to_json()),
        Event::FollowupSelected(selected) => followup(state, selected),
        Event::FollowupPresented(followup_shown) => shown(state, followup_shown),
        Event::WordingFailed(failed) => because(
            "the model did not word the text",
            "001 10.2: retried once; after the second failure the schema's text is used as it is",
        )
        .from("request", failed.request.0, failed.request)
        .input("reason", failed.reason.as_str()),
        Event::CandidateCodeSubmission(code) => {
            let rule = match code.origin {
                Origin::Candidate if code.late => "001 5.2: within the grace, marked late",
                Origin::Candidate => "001 2.1: the candidate submitted a file",
                Origin::Deadline => "the watched file, as it stood at the deadline, is submitted",
                Origin::SectionEnd => {
                    "the watched file, as it stood when the section ended, is submitted"
                }
            };
            because(format!("the file was taken as attempt {}", code.attempt_number), rule)
                .input("code_hash", code.code_hash.to_string())
                .input("until_deadline_micros", code.until_deadline_micros)
                .input("captured_late", code.captured_late)
                .input("untaken", code.untaken.to_json())
        }
        Event::EvalResult(result) => {
            let verdict = format!("the verdict is {}", result.failure_type);
            because(verdict, "000 classification rules")
                .input("tests_passed", result.tests_passed)
                .input("tests_failed", result.tests_failed)
                .input("exception", result.exception.to_json())
        }
        Event::EvalAborted(aborted) => because(
            "the attempt counts for nothing",
            "a failure of the machinery is not the candidate's",
        )
        .input("reason", aborted.reason.as_str()),
        Event::OwnTestsStarted(started) => {
            because("own cases are run", "001 2.1: an explicit candidate action")
                .input("cases", started.cases.len() as u64)
        }
        Event::OwnTestsResult(result) => because("own cases were run", "evidence beats words")
            .from("request", result.request.0, result.request)
            .input("passed", result.passed)
            .input("failed", result.failed)
            .input("coverage", result.coverage.to_json()),
        Event::OwnTestsAborted(aborted) => {
            because("own cases could not be run", "they count for nothing then")
                .from("request", aborted.request.0, aborted.request)
                .input("reason", aborted.reason.as_str())
        }
        Event::HintRequested(request) => {
            let context = hint_context(state);
            because(
                format!("a hint of level {}", request.hint_level),
                "000 hint escalation policy; in an interview it stops at level 3",
            )
            .input("trigger_reason", request.trigger_reason.to_json())
            .input("attempts", context.attempts)
            .input("issue", request.issue.as_str())
            .not("level 4, the reference solution", "it is never shown in an interview")
        }
        Event::HintGiven(given) => {
            let request = state.hints.last().map_or(EventId::ZERO, |hint| hint.requested);
            because(format!("the hint of level {}", given.hint_level), "000: hint")
                .from("request", request.0, request)
                .input("words", words(given.words))
        }
        Event::SolutionWatched(watched) => {
            because("the file is watched", "each save is kept; the last one counts at the deadline")
                .input("file_path", watched.file_path.as_str())
        }
        Event::SolutionSaved(saved) => {
            because("a save was kept", "no question comes right after a save")
                .input("code_hash", saved.code_hash.to_string())
                .input("modified", saved.modified.to_string())
        }
        Event::SolutionUnwatched(unwatched) => {
            because("the file is no longer watched", "it was asked for, or nothing more counts")
                .input("reason", unwatched.reason.to_json())
                .input("not_submitted", unwatched.not_submitted.to_json())
        }
        Event::AssistantQuery(query) => {
            because("the assistant was asked", "001 8.1: a channel of its own, which is logged")
                .input("kind", query.kind.name())
        }
        Event::AssistantResponse(response) => assistant(response),
        Event::SectionTimeWarning(warning) => {
            because("the candidate was told the time", "001 5.1: warning thresholds")
                .input("left_ms", warning.left_ms)
                .input("deadline", warning.deadline.to_string())
        }
        Event::ContentRequested(requested) => because(
            "the section was not ended yet",
            "001 6.4: minimum content; the candidate is asked for it once",
        )
        .input("missing", Json::from(requested.missing.clone())),
        Event::CoverageSatisfied(covered) => because(
            "everything required is covered",
            "001 6.4: coverage_satisfied; the section ends after a while of quiet",
        )
        .input("coverage", coverage(state, &covered.section_id))
        .input("ends_at", covered.ends_at.to_string()),
        Event::SectionEnded(ended) => section_end(state, ended),
        Event::SectionSummarized(sealed) => because(
            "the section's artifact was sealed",
            "001 3.3; 7.2: its summary holds the candidate's own sentences and nothing else",
        )
        .input("sentences", sealed.bounded_context_summary.len() as u64),
        Event::CandidateConnected(_) => because("a terminal attached", "only attach is presence"),
        Event::CandidateDisconnected(gone) => {
            because("the last terminal has gone", "001 5.3: the interview pauses unless it is back")
                .input("pauses_at", gone.pauses_at.to_string())
        }
        Event::InterviewPaused(_) => {
            because("the interview paused", "001 5.3: PAUSED; the timer continues running")
        }
        Event::CandidateReconnected(back) => {
            let by = match back.by {
                ReturnedBy::Terminal => "a terminal attached",
                ReturnedBy::Command => "any command of the candidate resumes the interview",
            };
            because("the candidate is back", by).input("away_ms", back.away_ms)
        }
        Event::InterviewCompleted(completed) => because(
            "the interview is complete",
            "001 4.1: COMPLETED, after the last section's grace",
        )
        .input("exits", completed.exits.to_json()),
        Event::InterviewTerminated(ended) => match ended.reason {
            TerminationReason::Abandoned => {
                because("the interview was left", "001 3.2: abandon; what there is was sealed")
            }
            TerminationReason::SystemError => {
                because("the interview could not go on", "001 10.2: partial failure")
            }
        },
    }
}

fn words(words: Words) -> &'static str {
    match words {
        Words::Problem => "the schema's or problem's own text",
        Words::Model => "a model's wording of that text",
    }
}

fn coverage(state: &State, section: &str) -> Json {
    state.section(section).map_or(Json::Null, |section| section.coverage.map().to_json())
}

fn message_because(message: &CandidateMessage) -> Because {
    let place = if message.late {
        "001 5.2: within the grace after its section's time, marked late"
    } else {
        "001 2.1: it belongs to the open section"
    };
    let mut because = because(format!("the message belongs to {}", message.section_id), place)
        .input("until_deadline_micros", message.until_deadline_micros)
        .input("words", message.word_count)
        .input("signals", message.signals.to_json())
        .input("specific", message.specific);
    for change in &message.coverage {
        because = because.input(&format!("coverage of {}", change.dimension), covered_by(change));
    }
    match message.guard {
        Some(Guard::Echo) => because.not("coverage", "it mostly repeats what was told"),
        Some(Guard::Stuffing) => because.not("more than partly", "it mostly holds signal words"),
        Some(Guard::Declined) => because.not("asking again", "the candidate declined"),
        Some(Guard::Late) => because.not("coverage", "a late message never counts"),
        None => because,
    }
}

fn covered_by(change: &CoverageChange) -> String {
    let rule = match change.rule {
        CoverageRule::OneGroup => "one group of signals was hit",
        CoverageRule::TwoGroupsInOneMessage => "two groups in one message, with a specific",
        CoverageRule::ThreeGroupsOverTheSection => "three groups over the section, and a specific",
        CoverageRule::ClarificationAsked => "a clarifying question was asked",
        CoverageRule::TestsOrVerdict => "own cases were run, or the verdict was told",
        CoverageRule::TestsAndVerdict => "own cases were run and the verdict was told",
    };
    let level = change.to.to_json();
    format!("{}: {rule}", level.as_str().unwrap_or_default())
}

fn followup_rule(rule: FollowupRule) -> &'static str {
    match rule {
        FollowupRule::UncoveredFirst => {
            "001 6.3 rule 1: the first required dimension that is not covered"
        }
        FollowupRule::DeepenPartial => {
            "001 6.3 rule 2: nothing is uncovered; the first that is partly covered"
        }
    }
}

fn followup(state: &State, selected: &FollowupSelected) -> Because {
    let decision = format!("a question about {}", selected.dimension);
    let mut because = because(decision, followup_rule(selected.rule))
        .input("coverage", selected.coverage_before.to_json())
        .input("pool_index", selected.pool_index)
        .input("budget_before", selected.budget_before);
    let Some(section) = state.section(&selected.section_id) else { return because };
    let alternatives = section.alternatives(&state.spec.schema);
    for (dimension, reason) in alternatives {
        because = because.not(format!("a question about {dimension}"), reason);
    }
    because
}

fn shown(state: &State, shown: &vosim_protocol::v1::interview::FollowupPresented) -> Because {
    let section = state.section(&shown.section_id);
    let wording = section.and_then(|section| section.wording.as_ref());
    let mut because = because(
        format!("the question about {} was asked", shown.dimension),
        followup_rule(shown.rule),
    )
    .input("words", words(shown.words))
    .input("coverage", shown.coverage_before.to_json())
    .input("pool_index", shown.pool_index)
    .input("budget_remaining", shown.budget_remaining);
    if let Some(wording) = wording {
        because = because.from("chosen by", wording.request.0, wording.request);
    }
    // Those that were not taken, from what the choice had looked at.
    let Some(section) = section else { return because };
    let mut before = section.clone();
    before.budget = before.budget.saturating_add(1);
    before.used.insert(shown.dimension.clone(), shown.pool_index);
    for (dimension, reason) in before.alternatives(&state.spec.schema) {
        because = because.not(format!("a question about {dimension}"), reason);
    }
    because
}

fn section_end(state: &State, ended: &SectionEnded) -> Because {
    let rules = [
        (ExitReason::TimeExpired, "001 5.2: time_expired", "its deadline had not come"),
        (
            ExitReason::CoverageSatisfied,
            "001 6.4: coverage_satisfied, and quiet since",
            "not everything was covered, or it was not quiet yet",
        ),
        (
            ExitReason::CandidateDone,
            "001 6.4: candidate_done with minimum content",
            "nobody said so",
        ),
        (ExitReason::SystemError, "the interview was left", "it went on"),
    ];
    let taken = rules.iter().find(|(reason, ..)| *reason == ended.reason).map_or("", |rule| rule.1);
    let mut because = because(format!("the section {} ended", ended.section_id), taken)
        .input("unused_ms", ended.unused_ms)
        .input("coverage", coverage(state, &ended.section_id));
    if let Some(section) = state.section(&ended.section_id) {
        because = because.input("deadline", section.deadline.to_string());
    }
    for (reason, rule, not) in rules {
        if reason != ended.reason {
            because = because.not(rule, not);
        }
    }
    because
}

fn assistant(response: &AssistantResponse) -> Because {
    let decision = match (response.violations.is_empty(), response.unanswered) {
        (false, _) => "the assistant's answer was withheld",
        (true, true) => "the assistant had no answer",
        (true, false) => "the assistant answered",
    };
    let mut because = because(decision, "001 8.2: definitions, clarifications and nudges only")
        .from("request", response.request.0, response.request)
        .input("released_tokens", response.released_tokens);
    for violation in [
        Violation::Code,
        Violation::Reference,
        Violation::Plan,
        Violation::Length,
        Violation::LeakBudget,
    ] {
        let (rule, kept) = match violation {
            Violation::Code => ("no substantial code", "it holds none"),
            Violation::Reference => {
                ("nothing of the reference", "no five tokens in a row are in it")
            }
            Violation::Plan => ("no step-by-step plan", "it holds none"),
            Violation::Length => ("short", "it is"),
            Violation::LeakBudget => ("the session's leak budget", "it is not spent"),
        };
        because = if response.violations.contains(&violation) {
            because.input("broke", rule)
        } else {
            because.not(format!("withheld for: {rule}"), kept)
        };
    }
    because
}
