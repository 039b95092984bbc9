//! Collects the faults of a schema, each with its place in the text.

use std::ops::RangeInclusive;

use vosim_protocol::v1::interview::SchemaFault;

use crate::content::lint::References;

/// The longest id.
const ID_MAX: usize = 64;

/// The faults found, and the programs that no text may give away.
#[derive(Debug)]
pub(super) struct Faults {
    pub(super) found: Vec<SchemaFault>,
    pub(super) references: References,
}

impl Faults {
    pub(super) const fn new(references: References) -> Self {
        Self { found: Vec::new(), references }
    }

    pub(super) fn add(&mut self, place: &str, message: impl Into<String>) {
        let (place, message) = (place.to_owned(), message.into());
        self.found.push(SchemaFault { line: None, place, message });
    }

    pub(super) fn range(&mut self, place: &str, value: u32, range: RangeInclusive<u32>) {
        if !range.contains(&value) {
            let (from, to) = (range.start(), range.end());
            self.add(place, format!("is {value}; it must be {from} to {to}"));
        }
    }

    pub(super) fn id(&mut self, place: &str, id: &str) {
        if !is_id(id) {
            self.add(&format!("{place}.id"), "must be 1 to 64 of a-z, 0-9, _ and -");
        }
    }
}

pub(super) fn is_id(id: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-');
    (1..=ID_MAX).contains(&id.len()) && id.bytes().all(fits)
}

pub(super) fn place(list: &str, id: &str, at: usize) -> String {
    joined(list, &named_part(id, at))
}

/// Returns the name of a part of a list: its id, or its number where the id is no name.
pub(super) fn named_part(id: &str, at: usize) -> String {
    if is_id(id) { id.to_owned() } else { format!("[{at}]") }
}

/// Appends a part to a place: `sections.frame`, `sections[0]`.
pub(super) fn joined(place: &str, part: &str) -> String {
    if place.is_empty() || part.starts_with('[') {
        format!("{place}{part}")
    } else {
        format!("{place}.{part}")
    }
}
