//! From which input a recorded event of an interview comes, so that a replay can decide it anew.

use vosim_protocol::v1::effect::EffectOutcome;
use vosim_protocol::v1::interview::{
    AssistantResponse, CandidateCodeSubmission, Command, Event, ExitReason, NotSubmitted, Origin,
    OwnTestsStarted, ReturnedBy, SolutionUnwatched,
};
use vosim_protocol::v1::talk::Words;
use vosim_protocol::{BlobRef, EffectId, EventId};

use super::State;
use super::conclude::{last_submitted, starter};
use crate::kind::{Cause, Recorded};

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
        Event::PromptPresented(prompt) => Cause::Outcome(wording(state), phrased(&prompt.text)),
        Event::FollowupPresented(followup) => {
            Cause::Outcome(wording(state), phrased(&followup.text))
        }
        Event::WordingFailed(wording_failed) => {
            Cause::Outcome(wording(state), failed(&wording_failed.reason))
        }
        Event::CandidateCodeSubmission(submission) => submitted(state, submission),
        Event::EvalResult(result) => {
            let evaluation = result.evaluation.clone();
            let effect = judging(state, result.attempt_number);
            Cause::Outcome(effect, EffectOutcome::Evaluated { evaluation })
        }
        Event::EvalAborted(aborted) => {
            Cause::Outcome(judging(state, aborted.attempt_number), failed(&aborted.reason))
        }
        Event::OwnTestsStarted(started) => Cause::Command(tests(started)),
        Event::OwnTestsResult(result) => {
            let evaluation = result.evaluation.clone();
            Cause::Outcome(EffectId(result.request), EffectOutcome::Evaluated { evaluation })
        }
        Event::OwnTestsAborted(aborted) => {
            Cause::Outcome(EffectId(aborted.request), failed(&aborted.reason))
        }
        Event::HintRequested(_) => Cause::Command(Command::Hint {}),
        Event::HintGiven(given) => {
            let effect = state.hints.last().map_or(NONE, |hint| EffectId(hint.requested));
            let outcome = match given.words {
                Words::Model => EffectOutcome::Phrased { text: given.hint_text.clone() },
                Words::Problem => failed(""),
            };
            Cause::Outcome(effect, outcome)
        }
        Event::SolutionWatched(watched) => Cause::Command(Command::Watch {
            file_path: watched.file_path.clone(),
            language: watched.language,
        }),
        Event::SolutionSaved(saved) => {
            let code =
                BlobRef { hash: saved.code_hash, bytes: saved.bytes, line_count: saved.line_count };
            let modified = saved.modified;
            Cause::Outcome(watching(state), EffectOutcome::Saved { code, modified })
        }
        Event::SolutionUnwatched(unwatched) => left(state, unwatched),
        Event::AssistantQuery(query) => {
            let code = match (query.code_hash, query.bytes, query.line_count) {
                (Some(hash), Some(bytes), Some(line_count)) => {
                    Some(BlobRef { hash, bytes, line_count })
                }
                (Some(_) | None, Some(_) | None, Some(_) | None) => None,
            };
            let (kind, question) = (query.kind, query.question.clone());
            Cause::Command(Command::Ask { kind, question, code })
        }
        Event::AssistantResponse(response) => {
            Cause::Outcome(EffectId(response.request), assisted(response))
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
        | Event::InterviewPaused(_)
        | Event::SectionSummarized(_) => Cause::Deadline,
        Event::CandidateConnected(_) => Cause::Presence(true),
        Event::CandidateDisconnected(_) => Cause::Presence(false),
        Event::CandidateReconnected(back) => match back.by {
            ReturnedBy::Terminal => Cause::Presence(true),
            ReturnedBy::Command => Cause::Consequence,
        },
        Event::SectionStarted(_)
        | Event::ClarificationGiven(_)
        | Event::CoverageSatisfied(_)
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
            again: submission.repeated,
        }),
        Origin::Deadline | Origin::SectionEnd => {
            let effect = state.capture.map_or(NONE, |capture| capture.effect);
            let (late, untaken) = (submission.captured_late, submission.untaken);
            let code = Some(code).filter(|_| untaken.is_none());
            Cause::Outcome(effect, EffectOutcome::Captured { code, late, untaken })
        }
    }
}

/// The end of watching: asked for, given up, left, or after the file was read.
fn left(state: &State, unwatched: &SolutionUnwatched) -> Cause<Command> {
    let not_submitted = unwatched.not_submitted;
    if not_submitted == Some(NotSubmitted::Left) {
        return Cause::Command(Command::End {});
    }
    let outcome = unwatched.reason.as_deref().map(failed);
    match (state.capture, outcome) {
        (Some(capture), Some(outcome)) => Cause::Outcome(capture.effect, outcome),
        (Some(capture), None) => {
            let code = match not_submitted {
                // Of code that is not submitted only the hash is looked at.
                Some(NotSubmitted::Unchanged) => {
                    last_submitted(state).map(|hash| BlobRef { hash, bytes: 0, line_count: 0 })
                }
                Some(NotSubmitted::Starter) => starter(state),
                Some(NotSubmitted::Nothing | NotSubmitted::Left) | None => None,
            };
            let outcome = EffectOutcome::Captured { code, late: false, untaken: None };
            Cause::Outcome(capture.effect, outcome)
        }
        (None, Some(outcome)) => Cause::Outcome(watching(state), outcome),
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

/// The answer as it came, withheld or not.
fn assisted(response: &AssistantResponse) -> EffectOutcome {
    let text = match (&response.withheld, response.unanswered) {
        (Some(withheld), _) => Some(withheld.clone()),
        (None, true) => None,
        (None, false) => Some(response.text.clone()),
    };
    EffectOutcome::Assisted { text }
}

fn wording(state: &State) -> EffectId {
    let wording = state.open().and_then(|section| section.wording.as_ref());
    wording.map_or(NONE, |wording| wording.effect)
}

fn judging(state: &State, submission: u32) -> EffectId {
    let of = |judging: &&super::Judging| judging.submission.attempt_number == submission;
    state.judging.iter().find(of).map_or(NONE, |judging| judging.effect)
}

fn watching(state: &State) -> EffectId {
    state.watch.as_ref().map_or(NONE, |watch| watch.effect)
}

fn failed(reason: &str) -> EffectOutcome {
    EffectOutcome::Failed { reason: reason.to_owned() }
}

fn phrased(text: &str) -> EffectOutcome {
    EffectOutcome::Phrased { text: text.to_owned() }
}
