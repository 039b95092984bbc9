//! What a message asks the interviewer: the nearest of the ways in which people ask (001 6.2).
//!
//! ```text
//! message ─▶ what may ask: each of its questions, or all of a short one
//!         ─▶ features: words, pairs of words, pieces of words; the rarer, the more they count
//!         ─▶ for each subject the likeness of its nearest ways, and of all its ways as one direction
//!         ─▶ the nearest, a card only where it is well ahead, else both are offered · too far off: nothing
//! ```
//! The ways are sentences that people write: a problem's own stand in its package, those that any
//! interview may bring in `asking.txt`, beside answers that only sound like questions. All counting is in
//! whole numbers.

mod form;
mod statement;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use vosim_protocol::v1::interview::{Clarification, Inquiry};

pub use form::may_ask;
use form::{Form, LISTS, pieces};

use crate::parts::likeness::{Book, Direction, Entry, Weights};
use crate::parts::lists::list;
use crate::parts::text::words;

/// How many of a subject's nearest ways count, half as much as all of them.
const NEAREST: usize = 3;
/// What a subject comes to at least: for a question by its form, for what ends in a question mark, and for
/// anything else.
const FLOOR_FORMED: u64 = 110;
const FLOOR_MARKED: u64 = 160;
const FLOOR_PLAIN: u64 = 230;
/// What a card comes to at least, and how much more than what is next, percent. A wrong card is worse than to ask
/// back: else it is offered, beside the next one.
const SURE: u64 = 200;
const AHEAD_CARD: u64 = 118;
/// How much more the nearest subject comes to of what does not look like a question, and else is none.
const AHEAD_PLAIN: u64 = 112;
/// How alike to a question a sentence of the statement is at least that answers it.
const FLOOR_SAID: u64 = 120;
/// What an answer counts beside a question by its form, and beside a sentence with a question mark, percent.
const ANSWER_FORMED: u64 = 60;
const ANSWER_MARKED: u64 = 85;
/// What a piece of a message asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquired<'a> {
    /// What answers it.
    pub subject: Subject<'a>,
    /// The way of asking that it came nearest to; empty where none was near.
    pub nearest: &'a str,
    /// The words that ask.
    pub words: &'a str,
}

/// What answers a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A card of the problem.
    Card(&'a str),
    /// One of these cards, or something else.
    Offer(Vec<&'a str>),
    /// No card.
    Inquiry(Inquiry),
}

impl Subject<'_> {
    /// False for what any interview may bring.
    fn is_about_problem(&self) -> bool {
        match self {
            Self::Card(_) | Self::Offer(_) => true,
            Self::Inquiry(inquiry) => {
                matches!(inquiry, Inquiry::LeftOpen | Inquiry::InStatement | Inquiry::Unclear)
            }
        }
    }
}

/// What a message asks, and whether it does nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions<'a> {
    /// Each thing that it asks for, in order, no subject twice.
    pub asked: Vec<Inquired<'a>>,
    /// True when all of it asks: then it answers nothing.
    pub only: bool,
    /// True when it sounds like a question and is an answer.
    pub answers: bool,
    /// True when all of it answers as somebody does who is not sure, whether or not there is a reply to it.
    pub hedges: bool,
}

/// What the candidate chooses of two cards that were offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both.
    Both,
}

/// The ways of asking that one session knows. Making one takes some ten milliseconds, an answer less than one.
#[derive(Debug)]
pub struct Phrasebook {
    weights: Weights<'static>,
    /// The ids of the problem's cards, in their order.
    cards: Vec<String>,
    ways: BTreeMap<Aim, Vec<Way>>,
    /// How much the ways of each subject have in common.
    directions: BTreeMap<Aim, Direction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aim {
    Nothing,
    Inquiry(Inquiry),
    /// The place of a card among the ids.
    Card(usize),
}

#[derive(Debug)]
struct Way {
    text: Cow<'static, str>,
    entry: Cow<'static, [usize]>,
    length: u64,
}

/// What any interview may bring.
struct Common {
    book: Book<'static>,
    ways: Vec<(Aim, &'static str, Entry)>,
}

static COMMON: LazyLock<Common> = LazyLock::new(|| {
    let inquiries = [
        ("repeat", Inquiry::Repeat),
        ("pause", Inquiry::Pause),
        ("time_left", Inquiry::TimeLeft),
        ("language", Inquiry::Language),
        ("library", Inquiry::Library),
        ("running", Inquiry::Running),
        ("judgement", Inquiry::Judgement),
        ("onward", Inquiry::Onward),
        ("help", Inquiry::Help),
        ("interviewer", Inquiry::Interviewer),
        ("notes", Inquiry::Notes),
    ];
    let aims = inquiries.map(|(name, inquiry)| (name, Aim::Inquiry(inquiry)));
    let (mut book, mut ways) = (Book::default(), Vec::new());
    for (name, aim) in aims.into_iter().chain([("nothing", Aim::Nothing)]) {
        ways.extend(list(LISTS, name).into_iter().map(|way| (aim, way, book.enter(way))));
    }
    Common { book, ways }
});

/// The card that answers what may be imported, where a problem has one.
const LIBRARY: &str = "library";

impl Phrasebook {
    /// The ways of a problem beside those of any interview.
    pub fn new(cards: &[Clarification], left_open: &[String], in_statement: &[String]) -> Self {
        let ids: BTreeSet<_> = cards.iter().map(|card| card.id.clone()).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let place = |id: &str| ids.iter().position(|other| other == id).map(Aim::Card);
        let of_cards = cards.iter().flat_map(|card| {
            let ways = card.ways.iter().chain([&card.question]);
            place(&card.id).into_iter().flat_map(move |aim| ways.clone().map(move |way| (aim, way)))
        });
        let left_open = left_open.iter().map(|way| (Aim::Inquiry(Inquiry::LeftOpen), way));
        let in_statement = in_statement.iter().map(|way| (Aim::Inquiry(Inquiry::InStatement), way));
        let own = of_cards.chain(left_open).chain(in_statement);
        let Common { book, ways: common } = &*COMMON;
        let mut book = Book::after(book);
        let own: Vec<_> = own
            .map(|(aim, way)| (aim, Cow::Owned(way.clone()), Cow::Owned(book.enter(way))))
            .collect();
        let library = place(LIBRARY);
        let common = common.iter().map(|(aim, text, entry)| {
            let own = library.filter(|_| *aim == Aim::Inquiry(Inquiry::Library));
            (own.unwrap_or(*aim), Cow::Borrowed(*text), Cow::Borrowed(entry.as_slice()))
        });
        let weights = book.weights();
        let mut ways: BTreeMap<Aim, Vec<Way>> = BTreeMap::new();
        for (aim, text, entry) in own.into_iter().chain(common) {
            let length = weights.length(&entry);
            ways.entry(aim).or_default().push(Way { text, entry, length });
        }
        let direction = |(aim, ways): (&Aim, &Vec<Way>)| {
            let entries = ways.iter().map(|way| (&*way.entry, way.length));
            (*aim, weights.direction(entries))
        };
        let directions = ways.iter().map(direction).collect();
        Self { weights, cards: ids, ways, directions }
    }

    /// What a message asks.
    pub fn questions<'t>(&'t self, text: &'t str) -> Questions<'t> {
        let (pieces, whole) = pieces(text);
        let mut asked: Vec<Inquired<'t>> = Vec::new();
        let mut answers = !pieces.is_empty();
        let mut hedges = answers;
        let mut only = whole;
        for piece in pieces {
            let form = Form::of(piece);
            let found = self.asked(piece, form);
            // A question by its form is one whatever it is about.
            answers &= found.is_none() && form != Form::Question;
            // What is told in words near to a card is told, not asked; a question about the problem stands for
            // itself, while "one moment, my editor has crashed" says nothing else.
            let about_problem = found.as_ref().is_some_and(|it| it.subject.is_about_problem());
            let asks = !about_problem || matches!(form, Form::Question | Form::Marked);
            let judged = |it: &Inquired<'_>| it.subject == Subject::Inquiry(Inquiry::Judgement);
            let besides = about_problem || found.as_ref().is_none_or(judged);
            hedges &= form == Form::Hedged && besides;
            only &= found.is_some() && asks;
            let new =
                |found: &Inquired<'_>| asked.iter().all(|other| other.subject != found.subject);
            asked.extend(found.filter(new));
        }
        Questions { only: only && !asked.is_empty(), asked, answers, hedges }
    }

    /// What a statement says to a question; none where nothing in it is near.
    pub fn said(&self, statement: &str, question: &str) -> Option<String> {
        let compared = self.weights.compared(question);
        let near = |piece: String| {
            let entry = self.weights.entry(&piece);
            (compared.likeness(&entry, self.weights.length(&entry)), piece)
        };
        let said = statement::pieces(statement).into_iter().map(near);
        let nearest = said.max_by_key(|(likeness, _)| *likeness);
        nearest.filter(|(likeness, _)| *likeness >= FLOOR_SAID).map(|(_, piece)| piece)
    }

    fn asked<'t>(&'t self, piece: &'t str, form: Form) -> Option<Inquired<'t>> {
        let (answer, floor) = match form {
            Form::Question => (ANSWER_FORMED, FLOOR_FORMED),
            Form::Marked => (ANSWER_MARKED, FLOOR_MARKED),
            Form::Hedged | Form::Unsure => (100, FLOOR_MARKED),
            Form::Plain => (100, FLOOR_PLAIN),
        };
        let mut by_aim = self.by_aim(piece);
        for (score, aim, _) in &mut by_aim {
            *score = if *aim == Aim::Nothing { *score * answer / 100 } else { *score };
        }
        by_aim.sort_by_key(|(score, aim, _)| (Reverse(*score), *aim));
        let mut ranked = by_aim.into_iter();
        let (score, aim, nearest) = ranked.next()?;
        let (next_score, next, _) = ranked.next().unwrap_or((0, Aim::Nothing, ""));
        let ahead = |percent: u64| score * 100 >= next_score * percent;
        let found = |subject, nearest| Some(Inquired { subject, nearest, words: piece });
        if score < floor {
            let asks = form == Form::Question;
            return asks.then_some(Subject::Inquiry(Inquiry::Unclear)).and_then(|it| found(it, ""));
        }
        if form == Form::Plain && !ahead(AHEAD_PLAIN) {
            return None;
        }
        let hedged = form == Form::Hedged;
        match aim {
            Aim::Nothing if form == Form::Question => found(Subject::Inquiry(Inquiry::Unclear), ""),
            Aim::Nothing => None,
            Aim::Card(_) if score >= SURE && ahead(AHEAD_CARD) => {
                self.card(aim).and_then(|card| found(Subject::Card(card), nearest))
            }
            // Who is not sure of an answer is not asked back, and is told what is near beyond doubt alone.
            Aim::Inquiry(_) if hedged && (score < FLOOR_PLAIN || !ahead(AHEAD_PLAIN)) => None,
            Aim::Card(_) if hedged => None,
            Aim::Inquiry(inquiry) => found(Subject::Inquiry(inquiry), nearest),
            Aim::Card(_) => {
                let cards = [aim, next].into_iter().filter_map(|aim| self.card(aim)).collect();
                found(Subject::Offer(cards), nearest)
            }
        }
    }

    /// How near each subject is, with the nearest of its ways: half by its nearest ways, which tell what is asked
    /// in known words, half by all of them, which tell what it is about.
    fn by_aim(&self, piece: &str) -> Vec<(u64, Aim, &str)> {
        let compared = self.weights.compared(piece);
        let near = self.ways.iter().map(|(aim, ways)| {
            let mut likenesses: Vec<_> = ways
                .iter()
                .map(|way| (compared.likeness(&way.entry, way.length), &*way.text))
                .collect();
            likenesses.sort_by_key(|(likeness, _)| Reverse(*likeness));
            let sum = |count: usize| {
                likenesses.iter().take(count).map(|(likeness, _)| likeness).sum::<u64>()
            };
            let nearest = sum(NEAREST) / NEAREST as u64;
            let all = self.directions.get(aim).map_or(0, |direction| direction.of(sum(ways.len())));
            (u64::midpoint(nearest, all), *aim, likenesses.first().map_or("", |(_, text)| text))
        });
        near.collect()
    }

    fn card(&self, aim: Aim) -> Option<&str> {
        match aim {
            Aim::Card(place) => self.cards.get(place).map(String::as_str),
            Aim::Nothing | Aim::Inquiry(_) => None,
        }
    }
}

/// Which of the cards that were offered a message chooses; none where it says something else.
pub fn chosen(text: &str) -> Option<Chosen> {
    let said = words(text).join(" ");
    let is = |name| list(LISTS, name).contains(&said.as_str());
    [("first", Chosen::First), ("second", Chosen::Second), ("both", Chosen::Both)]
        .into_iter()
        .find_map(|(name, choice)| is(name).then_some(choice))
}
