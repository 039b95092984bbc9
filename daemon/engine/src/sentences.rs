//! The rules of 000 in words, for every kind that explains its events.

use vosim_protocol::v1::evaluation::FailureType;
use vosim_protocol::v1::hints::TriggerReason;
use vosim_protocol::v1::judging::EvalResult;
use vosim_protocol::v1::session::NotTaken;

/// The rule that gave a hint its level (000: hint escalation).
pub(crate) fn hint_rule(reason: TriggerReason) -> &'static str {
    match reason {
        TriggerReason::FirstHintRequest => "rule 1: the first request gives level 1",
        TriggerReason::SameFailureRepeated => "rule 2: the same failure again gives one more",
        TriggerReason::SubmissionsMin2 => "rule 3: three attempts give at least level 2",
        TriggerReason::SubmissionsMin3 => "rule 4: five attempts give at least level 3",
        TriggerReason::SubmissionsLevel4 => "rule 5: seven attempts give level 4",
        TriggerReason::GiveUp => "rule 5: giving up gives level 4",
        TriggerReason::NoChange => "no rule raises it: the level stays",
    }
}

/// The rule that decided a verdict, and why the others did not: the rules of 000 in their order, of
/// which the first that applies decides.
pub(crate) fn classification(result: &EvalResult) -> (String, Vec<NotTaken>) {
    let (passed, failed) = (result.tests_passed, result.tests_failed);
    let rules = [
        (
            FailureType::ImportError,
            "rule 1, IMPORT_ERROR: the file cannot be loaded",
            "the file was loaded".to_owned(),
        ),
        (
            FailureType::WrongSignature,
            "rule 2, WRONG_SIGNATURE: a method is missing",
            "all methods are there".to_owned(),
        ),
        (
            FailureType::Exception,
            "rule 3, EXCEPTION: an exception, crash or limit in a test",
            "no test raised, crashed or reached a limit".to_owned(),
        ),
        (
            FailureType::Pass,
            "rule 4, PASS: all tests passed",
            format!("{failed} of {} tests did not pass", passed + failed),
        ),
        (
            FailureType::PartialPass,
            "rule 5, PARTIAL_PASS: at least half of the tests passed",
            format!("{passed} of {} tests passed", passed + failed),
        ),
        (FailureType::WrongAnswer, "rule 6, WRONG_ANSWER: fewer than half passed", String::new()),
    ];
    let place = rules.iter().position(|(class, ..)| *class == result.failure_type).unwrap_or(0);
    let taken = format!("000 classification rules, {}", rules[place].1);
    let not =
        |(_, rule, reason): (FailureType, &str, String)| NotTaken { rule: rule.to_owned(), reason };
    let mut others: Vec<_> = rules.into_iter().map(not).collect();
    others.remove(place);
    for later in &mut others[place..] {
        "an earlier rule decided".clone_into(&mut later.reason);
    }
    (taken, others)
}

/// A length of time: `4:00`, `1:02:03`. What is left of the last second is dropped.
pub(crate) fn clock(micros: u64) -> String {
    let seconds = micros / 1_000_000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
