//! What the events of a drill say; see [`telling`](crate::telling).

use vosim_protocol::phrase;
use vosim_protocol::v1::clauses;
use vosim_protocol::v1::drill::{DrillOutcome, Event, SessionEnded};
use vosim_protocol::v1::hints::SOLUTION_LEVEL;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::telling::{Channel, Telling, Tone};

use crate::telling::{
    hint, hint_requested, not_judged, of_code, suite_drawn, system, variation_asked, verdict,
    wording_failed,
};

pub(super) fn tell(event: &Event) -> Telling {
    match event {
        Event::SessionStarted(started) => {
            let python = phrase!("drill.python", version = started.python_version.as_str());
            system(phrase!("drill.started", title = started.title.as_str())).adding(vec![python])
        }
        Event::CodeSubmitted(code) => {
            let (number, file) = (code.attempt_number, code.file_path.as_str());
            system(phrase!("submission.made", number, file))
                .adding(of_code(code.line_count, code.repeated))
        }
        Event::SuiteDrawn(drawn) => suite_drawn(drawn),
        Event::EvalResult(result) => verdict(result),
        Event::EvalAborted(aborted) => not_judged(aborted),
        Event::HintRequested(request) => hint_requested(request),
        Event::HintGiven(given) => hint(given, SOLUTION_LEVEL),
        Event::AgentResponse(response) => {
            Telling::spoken(Channel::Interviewer, Phrase::said(&response.message))
        }
        Event::VariationAsked(asked) => variation_asked(asked),
        Event::VariationAnswered(answered) => {
            Telling::spoken(Channel::Candidate, Phrase::said(&answered.text))
        }
        Event::WordingFailed(failed) => wording_failed(failed),
        Event::GrowthProbeStarted(started) => {
            Telling::silent(phrase!("growth.started", number = started.attempt_number))
        }
        Event::GrowthMeasured(measured) => system(clauses::growth(measured)),
        Event::SessionEnded(ended) => end(ended),
    }
}

fn end(ended: &SessionEnded) -> Telling {
    let passed = ended.final_tests_passed;
    let total = passed + ended.final_tests_failed;
    let (line, tone) = match ended.outcome {
        DrillOutcome::Success if ended.assisted => (phrase!("drill.solved_assisted"), Tone::Notice),
        DrillOutcome::Success => (phrase!("drill.solved", total), Tone::Good),
        DrillOutcome::PartialSuccess => {
            (phrase!("drill.partly_solved", passed, total), Tone::Notice)
        }
        DrillOutcome::Failure => (phrase!("drill.unsolved", passed, total), Tone::Bad),
        DrillOutcome::Abandoned => (phrase!("drill.unjudged"), Tone::Notice),
    };
    Telling::spoken(Channel::Section, line).in_tone(tone)
}
