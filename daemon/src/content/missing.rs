//! What a package does without: the parts that may be absent, and what is missing then.

use vosim_protocol::v1::problem::Language;

use super::layout::{
    CHECKER, CLARIFICATIONS, DISCUSSION, FOLLOWUPS, GENERATOR, INVARIANTS, PATTERNS, TEMPLATES,
};
use super::package::Package;

/// Returns one line for each part that is not there.
pub fn missing(package: &Package) -> Vec<String> {
    let coaching = &package.coaching;
    let parts = [
        (package.generator.is_none(), GENERATOR, "every session has the same hidden inputs"),
        (coaching.patterns.is_empty(), PATTERNS, "an attempt offers all patterns, and rates none"),
        (coaching.invariants.is_empty(), INVARIANTS, "an attempt has no invariants to build"),
        (coaching.checker.is_empty(), CHECKER, "no invariant is checked on runs"),
        (coaching.clarifications.is_empty(), CLARIFICATIONS, "an interviewer answers no questions"),
        (coaching.fill.is_empty(), FOLLOWUPS, "an interviewer's questions use common words"),
        (
            coaching.discussion.discussion.is_empty(),
            DISCUSSION,
            "there is nothing to read afterwards",
        ),
    ];
    let absent = parts.into_iter().filter(|(absent, ..)| *absent);
    let mut lines: Vec<_> = absent.map(|(_, file, effect)| format!("{file}: {effect}")).collect();
    for language in Language::ALL {
        if !package.problem.starters.contains_key(&language) {
            lines.push(format!("{TEMPLATES}/{language}: it cannot be solved in {language}"));
        }
    }
    lines
}
