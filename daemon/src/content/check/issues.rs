//! Checks that every verdict finds an issue, every issue can be reached, and its texts can be
//! filled.

use std::collections::BTreeSet;

use vosim_protocol::v1::problem::{Issue, IssueMatch, Problem, SmallRun};

use super::suite::calls;
use crate::content::files::ContentError;
use crate::content::layout::{CAUSES, HINTS, is_name};

/// Most issues of a problem.
const ISSUES_MAX: usize = 100;
/// Longest text, bytes; all of them go into a session's spec.
const TEXT_BYTES_MAX: usize = 8 << 10;

/// Most ways of telling one issue, and the longest, bytes.
const WAYS_MAX: usize = 40;
const WAY_BYTES_MAX: usize = 300;

/// The placeholders of a feedback text.
const PLACEHOLDERS: [&str; 3] = ["facts", "total", "runs"];
/// Most small runs, and most calls of one: people read them.
const RUNS_MAX: usize = 64;
const RUN_OPS_MAX: usize = 40;

pub(super) fn check(problem: &Problem) -> Result<(), ContentError> {
    let issues = &problem.issues;
    if issues.is_empty() || issues.len() > ISSUES_MAX {
        return Err(ContentError::invalid(HINTS, "issue", "must be 1 to 100"));
    }
    text("praise", &problem.praise, &[])?;
    text("question", &problem.question, &[])?;
    let cases: BTreeSet<_> = problem.cases.iter().map(|case| case.name.as_str()).collect();
    let runs = runs(problem)?;
    let mut seen = BTreeSet::new();
    for (at, issue) in issues.iter().enumerate() {
        let wrong = |key: &str, problem: &str| {
            ContentError::invalid(HINTS, format!("issue '{}'.{key}", issue.id), problem)
        };
        if !is_name(&issue.id) || !seen.insert(&issue.id) {
            return Err(wrong("id", "must be a name that no other issue has"));
        }
        let names = issue.when.failing.iter().chain(&issue.when.passing);
        if let Some(name) = names.into_iter().find(|name| !cases.contains(name.as_str())) {
            return Err(wrong("when", &format!("there is no case '{name}'")));
        }
        let shown = issue.when.shows.iter().flat_map(|shown| shown.keys());
        if let Some(name) = shown.into_iter().find(|name| !runs.contains(name.as_str())) {
            return Err(wrong("when", &format!("there is no run '{name}'")));
        }
        match (issue.when == IssueMatch::default(), at + 1 == issues.len()) {
            (true, false) => return Err(wrong("when", "matches always, so it must be the last")),
            (false, true) => return Err(wrong("when", "the last issue must match always")),
            (true, true) | (false, false) => texts(issue)?,
        }
    }
    Ok(())
}

/// Checks the small runs; returns their names.
fn runs(problem: &Problem) -> Result<BTreeSet<&str>, ContentError> {
    if problem.runs.len() > RUNS_MAX {
        return Err(ContentError::invalid(HINTS, "run", "must be at most 64"));
    }
    let mut names = BTreeSet::new();
    for SmallRun { name, about, ops } in &problem.runs {
        let wrong = |key: &str, problem: &str| {
            ContentError::invalid(HINTS, format!("run '{name}'.{key}"), problem)
        };
        if !is_name(name) || !names.insert(name.as_str()) {
            return Err(wrong("name", "must be a name that no other run has"));
        }
        if about.trim().is_empty() || about.contains('\n') {
            return Err(wrong("about", "must be one line of text"));
        }
        if ops.len() > RUN_OPS_MAX || ops.iter().all(|op| op.expect.is_none()) {
            return Err(wrong("ops", "must be at most 40 calls, one with an answer"));
        }
        if let Err((at, problem)) = calls(&problem.interface, ops) {
            return Err(wrong(&format!("ops[{at}]"), &problem));
        }
    }
    Ok(names)
}

fn texts(issue: &Issue) -> Result<(), ContentError> {
    text(&format!("issue '{}'.feedback", issue.id), &issue.feedback, &PLACEHOLDERS)?;
    for (level, hint) in (1..).zip(&issue.hints) {
        text(&format!("issue '{}'.level_{level}", issue.id), hint, &[])?;
    }
    let fits = |way: &String| !way.trim().is_empty() && way.len() <= WAY_BYTES_MAX;
    if issue.ways.len() > WAYS_MAX || !issue.ways.iter().all(fits) {
        let problem = "must be at most 40 ways, each of 1 to 300 bytes";
        return Err(ContentError::invalid(CAUSES, &issue.id, problem));
    }
    Ok(())
}

/// Checks that a text is not empty, not too long, and has only known placeholders.
fn text(key: &str, text: &str, open: &[&str]) -> Result<(), ContentError> {
    let wrong = |problem: String| ContentError::invalid(HINTS, key, problem);
    if text.trim().is_empty() || text.len() > TEXT_BYTES_MAX {
        return Err(wrong("must be 1 byte to 8 KiB".to_owned()));
    }
    for part in text.split('{').skip(1) {
        let name = part.split('}').next().unwrap_or(part);
        if !open.contains(&name) {
            return Err(wrong(format!("'{{{name}}}' is not a placeholder here")));
        }
    }
    Ok(())
}
