//! `say` and `done`: the candidate's side of the conversation.

use vosim_protocol::v1::interview::{Command, View};

use crate::cli;
use crate::commands::interview::sending::{consequences, receipt, send, text_of};
use crate::commands::interview::start::show_section;
use crate::commands::{Context, session};
use crate::errors::{Exit, Failure, code, user_error};

pub(crate) fn say(args: &cli::Say, context: &Context) -> Result<Exit, Failure> {
    let text = text_of(&args.text)?;
    let mut client = context.client()?;
    let view = session::interview(&mut client, context, "say")?;
    if let Some(section) = &args.section {
        known(section, &view)?;
    }
    let say = Command::Say { text, section: args.section.clone() };
    let accepted = send(&mut client, view.session_id, &say, Vec::new())?;
    receipt("Your message", &accepted, &view, context.output)?;
    consequences(&accepted, context.output)?;
    show_section(&mut client, &accepted, context.output)?;
    Ok(Exit::Done)
}

pub(crate) fn done(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = session::interview(&mut client, context, "done")?;
    let accepted =
        send(&mut client, view.session_id, &Command::Done { section: None }, Vec::new())?;
    receipt("Your 'done'", &accepted, &view, context.output)?;
    consequences(&accepted, context.output)?;
    show_section(&mut client, &accepted, context.output)?;
    Ok(Exit::Done)
}

/// A section is named by its id; a wrong one is told before anything is sent.
fn known(section: &str, view: &View) -> Result<(), Failure> {
    if view.sections.iter().any(|line| line.section_id == section) {
        return Ok(());
    }
    let known: Vec<_> = view.sections.iter().map(|line| line.section_id.as_str()).collect();
    let known = known.join(", ");
    let message = format!("there is no section {section}; there are: {known}");
    Err(user_error(code::UNKNOWN_SECTION, message)
        .hint("See where it stands with: vosimctl status"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::interview::samples;

    #[test]
    fn an_unknown_section_is_told_with_those_there_are() {
        let view = samples::view();
        assert!(known("frame", &view).is_ok());
        let told = known("desing", &view).unwrap_err().to_string();
        assert_eq!(told, "there is no section desing; there are: frame, build");
    }
}
