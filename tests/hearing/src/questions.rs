//! How well questions to the interviewer are answered: graded ones, and answers that must not be taken for any.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;
use vosim_engine::parts::asking::{Inquired, Phrasebook, Subject, may_ask};
use vosim_protocol::v1::interview::{Clarification, Inquiry};

use crate::answers::{Corpus, GENERAL};

/// What answers a message that asks nothing.
const NOTHING: &str = "nothing";

/// One graded question, as a line of a file holds it.
#[derive(Debug, Deserialize)]
struct Question {
    /// The folder of its problem, or `general`.
    problem: String,
    text: String,
    /// The card or inquiry that answers it; several with bars between them where each does.
    answer: String,
}

#[derive(Debug, Deserialize)]
struct Card {
    id: String,
    dimension: String,
    question: String,
    ways: Vec<String>,
    answer: String,
}

#[derive(Debug, Deserialize)]
struct File {
    left_open: Vec<String>,
    in_statement: Vec<String>,
    card: Vec<Card>,
}

/// The ways of asking of one problem.
struct Ways {
    cards: Vec<Clarification>,
    left_open: Vec<String>,
    in_statement: Vec<String>,
}

/// What came of the questions about the problems, and of the other messages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    pub(crate) questions: usize,
    pub(crate) right: usize,
    /// Two things were offered, one of them right.
    pub(crate) offered: usize,
    /// Another card was given.
    pub(crate) wrong_cards: usize,
    /// Something else was said that does not answer it.
    pub(crate) other: usize,
    pub(crate) silent: usize,
    /// Messages about no problem, and how many of them were taken for what they are.
    pub(crate) general: usize,
    pub(crate) general_right: usize,
    /// Answers of the corpus, how many got a reply, and how many of these a card.
    pub(crate) answers: usize,
    pub(crate) replies: usize,
    pub(crate) cards: usize,
}

/// Asks all graded questions; with `corpus`, every tenth graded answer is listened to as well.
pub(crate) fn ask(
    questions: &Path,
    content: &Path,
    corpus: Option<&Corpus>,
) -> anyhow::Result<(Outcomes, String)> {
    let mut by_problem = BTreeMap::<String, Vec<Question>>::new();
    let mut files: Vec<_> = std::fs::read_dir(questions)?
        .map(|file| Ok(file?.path()))
        .collect::<anyhow::Result<_>>()?;
    files.sort();
    for file in files {
        for line in std::fs::read_to_string(&file)?.lines() {
            let question: Question =
                serde_json::from_str(line).with_context(|| format!("{line} of {file:?}"))?;
            by_problem.entry(question.problem.clone()).or_default().push(question);
        }
    }
    let general = by_problem.remove(GENERAL.0).unwrap_or_default();
    let (mut outcomes, mut misses) = (Outcomes::default(), String::new());
    for (problem, questions) in &by_problem {
        let ways = Ways::read(content, problem)?;
        let asking = ways.asking();
        for question in questions {
            let asked = asking.questions(&question.text).asked;
            take(&mut outcomes, question, &asked, &mut misses);
        }
        if folder(GENERAL.1) == *problem {
            for message in &general {
                outcomes.general += 1;
                let asked = asking.questions(&message.text).asked;
                let right = match message.answer == NOTHING {
                    true => asked.is_empty(),
                    false => asked.iter().any(|asked| answers(&message.answer, asked)),
                };
                outcomes.general_right += usize::from(right);
            }
        }
        let answers = corpus.into_iter().flat_map(|corpus| corpus.answers.iter().step_by(10));
        let about =
            |name: &str| folder(name) == *problem || (name == GENERAL.0 && problem == "lrucache");
        for answer in answers.filter(|answer| about(&answer.problem)) {
            outcomes.answers += 1;
            if !may_ask(&answer.text) {
                continue;
            }
            let asked = asking.questions(&answer.text).asked;
            let cards = asked.iter().filter(|it| matches!(it.subject, Subject::Card(_))).count();
            outcomes.replies += usize::from(!asked.is_empty());
            outcomes.cards += usize::from(cards > 0);
        }
    }
    Ok((outcomes, misses))
}

fn folder(problem: &str) -> String {
    problem.replace('_', "")
}

fn take(outcomes: &mut Outcomes, question: &Question, asked: &[Inquired<'_>], misses: &mut String) {
    outcomes.questions += 1;
    let Some(first) = asked.first() else {
        outcomes.silent += 1;
        misses.push_str(&format!(
            "{}: silent, {}: {}\n",
            question.problem, question.answer, question.text
        ));
        return;
    };
    if asked.iter().any(|asked| answers(&question.answer, asked)) {
        let offers = matches!(first.subject, Subject::Offer(_));
        *(if offers { &mut outcomes.offered } else { &mut outcomes.right }) += 1;
        return;
    }
    let card = matches!(first.subject, Subject::Card(_));
    *(if card { &mut outcomes.wrong_cards } else { &mut outcomes.other }) += 1;
    let subject = &first.subject;
    misses.push_str(&format!(
        "{}: {subject:?}, not {}: {}\n",
        question.problem, question.answer, question.text
    ));
}

/// Whether something that was taken for a question's subject is what answers it.
fn answers(graded: &str, asked: &Inquired<'_>) -> bool {
    let is = |name: &str| graded.split('|').any(|answer| answer == name);
    match &asked.subject {
        Subject::Card(card) => is(card),
        Subject::Offer(cards) => cards.iter().any(|card| is(card)),
        Subject::Inquiry(inquiry) => is(name(*inquiry)),
    }
}

fn name(inquiry: Inquiry) -> &'static str {
    match inquiry {
        // Graded as one: whoever asks for other words asks for the question.
        Inquiry::Repeat | Inquiry::Reword => "repeat",
        Inquiry::Pause => "pause",
        Inquiry::TimeLeft => "time_left",
        Inquiry::Language => "language",
        Inquiry::Library => "library",
        Inquiry::Running => "running",
        Inquiry::Judgement => "judgement",
        Inquiry::Onward => "onward",
        Inquiry::Help => "help",
        Inquiry::Interviewer => "interviewer",
        Inquiry::Notes => "notes",
        Inquiry::Statement => "statement",
        Inquiry::LeftOpen => "left_open",
        Inquiry::InStatement => "in_statement",
        Inquiry::Unclear => "unclear",
    }
}

impl Ways {
    fn read(content: &Path, problem: &str) -> anyhow::Result<Self> {
        let file = content.join("problems").join(problem).join(".vosim/clarifications.toml");
        let text = std::fs::read_to_string(&file).with_context(|| format!("reading {file:?}"))?;
        let file: File = toml::from_str(&text)?;
        let card = |Card { id, dimension, question, ways, answer }| Clarification {
            id,
            question,
            ways,
            answer,
            dimension,
        };
        let File { left_open, in_statement, card: cards } = file;
        Ok(Self { cards: cards.into_iter().map(card).collect(), left_open, in_statement })
    }

    fn asking(&self) -> Phrasebook {
        Phrasebook::new(&self.cards, &self.left_open, &self.in_statement)
    }
}

impl Outcomes {
    pub(crate) fn table(&self) -> String {
        let Self { questions, right, offered, wrong_cards, other, silent, .. } = self;
        let Self { general, general_right, answers, replies, cards, .. } = self;
        let share = |part: &usize| 100.0 * *part as f64 / (*questions).max(1) as f64;
        format!(
            "questions about problems  {questions}: right {:.1} %, offered beside another {:.1} %, \
             a wrong card {:.1} %, another answer {:.1} %, silence {:.1} %\n\
             messages about none       {general}: {general_right} taken for what they are\n\
             graded answers            {answers}: {replies} got a reply, {cards} a card\n",
            share(right),
            share(offered),
            share(wrong_cards),
            share(other),
            share(silent)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_questions_get_their_answer_and_hardly_one_a_wrong_card() {
        let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
        let content = tree.join("../../daemon/content");
        let (outcomes, misses) = ask(&tree.join("questions"), &content, None).unwrap();
        let Outcomes { questions, right, offered, wrong_cards, silent, .. } = outcomes;
        assert!(questions > 400, "{outcomes:?}");
        assert!(right * 100 >= questions * 80, "{outcomes:?}\n{misses}");
        assert!((right + offered) * 100 >= questions * 87, "{outcomes:?}\n{misses}");
        assert!(wrong_cards * 100 <= questions * 3, "{outcomes:?}\n{misses}");
        assert!(silent * 100 <= questions * 5, "{outcomes:?}\n{misses}");
        let Outcomes { general, general_right, .. } = outcomes;
        assert!(general_right * 100 >= general * 90, "{outcomes:?}");
    }

    /// A package that lists such a question as left open would answer it so.
    #[test]
    fn what_the_interview_itself_answers_is_left_open_by_no_problem() {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../daemon/content");
        let mut problems = 0;
        for folder in std::fs::read_dir(content.join("problems")).unwrap() {
            let problem = folder.unwrap().file_name().into_string().unwrap();
            let asking = Ways::read(&content, &problem).unwrap().asking();
            for (text, inquiry) in [
                ("How much time is left?", Inquiry::TimeLeft),
                ("How many minutes do I have left?", Inquiry::TimeLeft),
                ("Can you give me a hint?", Inquiry::Help),
                ("May I think for a minute first?", Inquiry::Pause),
            ] {
                let found = asking.questions(text);
                let subjects: Vec<_> = found.asked.iter().map(|asked| &asked.subject).collect();
                assert!(
                    matches!(subjects[..], [Subject::Inquiry(one)] if *one == inquiry),
                    "{problem}: {text}: {subjects:?}"
                );
            }
            problems += 1;
        }
        assert!(problems >= 17, "{problems}");
    }
}
