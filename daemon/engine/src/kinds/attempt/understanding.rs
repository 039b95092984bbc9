//! Whether somebody has understood a problem (003: UNDERSTAND): by what it is about, by the words of each
//! field, and by examples that were run, which outweigh the words of the fields.
//!
//! ```text
//! an example is wrong                               NEEDS_WORK, until it is mended
//! a beginner's field is empty, or none of the       NEEDS_WORK, until there is one
//! examples is one's own and holds
//! it speaks of something else                       NEEDS_WORK at most twice in a row
//! one's own are right, one catches a wrong program  PASS
//! else the words of the fields                      PASS, or NEEDS_WORK at most twice in a row
//! ```

use vosim_protocol::phrase;
use vosim_protocol::v1::attempt::{
    Assessment, LeakRisk, Mode, Spec, Status, UnderstandingSubmitted,
};
use vosim_protocol::v1::coverage::{Coverage, Dimension, Guard};
use vosim_protocol::v1::effect::{Examined, ExaminedRun};
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::problem::{Interface, Op, Problem};

use super::examples::Examples;
use crate::parts::coverage::{self, Ledger};
use crate::parts::hearing::{AskedFor, FIELD, Listener, Utterance, listen};
use crate::parts::text::words;
use crate::parts::topic::{About, Topic};

/// How often in a row words alone can keep somebody in the step (DECISIONS 49).
pub(super) const BY_WORDS_MAX: u8 = 2;
/// Most questions of one assessment.
const QUESTIONS_MAX: usize = 3;
/// From so much on a form is about the problem ([`About`]); measured on the shipped packages.
pub const ABOUT_PERCENT: usize = 40;
/// So much will do beside examples that catch a wrong program.
const ABOUT_WITH_EXAMPLES: usize = ABOUT_PERCENT / 2;
/// Fewest words of a field that is not empty.
const FIELD_WORDS: usize = 3;
/// So many fields may be missing in an expert's explanation (003: required but less strict).
const MISSING_IN_EXPERT: usize = 2;
/// The field of the examples; its first question asks for a run.
const EXAMPLES: &str = "exampleWalkthrough";
/// Words in a row that no assessment shares with a solution (003: no solution leakage).
const LEAK_RUN: usize = 5;

/// What was explained, and what was found out about it.
#[derive(Clone, Debug)]
pub(super) struct Explained<'a> {
    /// How much guidance there is.
    pub(super) mode: Mode,
    /// The fields.
    pub(super) fields: &'a UnderstandingSubmitted,
    /// Answers to questions, with their questions.
    pub(super) answers: Vec<(&'a str, &'a str)>,
    /// The examples that were given.
    pub(super) given: Examples,
    /// What became of them; none where there were none, or they could not be run.
    pub(super) examples: Option<&'a Examined>,
    /// How often in a row words alone were not enough.
    pub(super) by_words: u8,
}

/// Why an explanation does not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// An example is wrong.
    Wrong,
    /// A beginner has left a field empty, or has no example of one's own that holds.
    Work,
    /// Words alone, which hold nobody for ever.
    Words,
}

/// What is known of one field.
struct Field<'a> {
    dimension: &'a Dimension,
    level: Coverage,
    /// Its words are those of the statement.
    copied: bool,
    empty: bool,
}

/// What there is to judge by.
struct Evidence<'a> {
    fields: Vec<Field<'a>>,
    about: About,
    wrong: bool,
    /// An example of one's own holds, or examples could not be run.
    own: bool,
    /// Examples of one's own hold, and catch a wrong program.
    shown: bool,
}

impl<'a> Evidence<'a> {
    fn of(spec: &'a Spec, explained: &Explained<'_>) -> Self {
        let problem = &spec.problem;
        let listener = Listener::new(spec.hearing, &problem.interface, &problem.statement);
        let fields = spec
            .fields
            .iter()
            .map(|field| self::field(spec, listener.as_ref(), field, explained))
            .collect();
        let runs = explained.examples.map(|examined| examined.runs.as_slice()).unwrap_or_default();
        let wrong = runs.iter().any(is_wrong);
        let pairs = || runs.iter().zip(&explained.given.runs);
        let counting = pairs().filter(|(run, ops)| run.holds && run.counts() && answers(spec, ops));
        let counting: Vec<_> = counting.collect();
        let not_run = explained.examples.is_none() && !explained.given.runs.is_empty();
        Self {
            fields,
            about: Topic::of(&spec.problem).heard_in(&all_of(explained)),
            wrong,
            own: not_run || !counting.is_empty(),
            shown: !wrong && counting.iter().any(|(run, _)| run.catches > 0),
        }
    }

    fn missing(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|field| field.level == Coverage::NotCovered)
    }

    fn touched(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|field| field.level == Coverage::PartiallyCovered)
    }

    fn is_about(&self) -> bool {
        let enough = if self.shown { ABOUT_WITH_EXAMPLES } else { ABOUT_PERCENT };
        self.about.reaches(enough)
    }

    fn is_said(&self, mode: Mode) -> bool {
        match mode {
            Mode::Beginner => {
                self.missing().count() == 0 && self.touched().count() * 2 <= self.fields.len()
            }
            Mode::Expert => self.missing().count() <= MISSING_IN_EXPERT,
        }
    }

    fn lack(&self, mode: Mode) -> Option<Lack> {
        let empty = self.fields.iter().any(|field| field.empty);
        if self.wrong {
            Some(Lack::Wrong)
        } else if mode == Mode::Beginner && (empty || !self.own) {
            Some(Lack::Work)
        } else if !self.is_about() || !(self.shown || self.is_said(mode)) {
            Some(Lack::Words)
        } else {
            None
        }
    }
}

/// Why an explanation is not enough by itself; words have their end all the same ([`BY_WORDS_MAX`]).
pub(super) fn lack(spec: &Spec, explained: &Explained<'_>) -> Option<Lack> {
    Evidence::of(spec, explained).lack(explained.mode)
}

/// What is said of an explanation.
pub(super) fn assess(spec: &Spec, explained: &Explained<'_>) -> Assessment {
    let found = Evidence::of(spec, explained);
    let passes = match found.lack(explained.mode) {
        None => true,
        Some(Lack::Words) => explained.by_words >= BY_WORDS_MAX,
        Some(Lack::Wrong | Lack::Work) => false,
    };
    let asked = found.missing().chain(found.touched());
    let questions = asked.filter_map(|field| open_question(field.dimension, explained).cloned());
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
        strengths: clean(strengths(&found, explained)),
        gaps: clean(gaps(spec, &found, explained)),
        followup_questions: questions,
        solution_leak_risk: if leaked { LeakRisk::Medium } else { LeakRisk::Low },
    }
}

/// The first question about a field that is not answered; whoever has given a run is not asked for one.
fn open_question<'a>(field: &'a Dimension, explained: &Explained<'_>) -> Option<&'a String> {
    let given = field.id == EXAMPLES && !explained.given.runs.is_empty();
    let answered = |question: &String| explained.answers.iter().any(|(asked, _)| asked == question);
    field.questions.iter().skip(usize::from(given)).find(|question| !answered(question))
}

/// What is good of it. What speaks of something else says nothing clearly.
fn strengths(found: &Evidence<'_>, explained: &Explained<'_>) -> Vec<Phrase> {
    let right = explained.examples.filter(|_| found.shown).map(caught);
    let clear = found.fields.iter().filter(|_| found.is_about());
    let clear = clear.filter(|field| field.level == Coverage::Covered);
    // Not what is asked for again.
    let needs_own = explained.mode == Mode::Beginner && !found.own;
    let clear = clear.filter(|field| !needs_own || field.dimension.id != EXAMPLES);
    let clear = clear.map(|field| phrase!("understand.covered", field = field.title()));
    right.into_iter().chain(clear).collect()
}

/// What is missing: first what it is about, then what runs show, then the fields.
fn gaps(spec: &Spec, found: &Evidence<'_>, explained: &Explained<'_>) -> Vec<Phrase> {
    let title = spec.problem.title.as_str();
    let about = (!found.is_about()).then(|| phrase!("understand.other_topic", title));
    let runs = explained.examples.map(|examined| faults(spec, &explained.given.runs, examined));
    let beginner = explained.mode == Mode::Beginner;
    let no_own = (beginner && !found.own && !found.wrong).then(|| phrase!("understand.no_own"));
    let of_field = |field: &Field<'_>| {
        let title = field.title();
        if field.copied {
            Some(phrase!("understand.copied", field = title))
        } else if beginner && field.empty {
            Some(phrase!("understand.empty", field = title))
        } else if found.shown || field.level != Coverage::NotCovered {
            // Examples that show it outweigh words (DECISIONS 49): then no field is missing.
            None
        } else {
            Some(phrase!("understand.missing", field = title))
        }
    };
    let unread = explained.given.unread.iter().cloned();
    let before = about.into_iter().chain(runs.unwrap_or_default()).chain(unread).chain(no_own);
    before.chain(found.fields.iter().filter_map(of_field)).collect()
}

impl Field<'_> {
    fn title(&self) -> &str {
        &self.dimension.title
    }
}

/// All that was written, in the order of the form.
fn all_of(explained: &Explained<'_>) -> String {
    let fields = explained.fields;
    let own = [
        fields.explanation.as_str(),
        &fields.input_output_description,
        &fields.constraints_description,
        &fields.example_walkthrough,
        &fields.wrong_approach,
    ];
    let answers = explained.answers.iter().map(|(_, answer)| *answer);
    own.into_iter().chain(answers).collect::<Vec<_>>().join("\n")
}

/// What is known of a field, by its own words and by the answers to its questions.
fn field<'a>(
    spec: &Spec,
    listener: Option<&Listener>,
    dimension: &'a Dimension,
    explained: &Explained<'_>,
) -> Field<'a> {
    let fields = explained.fields;
    let own = match dimension.id.as_str() {
        "explanation" => &fields.explanation,
        "inputOutputDescription" => &fields.input_output_description,
        "constraintsDescription" => &fields.constraints_description,
        EXAMPLES => &fields.example_walkthrough,
        "wrongApproach" => &fields.wrong_approach,
        _ => return Field { dimension, level: Coverage::Covered, copied: false, empty: false },
    };
    let title = format!("{}?", dimension.title);
    let own = (FIELD, title.as_str(), own.as_str());
    let answers = explained.answers.iter().filter_map(|(question, answer)| {
        let place = dimension.questions.iter().position(|of| of == question)?;
        Some((place, *question, *answer))
    });
    let alone = std::slice::from_ref(dimension);
    let mut ledger = Ledger::new(alone);
    let (mut copied, mut said) = (false, 0);
    for (place, question, text) in [own].into_iter().chain(answers) {
        let asked = AskedFor { about: Some((&dimension.id, place)), text: question };
        let told = [spec.problem.statement.as_str()];
        let utterance = Utterance { text, before: "", asked, dimensions: alone, told: &told };
        let heard = listen(listener, utterance).heard;
        let changes = ledger.changes(&heard);
        let counts = coverage::counts(heard.guard);
        copied |= heard.guard == Some(Guard::Echo);
        said += words(text).len();
        ledger.take_message(&heard.signals, heard.specific, counts, &changes);
    }
    let level = ledger.level(&dimension.id);
    copied &= level == Coverage::NotCovered;
    Field { dimension, level, copied, empty: said < FIELD_WORDS }
}

/// What is said of examples that are right.
fn caught(examined: &Examined) -> Phrase {
    let (caught, planted) = (examined.caught, examined.planted);
    phrase!("understand.caught", caught, planted)
}

/// Whether a run says what a call answers; that there is a new instance says nothing.
fn answers(spec: &Spec, ops: &[Op]) -> bool {
    let Interface::Class { name, .. } = &spec.problem.interface else {
        return ops.iter().any(|op| op.expect.is_some());
    };
    ops.iter().any(|op| op.expect.is_some() && op.call != *name)
}

/// Whether the reference disagrees with an example; with what the statement does not allow it cannot.
pub(super) fn is_wrong(run: &ExaminedRun) -> bool {
    !run.holds && run.outside.is_none()
}

/// Words of the statement as they stand within a sentence.
pub(super) fn quoted(limit: &str) -> &str {
    limit.trim_end_matches(['.', ',', ';'])
}

/// What is said of examples that are wrong, and of those that show little. The right answer is not told.
fn faults(spec: &Spec, given: &[Vec<Op>], examined: &Examined) -> Vec<Phrase> {
    let of = |(number, (run, ops)): (u32, (&ExaminedRun, &Vec<Op>))| match run {
        ExaminedRun { outside: Some(call), limit: Some(limit), .. } => {
            Some(phrase!("understand.beyond", number, call = *call, limit = quoted(limit)))
        }
        ExaminedRun { outside: Some(call), .. } => {
            Some(phrase!("understand.outside", number, call = *call))
        }
        ExaminedRun { holds: false, differs_at: Some(call), .. } => {
            Some(phrase!("understand.disagrees", number, call = *call))
        }
        ExaminedRun { holds: false, .. } => Some(phrase!("understand.disagrees_somewhere", number)),
        ExaminedRun { shown: true, .. } => Some(phrase!("understand.shown", number)),
        ExaminedRun { .. } if !answers(spec, ops) => Some(phrase!("understand.no_answers", number)),
        ExaminedRun { catches: 0, .. } => Some(phrase!("understand.weak", number)),
        ExaminedRun { .. } => None,
    };
    (1u32..).zip(examined.runs.iter().zip(given)).filter_map(of).collect()
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

    #[test]
    fn whoever_has_given_a_run_is_not_asked_for_one() {
        let questions = ["Can you write a run?", "Which step shows a rule?"];
        let field = |id: &str| Dimension {
            id: id.to_owned(),
            title: String::new(),
            required: true,
            signals: Vec::new(),
            evidence: None,
            questions: questions.map(str::to_owned).into(),
        };
        let empty = String::new;
        let fields = UnderstandingSubmitted {
            explanation: empty(),
            input_output_description: empty(),
            constraints_description: empty(),
            example_walkthrough: empty(),
            wrong_approach: empty(),
        };
        let asked = |id: &str, runs: usize| {
            let given = Examples { runs: vec![Vec::new(); runs], unread: Vec::new() };
            let answers = Vec::new();
            let mode = Mode::Beginner;
            let explained =
                Explained { mode, fields: &fields, answers, given, examples: None, by_words: 0 };
            open_question(&field(id), &explained).cloned().unwrap()
        };
        assert_eq!(asked(EXAMPLES, 0), questions[0]);
        assert_eq!(asked(EXAMPLES, 1), questions[1]);
        assert_eq!(asked("explanation", 1), questions[0]);
    }
}
