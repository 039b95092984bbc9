//! What the interviewer says: feedback after a verdict, and hints (000: submit, hint).

use vosim_protocol::v1::drill::AgentResponse;

use vosim_protocol::v1::hints::{HintGiven, TriggerReason};

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
    page.blank().say(Tone::Dim, &format!("Why this level: {}", reason(hint.trigger_reason)));
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

/// The rule that chose the level (000: hint escalation).
pub(crate) fn reason(reason: TriggerReason) -> &'static str {
    match reason {
        TriggerReason::FirstHintRequest => "it is the first hint.",
        TriggerReason::SameFailureRepeated => "a new attempt failed in the same way.",
        TriggerReason::SubmissionsMin2 => "three attempts give at least level 2.",
        TriggerReason::SubmissionsMin3 => "five attempts give at least level 3.",
        TriggerReason::SubmissionsLevel4 => "seven attempts give the reference solution.",
        TriggerReason::GiveUp => "you gave up.",
        TriggerReason::NoChange => "no rule raises it since the last hint.",
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

        Why this level: it is the first hint.

        💡 Hint (Level 2):

        Use two structures:

          • one finds
          • one orders

        Why this level: three attempts give at least level 2.
        (in a model's words)

        💡 Hint (Level 3):

            put(key, value):
                move to end

        Why this level: a new attempt failed in the same way.

        💡 Hint (Level 4):

            class LRUCache:
                ...

        Why this level: you gave up.
        "#);
    }
}
