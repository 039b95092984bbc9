//! `diff`: what changed between two submissions.

use serde::Serialize;
use similar::TextDiff;
use vosim_protocol::Role;
use vosim_protocol::v1::judging::ResultLine;

use crate::call::blob_text;
use crate::cli;
use crate::commands::Context;
use crate::commands::session::find;
use crate::errors::{Exit, Failure, code, user_error};
use crate::judged::unknown_submission;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;

/// Two submissions and what lies between them, as a unified diff.
#[derive(Serialize)]
struct Compared {
    a: u32,
    b: u32,
    diff: String,
}

pub(crate) fn run(args: &cli::Diff, context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let session = context.session.clone();
    let view = find(&mut client, session, Role::Candidate)?;
    let (a, b) = pair(view.history(), args.a, args.b)?;
    // From here on the session is named, whatever becomes of the current one.
    let session = view.session_id().to_string();
    let before = blob_text(&mut client, &session, a.code_hash)?;
    let after = blob_text(&mut client, &session, b.code_hash)?;
    let diff = unified(a, &before, b, &after);
    let compared = Compared { a: a.attempt_number, b: b.attempt_number, diff };
    context.output.data(&compared, |look| draw(&compared, look))?;
    Ok(Exit::Done)
}

/// Two submissions: those named, the last where one is missing, the last two where both are.
fn pair(
    history: &[ResultLine],
    a: Option<u32>,
    b: Option<u32>,
) -> Result<(&ResultLine, &ResultLine), Failure> {
    let numbered = |number: u32| {
        let found = history.iter().rev().find(|line| line.attempt_number == number);
        found.ok_or_else(|| unknown_submission(number))
    };
    let too_few = || {
        let message = match history.len() {
            0 => "nothing has been judged yet",
            _ => "only one submission has been judged, so there is nothing to compare",
        };
        user_error(code::UNKNOWN_SUBMISSION, message)
            .hint("See where the session stands with: vosimctl status")
    };
    let (last, before) = match history {
        [.., before, last] => (Some(last), Some(before)),
        [last] => (Some(last), None),
        [] => (None, None),
    };
    let a = a.map_or_else(|| before.ok_or_else(too_few), numbered)?;
    let b = b.map_or_else(|| last.ok_or_else(too_few), numbered)?;
    Ok((a, b))
}

fn unified(a: &ResultLine, before: &str, b: &ResultLine, after: &str) -> String {
    let header =
        |line: &ResultLine| format!("submission {} ({})", line.attempt_number, line.file_path);
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&header(a), &header(b))
        .to_string()
}

fn draw(compared: &Compared, look: &Look) -> String {
    let mut page = Page::new(look);
    if compared.diff.is_empty() {
        let Compared { a, b, .. } = compared;
        page.say(Tone::Plain, &format!("Submissions {a} and {b} are the same."));
    }
    difference(&mut page, &compared.diff);
    page.finish()
}

/// A unified difference, line by line.
pub(super) fn difference(page: &mut Page<'_>, diff: &str) {
    for line in diff.lines() {
        let tone = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Tone::Strong,
            [b'+', ..] => Tone::Good,
            [b'-', ..] => Tone::Bad,
            [b'@', ..] => Tone::Dim,
            _ => Tone::Plain,
        };
        page.code("", tone, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;
    use vosim_protocol::v1::drill::Phase;

    fn numbers(a: Option<u32>, b: Option<u32>) -> Result<(u32, u32), String> {
        let history = samples::view(Phase::AwaitingAction).history;
        let (a, b) = pair(&history, a, b).map_err(|fault| fault.to_string())?;
        Ok((a.attempt_number, b.attempt_number))
    }

    #[test]
    fn the_last_two_are_compared_unless_others_are_named() {
        assert_eq!(numbers(None, None), Ok((2, 3)));
        assert_eq!(numbers(Some(1), None), Ok((1, 3)));
        assert_eq!(numbers(Some(3), Some(1)), Ok((3, 1)));
        assert_eq!(numbers(Some(9), None), Err("there is no submission 9".to_owned()));
        assert!(pair(&[], None, None).is_err());
    }

    #[test]
    fn a_difference_is_a_unified_diff() {
        let history = samples::view(Phase::AwaitingAction).history;
        let before = "class LRUCache:\n    size = 1\n";
        let diff = unified(&history[0], before, &history[2], &before.replace('1', "2\u{7}"));
        let compared = Compared { a: 1, b: 3, diff };
        insta::assert_snapshot!(draw(&compared, &Look::PLAIN), @r#"
        --- submission 1 (/home/ada/lru_cache.py)
        +++ submission 3 (/home/ada/lru_cache.py)
        @@ -1,2 +1,2 @@
         class LRUCache:
        -    size = 1
        +    size = 2\x07
        "#);
    }
}
