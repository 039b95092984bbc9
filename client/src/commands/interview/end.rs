//! `end`: an interview is left before its end, after a yes.

use vosim_protocol::v1::interview::{Command, SectionState, View};

use crate::call::command;
use crate::client::Client;
use crate::commands::interview::sending::closing;
use crate::commands::{Context, unconfirmed};
use crate::errors::{Exit, Failure};
use crate::render::text::count;

pub(crate) fn end(
    client: &mut Client,
    view: &View,
    yes: bool,
    context: &Context,
) -> Result<Exit, Failure> {
    let output = context.output;
    // What has ended is refused by the daemon; nobody is asked about it.
    if !yes && view.ended.is_none() {
        if output.is_json() || !output.terminal.can_ask {
            return Err(unconfirmed("leaving an interview"));
        }
        if !output.agrees(&question(view)) {
            output.note("The interview continues.");
            return Ok(Exit::Done);
        }
    }
    let session = view.session_id.to_string();
    let accepted = command(client, Some(&session), &Command::End {}, Vec::new())?;
    accepted.events.iter().try_for_each(|record| output.json(record))?;
    closing(client, view.session_id, output)?;
    Ok(Exit::Done)
}

fn question(view: &View) -> String {
    let open = view.sections.iter().filter(|line| line.state != SectionState::Ended).count();
    let left = count(open as u64, "section");
    format!("Leave the interview for good, with {left} not finished?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples;

    #[test]
    fn the_question_tells_what_is_given_up() {
        let told = question(&samples::view());
        assert_eq!(told, "Leave the interview for good, with 1 section not finished?");
    }
}
