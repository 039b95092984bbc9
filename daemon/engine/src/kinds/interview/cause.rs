//! From which input a recorded event of an interview comes, so that a replay can decide it anew.

use vosim_protocol::v1::effect::{
    Assist, Assisted, Capture, Captured, Draw, Evaluate, Failure, Hear, Noticed, Probe, Saved, Try,
    Watch, Word,
};
use vosim_protocol::v1::interview::{
    AssistantQuery, AssistantResponse, CandidateCodeSubmission, Command, Event, ExitReason,
    NotSubmitted, Origin, OwnTestsStarted, ReturnedBy, SolutionUnwatched,
};
use vosim_protocol::{BlobRef, EffectId, EventId};

use super::section::OpenSection;
use super::state::{Awaits, Judging, State};
use crate::kind::{Cause, Recorded};
use crate::parts::admission;
use crate::parts::drawing;
use crate::parts::probing;
use crate::parts::wording::Wording;

/// An effect that is never wanted: an outcome of it leads to nothing.
const NONE: EffectId = EffectId(EventId::ZERO);

pub(super) fn cause(state: &State, recorded: &Recorded<Event>) -> Cause<Command> {
    match &recorded.event {
        Event::InterviewCreated(_) => Cause::Opening,
        Event::InterviewStarted(_) => Cause::Command(Command::Begin {}),
        Event::CandidateMessage(message) => Cause::Command(Command::Say {
            text: message.text.clone(),
            section: message.named.clone(),
        }),
        Event::MessageHeard(heard) => {
            let outcome = match &heard.failed {
                Some(reason) => Err(Failure::new(reason.as_str())),
                None => Ok(heard.testimonies.clone()),
            };
            Cause::ended::<Hear>(EffectId(heard.message), outcome)
        }
        Event::PromptPresented(prompt) => worded(saying(state), Ok(&prompt.text)),
        Event::FollowupPresented(followup) => worded(saying(state), Ok(&followup.text)),
        Event::WordingFailed(failed) => {
            let asks = |wording: &&Wording| wording.request == failed.request;
            let wording = saying(state).filter(asks).or_else(|| hint(state).filter(asks));
            worded(wording, Err(&failed.reason))
        }
        Event::CandidateCodeSubmission(submission) => submitted(state, submission),
        Event::SuiteDrawn(drawn) => {
            let first = state.judging.first().map_or(NONE, |first| first.effect);
            Cause::ended::<Draw>(first, drawing::outcome(drawn))
        }
        Event::EvalResult(result) => {
            let evaluation = result.evaluation.clone();
            Cause::ended::<Evaluate>(judging(state, result.attempt_number), Ok(evaluation))
        }
        Event::EvalAborted(aborted) => {
            let failure = Failure::new(aborted.reason.as_str());
            Cause::ended::<Evaluate>(judging(state, aborted.attempt_number), Err(failure))
        }
        Event::GrowthMeasured(measured) => {
            let effect = state.probes.effect(measured).unwrap_or(NONE);
            Cause::ended::<Probe>(effect, probing::outcome(measured))
        }
        Event::OwnTestsStarted(started) => Cause::Command(tests(started)),
        Event::OwnTestsResult(result) => {
            let evaluation = result.evaluation.clone();
            Cause::ended::<Try>(EffectId(result.request), Ok(evaluation))
        }
        Event::OwnTestsAborted(aborted) => {
            let failure = Failure::new(aborted.reason.as_str());
            Cause::ended::<Try>(EffectId(aborted.request), Err(failure))
        }
        Event::HintRequested(_) => Cause::Command(Command::Hint {}),
        Event::HintGiven(given) => worded(hint(state), Ok(&given.hint_text)),
        Event::SolutionWatched(watched) => Cause::Command(Command::Watch {
            file_path: watched.file_path.clone(),
            language: watched.language,
        }),
        Event::SolutionSaved(saved) => {
            let code =
                BlobRef { hash: saved.code_hash, bytes: saved.bytes, line_count: saved.line_count };
            let modified = saved.modified;
            Cause::ended::<Watch>(watching(state), Ok(Noticed::Saved(Saved { code, modified })))
        }
        Event::SolutionLost(lost) => {
            Cause::ended::<Watch>(watching(state), Ok(Noticed::Lost(lost.why)))
        }
        Event::SolutionUnwatched(unwatched) => left(state, unwatched),
        Event::AssistantQuery(query) => asked(query),
        Event::AssistantResponse(response) => {
            Cause::ended::<Assist>(EffectId(response.request), Ok(answer(response)))
        }
        Event::ContentRequested(_) => Cause::Command(Command::Done { section: None }),
        Event::SectionEnded(ended) => match ended.reason {
            ExitReason::TimeExpired | ExitReason::CoverageSatisfied => Cause::Deadline,
            ExitReason::CandidateDone => Cause::Command(Command::Done { section: None }),
            ExitReason::SystemError => Cause::Command(Command::End {}),
        },
        Event::InterviewTerminated(_) => Cause::Command(Command::End {}),
        Event::SectionTimeWarning(_)
        | Event::FollowupSelected(_)
        | Event::VariationAsked(_)
        | Event::QuestionsOver(_)
        | Event::InterviewPaused(_)
        | Event::SectionSummarized(_) => Cause::Deadline,
        Event::CandidateTyping(_) => Cause::Command(Command::Typing { stopped: false }),
        Event::CandidateTypingEnded(ended) => match ended.stopped {
            true => Cause::Command(Command::Typing { stopped: true }),
            false => Cause::Deadline,
        },
        // It waits for an answer to a variation, or follows at once.
        Event::CoverageSatisfied(_) => match state.open().and_then(|open| open.variation) {
            Some(_) => Cause::Deadline,
            None => Cause::Consequence,
        },
        Event::CandidateConnected(_) => Cause::Presence(true),
        Event::CandidateDisconnected(_) => Cause::Presence(false),
        Event::CandidateReconnected(back) => match back.by {
            ReturnedBy::Terminal => Cause::Presence(true),
            ReturnedBy::Command => Cause::Consequence,
        },
        Event::SectionStarted(_)
        | Event::GrowthProbeStarted(_)
        | Event::ClarificationGiven(_)
        | Event::InquiryAnswered(_)
        | Event::InterviewCompleted(_) => Cause::Consequence,
    }
}

fn submitted(state: &State, submission: &CandidateCodeSubmission) -> Cause<Command> {
    let code = BlobRef {
        hash: submission.code_hash,
        bytes: submission.bytes,
        line_count: submission.line_count,
    };
    match submission.origin {
        Origin::Candidate => Cause::Command(Command::Submit {
            file_path: submission.file_path.clone(),
            code,
            language: submission.language,
            again: submission.repeated
                || admission::is_starter(&state.spec.problem, submission.code_hash),
        }),
        Origin::Deadline | Origin::SectionEnd => {
            let effect = state.capture().map_or(NONE, |(effect, _)| effect);
            let (late, untaken) = (submission.captured_late, submission.untaken);
            let code = Some(code).filter(|_| untaken.is_none());
            Cause::ended::<Capture>(effect, Ok(Captured { code, late, untaken }))
        }
    }
}

/// The end of watching: asked for, given up, left, or after the file was read.
fn left(state: &State, unwatched: &SolutionUnwatched) -> Cause<Command> {
    let not_submitted = unwatched.not_submitted;
    if not_submitted == Some(NotSubmitted::Left) {
        return Cause::Command(Command::End {});
    }
    let failure = unwatched.reason.as_deref().map(Failure::new);
    match (state.capture(), failure) {
        (Some((effect, _)), Some(failure)) => Cause::ended::<Capture>(effect, Err(failure)),
        (Some((effect, _)), None) => {
            let untaken = unwatched.untaken;
            let code = match not_submitted.filter(|_| untaken.is_none()) {
                // Of code that is not submitted only the hash is looked at.
                Some(NotSubmitted::Unchanged) => {
                    state.last_submitted().map(|hash| BlobRef { hash, bytes: 0, line_count: 0 })
                }
                Some(NotSubmitted::Starter) => state.starter(),
                Some(NotSubmitted::Nothing | NotSubmitted::Left) | None => None,
            };
            let captured = Captured { code, late: false, untaken };
            Cause::ended::<Capture>(effect, Ok(captured))
        }
        (None, Some(failure)) => Cause::ended::<Watch>(watching(state), Err(failure)),
        (None, None) => Cause::Command(Command::Unwatch {}),
    }
}

fn tests(started: &OwnTestsStarted) -> Command {
    Command::Test {
        file_path: started.file_path.clone(),
        code: BlobRef {
            hash: started.code_hash,
            bytes: started.bytes,
            line_count: started.line_count,
        },
        language: started.language,
        cases: started.cases.clone(),
    }
}

fn asked(query: &AssistantQuery) -> Cause<Command> {
    let code = match (query.code_hash, query.bytes, query.line_count) {
        (Some(hash), Some(bytes), Some(line_count)) => Some(BlobRef { hash, bytes, line_count }),
        (Some(_) | None, Some(_) | None, Some(_) | None) => None,
    };
    let (kind, question) = (query.kind, query.question.clone());
    Cause::Command(Command::Ask { kind, question, code })
}

/// The answer as it came, withheld or not.
fn answer(response: &AssistantResponse) -> Assisted {
    let text = match (&response.withheld, response.unanswered) {
        (Some(withheld), _) => Some(withheld.clone()),
        (None, true) => None,
        (None, false) => Some(response.text.clone()),
    };
    Assisted { text, model: response.model.clone() }
}

fn saying(state: &State) -> Option<&Wording> {
    state.open().and_then(OpenSection::wording)
}

fn hint(state: &State) -> Option<&Wording> {
    state.hints.pending().map(|(_, wording)| wording)
}

fn worded(wording: Option<&Wording>, outcome: Result<&str, &str>) -> Cause<Command> {
    let effect = wording.map_or(NONE, |wording| wording.effect);
    Cause::ended::<Word>(effect, outcome.map(str::to_owned).map_err(Failure::new))
}

fn judging(state: &State, submission: u32) -> EffectId {
    let of = |judging: &&Judging| judging.submission.attempt_number == submission;
    state.judging.iter().find(of).map_or(NONE, |judging| judging.effect)
}

fn watching(state: &State) -> EffectId {
    match state.watch.as_ref().map(|watch| watch.awaits) {
        Some(Awaits::Save(effect)) => effect,
        Some(Awaits::Capture { .. }) | None => NONE,
    }
}
