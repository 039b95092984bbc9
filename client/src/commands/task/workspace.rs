//! The question after a failure (002 8.3): whoever sits at a terminal can look at what was written.

use std::fs;
use std::path::Path;

use vosim_protocol::v1::task::{State, View};

use crate::client::Client;
use crate::errors::Failure;
use crate::output::Output;
use crate::render::task::workspace;

/// Most of a file that is looked at, bytes.
const FILE_MAX: u64 = 1 << 20;

/// Asks, and shows it; where nobody can be asked or lines are read by a program, nothing.
pub(super) fn offer(client: &mut Client, view: &View, output: Output) -> Result<(), Failure> {
    if !asks(view, output) {
        return Ok(());
    }
    // The task rests: Ctrl-C has nothing to pause, and ends the question.
    client.release_interrupts()?;
    if !output.wants("Would you like to view the workspace?") {
        return Ok(());
    }
    let failed = workspace::place(view).and_then(|(file, _)| text(&view.workspace, file));
    output.screen(|look| workspace::screen(view, failed.as_deref(), look))
}

/// Whether something is asked about a task that has come to rest.
pub(super) fn asks(view: &View, output: Output) -> bool {
    let terminal = output.terminal;
    let sits = terminal.can_ask && terminal.watched && !terminal.plain && !output.is_json();
    sits && !view.over && view.state == State::Failed
}

/// A file as it is now, where it is one that can be shown: it may be gone, or no file at all.
fn text(folder: &str, file: &str) -> Option<String> {
    let path = Path::new(folder).join(file);
    let found = fs::symlink_metadata(&path).ok()?;
    if !found.is_file() || found.len() > FILE_MAX {
        return None;
    }
    fs::read_to_string(&path).ok()
}
