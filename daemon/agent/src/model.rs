//! What proposes for an autonomous candidate: one trait, and the models behind it, named for what they
//! are.
//!
//! ```text
//!             one Request                        one Exchange, kept by whoever asked
//!   effect ────────────────► consult ──────────────────────────────────────────────► log
//!                              │   ▲ Reply, or a fault and when to try again
//!                              ▼   │
//!                   trait Model: script │ replay │ openai
//! ```
//!
//! A model decides nothing and carries nothing out: it says a text or asks for one call of a tool. A
//! reply that did not arrive whole is of a kind of its own ([`Said::Cut`]), so that no half of it can be
//! carried out by mistake. Nothing here reads a clock: waits are made by a [`Pause`] that is handed in.

mod consult;
mod contract;
mod exchange;
mod fit;
mod openai;
mod replay;
mod reply;
mod request;
mod script;

pub use consult::{Pause, consult};
pub use contract::{Answer, Model, ModelId, ModelKind};
pub use exchange::{EARLIER, Exchange, key};
pub use openai::{
    ClientError, Endpoint, EndpointError, Openai, Probed, Secret, SecretError, ToolForm,
};
pub use replay::{Replay, ReplayError};
pub use reply::{Again, Call, FaultKind, ModelFault, Reply, Said, Usage};
pub use request::{Limits, Malformed, Message, Request, Tool};
pub use script::{Script, ScriptError};
