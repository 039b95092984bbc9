//! What is in the workspace of a task that has failed (002 8.3): its files, and the code around the last error.

use vosim_protocol::v1::task::View;

use super::raised_at;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::count;

/// How many lines are shown before and behind the one that failed.
const AROUND: usize = 5;

/// The file of the agent's and the line, from 1, in which the last error was raised.
pub(crate) fn place(view: &View) -> Option<(&str, usize)> {
    let (file, line) = raised_at(view)?;
    let is_own = view.files.iter().any(|own| own.path == file);
    let line = line.parse().ok().filter(|line| *line > 0)?;
    is_own.then_some((file, line))
}

/// The agent's files, and what one of them holds where the last error was raised.
pub(crate) fn screen(view: &View, failed: Option<&str>, look: &Look) -> String {
    let mut page = Page::new(look);
    page.blank().say(Tone::Strong, &format!("Workspace: {}", view.workspace));
    if view.files.is_empty() {
        page.say(Tone::Plain, "The agent has written no file.");
    }
    for file in &view.files {
        let (lines, what) =
            (count(file.lines, "line"), if file.created { "made" } else { "changed" });
        page.item(Tone::Plain, &format!("{} ({lines}, {what})", file.path));
    }
    if let (Some((file, number)), Some(text)) = (place(view), failed) {
        page.blank().say(Tone::Strong, &format!("{file}, around line {number}"));
        let first = number.saturating_sub(AROUND + 1);
        let lines = text.lines().enumerate().skip(first).take(number + AROUND - first);
        for (before, line) in lines {
            let at = before + 1;
            let (mark, tone) = if at == number { ('>', Tone::Bad) } else { (' ', Tone::Plain) };
            // A line without anything is a line all the same.
            let line = if line.is_empty() { " " } else { line };
            page.code(&format!("{mark}{at:5}  "), tone, line);
        }
    }
    let id = view.session_id.short();
    let diff = format!("See all that was changed with: vosimctl task diff --session {id}");
    page.blank().say(Tone::Plain, &diff);
    page.finish()
}
