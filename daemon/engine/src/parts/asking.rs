//! What a message asks the interviewer: the nearest of the ways in which people ask (001 6.2).
//!
//! ```text
//! message ─▶ what may ask: each of its questions, or all of a short one
//!         ─▶ features: words, pairs of words, pieces of words; the rarer, the more they count
//!         ─▶ for each subject the likeness of its nearest ways, and of all its ways as one direction
//!         ─▶ the nearest, a card only where it is well ahead, else both are offered · too far off: nothing
//! ```
//! The ways are sentences that people write: a problem's own stand in its package, those that any
//! interview may bring in `asking.txt`, beside answers that only sound like questions. What is one of them
//! word for word asks for it, however little of it there is to weigh. All counting is in whole numbers.

mod form;
mod statement;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use vosim_protocol::v1::interview::{Clarification, Inquiry};

pub use form::may_ask;
use form::{Form, LISTS, countable, counted, counts_of_problem, pieces, singular};

use crate::parts::likeness::{Book, Compared, Direction, Entry, Weights};
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
/// Words before what is counted among which its number stands: "at most 2,000 mixed calls".
const NUMBER_WITHIN: usize = 3;
/// What an answer counts beside a question by its form, and beside a sentence with a question mark, percent.
const ANSWER_FORMED: u64 = 60;
const ANSWER_MARKED: u64 = 85;
/// Words up to which a question without a verb is one, and hardly an answer.
const BRIEF: usize = 4;

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
    /// True when it is a few words with a question mark, near to nothing: "and empty?".
    pub brief: bool,
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

/// The ways of asking that the sessions about one problem know.
#[derive(Debug)]
pub struct Phrasebook {
    weights: Weights<'static>,
    /// The ids of the cards, in their order.
    cards: Vec<String>,
    /// The problem's own ways, as they came.
    own: Vec<(Aim, Arc<str>)>,
    ways: BTreeMap<Aim, Vec<Way>>,
    /// What the problem's own ways ask for a number of, and what they are ways to.
    countable: BTreeMap<String, BTreeSet<Aim>>,
    /// How much the ways of each subject have in common.
    directions: BTreeMap<Aim, Direction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aim {
    Nothing,
    Inquiry(Inquiry),
    /// Its place among the ids.
    Card(usize),
}

#[derive(Debug)]
struct Way {
    text: Arc<str>,
    entry: Cow<'static, [usize]>,
    length: u64,
}

/// What any interview may bring.
struct Common {
    book: Book<'static>,
    ways: Vec<(Aim, Arc<str>, Entry)>,
}

static COMMON: LazyLock<Common> = LazyLock::new(|| {
    let inquiries = [
        ("repeat", Inquiry::Repeat),
        ("reword", Inquiry::Repeat),
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
        ("statement", Inquiry::Statement),
        ("vague", Inquiry::Unclear),
    ];
    let aims = inquiries.map(|(name, inquiry)| (name, Aim::Inquiry(inquiry)));
    let (mut book, mut ways) = (Book::default(), Vec::new());
    for (name, aim) in aims.into_iter().chain([("nothing", Aim::Nothing)]) {
        let entered = |way: &'static str| (aim, Arc::<str>::from(way), book.enter(way));
        ways.extend(list(LISTS, name).into_iter().map(entered));
    }
    Common { book, ways }
});

/// The ways of asking for the question that want it in other words. As ways they are one subject with those that
/// want to read it again, since both are about the question; the nearest of them all says which of the two it is.
static REWORD: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| list(LISTS, "reword").into_iter().collect());

/// The card that answers what may be imported, where a problem has one.
const LIBRARY: &str = "library";

/// The books that were asked last, the newest first, and how many are kept.
static KEPT: Mutex<Vec<Arc<Phrasebook>>> = Mutex::new(Vec::new());
const KEPT_MAX: usize = 4;

/// The ids of cards, in their order.
fn ids(cards: &[Clarification]) -> Vec<&str> {
    let mut ids: Vec<_> = cards.iter().map(|card| card.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

/// A problem's own ways, each with what it asks for.
fn own_ways<'a>(
    ids: &'a [&'a str],
    cards: &'a [Clarification],
    left_open: &'a [String],
    in_statement: &'a [String],
) -> impl Iterator<Item = (Aim, &'a str)> {
    let of_cards = cards.iter().flat_map(move |card| {
        let place = ids.binary_search(&card.id.as_str()).expect("the ids are those of the cards");
        let ways = card.ways.iter().chain([&card.question]);
        ways.map(move |way| (Aim::Card(place), way.as_str()))
    });
    let of = |ways: &'a [String], inquiry| {
        ways.iter().map(move |way| (Aim::Inquiry(inquiry), way.as_str()))
    };
    of_cards.chain(of(left_open, Inquiry::LeftOpen)).chain(of(in_statement, Inquiry::InStatement))
}

impl Phrasebook {
    /// The book of a problem's ways. Those that were asked lately are kept, since to make one takes many times
    /// as long as to ask it.
    pub fn of(cards: &[Clarification], left_open: &[String], in_statement: &[String]) -> Arc<Self> {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|book| book.is_of(cards, left_open, in_statement));
        let book = match known {
            Some(place) => kept.remove(place),
            None => Arc::new(Self::new(cards, left_open, in_statement)),
        };
        kept.insert(0, Arc::clone(&book));
        kept.truncate(KEPT_MAX);
        book
    }

    fn is_of(
        &self,
        cards: &[Clarification],
        left_open: &[String],
        in_statement: &[String],
    ) -> bool {
        let ids = ids(cards);
        let own = self.own.iter().map(|(aim, way)| (*aim, &**way));
        self.cards == ids && own.eq(own_ways(&ids, cards, left_open, in_statement))
    }

    /// The ways of a problem beside those of any interview.
    pub fn new(cards: &[Clarification], left_open: &[String], in_statement: &[String]) -> Self {
        let ids = ids(cards);
        let own = own_ways(&ids, cards, left_open, in_statement);
        let own: Vec<(Aim, Arc<str>)> = own.map(|(aim, way)| (aim, Arc::from(way))).collect();
        let mut of_counts: BTreeMap<String, BTreeSet<Aim>> = BTreeMap::new();
        for (aim, way) in &own {
            for noun in countable(way) {
                of_counts.entry(noun).or_default().insert(*aim);
            }
        }
        let Common { book, ways: common } = &*COMMON;
        let mut book = Book::after(book);
        let entered = own.iter().map(|(aim, way)| {
            let entry: Cow<'static, [usize]> = Cow::Owned(book.enter(way));
            (*aim, Arc::clone(way), entry)
        });
        let entered: Vec<_> = entered.collect();
        let library = ids.binary_search(&LIBRARY).ok();
        let common = common.iter().map(|(aim, text, entry)| {
            let aim = match library {
                Some(card) if *aim == Aim::Inquiry(Inquiry::Library) => Aim::Card(card),
                Some(_) | None => *aim,
            };
            (aim, Arc::clone(text), Cow::Borrowed(entry.as_slice()))
        });
        let weights = book.weights();
        let mut ways: BTreeMap<Aim, Vec<Way>> = BTreeMap::new();
        for (aim, text, entry) in entered.into_iter().chain(common) {
            let length = weights.length(&entry);
            ways.entry(aim).or_default().push(Way { text, entry, length });
        }
        let direction =
            |ways: &[Way]| weights.direction(ways.iter().map(|way| (&*way.entry, way.length)));
        let directions = ways.iter().map(|(aim, ways)| (*aim, direction(ways))).collect();
        let cards = ids.into_iter().map(str::to_owned).collect();
        Self { weights, cards, own, ways, countable: of_counts, directions }
    }

    /// What a message asks.
    pub fn questions<'t>(&'t self, text: &'t str) -> Questions<'t> {
        let (pieces, whole) = pieces(text);
        let mut asked: Vec<Inquired<'t>> = Vec::new();
        let mut answers = !pieces.is_empty();
        let mut hedges = answers;
        let mut only = whole;
        let mut brief = whole && pieces.len() == 1;
        for piece in pieces {
            let form = Form::of(piece);
            let found = self.asked(piece, form);
            // A question by its form is one whatever it is about.
            answers &= found.is_none() && form != Form::Question;
            brief &= found.is_none() && form == Form::Marked && words(piece).len() <= BRIEF;
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
        Questions { only: only && !asked.is_empty(), asked, answers, hedges, brief }
    }

    /// What a statement says to a question; none where nothing in it is near.
    pub fn said(&self, statement: &str, question: &str) -> Option<String> {
        let compared = self.weights.compared(question);
        let near = |piece: statement::Piece| {
            let entry = self.weights.entry(&piece.sentence);
            (compared.likeness(&entry, self.weights.length(&entry)), piece.told)
        };
        let counted = counted(question);
        let tells_number = |piece: &statement::Piece| {
            let said = words(&piece.sentence);
            let number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
            let is_number =
                |at: usize| said[at.saturating_sub(NUMBER_WITHIN)..at].iter().any(number);
            let mut nouns = said.iter().enumerate().filter(|it| counted.contains(&singular(it.1)));
            nouns.any(|(at, _)| is_number(at))
        };
        let mut pieces = statement::pieces(statement);
        // Who asks for the number of something is told where it stands, however little else is alike.
        let told = pieces.iter().any(tells_number);
        pieces.retain(|piece| !told || tells_number(piece));
        let said = pieces.into_iter().map(near);
        let nearest = said.max_by_key(|(likeness, _)| *likeness);
        nearest.filter(|(likeness, _)| told || *likeness >= FLOOR_SAID).map(|(_, told)| told)
    }

    fn asked<'t>(&'t self, piece: &'t str, form: Form) -> Option<Inquired<'t>> {
        let (answer, floor) = match form {
            Form::Question => (ANSWER_FORMED, FLOOR_FORMED),
            Form::Marked => (ANSWER_MARKED, FLOOR_MARKED),
            Form::Hedged | Form::Unsure => (100, FLOOR_MARKED),
            Form::Plain => (100, FLOOR_PLAIN),
        };
        let mut by_aim = self.by_aim(piece);
        if counts_of_problem(piece) {
            // "How many calls are there?" is as near to "how many tests are there" as words can be.
            by_aim.retain(|(_, aim, _)| match aim {
                Aim::Inquiry(inquiry) => Subject::Inquiry(*inquiry).is_about_problem(),
                Aim::Card(_) | Aim::Nothing => true,
            });
        }
        let counting = self.counting(piece);
        if let Some(counting) = counting.as_ref().filter(|aims| !aims.is_empty()) {
            by_aim.retain(|(_, aim, _)| *aim == Aim::Nothing || counting.contains(aim));
        }
        // A number of what no way counts is asked for in words of the candidate's own: a card is only offered.
        let sure = counting.is_none_or(|aims| !aims.is_empty());
        for (score, aim, _) in &mut by_aim {
            *score = if *aim == Aim::Nothing { *score * answer / 100 } else { *score };
        }
        by_aim.sort_by_key(|(score, aim, _)| (Reverse(*score), *aim));
        let found = |subject, nearest| Some(Inquired { subject, nearest, words: piece });
        let said = words(piece);
        let same = by_aim.iter().find(|it| !said.is_empty() && words(it.2) == said);
        if let Some(&(_, aim, way)) = same {
            return self.subject(aim, way).and_then(|subject| found(subject, way));
        }
        let mut ranked = by_aim.into_iter();
        let (score, aim, nearest) = ranked.next()?;
        let (next_score, next, _) = ranked.next().unwrap_or((0, Aim::Nothing, ""));
        let ahead = |percent: u64| score * 100 >= next_score * percent;
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
            Aim::Card(_) if sure && score >= SURE && ahead(AHEAD_CARD) => {
                self.subject(aim, nearest).and_then(|subject| found(subject, nearest))
            }
            // Who is not sure of an answer is not asked back, and is told what is near beyond doubt alone.
            Aim::Inquiry(_) if hedged && (score < FLOOR_PLAIN || !ahead(AHEAD_PLAIN)) => None,
            Aim::Card(_) if hedged => None,
            Aim::Inquiry(_) => {
                self.subject(aim, nearest).and_then(|subject| found(subject, nearest))
            }
            Aim::Card(_) => {
                let cards = [aim, next].into_iter().filter_map(|aim| self.card(aim)).collect();
                found(Subject::Offer(cards), nearest)
            }
        }
    }

    /// What answers a question for something beyond doubt, by the nearest of its ways; nothing for an answer.
    fn subject(&self, aim: Aim, nearest: &str) -> Option<Subject<'_>> {
        match aim {
            Aim::Nothing => None,
            Aim::Card(card) => Some(Subject::Card(&self.cards[card])),
            Aim::Inquiry(Inquiry::Repeat) if REWORD.contains(nearest) => {
                Some(Subject::Inquiry(Inquiry::Reword))
            }
            Aim::Inquiry(inquiry) => Some(Subject::Inquiry(inquiry)),
        }
    }

    fn card(&self, aim: Aim) -> Option<&str> {
        match aim {
            Aim::Card(card) => Some(&self.cards[card]),
            Aim::Nothing | Aim::Inquiry(_) => None,
        }
    }

    /// The subjects with a way that asks for the number of what a piece counts; none where it counts nothing of the
    /// problem.
    fn counting(&self, piece: &str) -> Option<BTreeSet<Aim>> {
        let counted = counted(piece);
        let of_problem = counts_of_problem(piece) && !counted.is_empty();
        let aims = counted.iter().filter_map(|noun| self.countable.get(noun));
        of_problem.then(|| aims.flatten().copied().collect())
    }

    /// How near each subject is, with the nearest of its ways.
    fn by_aim(&self, piece: &str) -> Vec<(u64, Aim, &str)> {
        let compared = self.weights.compared(piece);
        let of = self.ways.iter().map(|(aim, ways)| {
            let (score, nearest) = self.nearness(&compared, *aim, ways);
            (score, *aim, nearest)
        });
        of.collect()
    }

    /// How near a subject is: half by its nearest ways, which tell what is asked in known words, half by all of
    /// them, which tell what it is about.
    fn nearness<'w>(&self, compared: &Compared, aim: Aim, ways: &'w [Way]) -> (u64, &'w str) {
        let likeness = |way: &Way| compared.likeness(&way.entry, way.length);
        let mut likenesses: Vec<_> = ways.iter().map(|way| (likeness(way), &*way.text)).collect();
        likenesses.sort_by_key(|(likeness, _)| Reverse(*likeness));
        let sum =
            |count: usize| likenesses.iter().take(count).map(|(likeness, _)| likeness).sum::<u64>();
        let nearest = sum(NEAREST) / NEAREST as u64;
        let all = self.directions.get(&aim).map_or(0, |direction| direction.of(sum(ways.len())));
        (u64::midpoint(nearest, all), likenesses.first().map_or("", |(_, text)| *text))
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
