//! A file in the editor of whoever runs this.

use std::path::Path;
use std::process::Command as Program;
use vosim_protocol::trouble::cause;

use nix::sys::signal::{SigSet, Signal};

use crate::errors::{Failure, code, usage_error, user_error};

/// Opens a file in the editor that the environment names, until that ends.
///
/// What this thread has blocked it lets through meanwhile, so that Ctrl-Z in the editor stops both.
pub(crate) fn in_editor(file: &Path) -> Result<(), Failure> {
    let named = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let Some(editor) = named.filter(|editor| !editor.trim().is_empty()) else {
        let hint = format!("Set EDITOR, or edit {} elsewhere", file.display());
        return Err(usage_error("no editor is set".to_owned()).hint(hint));
    };
    // The variable may hold a program with arguments, as everybody's shell reads it.
    let mut program = Program::new("sh");
    program.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file);
    let before = SigSet::thread_get_mask().map_err(anyhow::Error::from)?;
    // The editor inherits the mask of the thread that starts it.
    SigSet::empty().thread_set_mask().map_err(anyhow::Error::from)?;
    let started = program.spawn();
    let mut meanwhile = before;
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGTSTP, Signal::SIGCONT] {
        meanwhile.remove(signal);
    }
    meanwhile.thread_set_mask().map_err(anyhow::Error::from)?;
    let ended = started.and_then(|mut editor| editor.wait());
    before.thread_set_mask().map_err(anyhow::Error::from)?;
    let ended = ended.map_err(|error| {
        usage_error(format!("the editor {editor} cannot be started: {}", cause(&error)))
    })?;
    match ended.success() {
        true => Ok(()),
        false => {
            let message = format!("the editor {editor} ended without success; nothing was sent");
            let hint = format!("What you wrote is kept in {}", file.display());
            Err(user_error(code::USAGE, message).hint(hint))
        }
    }
}
