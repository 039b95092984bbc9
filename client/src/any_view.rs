//! A session's view as the type of its kind.

use vosim_protocol::v1::judging::ResultLine;
use vosim_protocol::v1::service::ViewResult;
use vosim_protocol::v1::{drill, interview};
use vosim_protocol::{Kind, SessionId, Wire as _};

use crate::errors::Failure;

/// What a session shows, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnyView {
    Drill(Box<drill::View>),
    Interview(Box<interview::View>),
}

impl AnyView {
    pub(crate) fn read(result: &ViewResult) -> Result<Self, Failure> {
        let view = result.view.clone();
        match result.kind {
            Kind::Drill => drill::View::from_json(view).map(|view| Self::Drill(Box::new(view))),
            Kind::Interview => {
                interview::View::from_json(view).map(|view| Self::Interview(Box::new(view)))
            }
        }
        .map_err(|error| Failure::garbled("session.view", error))
    }

    pub(crate) fn session_id(&self) -> SessionId {
        match self {
            Self::Drill(view) => view.session_id,
            Self::Interview(view) => view.session_id,
        }
    }

    /// Every judged submission.
    pub(crate) fn history(&self) -> &[ResultLine] {
        match self {
            Self::Drill(view) => &view.history,
            Self::Interview(view) => &view.history,
        }
    }
}
