//! `status`: one request, one panel.

use vosim_protocol::Role;
use vosim_protocol::v1::service::{View, ViewParams};

use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::kinds;

pub(crate) fn run(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let params = ViewParams { session: context.session.clone(), role: Role::Candidate };
    let result = client.call::<View>(&params)?;
    context.output.json(&result)?;
    if !context.output.is_json() {
        let screen = kinds::standing(&result, context.output.look())?;
        context.output.bytes(screen.as_bytes())?;
    }
    Ok(Exit::Done)
}
