//! The form of UNDERSTAND: a text with five headings, filled in an editor or anywhere else.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command as Program;

use vosim_protocol::v1::attempt::{Command, UnderstandPayload, View};

use crate::commands::Context;
use crate::errors::{Failure, code, usage_error, user_error};
use crate::files::{text_file, unwritable};

/// What is read, in words.
const FORM: &str = "a form";
/// Longest form that is read, bytes.
const FORM_MAX_BYTES: u64 = 256 * 1024;

/// The headings of the form, in the order of the fields of 003, with what belongs below each.
const HEADINGS: [(&str, &str); 5] = [
    ("The problem in plain words", "as you would tell it to somebody of twelve"),
    ("What goes in and what comes out", "the values of each call, and what it gives back"),
    ("What bounds it", "sizes, ranges, what never happens"),
    ("One example walked through", "a run of calls on a line of its own is tried out"),
    ("One way that would not do", "and on which input it fails"),
];

/// A form that nothing stands in.
pub(super) const EMPTY: &str = "\
# Explain the problem. Lines that begin with # are not sent. Keep the headings.

== The problem in plain words ==
# As you would tell it to somebody of twelve.


== What goes in and what comes out ==
# The values of each call, and what it gives back.


== What bounds it ==
# Sizes, ranges, what never happens.


== One example walked through ==
# A run of calls on a line of its own is tried out, like: LRUCache(1) put(1,1) get(1)==1


== One way that would not do ==
# And on which input it fails.

";

/// Reads a filled form from a file, or from standard input for `-`.
pub(super) fn read(path: &Path) -> Result<Command, Failure> {
    if path == Path::new("-") {
        let mut text = String::new();
        let input = std::io::stdin().lock().take(FORM_MAX_BYTES).read_to_string(&mut text);
        input.map_err(|error| usage_error(format!("cannot read standard input: {error}")))?;
        return parse(&text);
    }
    parse(&text_file(path, FORM, FORM_MAX_BYTES)?)
}

/// Has the form filled in the editor. What is typed stays in a file until it was sent, so that it
/// outlives an editor, a terminal and a daemon that end in between.
pub(super) fn edited(before: &View, context: &Context) -> Result<Command, Failure> {
    let draft = draft(before, context)?;
    if !draft.exists() {
        let text =
            before.attempt.understand_payload.as_ref().map_or_else(|| EMPTY.to_owned(), filled);
        std::fs::write(&draft, text).map_err(|error| unwritable(&draft, &error))?;
    }
    let editor = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let Some(editor) = editor.filter(|editor| !editor.trim().is_empty()) else {
        return Err(usage_error("no editor is set".to_owned()).hint(format!(
            "Set EDITOR, or fill {} and run: vosimctl attempt understand {}",
            draft.display(),
            draft.display()
        )));
    };
    // The variable may hold a program with arguments, as everybody's shell reads it.
    let ended =
        Program::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&draft).status();
    let ended = ended.map_err(|error| usage_error(format!("cannot start {editor}: {error}")))?;
    let kept = || format!("What you wrote is kept in {}", draft.display());
    if !ended.success() {
        let message = format!("{editor} ended without success; nothing was sent");
        return Err(user_error(code::USAGE, message).hint(kept()));
    }
    parse(&text_file(&draft, FORM, FORM_MAX_BYTES)?).map_err(|failure| failure.hint(kept()))
}

fn draft(before: &View, context: &Context) -> Result<PathBuf, Failure> {
    let folder = context.drafts()?;
    Ok(folder.join(format!("{}.txt", before.session_id)))
}

/// The form with what was sent before.
fn filled(payload: &UnderstandPayload) -> String {
    let texts = [
        &payload.explanation,
        &payload.input_output_description,
        &payload.constraints_description,
        &payload.example_walkthrough,
        &payload.wrong_approach,
    ];
    let parts = HEADINGS.iter().zip(texts);
    let parts =
        parts.map(|((heading, about), text)| format!("== {heading} ==\n# {about}\n{text}\n"));
    format!(
        "# Lines that begin with # are not sent. Keep the headings.\n\n{}",
        parts.collect::<Vec<_>>().join("\n")
    )
}

fn parse(text: &str) -> Result<Command, Failure> {
    let mut fields: [String; 5] = Default::default();
    let mut at = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let heading = line.trim().strip_prefix("== ").and_then(|line| line.strip_suffix(" =="));
        match (heading, at) {
            (Some(heading), _) => {
                let place = HEADINGS.iter().position(|(name, _)| *name == heading.trim());
                at = Some(place.ok_or_else(|| no_form(&format!("it has no field '{heading}'")))?);
            }
            (None, Some(place)) => {
                fields[place].push_str(line);
                fields[place].push('\n');
            }
            (None, None) if line.trim().is_empty() => {}
            (None, None) => return Err(no_form("a text stands above its first heading")),
        }
    }
    let [explanation, input_output, constraints, example, wrong] =
        fields.map(|field| field.trim().to_owned());
    Ok(Command::UnderstandSubmit {
        explanation,
        input_output_description: input_output,
        constraints_description: constraints,
        example_walkthrough: example,
        wrong_approach: wrong,
    })
}

fn no_form(why: &str) -> Failure {
    usage_error(format!("this is not the form: {why}"))
        .hint("Print an empty one with: vosimctl attempt understand --print")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_field_by_field_and_its_comments_are_left_out() {
        let filled = EMPTY
            .replace(
                "# As you would tell it to somebody of twelve.",
                "# A comment.\nIt keeps keys.\n\nA few.",
            )
            .replace("# And on which input it fails.", "A list is slow.");
        let Command::UnderstandSubmit {
            explanation, wrong_approach, constraints_description, ..
        } = parse(&filled).unwrap()
        else {
            panic!("a form is an explanation");
        };
        assert_eq!(explanation, "It keeps keys.\n\nA few.");
        assert_eq!(
            (wrong_approach.as_str(), constraints_description.as_str()),
            ("A list is slow.", "")
        );
    }

    #[test]
    fn an_empty_form_has_every_heading() {
        for (heading, _) in HEADINGS {
            assert!(EMPTY.contains(&format!("== {heading} ==")), "{heading}");
        }
    }

    #[test]
    fn what_is_no_form_says_so() {
        for (text, why) in [
            ("hello\n", "a text stands above its first heading"),
            ("== Other ==\n", "it has no field 'Other'"),
        ] {
            let failure = parse(text).unwrap_err().to_string();
            assert_eq!(failure, format!("this is not the form: {why}"), "{text}");
        }
    }
}
