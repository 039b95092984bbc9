//! Checks that a schema makes sense: all that the engine relies on afterwards, and all that would
//! spoil an interview only when it is reached.

mod section;
mod texts;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use vosim_protocol::v1::interview::{Schema, SchemaFault};

use super::faults::{Faults, is_id, place};
use crate::content::catalog::catalog;
use crate::content::lint::References;

/// The known format.
const FORMAT: u32 = 1;
/// Number of sections of a schema.
const SECTIONS: RangeInclusive<usize> = 1..=12;
/// The longest interview, seconds.
const TOTAL_SECONDS_MAX: u64 = 24 * 60 * 60;

/// Returns the faults in the order of the text; none for a good schema.
pub fn check(schema: &Schema) -> Vec<SchemaFault> {
    let references = References::of(catalog().list().map(|package| &**package));
    let mut faults = Faults::new(references);
    whole(schema, &mut faults);
    let mut seen = BTreeSet::new();
    for (at, section) in schema.sections.iter().enumerate() {
        let place = place("sections", &section.id, at);
        if !seen.insert(&section.id) {
            faults.add(&format!("{place}.id"), "another section has this id");
        }
        section::check(section, &place, &mut faults);
    }
    together(schema, &mut faults);
    faults.found
}

fn whole(schema: &Schema, faults: &mut Faults) {
    if schema.format != FORMAT {
        let message = format!("is {}; this vosim reads format {FORMAT}", schema.format);
        faults.add("format", message);
    }
    if !is_id(&schema.id) {
        faults.add("id", "must be 1 to 64 of a-z, 0-9, _ and -");
    }
    faults.range("version", schema.version, 1..=u32::MAX);
    texts::title("title", &schema.title, faults);
    // 001 5.2: the grace is short; a message after it answers the next section.
    faults.range("grace_seconds", schema.grace_seconds, 0..=60);
    faults.range("message_quiet_seconds", schema.message_quiet_seconds, 0..=600);
    faults.range("save_quiet_seconds", schema.save_quiet_seconds, 0..=600);
    faults.range("covered_seconds", schema.covered_seconds, 1..=600);
    faults.range("presence_seconds", schema.presence_seconds, 1..=600);
    texts::text("nudge", &schema.nudge, texts::GOAL_MAX, faults);
}

fn together(schema: &Schema, faults: &mut Faults) {
    let count = schema.sections.len();
    if !SECTIONS.contains(&count) {
        let most = SECTIONS.end();
        faults.add("sections", format!("has {count} sections; it must have 1 to {most}"));
    }
    let sum: u64 = schema.sections.iter().map(|s| u64::from(s.duration_seconds)).sum();
    if sum != u64::from(schema.total_seconds) {
        let total = schema.total_seconds;
        let message = format!("is {total}, but the sections last {sum} seconds in all");
        faults.add("total_seconds", message);
    }
    if sum > TOTAL_SECONDS_MAX {
        let message =
            format!("lasts {sum} seconds in all; at most {TOTAL_SECONDS_MAX} are allowed");
        faults.add("sections", message);
    }
    match schema.sections.iter().filter(|section| section.coding).count() {
        1 => {}
        0 if count == 0 => {}
        0 => {
            let message = "has no section with coding = true, so no code could be submitted";
            faults.add("sections", message);
        }
        n => {
            faults.add(
                "sections",
                format!("has {n} sections with coding = true; only one may have it"),
            );
        }
    }
}
