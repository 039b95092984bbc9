//! What the events of an interview say; see [`telling`](crate::telling).

use vosim_protocol::Time;
use vosim_protocol::phrase;
use vosim_protocol::v1::assistant::AskKind;
use vosim_protocol::v1::clauses;
use vosim_protocol::v1::coverage::{Coverage, CoverageChange, CoverageRule, FollowupRule, Guard};
use vosim_protocol::v1::effect::{Obstacle, Untaken};
use vosim_protocol::v1::evaluation::{CaseOutcome, Evaluation};
use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::v1::interview::{
    AssistantQuery, AssistantResponse, CandidateCodeSubmission, CandidateMessage,
    CandidateReconnected, ClarificationGiven, ContentRequested, Event, FollowupPresented,
    FollowupSelected, InquiryAnswered, InterviewCompleted, InterviewCreated, MessageHeard, Origin,
    OwnTestsResult, ReturnedBy, SectionEnded, SectionStarted, SolutionUnwatched, TerminationReason,
};
use vosim_protocol::v1::phrase::{Phrase, Span};
use vosim_protocol::v1::telling::{Channel, Telling, Tone};

use crate::kind::Recorded;
use crate::telling::{
    hint, hint_requested, in_words, not_judged, of_code, suite_drawn, system, variation_asked,
    verdict, wording_failed,
};

pub(super) fn tell(recorded: &Recorded<Event>) -> Telling {
    let at = recorded.at;
    match &recorded.event {
        Event::InterviewCreated(created) => plan(created),
        Event::InterviewStarted(started) => {
            system(phrase!("interview.started", time = Span::between(at, started.ends_by)))
        }
        Event::SectionStarted(started) => section_started(started, at),
        Event::PromptPresented(prompt) => {
            interviewer(&prompt.section_id, Phrase::said(&prompt.text))
                .adding(in_words(prompt.model.as_deref()))
        }
        Event::CandidateMessage(message) => said(message),
        Event::MessageHeard(message) => heard(message),
        Event::ClarificationGiven(given) => clarification(given),
        Event::InquiryAnswered(answered) => inquiry(answered),
        Event::FollowupSelected(selected) => followup(selected),
        Event::FollowupPresented(presented) => follow_up(presented),
        Event::QuestionsOver(over) => interviewer(&over.section_id, phrase!("questions.over")),
        Event::VariationAsked(asked) => variation_asked(asked),
        Event::WordingFailed(failed) => wording_failed(failed),
        Event::CandidateCodeSubmission(code) => submission(code),
        Event::SuiteDrawn(drawn) => suite_drawn(drawn),
        Event::EvalResult(result) => verdict(result),
        Event::EvalAborted(aborted) => not_judged(aborted),
        // Of the growth the end tells (001 9): while the interview runs it is the candidate's to name.
        Event::GrowthProbeStarted(started) => {
            Telling::silent(phrase!("growth.started", number = started.attempt_number))
        }
        Event::GrowthMeasured(measured) => Telling::silent(clauses::growth(measured)),
        Event::OwnTestsStarted(run) => {
            let (cases, file) = (run.cases.len() as u64, run.file_path.as_str());
            system(phrase!("own_cases.started", cases, file)).of_section(&run.section_id)
        }
        Event::OwnTestsResult(result) => own_cases(result),
        Event::OwnTestsAborted(aborted) => {
            system(phrase!("own_cases.aborted", reason = aborted.reason.as_str()))
                .in_tone(Tone::Bad)
        }
        Event::HintRequested(request) => hint_requested(request),
        Event::HintGiven(given) => hint(given, SOLUTION_LEVEL - 1),
        Event::SolutionWatched(watched) => {
            system(phrase!("watch.started", file = watched.file_path.as_str()))
        }
        Event::SolutionSaved(saved) => {
            let (lines, bytes) = (saved.line_count, saved.bytes);
            Telling::silent(phrase!("code.size", lines, bytes))
        }
        Event::SolutionLost(lost) => system(match lost.why {
            Obstacle::Missing => phrase!("watch.lost_missing"),
            Obstacle::NotAFile => phrase!("watch.lost_not_a_file"),
            Obstacle::Unreadable => phrase!("watch.lost_unreadable"),
            Obstacle::TooLarge => phrase!("watch.lost_too_large"),
        })
        .in_tone(Tone::Warning),
        Event::SolutionUnwatched(unwatched) => no_longer_watched(unwatched),
        Event::AssistantQuery(query) => asked(query),
        Event::AssistantResponse(response) => answer(response),
        Event::SectionTimeWarning(warning) => {
            let (left, title) = (Span::ms(warning.left_ms), warning.title.as_str());
            system(phrase!("section.warning", left, title))
                .in_tone(Tone::Warning)
                .of_section(&warning.section_id)
        }
        Event::ContentRequested(requested) => nudge(requested),
        Event::CoverageSatisfied(covered) => {
            let (title, time) = (covered.title.as_str(), Span::between(at, covered.ends_at));
            interviewer(&covered.section_id, phrase!("section.covered", title, time))
        }
        Event::SectionEnded(ended) => section_ended(ended, at),
        Event::SectionSummarized(sealed) => {
            let (messages, followups) = (sealed.messages, sealed.followups_asked);
            Telling::silent(phrase!("section.summary", messages, followups))
                .of_section(&sealed.section_id)
        }
        Event::CandidateConnected(_) => system(phrase!("candidate.connected")),
        Event::CandidateDisconnected(gone) => {
            system(phrase!("candidate.disconnected", time = Span::between(at, gone.pauses_at)))
        }
        Event::CandidateTyping(typing) => {
            Telling::silent(phrase!("candidate.typing")).of_section(&typing.section_id)
        }
        Event::CandidateTypingEnded(ended) => Telling::silent(match ended.stopped {
            true => phrase!("candidate.typing_stopped"),
            false => phrase!("candidate.typing_over"),
        })
        .of_section(&ended.section_id),
        Event::InterviewPaused(_) => system(phrase!("interview.paused")).in_tone(Tone::Warning),
        Event::CandidateReconnected(back) => returned(back),
        Event::InterviewCompleted(completed) => complete(completed),
        Event::InterviewTerminated(ended) => {
            let line = match ended.reason {
                TerminationReason::Abandoned => phrase!("interview.left"),
                TerminationReason::SystemError => phrase!("interview.failed"),
            };
            Telling::spoken(Channel::Section, line).in_tone(Tone::Warning)
        }
    }
}

fn interviewer(section_id: &str, line: Phrase) -> Telling {
    Telling::spoken(Channel::Interviewer, line).of_section(section_id)
}

fn clarification(given: &ClarificationGiven) -> Telling {
    let mut gist = vec![phrase!("clarification.card", card = given.card.as_str())];
    gist.extend(given.coverage.as_ref().map(change));
    interviewer(&given.section_id, Phrase::said(&given.text)).adding(gist)
}

fn heard(heard: &MessageHeard) -> Telling {
    let model = heard.model.as_str();
    let part = |change: &CoverageChange| {
        let said = heard.testimonies.iter().find(|said| said.dimension == change.dimension)?;
        let (dimension, quote) = (change.dimension.as_str(), said.quote.as_str());
        Some(phrase!("heard.quote", dimension, coverage = clauses::coverage(change.to), quote))
    };
    let parts: Vec<_> = heard.coverage.iter().filter_map(part).collect();
    Telling::silent(match (&heard.failed, parts.is_empty()) {
        (Some(reason), _) => phrase!("heard.failed", model, reason = reason.as_str()),
        (None, true) => phrase!("heard.nothing", model),
        (None, false) => phrase!("heard.said", model, parts),
    })
    .of_section(&heard.section_id)
}

fn inquiry(answered: &InquiryAnswered) -> Telling {
    let assumed = answered.assumed.as_ref().map(|_| phrase!("inquiry.assumed"));
    interviewer(&answered.section_id, Phrase::said(&answered.text))
        .adding(assumed.into_iter().collect())
}

fn followup(selected: &FollowupSelected) -> Telling {
    let (number, dimension) = (selected.pool_index + 1, selected.dimension.as_str());
    let coverage = clauses::coverage(match selected.rule {
        FollowupRule::UncoveredFirst | FollowupRule::InOtherWords => Coverage::NotCovered,
        FollowupRule::DeepenPartial => Coverage::PartiallyCovered,
    });
    let question = selected.question.as_str();
    Telling::silent(phrase!("followup.selected", number, dimension, coverage, question))
}

/// A follow-up; with the last one the interviewer says that it is the last.
fn follow_up(presented: &FollowupPresented) -> Telling {
    let mut gist = vec![phrase!("followup.about", dimension = presented.dimension.as_str())];
    gist.extend(in_words(presented.model.as_deref()));
    let question = presented.text.as_str();
    let line = match presented.budget_remaining {
        0 => phrase!("followup.last", question),
        _ => Phrase::said(question),
    };
    interviewer(&presented.section_id, line).adding(gist)
}

fn nudge(requested: &ContentRequested) -> Telling {
    let text = requested.text.as_str();
    let missing = requested.missing.iter().map(Phrase::said).collect::<Vec<_>>();
    let line = match missing.is_empty() {
        true => Phrase::said(text),
        false => phrase!("content.requested", text, missing),
    };
    interviewer(&requested.section_id, line)
}

fn plan(created: &InterviewCreated) -> Telling {
    let section = |(title, ms): (&String, u64)| {
        phrase!("interview.planned_section", title = title.as_str(), time = Span::ms(ms))
    };
    let plan = created.sections.iter().map(|planned| (&planned.title, planned.duration_ms));
    let plan = plan.map(section).collect::<Vec<_>>();
    let (count, total) = (created.sections.len() as u64, Span::ms(created.total_ms));
    let (problem, candidate) = (created.problem_id.to_string(), created.candidate_id.as_str());
    system(phrase!("interview.planned", count, total, plan)).adding(vec![phrase!(
        "interview.problem",
        problem,
        candidate
    )])
}

/// 001 9: the boundary tells the section's name, its goal and its time.
fn section_started(started: &SectionStarted, at: Time) -> Telling {
    let SectionStarted { section_id, number, total, title, goal, deadline, .. } = started;
    let (number, total, time) = (*number, *total, Span::between(at, *deadline));
    let (title, goal) = (title.as_str(), goal.as_str());
    Telling::spoken(Channel::Section, phrase!("section.started", number, total, title, time, goal))
        .in_tone(Tone::Notice)
        .of_section(section_id)
}

fn section_ended(ended: &SectionEnded, at: Time) -> Telling {
    let (title, reason) = (ended.title.as_str(), clauses::exit(ended.reason));
    let line = match ended.grace_until.filter(|until| *until > at) {
        Some(until) => {
            let grace = Span::between(at, until);
            phrase!("section.ended_with_grace", title, reason, grace)
        }
        None => phrase!("section.ended", title, reason),
    };
    let unused = Some(ended.unused_ms).filter(|unused| *unused > 0);
    let unused = unused.map(|unused| phrase!("section.unused", time = Span::ms(unused)));
    Telling::spoken(Channel::Section, line)
        .in_tone(Tone::Notice)
        .of_section(&ended.section_id)
        .adding(unused.into_iter().collect())
}

/// A candidate's screen leaves coverage away, so that nobody talks towards a meter; `log` tells it
/// to who asks (DECISIONS 28).
fn said(message: &CandidateMessage) -> Telling {
    let guard = message.guard.and_then(|guard| match guard {
        Guard::Echo => Some(phrase!("guard.echo")),
        Guard::Question => Some(phrase!("guard.question")),
        Guard::Stuffing => Some(phrase!("guard.stuffing")),
        Guard::Declined => Some(phrase!("guard.declined")),
        Guard::Late => None,
    });
    let gist = guard.into_iter().chain(message.coverage.iter().map(change)).collect();
    let told = Telling::spoken(Channel::Candidate, Phrase::said(&message.text));
    Telling { late: message.late, ..told }.of_section(&message.section_id).adding(gist)
}

fn change(change: &CoverageChange) -> Phrase {
    let (dimension, coverage) = (change.dimension.as_str(), clauses::coverage(change.to));
    let rule = match change.rule {
        CoverageRule::OneGroup => phrase!("coverage_rule.one_group"),
        CoverageRule::TwoGroupsInOneMessage => phrase!("coverage_rule.two_groups"),
        CoverageRule::ThreeGroupsOverTheSection => phrase!("coverage_rule.three_groups"),
        CoverageRule::ClarificationAsked => phrase!("coverage_rule.clarification"),
        CoverageRule::TestsOrVerdict => phrase!("coverage_rule.tests_or_verdict"),
        CoverageRule::TestsAndVerdict => phrase!("coverage_rule.tests_and_verdict"),
        CoverageRule::Weighed => phrase!("coverage_rule.weighed"),
        CoverageRule::AboutARun => phrase!("coverage_rule.about_a_run"),
        CoverageRule::HeardByModel => phrase!("coverage_rule.heard_by_model"),
    };
    phrase!("coverage.changed", dimension, coverage, rule)
}

fn submission(code: &CandidateCodeSubmission) -> Telling {
    let (number, file) = (code.attempt_number, code.file_path.as_str());
    let line = match code.origin {
        Origin::Candidate if code.late => phrase!("submission.late", number, file),
        Origin::Candidate => phrase!("submission.made", number, file),
        Origin::Deadline | Origin::SectionEnd => match code.untaken {
            None => phrase!("submission.captured", number, file, moment = moment(code)),
            Some(untaken) => {
                let (fault, moment) = (clauses::fault(untaken), moment(code));
                phrase!("submission.last_save", number, file, fault, moment)
            }
        },
    };
    let mut gist = of_code(code.line_count, code.repeated);
    gist.extend(code.captured_late.then(|| phrase!("code.read_late")));
    let told = Telling { late: code.late, ..system(line) };
    told.of_section(&code.section_id).adding(gist)
}

/// For when the watched file was wanted, or when it was found not to be the one that counts.
fn moment(code: &CandidateCodeSubmission) -> Phrase {
    let changed = code.untaken == Some(Untaken::Changed);
    match code.origin {
        Origin::SectionEnd if changed => phrase!("moment.after_section_end"),
        Origin::SectionEnd => phrase!("moment.section_end"),
        Origin::Deadline | Origin::Candidate if changed => phrase!("moment.after_deadline"),
        Origin::Deadline | Origin::Candidate => phrase!("moment.deadline"),
    }
}

fn own_cases(result: &OwnTestsResult) -> Telling {
    let (passed, total) = (result.passed, result.passed + result.failed);
    let tone = if result.failed == 0 { Tone::Good } else { Tone::Bad };
    let told = phrase!("own_cases.result", passed, total);
    let told = match first_failing(&result.evaluation) {
        Some(reason) => phrase!("own_cases.result_because", result = told, reason),
        None => told,
    };
    system(told).in_tone(tone).adding(result.coverage.iter().map(change).collect())
}

/// What went wrong in the first case that did not pass: a screen shows nothing else of a run.
fn first_failing(evaluation: &Evaluation) -> Option<Phrase> {
    let case = evaluation.cases.iter().find(|case| !case.outcome.passed())?;
    let test = case.name.as_str();
    match (&case.outcome, &case.shown) {
        (CaseOutcome::Raised { exception }, _) => {
            Some(phrase!("failure.raised", test, exception = exception.as_str()))
        }
        (CaseOutcome::Crashed { message, .. }, _) => {
            Some(phrase!("failure.crashed", test, message = message.as_str()))
        }
        (CaseOutcome::Failed, Some(known)) => Some(phrase!(
            "failure.differs",
            test,
            call = known.call,
            expected = known.expected.as_str(),
            actual = known.actual.as_str()
        )),
        (
            CaseOutcome::Passed
            | CaseOutcome::Failed
            | CaseOutcome::Limit { .. }
            | CaseOutcome::NotRun,
            _,
        ) => None,
    }
}

fn no_longer_watched(unwatched: &SolutionUnwatched) -> Telling {
    let given = unwatched.reason.as_ref().map(Phrase::said);
    let of_the_file = |why| clauses::not_submitted(why, unwatched.untaken);
    let reason = given.or_else(|| unwatched.not_submitted.and_then(of_the_file));
    system(match reason {
        Some(reason) => phrase!("watch.ended_because", reason),
        None => phrase!("watch.ended"),
    })
}

fn asked(query: &AssistantQuery) -> Telling {
    let about = match query.kind {
        AskKind::Concept => phrase!("ask.about_concept"),
        AskKind::Error => phrase!("ask.about_error"),
        AskKind::Code => phrase!("ask.about_code"),
    };
    Telling::spoken(Channel::Ask, Phrase::said(&query.question))
        .of_section(&query.section_id)
        .adding(vec![about])
}

fn answer(response: &AssistantResponse) -> Telling {
    let told = Telling::spoken(Channel::Assistant, Phrase::said(&response.text));
    let model = response.model.as_deref().map(|model| phrase!("answer.by_model", model));
    let mut gist: Vec<_> = model.into_iter().collect();
    if !response.violations.is_empty() {
        let broken = response.violations.iter().copied().map(clauses::violation);
        gist.push(phrase!("answer.withheld", reasons = broken.collect::<Vec<_>>()));
    }
    told.adding(gist)
}

fn returned(back: &CandidateReconnected) -> Telling {
    let by = match back.by {
        ReturnedBy::Terminal => phrase!("candidate.back_by_terminal"),
        ReturnedBy::Command => phrase!("candidate.back_by_command"),
    };
    system(phrase!("candidate.back", time = Span::ms(back.away_ms)))
        .in_tone(Tone::Notice)
        .adding(vec![by])
}

fn complete(completed: &InterviewCompleted) -> Telling {
    let time = Span::ms(completed.duration_ms);
    let line = match completed.tests_passed {
        Some((passed, total)) => phrase!("interview.completed", time, passed, total),
        None => phrase!("interview.completed_unjudged", time),
    };
    Telling::spoken(Channel::Section, line).in_tone(Tone::Notice)
}

#[cfg(test)]
mod tests {
    use vosim_protocol::EventId;
    use vosim_protocol::v1::evaluation::{CaseResult, Difference, Load};

    use super::*;
    use crate::problem;

    fn told(outcome: CaseOutcome, shown: Option<Difference>) -> String {
        let evaluation = problem::evaluation(Load::Loaded, &[]);
        let name = "own case 1".to_owned();
        let case = CaseResult { name, outcome, shown, ..evaluation.cases[0].clone() };
        let evaluation = Box::new(Evaluation { cases: vec![case], ..evaluation });
        let request = EventId(1);
        let result = OwnTestsResult { request, passed: 2, failed: 1, coverage: None, evaluation };
        own_cases(&result).line.unwrap().text
    }

    #[test]
    fn a_run_of_own_cases_tells_what_went_wrong_first() {
        let known = Difference {
            input: "LRUCache(1)  put(1, 1)  get(1)".to_owned(),
            call: 3,
            expected: "1".to_owned(),
            actual: "None".to_owned(),
            column: 0,
        };
        let counted = "Own cases: 2 of 3 came out as expected.";
        let differs = format!("{counted} In own case 1, call 3 had to give 1 and gave None.");
        assert_eq!(told(CaseOutcome::Failed, Some(known)), differs);
        let exception = "KeyError: 7 (solution.py, line 7, in get)".to_owned();
        let raised = format!("{counted} In own case 1 your code raised {exception}.");
        assert_eq!(told(CaseOutcome::Raised { exception }, None), raised);
        assert_eq!(told(CaseOutcome::NotRun, None), counted);
    }
}
