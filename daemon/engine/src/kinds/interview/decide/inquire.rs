//! What a message asks the interviewer, and the answers: each question gets one at once, late messages none.

use std::sync::Arc;

use vosim_protocol::v1::coverage::Guard;
use vosim_protocol::v1::interview::{
    Clarification, ClarificationGiven, Event, Inquiry, InquiryAnswered, Spec,
};
use vosim_protocol::v1::phrase::Span;
use vosim_protocol::{Time, phrase};

use crate::kinds::interview::section::OpenSection;
use crate::kinds::interview::state::{Draft, State};
use crate::parts::asking::{Chosen, Inquired, Phrasebook, Subject, chosen, may_ask};
use crate::parts::coverage::Heard;

/// A question that is to be answered.
#[derive(Debug)]
pub(super) struct ToAnswer {
    to: Answer,
    nearest: String,
    /// The words of the candidate that ask.
    asked: String,
    /// What the statement says to it, where it is left to that.
    said: Option<String>,
}

impl ToAnswer {
    /// A question that comes near to nothing.
    fn unclear(text: &str) -> Self {
        let to = Answer::Inquiry(Inquiry::Unclear);
        Self { to, nearest: String::new(), asked: text.to_owned(), said: None }
    }
}

#[derive(Debug)]
enum Answer {
    Card(String),
    Offer(Vec<String>),
    Inquiry(Inquiry),
}

/// What a message asks. Who only asks has answered nothing, with or without a question mark; and what only
/// sounds like a question ("O(1), I guess?") is an answer.
pub(super) fn asked(state: &State, text: &str, heard: &mut Heard) -> Vec<ToAnswer> {
    if let Some(choice) = chosen(text).filter(|_| !state.offered.is_empty()) {
        let offered = &state.offered;
        let cards = match choice {
            Chosen::First => offered.first().into_iter().collect(),
            Chosen::Second => offered.get(1).into_iter().collect(),
            Chosen::Both => offered.iter().collect::<Vec<_>>(),
        };
        heard.guard = Some(Guard::Question);
        let card = |card: &String| ToAnswer {
            to: Answer::Card(card.clone()),
            nearest: text.to_owned(),
            asked: text.to_owned(),
            said: None,
        };
        return cards.into_iter().map(card).collect();
    }
    if !may_ask(text) {
        return Vec::new();
    }
    let Spec { clarifications, left_open, in_statement, problem, .. } = &*state.spec;
    let asking = Phrasebook::of(clarifications, left_open, in_statement);
    let questions = asking.questions(text);
    // To what was asked for by itself a hedged answer is one, though something else be said to it.
    let awaited = state.open().is_some_and(|section| section.followup().is_some());
    // "And empty?" may be the answer to a follow-up, and else is one only where something is heard in it.
    let tells =
        state.open().is_some_and(|section| !section.contents.coverage.changes(heard).is_empty());
    if questions.brief && !awaited && !tells {
        heard.guard = Some(Guard::Question);
        return vec![ToAnswer::unclear(text)];
    }
    match heard.guard {
        Some(Guard::Question) if questions.answers || questions.hedges && awaited => {
            heard.guard = None;
        }
        None if questions.only => heard.guard = Some(Guard::Question),
        _ => {}
    }
    // "Next" to a follow-up declines it, and the next question is the reply to that.
    let declines = awaited && heard.guard == Some(Guard::Declined);
    let goes_on = |asked: &Inquired<'_>| asked.subject == Subject::Inquiry(Inquiry::Onward);
    let question = |asked: Inquired<'_>| ToAnswer {
        said: (asked.subject == Subject::Inquiry(Inquiry::InStatement))
            .then(|| asking.said(&problem.statement, asked.words))
            .flatten(),
        to: match asked.subject {
            Subject::Card(card) => Answer::Card(card.to_owned()),
            Subject::Offer(cards) => Answer::Offer(cards.into_iter().map(str::to_owned).collect()),
            Subject::Inquiry(inquiry) => Answer::Inquiry(inquiry),
        },
        nearest: asked.nearest.to_owned(),
        asked: asked.words.to_owned(),
    };
    let asked = questions.asked.into_iter().filter(|asked| !(declines && goes_on(asked)));
    asked.map(question).collect()
}

/// Answers each question.
pub(super) fn answer(draft: &mut Draft<'_>, section_id: &str, questions: &[ToAnswer]) {
    let spec = Arc::clone(&draft.state().spec);
    let at = draft.at();
    for question in questions {
        let Some(section) = draft.state().open_as(section_id) else { return };
        let event = match &question.to {
            Answer::Card(id) => {
                let Some(card) = card(&spec, id) else { continue };
                Event::ClarificationGiven(ClarificationGiven {
                    section_id: section_id.to_owned(),
                    card: id.clone(),
                    text: told(card),
                    nearest: question.nearest.clone(),
                    coverage: section.contents.coverage.touched(&card.dimension),
                })
            }
            Answer::Offer(cards) => {
                let cards: Vec<_> = cards.iter().filter_map(|id| card(&spec, id)).collect();
                let answered = InquiryAnswered {
                    section_id: section_id.to_owned(),
                    inquiry: Inquiry::Unclear,
                    text: offer(&cards),
                    nearest: Some(question.nearest.clone()),
                    offered: cards.iter().map(|card| card.id.clone()).collect(),
                    assumed: None,
                    reworded: None,
                };
                Event::InquiryAnswered(answered)
            }
            Answer::Inquiry(inquiry) => {
                let told = match (&question.said, inquiry) {
                    (Some(said), _) => {
                        Some((phrase!("inquiry.said", said = said.as_str()).text, None))
                    }
                    (None, Inquiry::Reword) => section.reworded(&spec.schema),
                    (None, _) => reply(&spec, section, *inquiry, at).map(|text| (text, None)),
                };
                let Some((text, reworded)) = told else { continue };
                let open = *inquiry == Inquiry::LeftOpen;
                let answered = InquiryAnswered {
                    section_id: section_id.to_owned(),
                    inquiry: *inquiry,
                    text,
                    nearest: Some(question.nearest.clone()).filter(|nearest| !nearest.is_empty()),
                    offered: Vec::new(),
                    assumed: open.then(|| question.asked.clone()),
                    reworded,
                };
                Event::InquiryAnswered(answered)
            }
        };
        draft.push(event);
    }
}

fn card<'s>(spec: &'s Spec, id: &str) -> Option<&'s Clarification> {
    spec.clarifications.iter().find(|card| card.id == id)
}

/// A card as the candidate reads it: with its question, since two may be given together.
fn told(card: &Clarification) -> String {
    let Clarification { question, answer, .. } = card;
    phrase!("clarification.given", question = question.as_str(), answer = answer.as_str()).text
}

fn offer(cards: &[&Clarification]) -> String {
    match cards {
        [first, second, ..] => {
            let (first, second) = (first.question.as_str(), second.question.as_str());
            phrase!("inquiry.offer", first, second).text
        }
        [only] => phrase!("inquiry.offer_one", question = only.question.as_str()).text,
        [] => phrase!("inquiry.unclear").text,
    }
}

/// The answer to what no card answers; none before there is a question that could be repeated, and for other words,
/// which the section has.
fn reply(spec: &Spec, section: &OpenSection, inquiry: Inquiry, at: Time) -> Option<String> {
    let time = || Span::between(at, section.contents.deadline);
    Some(match inquiry {
        Inquiry::Repeat => phrase!("inquiry.repeat", question = section.question()?).text,
        Inquiry::Reword => return None,
        Inquiry::Pause => phrase!("inquiry.pause", time = time()).text,
        Inquiry::TimeLeft => {
            let (before, count) =
                (section.contents.place as u64, spec.schema.sections.len() as u64);
            let number = before + 1;
            phrase!("inquiry.time_left", time = time(), number, count).text
        }
        Inquiry::Language => {
            let languages: Vec<_> =
                spec.problem.starters.keys().map(|language| language.title()).collect();
            phrase!("inquiry.language", languages = languages.join(", ")).text
        }
        Inquiry::Library => phrase!("inquiry.library").text,
        Inquiry::Running => {
            let cases = &spec.problem.cases;
            let visible = cases.iter().filter(|case| case.visible).count() as u64;
            phrase!("inquiry.running", visible, total = cases.len() as u64).text
        }
        Inquiry::Judgement => phrase!("inquiry.judgement").text,
        Inquiry::Onward => onward(spec, section),
        Inquiry::Help => phrase!("inquiry.help").text,
        Inquiry::Interviewer => phrase!("inquiry.interviewer").text,
        Inquiry::Notes => phrase!("inquiry.notes").text,
        Inquiry::Statement => phrase!("inquiry.statement").text,
        Inquiry::LeftOpen => phrase!("inquiry.left_open").text,
        Inquiry::InStatement => phrase!("inquiry.in_statement").text,
        Inquiry::Unclear => phrase!("inquiry.unclear").text,
    })
}

/// What a section is for, and what comes after it: whether it is enough the candidate decides, and only with its
/// goal does "shall I begin to write code?" have an answer.
fn onward(spec: &Spec, section: &OpenSection) -> String {
    let goal = section.plan(&spec.schema).goal.as_str();
    let next = spec.schema.sections.get(section.contents.place + 1);
    match next.map(|next| next.title.as_str()) {
        Some(next) => phrase!("inquiry.onward", goal, next).text,
        None => phrase!("inquiry.onward_last", goal).text,
    }
}
