//! The beginning of a drill: the panel, the whole statement, the file to fill in (000: start).

use vosim_protocol::SessionId;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::ProblemCard;

use crate::render::look::{Icon, Look, Tone};
use crate::render::page::{Line, Page, Panel};
use crate::render::problem::statement;
use crate::render::sessions::session_id;
use crate::render::text::shell;
use crate::starter::Starter;

pub(crate) fn started(
    session: SessionId,
    card: &ProblemCard,
    language: Language,
    look: &Look,
) -> String {
    let mut page = Page::new(look);
    let title = format!("{}{} Drill Session Started", look.icon(Icon::Session), card.title);
    let panel = Panel::default().section(vec![
        Line::toned(Tone::Strong, &title),
        Line::field("Session ID", &session_id(session, look)),
    ]);
    page.panel(&panel).blank();
    statement(&mut page, card, language);
    page.finish()
}

/// What became of the starter file, and how to submit.
pub(crate) fn file_note(starter: Option<&Starter>, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank();
    let file = match starter {
        Some(Starter::Written(path)) => {
            page.say(Tone::Plain, &format!("A file to start from was written: {}", path.display()));
            path.display().to_string()
        }
        Some(Starter::Same(path)) => {
            page.say(
                Tone::Plain,
                &format!("The file to start from already exists: {}", path.display()),
            );
            path.display().to_string()
        }
        Some(Starter::Taken { path, free }) => {
            page.say(
                Tone::Warn,
                &format!("{} exists already and was left as it is.", path.display()),
            );
            if let Some(free) = free {
                let command = format!(
                    "vosimctl problem show --starter {}",
                    shell(&free.display().to_string())
                );
                page.say(Tone::Plain, "To get the file to start from under another name:");
                page.raw(&format!("  {}", look.spell(&command)));
            }
            path.display().to_string()
        }
        None => "FILE".to_owned(),
    };
    page.blank().say(Tone::Plain, "When ready, submit your solution:");
    page.raw(&format!("  vosimctl submit {}", look.spell(&shell(&file))));
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn the_statement_is_shown_whole() {
        let session = samples::session();
        let drawn = started(session, &samples::card(), Language::Python, &Look::PLAIN);
        let note = file_note(Some(&Starter::Written("lru_cache.py".into())), &Look::PLAIN);
        insta::assert_snapshot!(drawn + &note, @r#"
        ╭──────────────────────────────────────────────────╮
        │ 🎯 LRU Cache Drill Session Started               │
        │ Session ID: 550e8400-e29b-41d4-a716-446655440000 │
        ╰──────────────────────────────────────────────────╯

        Problem: LRU Cache

        Build a cache that drops its least recently used key.

        Limits

          • capacity is at least 1.

        Your class LRUCache must implement:
          • __init__(capacity: int)
          • get(key: int) -> int
          • put(key: int, value: int) -> None

        A file to start from was written: lru_cache.py

        When ready, submit your solution:
          vosimctl submit lru_cache.py
        "#);
    }

    #[test]
    fn another_name_is_offered_for_a_file_that_exists() {
        let taken = Starter::Taken {
            path: "my code/lru_cache.py".into(),
            free: Some("my code/lru_cache_2.py".into()),
        };
        insta::assert_snapshot!(file_note(Some(&taken), &Look::PLAIN), @r#"
        my code/lru_cache.py exists already and was left as it is.
        To get the file to start from under another name:
          vosimctl problem show --starter 'my code/lru_cache_2.py'

        When ready, submit your solution:
          vosimctl submit 'my code/lru_cache.py'
        "#);
    }
}
