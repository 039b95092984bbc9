//! Puts a text into words.

use vosim_protocol::v1::effect::Word;

use crate::effects::{CarryOut, Done, Run};
use crate::model::{self, Limits, Request};

impl CarryOut for Word {
    async fn carry_out(self, run: &Run) -> Result<Done<String>, String> {
        let Self { text, purpose, context } = self;
        let request = Request { text, purpose, context };
        let worded = model::word(&*run.daemon.model, &request, Limits::default()).await;
        worded.map(Done::from).map_err(|error| error.to_string())
    }
}
