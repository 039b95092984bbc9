//! How fast a log is folded anew, and how fast every decision in it is made again.

use vosim_protocol::Role;
use vosim_protocol::v1::service::{Replay, ReplayParams};
use vosim_tests::{Home, TestDaemon, new_session};

use super::super::table::{Bar, Series, Table};
use super::mould::{Mould, fill};
use super::now;

/// Lengths of the logs; nobody may say more than 5,000 things in an interview.
const EVENTS: [usize; 3] = [100, 1_000, 4_000];
const TURNS: usize = 7;

pub(super) fn measure(table: &Table) {
    let home = Home::new();
    let moulds = table.numbers(EVENTS).map(Mould::of_events);
    let ids = moulds.each_ref().map(|_| new_session());
    let later = now().plus_secs(3_600);
    fill(&home, moulds.iter().zip(ids).map(|(mould, id)| mould.cast(id, later)));
    let daemon = TestDaemon::start_in(home);
    let mut wire = daemon.wire();
    for (how, verify) in [("replay", false), ("replay --verify", true)] {
        for id in ids {
            let params = ReplayParams {
                session: Some(id.to_string()),
                verify,
                until: None,
                role: Role::Candidate,
            };
            let mut series = Series::new(how);
            let mut events = 0;
            for _ in 0..table.turns(TURNS) {
                events = series.time(|| wire.ask::<Replay>(&params).unwrap().events);
            }
            #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
            let rate = events as f64 / series.median().as_secs_f64();
            let name = format!("{how}, events a second, {events} events");
            table.figure(&name, rate, "", Bar::Told);
        }
    }
}
