//! What the interviewer says: feedback after a verdict, and hints (000: submit, hint).

use vosim_protocol::v1::clauses::hint_rule;
use vosim_protocol::v1::drill::AgentResponse;
use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::phrase::Phrase;
use vosim_protocol::v1::talk::Words;

use crate::render::look::{Icon, Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;

pub(crate) fn feedback(response: &AgentResponse, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    page.say(Tone::Strong, &format!("{}Feedback:", look.icon(Icon::Feedback)));
    markdown::draw(&mut page, &response.message);
    by_model(&mut page, response.metadata.words, response.metadata.model.as_deref());
    page.finish()
}

/// What is asked about a change of the problem after a pass, as the session tells it.
pub(crate) fn variation(told: &str, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    markdown::draw(&mut page, told);
    page.say(
        Tone::Dim,
        "Think it over, or answer with: vosimctl say TEXT. Nothing is judged of it.",
    );
    page.finish()
}

/// What there is to do after an answer.
pub(crate) fn answered(asked: bool, look: &Look) -> String {
    let mut page = Page::new(look);
    page.say(
        Tone::Plain,
        match asked {
            true => {
                "Your answer is written down. Answer this one too, or finish with: vosimctl end"
            }
            false => "Your answer is written down. Finish with: vosimctl end",
        },
    );
    page.finish()
}

/// A hint, with what leads to the next level where that is still of use.
pub(crate) fn hint(hint: &HintGiven, above: Option<&Phrase>, look: &Look) -> String {
    let mut page = Page::new(look);
    let title = format!("{}Hint (Level {}):", look.icon(Icon::Hint), hint.hint_level);
    page.say(Tone::Strong, &title).blank();
    markdown::draw(&mut page, &hint.hint_text);
    page.blank()
        .say(Tone::Dim, &format!("Why this level: {}.", hint_rule(hint.trigger_reason).text));
    if let Some(above) = above {
        page.say(Tone::Dim, &above.text);
    }
    by_model(&mut page, hint.words, hint.model.as_deref());
    page.finish()
}

fn by_model(page: &mut Page<'_>, words: Words, model: Option<&str>) {
    let told = match (words, model) {
        (Words::Problem, _) => return,
        (Words::Model, None) => "(in a model's words)".to_owned(),
        (Words::Model, Some(model)) => format!("(in the words of the model {model})"),
    };
    page.say(Tone::Dim, &told);
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::clauses::hint_above;

    use super::*;
    use crate::render::samples;

    #[test]
    fn feedback_stands_below_the_verdict() {
        insta::assert_snapshot!(feedback(&samples::feedback(), &Look::PLAIN), @r#"
        💬 Feedback:
        Your solution has issues with eviction logic. When the cache reaches capacity,
        it should remove the least recently used item.
        "#);
    }

    #[test]
    fn hints_of_every_level() {
        let all: String = (1..=4)
            .map(|level| {
                let above = hint_above(level, 4);
                hint(&samples::hint(level), above.as_ref(), &Look::PLAIN) + "\n"
            })
            .collect();
        insta::assert_snapshot!(all, @r"
        💡 Hint (Level 1):

        What holds the order of use?

        Why this level: the first request about an issue gives level 1.
        Level 2 comes when another version fails over the same thing, or with the third
        submission.

        💡 Hint (Level 2):

        Use two structures:

          • one finds
          • one orders

        Why this level: three submissions give at least level 2.
        Level 3 comes when another version fails over the same thing, or with the fifth
        submission.
        (in the words of the model small-3b)

        💡 Hint (Level 3):

            put(key, value):
                move to end

        Why this level: another failure over the same issue gives one level more.
        This is the last level; above it there is only the reference solution, for which
        you give up.

        💡 Hint (Level 4):

            class LRUCache:
                ...

        Why this level: giving up gives level 4.
        ");
    }
}
