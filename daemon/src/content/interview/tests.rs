//! Claims about the standard schema, about what is refused of others, and about a new spec.

mod faults;
mod heard;
mod page;

use std::collections::BTreeMap;
use std::sync::Arc;

use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::coverage::Evidence;
use vosim_protocol::v1::interview::{Accommodation, SHIPPED_SCHEMAS, Schema, Section, Start};
use vosim_protocol::v1::problem::{Function, Interface, Param};
use vosim_protocol::{ErrorCode, Hash};

use super::*;
use crate::content::{Package, catalog, find};

fn short() -> &'static Schema {
    &shipped("short").unwrap().0
}

fn package() -> Arc<Package> {
    find("lru_cache").unwrap()
}

#[test]
fn the_standard_schema_has_no_fault() {
    assert_eq!(check(standard()), []);
    assert_eq!(report(STANDARD).schema.as_deref(), Some("standard 1"));
}

#[test]
fn the_standard_schema_is_the_one_of_the_design() {
    let schema = standard();
    let plan: Vec<_> = schema
        .sections
        .iter()
        .map(|s| (s.id.as_str(), s.duration_seconds / 60, s.followup_cap))
        .collect();
    assert_eq!(plan, [("frame", 10, 3), ("design", 15, 4), ("build", 15, 2), ("close", 5, 1)]);
    assert_eq!((schema.total_seconds, schema.grace_seconds), (2_700, 15));
    assert_eq!((schema.message_quiet_seconds, schema.save_quiet_seconds), (4, 10));
    assert_eq!((schema.covered_seconds, schema.presence_seconds), (20, 10));
    assert!(schema.sections.iter().all(|section| section.warnings == [120, 30]));
    let evidence = |id: &str| {
        let mut all = schema.sections.iter().flat_map(|section| &section.dimensions);
        all.find(|dimension| dimension.id == id).unwrap().evidence
    };
    assert_eq!(evidence("requirements"), None);
    assert_eq!(evidence("verification"), Some(Evidence::TestsAndVerdict));
}

#[test]
fn the_short_schema_takes_twenty_minutes_and_has_no_fault() {
    assert_eq!(report(SHORT).faults, []);
    let schema = short();
    let plan: Vec<_> = schema
        .sections
        .iter()
        .map(|s| (s.id.as_str(), s.duration_seconds / 60, s.followup_cap))
        .collect();
    assert_eq!(plan, [("frame", 3, 2), ("design", 5, 3), ("build", 10, 2), ("close", 2, 1)]);
    assert_eq!(schema.total_seconds, 1_200);
    let of_the_whole = |schema: &Schema| {
        let Schema { grace_seconds, covered_seconds, presence_seconds, nudge, .. } = schema.clone();
        (grace_seconds, covered_seconds, presence_seconds, nudge)
    };
    assert_eq!(of_the_whole(schema), of_the_whole(standard()));
}

/// Answers are weighed by the id of a dimension and by the very question that was asked.
#[test]
fn the_short_schema_listens_and_asks_as_the_standard_one_does() {
    for (short, standard) in short().sections.iter().zip(&standard().sections) {
        assert_eq!((&short.id, &short.title), (&standard.id, &standard.title));
        let ids = |section: &Section| -> Vec<_> {
            section.dimensions.iter().map(|dimension| dimension.id.clone()).collect()
        };
        assert_eq!(ids(short), ids(standard));
        for (short, standard) in short.dimensions.iter().zip(&standard.dimensions) {
            assert_eq!(short.signals, standard.signals, "{}", short.id);
            assert_eq!(short.evidence, standard.evidence, "{}", short.id);
            assert!(standard.required || !short.required, "{}", short.id);
            assert_eq!(short.required, !short.questions.is_empty(), "{}", short.id);
            assert!(!short.required || short.questions == standard.questions, "{}", short.id);
        }
    }
}

#[test]
fn a_schema_that_comes_with_vosim_is_named_by_its_id() {
    let of = |name: &str| {
        let start = Start { schema: Some(name.to_owned()), ..Start::default() };
        interview(&start, &package(), String::new())
    };
    for name in SHIPPED_SCHEMAS {
        assert_eq!(of(name).unwrap().0.schema.id, name);
        assert_eq!(shipped(name).unwrap().0.id, name);
    }
    let unknown = of("shrot").unwrap_err();
    assert_eq!(unknown.code, ErrorCode::InvalidInput);
    assert_eq!(
        unknown.message,
        "no schema is called \"shrot\"; with vosim come standard and short"
    );
}

/// DESIGN 8: each dimension that is missing can be asked for once.
#[test]
fn a_shipped_schema_has_as_many_required_dimensions_as_follow_ups() {
    for section in standard().sections.iter().chain(&short().sections) {
        let required: Vec<_> = section.dimensions.iter().filter(|d| d.required).collect();
        assert_eq!(required.len(), section.followup_cap as usize, "{}", section.id);
        assert!(required.iter().all(|d| d.questions.len() == 3), "{}", section.id);
        assert!(required.iter().all(|d| d.signals.len() == 4), "{}", section.id);
    }
}

#[test]
fn every_open_place_is_filled_from_the_package() {
    let filled = fill(standard(), &package().problem, &package().coaching.fill);
    let text = serde_json::to_string(&filled).unwrap();
    assert!(!text.contains("{title}") && !text.contains("{operation}"), "{text}");
    let questions: Vec<_> =
        filled.sections.iter().flat_map(|s| &s.dimensions).flat_map(|d| &d.questions).collect();
    assert!(questions.iter().all(|q| !q.contains(['{', '}'])), "{questions:?}");
    assert_eq!(questions[0], "What must happen on a `put` of a key that is already in the cache?");
    let [_, design, build, _] = &*filled.sections else { panic!("there are four sections") };
    let inside = "What happens inside your structure on a `put` on a full cache?";
    assert_eq!(design.dimensions[0].questions[1], inside);
    let why = "Why is dropping the least recently used key right in your code?";
    assert_eq!(build.dimensions[1].questions[0], why);
    // Which file is known when the prompt is presented.
    let write = "the class `LRUCache` with `get(key)` and `put(key, value)` in {file}.";
    assert!(build.prompt.contains(write), "{}", build.prompt);
    assert_eq!(package().problem.file_names(), "`lru_cache.py` or `lru_cache.js`");
}

/// A question must stay a single question whatever the package fills in.
#[test]
fn filled_questions_are_as_sound_as_open_ones() {
    for package in catalog().list() {
        for fills in [&package.coaching.fill, &BTreeMap::new()] {
            for schema in [standard(), short()] {
                let filled = fill(schema, &package.problem, fills);
                assert_eq!(check(&filled), [], "{} {}", schema.id, package.problem.id);
            }
        }
    }
}

#[test]
fn what_the_package_does_not_say_comes_from_the_interface() {
    let mut problem = package().problem.clone();
    problem.interface = Interface::Function(Function {
        name: "median".to_owned(),
        params: vec![Param { name: "numbers".to_owned(), kind: "list".to_owned() }],
        returns: None,
    });
    let mut schema = standard().clone();
    schema.nudge = "{interface}|{operation}|{special_input}|{critical_step}|{other}".to_owned();
    let filled = fill(&schema, &problem, &BTreeMap::new());
    assert_eq!(
        filled.nudge,
        "the function `median(numbers)`|a call of `median`|a call of `median` with the smallest \
         input that is allowed|the step in `median` that decides the result|{other}"
    );
}

#[test]
fn a_value_that_looks_like_an_open_place_is_not_filled_again() {
    let fills = BTreeMap::from([("operation".to_owned(), "{title}".to_owned())]);
    let mut schema = standard().clone();
    schema.nudge = "On {operation}.".to_owned();
    assert_eq!(fill(&schema, &package().problem, &fills).nudge, "On {title}.");
}

#[test]
fn a_spec_holds_what_the_rules_of_one_interview_depend_on() {
    let (spec, suite) = interview(&Start::default(), &package(), "3.12.1".to_owned()).unwrap();
    assert_eq!(spec.suite, Hash::of(&suite));
    assert_eq!(spec.problem, package().problem);
    assert_eq!(spec.candidate, "anonymous");
    assert_eq!(spec.accommodation, Accommodation { time_percent: 100, larger_warnings: false });
    assert_eq!(spec.python_version, "3.12.1");
    assert!((8..=12).contains(&spec.clarifications.len()));
    let missing = spec.clarifications.iter().find(|card| card.id == "missing_key").unwrap();
    assert_eq!(missing.question, "What does `get` do when the key is not there?");
    assert!(missing.answer.starts_with("It returns -1."), "{}", missing.answer);
    assert!(missing.ways.len() >= 40 && !spec.left_open.is_empty());
    assert!(spec.schema.sections[0].prompt.contains("LRU Cache"));
}

#[test]
fn a_schema_of_ones_own_is_used_or_refused_with_its_first_fault() {
    let start = |schema: String| Start { schema: Some(schema), ..Start::default() };
    let own = STANDARD.replacen("id = \"standard\"", "id = \"mine\"", 1);
    let (spec, _) = interview(&start(own), &package(), String::new()).unwrap();
    assert_eq!(spec.schema.id, "mine");

    let refused =
        |schema: String| interview(&start(schema), &package(), String::new()).unwrap_err();
    let bad = STANDARD.replace("grace_seconds = 15", "grace_seconds = 99");
    let error = refused(bad.replace("followup_cap = 4", "followup_cap = 40"));
    assert_eq!(error.code, ErrorCode::InvalidSchema);
    assert_eq!(
        error.message,
        "the schema cannot be used: line 11, grace_seconds: is 99; it must be 0 to 60 (and 1 more)"
    );
    assert_eq!(error.next, [Next::run("see all faults of the file", Action::CheckSchema)]);
    let error = refused("format = 1\nid = 7\n".to_owned());
    assert!(error.message.starts_with("the schema cannot be used: line 2, id: is 7"), "{error:?}");
    let error = refused("#".repeat(SCHEMA_BYTES_MAX + 1));
    assert!(
        error.message.ends_with("file: has 262145 bytes; at most 262144 are allowed"),
        "{error:?}"
    );
}

#[test]
fn a_candidate_has_a_name_that_can_be_shown() {
    let named = |name: &str| {
        let start = Start { candidate: Some(name.to_owned()), ..Start::default() };
        interview(&start, &package(), String::new())
    };
    for name in ["Ada", "用户-7", "ශ්\u{200d}රී", &"n".repeat(64), " padded "] {
        assert_eq!(named(name).unwrap().0.candidate, name.trim());
    }
    for name in ["", "  ", "a\nb", "\u{1b}[2J", "a\u{202e}b", "\u{200d}", &"n".repeat(65)] {
        let error = named(name).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{name:?}");
        assert!(!error.message.contains(['\n', '\u{1b}']), "{error:?}");
    }
}

#[test]
fn the_time_is_between_a_quarter_and_four_times() {
    let given = |time_percent| {
        let accommodation = Some(Accommodation { time_percent, larger_warnings: true });
        interview(&Start { accommodation, ..Start::default() }, &package(), String::new())
    };
    for percent in [25, 50, 100, 150, 400] {
        assert_eq!(given(percent).unwrap().0.accommodation.time_percent, percent);
    }
    for percent in [0, 24, 401, u32::MAX] {
        let error = given(percent).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput);
        let text = format!("the time is 25 to 400 percent of the schema's, not {percent}");
        assert_eq!(error.message, text);
    }
}
