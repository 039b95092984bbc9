//! Each fault is one line with its place.

use super::*;

/// Replaces the first `from` in the standard schema and expects exactly these faults.
#[track_caller]
fn expect(from: &str, to: &str, faults: &[&str]) {
    assert!(STANDARD.contains(from), "the standard schema has no {from:?}");
    found(&STANDARD.replacen(from, to, 1), faults);
}

#[track_caller]
fn found(text: &str, faults: &[&str]) {
    let found: Vec<_> = report(text)
        .faults
        .iter()
        .map(|fault| format!("{}: {}", fault.place, fault.message))
        .collect();
    assert_eq!(found, faults);
    assert!(found.iter().all(|line| !line.contains(char::is_control)), "{found:?}");
}

const UNCLEAR: &str = "\"What must happen on {special_input}?\"";
const GOAL: &str = "goal = \"Agree on what is to be built, under which limits, and how you will \
                    know that it is good. No code yet.\"";

#[test]
fn of_the_whole() {
    expect("format = 1", "format = 2", &["format: is 2; this vosim reads format 1"]);
    expect("id = \"standard\"", "id = \"Mine!\"", &["id: must be 1 to 64 of a-z, 0-9, _ and -"]);
    expect("version = 1", "version = 0", &["version: is 0; it must be 1 to 4294967295"]);
    expect(
        "grace_seconds = 15",
        "grace_seconds = 61",
        &["grace_seconds: is 61; it must be 0 to 60"],
    );
    expect(
        "total_seconds = 2700",
        "total_seconds = 2699",
        &["total_seconds: is 2699, but the sections last 2700 seconds in all"],
    );
    expect(
        "coding = true\n",
        "",
        &[
            "sections.build.minimum.loads: needs coding = true in this section",
            "sections.build.dimensions.verification.evidence: tests_and_verdict needs coding = true \
         in this section",
            "sections: has no section with coding = true, so no code could be submitted",
        ],
    );
    expect(
        "followup_cap = 1\n",
        "followup_cap = 1\ncoding = true\n",
        &["sections: has 2 sections with coding = true; only one may have it"],
    );
}

#[test]
fn of_too_few_and_too_many_sections() {
    let head = STANDARD.split("[[sections]]").next().unwrap();
    let none = head.replace("total_seconds = 2700", "total_seconds = 0\nsections = []");
    found(&none, &["sections: has 0 sections; it must have 1 to 12"]);
    let mut schema = standard().clone();
    for at in 0..9 {
        let mut more = schema.sections[3].clone();
        more.id = format!("close_{at}");
        schema.total_seconds += more.duration_seconds;
        schema.sections.push(more);
    }
    let faults = check(&schema);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].message, "has 13 sections; it must have 1 to 12");
}

#[test]
fn of_a_section() {
    expect(
        "id = \"design\"",
        "id = \"frame\"",
        &["sections.frame.id: another section has this id"],
    );
    expect(
        "id = \"design\"",
        "id = \"De sign\"",
        &["sections[1].id: must be 1 to 64 of a-z, 0-9, _ and -"],
    );
    expect(
        "followup_cap = 4",
        "followup_cap = 13",
        &["sections.design.followup_cap: is 13, but the required dimensions have 12 questions"],
    );
    for (types, fault) in [
        (
            "[]",
            "must have uncovered_first or deepen_partial, since followup_cap is 4; a question \
          is asked in_other_words only after another",
        ),
        (
            "[\"in_other_words\"]",
            "must have uncovered_first or deepen_partial, since followup_cap \
          is 4; a question is asked in_other_words only after another",
        ),
    ] {
        let types = format!("followup_cap = 4\nfollowup_types_allowed = {types}");
        let fault = format!("sections.design.followup_types_allowed: {fault}");
        expect("followup_cap = 4", &types, &[&fault]);
    }
    expect(
        "followup_cap = 4",
        "followup_cap = 4\nfollowup_types_allowed = [\"deepen_partial\"]",
        &[],
    );
    expect(
        "touches = \"requirements\"",
        "touches = \"reqs\"",
        &["sections.frame.minimum.touches: names 'reqs', which is no dimension of this section; \
         there are requirements, constraints, metrics, examples"],
    );
    expect(
        "total_words = 12",
        "total_words = 0",
        &["sections.close.minimum.total_words: is 0; it must be 1 to 1000"],
    );
    expect(
        "warnings = [120, 30]",
        "warnings = [30, 120]",
        &["sections.frame.warnings: must fall, the longest first and none twice"],
    );
    expect(
        "warnings = [120, 30]",
        "warnings = [600, 0]",
        &[
            "sections.frame.warnings: has 600, which is not below the section's 600 seconds",
            "sections.frame.warnings: has 0, which is the deadline itself and not before it",
        ],
    );
    expect(
        "duration_seconds = 300",
        "duration_seconds = 0",
        &[
            "sections.close.duration_seconds: is 0; a section lasts at least 1 second",
            "sections.close.warnings: has 120, which is not below the section's 0 seconds",
            "total_seconds: is 2700, but the sections last 2400 seconds in all",
        ],
    );
}

#[test]
fn of_a_cap_without_a_pool() {
    let mut schema = standard().clone();
    schema.sections[3].dimensions[0].questions.clear();
    let faults = check(&schema);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].place, "sections.close.followup_cap");
    assert_eq!(faults[0].message, "is 1, but the section's required dimensions have no questions");
}

#[test]
fn of_a_dimension() {
    expect(
        "id = \"constraints\"",
        "id = \"requirements\"",
        &[
            "sections.frame.dimensions.requirements.id: another dimension of this section has this id",
        ],
    );
    expect(
        "\"latenc\"",
        "\"Latenc\"",
        &[
            "sections.frame.dimensions.metrics.signals[0]: has 'Latenc', which is not lower case, so \
         it would never be found",
        ],
    );
    expect(
        "\"latenc\"",
        "\" \"",
        &[
            "sections.frame.dimensions.metrics.signals[0]: holds a stem that is empty or has blanks \
         to spare",
        ],
    );
    expect(
        "[\"memory\", \"mb\", \"gb\", \"time limit\", \"disk\"]",
        "[]",
        &["sections.frame.dimensions.constraints.signals[1]: is an empty group"],
    );
    let mut schema = standard().clone();
    schema.sections[3].dimensions[1].questions = vec!["And what is the next step?".to_owned()];
    schema.sections[3].dimensions[0].signals.clear();
    schema.sections[0].dimensions.truncate(1);
    schema.sections[0].dimensions[0].required = false;
    let places: Vec<_> = check(&schema).into_iter().map(|fault| fault.place).collect();
    assert_eq!(
        places,
        [
            "sections.frame.followup_cap",
            "sections.frame.dimensions",
            "sections.frame.dimensions.requirements.questions",
            "sections.close.dimensions.reflection.signals",
            "sections.close.dimensions.next_step.questions",
        ]
    );
}

#[test]
fn of_a_text() {
    let first = "sections.frame.dimensions.requirements.questions[0]";
    let question = |text: &str, faults: &[&str]| {
        let faults: Vec<_> = faults.iter().map(|fault| format!("{first}: {fault}")).collect();
        let faults: Vec<_> = faults.iter().map(String::as_str).collect();
        expect(UNCLEAR, &format!("{text:?}"), &faults);
    };
    question("Why?", &["has 4 characters; it must have 15 to 300"]);
    question("What goes in? And what comes out?", &["has 2 question marks; it must have one"]);
    question("Please tell me what goes in.", &["has 0 question marks; it must have one"]);
    question("What goes in? Tell me.", &["must end with its question mark"]);
    question(
        "What goes into {thing} here?",
        &["has the placeholder {thing}; there are {title}, {interface}, {operation}, \
         {special_input}, {critical_step}, {file}"],
    );
    question("What goes into {title here?", &["has a '{' without a '}'"]);
    question("What goes into title} here?", &["has a '}' without a '{'"]);
    question(
        "Is it so that a dictionary finds the node of a key?",
        &["shares 'a dictionary finds the node' with a solution of a problem"],
    );
    expect(
        UNCLEAR,
        "\"What must \\u001b[2J happen here?\"",
        &[&format!("{first}: has control characters")],
    );
    expect(
        UNCLEAR,
        "\"Which calls change what is stored, and in which way?\"",
        &["sections.frame.dimensions.requirements.questions: asks the same question twice"],
    );
    expect(GOAL, "goal = \" \"", &["sections.frame.goal: is empty"]);
    expect(
        GOAL,
        &format!("goal = {:?}", "g".repeat(401)),
        &["sections.frame.goal: has 401 characters; at most 400 are allowed"],
    );
    expect(
        "title = \"Look back\"",
        "title = \"{title}\"",
        &["sections.close.title: has a brace; a title has no placeholders"],
    );
}

/// Replaces the first `from` in the standard schema and expects this one fault with its line.
#[track_caller]
fn one(from: &str, to: &str, fault: &str) {
    assert!(STANDARD.contains(from), "the standard schema has no {from:?}");
    told(&STANDARD.replacen(from, to, 1), fault);
}

#[track_caller]
fn told(text: &str, fault: &str) {
    let found: Vec<_> = report(text).faults.iter().map(ToString::to_string).collect();
    assert_eq!(found, [fault]);
    assert!(!found[0].contains(char::is_control), "{found:?}");
}

#[test]
fn of_the_form_one_with_key_and_line() {
    told(
        "format = 1\nid = \"a\n",
        "line 2, file: is not TOML: invalid basic string, expected `\"`",
    );
    told("\u{1b}[2J", "line 1, file: is not TOML: key with no value, expected `=`");
    told("", "format: is missing");
    one(
        "version = 1",
        "vresion = 1",
        "line 8, vresion: is not a known key; there are format, id, version, title, \
         total_seconds, grace_seconds, message_quiet_seconds, save_quiet_seconds, \
         covered_seconds, presence_seconds, nudge, sections",
    );
    let number = "it must be a whole number from 0 to 4294967295";
    let cases = [
        ("grace_seconds = 15", "grace_seconds = -5", "line 11, grace_seconds: is -5"),
        ("grace_seconds = 15", "grace_seconds = 1.5", "line 11, grace_seconds: is 1.5"),
        (
            "grace_seconds = 15",
            "grace_seconds = 99999999999999999999",
            "line 11, grace_seconds: is 99999999999999999999",
        ),
        (
            "duration_seconds = 900",
            "duration_seconds = \"900\"",
            "line 91, sections.design.duration_seconds: is the text '900'",
        ),
        (
            "total_words = 40",
            "total_words = [40]",
            "line 96, sections.design.minimum.total_words: is a list",
        ),
    ];
    for (from, to, fault) in cases {
        one(from, to, &format!("{fault}; {number}"));
    }
    one("id = \"design\"", "", "line 86, sections[1].id: is missing");
    one(
        "title = \"Constraints\"",
        "title = 7",
        "line 49, sections.frame.dimensions.constraints.title: is 7; it must be a text in quotation \
         marks",
    );
    one(
        "evidence = \"tests_and_verdict\"",
        "evidence = \"asked\"",
        "line 193, sections.build.dimensions.verification.evidence: is 'asked'; it must be \
         tests_and_verdict",
    );
    one(
        "coding = true",
        "coding = \"\u{1f600}\\u001b[2J\"",
        "line 185, sections.build.coding: is the text '\u{1f600}[2J'; it must be true or false",
    );
    one(
        "warnings = [120, 30]",
        "warnings = 120",
        "line 25, sections.frame.warnings: is 120; it must be a list in square brackets",
    );
}

#[test]
fn of_the_content_with_the_line_of_its_key() {
    one(
        "followup_cap = 4",
        "followup_cap = 13",
        "line 92, sections.design.followup_cap: is 13, but the required dimensions have 12 questions",
    );
    one(
        UNCLEAR,
        "\"Why?\"",
        "line 42, sections.frame.dimensions.requirements.questions[0]: has 4 characters; it must \
         have 15 to 300",
    );
    // The second of two is the one at fault; what is left out stands nowhere.
    one(
        "id = \"design\"",
        "id = \"frame\"",
        "line 87, sections.frame.id: another section has this id",
    );
    let head = STANDARD.split("[[sections]]").next().unwrap();
    let none = head.replace("total_seconds = 2700", "total_seconds = 0\nsections = []");
    told(&none, "line 11, sections: has 0 sections; it must have 1 to 12");
}

#[test]
fn of_a_pool_of_one_question() {
    let mut schema = standard().clone();
    schema.sections[3].dimensions[0].questions.truncate(1);
    schema.sections[3].followup_cap = 2;
    let faults = check(&schema);
    assert_eq!(faults[0].message, "is 2, but the required dimensions have 1 question");
}
