//! The kinds of sessions that this program shows, one arm each: the only place that lists them all.
//!
//! What a kind adds stands in its own files: its panel, the words that are typed in its sessions, what
//! its views look like, and the commands that it alone has.

use vosim_protocol::Wire as _;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::ViewResult;

use crate::errors::Failure;
use crate::render::look::Look;
use crate::tui::panel::{KindPanel, View};

/// Runs `$body` with `$P` standing for the panel of a kind.
macro_rules! with_kind {
    ($kind:expr, $P:ident => $body:expr) => {
        match $kind {
            ::vosim_protocol::Kind::Drill => {
                type $P = $crate::tui::panel::drill::DrillPanel;
                $body
            }
            ::vosim_protocol::Kind::Interview => {
                type $P = $crate::tui::panel::interview::InterviewPanel;
                $body
            }
            ::vosim_protocol::Kind::Attempt => {
                type $P = $crate::tui::panel::attempt::AttemptPanel;
                $body
            }
            ::vosim_protocol::Kind::Task => {
                type $P = $crate::tui::panel::task::TaskPanel;
                $body
            }
            #[cfg(feature = "errand")]
            ::vosim_protocol::Kind::Errand => {
                type $P = $crate::tui::panel::errand::ErrandPanel;
                $body
            }
        }
    };
}
pub(crate) use with_kind;

/// Where a session stands.
pub(crate) fn standing(result: &ViewResult, look: &Look) -> Result<String, Failure> {
    with_kind!(result.kind, P => Ok(P::standing(&view::<P>(result)?, look)))
}

/// What stays on the terminal when a session is over, with what it teaches where that could be had.
pub(crate) fn summary(
    result: &ViewResult,
    report: Option<&Report>,
    look: &Look,
) -> Result<String, Failure> {
    with_kind!(result.kind, P => Ok(P::summary(&view::<P>(result)?, report, look)))
}

fn view<P: KindPanel>(result: &ViewResult) -> Result<View<P>, Failure> {
    View::<P>::from_json(result.view.clone())
        .map_err(|error| Failure::misread("session.view", &error))
}
