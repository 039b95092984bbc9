//! A session's view as the type of its kind.

use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::service::ViewResult;
use vosim_protocol::v1::{attempt, drill, interview, task};
use vosim_protocol::{ErrorCode, Kind, SessionId, Wire as _};

use crate::errors::{Failure, user_error};

/// What can be done where a command means a session of another kind.
pub(crate) const OTHER_SESSION: &str =
    "Another session can be named with --session; see: vosimctl list";

/// What a session shows, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnyView {
    Drill(Box<drill::View>),
    Interview(Box<interview::View>),
    Attempt(Box<attempt::View>),
    Task(Box<task::View>),
}

impl AnyView {
    pub(crate) fn read(result: &ViewResult) -> Result<Self, Failure> {
        let view = result.view.clone();
        if result.kind == Kind::Drill {
            drill::View::from_json(view).map(|view| Self::Drill(Box::new(view)))
        } else if result.kind == Kind::Interview {
            interview::View::from_json(view).map(|view| Self::Interview(Box::new(view)))
        } else if result.kind == Kind::Attempt {
            attempt::View::from_json(view).map(|view| Self::Attempt(Box::new(view)))
        } else if result.kind == Kind::Task {
            task::View::from_json(view).map(|view| Self::Task(Box::new(view)))
        } else {
            let (id, kind) = (result.session_id.short(), result.kind.with_article());
            let message = format!("session {id} is {kind}, which has no such command");
            return Err(user_error(ErrorCode::WrongKind, message).hint(OTHER_SESSION));
        }
        .map_err(|error| Failure::misread("session.view", &error))
    }

    pub(crate) fn session_id(&self) -> SessionId {
        match self {
            Self::Drill(view) => view.session_id,
            Self::Interview(view) => view.session_id,
            Self::Attempt(view) => view.session_id,
            Self::Task(view) => view.session_id,
        }
    }

    /// The file that is worked in, as far as the session knows one: the watched one, else the one that
    /// was submitted last.
    pub(crate) fn file(&self) -> Option<&str> {
        let watched = match self {
            Self::Interview(view) => view.watched.as_ref().map(|watch| watch.file_path.as_str()),
            Self::Drill(_) | Self::Attempt(_) | Self::Task(_) => None,
        };
        watched.or_else(|| self.history().last().map(|line| line.file_path.as_str()))
    }

    /// Every judged submission.
    pub(crate) fn history(&self) -> &[ResultLine] {
        match self {
            Self::Drill(view) => &view.history,
            Self::Interview(view) => &view.history,
            Self::Attempt(view) => &view.history,
            Self::Task(_) => &[],
        }
    }
}
