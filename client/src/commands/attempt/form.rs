//! The forms of an attempt as texts: filled in an editor, that of UNDERSTAND anywhere else too.

use std::io::Read as _;
use std::path::Path;

use vosim_protocol::ErrorCode;
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::attempt::{Command, View};

use crate::drafts::Drafts;
use crate::edit::in_editor;
use crate::errors::{Failure, code, usage_error, user_error};
use crate::files::{is_pipe, text_file};
use crate::form::FORM_MAX_BYTES;
use crate::intent::attempt::Intent;
use crate::intent::attempt::forms::{self, explanation, filled};

/// The form of UNDERSTAND with nothing in it.
pub(super) fn empty() -> String {
    forms::empty().text()
}

/// Reads a filled form from a file, or from standard input for `-`.
pub(super) fn read(path: &Path) -> Result<Command, Failure> {
    if !is_pipe(path) {
        return parse(&text_file(path, "a form", FORM_MAX_BYTES)?);
    }
    let mut text = String::new();
    let input = std::io::stdin().lock().take(FORM_MAX_BYTES).read_to_string(&mut text);
    input.map_err(|error| usage_error(format!("cannot read standard input: {}", cause(&error))))?;
    parse(&text)
}

/// A form that was filled in the editor.
pub(super) struct Edited {
    pub(super) command: Command,
    name: &'static str,
    drafts: Drafts,
    text: String,
}

impl Edited {
    /// What was sent need not be kept any longer.
    pub(super) fn sent(&self) {
        self.drafts.sent(self.name, &self.text);
    }
}

/// Has the form of this name filled in the editor. What is typed stays in a draft until it was sent, the
/// same that the live screen writes.
pub(super) fn edited(view: &View, name: &'static str) -> Result<Edited, Failure> {
    let mut form =
        forms::forms(view).into_iter().find(|form| form.name == name).ok_or_else(|| {
            let message = format!("there is nothing to fill in for `{name}` now");
            user_error(ErrorCode::InvalidTransition, message)
                .hint("See what can be done now with: vosimctl status")
        })?;
    let drafts = Drafts::of(view.session_id)?;
    let path = drafts.path(name);
    let untouched = form.text();
    if drafts.read(name)?.is_none() {
        drafts.keep(name, &untouched, None)?;
    }
    in_editor(&path)?;
    let text = text_file(&path, "a form", FORM_MAX_BYTES)?;
    // Who leaves an editor without a change wants nothing done; what is there was sent before, if ever.
    if text == untouched {
        drafts.sent(name, &text);
        let message = "the form is as it was, so nothing was sent";
        return Err(user_error(code::USAGE, message)
            .hint("Change it, save it and leave the editor to send it"));
    }
    let kept = || format!("What you wrote is kept in {}", path.display());
    let asked = form.read(&text).and_then(|()| filled(&form, view));
    match asked.map_err(|failure| failure.hint(kept()))? {
        Intent::Ask(command) => Ok(Edited { command: *command, name, drafts, text }),
        other => Err(anyhow::anyhow!("the form `{name}` asks for {other:?}").into()),
    }
}

fn parse(text: &str) -> Result<Command, Failure> {
    let mut form = forms::empty();
    form.read(text).map_err(|failure| {
        failure.hint("Print an empty one with: vosimctl attempt understand --print")
    })?;
    Ok(explanation(&form))
}
