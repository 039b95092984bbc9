//! What a message says of the open section (001 6.2), and what a follow-up takes up of it.

use vosim_protocol::v1::coverage::FollowupRule;

use super::section::{Contents, Message, OpenSection};
use super::state::State;
use crate::parts::followups::Choice;
use crate::parts::hearing::{self, Listened, Listener, Utterance};
use crate::parts::text::{sentences, words};

/// Longest text that is heard together with a message, bytes.
const BEFORE_MAX_BYTES: usize = 8 * 1024;

/// Longest sentence that a follow-up says back, bytes, and the fewest words of one.
const QUOTED_MAX_BYTES: usize = 160;
const QUOTED_MIN_WORDS: usize = 4;

/// Listens to a message for what a section has to cover, as an answer to what was asked there last.
pub(super) fn listen(state: &State, section: &Contents, text: &str) -> Listened {
    listen_after(state, section, &before(section), text)
}

/// The same for a message by itself, whatever was said before it.
pub(super) fn listen_alone(state: &State, section: &Contents, text: &str) -> Listened {
    listen_after(state, section, "", text)
}

fn listen_after(state: &State, section: &Contents, before: &str, text: &str) -> Listened {
    let problem = &state.spec.problem;
    let statement = problem.statement.as_str();
    let told: Vec<_> = section.told().chain([statement]).collect();
    let listener = Listener::new(state.spec.hearing, &problem.interface, statement);
    let said = Utterance {
        text,
        before,
        asked: section.asked(&state.spec.schema),
        dimensions: &section.plan(&state.spec.schema).dimensions,
        told: &told,
    };
    hearing::listen(listener.as_ref(), said)
}

/// What was said since the question that is open, as far as nothing held it back: the last of it.
fn before(section: &Contents) -> String {
    let said = section.answers().filter(|message| message.whole);
    let mut texts: Vec<&str> = said.map(|message| &*message.text).collect();
    let mut bytes: usize = texts.iter().map(|text| text.len()).sum();
    while bytes > BEFORE_MAX_BYTES {
        bytes -= texts.remove(0).len();
    }
    texts.join("\n")
}

/// The words of the candidate that a follow-up on something partly covered takes up: the sentence that speaks
/// most for it, of those by which it was touched, if it is short enough to be said back and asks nothing. What
/// was said to another question may sound more like it, and to take that up is not to have listened; nor is to say
/// the same sentence back with a second question.
pub(super) fn quote(state: &State, section: &OpenSection, choice: &Choice) -> Option<String> {
    if choice.rule != FollowupRule::DeepenPartial {
        return None;
    }
    let problem = &state.spec.problem;
    let listener = Listener::new(state.spec.hearing, &problem.interface, &problem.statement)?;
    let touched = |message: &&Message| message.raises.contains(&choice.dimension);
    let said = section.contents.messages.iter().filter(touched);
    let said = said.filter(|message| message.whole && !message.late);
    let sentences = said.flat_map(|message| sentences(&message.text));
    let short = sentences.filter(|sentence| {
        let plain = |c: char| !c.is_control() && !matches!(c, '?' | '“' | '”');
        let new = !section.quoted.contains(*sentence);
        new && sentence.len() <= QUOTED_MAX_BYTES && sentence.chars().all(plain)
    });
    let dimensions = &section.plan(&state.spec.schema).dimensions;
    let about = dimensions.iter().find(|dimension| dimension.id == choice.dimension)?;
    let best = listener.best(short.filter(|it| words(it).len() >= QUOTED_MIN_WORDS), about)?;
    Some(best.to_owned())
}
