//! Whether somebody has understood a problem (003: UNDERSTAND): by the words of each field, and by examples
//! that were run, which outweigh words.
//!
//! ```text
//! an example is wrong                          NEEDS_WORK, until it is mended
//! all are right, one catches a wrong program   PASS
//! else the words of the fields                 PASS, or NEEDS_WORK at most twice in a row
//! ```

use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{
    Assessment, LeakRisk, Mode, Spec, Status, UnderstandingSubmitted,
};
use vosim_protocol::v1::coverage::{Coverage, Dimension};
use vosim_protocol::v1::effect::Examined;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::problem::{Interface, Op, Problem, read_calls};

use crate::parts::coverage::{self, Ledger, hear};
use crate::parts::text::words;

/// How often in a row words alone can keep somebody in the step (DECISIONS 49).
pub(super) const BY_WORDS_MAX: u8 = 2;
/// Most questions of one assessment.
const QUESTIONS_MAX: usize = 3;
/// Most examples that are run, and calls of each.
const EXAMPLES_MAX: usize = 8;
const EXAMPLE_OPS_MAX: usize = 64;
/// So many fields may be missing in an expert's explanation (003: required but less strict).
const MISSING_IN_EXPERT: usize = 2;
/// Words in a row that no assessment shares with a solution (003: no solution leakage).
const LEAK_RUN: usize = 5;

/// The examples in a text: each line, and each text between backticks, that is a run of the problem's calls.
pub(super) fn examples(problem: &Problem, text: &str) -> Vec<Vec<Op>> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches(['-', '*', '>', ' ']));
    let quoted = text.split('`').skip(1).step_by(2);
    let mut found: Vec<Vec<Op>> = Vec::new();
    for part in lines.chain(quoted) {
        let Ok(ops) = read_calls(part) else { continue };
        let known = ops.iter().all(|op| is_call(&problem.interface, op));
        let new = !found.contains(&ops);
        if known && new && (1..=EXAMPLE_OPS_MAX).contains(&ops.len()) && found.len() < EXAMPLES_MAX
        {
            found.push(ops);
        }
    }
    found
}

fn is_call(interface: &Interface, op: &Op) -> bool {
    match interface {
        Interface::Class { name, methods, .. } => {
            *name == op.call
                || op.back_to(interface).is_some()
                || methods.iter().any(|method| method.name == op.call)
        }
        Interface::Function(function) => function.name == op.call,
    }
}

/// What was explained, and what was found out about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Explained<'a> {
    /// How much guidance there is.
    pub(super) mode: Mode,
    /// The fields.
    pub(super) fields: &'a UnderstandingSubmitted,
    /// Answers to questions, with their questions.
    pub(super) answers: &'a [(&'a str, &'a str)],
    /// What became of the examples; none where there were none, or they could not be run.
    pub(super) examples: Option<&'a Examined>,
    /// How often in a row words alone were not enough.
    pub(super) by_words: u8,
}

/// What is said of an explanation.
pub(super) fn assess(spec: &Spec, explained: Explained<'_>) -> Assessment {
    let levels: Vec<_> =
        spec.fields.iter().map(|field| (field, level(spec, field, explained))).collect();
    let missing = || levels.iter().filter(|(_, level)| *level == Coverage::NotCovered);
    let touched = levels.iter().filter(|(_, level)| *level == Coverage::PartiallyCovered).count();
    let wrong =
        explained.examples.is_some_and(|examined| examined.runs.iter().any(|run| !run.holds));
    let shown = explained.examples.is_some_and(|examined| !wrong && examined.caught > 0);
    let said = match explained.mode {
        Mode::Beginner => missing().count() == 0 && touched * 2 <= levels.len(),
        Mode::Expert => missing().count() <= MISSING_IN_EXPERT,
    };

    let passes = !wrong && (shown || said || explained.by_words >= BY_WORDS_MAX);
    let strengths = levels.iter().filter(|(_, level)| *level == Coverage::Covered);
    let strengths =
        strengths.map(|(field, _)| phrase!("understand.covered", field = field.title.as_str()));
    let right = shown.then(|| explained.examples.map(caught)).flatten();
    let gaps = explained.examples.map(faults).unwrap_or_default().into_iter();
    // Examples that show it outweigh words (DECISIONS 49): then no field is missing.
    let unsaid = missing().filter(|_| !shown);
    let gaps = gaps.chain(
        unsaid.map(|(field, _)| phrase!("understand.missing", field = field.title.as_str())),
    );
    let asked =
        missing().chain(levels.iter().filter(|(_, level)| *level == Coverage::PartiallyCovered));
    let open = |question: &&String| !explained.answers.iter().any(|(asked, _)| asked == question);
    let questions = asked.filter_map(|(field, _)| field.questions.iter().find(open).cloned());
    let questions = if passes { Vec::new() } else { questions.take(QUESTIONS_MAX).collect() };
    let mut leaked = false;
    let mut clean = |phrases: Vec<Phrase>| -> Vec<String> {
        let texts = phrases.into_iter().map(|phrase| phrase.text);
        texts
            .filter(|text| {
                let leaks = leaks(&spec.problem, text);
                leaked |= leaks;
                !leaks
            })
            .collect()
    };
    Assessment {
        status: if passes { Status::Pass } else { Status::NeedsWork },
        strengths: clean(right.into_iter().chain(strengths).collect()),
        gaps: clean(gaps.collect()),
        followup_questions: questions,
        solution_leak_risk: if leaked { LeakRisk::Medium } else { LeakRisk::Low },
    }
}

/// How far a field is covered, by its own words and by the answers to its questions.
fn level(spec: &Spec, field: &Dimension, explained: Explained<'_>) -> Coverage {
    let fields = explained.fields;
    let own = match field.id.as_str() {
        "explanation" => &fields.explanation,
        "inputOutputDescription" => &fields.input_output_description,
        "constraintsDescription" => &fields.constraints_description,
        "exampleWalkthrough" => &fields.example_walkthrough,
        "wrongApproach" => &fields.wrong_approach,
        _ => return Coverage::Covered,
    };
    let answers = explained.answers.iter();
    let answers = answers.filter(|(question, _)| field.questions.iter().any(|of| of == question));
    let dimension = std::slice::from_ref(field);
    let mut ledger = Ledger::new(dimension);
    for text in [own.as_str()].into_iter().chain(answers.map(|(_, answer)| *answer)) {
        let heard = hear(text, dimension, &[&spec.problem.statement]);
        let changes = ledger.changes(&heard);
        let counts = coverage::counts(heard.guard);
        ledger.take_message(&heard.signals, heard.specific, counts, &changes);
    }
    ledger.level(&field.id)
}

/// What is said of examples that are right.
fn caught(examined: &Examined) -> Phrase {
    let (caught, planted) = (examined.caught, examined.planted);
    phrase!("understand.caught", caught, planted)
}

/// What is said of examples that are wrong, and of those that show little. The right answer is not told.
fn faults(examined: &Examined) -> Vec<Phrase> {
    let numbered = (1u32..).zip(&examined.runs);
    numbered
        .filter_map(|(number, run)| match run.differs_at {
            Some(call) if !run.holds => Some(phrase!("understand.disagrees", number, call)),
            None if !run.holds => Some(phrase!("understand.disagrees_somewhere", number)),
            Some(_) | None if run.catches == 0 => Some(phrase!("understand.weak", number)),
            Some(_) | None => None,
        })
        .collect()
}

/// Whether a text shares a run of words with a solution of the problem that no starter shows anyway.
pub(super) fn leaks(problem: &Problem, text: &str) -> bool {
    let said = words(text);
    let starters: Vec<_> = problem.starters.values().map(|starter| words(starter)).collect();
    let holds = |text: &[String], run: &[String]| text.windows(run.len()).any(|one| one == run);
    problem.solutions.values().any(|solution| {
        let code = solution.split("```").nth(1).map(words).unwrap_or_default();
        code.windows(LEAK_RUN)
            .any(|run| holds(&said, run) && !starters.iter().any(|starter| holds(starter, run)))
    })
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::problem::Language;

    use super::*;
    use crate::problem;

    #[test]
    fn what_a_starter_shows_gives_no_solution_away() {
        let mut problem = problem::spec().problem;
        let code = "def put(self, key, value):\n    self.order.move_to_end(key, last=True)";
        problem.solutions = [(Language::Python, format!("So:\n```python\n{code}\n```"))].into();
        problem.starters =
            [(Language::Python, "def put(self, key, value):\n    ...".into())].into();
        assert!(!leaks(&problem, "It has def put(self, key, value) as before."));
        assert!(leaks(&problem, "Write self.order.move_to_end(key, last) there."));
    }
}
