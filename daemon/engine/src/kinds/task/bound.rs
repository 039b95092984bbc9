//! Keeps what comes from outside within what an event may hold. What was cut once is not cut again.

use std::collections::BTreeMap;

use vosim_protocol::Hash;
use vosim_protocol::v1::agent::{Analysis, Finding, Hit, Plan, TestError, TestReport, ToolCall};
use vosim_protocol::v1::effect::{
    Acted, Proposal, Proposed, Recalled, Remembered, Restored, Scanned, TestsRun,
};
use vosim_protocol::v1::task::IterationEnded;

use super::state::Edit;
use crate::parts::words::{MESSAGE_MAX_BYTES, cut};

const SHORT: usize = 300;
const PATH: usize = 300;
const PARTS_MAX: usize = 12;
const CALLS_MAX: usize = 16;
const FINDINGS_MAX: usize = 30;
const ERRORS_MAX: usize = 10;
const HITS_MAX: usize = 5;
/// Most files that one event names.
pub(super) const FILES_MAX: usize = 60;

/// One line.
pub(super) fn short(text: String) -> String {
    cut(text, SHORT)
}

/// Some sentences.
pub(super) fn text(text: String) -> String {
    cut(text, MESSAGE_MAX_BYTES)
}

fn path(text: String) -> String {
    cut(text, PATH)
}

fn each(texts: Vec<String>, most: usize, cut: fn(String) -> String) -> Vec<String> {
    texts.into_iter().take(most).map(cut).collect()
}

pub(super) fn proposed(proposed: Proposed) -> Proposed {
    match proposed {
        Proposed::Answer { proposal, usage, exchange, today, warnings } => {
            let (proposal, warnings) = (proposal_of(proposal), each(warnings, 4, short));
            Proposed::Answer { proposal, usage, exchange, today, warnings }
        }
        Proposed::Fault { reason, retry_after_secs, usage } => {
            Proposed::Fault { reason: text(reason), retry_after_secs, usage }
        }
        Proposed::Withheld { .. } | Proposed::Interrupted {} => proposed,
    }
}

fn proposal_of(proposal: Proposal) -> Proposal {
    match proposal {
        Proposal::Plan(Plan { subtasks, dependencies, expected_challenges, testing_strategy }) => {
            let dependencies = dependencies.into_iter().take(PARTS_MAX);
            Proposal::Plan(Plan {
                subtasks: each(subtasks, PARTS_MAX, text),
                dependencies: dependencies
                    .map(|(part, needs)| (cut(part, 80), each(needs, PARTS_MAX, short)))
                    .collect(),
                expected_challenges: each(expected_challenges, PARTS_MAX, short),
                testing_strategy: text(testing_strategy),
            })
        }
        Proposal::Calls { calls } => {
            let calls = calls.into_iter().take(CALLS_MAX).map(|call| ToolCall {
                id: cut(call.id, 80),
                tool: cut(call.tool, 80),
                path: call.path.map(path),
                arguments: call.arguments,
            });
            Proposal::Calls { calls: calls.collect() }
        }
        Proposal::Done { note } => Proposal::Done { note: text(note) },
        Proposal::Analysis(Analysis { root_cause, fix_hypothesis, confidence }) => {
            let (root_cause, fix_hypothesis) = (text(root_cause), text(fix_hypothesis));
            Proposal::Analysis(Analysis { root_cause, fix_hypothesis, confidence })
        }
        Proposal::Unusable { reason } => Proposal::Unusable { reason: text(reason) },
    }
}

pub(super) fn acted(mut acted: Acted) -> Acted {
    acted.gist = short(acted.gist);
    if let Some(written) = &mut acted.written {
        written.path = path(std::mem::take(&mut written.path));
    }
    let seen = acted.seen.into_iter().take(FILES_MAX);
    acted.seen = seen.map(|(file, hash)| (path(file), hash)).collect::<BTreeMap<_, _>>();
    acted
}

pub(super) fn scanned(scanned: Scanned) -> Scanned {
    let findings = scanned.findings.into_iter().take(FINDINGS_MAX).map(|finding| Finding {
        rule: cut(finding.rule, 80),
        subject: short(finding.subject),
        path: path(finding.path),
        snippet: short(finding.snippet),
        ..finding
    });
    let by = each(scanned.by, 4, short);
    let mut unavailable = scanned.unavailable;
    unavailable.sort_unstable();
    unavailable.dedup();
    Scanned { findings: findings.collect(), by, rules: scanned.rules, unavailable }
}

pub(super) fn tested(mut tested: TestsRun) -> TestsRun {
    let TestReport { errors, missing, .. } = &mut tested.report;
    *missing = each(std::mem::take(missing), ERRORS_MAX, short);
    let kept = std::mem::take(errors).into_iter().take(ERRORS_MAX).map(|error| TestError {
        test: short(error.test),
        error_type: cut(error.error_type, 80),
        message: text(error.message),
        place: short(error.place),
    });
    *errors = kept.collect();
    tested
}

pub(super) fn recalled(recalled: Recalled) -> Recalled {
    let hits = recalled.hits.into_iter().take(HITS_MAX).map(|hit| Hit {
        from: hit.from,
        about: text(hit.about),
        solution: text(hit.solution),
        similarity: hit.similarity,
    });
    Recalled { hits: hits.collect(), warning: recalled.warning.map(short) }
}

pub(super) fn remembered(remembered: Remembered) -> Remembered {
    Remembered { warning: remembered.warning.map(short) }
}

pub(super) fn restored(Restored { restored, kept }: Restored) -> Restored {
    Restored { restored: each(restored, FILES_MAX, path), kept: each(kept, FILES_MAX, path) }
}

pub(super) fn figures(figures: IterationEnded) -> IterationEnded {
    IterationEnded {
        created: each(figures.created, FILES_MAX, path),
        modified: each(figures.modified, FILES_MAX, path),
        errors: each(figures.errors, ERRORS_MAX, short),
        ..figures
    }
}

/// The files that the agent has written, as they stand.
pub(super) fn files(edits: &[Edit]) -> Vec<(String, Hash)> {
    let last: BTreeMap<_, _> =
        edits.iter().map(|edit| (&edit.written.path, edit.written.after)).collect();
    let there = last.into_iter().filter_map(|(path, after)| Some((path.clone(), after?)));
    there.take(FILES_MAX).collect()
}
