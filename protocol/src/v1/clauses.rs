//! Clauses that events, views and explanations share: one spelling for each value, wherever it
//! stands.

use crate::phrase;
use crate::v1::assistant::Violation;
use crate::v1::coverage::Coverage;
use crate::v1::effect::Untaken;
use crate::v1::evaluation::{Detail, FailureType, Growth, GrowthPoint};
use crate::v1::hints::TriggerReason;
use crate::v1::interview::{ExitReason, NotSubmitted};
use crate::v1::judging::GrowthMeasured;
use crate::v1::phrase::Phrase;

/// `WRONG_ANSWER`, `EXCEPTION (out of memory)`: behind a class stands only what it does not say by
/// itself.
pub fn class(class: FailureType, detail: Option<Detail>) -> Phrase {
    let detail = detail.and_then(|detail| match detail {
        Detail::Time | Detail::Wall => Some(phrase!("detail.time")),
        Detail::Idle => Some(phrase!("detail.idle")),
        Detail::Memory => Some(phrase!("detail.memory")),
        Detail::Output => Some(phrase!("detail.output")),
        Detail::Processes => Some(phrase!("detail.processes")),
        Detail::Signal => Some(phrase!("detail.signal")),
        Detail::Exit => Some(phrase!("detail.exit")),
        Detail::Syntax => Some(phrase!("detail.syntax")),
        Detail::Missing => Some(phrase!("detail.missing")),
        Detail::Exception if class == FailureType::ImportError => Some(phrase!("detail.exception")),
        Detail::Exception | Detail::Signature | Detail::Value => None,
    });
    let name = class.to_string();
    match detail {
        Some(detail) => phrase!("class.detailed", class = name, detail),
        None => Phrase::said(name),
    }
}

/// What the judge says of a submission, in short.
pub fn verdict(number: u32, class: Phrase, passed: u32, total: u32) -> Phrase {
    match passed == total {
        true => phrase!("verdict.passed", number, total),
        false => phrase!("verdict.failed", number, class, passed, total),
    }
}

/// The rule that gave a hint its level (000: hint escalation).
pub fn hint_rule(reason: TriggerReason) -> Phrase {
    match reason {
        TriggerReason::FirstHintRequest => phrase!("rule.hint.first"),
        TriggerReason::SameFailureRepeated => phrase!("rule.hint.repeated"),
        TriggerReason::SubmissionsMin2 => phrase!("rule.hint.three"),
        TriggerReason::SubmissionsMin3 => phrase!("rule.hint.five"),
        TriggerReason::SubmissionsLevel4 => phrase!("rule.hint.seven"),
        TriggerReason::GiveUp => phrase!("rule.hint.given_up"),
        TriggerReason::Progressive => phrase!("rule.hint.progressive"),
        TriggerReason::AfterEnd => phrase!("rule.hint.after_end"),
    }
}

/// What leads to the level above one, where levels go up to `highest`; none for the highest.
pub fn hint_above(level: u8, highest: u8) -> Option<Phrase> {
    let above = match level {
        1 => phrase!("hint.above_one"),
        2 => phrase!("hint.above_two"),
        _ => phrase!("hint.above_three"),
    };
    (level < highest).then_some(above)
}

/// The time per operation at growing sizes: the figures, and no more than they say.
pub fn growth(measured: &GrowthMeasured) -> Phrase {
    if measured.points.is_empty() {
        let reason = measured.reason.as_deref().unwrap_or("no figures came back");
        return phrase!("growth.unmeasured", reason);
    }
    let point = |point: &GrowthPoint| {
        phrase!("growth.point", time = time(point.nanos), number = point.size)
    };
    let points = measured.points.iter().map(point).collect::<Vec<_>>();
    let size = measured.size.as_str();
    match measured.growth {
        Growth::Constant => phrase!("growth.constant", size, points),
        Growth::Linear => phrase!("growth.linear", size, points),
        Growth::Unclear => phrase!("growth.unclear", size, points),
    }
}

/// `850 ns`, `1.25 µs`, `3.40 ms`.
fn time(nanos: u64) -> String {
    let scaled = |unit: u64, name: &str| {
        let hundredths = (nanos % unit) * 100 / unit;
        format!("{}.{hundredths:02} {name}", nanos / unit)
    };
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => scaled(1_000, "µs"),
        _ => scaled(1_000_000, "ms"),
    }
}

/// Why a section ended.
pub fn exit(reason: ExitReason) -> Phrase {
    match reason {
        ExitReason::TimeExpired => phrase!("section.time_expired"),
        ExitReason::CoverageSatisfied => phrase!("section.everything_covered"),
        ExitReason::CandidateDone => phrase!("section.candidate_done"),
        // DECISIONS 46: 001 has no exit reason of its own for an interview that was left.
        ExitReason::SystemError => phrase!("section.left"),
    }
}

/// How far a dimension is covered.
pub fn coverage(coverage: Coverage) -> Phrase {
    match coverage {
        Coverage::NotCovered => phrase!("coverage.not_covered"),
        Coverage::PartiallyCovered => phrase!("coverage.partially_covered"),
        Coverage::Covered => phrase!("coverage.covered"),
    }
}

/// The rule that an answer of the assistant broke.
pub fn violation(violation: Violation) -> Phrase {
    match violation {
        Violation::Code => phrase!("violation.code"),
        Violation::Reference => phrase!("violation.reference"),
        Violation::Plan => phrase!("violation.plan"),
        Violation::Length => phrase!("violation.length"),
        Violation::LeakBudget => phrase!("violation.budget"),
    }
}

/// What was wrong with a watched file.
pub fn fault(untaken: Untaken) -> Phrase {
    match untaken {
        Untaken::Unreadable => phrase!("fault.unreadable"),
        Untaken::TooLarge => phrase!("fault.too_large"),
        Untaken::Empty => phrase!("fault.empty"),
        Untaken::Changed => phrase!("fault.changed"),
    }
}

/// Why a watched file was not submitted at the end, and what was wrong with it then; None where that
/// need not be said.
pub fn not_submitted(why: NotSubmitted, untaken: Option<Untaken>) -> Option<Phrase> {
    if let Some(untaken) = untaken {
        let moment = match untaken {
            Untaken::Changed => phrase!("moment.after_end"),
            Untaken::Unreadable | Untaken::TooLarge | Untaken::Empty => phrase!("moment.end"),
        };
        let fault = fault(untaken);
        return match why {
            NotSubmitted::Unchanged => Some(phrase!("watch.untaken_unchanged", fault, moment)),
            NotSubmitted::Starter => Some(phrase!("watch.untaken_starter", fault, moment)),
            NotSubmitted::Nothing => Some(phrase!("watch.untaken_nothing", fault, moment)),
            NotSubmitted::Left => None,
        };
    }
    match why {
        NotSubmitted::Unchanged => Some(phrase!("watch.unchanged")),
        NotSubmitted::Starter => Some(phrase!("watch.starter")),
        NotSubmitted::Nothing => Some(phrase!("watch.nothing")),
        NotSubmitted::Left => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_told_with_what_it_does_not_say_by_itself() {
        let told = |name, detail| class(name, detail).text;
        assert_eq!(told(FailureType::WrongAnswer, Some(Detail::Value)), "WRONG_ANSWER");
        assert_eq!(told(FailureType::Exception, Some(Detail::Exception)), "EXCEPTION");
        assert_eq!(told(FailureType::Exception, Some(Detail::Memory)), "EXCEPTION (out of memory)");
        assert_eq!(
            told(FailureType::ImportError, Some(Detail::Exception)),
            "IMPORT_ERROR (an exception)"
        );
        assert_eq!(told(FailureType::PartialPass, None), "PARTIAL_PASS");
    }

    #[test]
    fn times_of_an_operation_have_the_unit_that_fits() {
        assert_eq!([time(850), time(1_250), time(3_400_000)], ["850 ns", "1.25 µs", "3.40 ms"]);
    }
}
