//! Vectors of texts, from a server that makes them (`/embeddings`).

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde::Deserialize;
use serde_json::json;
use vosim_protocol::misfit;

use super::{
    Openai, REFUSAL_MAX_BYTES, Refusal, WHOLE_MAX_BYTES, bearer, fault_of, garbled, limited,
    refusal,
};
use crate::model::reply::ModelFault;

#[derive(Deserialize)]
struct VectorsReply {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    /// Whose vector it is; of the text at its own place where a server does not say.
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Openai {
    /// A vector for each text, in their order. It is asked once.
    ///
    /// # Errors
    /// If the server cannot be asked, or sends anything else.
    pub async fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFault> {
        let asked = self.ask_for_vectors(texts).await;
        asked.map_err(|refused| self.hidden(*refused.fault))
    }

    async fn ask_for_vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Refusal> {
        let body = json!({ "model": self.endpoint.model(), "input": texts });
        let mut post = self
            .client
            .post(self.endpoint.at("embeddings"))
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        if let Some(key) = self.endpoint.key() {
            post = post.header(AUTHORIZATION, bearer(key));
        }
        let response = post.send().await.map_err(|error| fault_of(&error))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let text = limited(response, REFUSAL_MAX_BYTES).await.unwrap_or_default();
            return Err(refusal(status, &headers, &String::from_utf8_lossy(&text)));
        }
        let bytes = limited(response, WHOLE_MAX_BYTES).await?;
        let reply: VectorsReply =
            serde_json::from_slice(&bytes).map_err(|error| garbled(&misfit::words(&error)))?;
        in_order(reply, texts.len()).ok_or_else(|| garbled("another number of vectors than texts"))
    }
}

/// The vectors by the texts they belong to; none where one is missing or comes twice.
fn in_order(reply: VectorsReply, count: usize) -> Option<Vec<Vec<f32>>> {
    let mut vectors = vec![None; count];
    for (place, Row { index, embedding }) in reply.data.into_iter().enumerate() {
        let place = vectors.get_mut(index.unwrap_or(place))?;
        if place.replace(embedding).is_some() {
            return None;
        }
    }
    vectors.into_iter().collect()
}
