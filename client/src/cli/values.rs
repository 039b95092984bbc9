//! Values of arguments, as they are typed.

use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::v1::interview::{TIME_PERCENT_MAX, TIME_PERCENT_MIN};
use vosim_protocol::v1::problem::{Language, listed};
use vosim_protocol::{EventId, Kind, Role};

/// Every role, in the order in which help names them.
pub(super) const ROLES: [Role; 4] =
    [Role::Candidate, Role::Observer, Role::Interviewer, Role::Agent];

pub(super) fn language(text: &str) -> Result<Language, String> {
    Language::named(text).ok_or_else(|| {
        let known = Language::ALL.map(|language| language.name().to_owned());
        format!("expected {}", listed(&known, "or"))
    })
}

pub(super) fn bundle(text: &str) -> Result<Bundle, String> {
    let known = [Bundle::Evaluation, Bundle::Replay].into_iter().find(|one| one.name() == text);
    known.ok_or_else(|| "expected evaluation or replay".to_owned())
}

pub(super) fn role(text: &str) -> Result<Role, String> {
    let known = ROLES.into_iter().find(|role| role.name() == text);
    known.ok_or_else(|| format!("expected {}", listed(&ROLES.map(|it| it.name().to_owned()), "or")))
}

pub(super) fn kind(text: &str) -> Result<Kind, String> {
    let known = Kind::ALL.into_iter().find(|kind| kind.name() == text);
    known.ok_or_else(|| {
        format!("expected {}", listed(&Kind::ALL.map(|it| it.name().to_owned()), "or"))
    })
}

/// A share of a schema's times; the sign may stand behind it.
pub(super) fn time_percent(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let known = TIME_PERCENT_MIN..=TIME_PERCENT_MAX;
    let percent = number.parse().ok().filter(|percent| known.contains(percent));
    percent.ok_or_else(|| {
        format!("expected {TIME_PERCENT_MIN} to {TIME_PERCENT_MAX} percent of the schema's time")
    })
}

pub(super) fn event_id(text: &str) -> Result<EventId, std::num::ParseIntError> {
    text.parse().map(EventId)
}
