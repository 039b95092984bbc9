//! Which session a command means, and of which kind it is.

use std::path::{Path, PathBuf};

use vosim_protocol::v1::interview;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::service::{self, ProblemShow, ProblemShowParams, ViewParams};
use vosim_protocol::{ErrorCode, Role, SessionId};

use crate::any_view::{AnyView, OTHER_SESSION};
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::Context;
use crate::errors::{Failure, user_error};
use crate::starter::usual_file;

/// What a session shows now; without a name, the current one.
pub(crate) fn find(
    client: &mut Client,
    session: Option<String>,
    role: Role,
) -> Result<AnyView, Failure> {
    let result = client.call::<service::View>(&ViewParams { session, role })?;
    AnyView::read(&result)
}

/// The session that a command of the candidate means.
pub(crate) fn named(client: &mut Client, context: &Context) -> Result<AnyView, Failure> {
    find(client, context.session.clone(), Role::Candidate)
}

/// The file that a command means, and a connection. One that is named is read before anything is asked.
pub(crate) fn with_file(
    (named, language): (Option<&Path>, Option<Language>),
    problem: Option<&str>,
    context: &Context,
) -> Result<(Client, PathBuf, CodeFile), Failure> {
    let read = |path: &Path| CodeFile::read(path, language);
    let given = named.map(read).transpose()?;
    let mut client = context.client()?;
    let path = match named {
        Some(path) => path.to_owned(),
        None => known_file(&mut client, problem, context)?,
    };
    let file = given.map_or_else(|| read(&path), Ok)?;
    Ok((client, path, file))
}

/// The file that the session knows, or else the one of the usual name in the current folder.
fn known_file(
    client: &mut Client,
    problem: Option<&str>,
    context: &Context,
) -> Result<PathBuf, Failure> {
    let session = context.session.clone();
    if problem.is_none()
        && let Some(path) = find(client, session.clone(), Role::Candidate)?.file()
    {
        return Ok(path.into());
    }
    let problem = problem.map(str::to_owned);
    let card = client.call::<ProblemShow>(&ProblemShowParams { problem, session })?;
    usual_file(Path::new(""), &card.id, card.starters.keys().copied())
}

/// A view as that of an interview.
pub(crate) fn as_interview(view: AnyView, what: &str) -> Result<Box<interview::View>, Failure> {
    match view {
        AnyView::Interview(view) => Ok(view),
        AnyView::Drill(view) => Err(wrong_kind(view.session_id, "a drill", what)),
        AnyView::Attempt(view) => Err(wrong_kind(view.session_id, "an attempt", what)),
        AnyView::Task(view) => Err(wrong_kind(view.session_id, "a task", what)),
    }
}

fn wrong_kind(session: SessionId, a_kind: &str, what: &str) -> Failure {
    let message = format!("session {} is {a_kind}, which has no '{what}'", session.short());
    user_error(ErrorCode::WrongKind, message).hint(OTHER_SESSION)
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::drill;

    use super::*;
    use crate::render::samples;

    #[test]
    fn a_command_of_another_kind_names_the_session() {
        let view = AnyView::Drill(Box::new(samples::view(drill::Phase::AwaitingAction)));
        let failure = as_interview(view, "say").unwrap_err();
        assert_eq!(failure.to_string(), "session 550e8400 is a drill, which has no 'say'");
    }
}
