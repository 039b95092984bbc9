//! What a program would do, read from its text before it is run (002 6.1, 6.2): findings with three
//! verdicts. It is advice and no wall. The sandbox holds whatever is found or not, so what cannot be
//! decided from the text, such as a name that is computed, is asked about and not forbidden.
//!
//! ```text
//! text ── python / javascript ── uses ── rules ──┐
//!     └── companion (ruff or bandit) ── its ids ─┴── merged ── Findings
//! ```

mod companion;
mod finding;
mod javascript;
mod python;
mod rules;
mod uses;

#[cfg(test)]
mod tests;

pub use companion::Companion;
pub use finding::{Finding, Permit, Ruling, Topic, merged, strictest};

/// A language that is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScannedLanguage {
    /// Python.
    Python,
    /// JavaScript.
    Javascript,
}

impl ScannedLanguage {
    /// The language of a file by its ending, if it is one of these.
    pub fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending {
            "py" | "pyw" | "pyi" => Some(Self::Python),
            "js" | "mjs" | "cjs" | "jsx" => Some(Self::Javascript),
            _ => None,
        }
    }
}

/// Scans the text of one file; the findings stand in the order of their lines.
pub fn scan(language: ScannedLanguage, file: &str, text: &str) -> Vec<Finding> {
    let uses = match language {
        ScannedLanguage::Python => python::uses(text),
        ScannedLanguage::Javascript => javascript::uses(text),
    };
    let rules = match language {
        ScannedLanguage::Python => rules::PYTHON,
        ScannedLanguage::Javascript => rules::JAVASCRIPT,
    };
    let lines: Vec<&str> = text.lines().collect();
    let found = uses.iter().filter_map(|it| {
        let rule = rules::first(rules, it)?;
        let line = lines.get(it.line.saturating_sub(1) as usize).copied().unwrap_or_default();
        Some(rule.finding(file, it, line))
    });
    merged(found.collect())
}
