//! Vectors that a server makes (002 5.3), asked on memory's own thread. Nobody is asked unless the settings
//! name a model for it.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use vosim_protocol::cut;

use super::embedder::{EmbedFault, Embedder, EmbedderId, Vector};
use super::sentences::no_vectors;
use crate::model::{Endpoint, Openai};

/// Texts of one request.
const TEXTS_MAX: usize = 32;
/// Models for sentences look at no more than about so much of a text, and some servers refuse more.
const TEXT_MAX_BYTES: usize = 2_000;
/// A task has gone on without long before; this keeps the thread from waiting for ever.
const WITHIN: Duration = Duration::from_secs(20);

/// The embedder behind a server; where none can be asked, one that says why.
pub fn served(server: Result<Endpoint, String>) -> Box<dyn Embedder> {
    let opened = server.and_then(ServedVectors::open);
    opened.map_or_else(|why| no_vectors("the server", why), |served| Box::new(served) as _)
}

/// A server with a runtime of its own: a connection that stays open belongs to the runtime that made it.
#[derive(Debug)]
struct ServedVectors {
    id: EmbedderId,
    server: Openai,
    runtime: Runtime,
}

impl ServedVectors {
    fn open(endpoint: Endpoint) -> Result<Self, String> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| vosim_protocol::trouble::cause(&error))?;
        let id = EmbedderId(format!("served-1-{}", endpoint.model()));
        let server = Openai::new(endpoint).map_err(|error| error.to_string())?;
        Ok(Self { id, server, runtime })
    }

    fn some(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
        let asked = async { timeout(WITHIN, self.server.vectors(texts)).await };
        let vectors = match self.runtime.block_on(asked) {
            Err(_) => return Err(EmbedFault("the server has not answered in time".to_owned())),
            Ok(answer) => answer.map_err(|fault| EmbedFault(fault.told))?,
        };
        let vectors: Option<_> =
            vectors.iter().map(|numbers| Vector::from_floats(numbers)).collect();
        vectors.ok_or_else(|| EmbedFault("the server sent a vector without a direction".to_owned()))
    }
}

impl Embedder for ServedVectors {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
        let texts: Vec<_> = texts.iter().map(|text| cut::start(text, TEXT_MAX_BYTES)).collect();
        let mut vectors = Vec::new();
        for some in texts.chunks(TEXTS_MAX) {
            vectors.extend(self.some(some)?);
        }
        Ok(vectors)
    }
}
