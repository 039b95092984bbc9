//! What a rule looked at, for people: times as minutes and seconds, sections and dimensions by their
//! titles.

use vosim_protocol::v1::coverage::{Coverage, CoverageChange, CoverageMap, CoverageRule};
use vosim_protocol::v1::effect::Untaken;
use vosim_protocol::v1::interview::{Accommodation, NotSubmitted, Section};
use vosim_protocol::v1::talk::Words;

use crate::kinds::interview::state::State;
use crate::sentences::clock;

pub(super) fn clock_of_ms(millis: u64) -> String {
    clock(millis.saturating_mul(1000))
}

/// Where a moment lies, by its distance to the section's deadline. After it the grace decides, so
/// tenths of a second are told too.
pub(super) fn until_deadline(micros: i64) -> String {
    let distance = micros.unsigned_abs();
    match micros {
        0.. => format!("{} was left of the section's time", clock(distance)),
        _ => {
            let tenths = distance / 100_000 % 10;
            format!("it came {}.{tenths} after the section's deadline", clock(distance))
        }
    }
}

/// A section of the schema by its title.
pub(super) fn section(state: &State, id: &str) -> String {
    let known = plan(state, id);
    format!("\"{}\"", known.map_or(id, |section| section.title.as_str()))
}

/// A dimension of a section by its title.
pub(super) fn dimension(state: &State, section: &str, id: &str) -> String {
    let known = plan(state, section)
        .and_then(|section| section.dimensions.iter().find(|dimension| dimension.id == id));
    format!("\"{}\"", known.map_or(id, |dimension| dimension.title.as_str()))
}

fn plan<'s>(state: &'s State, id: &str) -> Option<&'s Section> {
    state.spec.schema.sections.iter().find(|section| section.id == id)
}

/// `"Requirements" was covered, "Constraints" partly covered`, in the order of the schema.
pub(super) fn coverage(state: &State, section: &str, map: &CoverageMap) -> String {
    let order = plan(state, section).map_or(&[][..], |section| &section.dimensions);
    let named = order.iter().filter_map(|dimension| {
        let level = map.get(&dimension.id)?;
        Some(format!("\"{}\" was {}", dimension.title, level_name(*level)))
    });
    let all: Vec<_> = named.collect();
    if all.is_empty() { "nothing had to be covered".to_owned() } else { all.join(", ") }
}

pub(super) fn level_name(level: Coverage) -> &'static str {
    match level {
        Coverage::NotCovered => "not covered",
        Coverage::PartiallyCovered => "partly covered",
        Coverage::Covered => "covered",
    }
}

/// `"Cost" became covered: two groups …`.
pub(super) fn change(state: &State, section: &str, change: &CoverageChange) -> String {
    let rule = match change.rule {
        CoverageRule::OneGroup => "one group of its signals was hit",
        CoverageRule::TwoGroupsInOneMessage => {
            "two groups of its signals were hit in one message, with a specific"
        }
        CoverageRule::ThreeGroupsOverTheSection => {
            "three groups of its signals were hit over the section, with a specific"
        }
        CoverageRule::ClarificationAsked => "a clarifying question was asked",
        CoverageRule::TestsOrVerdict => "own cases were run, or the verdict was told",
        CoverageRule::TestsAndVerdict => "own cases were run and the verdict was told",
    };
    let name = dimension(state, section, &change.dimension);
    format!("{name} became {}: {rule}", level_name(change.to))
}

pub(super) fn accommodation(granted: Accommodation) -> String {
    let time = match granted.time_percent {
        100 => "the schema's own times".to_owned(),
        percent => format!("{percent} percent of the schema's times"),
    };
    let warnings = if granted.larger_warnings { ", and earlier warnings" } else { "" };
    format!("the candidate has {time}{warnings}")
}

pub(super) fn words(words: Words) -> &'static str {
    match words {
        Words::Problem => "the text is the schema's or the problem's own",
        Words::Model => "a model has put that text into its own words",
    }
}

/// `1 question`, `2 questions`.
pub(super) fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Why the last save stands for a file.
pub(super) fn untaken(untaken: Untaken) -> &'static str {
    match untaken {
        Untaken::Unreadable => "the file could not be read then, so its last save was taken",
        Untaken::TooLarge => "the file was too large then, so its last save was taken",
        Untaken::Empty => "the file was empty then, so its last save was taken",
        Untaken::Changed => "the file was changed afterwards, so its last save was taken",
    }
}

/// Why a watched file was not submitted when its section ended.
pub(super) fn not_submitted(why: NotSubmitted) -> &'static str {
    match why {
        NotSubmitted::Unchanged => "it was not submitted again, for it had not changed",
        NotSubmitted::Starter => "it was not submitted, for it was the starter and nothing else",
        NotSubmitted::Nothing => "nothing was submitted, for nothing had been saved",
        NotSubmitted::Left => "nothing was submitted, for the interview was left",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds_and_never_read_longer_than_they_are() {
        let clocks = [0, 59_999_999, 240_000_000, 3_723_000_000].map(clock);
        assert_eq!(clocks, ["0:00", "0:59", "4:00", "1:02:03"]);
        assert_eq!(until_deadline(240_000_000), "4:00 was left of the section's time");
        assert_eq!(until_deadline(-14_990_000), "it came 0:14.9 after the section's deadline");
    }
}
