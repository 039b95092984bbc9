//! Checks a replay bundle against itself: nothing but the program is needed.
//!
//! This module stands above the kinds, which make bundles and replay them.

use vosim_protocol::misfit;
use vosim_protocol::record::ChainBreak;
use vosim_protocol::v1::bundle::{BundleReport, ReplayBundle};
use vosim_protocol::v1::session::ReplayReport;
use vosim_protocol::{EventId, EventRecord, Hash};

use crate::failure::BundleError;
use crate::kinds;

/// Checks chain, spec and code, decides every decision anew, and compares what is derived from
/// the records with what the bundle says of them. Tells the first thing that does not fit.
pub fn bundle(bundle: &ReplayBundle) -> BundleReport {
    let lines: Vec<Vec<u8>> = bundle.records.iter().map(|line| line.as_bytes().to_vec()).collect();
    let mut report = BundleReport {
        session_id: bundle.session_id,
        kind: bundle.kind,
        records: lines.len() as u64,
        recomputed: 0,
        code: bundle.code.len() as u64,
        withheld: bundle.withheld.len() as u64,
        broken: None,
        head: None,
    };
    let found = sealed(bundle, &lines).and_then(|()| {
        let replayed = decided(bundle, &lines)?;
        report.recomputed = replayed.recomputed;
        derived(bundle, &lines)
    });
    match found {
        Ok(()) => report.head = Some(bundle.head),
        Err(broken) => report.broken = Some(broken),
    }
    report
}

fn at(event_id: EventId, reason: impl Into<String>) -> ChainBreak {
    ChainBreak { event_id, reason: reason.into() }
}

const FIRST: EventId = EventId(1);

/// What is named by its hash is what it was.
fn sealed(bundle: &ReplayBundle, lines: &[Vec<u8>]) -> Result<(), ChainBreak> {
    bundle.check_chain()?;
    let first = lines.first().ok_or_else(|| at(FIRST, "there are no records"))?;
    let first = misfit::read_bytes::<EventRecord>(first)
        .map_err(|why| at(FIRST, format!("not a record: {why}")))?;
    let (kind, spec) = kinds::created(&first).map_err(|error| at(FIRST, error.to_string()))?;
    if (kind, first.session_id) != (bundle.kind, bundle.session_id) {
        return Err(at(FIRST, "it is of another session than the bundle says"));
    }
    if Hash::of(bundle.spec.as_bytes()) != spec {
        return Err(at(FIRST, "the spec it names has been changed"));
    }
    for (place, line) in (1..).zip(lines) {
        for hash in kinds::code(kind, std::slice::from_ref(line)) {
            match bundle.code.get(&hash) {
                Some(blob) if Hash::of(&blob.0) == hash => {}
                Some(_) => return Err(at(EventId(place), "the code it names has been changed")),
                None if bundle.withheld.contains(&hash) => {}
                None => return Err(at(EventId(place), "the code it names is missing")),
            }
        }
    }
    Ok(())
}

/// Every decision is what the engine decides from the same inputs.
fn decided(bundle: &ReplayBundle, lines: &[Vec<u8>]) -> Result<ReplayReport, ChainBreak> {
    let (kind, id, spec) = (bundle.kind, bundle.session_id, bundle.spec.as_bytes());
    let report = kinds::replay(kind, id, spec, lines, None, true)
        .map_err(|error| at(FIRST, error.to_string()))?;
    match &report.differs {
        Some(differs) => Err(at(differs.event_id, differs.reason.clone())),
        None => Ok(report),
    }
}

/// What the bundle tells of its records follows from them.
fn derived(bundle: &ReplayBundle, lines: &[Vec<u8>]) -> Result<(), ChainBreak> {
    let (kind, id, spec) = (bundle.kind, bundle.session_id, bundle.spec.as_bytes());
    let last = EventId(lines.len() as u64);
    let made = kinds::replay_bundle(kind, id, spec, lines, bundle.code.clone());
    let made = made.map_err(|error| match error {
        BundleError::NotEnded | BundleError::NoEvaluation { .. } => at(last, error.to_string()),
        BundleError::Load(error) => at(FIRST, error.to_string()),
    })?;
    if let Some(event) = first_difference(&made.timeline, &bundle.timeline, |one| one.event_id) {
        return Err(at(event, "the timeline does not tell what the record does"));
    }
    if let Some(event) = first_difference(&made.transcript, &bundle.transcript, |one| one.event_id)
    {
        return Err(at(event, "the transcript does not tell what the record does"));
    }
    let versions = (&made.code_history, &bundle.code_history);
    if let Some(event) = first_difference(versions.0, versions.1, |one| one.event_id) {
        return Err(at(event, "the code history does not tell what the record does"));
    }
    if made != *bundle {
        return Err(at(last, "the bundle's head does not tell what its records do"));
    }
    Ok(())
}

/// The event of the first entry that is not the same in both.
fn first_difference<T: PartialEq>(
    made: &[T],
    found: &[T],
    event: impl Fn(&T) -> EventId,
) -> Option<EventId> {
    let place =
        (0..made.len().max(found.len())).find(|place| made.get(*place) != found.get(*place));
    place.and_then(|place| made.get(place).or_else(|| found.get(place))).map(event)
}
