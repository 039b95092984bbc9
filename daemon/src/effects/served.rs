//! Has the server of models say something for a session, within the caps of the day.

use vosim_agent::model::{Request, Usage as Taken};
use vosim_engine::parts::budget::{self, Estimate};
use vosim_protocol::v1::agent::{Cap, Crossing, Usage};

use crate::daemon::Daemon;
use crate::model::{ModelError, Served};

/// One try of one request. A day's caps hold for sessions of all kinds together: somebody pays for each.
pub(super) async fn ask(
    daemon: &Daemon,
    model: &str,
    request: &Request,
) -> Result<String, ModelError> {
    let at = daemon.now();
    let price = daemon.configured.price(model);
    let estimate = Estimate {
        prompt: request.tokens_estimated(),
        completion: request.limits.reply_tokens_max.into(),
    };
    let day = &daemon.config.task.day;
    let set_aside = daemon.set_aside(at, day, estimate, price).await;
    let reserved =
        set_aside.map_err(|error| failed(&error))?.map_err(|Crossing { cap, .. }| {
            let of = match cap {
                Cap::Tokens => "tokens",
                Cap::Calls => "calls of models",
                Cap::Cost => "money",
                Cap::Wall => "time at work",
            };
            ModelError::Failed { reason: format!("the day's cap on {of} would be crossed") }
        })?;
    daemon.configured.may_be_asked(model).map_err(|error| failed(&error))?;
    let server = daemon.configured.server_with(model).map_err(|error| failed(&error))?;
    let served = Served::ask(&*server, request).await;
    daemon.configured.note(model, served.silent);
    let usage = taken(served.usage, estimate);
    let counted = daemon.spend(at, reserved, |spent| budget::after(spent, usage, price)).await;
    if let Err(error) = counted {
        tracing::warn!(%error, "what a model was asked for is not counted");
    }
    served.said
}

/// What a try took. Where nobody has said, the estimate of the request stands.
fn taken(told: Option<Taken>, estimate: Estimate) -> Usage {
    let told = told.unwrap_or_default();
    Usage {
        prompt: told.prompt.unwrap_or(estimate.prompt),
        completion: told.completion.unwrap_or(0),
        estimated: told.estimated || told.prompt.is_none(),
    }
}

fn failed(error: &dyn std::fmt::Display) -> ModelError {
    ModelError::Failed { reason: error.to_string() }
}
