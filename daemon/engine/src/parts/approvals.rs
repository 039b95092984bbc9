//! What a person has allowed an agent's code to do, and what is to be asked (002 6.3).
//!
//! An answer holds for one scope: what the code would do, with what, by which rules of the scan. It lives
//! in its task alone. A refusal beats a permission, and what the rules deny nobody can allow.

use std::collections::BTreeMap;

use vosim_protocol::EventId;
use vosim_protocol::v1::agent::{Allow, Category, Finding, ScanVerdict};

/// What an answer is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    category: Category,
    subject: String,
    rules: u32,
}

impl Scope {
    /// That of a finding, by the rules that found it.
    pub fn of(finding: &Finding, rules: u32) -> Self {
        Self { category: finding.category, subject: finding.subject.clone(), rules }
    }
}

/// The answers that hold, each with its event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    given: BTreeMap<Scope, (EventId, Allow)>,
}

/// What is to be done about the findings of a scan, the worst first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// No person may allow this.
    Denied(Finding),
    /// An answer that was given before says no.
    Refused(Finding, EventId),
    /// A person is asked about this, which is in so many places.
    Ask(Finding, u32),
    /// The code may run, and may do these.
    Run(Vec<Category>),
}

impl Answers {
    /// Keeps an answer. `Once` holds until [`run_over`](Self::run_over).
    pub fn give(&mut self, scope: Scope, event: EventId, answer: Allow) {
        self.given.insert(scope, (event, answer));
    }

    /// The answer that holds for a scope.
    pub fn held(&self, scope: &Scope) -> Option<(EventId, Allow)> {
        self.given.get(scope).copied()
    }

    /// Drops what was allowed for one run.
    pub fn run_over(&mut self) {
        self.given.retain(|_, (_, answer)| *answer != Allow::Once);
    }

    /// Drops what was refused, so that a person who resumes a task is asked again.
    pub fn resumed(&mut self) {
        self.given.retain(|_, (_, answer)| *answer != Allow::No);
    }

    /// What comes next.
    pub fn next(&self, findings: &[Finding], rules: u32) -> Next {
        let of = |verdict: ScanVerdict| findings.iter().filter(move |one| one.verdict == verdict);
        if let Some(denied) = of(ScanVerdict::Deny).next() {
            return Next::Denied(denied.clone());
        }
        let answer = |finding: &Finding| self.held(&Scope::of(finding, rules));
        let refused = of(ScanVerdict::Ask).find_map(|one| {
            answer(one).filter(|held| held.1 == Allow::No).map(|held| (one, held.0))
        });
        if let Some((finding, event)) = refused {
            return Next::Refused(finding.clone(), event);
        }
        if let Some(open) = of(ScanVerdict::Ask).find(|one| answer(one).is_none()) {
            let scope = Scope::of(open, rules);
            let places = of(ScanVerdict::Ask).filter(|one| Scope::of(one, rules) == scope).count();
            return Next::Ask(open.clone(), u32::try_from(places).unwrap_or(u32::MAX));
        }
        let mut allowed: Vec<_> = of(ScanVerdict::Ask).map(|one| one.category).collect();
        allowed.sort_unstable();
        allowed.dedup();
        Next::Run(allowed)
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::agent::Risk;

    use super::*;

    fn finding(verdict: ScanVerdict, category: Category, subject: &str) -> Finding {
        Finding {
            verdict,
            rule: "rule".to_owned(),
            category,
            subject: subject.to_owned(),
            risk: Risk::Medium,
            path: "main.py".to_owned(),
            line: 1,
            snippet: format!("import {subject}"),
        }
    }

    fn ask(subject: &str) -> Finding {
        finding(ScanVerdict::Ask, Category::Network, subject)
    }

    fn answered(subject: &str, answer: Allow) -> Answers {
        let mut answers = Answers::default();
        answers.give(Scope::of(&ask(subject), 1), EventId(7), answer);
        answers
    }

    #[test]
    fn what_asks_is_asked_once_however_many_places_there_are() {
        let found = [ask("requests"), ask("socket"), ask("requests")];
        assert_eq!(Answers::default().next(&found, 1), Next::Ask(ask("requests"), 2));
        assert_eq!(
            answered("requests", Allow::Always).next(&found, 1),
            Next::Ask(ask("socket"), 1)
        );
    }

    #[test]
    fn always_holds_for_what_was_shown_and_for_nothing_else() {
        let answers = answered("requests", Allow::Always);
        assert_eq!(answers.next(&[ask("requests")], 1), Next::Run(vec![Category::Network]));
        let process = finding(ScanVerdict::Ask, Category::Process, "requests");
        for other in [vec![ask("socket")], vec![process], vec![ask("requests"), ask("socket")]] {
            assert!(matches!(answers.next(&other, 1), Next::Ask(..)), "{other:?}");
        }
        assert!(matches!(answers.next(&[ask("requests")], 2), Next::Ask(..)), "other rules");
    }

    #[test]
    fn once_holds_for_one_run_and_always_for_all() {
        for (answer, held) in [(Allow::Once, false), (Allow::Always, true)] {
            let mut answers = answered("requests", answer);
            assert_eq!(answers.next(&[ask("requests")], 1), Next::Run(vec![Category::Network]));
            answers.run_over();
            assert_eq!(matches!(answers.next(&[ask("requests")], 1), Next::Run(_)), held);
        }
    }

    #[test]
    fn deny_beats_allow_and_a_refusal_beats_what_is_open() {
        let denied = finding(ScanVerdict::Deny, Category::Network, "requests");
        let answers = answered("requests", Allow::Always);
        assert_eq!(
            answers.next(&[ask("requests"), denied.clone()], 1),
            Next::Denied(denied),
            "no answer of a person lowers it"
        );
        let mut answers = answered("requests", Allow::No);
        let found = [ask("socket"), ask("requests")];
        assert_eq!(answers.next(&found, 1), Next::Refused(ask("requests"), EventId(7)));
        answers.resumed();
        assert!(matches!(answers.next(&found, 1), Next::Ask(..)));
    }

    #[test]
    fn what_is_only_noted_runs() {
        let note = finding(ScanVerdict::Note, Category::Files, "os");
        assert_eq!(Answers::default().next(&[note], 1), Next::Run(Vec::new()));
    }
}
