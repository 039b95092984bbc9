//! Explains an interview's events: the rule, what it looked at, and what was not taken.

mod clauses;

use vosim_protocol::v1::interview::{
    AssistantResponse, CandidateCodeSubmission, CandidateMessage, Event, ExitReason,
    FollowupPresented, FollowupSelected, NotSubmitted, Origin, ReturnedBy, SectionEnded,
    TerminationReason,
};

use vosim_protocol::v1::coverage::{CoverageMap, FollowupRule, Guard};

use vosim_protocol::v1::assistant::Violation;
use vosim_protocol::v1::session::Explanation;
use vosim_protocol::{EventId, Json, Time, Wire};

use super::section::OpenSection;
use super::state::State;
use crate::kind::Recorded;
use crate::kinds::because::{Because, because, wording_failed};
use crate::parts::followups::Choice;
use crate::sentences::{self, clock};
use clauses::{clock_of_ms, count};

/// Why an event is as it is, given the state before it.
pub(super) fn why(state: &State, event: &Recorded<Event>) -> Explanation {
    explain(state, event).of(event)
}

fn explain(state: &State, recorded: &Recorded<Event>) -> Because {
    let at = recorded.at;
    match &recorded.event {
        Event::InterviewCreated(created) => {
            let schema = format!("{} {}", created.schema_id, created.schema_version);
            let granted = created.accommodation;
            because("the interview was planned", "an instance of the schema (001 3.1)")
                .input("schema", schema.as_str(), format!("the schema is {schema}"))
                .input("accommodation", granted.to_json(), clauses::accommodation(granted))
        }
        Event::InterviewStarted(started) => {
            let ends = format!("it ends in {} at the latest", span(at, started.ends_by));
            because("the clock began to run", "the interview is in progress now (001 4.1)").input(
                "ends_by",
                started.ends_by.to_string(),
                ends,
            )
        }
        Event::SectionStarted(started) => {
            let time = format!("its time is up in {}", span(at, started.deadline));
            let begun = format!("section {}, \"{}\", began", started.number, started.title);
            because(begun, "the next section begins at once when one ends (001 5.2)").input(
                "deadline",
                started.deadline.to_string(),
                time,
            )
        }
        Event::PromptPresented(prompt) => {
            because("the section's question was asked", "each section opens with it (001 4.2)")
                .input("words", prompt.words.to_json(), clauses::words(prompt.words))
        }
        Event::CandidateMessage(message) => message_because(state, message),
        Event::ClarificationGiven(given) => {
            let because = because(
                "a clarifying question was answered",
                "a card of the problem answers what it is asked for, once in an interview",
            )
            .input(
                "card",
                given.card.as_str(),
                format!("the card is named {}", given.card),
            );
            match &given.coverage {
                Some(change) => because.input(
                    "coverage",
                    change.to_json(),
                    clauses::change(state, &given.section_id, change),
                ),
                None => because.input("coverage", Json::Null, "asking it changed no coverage"),
            }
        }
        Event::FollowupSelected(selected) => followup(state, selected),
        Event::FollowupPresented(followup_shown) => shown(state, followup_shown),
        Event::WordingFailed(failed) => wording_failed(failed.request, &failed.reason),
        Event::CandidateCodeSubmission(code) => submission(code),
        Event::EvalResult(result) => {
            let (rule, not_taken) = sentences::classification(result);
            let total = result.tests_passed + result.tests_failed;
            let tests = format!("{} of {total} tests passed", result.tests_passed);
            let mut because = because(format!("the verdict is {}", result.failure_type), rule)
                .input("tests_passed", result.tests_passed, tests);
            if let Some(exception) = &result.exception {
                because = because.input("exception", exception.as_str(), exception.as_str());
            }
            because.not_taken = not_taken;
            because
        }
        Event::EvalAborted(aborted) => because(
            "the attempt counts for nothing",
            "a failure of the machinery is not the candidate's",
        )
        .input("reason", aborted.reason.as_str(), aborted.reason.as_str()),
        Event::OwnTestsStarted(started) => {
            let cases = started.cases.len() as u64;
            because("own cases are run", "the candidate asked for it (001 2.1)").input(
                "cases",
                cases,
                format!("{} came with it", count(cases, "case")),
            )
        }
        Event::OwnTestsResult(result) => {
            let total = result.passed + result.failed;
            let passed = format!("{} of {total} gave what was expected", result.passed);
            let because = because("own cases were run", "evidence counts more than words")
                .from("request", result.request, "they were asked for")
                .input("passed", result.passed, passed);
            match (&result.coverage, state.coding()) {
                (Some(change), Some(section)) => {
                    let section = &section.plan(&state.spec.schema).id;
                    let text = clauses::change(state, section, change);
                    because.input("coverage", change.to_json(), text)
                }
                (Some(_) | None, Some(_) | None) => because,
            }
        }
        Event::OwnTestsAborted(aborted) => {
            because("own cases could not be run", "they count for nothing then")
                .from("request", aborted.request, "they were asked for")
                .input("reason", aborted.reason.as_str(), aborted.reason.as_str())
        }
        Event::HintRequested(request) => {
            let submissions = state.hint_context().submissions;
            because(
                format!("a hint of level {}", request.hint_level),
                format!(
                    "{} (000, hint escalation); in an interview it stops at level 3",
                    sentences::hint_rule(request.trigger_reason)
                ),
            )
            .input("trigger_reason", request.trigger_reason.to_json(), {
                sentences::hint_rule(request.trigger_reason)
            })
            .input(
                "attempts",
                submissions,
                format!("{} had been judged", count(submissions.into(), "different file")),
            )
            .input(
                "issue",
                request.issue.as_str(),
                format!("the hint is about {}", spaced(&request.issue)),
            )
            .not("level 4, the reference solution", "it is never shown in an interview")
        }
        Event::HintGiven(given) => {
            let request = state.hints.last().map_or(EventId::ZERO, |hint| hint.requested);
            let rule = "the hint that was asked for, as soon as it has its words (000)";
            because(format!("the hint of level {} was given", given.hint_level), rule)
                .from("request", request, "it was asked for")
                .input("words", given.words.to_json(), clauses::words(given.words))
        }
        Event::SolutionWatched(watched) => {
            because("the file is watched", "each save is kept; the last one counts at the deadline")
                .input("file_path", watched.file_path.as_str(), watched.file_path.as_str())
        }
        Event::SolutionSaved(saved) => {
            let lines = count(saved.line_count, "line");
            let ago = format!("the file was changed {} before", span(saved.modified, at));
            because("a save was kept", "no question comes right after a save")
                .input("code_hash", saved.code_hash.to_string(), format!("it has {lines}"))
                .input("modified", saved.modified.to_string(), ago)
        }
        Event::SolutionUnwatched(unwatched) => {
            let reason = unwatched.reason.as_deref();
            let over = state.coding_ended().is_some();
            let (rule, text) = match (reason, unwatched.not_submitted, over) {
                (_, Some(NotSubmitted::Left), _) => {
                    ("the interview was left, and nothing more counts", "the interview was left")
                }
                (_, Some(_), _) | (_, None, true) => (
                    "after the coding section no save counts any more",
                    reason.unwrap_or("the coding section is over"),
                ),
                (Some(reason), None, false) => ("the file could not be watched any longer", reason),
                (None, None, false) => ("the candidate asked for it", "it was asked for"),
            };
            let because = because("the file is no longer watched", rule);
            let because = because.input("reason", reason.map_or(Json::Null, Json::from), text);
            match unwatched.not_submitted {
                Some(why) => {
                    because.input("not_submitted", why.to_json(), clauses::not_submitted(why))
                }
                None => because,
            }
        }
        Event::AssistantQuery(query) => because(
            "the assistant was asked",
            "the assistant is a channel of its own, and every word of it is logged (001 8.1)",
        )
        .input(
            "kind",
            query.kind.name(),
            format!("it was asked about {}", subject(query.kind)),
        ),
        Event::AssistantResponse(response) => assistant(response),
        Event::SectionTimeWarning(warning) => {
            let section = clauses::section(state, &warning.section_id);
            let left = format!("{} was left of {section}", clock_of_ms(warning.left_ms));
            because("the candidate was told the time", "the section's warnings (001 5.1)").input(
                "left_ms",
                warning.left_ms,
                left,
            )
        }
        Event::ContentRequested(requested) => because(
            "the section was not ended yet",
            "a section needs a minimum of content; the candidate is asked for it once (001 6.4)",
        )
        .input(
            "missing",
            Json::from(requested.missing.clone()),
            format!("missing: {}", requested.missing.join("; ")),
        ),
        Event::CoverageSatisfied(covered) => {
            let ends = format!("it ends in {} if all stays quiet", span(at, covered.ends_at));
            because(
                "everything required is covered",
                "a covered section ends after a while without a message, save or run (001 6.4)",
            )
            .coverage(state, &covered.section_id)
            .input("ends_at", covered.ends_at.to_string(), ends)
        }
        Event::SectionEnded(ended) => section_end(state, ended),
        Event::SectionSummarized(sealed) => {
            let sentences = sealed.bounded_context_summary.len() as u64;
            because(
                "the section's artifact was sealed",
                "its summary holds the candidate's own sentences and nothing else (001 3.3, 7.2)",
            )
            .input(
                "sentences",
                sentences,
                format!("it has {}", count(sentences, "sentence")),
            )
        }
        Event::CandidateConnected(_) => {
            because("the candidate is there", "a terminal of the candidate attached")
        }
        Event::CandidateDisconnected(gone) => {
            let pauses = format!("it pauses in {} unless one is back", span(at, gone.pauses_at));
            because(
                "no terminal of the candidate is there",
                "the last one has gone; the interview does not pause at once (001 5.3)",
            )
            .input("pauses_at", gone.pauses_at.to_string(), pauses)
        }
        Event::InterviewPaused(_) => because(
            "the interview paused",
            "no terminal of the candidate came back in time; the clock runs on (001 5.3)",
        ),
        Event::CandidateReconnected(back) => {
            let by = match back.by {
                ReturnedBy::Terminal => "a terminal of the candidate attached",
                ReturnedBy::Command => "any command of the candidate resumes the interview",
            };
            let away = match back.away_ms {
                0..1000 => "nobody was there for less than a second".to_owned(),
                ms => format!("nobody was there for {}", clock_of_ms(ms)),
            };
            because("the candidate is back", by).input("away_ms", back.away_ms, away)
        }
        Event::InterviewCompleted(completed) => {
            let sections = count(completed.exits.len() as u64, "section");
            because(
                "the interview is complete",
                "it is when the last section's grace is over and all is judged (001 4.1)",
            )
            .input("exits", completed.exits.to_json(), format!("{sections} ended"))
        }
        Event::InterviewTerminated(ended) => match ended.reason {
            TerminationReason::Abandoned => because(
                "the interview was left before its end",
                "the candidate asked for it; what there was has been sealed (001 3.2)",
            ),
            TerminationReason::SystemError => {
                because("the interview could not go on", "it fails and keeps its log (001 10.2)")
            }
        },
    }
}

/// From one moment to a later one.
fn span(from: Time, to: Time) -> String {
    clock(u64::try_from(to.micros_since(from)).unwrap_or(0))
}

/// An id of the problem's author as words.
fn spaced(id: &str) -> String {
    id.replace('_', " ")
}

fn subject(kind: vosim_protocol::v1::assistant::AskKind) -> &'static str {
    use vosim_protocol::v1::assistant::AskKind;
    match kind {
        AskKind::Concept => "a concept",
        AskKind::Error => "an error",
        AskKind::Code => "the candidate's code",
    }
}

impl Because {
    /// How far a section is covered now.
    fn coverage(self, state: &State, id: &str) -> Self {
        match state.open_as(id) {
            Some(section) => self.coverage_of(state, id, &section.contents.coverage.map()),
            None => self,
        }
    }

    fn coverage_of(self, state: &State, id: &str, map: &CoverageMap) -> Self {
        self.input("coverage", map.to_json(), clauses::coverage(state, id, map))
    }
}

fn submission(code: &CandidateCodeSubmission) -> Because {
    let rule = match code.origin {
        Origin::Candidate if code.late => "it came within the grace, and is marked late (001 5.2)",
        Origin::Candidate => "the candidate submitted it (001 2.1)",
        Origin::Deadline => "the watched file, as it stood at the deadline, is submitted",
        Origin::SectionEnd => "the watched file, as it stood when the section ended, is submitted",
    };
    let until = clauses::until_deadline(code.until_deadline_micros);
    let because = because(format!("the file was taken as attempt {}", code.attempt_number), rule)
        .input("code_hash", code.code_hash.to_string(), {
            format!("it has {}", count(code.line_count, "line"))
        })
        .input("until_deadline_micros", code.until_deadline_micros, until);
    let because = match code.untaken {
        Some(untaken) => because.input("untaken", untaken.to_json(), clauses::untaken(untaken)),
        None => because,
    };
    match code.captured_late {
        true => {
            because.input("captured_late", true, "vosimd was down then; it was read afterwards")
        }
        false => because,
    }
}

fn message_because(state: &State, message: &CandidateMessage) -> Because {
    let section = clauses::section(state, &message.section_id);
    let place = if message.late {
        "it came within the grace after the section's time, and is marked late (001 5.2)"
    } else {
        "a message belongs to the open section (001 2.1)"
    };
    let until = clauses::until_deadline(message.until_deadline_micros);
    let words = u64::from(message.word_count);
    let specific = match message.specific {
        true => "it holds a specific, such as a number, a name or a reason",
        false => "it holds no specific, such as a number, a name or a reason",
    };
    let mut because = because(format!("the message belongs to {section}"), place)
        .input("until_deadline_micros", message.until_deadline_micros, until)
        .input("words", words, format!("it has {}", count(words, "word")))
        .input("signals", message.signals.to_json(), signals(state, message))
        .input("specific", message.specific, specific);
    for change in &message.coverage {
        let text = clauses::change(state, &message.section_id, change);
        because = because.input("coverage", change.to_json(), text);
    }
    match message.guard {
        Some(Guard::Echo) => because.not("coverage", "it mostly repeats what was told"),
        Some(Guard::Question) => because.not("more than partly", "it only asks"),
        Some(Guard::Stuffing) => because.not("more than partly", "it mostly holds signal words"),
        Some(Guard::Declined) => because.not("asking again", "the candidate declined"),
        Some(Guard::Late) => because.not("coverage", "a late message never counts"),
        None => because,
    }
}

/// Of which dimensions a message speaks, by its words.
fn signals(state: &State, message: &CandidateMessage) -> String {
    let spoken = message.signals.iter().filter(|(_, groups)| !groups.is_empty());
    let spoken: Vec<_> = spoken
        .map(|(id, groups)| {
            let name = clauses::dimension(state, &message.section_id, id);
            format!("{name} ({} of signals)", count(groups.len() as u64, "group"))
        })
        .collect();
    if spoken.is_empty() {
        return "its words speak of nothing that the section must cover".to_owned();
    }
    format!("its words speak of {}", spoken.join(", "))
}

fn followup_rule(rule: FollowupRule) -> &'static str {
    match rule {
        FollowupRule::UncoveredFirst => {
            "what is required and not covered goes first, then what was asked about least, then the \
             order of the schema (001 6.3, rule 1)"
        }
        FollowupRule::DeepenPartial => {
            "nothing required is uncovered, so what is partly covered is deepened, first what was \
             asked about least, then in the order of the schema (001 6.3, rule 2)"
        }
    }
}

fn followup(state: &State, selected: &FollowupSelected) -> Because {
    let FollowupSelected { section_id, dimension, pool_index, question, rule, .. } = selected;
    let name = clauses::dimension(state, section_id, dimension);
    let because = because(format!("a question about {name} was chosen"), followup_rule(*rule))
        .chosen(state, section_id, dimension, *pool_index, &selected.coverage_before)
        .input("budget_before", selected.budget_before, {
            format!("{} could still be asked", count(selected.budget_before.into(), "follow-up"))
        });
    let choice = Choice {
        dimension: dimension.clone(),
        pool_index: *pool_index,
        question: question.clone(),
        rule: *rule,
    };
    because.alternatives(state, section_id, &selected.coverage_before, &choice)
}

fn shown(state: &State, shown: &FollowupPresented) -> Because {
    let FollowupPresented { section_id, dimension, pool_index, text, rule, .. } = shown;
    let name = clauses::dimension(state, section_id, dimension);
    let mut because = because(format!("a question about {name} was asked"), followup_rule(*rule))
        .chosen(state, section_id, dimension, *pool_index, &shown.coverage_before)
        .input("budget_remaining", shown.budget_remaining, {
            format!("{} can be asked after it", count(shown.budget_remaining.into(), "follow-up"))
        })
        .input("words", shown.words.to_json(), clauses::words(shown.words));
    let wording = state.open_as(section_id).and_then(OpenSection::wording);
    if let Some(wording) = wording {
        because = because.from("chosen by", wording.request, "it was chosen");
    }
    let choice = Choice {
        dimension: dimension.clone(),
        pool_index: *pool_index,
        question: text.clone(),
        rule: *rule,
    };
    because.alternatives(state, section_id, &shown.coverage_before, &choice)
}

impl Because {
    /// What a follow-up was chosen from: its place in the pool, and the coverage before it.
    fn chosen(
        self,
        state: &State,
        section: &str,
        dimension: &str,
        pool_index: u32,
        before: &CoverageMap,
    ) -> Self {
        let plan = state.open_as(section).map(|section| section.plan(&state.spec.schema));
        let pool = plan
            .and_then(|plan| plan.dimensions.iter().find(|known| known.id == dimension))
            .map_or(0, |known| known.questions.len());
        let place = pool_index + 1;
        self.coverage_of(state, section, before).input("pool_index", pool_index, {
            format!("it is question {place} of {pool} in the pool, the first that was not used yet")
        })
    }

    /// The other dimensions it could have been about.
    fn alternatives(
        mut self,
        state: &State,
        id: &str,
        before: &CoverageMap,
        choice: &Choice,
    ) -> Self {
        let Some(section) = state.open_as(id) else { return self };
        for (dimension, reason) in section.alternatives(&state.spec.schema, before, choice) {
            let name = clauses::dimension(state, id, &dimension);
            self = self.not(format!("a question about {name}"), reason);
        }
        self
    }
}

fn section_end(state: &State, ended: &SectionEnded) -> Because {
    let open = state.open_as(&ended.section_id);
    let covered = open.is_some_and(|section| state.satisfied(section));
    let nudged = open.is_some_and(|section| section.nudged);
    let rules = [
        (
            ExitReason::TimeExpired,
            "a section ends at its deadline (001 5.2, time_expired)",
            "its deadline had not come",
        ),
        (
            ExitReason::CoverageSatisfied,
            "it ends when everything is covered and all was quiet since (001 6.4, \
             coverage_satisfied)",
            if covered { "it was not quiet for long enough" } else { "not everything was covered" },
        ),
        (
            ExitReason::CandidateDone,
            "it ends when the candidate is done and has given the minimum (001 6.4, candidate_done)",
            if nudged {
                "the candidate was asked for the minimum and did not say so again"
            } else {
                "the candidate did not say so"
            },
        ),
        (ExitReason::SystemError, "it ends when the interview is left", "it went on"),
    ];
    let taken = rules.iter().find(|(reason, ..)| *reason == ended.reason).map_or("", |rule| rule.1);
    let section = clauses::section(state, &ended.section_id);
    let unused = match ended.unused_ms {
        0 => "nothing was left of its time".to_owned(),
        unused => format!("{} was left of its time", clock_of_ms(unused)),
    };
    let mut because = because(format!("the section {section} ended"), taken)
        .input("unused_ms", ended.unused_ms, unused)
        .coverage(state, &ended.section_id);
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
    let tokens = u64::from(response.released_tokens);
    let mut because = because(
        decision,
        "the assistant gives definitions, clarifications and nudges only (001 8.2)",
    )
    .from("request", response.request, "it was asked")
    .input("released_tokens", tokens, {
        format!("it has given away {} of code in this interview so far", count(tokens, "token"))
    });
    for violation in [
        Violation::Code,
        Violation::Reference,
        Violation::Plan,
        Violation::Length,
        Violation::LeakBudget,
    ] {
        let (rule, broken, kept) = match violation {
            Violation::Code => {
                ("too much code", "it held too much code", "it holds none or little")
            }
            Violation::Reference => (
                "closeness to the reference",
                "it was too close to the reference solution",
                "no five tokens in a row are in it",
            ),
            Violation::Plan => {
                ("a step-by-step plan", "it was a plan of the implementation", "it holds none")
            }
            Violation::Length => ("length", "it was too long", "it is short enough"),
            Violation::LeakBudget => (
                "the session's leak budget",
                "the session's budget of code was spent",
                "it is not spent",
            ),
        };
        because = if response.violations.contains(&violation) {
            because.input("broke", rule, broken)
        } else {
            because.not(format!("withheld for {rule}"), kept)
        };
    }
    because
}
