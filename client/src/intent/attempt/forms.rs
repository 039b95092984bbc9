//! The forms of an attempt, of which each step has its own, and what a filled one asks for.

use std::collections::BTreeMap;

use vosim_protocol::v1::attempt::{
    Command, InvariantBuilder, PlanPayload, Template, TestResultData, UnderstandPayload, View,
};

use crate::errors::{Failure, code, user_error};
use crate::form::{Choice, Field, Form, Takes};
use crate::intent::FileMeant;
use crate::intent::attempt::asking::{Intent, input};
use crate::render::attempt::gapped;

/// The names of forms that the shell opens in an editor.
pub(crate) const UNDERSTAND: &str = "understand";
pub(crate) const CHOOSE: &str = "choose";
pub(crate) const REFLECT: &str = "reflect";
/// The value of an invariant that is written freely.
const OWN_WORDS: &str = "own";

/// What can be filled now, the most pressing first.
pub(crate) fn forms(view: &View) -> Vec<Form> {
    let may = |command: &str| view.allowed.iter().any(|allowed| allowed == command);
    let attempt = &view.attempt;
    let plan = attempt.plan_payload.as_ref();
    let suggested = plan.is_some_and(|plan| !plan.suggested_patterns.is_empty());
    let questions = questions(view);
    let mut forms = Vec::new();
    if may("understand.followup") && !questions.is_empty() {
        forms.push(answer(questions));
    }
    if may("understand.submit") {
        forms.push(understand(view));
    }
    if may("plan.discover")
        && let Some(question) = &view.discovery_question
    {
        forms.push(discover(question));
    }
    if may("plan.choose")
        && suggested
        && let Some(plan) = plan
    {
        forms.push(choose(plan, &view.templates));
    }
    if may("plan.suggest") {
        forms.push(suggest());
    }
    if may("approach") {
        forms.push(approach());
    }
    if may("submit") {
        forms.push(submit(view));
    }
    if let Some(verify) = &attempt.verify_payload {
        if may("verify.explain_failure") {
            forms.push(explain(&verify.test_results));
        }
        if may("note") {
            forms.push(notes(verify.trace_notes.as_deref().unwrap_or_default()));
        }
    }
    if may("reflect.submit") {
        forms.push(reflect(plan));
    }
    if may("reflect.challenge") {
        forms.push(challenge(&view.calls));
    }
    forms
}

/// The questions of the last assessment.
pub(crate) fn questions(view: &View) -> &[String] {
    let payload = view.attempt.understand_payload.as_ref();
    let assessment = payload.and_then(|payload| payload.ai_assessment.as_ref());
    assessment.map(|assessment| assessment.followup_questions.as_slice()).unwrap_or_default()
}

/// The form of UNDERSTAND, with what was sent before.
fn understand(view: &View) -> Form {
    let about = format!(
        "A run of calls on a line of its own is tried out. The calls are {}; ==1 behind one says that it gives 1",
        view.calls
    );
    explaining(&about, view.attempt.understand_payload.as_ref())
}

/// The same of any problem, with nothing in it.
pub(crate) fn empty() -> Form {
    let about =
        "A run of calls on a line of its own is tried out; ==1 behind one says that it gives 1";
    explaining(about, None)
}

fn explaining(about_example: &str, sent: Option<&UnderstandPayload>) -> Form {
    let field = |name, heading, about, value: fn(&UnderstandPayload) -> &String| {
        let value = sent.map(value).map(String::as_str).unwrap_or_default();
        Field::new(name, heading, about, Takes::Text).holding(value)
    };
    let fields = vec![
        field(
            "explanation",
            "The problem in plain words",
            "As you would tell it to somebody of twelve",
            |sent| &sent.explanation,
        ),
        field(
            "inputOutputDescription",
            "What goes in and what comes out",
            "The values of each call, and what it gives back",
            |sent| &sent.input_output_description,
        ),
        field(
            "constraintsDescription",
            "What bounds it",
            "Sizes, ranges, what never happens",
            |sent| &sent.constraints_description,
        ),
        field("exampleWalkthrough", "One example walked through", about_example, |sent| {
            &sent.example_walkthrough
        }),
        field(
            "wrongApproach",
            "One way that would not do",
            "And on which input it fails",
            |sent| &sent.wrong_approach,
        ),
    ];
    Form { name: UNDERSTAND, title: "Explain the problem", fields }
}

fn answer(questions: &[String]) -> Form {
    let numbered = (1..).zip(questions);
    let choices: Vec<_> = numbered.map(|(n, question): (usize, _)| choice(n, question)).collect();
    let fields = vec![
        Field::new("question", "The question", "", Takes::One(choices)).holding("1"),
        Field::new("answer", "Your answer", "It counts with what you have explained", Takes::Text),
    ];
    Form { name: "answer", title: "Answer a question", fields }
}

fn discover(question: &str) -> Form {
    let choices = ["yes", "no"].map(|word| choice(word, "")).into();
    let fields = vec![Field::new("answer", "Your answer", question, Takes::One(choices))];
    Form { name: "discover", title: "Find the pattern by questions", fields }
}

fn suggest() -> Form {
    let about = "What you look for; empty takes what you have explained";
    let fields = vec![Field::new("explanation", "In your words", about, Takes::Text)];
    Form { name: "suggest", title: "See which patterns come into question", fields }
}

fn choose(plan: &PlanPayload, templates: &[Template]) -> Form {
    let patterns = plan.suggested_patterns.iter();
    let patterns = patterns.map(|one| choice(&one.pattern_id, &one.name)).collect();
    let chosen = plan.chosen_pattern.as_deref().unwrap_or_default();
    let sure = plan.user_confidence.map_or(String::new(), |sure| sure.to_string());
    let scale = (1..=5).map(|sure: u8| choice(sure, "")).collect();
    let mut fields = vec![
        Field::new("pattern", "The pattern", "", Takes::One(patterns)).holding(chosen),
        Field::new("confidence", "How sure you are", "1 is not at all", Takes::One(scale))
            .holding(&sure),
    ];
    let before = plan.invariant.as_ref();
    let words = before.filter(|invariant| !invariant.builder_used);
    let words = words.map(|invariant| invariant.text.as_str()).unwrap_or_default();
    let words =
        Field::new("invariant", "What holds after each call", "In your own words", Takes::Text)
            .holding(words);
    if templates.is_empty() {
        fields.push(words);
    } else {
        let own = choice(OWN_WORDS, "in your own words");
        let built = templates.iter().map(|template| choice(&template.id, &gapped(&template.text)));
        let made = built.chain([own]).collect();
        let before = before.map(|invariant| match &invariant.template_id {
            Some(template) => template.as_str(),
            None => OWN_WORDS,
        });
        let about = "A sentence to be completed, or your own";
        fields.push(
            Field::new("made", "What holds after each call is said", about, Takes::One(made))
                .holding(before.unwrap_or_default()),
        );
        fields.extend(templates.iter().flat_map(|template| gaps(template, plan)));
        fields.push(Field { only_with: Some(("made", OWN_WORDS.to_owned())), ..words });
    }
    let complexity = plan.complexity.as_deref().unwrap_or_default();
    let about = "Time and room of each call, like O(1)";
    let cost = Field::new("complexity", "What it will cost", about, Takes::Line);
    fields.push(cost.holding(complexity));
    Form { name: CHOOSE, title: "Choose a pattern", fields }
}

/// A field for each gap of a template.
fn gaps<'t>(template: &'t Template, plan: &'t PlanPayload) -> impl Iterator<Item = Field> + 't {
    let before = plan.invariant.as_ref();
    let before = before.filter(|one| one.template_id.as_deref() == Some(template.id.as_str()));
    let before = before.and_then(|invariant| invariant.template_choices.as_ref());
    template.gaps.iter().map(move |gap| {
        let choices = gap.choices.iter().enumerate().map(|(at, text)| choice(at, text)).collect();
        let chosen = before.and_then(|choices| choices.get(&gap.name));
        let chosen = chosen.map(usize::to_string).unwrap_or_default();
        let heading = format!("{}, in {}", blank(&gap.name), template.id);
        let field = Field::new(&gap_name(template, &gap.name), &heading, "", Takes::One(choices));
        Field { only_with: Some(("made", template.id.clone())), ..field.holding(&chosen) }
    })
}

fn gap_name(template: &Template, gap: &str) -> String {
    format!("{}.{gap}", template.id)
}

/// A gap as it stands in its sentence.
fn blank(gap: &str) -> String {
    format!("[{gap}]")
}

fn approach() -> Form {
    let about = "How you will go about it";
    let fields = vec![Field::new("text", "Your approach", about, Takes::Text)];
    Form { name: "approach", title: "Write down your approach", fields }
}

fn submit(view: &View) -> Form {
    let last = view.history.last().map(|line| line.file_path.as_str()).unwrap_or_default();
    let about = "Where your code stands on the disk";
    let fields = vec![Field::new("file", "The file", about, Takes::Line).holding(last)];
    Form { name: "submit", title: "Have your code judged", fields }
}

fn explain(tests: &[TestResultData]) -> Form {
    let failed = || tests.iter().filter(|test| !test.passed);
    let choices = failed().map(|test| choice(test.test_index, &test.name)).collect();
    let first = failed().next().map(|test| test.test_index.to_string()).unwrap_or_default();
    let fields = vec![
        Field::new("test", "The test", "", Takes::One(choices)).holding(&first),
        Field::new("why", "What you think went wrong", "Before you are told", Takes::Text),
    ];
    Form { name: "explain", title: "Say why a test failed", fields }
}

fn notes(kept: &str) -> Form {
    let about = "On the run that failed; they replace the earlier ones";
    let fields = vec![Field::new("notes", "Your notes", about, Takes::Text).holding(kept)];
    Form { name: "notes", title: "Keep notes", fields }
}

fn reflect(plan: Option<&PlanPayload>) -> Form {
    let invariant = plan.and_then(|plan| plan.invariant.as_ref());
    let invariant = invariant.map(|invariant| invariant.text.as_str()).unwrap_or_default();
    let fields = vec![
        Field::new("cues", "What to look out for next time", "One cue a line", Takes::Text),
        Field::new("invariant", "What held after each call", "In one sentence", Takes::Text)
            .holding(invariant),
    ];
    Form { name: REFLECT, title: "Say what you take along, which completes the attempt", fields }
}

fn challenge(calls: &str) -> Form {
    let about = format!("A run of calls, which are {calls}");
    let fields = vec![Field::new("input", "Your input", &about, Takes::Line)];
    Form { name: "challenge", title: "Try an input on the planted wrong programs", fields }
}

fn choice(value: impl ToString, text: &str) -> Choice {
    Choice { value: value.to_string(), text: text.to_owned() }
}

/// What a filled form asks for.
pub(crate) fn filled(form: &Form, view: &View) -> Result<Intent, Failure> {
    let value = |name| form.value(name).to_owned();
    let command = match form.name {
        UNDERSTAND => explanation(form),
        "answer" => {
            let number: usize = chosen(form, "question")?.parse().unwrap_or_default();
            return Ok(Intent::Answer { question: number, answer: written(form, "answer")? });
        }
        "discover" => Command::PlanDiscover { answer: chosen(form, "answer")? == "yes" },
        "suggest" => Command::PlanSuggest { explanation: value("explanation") },
        CHOOSE => choice_of(form, &view.templates)?,
        "approach" => Command::Approach { text: written(form, "text")? },
        "submit" => {
            let file = FileMeant::Known(written(form, "file")?.into());
            return Ok(Intent::Submit { file, again: false });
        }
        "explain" => Command::VerifyExplainFailure {
            test_index: chosen(form, "test")?.parse().unwrap_or_default(),
            test_input: String::new(),
            expected: String::new(),
            actual: String::new(),
            user_explanation: written(form, "why")?,
        },
        "notes" => Command::Note { trace_notes: value("notes") },
        "challenge" => Command::Challenge { ops: input(&written(form, "input")?)? },
        _ => Command::ReflectSubmit {
            cues_next_time: lines(form.value("cues")),
            invariant_summary: value("invariant"),
        },
    };
    Ok(Intent::Ask(Box::new(command)))
}

/// What the form of UNDERSTAND asks for.
pub(crate) fn explanation(form: &Form) -> Command {
    let value = |name| form.value(name).to_owned();
    Command::UnderstandSubmit {
        explanation: value("explanation"),
        input_output_description: value("inputOutputDescription"),
        constraints_description: value("constraintsDescription"),
        example_walkthrough: value("exampleWalkthrough"),
        wrong_approach: value("wrongApproach"),
    }
}

fn choice_of(form: &Form, templates: &[Template]) -> Result<Command, Failure> {
    let some = |name| Some(form.value(name).to_owned()).filter(|text| !text.is_empty());
    let template = templates.iter().find(|template| template.id == form.value("made"));
    let built = match template {
        None => None,
        Some(template) => {
            let mut choices = BTreeMap::new();
            for gap in &template.gaps {
                let chosen = chosen(form, &gap_name(template, &gap.name))?;
                choices.insert(gap.name.clone(), chosen.parse().unwrap_or_default());
            }
            Some(InvariantBuilder { template_id: template.id.clone(), choices })
        }
    };
    Ok(Command::PlanChoose {
        pattern_id: chosen(form, "pattern")?,
        confidence: chosen(form, "confidence")?.parse().unwrap_or_default(),
        invariant_text: some("invariant"),
        invariant_builder: built,
        complexity: some("complexity"),
    })
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn chosen(form: &Form, name: &str) -> Result<String, Failure> {
    needed(form, name, "nothing is chosen yet")
}

fn written(form: &Form, name: &str) -> Result<String, Failure> {
    needed(form, name, "nothing is written yet")
}

/// What stands in a field that cannot be left empty.
fn needed(form: &Form, name: &str, without: &str) -> Result<String, Failure> {
    let value = form.value(name);
    if !value.is_empty() {
        return Ok(value.to_owned());
    }
    let field = form.fields.iter().find(|field| field.name == name);
    let heading = field.map(|field| field.heading.as_str()).unwrap_or_default();
    Err(user_error(code::USAGE, format!("{without} in the field '{heading}'")))
}
