//! A daemon with many live interviews: what each takes in memory, and how late its deadlines fire.
//!
//! The deadlines lie as far apart as those of ten thousand interviews in ten minutes (DECISIONS 36),
//! however many there are; so the rows differ in nothing but the number that waits.

use std::collections::BTreeMap;
use std::time::Duration;

use vosim_protocol::v1::service::Method as _;
use vosim_protocol::v1::service::{View, ViewParams};
use vosim_protocol::wire::{Json, Wire as _};
use vosim_protocol::{EventId, Role, SessionId, Time};
use vosim_tests::{Home, TestDaemon, Wire, new_session};

use super::super::idle::resident_kib;
use super::super::table::{Bar, Series, Table};
use super::mould::{Mould, fill};
use super::{POPULATIONS, now};

/// Between two deadlines.
const APART_MICROS: i64 = 60_000;
/// Until the first of them: what putting so many into a store takes, and then some.
const LEAD_MICROS: i64 = 2_000_000;
const LEAD_EACH_MICROS: i64 = 1_500;
/// Deadlines that are observed, of interviews that are awake and of those that sleep.
const OBSERVED: usize = 500;
const OBSERVED_ASLEEP: usize = 100;
/// What is observed begins so much later than now.
const SOON_MICROS: i64 = 300_000;
/// Streams of one connection (the daemon allows 64), and requests that wait for their answers.
const STREAMS: usize = 50;
const REQUESTS: usize = 32;
/// Where nothing is to be due.
const ALONE_MICROS: i64 = 3_600_000_000;
/// All deadlines at the same moment, so much later than now for each interview.
const BURST_EACH_MICROS: i64 = 4_000;

/// A daemon with its interviews, earliest deadline first.
pub(super) struct Crowd {
    pub(super) daemon: TestDaemon,
    interviews: Vec<(SessionId, Time)>,
}

/// Memory and lateness over growing numbers; the daemons go on running.
pub(super) fn measure(table: &Table) -> Vec<Crowd> {
    let empty = TestDaemon::start();
    let empty_kib = resident_kib(empty.pid());
    drop(empty);
    let crowds = table.numbers(POPULATIONS).map(|n| {
        let crowd = Crowd::new(n, |k| k * APART_MICROS, LEAD_EACH_MICROS);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let each = |kib: f64| (kib - empty_kib) / n as f64;
        let asleep = each(resident_kib(crowd.daemon.pid()));
        table.figure(&format!("memory per sleeping interview, {n}"), asleep, " KiB", Bar::Told);
        let sleeping = crowd.observe(OBSERVED_ASLEEP.min(n / 2));
        crowd.wake();
        let awake = each(resident_kib(crowd.daemon.pid()));
        table.figure(&format!("memory per waking interview, {n}"), awake, " KiB", Bar::Told);
        crowd.observe(OBSERVED).tell(table, n);
        table.quantile(
            &format!("lateness at firing, woken for it, {n}, p50"),
            &sleeping.firing,
            50,
            Bar::Told,
        );
        crowd
    });
    crowds.into()
}

/// Everything at the same moment, which is told for comparison.
pub(super) fn measure_at_once(table: &Table) {
    for n in table.numbers(POPULATIONS) {
        let crowd = Crowd::new(n, |_| 0, BURST_EACH_MICROS);
        crowd.wake();
        if crowd.interviews[0].1 < now().plus_micros(SOON_MICROS) {
            table.skipped(&format!("all {n} due at once"), "it took too long to wake them");
            continue;
        }
        let every = n.div_ceil(OBSERVED);
        let chosen: Vec<_> = crowd.interviews.iter().copied().step_by(every).collect();
        let observed = crowd.observe_these(&chosen);
        for percent in [50, 99] {
            let name = format!("all {n} due at once, on the screen, p{percent}");
            table.quantile(&name, &observed.screen, percent, Bar::Told);
        }
    }
}

impl Crowd {
    fn new(n: usize, place: impl Fn(i64) -> i64, each_micros: i64) -> Self {
        let home = Home::new();
        home.config("[log]\nlevel = \"debug\"\n");
        let mould = Mould::of_events(1);
        let count = i64::try_from(n).unwrap();
        let first = now().plus_micros(LEAD_MICROS + count * each_micros);
        let mut interviews: Vec<_> =
            (0..count).map(|k| (new_session(), first.plus_micros(place(k)))).collect();
        fill(&home, interviews.iter().map(|(id, deadline)| mould.cast(*id, *deadline)));
        interviews.sort_by_key(|(id, deadline)| (*deadline, *id));
        Self { daemon: TestDaemon::start_in(home), interviews }
    }

    /// One interview, awake, with its deadline far off.
    pub(super) fn alone() -> Self {
        let crowd = Self::new(1, |_| ALONE_MICROS, LEAD_EACH_MICROS);
        crowd.wake();
        crowd
    }

    /// Wakes everybody.
    fn wake(&self) {
        let mut wire = self.daemon.wire();
        for some in self.interviews.chunks(REQUESTS) {
            let view =
                |id: SessionId| ViewParams { session: Some(id.to_string()), role: Role::Candidate };
            let asked: Vec<_> =
                some.iter().map(|(id, _)| wire.send(View::NAME, view(*id).to_json())).collect();
            for asked in asked {
                wire.answer(asked).unwrap();
            }
            wire.received.clear();
        }
    }

    /// How late the next so many deadlines are.
    fn observe(&self, count: usize) -> Observed {
        let soon = now().plus_micros(SOON_MICROS);
        let coming = self.interviews.iter().filter(|(_, deadline)| *deadline > soon);
        let chosen: Vec<_> = coming.take(count).copied().collect();
        self.observe_these(&chosen)
    }

    fn observe_these(&self, chosen: &[(SessionId, Time)]) -> Observed {
        let late: Vec<Duration> = std::thread::scope(|scope| {
            let terminals: Vec<_> = chosen
                .chunks(STREAMS)
                .map(|some| {
                    let mut wire = self.daemon.wire();
                    for (id, _) in some {
                        let cursor = EventId::ZERO;
                        wire.subscribe(*id, cursor);
                    }
                    scope.spawn(move || look(&mut wire, some))
                })
                .collect();
            terminals.into_iter().flat_map(|terminal| terminal.join().unwrap()).collect()
        });
        let mut screen = Series::new("on the screen");
        late.into_iter().for_each(|late| screen.take(late));
        Observed { firing: self.firing(chosen), screen }
    }

    /// How late these fired, as the daemon's log tells it.
    fn firing(&self, chosen: &[(SessionId, Time)]) -> Series {
        let mut told = BTreeMap::new();
        for line in self.daemon.home().logs().lines() {
            let Ok(line) = Json::from_bytes(line.as_bytes()) else { continue };
            if line["message"] == "a deadline fires" {
                let session = line["session"].as_str().unwrap().to_owned();
                let micros = line["late_micros"].as_u64().unwrap_or_default();
                told.entry(session).or_insert(Duration::from_micros(micros));
            }
        }
        let mut firing = Series::new("at firing");
        let late = chosen.iter().filter_map(|(id, _)| told.get(&id.to_string()));
        late.for_each(|late| firing.take(*late));
        firing
    }
}

/// What was seen of deadlines.
struct Observed {
    /// When the session decided what follows.
    firing: Series,
    /// When a terminal was told: durable by then.
    screen: Series,
}

impl Observed {
    fn tell(&self, table: &Table, n: usize) {
        let bars = if n == POPULATIONS[POPULATIONS.len() - 1] {
            [Bar::AtMost(2.0, " ms"), Bar::AtMost(20.0, " ms")]
        } else {
            [Bar::Told; 2]
        };
        for (percent, bar) in [50, 99].into_iter().zip(bars) {
            let name = format!("lateness at firing, {n} live, p{percent}");
            table.quantile(&name, &self.firing, percent, bar);
        }
        for percent in [50, 99] {
            let name = format!("lateness on the screen, {n} live, p{percent}");
            table.quantile(&name, &self.screen, percent, Bar::Told);
        }
    }
}

/// Waits for the deadlines of interviews on one connection.
fn look(wire: &mut Wire, interviews: &[(SessionId, Time)]) -> Vec<Duration> {
    let mut late = Vec::new();
    while late.len() < interviews.len() {
        let record = wire.wait_for_event("SECTION_TIME_WARNING");
        let micros = now().micros_since(record.timestamp);
        late.push(Duration::from_micros(u64::try_from(micros).unwrap_or_default()));
        wire.received.clear();
    }
    late
}
