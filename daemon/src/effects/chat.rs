//! Has the model say the next thing in a conversation.

use vosim_protocol::v1::effect::Chat;

use crate::effects::{CarryOut, Done, Run};
use crate::model::{self, Limits};

impl CarryOut for Chat {
    async fn carry_out(self, run: &Run) -> Result<Done<String>, String> {
        let said = model::chat(&*run.daemon.model, &self, Limits::default()).await;
        said.map(Done::from).map_err(|error| error.to_string())
    }
}
