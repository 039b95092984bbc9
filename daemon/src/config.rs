//! The settings: defaults, then `config.toml`, then the environment; the last one wins.
//!
//! A missing file is fine. One that cannot be used is refused with one sentence that names the key,
//! the line and the accepted values; no setting is ever guessed or silently left out.

mod error;
mod given;
mod load;
mod settings;
#[cfg(test)]
mod tests;
mod values;

pub use error::ConfigError;
pub use values::{
    Account, AttemptConfig, Config, EvaluatorConfig, LogConfig, MemoryConfig, ModelConfig,
    ModelKind, SessionsConfig, StoreConfig, TaskConfig,
};
