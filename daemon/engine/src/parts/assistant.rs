//! What the assistant may say (001 8): every answer is checked before the candidate reads it.
//!
//! Allowed are definitions, what documentation says, and nudges; not allowed are solutions,
//! substantial code and plans of the implementation (001 8.2). The check is a backstop: the
//! assistant has no reference in its reach, so it cannot copy one; what it invents is measured
//! here. It cannot see that renamed variables are a known program; their lines and their tokens
//! are counted all the same, and the tokens over the whole interview.
//!
//! A [`Reply`] is text and figures. It has no way to name a section, a timer, a follow-up or any
//! event, so the assistant cannot change the state of a section (001 8.1, DESIGN invariant 7).

mod aside;
mod code;
mod plan;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeSet;
use std::fmt;

use vosim_protocol::v1::assistant::Violation;

pub use aside::is_aside;
use code::Code;

/// Most lines of code in one answer (notes, section 7: one-line idioms are documentation).
pub const CODE_LINES_MAX: usize = 3;
/// Longest answer, characters (001 8.2: response length).
pub const ANSWER_MAX_CHARS: usize = 1_200;
/// Tokens in a row that make a piece of the reference (notes 4.18, the run of the content lint).
pub const REFERENCE_RUN: usize = 5;
/// Shorter pieces of the reference, which only count for the budget, tokens.
pub const REFERENCE_PIECE: usize = 3;
/// For how many tokens of other code a token of the reference counts: a short program must not
/// come out within the budget, line by line.
pub const REFERENCE_WEIGHT: usize = 2;
/// Tokens of code and of the reference that all answers of one interview may release (notes 4.6):
/// code as good documentation shows it in a dozen answers. A name alone, also one of the standard
/// library as in `math.isclose`, releases nothing: words stay free when the budget is spent.
pub const RELEASED_MAX: u32 = 60;

/// What the candidate reads instead of an answer that broke a rule.
pub const REFUSAL: &str = "I may not show that here: it would be code, a plan or a part of a \
    solution. I can explain a concept, what an error message means or what the documentation of \
    a function says, and ask about your own idea. Which of these helps?";
/// What the candidate reads when only the budget of the interview is spent.
pub const REFUSAL_BUDGET: &str = "I have shown all the code that I may in one interview. I can \
    still explain a concept, what an error message means or what the documentation says, in words.";
/// What the candidate reads when there is no answer.
pub const UNANSWERED: &str = "I have no answer to that. Ask about one concept, one error message \
    or one function of the standard library, and name it.";

/// The reference programs as the check knows them: runs of tokens, without those that stand in
/// what the candidate may read anyway.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Reference {
    runs: BTreeSet<String>,
    pieces: BTreeSet<String>,
}

impl Reference {
    /// From the reference programs and the public texts: statement and starters.
    pub fn new<'a>(
        programs: impl Iterator<Item = &'a str>,
        public: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut reference = Self::default();
        for program in programs {
            let all = tokens::fold(program);
            let code = tokens::without_comments(&all);
            reference.runs.extend(runs(&tokens::tokens(&all), REFERENCE_RUN));
            reference.runs.extend(runs(&tokens::tokens(&code), REFERENCE_RUN));
            let code = tokens::without_comments(&tokens::without_doc_texts(&all));
            let code = tokens::tokens(&code);
            reference.pieces.extend(runs(&code, REFERENCE_PIECE));
            // As a sentence tells it: "the entry is then taken from self's entries by get".
            reference.runs.extend(runs(&tokens::without_fillers(&code), REFERENCE_RUN));
        }
        for text in public {
            let all = tokens::fold(text);
            for text in [tokens::without_comments(&all), all] {
                let tokens = tokens::tokens(&text);
                let spoken = tokens::without_fillers(&tokens);
                for run in runs(&tokens, REFERENCE_RUN).chain(runs(&spoken, REFERENCE_RUN)) {
                    reference.runs.remove(&run);
                }
                for piece in runs(&tokens, REFERENCE_PIECE) {
                    reference.pieces.remove(&piece);
                }
            }
        }
        reference
    }

    /// True for a run of the reference, told forwards or backwards, with or without fillers.
    fn holds_a_run_of(&self, tokens: &[&str]) -> bool {
        let held =
            |tokens: &[&str]| runs(tokens, REFERENCE_RUN).any(|run| self.runs.contains(&run));
        let spoken = tokens::without_fillers(tokens);
        let backwards: Vec<_> = tokens.iter().rev().copied().collect();
        [tokens, &spoken, &backwards].into_iter().any(held)
    }

    /// How many tokens stand in pieces of the reference.
    fn shared(&self, tokens: &[&str]) -> usize {
        let mut shared = vec![false; tokens.len()];
        for (at, piece) in runs(tokens, REFERENCE_PIECE).enumerate() {
            if self.pieces.contains(&piece) {
                shared[at..at + REFERENCE_PIECE].fill(true);
            }
        }
        shared.into_iter().filter(|shared| *shared).count()
    }
}

/// Shows how much it knows and nothing of it: it must not get into a log of the program.
impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reference").field("runs", &self.runs.len()).finish_non_exhaustive()
    }
}

fn runs(tokens: &[&str], length: usize) -> impl Iterator<Item = String> {
    tokens.windows(length).map(|run| run.join(" "))
}

/// An answer as far as the rules let it through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What the candidate reads.
    pub text: String,
    /// The rules that the answer broke, in the order of [`Violation`].
    pub violations: Vec<Violation>,
    /// The answer that broke them.
    pub withheld: Option<String>,
    /// True when there was no answer.
    pub unanswered: bool,
    /// Tokens of code and of the reference released so far, this answer included; what is withheld
    /// releases nothing.
    pub released_tokens: u32,
}

/// Lets an answer through, or replaces it by a fixed sentence.
///
/// `released` is what earlier answers released. No answer, or a blank one, is
/// [`UNANSWERED`].
pub fn check(answer: Option<&str>, reference: &Reference, released: u32) -> Reply {
    let Some(answer) = answer.filter(|answer| !answer.trim().is_empty()) else {
        return Reply {
            text: UNANSWERED.to_owned(),
            violations: Vec::new(),
            withheld: None,
            unanswered: true,
            released_tokens: released,
        };
    };
    let weighed = Weighed::new(answer, reference);
    let after = released.saturating_add(weighed.tokens);
    let violations = weighed.violations(after);
    let refusal = match violations.as_slice() {
        [] => None,
        [Violation::LeakBudget] => Some(REFUSAL_BUDGET),
        _ => Some(REFUSAL),
    };
    Reply {
        text: refusal.unwrap_or(answer).to_owned(),
        withheld: refusal.map(|_| answer.to_owned()),
        unanswered: false,
        released_tokens: if refusal.is_none() { after } else { released },
        violations,
    }
}

/// The rules that a text would break as an answer, whatever was released before it.
pub(crate) fn broken(text: &str, reference: &Reference) -> Vec<Violation> {
    let weighed = Weighed::new(text, reference);
    weighed.violations(weighed.tokens)
}

/// What the rules look at.
struct Weighed {
    code_lines: usize,
    opaque: bool,
    reference: bool,
    plan: bool,
    chars: usize,
    tokens: u32,
}

impl Weighed {
    fn new(answer: &str, reference: &Reference) -> Self {
        let text = tokens::fold(answer);
        let code = Code::of(&text);
        let bare = tokens::without_comments(&text);
        let marked = tokens::without_comments(&code.marked);
        let mirrored: String = bare.chars().rev().collect();
        let texts = [&text, &bare, &marked, &mirrored].map(|text| tokens::tokens(text));
        let [_, bare, ..] = &texts;
        let in_code = tokens::tokens(&tokens::without_comments(&code.text)).len();
        let released = in_code + REFERENCE_WEIGHT * reference.shared(bare);
        Self {
            code_lines: code.lines,
            opaque: code::is_opaque(&text),
            reference: texts.iter().any(|tokens| reference.holds_a_run_of(tokens)),
            plan: plan::is_plan(&text),
            chars: answer.chars().count(),
            tokens: u32::try_from(released).unwrap_or(u32::MAX),
        }
    }

    fn violations(&self, released: u32) -> Vec<Violation> {
        [
            (Violation::Code, self.code_lines > CODE_LINES_MAX || self.opaque),
            (Violation::Reference, self.reference),
            (Violation::Plan, self.plan),
            (Violation::Length, self.chars > ANSWER_MAX_CHARS),
            (Violation::LeakBudget, released > RELEASED_MAX),
        ]
        .into_iter()
        .filter_map(|(violation, broken)| broken.then_some(violation))
        .collect()
    }
}
