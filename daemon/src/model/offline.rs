//! The model that needs nothing: the problem's own texts. The same question, the same answer.

use std::future::ready;

use vosim_protocol::v1::effect::Chat;

use super::contract::{Model, ModelError, Reply, Request};

/// Answers with the text as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfflineModel;

impl Model for OfflineModel {
    fn name(&self) -> &'static str {
        "offline"
    }

    fn phrase<'a>(&'a self, request: &'a Request) -> Reply<'a> {
        Box::pin(ready(Ok(request.text.clone())))
    }

    /// Nobody is there to talk to.
    fn chat<'a>(&'a self, _: &'a Chat) -> Reply<'a> {
        let reason = "none is configured that can be talked to".to_owned();
        Box::pin(ready(Err(ModelError::Failed { reason })))
    }
}
