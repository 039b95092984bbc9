//! A whole scripted interview while its daemon is killed again and again, at every deadline too.

use std::collections::BTreeMap;

use serde_json::json;
use vosim_protocol::v1::service::{
    Accepted, Do, DoParams, List, ListParams, Method as _, Replay, ReplayParams, SessionParams,
    Verify,
};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::wire::Wire as _;
use vosim_protocol::{EventId, EventRecord, Kind, Role, SessionId, Time};
use vosim_tests::{TestClock, TestDaemon, WRONG, command, named, params, submit_params};

use crate::support::{Chance, assert_gapless, count, until};

const START: &str = "2026-01-05T12:00:00Z";

/// What happens by itself, without anybody who is away.
const BY_TIME: [&str; 4] =
    ["SECTION_TIME_WARNING", "FOLLOWUP_SELECTED", "SECTION_ENDED", "SECTION_SUMMARIZED"];

/// One intention of a scripted interview.
struct Intention {
    name: &'static str,
    params: DoParams,
    /// What it leads to in the end; a message leads to nothing.
    settled_by: Option<&'static str>,
}

/// Messages of a scripted interview, by its sections.
const SAID: [std::ops::Range<usize>; 4] = [0..22, 22..44, 44..66, 66..83];

/// What a candidate does in each section.
fn intentions(session: SessionId, file: &str) -> [Vec<Intention>; 4] {
    let intention = |name, args, settled_by| {
        let params = params(session, command(), args);
        Intention { name, params, settled_by }
    };
    let say = |thing: usize| {
        let text = format!("Thing number {thing} that the candidate says about the input.");
        intention("say", json!({ "text": text }), None)
    };
    let ask = || {
        let question = "What does amortized mean?";
        intention(
            "ask",
            json!({ "kind": "concept", "question": question }),
            Some("ASSISTANT_RESPONSE"),
        )
    };
    let code = |name, text: &str, settled_by| {
        let mut params = submit_params(session, command(), text);
        if name == "test" {
            let args = params.args.as_object_mut().unwrap();
            args.remove("again");
            args.insert("cases".to_owned(), json!([[["LRUCache", [1]], ["get", [1], -1]]]));
        }
        Intention { name, params, settled_by: Some(settled_by) }
    };
    let hint = || intention("hint", json!({}), Some("HINT_GIVEN"));
    let watch = json!({ "file_path": file, "language": "python" });
    let begin = vec![intention("begin", json!({}), Some("PROMPT_PRESENTED"))];
    let coding = vec![
        intention("watch", watch, Some("SOLUTION_SAVED")),
        code("submit", &WRONG.text(), "EVAL_RESULT"),
        code("test", &WRONG.text(), "OWN_TESTS_RESULT"),
        hint(),
        ask(),
        code("submit", &WRONG.variant(1), "EVAL_RESULT"),
        hint(),
        ask(),
    ];
    let [frame, design, build, close] = SAID.map(|said| said.map(say));
    let begun = begin.into_iter().chain(frame);
    [begun.collect(), design.collect(), coding.into_iter().chain(build).collect(), close.collect()]
}

/// A daemon that is killed again and again, and the moments at which that happens.
struct Mortal {
    daemon: TestDaemon,
    clock: TestClock,
    now: Time,
    chance: Chance,
    kills: u32,
}

impl Mortal {
    fn advance(&mut self, micros: i64) {
        self.clock.advance_micros(micros);
        self.now = self.now.plus_micros(micros);
    }

    /// Up to two seconds.
    fn moment(&mut self) -> i64 {
        i64::try_from(self.chance.below(3)).unwrap() * 1_000_000
    }

    /// A moment of the real time, so that a kill falls anywhere into what is under way.
    fn spin(&mut self) {
        let spin = std::time::Duration::from_micros(self.chance.below(4_000));
        let from = std::time::Instant::now();
        while from.elapsed() < spin {
            std::hint::spin_loop();
        }
    }

    /// Dies; so much time passes until it is back.
    fn kill(&mut self, away_micros: i64) {
        self.daemon.kill();
        self.kills += 1;
        self.advance(away_micros);
        self.daemon.start_again();
    }

    /// Goes over the session's next deadline and is killed there: it passes while nobody is up, or
    /// the daemon dies right after it. Nobody asks for anything afterwards, so it is the timer that
    /// makes it fire.
    fn die_at_deadline(&mut self, session: SessionId) -> Option<EventRecord> {
        let listed = self.daemon.wire().ask::<List>(&ListParams::default()).unwrap();
        let head = listed.sessions.into_iter().find(|head| head.session_id == session).unwrap();
        let due = head.next_deadline?;
        let ahead = due.micros_since(self.now);
        match self.chance.below(3) {
            0 => self.kill(ahead),
            1 => {
                let more = self.moment();
                self.kill(ahead + more);
            }
            _ => {
                self.advance(ahead);
                self.spin();
                self.kill(0);
            }
        }
        let mut wire = self.daemon.wire();
        wire.subscribe(session, EventId::ZERO);
        let fired = |record: &EventRecord| {
            record.timestamp == due && BY_TIME.contains(&record.event_type.as_str())
        };
        let fired = std::iter::repeat_with(|| wire.event()).find(fired).unwrap();
        if fired.event_type == "SECTION_ENDED" && fired.payload["section_id"] == "build" {
            // The file is read before the section is sealed.
            wire.wait_for_event("SOLUTION_UNWATCHED");
        }
        Some(fired)
    }
}

/// Warnings, ends and the ends of the graces, in microseconds after the beginning.
fn deadlines() -> Vec<(i64, &'static str)> {
    let mut deadlines = Vec::new();
    for end in [600, 1_500, 2_400, 2_700_i64].map(|secs| secs * 1_000_000) {
        deadlines.push((end - 120_000_000, "SECTION_TIME_WARNING"));
        deadlines.push((end - 30_000_000, "SECTION_TIME_WARNING"));
        deadlines.push((end, "SECTION_ENDED"));
        deadlines.push((end + 15_000_001, "SECTION_SUMMARIZED"));
    }
    deadlines
}

/// Until when no question is asked after something that the candidate did.
fn quiet_until(record: &EventRecord) -> Option<Time> {
    let secs = match record.event_type.as_str() {
        "CANDIDATE_MESSAGE" | "EVAL_RESULT" | "OWN_TESTS_RESULT" => 4,
        "SOLUTION_SAVED" => 10,
        _ => return None,
    };
    Some(record.timestamp.plus_secs(secs))
}

/// Nothing was lost and nothing happened twice, though all of it was asked for again and again.
fn check_once_each(records: &[EventRecord]) {
    for (event_type, times) in [
        ("CANDIDATE_MESSAGE", 83),
        ("PROMPT_PRESENTED", 4),
        ("SOLUTION_WATCHED", 1),
        ("CANDIDATE_CODE_SUBMISSION", 2),
        ("EVAL_RESULT", 2),
        ("OWN_TESTS_STARTED", 1),
        ("OWN_TESTS_RESULT", 1),
        ("HINT_REQUESTED", 2),
        ("HINT_GIVEN", 2),
        ("ASSISTANT_QUERY", 2),
        ("ASSISTANT_RESPONSE", 2),
    ] {
        assert_eq!(count(records, event_type), times, "{event_type}");
    }
    // No timer was lost: every one fired once, at its own time.
    let begun = records.iter().find(|r| r.event_type == "INTERVIEW_STARTED").unwrap().timestamp;
    let by_time = records.iter().filter(|r| BY_TIME.contains(&r.event_type.as_str()));
    let (asked, by_course): (Vec<_>, Vec<_>) =
        by_time.partition(|record| record.event_type == "FOLLOWUP_SELECTED");
    let fired: Vec<_> = by_course
        .iter()
        .map(|record| (record.timestamp.micros_since(begun), record.event_type.as_str()))
        .collect();
    assert_eq!(fired, deadlines());
    // Questions come when it has been quiet for so long, not sooner or later.
    assert!(asked.len() >= SAID.len(), "{asked:#?}");
    for record in asked {
        let before = records.iter().take_while(|before| before.event_id < record.event_id);
        assert_eq!(Some(record.timestamp), before.filter_map(quiet_until).max(), "{record:#?}");
    }
}

#[test]
fn killed_at_two_hundred_random_moments_loses_and_doubles_nothing() {
    let seed = std::env::var("SEED").map_or(4_711, |seed| seed.parse().unwrap());
    println!("SEED={seed}");
    let (daemon, clock) = TestClock::start_daemon(START);
    let file = daemon.home().file("lru_cache.py", WRONG.variant(1));
    let session = daemon.wire().start_interview();
    let (now, chance) = (START.parse().unwrap(), Chance(seed));
    let mut mortal = Mortal { daemon, clock, now, chance, kills: 0 };
    let mut acknowledged: BTreeMap<u64, EventRecord> = BTreeMap::new();
    for part in &intentions(session, file.to_str().unwrap()) {
        for Intention { name, params, settled_by } in part {
            let params = named(Kind::Interview, name, params);
            // Two kills for each intention: at a random moment after it was sent, or right after
            // its answer; then it is sent again under the same id.
            for _ in 0..2 {
                let mut wire = mortal.daemon.wire();
                let id = wire.send(Do::NAME, params.to_json());
                match mortal.chance.below(3) {
                    0 => {}
                    1 => mortal.spin(),
                    _ => {
                        let accepted = Accepted::from_json(wire.answer(id).unwrap()).unwrap();
                        for told in accepted.events {
                            acknowledged.insert(told.event_id.0, told.record);
                        }
                    }
                }
                let away = mortal.moment();
                mortal.kill(away);
            }
            let mut wire = mortal.daemon.wire();
            let accepted = wire.interview(name, &params).unwrap();
            let first = accepted.events[0].event_id;
            for ToldRecord { record, .. } in accepted.events {
                let known = acknowledged.insert(record.event_id.0, record.clone());
                assert!(known.is_none_or(|known| known == record), "{record:#?} was another event");
            }
            if let Some(settled_by) = settled_by {
                wire.subscribe(session, EventId(first.0 - 1));
                until(&mut wire, settled_by);
            }
        }
        // Over every deadline up to the end of this section's grace.
        while let Some(fired) = mortal.die_at_deadline(session) {
            acknowledged.insert(fired.event_id.0, fired.clone());
            if fired.event_type == "SECTION_SUMMARIZED" {
                break;
            }
        }
    }
    let Mortal { daemon, kills, .. } = mortal;
    let mut wire = daemon.wire();
    wire.subscribe(session, EventId::ZERO);
    let records = until(&mut wire, "INTERVIEW_COMPLETED");
    assert_gapless(&records);
    assert!(kills >= 200, "{kills}");
    for (id, record) in &acknowledged {
        assert_eq!(records.get(usize::try_from(*id - 1).unwrap()), Some(record), "event {id}");
    }
    check_once_each(&records);
    let name = Some(session.to_string());
    let replay =
        ReplayParams { session: name.clone(), verify: true, until: None, role: Role::Candidate };
    let report = wire.ask::<Replay>(&replay).unwrap();
    assert_eq!((report.differs, report.chain), (None, None));
    assert_eq!(wire.ask::<Verify>(&SessionParams { session: name }).unwrap().broken, None);
}
