//! What was judged: one submission with all that was said about it, from the session's log.

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::drill::AgentResponse;
use vosim_protocol::v1::judging::{EvalAborted, EvalResult, GrowthMeasured};
use vosim_protocol::v1::service::ProblemCard;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventRecord, Hash, Kind, Role, SessionId};

use crate::call::{blob_text, payload, problem_of};
use crate::client::Client;
use crate::ends::is_end;
use crate::errors::{Failure, code, user_error};
use crate::follow::aborted;
use crate::log::whole;
use crate::render::drill as screens;
use crate::render::look::Tone;
use crate::render::page::Page;
use crate::render::picture::Picture;

/// The last verdict of a session with all that was said about it.
pub(crate) fn last(client: &mut Client, session: SessionId) -> Result<Picture, Failure> {
    let (session, records) = whole(client, Some(session.to_string()), Role::Candidate)?;
    let judged = Judged::find(&records, None)?;
    Ok(judged.screen(problem_of(client, session)?))
}

/// The code of a submission, as it was sent; without a number that of the last one.
pub(crate) fn code(
    client: &mut Client,
    session: SessionId,
    wanted: Option<u32>,
) -> Result<Picture, Failure> {
    let (session, records) = whole(client, Some(session.to_string()), Role::Candidate)?;
    let mut sent = None;
    for record in &records {
        let submission = submission_of(record)?;
        sent = submission
            .filter(|it| wanted.is_none_or(|wanted| wanted == it.attempt_number))
            .or(sent);
    }
    let Some(Submitted { attempt_number, file_path, code_hash }) = sent else {
        return Err(wanted.map_or_else(|| nothing_submitted(&records), unknown_submission));
    };
    let text = blob_text(client, &session.to_string(), code_hash)?;
    Ok(Picture::new(move |look| {
        let mut page = Page::new(look);
        page.say(Tone::Strong, &format!("Submission {attempt_number}, {file_path}:")).blank();
        page.verbatim("", Tone::Plain, &text);
        page.finish()
    }))
}

/// One submission with all that was said about it.
#[derive(Debug)]
pub(crate) struct Judged<'r> {
    /// What became of a later submission that could not be judged.
    unjudged: Option<EvalAborted>,
    result: EvalResult,
    feedback: Option<AgentResponse>,
    growth: Option<GrowthMeasured>,
    pub(crate) records: Vec<&'r ToldRecord>,
}

impl<'r> Judged<'r> {
    /// The submission with this number, else the last one that counts.
    pub(crate) fn find(records: &'r [ToldRecord], wanted: Option<u32>) -> Result<Self, Failure> {
        let mut submitted: Vec<(usize, u32)> = Vec::new();
        let mut unjudged = None;
        for (at, record) in records.iter().enumerate() {
            if let Some(number) = number_of(record)? {
                submitted.push((at, number));
                unjudged = None;
            } else if let Some(said) = payload::<EvalAborted>(record, "EVAL_ABORTED")? {
                // It does not count, and its number is used again.
                submitted.retain(|(_, number)| *number != said.attempt_number);
                unjudged = Some(said);
            }
        }
        let is_wanted = |number: u32| wanted.is_none_or(|wanted| wanted == number);
        let last = submitted.iter().rev().find(|(_, number)| is_wanted(*number));
        match (last, wanted, unjudged) {
            (Some((at, number)), _, unjudged) => {
                let unjudged = unjudged.filter(|_| wanted.is_none());
                Ok(Self { unjudged, ..Self::read(&records[*at..], *number)? })
            }
            (None, _, Some(said)) if is_wanted(said.attempt_number) => Err(aborted(&said.reason)),
            (None, Some(number), _) => Err(unknown_submission(number)),
            (None, None, _) => Err(nothing_submitted(records)),
        }
    }

    /// What the submission was told, for the card of its problem.
    pub(crate) fn screen(self, card: ProblemCard) -> Picture {
        let Self { unjudged, result, feedback, growth, .. } = self;
        Picture::new(move |look| {
            let unjudged = unjudged.as_ref().map(|said| {
                let text = format!(
                    "A later submission could not be judged and does not count: {}",
                    said.reason
                );
                let mut page = Page::new(look);
                page.say(Tone::Warn, &text);
                page.finish()
            });
            let feedback = feedback.as_ref().map(|said| screens::feedback(said, look));
            let growth = growth.as_ref();
            let growth = growth.map(|growth| format!("\n{}", screens::growth(growth, look)));
            let verdict = screens::result(&result, &card.cases, look);
            let by = screens::judged_by(&result, look);
            // `submit` has lines above it, here it is the first.
            let all = [unjudged, Some(verdict), feedback, growth, by].into_iter().flatten();
            all.collect::<String>().trim_start_matches('\n').to_owned()
        })
    }

    /// What follows a submission and belongs to it.
    fn read(records: &'r [ToldRecord], submission: u32) -> Result<Self, Failure> {
        let (mut result, mut feedback, mut growth) = (None, None, None);
        let mut ours = Vec::new();
        for record in records {
            let known = if let Some(number) = number_of(record)? {
                number == submission
            } else if let Some(said) = payload::<EvalResult>(record, "EVAL_RESULT")? {
                keep(&mut result, said.attempt_number == submission, said)
            } else if let Some(said) = payload::<AgentResponse>(record, "AGENT_RESPONSE")? {
                keep(&mut feedback, said.metadata.attempt_number == submission, said)
            } else if let Some(said) = payload::<GrowthMeasured>(record, "GROWTH_MEASURED")? {
                keep(&mut growth, said.attempt_number == submission, said)
            } else {
                false
            };
            if known {
                ours.push(record);
            }
        }
        let result = result.ok_or_else(|| {
            user_error(code::NOT_JUDGED, format!("submission {submission} has no verdict yet"))
                .hint("Follow along with: vosimctl attach")
        })?;
        Ok(Self { unjudged: None, result, feedback, growth, records: ours })
    }
}

pub(crate) fn unknown_submission(number: u32) -> Failure {
    user_error(code::UNKNOWN_SUBMISSION, format!("there is no submission {number}"))
        .step(Next::run("see the submissions", Action::Status))
}

fn nothing_submitted(records: &[ToldRecord]) -> Failure {
    let is_end = |record: &ToldRecord| Kind::ALL.iter().any(|kind| is_end(*kind, record));
    if records.iter().any(is_end) {
        return user_error(code::UNKNOWN_SUBMISSION, "nothing was submitted in this session")
            .step(Next::run("read hints and solutions", Action::Discussion));
    }
    user_error(code::UNKNOWN_SUBMISSION, "nothing has been submitted yet")
        .step(Next::run("submit a file", Action::Submit))
}

/// A submission, of whichever kind the session is.
#[derive(Debug, serde::Deserialize)]
struct Submitted {
    attempt_number: u32,
    file_path: String,
    code_hash: Hash,
}

fn submission_of(record: &EventRecord) -> Result<Option<Submitted>, Failure> {
    Ok(match payload(record, "CODE_SUBMITTED")? {
        Some(submitted) => Some(submitted),
        None => payload(record, "CANDIDATE_CODE_SUBMISSION")?,
    })
}

/// The number of a submission at its submission.
fn number_of(record: &EventRecord) -> Result<Option<u32>, Failure> {
    Ok(submission_of(record)?.map(|submitted| submitted.attempt_number))
}

/// Keeps what belongs to the submission, and tells whether it does.
fn keep<T>(place: &mut Option<T>, belongs: bool, said: T) -> bool {
    if belongs {
        *place = Some(said);
    }
    belongs
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::render::samples;

    fn submitted(id: u64, submission: u32) -> ToldRecord {
        let payload = json!({
            "attempt_number": submission, "file_path": "/a.py", "line_count": 1, "bytes": 1,
            "code_hash": vosim_protocol::Hash::NONE, "language": "python",
        });
        samples::record(id, "CODE_SUBMITTED", payload)
    }

    fn judged(id: u64, submission: u32) -> ToldRecord {
        let result = EvalResult { attempt_number: submission, ..samples::wrong_answer() };
        samples::record(id, "EVAL_RESULT", serde_json::to_value(result).unwrap())
    }

    fn ids(found: Result<Judged<'_>, Failure>) -> Result<Vec<u64>, String> {
        let ids = |judged: Judged<'_>| judged.records.iter().map(|r| r.event_id.0).collect();
        found.map(ids).map_err(|failure| failure.to_string())
    }

    #[test]
    fn the_last_submission_is_shown_unless_another_is_named() {
        let aborted = json!({ "attempt_number": 2, "reason": "no Python was found" });
        let aborted = samples::record(4, "EVAL_ABORTED", aborted);
        let mut log = vec![submitted(1, 1), judged(2, 1), submitted(3, 2), aborted];
        let shown = Judged::find(&log, None).unwrap();
        let unjudged = shown.unjudged.as_ref().map(|said| said.reason.as_str());
        assert_eq!(unjudged, Some("no Python was found"));
        assert_eq!(ids(Ok(shown)), Ok(vec![1, 2]), "what was judged stays");
        let aborted = "the run ended without a verdict: no Python was found".to_owned();
        assert_eq!(ids(Judged::find(&log, Some(2))), Err(aborted.clone()));
        assert_eq!(ids(Judged::find(&log[2..], None)), Err(aborted));
        assert_eq!(Judged::find(&log, Some(1)).unwrap().unjudged, None);
        log.extend([submitted(5, 2), judged(6, 2)]);
        assert_eq!(ids(Judged::find(&log, None)), Ok(vec![5, 6]));
        let unknown = "there is no submission 7".to_owned();
        assert_eq!(ids(Judged::find(&log, Some(7))), Err(unknown));
    }

    #[test]
    fn a_submission_of_an_interview_is_one_too() {
        let mut submission = submitted(1, 1);
        submission.record.event_type = "CANDIDATE_CODE_SUBMISSION".to_owned();
        let log = [submission, judged(2, 1)];
        assert_eq!(ids(Judged::find(&log, None)), Ok(vec![1, 2]));
    }

    #[test]
    fn a_submission_without_a_verdict_is_said_to_have_none() {
        let none = "nothing has been submitted yet".to_owned();
        assert_eq!(ids(Judged::find(&[], None)), Err(none));
        let over = [samples::record(1, "INTERVIEW_TERMINATED", json!({}))];
        let none = "nothing was submitted in this session".to_owned();
        assert_eq!(ids(Judged::find(&over, None)), Err(none));
        let log = [submitted(1, 1)];
        assert_eq!(
            ids(Judged::find(&log, None)),
            Err("submission 1 has no verdict yet".to_owned())
        );
    }

    #[test]
    fn feedback_belongs_to_its_verdict() {
        let mut log = vec![submitted(8, 3), judged(9, 3)];
        let said = serde_json::to_value(samples::feedback()).unwrap();
        log.push(samples::record(10, "AGENT_RESPONSE", said));
        log.push(samples::record(
            11,
            "HINT_GIVEN",
            serde_json::to_value(samples::hint(1)).unwrap(),
        ));
        let found = Judged::find(&log, Some(3)).unwrap();
        assert_eq!(found.feedback, Some(samples::feedback()));
        assert_eq!(ids(Ok(found)), Ok(vec![8, 9, 10]));
    }
}
