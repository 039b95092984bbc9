//! Every shipped problem as the subject of a whole interview: cards, follow-ups, a coding section with a
//! right submission, and its end, all of them at the same time under one clock that is moved by hand.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{Create, CreateParams, DoParams};
use vosim_protocol::wire::Json;
use vosim_protocol::{Blob, EventId, EventRecord, Kind, SessionId};
use vosim_tests::{TestClock, Wire, command, new_session, params};
use vosimd::content::{Package, ProgramRole, catalog};

use crate::support::assert_gapless;

/// So many cards are asked for in each interview.
const CARDS: usize = 2;
/// Longer than a message stays unanswered, and than a covered section stays open.
const QUIET_SECS: i64 = 5;
const COVERED_SECS: i64 = 21;

/// What the candidate adds to the package's good answer about a dimension.
const MORE: [(&str, &str); 9] = [
    (
        "requirements",
        "For example, one call takes its arguments and returns one result; I assume the statement \
         decides what happens on every other input.",
    ),
    (
        "constraints",
        "There are at most some thousand items, values may be zero but never null, the memory limit is \
         far away, and only one caller uses it at the same time.",
    ),
    (
        "metrics",
        "What matters most is that all tests are correct; after that I would measure the time per call \
         and compare two sizes, 1000 and 2000.",
    ),
    (
        "approach",
        "First I read what comes in, then each time something changes I update the map and the list, \
         and the two always stay in step.",
    ),
    (
        "complexity",
        "In the worst case each call is linear, O(n), because every item is looked at only once, and the \
         extra memory grows with the 1000 items.",
    ),
    (
        "failure_modes",
        "An empty input and a duplicate could break it; a missing key must not crash, so I check for it \
         before anything is changed.",
    ),
    (
        "tradeoffs",
        "The naive alternative is simpler but slower; I choose the faster one, however it needs more \
         code and about 20 lines.",
    ),
    (
        "correctness",
        "The invariant always holds before and after each call, because every step changes both parts \
         together, so the result follows from it.",
    ),
    (
        "reflection",
        "I learned that the bug I missed came from the first case, a pattern to practise.",
    ),
];

/// What is said where a dimension is asked about a second time, or after its own evidence.
const SHORT: [(&str, &str); 3] = [
    (
        "verification",
        "All tests pass now, and my own test for the smallest case gave 1 as expected.",
    ),
    ("correctness", "The invariant always holds because every call moves both parts by 1 step."),
    (
        "reflection",
        "Next time I would change the order: the bug I missed cost 5 minutes, a pattern to practise.",
    ),
];

/// One interview that is being played.
struct Played {
    package: Arc<Package>,
    wire: Wire,
    session: SessionId,
    events: Vec<EventRecord>,
    covered: bool,
    /// The dimensions that were answered.
    said: BTreeSet<String>,
}

impl Played {
    fn begin(mut wire: Wire, package: Arc<Package>) -> Self {
        let session_id = new_session();
        let args = json!({ "problem": package.problem.id });
        let create = CreateParams { session_id, kind: Kind::Interview, beside: true, args };
        wire.ask::<Create>(&create).unwrap();
        wire.subscribe(session_id, EventId::ZERO);
        let mut played = Self {
            package,
            wire,
            session: session_id,
            events: Vec::new(),
            covered: false,
            said: BTreeSet::new(),
        };
        played.give("begin", json!({}), Vec::new());
        played.until("PROMPT_PRESENTED");
        played
    }

    /// Gives a command; true when it has ended a section.
    fn give(&mut self, name: &str, args: Json, blobs: Vec<Blob>) -> bool {
        let params = DoParams { blobs, ..params(self.session, command(), args) };
        let given = self.wire.interview(name, &params);
        let given = given.unwrap_or_else(|why| panic!("{} {name}: {why}", self.package.problem.id));
        let caused = |kind: &str| given.events.iter().any(|it| it.record.event_type == kind);
        self.covered |= caused("COVERAGE_SATISFIED");
        caused("SECTION_ENDED")
    }

    /// Goes on to the next section: the second time nothing is asked for any more.
    fn done(&mut self) {
        assert!(
            self.give("done", json!({}), Vec::new()) || self.give("done", json!({}), Vec::new()),
            "{}",
            self.package.problem.id
        );
        self.covered = true;
    }

    fn say(&mut self, text: &str) {
        self.give("say", json!({ "text": text }), Vec::new());
        self.until("CANDIDATE_MESSAGE");
    }

    /// Says what the package calls a good answer, with more of one's own; the second time something short.
    /// False when there is no more to say.
    fn answer(&mut self, dimension: &str) -> bool {
        let of = |texts: &[(&str, &str)]| {
            texts.iter().find(|(known, _)| *known == dimension).map(|(_, text)| (*text).to_owned())
        };
        let known = if self.said.insert(dimension.to_owned()) {
            let samples = &self.package.coaching.discussion.samples;
            let sample = samples.iter().find(|sample| sample.dimension == dimension);
            let sample =
                sample.unwrap_or_else(|| panic!("{}: {dimension}", self.package.problem.id));
            Some(format!("{} {}", sample.text, of(&MORE).unwrap()))
        } else {
            of(&SHORT)
        };
        known.inspect(|text| self.say(text)).is_some()
    }

    /// Reads events up to the first of this type.
    fn until(&mut self, event_type: &str) -> &EventRecord {
        self.until_one(&[event_type])
    }

    /// The same for one of several types.
    fn until_one(&mut self, event_types: &[&str]) -> &EventRecord {
        loop {
            let event = self.wire.event();
            let is_it = event_types.contains(&event.event_type.as_str());
            self.events.push(event);
            if is_it {
                return &self.events[self.events.len() - 1];
            }
        }
    }

    fn ask_for_cards(&mut self) {
        let cards = self.package.coaching.clarifications.iter().take(CARDS);
        let asked: Vec<_> = cards.map(|card| (card.id.clone(), card.question.clone())).collect();
        for (id, question) in asked {
            self.say(&question);
            let given = self.until("CLARIFICATION_GIVEN").payload["card"].clone();
            assert_eq!(given, id.as_str(), "{}: {question}", self.package.problem.id);
        }
    }

    /// The arguments of a command about a right program, and its bytes.
    fn right(&self) -> (Json, Blob) {
        let right = self.package.programs.iter().find(|program| {
            program.role == ProgramRole::Right && program.language == Language::Python
        });
        let code = Blob(right.unwrap().source.to_vec());
        let args = json!({
            "file_path": "/home/ada/solution.py",
            "code": code.reference(),
            "language": Language::Python,
        });
        (args, code)
    }

    fn submit(&mut self) {
        let (args, code) = self.right();
        self.give("submit", args, vec![code]);
    }

    /// Waits for the verdict, and has a case of one's own run.
    fn test(&mut self) {
        let result = self.until("EVAL_RESULT").payload.clone();
        assert_eq!(result["failure_type"], "PASS", "{}: {result}", self.package.problem.id);
        let (mut args, code) = self.right();
        args["cases"] = json!([self.package.suite().cases[0].ops]);
        self.give("test", args, vec![code]);
    }

    fn tested(&mut self) {
        self.until("OWN_TESTS_RESULT");
        // The evidence is there; the words may be short.
        self.said.insert("verification".to_owned());
    }

    /// Its events of one type.
    fn of_type(&self, event_type: &str) -> impl Iterator<Item = &EventRecord> {
        self.events.iter().filter(move |event| event.event_type == event_type)
    }
}

/// Says one good thing, answers what is asked until the section is covered, and goes on to the next one.
fn play_section(all: &mut [Played], clock: &mut TestClock, first: &str) {
    for played in &mut *all {
        played.covered = false;
        played.answer(first);
    }
    while all.iter().any(|played| !played.covered) {
        clock.advance(QUIET_SECS);
        for played in all.iter_mut().filter(|played| !played.covered) {
            let told = ["FOLLOWUP_PRESENTED", "VARIATION_ASKED", "COVERAGE_SATISFIED"];
            let EventRecord { event_type, payload: asked, .. } = played.until_one(&told).clone();
            if event_type != "FOLLOWUP_PRESENTED" {
                played.covered |= event_type == "COVERAGE_SATISFIED";
                if event_type == "VARIATION_ASKED" {
                    played.say("I would put one lock around each call, which costs a wait.");
                }
                continue;
            }
            let answered = played.answer(asked["dimension"].as_str().unwrap());
            if (!answered || asked["budget_remaining"] == 0) && !played.covered {
                played.done();
            }
        }
    }
    clock.advance(COVERED_SECS);
    let ends = if first == "reflection" { "INTERVIEW_COMPLETED" } else { "PROMPT_PRESENTED" };
    for played in all {
        played.until(ends);
    }
}

#[test]
fn every_shipped_problem_is_the_subject_of_a_whole_interview() {
    let (daemon, mut clock) = TestClock::start_daemon("2026-01-05T12:00:00Z");
    let begin = |package: &Arc<Package>| Played::begin(daemon.wire(), Arc::clone(package));
    let mut all: Vec<_> = catalog().list().map(begin).collect();
    assert_eq!(all.len(), 17);
    all.iter_mut().for_each(Played::ask_for_cards);
    play_section(&mut all, &mut clock, "requirements");
    play_section(&mut all, &mut clock, "approach");
    // All at once, so that every core judges.
    all.iter_mut().for_each(Played::submit);
    all.iter_mut().for_each(Played::test);
    all.iter_mut().for_each(Played::tested);
    play_section(&mut all, &mut clock, "verification");
    play_section(&mut all, &mut clock, "reflection");
    let mut satisfied = 0;
    for played in &all {
        let id = &played.package.problem.id;
        assert_gapless(&played.events);
        let ended = played.of_type("SECTION_ENDED");
        satisfied += ended.filter(|it| it.payload["reason"] == "coverage_satisfied").count();
        assert_eq!(played.of_type("SECTION_ENDED").count(), 4, "{id}");
        assert_eq!(played.of_type("INTERVIEW_COMPLETED").count(), 1, "{id}");
        for told in ["PROMPT_PRESENTED", "FOLLOWUP_PRESENTED", "CLARIFICATION_GIVEN"] {
            for event in played.of_type(told) {
                let text = event.payload["text"].as_str().unwrap_or_default();
                let open = text.contains('{') || text.contains("  ") || text.contains("..");
                assert!(!open, "{id}: {text}");
            }
        }
    }
    // Good answers are heard: most sections end by them alone.
    assert!(satisfied * 2 > 4 * all.len(), "{satisfied} of {}", 4 * all.len());
}
