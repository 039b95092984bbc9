//! The form of UNDERSTAND as a text: filled in an editor, or anywhere else.

use std::io::Read as _;
use std::path::Path;

use vosim_protocol::v1::attempt::{Command, View};

use crate::drafts::Drafts;
use crate::edit::in_editor;
use crate::errors::{Failure, usage_error};
use crate::files::{is_pipe, text_file};
use crate::form::FORM_MAX_BYTES;
use crate::intent::attempt::forms::{UNDERSTAND, explanation, understand};

/// A form in which nothing stands.
pub(super) fn empty() -> String {
    understand(None).text()
}

/// Reads a filled form from a file, or from standard input for `-`.
pub(super) fn read(path: &Path) -> Result<Command, Failure> {
    if !is_pipe(path) {
        return parse(&text_file(path, "a form", FORM_MAX_BYTES)?);
    }
    let mut text = String::new();
    let input = std::io::stdin().lock().take(FORM_MAX_BYTES).read_to_string(&mut text);
    input.map_err(|error| usage_error(format!("cannot read standard input: {error}")))?;
    parse(&text)
}

/// A form that was filled in the editor.
pub(super) struct Edited {
    pub(super) command: Command,
    drafts: Drafts,
    text: String,
}

impl Edited {
    /// What was sent need not be kept any longer.
    pub(super) fn sent(&self) {
        self.drafts.sent(UNDERSTAND, &self.text);
    }
}

/// Has the form filled in the editor. What is typed stays in a draft until it was sent, the same that
/// the live screen writes.
pub(super) fn edited(before: &View) -> Result<Edited, Failure> {
    let drafts = Drafts::of(before.session_id)?;
    let path = drafts.path(UNDERSTAND);
    if drafts.read(UNDERSTAND)?.is_none() {
        let text = understand(before.attempt.understand_payload.as_ref()).text();
        drafts.keep(UNDERSTAND, &text, None)?;
    }
    in_editor(&path)?;
    let text = text_file(&path, "a form", FORM_MAX_BYTES)?;
    let kept = || format!("What you wrote is kept in {}", path.display());
    let command = parse(&text).map_err(|failure| failure.hint(kept()))?;
    Ok(Edited { command, drafts, text })
}

fn parse(text: &str) -> Result<Command, Failure> {
    let mut form = understand(None);
    form.read(text).map_err(|failure| {
        failure.hint("Print an empty one with: vosimctl attempt understand --print")
    })?;
    Ok(explanation(&form))
}
