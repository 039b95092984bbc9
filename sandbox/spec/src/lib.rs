//! The request to `vosim-sandbox` ([`RunSpec`]), its answer ([`RunReport`]), and the findings of
//! its probe about a machine ([`ProbeReport`]).
//!
//! Request and report are one line of JSON each on the helper's control channel. The types only
//! gain: new optional fields, new variants. Sizes are in bytes and times in microseconds, unless a
//! name says otherwise.

#![warn(missing_docs)]

mod content;
mod probe;
mod report;
mod spec;
mod words;

pub use content::Content;
pub use probe::{ApprovedNetwork, PROBE_VERSION, ProbeReport};
pub use report::{
    Control, Enforcement, INSTALLING_FILTER, LANDLOCK_TOO_WEAK, Layer, Level, Limit,
    MAKING_NAMESPACES, NO_NETWORK, NOT_INSTALLED, Output, Refusal, RunReport, Shortfall,
    TOO_STRICT, Usage, Verdict, Waited,
};
pub use spec::{
    Go, Limits, MemoryBy, Mount, Network, PLACES, RunSpec, STANDBY_MAX_MS, Standby, WORK_DIR,
    places_of,
};
pub use words::words;

/// Version of the two types; a helper refuses a newer one.
pub const VERSION: u32 = 1;
