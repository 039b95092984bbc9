//! The page that documents the format says what the types and the checks say.

use serde_json::Value;
use vosim_protocol::v1::coverage::{Dimension, FollowupRule};
use vosim_protocol::v1::interview::Minimum;

use super::*;
use crate::content::interview::fill::PLACEHOLDERS;

const PAGE: &str = include_str!("../../../../../docs/interview-schema.md");

/// A schema in which no key is left out when it is written.
fn with_every_key() -> Schema {
    let dimension = Dimension {
        id: "a".to_owned(),
        title: "A".to_owned(),
        required: false,
        signals: vec![vec!["stem".to_owned()]],
        evidence: Some(Evidence::TestsAndVerdict),
        questions: vec!["What is missing?".to_owned()],
    };
    let section = Section {
        id: "one".to_owned(),
        title: "One".to_owned(),
        goal: "To be complete.".to_owned(),
        prompt: "What is there?".to_owned(),
        duration_seconds: 60,
        followup_cap: 1,
        followup_types_allowed: [FollowupRule::UncoveredFirst].into(),
        warnings: vec![30],
        coding: true,
        minimum: Minimum {
            one_message: Some(1),
            two_messages: Some(1),
            total_words: Some(1),
            touches: Some("a".to_owned()),
            loads: true,
        },
        dimensions: vec![dimension],
    };
    Schema {
        format: 1,
        id: "whole".to_owned(),
        version: 1,
        title: "Whole".to_owned(),
        total_seconds: 60,
        grace_seconds: 15,
        message_quiet_seconds: 4,
        save_quiet_seconds: 10,
        covered_seconds: 20,
        presence_seconds: 10,
        nudge: "More, please.".to_owned(),
        sections: vec![section],
    }
}

/// The text under a heading, up to the next one.
#[track_caller]
fn under(heading: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("\n## {heading}\n")).expect("the page has it");
    rest.split_once("\n## ").map_or(rest, |(text, _)| text)
}

/// The first column of the table under a heading.
#[track_caller]
fn rows(heading: &str) -> Vec<&'static str> {
    let cells = under(heading).lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    cells.map(|(key, _)| key).collect()
}

#[track_caller]
fn documented(heading: &str, written: &Value) {
    let keys: Vec<_> = written.as_object().expect("it is a table").keys().collect();
    assert_eq!(rows(heading), keys, "{heading}");
}

#[test]
fn every_key_has_its_row_and_every_row_its_key() {
    let schema = serde_json::to_value(with_every_key()).unwrap();
    let section = &schema["sections"][0];
    documented("The whole", &schema);
    documented("A section", section);
    documented("The minimum content", &section["minimum"]);
    documented("A dimension", &section["dimensions"][0]);
}

/// The names that a schema or the start of an interview may use as values.
#[test]
fn every_name_of_a_value_is_on_the_page() {
    let places = PLACEHOLDERS.map(|name| format!("{{{name}}}"));
    assert_eq!(rows("Open places"), places);
    let evidence = serde_json::to_value(Evidence::TestsAndVerdict).unwrap();
    let evidence = evidence.as_str().unwrap();
    assert!(under("A dimension").contains(&format!("`{evidence}`")), "{evidence}");
    for rule in FollowupRule::ALL {
        let rule = serde_json::to_value(rule).unwrap();
        let rule = rule.as_str().unwrap();
        assert!(under("A section").contains(&format!("`{rule}`")), "{rule}");
    }
    let granted = serde_json::to_value(Accommodation::default()).unwrap();
    for key in granted.as_object().unwrap().keys() {
        assert!(under("Time").contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn the_example_passes_as_it_stands() {
    let (_, rest) = under("An example").split_once("```toml\n").expect("there is an example");
    let (example, _) = rest.split_once("```").expect("it ends");
    let report = report(example);
    assert_eq!(report.faults, []);
    assert_eq!(report.schema.as_deref(), Some("twelve 1"));
    assert_eq!(report.sections.len(), 2);
    for package in catalog().list() {
        let schema = read(example).unwrap();
        let filled = fill(&schema, &package.problem, &package.coaching.fill);
        assert_eq!(check(&filled), [], "{}", package.problem.id);
    }
}

/// The words that a package fills in are shown as packages write them.
#[test]
fn the_fills_and_the_card_are_read_as_a_package_s() {
    let blocks = |heading| under(heading).split("```toml\n").skip(1);
    let text = |block: &'static str| block.split_once("```").expect("it ends").0;
    let fills: toml::Table = toml::from_str(text(blocks("Open places").next().unwrap())).unwrap();
    let fill = fills["fill"].as_table().unwrap();
    assert!(fill.keys().all(|name| PLACEHOLDERS.contains(&name.as_str())), "{fill:?}");
    let cards: toml::Table =
        toml::from_str(text(blocks("Clarification cards").next().unwrap())).unwrap();
    let card: crate::content::Clarification = cards["card"][0].clone().try_into().unwrap();
    let mut known = standard().sections.iter().flat_map(|section| &section.dimensions);
    assert!(known.any(|dimension| dimension.id == card.dimension), "{}", card.dimension);
}
