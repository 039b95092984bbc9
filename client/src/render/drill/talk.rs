//! What the interviewer says: feedback after a verdict, and hints (000: submit, hint).

use vosim_protocol::v1::clauses::hint_rule;
use vosim_protocol::v1::drill::AgentResponse;
use vosim_protocol::v1::hints::HintGiven;
use vosim_protocol::v1::talk::Words;

use crate::render::look::{Icon, Look, Tone};
use crate::render::markdown;
use crate::render::page::Page;

pub(crate) fn feedback(response: &AgentResponse, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    page.say(Tone::Strong, &format!("{}Feedback:", look.icon(Icon::Feedback)));
    markdown::draw(&mut page, &response.message);
    by_model(&mut page, response.metadata.words);
    page.finish()
}

pub(crate) fn hint(hint: &HintGiven, look: &Look) -> String {
    let mut page = Page::new(look);
    let title = format!("{}Hint (Level {}):", look.icon(Icon::Hint), hint.hint_level);
    page.say(Tone::Strong, &title).blank();
    markdown::draw(&mut page, &hint.hint_text);
    page.blank()
        .say(Tone::Dim, &format!("Why this level: {}.", hint_rule(hint.trigger_reason).text));
    by_model(&mut page, hint.words);
    page.finish()
}

fn by_model(page: &mut Page<'_>, words: Words) {
    match words {
        Words::Problem => {}
        Words::Model => {
            page.say(Tone::Dim, "(in a model's words)");
        }
    }
}

#[cfg(test)]
mod tests {
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
        let all: String =
            (1..=4).map(|level| hint(&samples::hint(level), &Look::PLAIN) + "\n").collect();
        insta::assert_snapshot!(all, @r#"
        💡 Hint (Level 1):

        What holds the order of use?

        Why this level: the first request gives level 1.

        💡 Hint (Level 2):

        Use two structures:

          • one finds
          • one orders

        Why this level: three submissions give at least level 2.
        (in a model's words)

        💡 Hint (Level 3):

            put(key, value):
                move to end

        Why this level: the same failure again gives one level more.

        💡 Hint (Level 4):

            class LRUCache:
                ...

        Why this level: giving up gives level 4.
        "#);
    }
}
