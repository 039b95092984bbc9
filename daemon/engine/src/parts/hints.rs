//! The hint escalation policy (000: Hint Escalation Policy; DECISIONS 18 and 45).
//!
//! ```text
//! 1        for the first request about an issue                          rule 1
//! +1       if a new, different submission failed over the same issue,
//!          and the one before it too                                     rule 2
//! floor 2  from 3 submissions on                                         rule 3
//! floor 3  from 5 submissions on                                         rule 4
//! 4        beside them, from 7 submissions on, or given up               rule 5
//! ```
//! Issues are compared, not classes: somebody who has mended one thing and meets another begins
//! with its first level. For one issue a level never falls. Levels 1 to 3 stay available for ever;
//! level 4, the reference solution, is shown on purpose only. A level that was told before is told
//! again, and nothing happens then.

use vosim_protocol::EventId;
use vosim_protocol::v1::clauses::hint_above;
use vosim_protocol::v1::hints::{HintAnswer, HintGiven, TriggerReason};

use crate::parts::memory::{Hints, Submissions};

/// Submissions from which on a hint is at least of level 2.
pub const SUBMISSIONS_FOR_LEVEL_2: u32 = 3;
/// Submissions from which on a hint is at least of level 3.
pub const SUBMISSIONS_FOR_LEVEL_3: u32 = 5;
/// Submissions from which on level 4 is offered.
pub const SUBMISSIONS_FOR_LEVEL_4: u32 = 7;

/// A hint as the answer of a request, with what leads to the next level where levels go up to
/// `highest`. After the end everything may be read, and nothing leads anywhere.
pub fn answer(given: HintGiven, highest: u8) -> HintAnswer {
    let above = hint_above(given.hint_level, highest)
        .filter(|_| given.trigger_reason != TriggerReason::AfterEnd);
    HintAnswer { given, above }
}

/// What the policy looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HintContext {
    /// The issue that a hint would speak of.
    pub issue: String,
    /// Failed submissions that count here, oldest first: their verdict's event and issue.
    pub failures: Vec<(EventId, String)>,
    /// Submissions that count here, passes included.
    pub submissions: u32,
    /// The last hint on this issue below level 4: when it was asked for and its level.
    pub last_hint: Option<(EventId, u8)>,
}

/// What the policy chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintLevel {
    /// A level that this issue has not had, and the rule that gives it.
    New(u8, TriggerReason),
    /// The level that it had last: no rule gives a higher one.
    Again(u8),
}

impl HintContext {
    /// What the policy looks at after these submissions and hints, for a hint on an issue.
    pub fn new(issue: &str, submissions: &Submissions, hints: &Hints) -> Self {
        let failures = submissions
            .distinct()
            .filter_map(|submission| Some((submission.event, submission.issue.clone()?)));
        Self {
            issue: issue.to_owned(),
            failures: failures.collect(),
            submissions: u32::try_from(submissions.distinct().count()).unwrap_or(u32::MAX),
            last_hint: hints.last_on(issue).map(|hint| (hint.requested, hint.request.hint_level)),
        }
    }

    /// Chooses the level of the next hint: rules 1 to 4.
    pub fn level(&self) -> HintLevel {
        let (mut level, mut reason) = match self.last_hint {
            None => (1, Some(TriggerReason::FirstHintRequest)),
            Some((_, last)) if last < 3 && self.repeated_since_last_hint().is_some() => {
                (last + 1, Some(TriggerReason::SameFailureRepeated))
            }
            Some((_, last)) => (last, None),
        };
        for (submissions, floor, rule) in [
            (SUBMISSIONS_FOR_LEVEL_2, 2, TriggerReason::SubmissionsMin2),
            (SUBMISSIONS_FOR_LEVEL_3, 3, TriggerReason::SubmissionsMin3),
        ] {
            if self.submissions >= submissions && level < floor {
                (level, reason) = (floor, Some(rule));
            }
        }
        reason.map_or(HintLevel::Again(level), |reason| HintLevel::New(level, reason))
    }

    /// True from the number of submissions on that offers level 4: rule 5.
    pub fn offers_solution(&self) -> bool {
        self.submissions >= SUBMISSIONS_FOR_LEVEL_4
    }

    /// The first failure over this issue since the last hint on it that follows another one over it.
    pub fn repeated_since_last_hint(&self) -> Option<EventId> {
        let since = self.last_hint.map_or(EventId::ZERO, |(event, _)| event);
        let same = |failure: &(EventId, String)| failure.1 == self.issue;
        let mut pairs = self.failures.windows(2);
        pairs
            .find(|pair| pair[1].0 > since && same(&pair[0]) && same(&pair[1]))
            .map(|pair| pair[1].0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Letters are failures over the issue of that name, `h2` is a hint of level 2 on the issue that
    /// failed last, `P` a pass; each counts one event. The next hint speaks of the last failure.
    fn context(script: &str) -> HintContext {
        let mut context = HintContext::default();
        let mut hints = Vec::new();
        for (index, word) in script.split_whitespace().enumerate() {
            let event = EventId(index as u64 + 1);
            if let Some(level) = word.strip_prefix('h') {
                hints.push((context.issue.clone(), (event, level.parse().unwrap())));
                continue;
            }
            context.submissions += 1;
            if word != "P" {
                context.failures.push((event, word.to_owned()));
                word.clone_into(&mut context.issue);
            }
        }
        let on_issue = hints.iter().rev().find(|(issue, _)| *issue == context.issue);
        context.last_hint = on_issue.map(|(_, hint)| *hint);
        context
    }

    #[test]
    fn every_rule_of_the_policy() {
        use HintLevel::{Again, New};
        use TriggerReason::*;
        for (script, level) in [
            // Rule 1: the first request about an issue.
            ("A", New(1, FirstHintRequest)),
            ("A A", New(1, FirstHintRequest)),
            ("A h1 B", New(1, FirstHintRequest)),
            // Rule 2: the same issue again, by a new submission since the last hint on it.
            ("A h1", Again(1)),
            ("A h1 A", New(2, SameFailureRepeated)),
            ("A A h1", Again(1)),
            ("A h1 A h2", Again(2)),
            // Another issue in between is another beginning.
            ("A h1 B A", New(2, SubmissionsMin2)),
            ("A h1 P A", New(2, SameFailureRepeated)),
            // Rule 3: three submissions, at least level 2.
            ("A B C", New(2, SubmissionsMin2)),
            ("A h1 B h1 C", New(2, SubmissionsMin2)),
            ("A A h1 A", New(2, SameFailureRepeated)),
            // Rule 4: five submissions, at least level 3.
            ("A B A B A", New(3, SubmissionsMin3)),
            ("A B C h2 B C", New(3, SubmissionsMin3)),
            ("A h1 A h2 A B C", New(3, SubmissionsMin3)),
            ("A h1 A h2 A h3", Again(3)),
            // It stops at 3 and never falls, however many there are.
            ("A A A A A h3 A", Again(3)),
            ("A A A A A A A", New(3, SubmissionsMin3)),
            ("A A A A A A h3 A A", Again(3)),
            // A pass counts as a submission, not as a failure.
            ("A P A h1", New(2, SubmissionsMin2)),
        ] {
            assert_eq!(context(script).level(), level, "{script}");
        }
    }

    proptest! {
        #[test]
        fn the_level_of_an_issue_never_falls_and_a_new_one_begins_at_its_floor(
            words in prop::collection::vec("A|B|P|hint", 1..20),
        ) {
            let mut script = String::new();
            let mut told = std::collections::BTreeMap::new();
            for word in words {
                if word != "hint" {
                    script = format!("{script} {word}");
                    continue;
                }
                let context = context(&script);
                let (HintLevel::New(level, _) | HintLevel::Again(level)) = context.level();
                let before = told.get(&context.issue).copied();
                prop_assert!((1..=3).contains(&level));
                prop_assert_eq!(context.level() == HintLevel::Again(level), before == Some(level));
                let floor = match context.submissions { 0..3 => 1, 3..5 => 2, _ => 3 };
                match before {
                    None => prop_assert_eq!(level, floor),
                    Some(before) => prop_assert!(level >= before.max(floor)),
                }
                told.insert(context.issue.clone(), level);
                script = format!("{script} h{level}");
            }
        }
    }
}
