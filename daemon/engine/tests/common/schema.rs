//! An interview schema of four sections, 10, 15, 15 and 5 minutes, with short texts, and answers
//! that cover its dimensions.

use vosim_protocol::Wire;
use vosim_protocol::v1::coverage::{Dimension, Evidence, FollowupRule};
use vosim_protocol::v1::interview::{
    Accommodation, Clarification, Minimum, Rules, Schema, Section, Spec,
};
use vosim_protocol::v1::problem::Problem;
use vosim_protocol::v1::talk::ModelUse;

use crate::problem;

/// The spec blob of an interview over the problem, whose hidden inputs are drawn.
pub(crate) fn interview_spec() -> Vec<u8> {
    let name = "small".to_owned();
    let model = Some(ModelUse { name, wording: true, assistant: true, hearing: true });
    Spec { draw: Some(problem::draw()), model, ..measured() }.to_line()
}

/// A problem whose right solutions are measured.
pub(crate) fn measured() -> Spec {
    Spec { problem: problem::spec().problem, ..spec() }
}

pub(crate) fn spec() -> Spec {
    let drill = problem::spec();
    Spec {
        schema: schema(),
        problem: Problem { growth: None, ..drill.problem },
        suite: drill.suite,
        draw: drill.draw,
        clarifications: vec![
            card(
                "missing_key",
                "Is a missing key an error?",
                &["Is a missing key always an error?", "what if the key is absent"],
                "A key that is not there gives -1.",
            ),
            card(
                "negative_keys",
                "Can keys be negative?",
                &["Is a negative key allowed?", "may keys be below zero"],
                "Keys are 0 or more.",
            ),
        ],
        left_open: vec!["Shall it be safe for several threads?".to_owned()],
        in_statement: vec!["what is dropped when it is full".to_owned()],
        variations: Vec::new(),
        candidate: "anonymous".to_owned(),
        accommodation: Accommodation::default(),
        python_version: drill.python_version,
        hearing: None,
        model: None,
        rules: Rules::CURRENT,
    }
}

fn card(id: &str, question: &str, ways: &[&str], answer: &str) -> Clarification {
    Clarification {
        id: id.to_owned(),
        question: question.to_owned(),
        ways: ways.iter().map(|&way| way.to_owned()).collect(),
        answer: answer.to_owned(),
        dimension: "requirements".to_owned(),
    }
}

fn schema() -> Schema {
    Schema {
        format: 1,
        id: "standard".to_owned(),
        version: 1,
        title: "Interview".to_owned(),
        total_seconds: 45 * 60,
        grace_seconds: 15,
        message_quiet_seconds: 4,
        save_quiet_seconds: 10,
        covered_seconds: 20,
        presence_seconds: 10,
        nudge: "Please give a short outline first.".to_owned(),
        sections: vec![
            section(
                "frame",
                10,
                minimum(Some(25), Some(12), "requirements"),
                &[
                    ("requirements", "input output return|operation update|assum clarif|example"),
                    ("constraints", "capacity most|memory|negative empty|thread"),
                    ("metrics", "latency|o(|throughput|priorit"),
                ],
            ),
            section(
                "design",
                15,
                Minimum { total_words: Some(40), ..touching("approach") },
                &[
                    ("approach", "hash map list|linked sort|first then|invariant keeps"),
                    ("complexity", "o( linear|memory extra|worst average|because each"),
                    ("failure_modes", "empty zero|negative missing|crash race|check handle"),
                    ("tradeoffs", "alternative naive|faster slower simpler|prefer|overhead"),
                ],
            ),
            section(
                "build",
                15,
                Minimum { loads: true, ..Minimum::default() },
                &[
                    ("verification", "test case|capacity|expect|pass fail"),
                    ("correctness", "invariant always|trace|because|line loop"),
                ],
            ),
            section(
                "close",
                5,
                Minimum { total_words: Some(12), ..Minimum::default() },
                &[(
                    "reflection",
                    "improve change|mistake missed bug|pattern lesson|practice measure",
                )],
            ),
        ],
    }
}

fn minimum(one: Option<u32>, two: Option<u32>, touches: &str) -> Minimum {
    Minimum { one_message: one, two_messages: two, ..touching(touches) }
}

fn touching(dimension: &str) -> Minimum {
    Minimum { touches: Some(dimension.to_owned()), ..Minimum::default() }
}

fn section(id: &str, minutes: u32, minimum: Minimum, dimensions: &[(&str, &str)]) -> Section {
    Section {
        id: id.to_owned(),
        title: format!("The {id}"),
        goal: format!("Goal of {id}."),
        prompt: format!("What about the {id}?"),
        duration_seconds: minutes * 60,
        followup_cap: u32::try_from(dimensions.len()).unwrap(),
        followup_types_allowed: FollowupRule::ALL.into(),
        warnings: vec![120, 30],
        coding: id == "build",
        minimum,
        dimensions: dimensions.iter().map(|(id, signals)| dimension(id, signals)).collect(),
    }
}

fn dimension(id: &str, signals: &str) -> Dimension {
    let group = |group: &str| group.split(' ').map(str::to_owned).collect();
    Dimension {
        id: id.to_owned(),
        title: id.replace('_', " "),
        required: true,
        signals: signals.split('|').map(group).collect(),
        evidence: match id {
            "verification" => Some(Evidence::TestsAndVerdict),
            _ => None,
        },
        questions: [1, 2, 3].map(|n| format!("Question {n} about {id}?")).into(),
    }
}

/// An answer that covers a dimension by its words.
pub(crate) fn answer(dimension: &str) -> &'static str {
    match dimension {
        "requirements" => {
            "The input is one key, and each operation gives the caller exactly 1 value back, or -1."
        }
        "constraints" => "The capacity is 1000 keys, and the memory we may use is 64 mb in all.",
        "metrics" => "I would watch the latency of a call and want O(1) for every single get.",
        "approach" => "A hash map finds the node, a linked list keeps the order, both in O(1).",
        "complexity" => "Every call is O(1) in the worst case, with extra memory for 1000 nodes.",
        "failure_modes" => "An empty cache must not crash, so I check a capacity of 0 up front.",
        "tradeoffs" => "The naive alternative is simpler but slower: 1000 steps for a single get.",
        "correctness" => "The invariant holds because `put` moves the node to line 1 of the list.",
        "reflection" => "Next time I would change the order: the bug I missed cost 5 minutes.",
        other => panic!("no words cover {other}"),
    }
}
