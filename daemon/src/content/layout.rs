//! The places of the parts of a package in its folder, and the spelling of its names.

pub(super) const INTERFACE: &str = ".vosim/interface.toml";
pub(super) const CASES: &str = ".vosim/cases.json";
/// Gives hidden inputs for a seed, in Python.
pub(super) const GENERATOR: &str = ".vosim/generator.py";
pub(super) const HINTS: &str = ".vosim/hints.toml";
/// What inputs may be, as the statement says it.
pub(super) const LIMITS: &str = ".vosim/limits.toml";
pub(super) const RULES: &str = ".vosim/rules.toml";
/// How candidates say what went wrong, by the issue.
pub(super) const CAUSES: &str = ".vosim/causes.toml";
pub(super) const VERDICTS: &str = ".vosim/verdicts.toml";
pub(super) const CLARIFICATIONS: &str = ".vosim/clarifications.toml";
pub(super) const PATTERNS: &str = ".vosim/patterns.toml";
pub(super) const INVARIANTS: &str = ".vosim/invariants.toml";
/// Says whether an invariant holds on a run, in Python.
pub(super) const CHECKER: &str = ".vosim/invariants.py";
pub(super) const DISCUSSION: &str = ".vosim/discussion.toml";
pub(super) const FOLLOWUPS: &str = ".vosim/followups.toml";
pub(super) const STATEMENT: &str = "statement/problem.en.md";
pub(super) const TEMPLATES: &str = "attachments/templates";
pub(super) const SUBMISSIONS: &str = "submissions";

/// Whether a name can stand in programs and records.
pub(super) fn is_name(text: &str) -> bool {
    let first = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    first && text.len() <= 64 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
