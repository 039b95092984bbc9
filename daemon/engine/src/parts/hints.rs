//! The hint escalation policy (000: Hint Escalation Policy; DECISIONS 18).
//!
//! ```text
//! base     the last level given; 1 for the first request            rule 1
//! +1       if a new, different submission failed like the one before   rule 2
//! floor 2  from 3 submissions on                                       rule 3
//! floor 3  from 5 submissions on                                       rule 4
//! 4        from 7 submissions on, or given up; only when confirmed     rule 5
//! ```
//! A level never falls, and rules 1 to 4 stop at 3.

use vosim_protocol::EventId;
use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::TriggerReason;

use crate::parts::memory::{Hints, JudgedSubmission, Submissions};

/// Submissions from which on a hint is at least of level 2.
pub const SUBMISSIONS_FOR_LEVEL_2: u32 = 3;
/// Submissions from which on a hint is at least of level 3.
pub const SUBMISSIONS_FOR_LEVEL_3: u32 = 5;
/// Submissions from which on level 4 is offered.
pub const SUBMISSIONS_FOR_LEVEL_4: u32 = 7;

/// What the policy looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HintContext {
    /// Failed submissions that count here, oldest first: their verdict's event and class.
    pub failures: Vec<(EventId, FailureType)>,
    /// Submissions that count here, passes included.
    pub submissions: u32,
    /// The last hint: when it was asked for and its level.
    pub last_hint: Option<(EventId, u8)>,
    /// True when the candidate gave up.
    pub give_up: bool,
}

/// A level and the rule that chose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintLevel {
    /// 1 to 4.
    pub level: u8,
    /// The rule.
    pub reason: TriggerReason,
}

impl HintContext {
    /// What the policy looks at after these submissions and hints.
    pub fn new(submissions: &Submissions, hints: &Hints, give_up: bool) -> Self {
        let last_hint = hints.last().map(|hint| (hint.requested, hint.request.hint_level));
        let failed =
            |submission: &&JudgedSubmission| submission.result.failure_type != FailureType::Pass;
        let failures = submissions.distinct().filter(failed);
        Self {
            failures: failures.map(|a| (a.event, a.result.failure_type)).collect(),
            submissions: u32::try_from(submissions.distinct().count()).unwrap_or(u32::MAX),
            last_hint,
            give_up,
        }
    }

    /// Chooses the level of the next hint.
    pub fn level(&self) -> HintLevel {
        if let Some((_, 4)) = self.last_hint {
            return HintLevel { level: 4, reason: TriggerReason::NoChange };
        }
        if self.give_up {
            return HintLevel { level: 4, reason: TriggerReason::GiveUp };
        }
        if self.submissions >= SUBMISSIONS_FOR_LEVEL_4 {
            return HintLevel { level: 4, reason: TriggerReason::SubmissionsLevel4 };
        }
        self.below_four()
    }

    /// Chooses the level where the reference solution is never shown: rules 1 to 4.
    pub fn below_four(&self) -> HintLevel {
        let (mut level, mut reason) = match self.last_hint {
            None => (1, TriggerReason::FirstHintRequest),
            Some((_, last)) if last < 3 && self.repeated_since_last_hint().is_some() => {
                (last + 1, TriggerReason::SameFailureRepeated)
            }
            Some((_, last)) => (last, TriggerReason::NoChange),
        };
        for (submissions, floor, rule) in [
            (SUBMISSIONS_FOR_LEVEL_2, 2, TriggerReason::SubmissionsMin2),
            (SUBMISSIONS_FOR_LEVEL_3, 3, TriggerReason::SubmissionsMin3),
        ] {
            if self.submissions >= submissions && level < floor {
                (level, reason) = (floor, rule);
            }
        }
        HintLevel { level, reason }
    }

    /// The first failure since the last hint that is of the class of the failure before it.
    pub fn repeated_since_last_hint(&self) -> Option<(EventId, FailureType)> {
        let since = self.last_hint.map_or(EventId::ZERO, |(event, _)| event);
        self.failures
            .windows(2)
            .find(|pair| pair[1].0 > since && pair[0].1 == pair[1].1)
            .map(|pair| pair[1])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `failures` as letters (W wrong answer, E exception, S signature), `h2` a hint of level 2,
    /// `P` a pass; each counts one event.
    fn context(script: &str) -> HintContext {
        let mut context = HintContext::default();
        for (index, word) in script.split_whitespace().enumerate() {
            let event = EventId(index as u64 + 1);
            let class = match word {
                "W" => FailureType::WrongAnswer,
                "E" => FailureType::Exception,
                "S" => FailureType::WrongSignature,
                "P" => {
                    context.submissions += 1;
                    continue;
                }
                "giveup" => {
                    context.give_up = true;
                    continue;
                }
                hint => {
                    let level = hint.strip_prefix('h').unwrap().parse().unwrap();
                    context.last_hint = Some((event, level));
                    continue;
                }
            };
            context.submissions += 1;
            context.failures.push((event, class));
        }
        context
    }

    #[test]
    fn every_rule_of_the_policy() {
        use TriggerReason::*;
        for (script, level, reason) in [
            // Rule 1: the first request.
            ("W", 1, FirstHintRequest),
            ("W W", 1, FirstHintRequest),
            // Rule 2: the same failure again, by a new submission since the last hint.
            ("W h1", 1, NoChange),
            ("W h1 W", 2, SameFailureRepeated),
            ("W h1 E", 1, NoChange),
            ("W W h1", 1, NoChange),
            ("E h1 E h2", 2, NoChange),
            // Rule 3: three submissions, at least level 2.
            ("W E S", 2, SubmissionsMin2),
            ("W h1 E S", 2, SubmissionsMin2),
            ("W W h1 W", 2, SameFailureRepeated),
            // Rule 4: five submissions, at least level 3.
            ("W E W E W", 3, SubmissionsMin3),
            ("W E S h2 E W", 3, SubmissionsMin3),
            ("W h1 W h2 W E S", 3, SameFailureRepeated),
            // It stops at 3 and never falls.
            ("W W W W W h3 W", 3, NoChange),
            ("W h3 E", 3, NoChange),
            // Rule 5: seven submissions or given up.
            ("W W W W W W W", 4, SubmissionsLevel4),
            ("W W W W W W h3 W", 4, SubmissionsLevel4),
            ("W giveup", 4, GiveUp),
            ("W h4 E", 4, NoChange),
            // A pass counts as a submission, not as a failure.
            ("W P W h1", 2, SubmissionsMin2),
        ] {
            assert_eq!(context(script).level(), HintLevel { level, reason }, "{script}");
        }
    }

    proptest! {
        #[test]
        fn a_level_never_falls_and_four_needs_its_own_rule(
            words in prop::collection::vec("W|E|S|P|hint", 1..20),
        ) {
            let mut context = HintContext::default();
            let mut last = 0;
            for (index, word) in words.iter().enumerate() {
                let event = EventId(index as u64 + 1);
                match word.as_str() {
                    "hint" => {
                        let chosen = context.level();
                        prop_assert!(chosen.level >= last);
                        prop_assert!((1..=4).contains(&chosen.level));
                        prop_assert_eq!(
                            chosen.level == 4,
                            context.submissions >= SUBMISSIONS_FOR_LEVEL_4 || last == 4
                        );
                        last = chosen.level;
                        context.last_hint = Some((event, chosen.level));
                    }
                    "P" => context.submissions += 1,
                    word => {
                        let class = match word {
                            "W" => FailureType::WrongAnswer,
                            "E" => FailureType::Exception,
                            _ => FailureType::WrongSignature,
                        };
                        context.submissions += 1;
                        context.failures.push((event, class));
                    }
                }
            }
        }
    }
}
