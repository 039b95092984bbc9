//! The model that needs nothing: the problem's own texts. The same question, the same answer.

use std::future::ready;

use super::contract::{Model, Reply, Request};

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
}
