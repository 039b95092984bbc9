//! A daemon that finds unfinished interviews in its store: when it is ready, and what it holds.

use std::time::Instant;

use vosim_protocol::v1::service::{Nothing, Status};
use vosim_tests::{Home, TestDaemon, new_session};

use super::super::idle::resident_kib;
use super::super::table::{Bar, Series, Table};
use super::mould::{Mould, fill};
use super::{POPULATIONS, now};

const EVENTS: usize = 100;
/// Starts of each.
const TURNS: usize = 9;
/// The number for which there is a bar.
const BAR_AT: usize = 1_000;

pub(super) fn measure(table: &Table) {
    let mould = Mould::of_events(EVENTS);
    for n in [&[0], &table.numbers(POPULATIONS)[..]].concat() {
        let home = Home::new();
        // Nothing is due while it is measured.
        fill(&home, (0..n).map(|_| mould.cast(new_session(), now().plus_secs(3_600))));
        start(table, home, n, mould.events());
    }
}

fn start(table: &Table, home: Home, n: usize, events: usize) {
    let mut ready = Series::new("ready");
    let mut answers = Series::new("first answer");
    // The first start reads what was written since the database was opened last.
    let mut first = Series::new("first");
    let mut daemon = first.time(|| TestDaemon::start_in(home));
    for _ in 0..table.turns(TURNS) {
        daemon.stop();
        let begin = Instant::now();
        daemon.start_again();
        ready.take(begin.elapsed());
        daemon.wire().ask::<Status>(&Nothing {}).unwrap();
        answers.take(begin.elapsed());
    }
    let what = format!("{n} unfinished interviews of {events} events");
    let bar = if n == BAR_AT { Bar::AtMost(50.0, " ms") } else { Bar::Told };
    table.quantile(&format!("start to ready, {what}"), &ready, 50, bar);
    table.quantile(&format!("start to the first answer, {what}"), &answers, 50, Bar::Told);
    table.quantile(&format!("start to ready, just written, {what}"), &first, 50, Bar::Told);
    let mib = resident_kib(daemon.pid()) / 1024.0;
    table.figure(&format!("memory after the start, {what}"), mib, " MiB", Bar::Told);
}
