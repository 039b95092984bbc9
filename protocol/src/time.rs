//! Instants: UTC with microseconds, the only form in which time is stored or sent.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An instant in UTC, to the microsecond; written `2026-01-05T23:30:00.123456Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(DateTime<Utc>);

impl Time {
    /// The instant so many microseconds after 1970 (negative: before).
    ///
    /// Beyond what the calendar can hold (some 262,000 years) the last instant is taken.
    pub fn from_micros(micros: i64) -> Self {
        Self(DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::<Utc>::MAX_UTC))
    }

    /// Microseconds since 1970.
    pub fn micros(self) -> i64 {
        self.0.timestamp_micros()
    }

    /// The instant so many microseconds later.
    #[must_use]
    pub fn plus_micros(self, micros: i64) -> Self {
        Self::from_micros(self.micros().saturating_add(micros))
    }

    /// The instant so many seconds later.
    #[must_use]
    pub fn plus_secs(self, secs: i64) -> Self {
        self.plus_micros(secs.saturating_mul(1_000_000))
    }

    /// Microseconds from `earlier` to this instant; negative when it lies before.
    pub fn micros_since(self, earlier: Self) -> i64 {
        self.micros().saturating_sub(earlier.micros())
    }

    /// Whole seconds from `earlier` to this instant, never negative.
    pub fn secs_since(self, earlier: Self) -> u64 {
        u64::try_from(self.micros_since(earlier) / 1_000_000).unwrap_or(0)
    }

    /// The calendar form, for showing local time.
    pub fn utc(self) -> DateTime<Utc> {
        self.0
    }
}

impl From<DateTime<Utc>> for Time {
    /// Cuts to the microsecond, so that what is stored equals what is in memory.
    fn from(instant: DateTime<Utc>) -> Self {
        Self::from_micros(instant.timestamp_micros())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Micros, true))
    }
}

/// Why a text is not a [`Time`].
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a time is written like 2026-01-05T23:30:00.123456Z")]
pub struct TimeError;

impl FromStr for Time {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let read = DateTime::parse_from_rfc3339(text).map_err(|_| TimeError)?;
        Ok(read.to_utc().into())
    }
}

impl Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_written_with_six_digits_and_z() {
        let time: Time = "2026-01-05T23:30:00.1234569+01:00".parse().unwrap();
        assert_eq!(time.to_string(), "2026-01-05T22:30:00.123456Z");
        assert_eq!(Time::from_micros(0).to_string(), "1970-01-01T00:00:00.000000Z");
    }

    #[test]
    fn what_is_no_time_is_told_how_one_is_written() {
        for text in ["", "yesterday", "2026-01-05", "2026-13-05T23:30:00Z", "2026-01-05T23:30:00"] {
            assert_eq!(text.parse::<Time>(), Err(TimeError), "{text}");
            let read = serde_json::from_value::<Time>(text.into());
            let told = "a time is written like 2026-01-05T23:30:00.123456Z";
            assert_eq!(read.unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn arithmetic_stays_in_range() {
        let far = Time::from_micros(i64::MAX);
        assert_eq!(far.plus_secs(i64::MAX), far);
        assert_eq!(Time::from_micros(0).secs_since(Time::from_micros(5_000_000)), 0);
    }
}
