//! The states of the agent's files, as the bundle of an ended task tells them.

use vosim_protocol::v1::agent::TestReport;
use vosim_protocol::v1::bundle::{CodeOrigin, CodeVersion, Verdict};
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::task::Event;

use crate::kind::Recorded;

/// Each file after each edit; a run of the tests speaks of the newest.
pub(super) fn code_history(events: &[Recorded<Event>]) -> Vec<CodeVersion> {
    let mut versions = Vec::<CodeVersion>::new();
    for Recorded { id, at, event } in events {
        if let Event::ToolEnded(ended) = event {
            let written = ended.outcome.as_ref().and_then(|acted| acted.written.as_ref());
            versions.extend(written.and_then(|written| {
                Some(CodeVersion {
                    event_id: *id,
                    at: *at,
                    submission: None,
                    origin: CodeOrigin::Agent,
                    file_path: Some(written.path.clone()),
                    code_hash: written.after?,
                    bytes: written.bytes,
                    verdict: None,
                })
            }));
        }
        if let Event::TestsEnded(ended) = event {
            let report = ended.outcome.as_ref().map(|tested| &tested.report);
            if let (Some(report), Some(newest)) = (report, versions.last_mut()) {
                newest.verdict = Some(verdict(*id, report));
            }
        }
    }
    versions
}

fn verdict(event_id: vosim_protocol::EventId, report: &TestReport) -> Verdict {
    let TestReport { total, passed, errors, .. } = report;
    let failure_type = match report.proves() {
        true => FailureType::Pass,
        false if passed * 2 >= *total && *total > 0 => FailureType::PartialPass,
        false => FailureType::WrongAnswer,
    };
    let failing_tests = errors.iter().map(|error| error.test.clone()).collect();
    let (tests_passed, tests_failed) = (*passed, total.saturating_sub(*passed));
    let (detail, issue) = (None, None);
    Verdict { event_id, failure_type, tests_passed, tests_failed, failing_tests, detail, issue }
}
