//! Many interviews in one daemon, each figure over growing numbers of them: what grows with the
//! number is seen at once.

mod crowd;
pub(crate) mod mould;
mod replay;
mod status;
mod terminals;
mod unfinished;

use std::time::SystemTime;

use vosim_protocol::Time;

use super::table::Table;

/// How many interviews one daemon holds.
const POPULATIONS: [usize; 3] = [100, 1_000, 10_000];

pub(crate) fn measure(table: &Table) {
    // Those that wait for their deadlines meanwhile are the ones that a status is asked beside.
    let crowds = crowd::measure(table);
    status::measure(table, crowds);
    crowd::measure_at_once(table);
    unfinished::measure(table);
    replay::measure(table);
    terminals::measure(table);
}

/// The time as the daemon reads it.
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Time::from_micros(i64::try_from(since.as_micros()).unwrap())
}
