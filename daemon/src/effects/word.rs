//! Puts a text into words.

use vosim_protocol::v1::effect::Word;

use crate::effects::{CarryOut, Done, Run, served};
use crate::model::{self, Limits, Request, prompts};

impl CarryOut for Word {
    async fn carry_out(self, run: &Run) -> Result<Done<String>, String> {
        let Self { text, purpose, context, model } = self;
        let request = Request { text, purpose, context };
        let worded = match model {
            None => model::word(&*run.daemon.model, &request, Limits::default()).await,
            Some(name) => served::ask(&run.daemon, &name, &prompts::wording(&request)).await,
        };
        worded.map(Done::from).map_err(|error| error.to_string())
    }
}
