//! What may be read of a problem when its session is over: everything (DECISIONS 45), as far as a frame holds
//! it.

use vosim_protocol::v1::judging::SuiteDrawn;
use vosim_protocol::v1::problem::{CaseData, CaseInfo, Op, Problem, Suite};
use vosim_protocol::v1::service::{CauseHints, ReadCase};
use vosim_protocol::{EventRecord, Hash, Wire as _};

/// Most calls of a test, and most bytes of all of them.
const CALLS_MAX: usize = 60;
const BYTES_MAX: usize = 256 * 1024;

/// The cases that a log says were drawn for its session.
pub(super) fn drawn(lines: &[Vec<u8>]) -> Option<Hash> {
    let records = lines.iter().rev().filter_map(|line| EventRecord::from_bytes(line).ok());
    let mut drawn = records.filter(|record| record.event_type == "SUITE_DRAWN");
    SuiteDrawn::from_json(drawn.next()?.payload).ok().map(|drawn| drawn.suite)
}

/// The hints of each cause.
pub(super) fn hints(problem: &Problem) -> Vec<CauseHints> {
    let of = |issue: &vosim_protocol::v1::problem::Issue| CauseHints {
        issue: issue.id.clone(),
        hints: issue.hints.clone(),
    };
    problem.issues.iter().map(of).collect()
}

/// The tests with their data, of long ones the beginning.
pub(super) fn cases(problem: &Problem, suite: &Suite) -> Vec<ReadCase> {
    let mut room = BYTES_MAX;
    let of = |(info, data): (&CaseInfo, &CaseData)| {
        let ops: Vec<Op> = data
            .ops
            .iter()
            .take(CALLS_MAX)
            .map_while(|op| {
                room = room.checked_sub(op.to_line().len())?;
                Some(op.clone())
            })
            .collect();
        ReadCase {
            name: info.name.clone(),
            description: info.description.clone(),
            visible: info.visible,
            omitted: (data.ops.len() - ops.len()) as u64,
            ops,
        }
    };
    problem.cases.iter().zip(&suite.cases).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_of_any_size_fits_into_a_frame_and_says_what_it_leaves_out() {
        let package = crate::content::find("lru_cache").unwrap();
        let mut suite = package.suite();
        let whole = cases(&package.problem, &suite);
        assert_eq!(whole.len(), 12);
        for (case, data) in whole.iter().zip(&suite.cases) {
            assert_eq!(case.ops.len() as u64 + case.omitted, data.ops.len() as u64);
            assert!(case.ops.len() <= CALLS_MAX && !case.ops.is_empty());
        }
        let large = vec![vosim_protocol::Json::from("x".repeat(BYTES_MAX))];
        suite.cases[0].ops[0].args = large;
        assert!(cases(&package.problem, &suite)[0].ops.is_empty());
    }
}
