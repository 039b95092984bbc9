//! Asks a model the next thing of a task, under the caps of the day.

mod answer;
mod models;
mod prompt;
mod repair;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use vosim_agent::model::{Again, Exchange, ModelFault, Pause, consult};
use vosim_engine::parts::budget::{self, Estimate};
use vosim_protocol::v1::agent::{Per, Spent, Usage};
use vosim_protocol::v1::effect::{Propose, Proposed};
use vosim_protocol::{Blob, Hash};

use crate::effects::step::TaskStep;
use crate::effects::{CarryOut, Done, Run};

/// A server that wants to be left alone for longer is not waited for: the task pauses (002 7.2).
const WAIT_MAX: Duration = Duration::from_secs(60);

/// Waits by the runtime's clock.
struct Sleep;

impl Pause for Sleep {
    fn pause(&self, wait: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(wait))
    }
}

impl CarryOut for Propose {
    async fn carry_out(self, run: &Run) -> Result<Done<Box<Proposed>>, String> {
        let daemon = &run.daemon;
        let (folder, mark) = run.mark();
        let step = daemon.blocking(move |_| TaskStep::begin(&folder, &mark)).await?;
        if step.before.is_some() {
            // What was asked before may have been paid for, and nobody knows what was said.
            return Ok(Box::new(Proposed::Interrupted {}).into());
        }
        let at = daemon.now();
        let model = models::open(&self, daemon).await?;
        let mut texts = Vec::new();
        for turn in &self.turns {
            let result = match turn.result {
                Some(result) => text(run, result.hash).await?,
                None => turn.said.clone(),
            };
            texts.push((text(run, turn.call.arguments.hash).await?, result));
        }
        let mut files = Vec::new();
        for (path, hash) in &self.files {
            files.push((path.clone(), text(run, *hash).await?));
        }
        let output = match self.output {
            Some(output) => Some(text(run, output.hash).await?),
            None => None,
        };
        let request = prompt::request(&self, &files, &texts, output.as_deref());
        let estimate =
            Estimate { prompt: request.tokens_estimated(), completion: self.completion_max };
        let crossed = budget::crossing(Per::Task, &self.caps, &self.spent, estimate, self.price);
        if let Some(crossing) = crossed {
            return Ok(Box::new(Proposed::Withheld { crossing }).into());
        }
        let set_aside = daemon.set_aside(at, &self.day, estimate, self.price).await;
        let reserved = match set_aside.map_err(|error| error.to_string())? {
            Ok(reserved) => reserved,
            Err(crossing) => return Ok(Box::new(Proposed::Withheld { crossing }).into()),
        };
        tracing::info!(task = %run.session, model = %self.model, role = self.role.name(),
            iteration = self.iteration, "a model is asked");
        let exchange = consult(&*model, request, WAIT_MAX, Arc::new(Sleep)).await;
        let (done, usage) = ended(&self, &exchange);
        let took = u64::try_from(daemon.now().micros_since(at) / 1_000).unwrap_or(0);
        let add = |spent| {
            let today = budget::after(spent, usage, self.price);
            Spent { wall_ms: today.wall_ms.saturating_add(took), ..today }
        };
        let today = daemon.spend(at, reserved, add).await.map_err(|error| error.to_string())?;
        Ok(done(today))
    }
}

/// What a model is told of earlier; a task goes on where a person has erased its code meanwhile.
async fn text(run: &Run, hash: Hash) -> Result<String, String> {
    let kept = run.code_if_kept(hash).await?;
    let text = kept.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(text.unwrap_or_else(|| "(erased by a person)".to_owned()))
}

/// What an exchange comes to, once it is known what the day has used up.
fn ended(
    asked: &Propose,
    exchange: &Exchange,
) -> (impl FnOnce(Spent) -> Done<Box<Proposed>>, Usage) {
    let kept = Blob(exchange.to_line());
    let estimated = exchange.request.tokens_estimated();
    let read = match &exchange.ending {
        Ok(reply) => Ok(answer::read(asked, reply)),
        Err(fault) => Err(fault.clone()),
    };
    let last = match &exchange.ending {
        Ok(reply) => Some(&reply.usage),
        Err(fault) => fault.usage.as_ref(),
    };
    // Somebody pays for what was said before a try failed, too.
    let tries = exchange.faults.iter().filter_map(|fault| fault.usage.as_ref()).chain(last);
    let told = tries.map(|told| taken(told, estimated)).reduce(|sum, more| Usage {
        prompt: sum.prompt.saturating_add(more.prompt),
        completion: sum.completion.saturating_add(more.completion),
        estimated: sum.estimated || more.estimated,
    });
    let usage = told.unwrap_or_default();
    let warnings = exchange.ending.as_ref().map_or_else(|_| Vec::new(), |it| it.warnings.clone());
    let done = move |today| match read {
        Ok((proposal, mut blobs)) => {
            let exchange = kept.reference();
            blobs.push(kept);
            let answer = Proposed::Answer { proposal, usage, exchange, today, warnings };
            Done { outcome: Box::new(answer), blobs }
        }
        Err(ModelFault { told: reason, again, .. }) => {
            let retry_after_secs = match again {
                Again::Never | Again::Soon => None,
                Again::AfterMillis(millis) => Some(millis.div_ceil(1_000)),
            };
            Box::new(Proposed::Fault { reason, retry_after_secs, usage: told }).into()
        }
    };
    (done, usage)
}

/// What one try took. Where the server gave no figure for the request, the estimate stands.
fn taken(told: &vosim_agent::model::Usage, estimated: u64) -> Usage {
    Usage {
        prompt: told.prompt.unwrap_or(estimated),
        completion: told.completion.unwrap_or(0),
        estimated: told.estimated || told.prompt.is_none(),
    }
}
