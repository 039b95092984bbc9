//! `status`: one request, one panel.

use vosim_protocol::v1::service::{View, ViewParams};
use vosim_protocol::{Kind, Role};

use crate::any_view::AnyView;
use crate::call::report;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::kinds;
use crate::render::report as screens;

pub(crate) fn run(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let params = ViewParams { session: context.session.clone(), role: Role::Candidate };
    let result = client.call::<View>(&params)?;
    context.output.json(&result)?;
    if !context.output.is_json() {
        // What an interview teaches holds all that stands where it has ended.
        let over = result.kind == Kind::Interview
            && matches!(AnyView::read(&result), Ok(AnyView::Interview(view)) if view.ended.is_some());
        let report = over.then(|| report(&mut client, result.session_id)).flatten();
        let look = context.output.look();
        let screen = match &report {
            Some(report) => screens::report(report, look),
            None => kinds::standing(&result, look)?,
        };
        context.output.bytes(screen.as_bytes())?;
    }
    Ok(Exit::Done)
}
