//! The hint escalation policy (000: Hint Escalation Policy; DECISIONS 18).
//!
//! ```text
//! base     the last level given; 1 for the first request            rule 1
//! +1       if a new, different attempt failed like the one before   rule 2
//! floor 2  from 3 attempts on                                       rule 3
//! floor 3  from 5 attempts on                                       rule 4
//! 4        from 7 attempts on, or given up; only when confirmed     rule 5
//! ```
//! A level never falls, and rules 1 to 4 stop at 3.

use vosim_protocol::EventId;
use vosim_protocol::v1::drill::TriggerReason;
use vosim_protocol::v1::evaluation::FailureType;

use crate::parts::memory::{Attempt, Attempts};

/// Attempts from which on a hint is at least of level 2.
pub const ATTEMPTS_FOR_LEVEL_2: u32 = 3;
/// Attempts from which on a hint is at least of level 3.
pub const ATTEMPTS_FOR_LEVEL_3: u32 = 5;
/// Attempts from which on level 4 is offered.
pub const ATTEMPTS_FOR_LEVEL_4: u32 = 7;

/// What the policy looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HintContext {
    /// Failed attempts that count here, oldest first: their verdict's event and class.
    pub failures: Vec<(EventId, FailureType)>,
    /// Attempts that count here, passes included.
    pub attempts: u32,
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
    /// What the policy looks at after these attempts.
    pub fn new(attempts: &Attempts, last_hint: Option<(EventId, u8)>, give_up: bool) -> Self {
        let failed = |attempt: &&Attempt| attempt.result.failure_type != FailureType::Pass;
        let failures = attempts.distinct().filter(failed);
        Self {
            failures: failures.map(|a| (a.event, a.result.failure_type)).collect(),
            attempts: u32::try_from(attempts.distinct().count()).unwrap_or(u32::MAX),
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
        if self.attempts >= ATTEMPTS_FOR_LEVEL_4 {
            return HintLevel { level: 4, reason: TriggerReason::AttemptsLevel4 };
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
        for (attempts, floor, rule) in [
            (ATTEMPTS_FOR_LEVEL_2, 2, TriggerReason::AttemptsMin2),
            (ATTEMPTS_FOR_LEVEL_3, 3, TriggerReason::AttemptsMin3),
        ] {
            if self.attempts >= attempts && level < floor {
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
                    context.attempts += 1;
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
            context.attempts += 1;
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
            // Rule 2: the same failure again, by a new attempt since the last hint.
            ("W h1", 1, NoChange),
            ("W h1 W", 2, SameFailureRepeated),
            ("W h1 E", 1, NoChange),
            ("W W h1", 1, NoChange),
            ("E h1 E h2", 2, NoChange),
            // Rule 3: three attempts, at least level 2.
            ("W E S", 2, AttemptsMin2),
            ("W h1 E S", 2, AttemptsMin2),
            ("W W h1 W", 2, SameFailureRepeated),
            // Rule 4: five attempts, at least level 3.
            ("W E W E W", 3, AttemptsMin3),
            ("W E S h2 E W", 3, AttemptsMin3),
            ("W h1 W h2 W E S", 3, SameFailureRepeated),
            // It stops at 3 and never falls.
            ("W W W W W h3 W", 3, NoChange),
            ("W h3 E", 3, NoChange),
            // Rule 5: seven attempts or given up.
            ("W W W W W W W", 4, AttemptsLevel4),
            ("W W W W W W h3 W", 4, AttemptsLevel4),
            ("W giveup", 4, GiveUp),
            ("W h4 E", 4, NoChange),
            // A pass counts as an attempt, not as a failure.
            ("W P W h1", 2, AttemptsMin2),
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
                            context.attempts >= ATTEMPTS_FOR_LEVEL_4 || last == 4
                        );
                        last = chosen.level;
                        context.last_hint = Some((event, chosen.level));
                    }
                    "P" => context.attempts += 1,
                    word => {
                        let class = match word {
                            "W" => FailureType::WrongAnswer,
                            "E" => FailureType::Exception,
                            _ => FailureType::WrongSignature,
                        };
                        context.attempts += 1;
                        context.failures.push((event, class));
                    }
                }
            }
        }
    }
}
