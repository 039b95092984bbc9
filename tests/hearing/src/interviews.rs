//! Interviews with voices that were never learned from, on paper: the questions are chosen and the answers
//! heard as in an interview, and what the candidate says is what that voice has written.
//!
//! A candidate answers a section's prompt by an answer that the voice gave to it, and each follow-up by one
//! that it gave to that question, else by one to another question of the dimension. The grades say what has
//! really been covered.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use vosim_engine::parts::coverage::{Ledger, counts};
use vosim_engine::parts::followups::Pool;
use vosim_engine::parts::hearing::{AskedFor, Listener, Utterance, current, listen};
use vosim_protocol::v1::coverage::{Coverage, Dimension};
use vosim_protocol::v1::interview::Section;

use crate::answers::{Answer, Corpus, GENERAL, Problem, problems, standard};

/// So many interviews are conducted, each with another voice.
const INTERVIEWS: usize = 12;

/// What came of some interviews.
#[derive(Debug, Default)]
struct Course {
    sections: usize,
    covered: usize,
    followups: usize,
    /// Follow-ups about a dimension that had been covered.
    needless: usize,
    /// Follow-ups that the candidate had been asked before, word for word.
    literal: usize,
    /// Required dimensions that were never covered.
    gaps: usize,
    /// Those of them that nobody asked about.
    unasked: usize,
    /// Dimensions heard as covered that were not.
    falsely: usize,
}

/// Conducts the interviews and tells what came of them.
pub(crate) fn conduct(corpus: &Corpus, content: &Path) -> anyhow::Result<String> {
    let (sections, problems) = (standard(content)?, problems(content)?);
    let problem = problems.get(GENERAL.1).context("the problem is not there")?;
    let listener = Listener::new(Some(current()), &problem.interface, &problem.statement)
        .context("the weights are unknown")?;
    let held = corpus.answers.iter().filter(|answer| answer.is_of_held_voice());
    let about = held.filter(|it| it.problem == GENERAL.0 || it.problem == GENERAL.1);
    let mut voices = BTreeMap::<&str, Vec<&Answer>>::new();
    about.for_each(|answer| voices.entry(answer.voice()).or_default().push(answer));
    let mut course = Course::default();
    for answers in voices.values().take(INTERVIEWS) {
        for section in sections.iter().filter(|section| !section.coding) {
            conduct_section(section, answers, &listener, problem, &mut course);
        }
    }
    Ok(format!("{course:#?}\n"))
}

fn conduct_section(
    section: &Section,
    answers: &[&Answer],
    listener: &Listener,
    problem: &Problem,
    course: &mut Course,
) {
    let of_section: Vec<_> = answers.iter().filter(|it| it.section == section.id).collect();
    let Some(first) = of_section.iter().find(|it| it.place.is_none()) else { return };
    let mut ledger = Ledger::new(&section.dimensions);
    let mut truth = BTreeMap::<&str, u8>::new();
    let (mut asked, mut declined) = (BTreeMap::<String, u32>::new(), BTreeSet::new());
    let mut question = AskedFor { about: None, text: &first.question };
    let mut answer: &Answer = first;
    let mut last: Option<String> = None;
    let mut said_to = BTreeSet::new();
    course.sections += 1;
    for round in 0..=section.followup_cap {
        let said = Utterance {
            text: &answer.text,
            before: "",
            asked: question,
            dimensions: &section.dimensions,
            told: &[question.text, &problem.statement],
        };
        let heard = listen(Some(listener), said).heard;
        let changes = ledger.changes(&heard);
        ledger.take_message(&heard.signals, heard.specific, counts(heard.guard), &changes);
        for (dimension, grade) in &answer.grades {
            let best = truth.entry(dimension).or_default();
            *best = (*grade).max(*best);
        }
        let coverage = ledger.map();
        let pool = Pool {
            dimensions: &section.dimensions,
            coverage: &coverage,
            asked: &asked,
            declined: &declined,
            unanswered: last.as_deref(),
            budget: section.followup_cap - round,
            allowed: &section.followup_types_allowed,
        };
        let Some(choice) = pool.choose() else { break };
        course.followups += 1;
        course.needless += usize::from(truth.get(&*choice.dimension) == Some(&2));
        let place = usize::try_from(choice.pool_index).unwrap_or(usize::MAX);
        course.literal += usize::from(!said_to.insert((choice.dimension.clone(), place)));
        asked.insert(choice.dimension.clone(), choice.pool_index + 1);
        let to = |answer: &&&&Answer| answer.dimension == choice.dimension;
        let exact = of_section.iter().filter(to).find(|it| it.place == Some(place));
        let Some(next) =
            exact.or_else(|| of_section.iter().filter(to).find(|it| it.place.is_some()))
        else {
            declined.insert(choice.dimension.clone());
            continue;
        };
        answer = next;
        let known = section.dimensions.iter().find(|it| it.id == choice.dimension);
        let Some(known) = known else { break };
        question = AskedFor { about: Some((&known.id, place)), text: &answer.question };
        last = Some(choice.dimension);
    }
    settle(&section.dimensions, &ledger, &truth, &asked, course);
}

/// Counts how a section came out.
fn settle(
    dimensions: &[Dimension],
    ledger: &Ledger,
    truth: &BTreeMap<&str, u8>,
    asked: &BTreeMap<String, u32>,
    course: &mut Course,
) {
    course.covered += usize::from(ledger.satisfied());
    for dimension in dimensions.iter().filter(|dimension| dimension.required) {
        let covered = truth.get(&*dimension.id) == Some(&2);
        let gap = !covered && truth.get(&*dimension.id).copied().unwrap_or(0) == 0;
        course.gaps += usize::from(gap);
        course.unasked += usize::from(gap && !asked.contains_key(&dimension.id));
        course.falsely += usize::from(!covered && ledger.level(&dimension.id) == Coverage::Covered);
    }
}
