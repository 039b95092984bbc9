//! Which model a task means by its name.

use std::fs;
use std::sync::Arc;

use vosim_agent::model::{Model, Replay, Script};
use vosim_protocol::v1::agent::{ModelName, ModelSort};

use crate::model::Configured;

/// The model of a name, or why there is none. A server is the one of the settings, under the name there.
pub(super) fn open(name: &ModelName, configured: &Configured) -> Result<Arc<dyn Model>, String> {
    match name.sort {
        ModelSort::Script => {
            let script = Script::shipped(&name.name).map_err(|error| error.to_string())?;
            Ok(Arc::new(script))
        }
        ModelSort::Replay => {
            let text = fs::read_to_string(&name.name)
                .map_err(|error| format!("the recording {} cannot be read: {error}", name.name))?;
            let replay = Replay::read(&name.name, &text).map_err(|error| error.to_string())?;
            Ok(Arc::new(replay))
        }
        ModelSort::Repair => {
            Err("repair works on problems of the bank and not on tasks".to_owned())
        }
        ModelSort::Openai => {
            let server = configured.server().map_err(|error| error.to_string())?;
            match configured.name() {
                Some(known) if known == name.name => Ok(server),
                Some(known) => {
                    Err(format!("the settings name the model {known}, not {}", name.name))
                }
                None => Err("no model is configured".to_owned()),
            }
        }
    }
}
