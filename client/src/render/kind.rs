//! The one place that lists the kinds of sessions: each draws its own view.

use vosim_protocol::v1::service::ViewResult;

use crate::any_view::AnyView;
use crate::errors::Failure;
use crate::render::look::Look;
use crate::render::{drill, interview};

/// Where a session stands.
pub(crate) fn status(result: &ViewResult, look: &Look) -> Result<String, Failure> {
    Ok(match AnyView::read(result)? {
        AnyView::Drill(view) => drill::status(&view, look),
        AnyView::Interview(view) if view.ended.is_some() => interview::summary(&view, look),
        AnyView::Interview(view) => interview::status(&view, look),
    })
}
