//! s
pub mod config; pub mod clock; pub mod timer; pub mod task; pub mod content; pub mod evaluator; pub mod model; mod effects; mod specs; pub mod actors; pub mod server; pub mod daemon; pub mod doctor;
