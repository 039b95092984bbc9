//! What was tried and with how much help, as it comes together event by event.

use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::judging::{EvalAborted, EvalResult, GrowthMeasured};
use vosim_protocol::v1::report::{Asked, Grown, HintUsed, Judgement, Late, Quoted, Report, Tried};
use vosim_protocol::v1::telling::{Entry, Telling};
use vosim_protocol::{EventId, Hash};

use crate::kind::Recorded;
use crate::parts::words;

/// Most entries of a list of a report: it must fit into a frame however long the session was.
const LISTED_MAX: usize = 200;
/// Most steps, which hold sentences of any length, and the longest of them, bytes.
const STEPS_MAX: usize = 60;
const STEP_MAX_BYTES: usize = 2_000;

/// What was tried, with its help.
#[derive(Debug, Default)]
pub(crate) struct Work {
    submissions: Vec<Tried>,
    grown: Option<Grown>,
    hints: Vec<HintUsed>,
    pub(crate) own_runs: Vec<EventId>,
    pub(crate) assistant: Vec<Asked>,
    pub(crate) late: Vec<Late>,
}

impl Work {
    pub(crate) fn submit<E>(&mut self, event: &Recorded<E>, number: u32, code_hash: Hash) {
        let (event_id, at) = (event.id, event.at);
        self.submissions.push(Tried { event_id, at, number, code_hash, judged: None });
    }

    pub(crate) fn judge(&mut self, event_id: EventId, result: &EvalResult) {
        self.settle(
            result.attempt_number,
            Judgement::Verdict {
                event_id,
                failure_type: result.failure_type,
                detail: result.detail,
                tests_passed: result.tests_passed,
                tests_failed: result.tests_failed,
                issue: result.issue.clone(),
            },
        );
    }

    pub(crate) fn abort(&mut self, event_id: EventId, aborted: &EvalAborted) {
        let text = aborted.reason.clone();
        self.settle(aborted.attempt_number, Judgement::Aborted(Quoted { text, event_id }));
    }

    /// An aborted submission's number is given again, so the last one of a number is meant.
    fn settle(&mut self, number: u32, judgement: Judgement) {
        if let Some(of) = self.submissions.iter_mut().rev().find(|one| one.number == number) {
            of.judged = Some(judgement);
        }
    }

    pub(crate) fn hint<E>(&mut self, event: &Recorded<E>, given: &HintGiven) {
        self.hints.push(HintUsed {
            event_id: event.id,
            at: event.at,
            level: given.hint_level,
            issue: given.issue.clone(),
        });
    }

    /// The last one stays: it is of the last right submission.
    pub(crate) fn grow(&mut self, event_id: EventId, measured: &GrowthMeasured) {
        self.grown = Some(Grown { event_id, measured: measured.clone() });
    }

    /// Puts all of it into a report.
    pub(crate) fn into_report(self, report: &mut Report) {
        let omitted = self.submissions.len().saturating_sub(LISTED_MAX);
        report.submissions_omitted = u32::try_from(omitted).unwrap_or(u32::MAX);
        report.submissions = newest(self.submissions);
        report.growth = self.grown;
        report.hints = newest(self.hints);
        report.own_runs = newest(self.own_runs);
        report.assistant = newest(self.assistant);
        report.late = newest(self.late);
    }
}

fn newest<T>(mut list: Vec<T>) -> Vec<T> {
    list.split_off(list.len().saturating_sub(LISTED_MAX))
}

/// The newest of what events say, none longer than a report has room for.
pub(crate) fn steps<E>(
    events: &[Recorded<E>],
    tell: impl Fn(&Recorded<E>) -> Option<Telling>,
) -> Vec<Entry> {
    let told = events.iter().filter_map(|event| Entry::of(event.id, event.at, tell(event)?));
    let mut steps: Vec<Entry> = told.collect();
    let mut newest = steps.split_off(steps.len().saturating_sub(STEPS_MAX));
    for line in newest.iter_mut().filter_map(|step| step.telling.line.as_mut()) {
        if line.text.len() > STEP_MAX_BYTES {
            let text = words::cut(std::mem::take(&mut line.text), STEP_MAX_BYTES);
            *line = vosim_protocol::v1::phrase::Phrase::said(text);
        }
    }
    newest
}
