//! `task recording`: what the model was asked and said, one exchange a line, for `--model replay:FILE`.

use vosim_protocol::Role;
use vosim_protocol::v1::effect::Proposed;
use vosim_protocol::v1::task::Ended;

use super::named::task;
use crate::call::{blob, payload};
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::log;

pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let mut client = context.client()?;
    let view = task(&mut client, context.session.clone())?;
    let session = view.session_id.to_string();
    let (_, records) = log::whole(&mut client, Some(session.clone()), Role::Candidate)?;
    let mut lines = Vec::new();
    for told in &records {
        let answered = payload::<Ended<Proposed>>(&told.record, "MODEL_ANSWERED")?;
        if let Some(Proposed::Answer { exchange, .. }) = answered.and_then(|ended| ended.outcome) {
            lines.extend(blob(&mut client, &session, exchange.hash)?);
            lines.push(b'\n');
        }
    }
    context.output.bytes(&lines)?;
    Ok(Exit::Done)
}
