//! The server of models that the settings name: whether it answers, and what it really can. It is asked
//! only where one is named.

use std::time::Duration;

use vosim_agent::model::Probed;
use vosim_protocol::v1::service::Check;
use vosim_protocol::v1::talk::ModelUse;

use super::check::{fail, ok, warn};
use crate::model::Configured;

const NAME: &str = "model";
/// Time for all questions together.
const WITHIN: Duration = Duration::from_secs(60);
/// Less than that holds no conversation with tools (002 4).
const WINDOW_MIN_TOKENS: u64 = 4_096;

/// Nothing where no server is named.
pub(super) async fn server(configured: &Configured) -> Option<Check> {
    if !configured.is_set() {
        return None;
    }
    let fix = || Some("start the server, or change [model] in the settings".to_owned());
    let server = match configured.server() {
        Ok(server) => server,
        Err(error) => return Some(fail(NAME, error.to_string(), fix())),
    };
    let name = configured.name().unwrap_or_default();
    Some(match tokio::time::timeout(WITHIN, server.probe()).await {
        Ok(Ok(probed)) => found(name, &probed, configured.used().as_ref()),
        Ok(Err(fault)) => fail(NAME, format!("{name} cannot be asked: {}", fault.told), fix()),
        Err(_) => {
            let found = format!("{name} has not answered within {} s", WITHIN.as_secs());
            fail(NAME, found, fix())
        }
    })
}

fn found(name: &str, probed: &Probed, used: Option<&ModelUse>) -> Check {
    let Probed { tools, schema, window_tokens, warnings } = probed;
    let calls = match tools {
        true => "calls tools",
        false => "calls no tools by itself, so calls go as one JSON object",
    };
    let keeps = match schema {
        true => "keeps to a schema",
        false => "does not keep to a schema",
    };
    let window = match window_tokens {
        Some(tokens) => format!("its window has {tokens} tokens"),
        None => "the size of its window is not known until a request is too long".to_owned(),
    };
    let mut said = format!("{name} answers: it {calls}; it {keeps}; {window}");
    said += &format!("; {}", asked_for(used));
    for warning in warnings {
        said += &format!("; {warning}");
    }
    if !tools && !schema {
        let fix = "name another model: what this one says will hardly ever be of use";
        return warn(NAME, said, Some(fix.to_owned()));
    }
    if window_tokens.is_some_and(|tokens| tokens < WINDOW_MIN_TOKENS) {
        let fix = format!("start the server with a window of {WINDOW_MIN_TOKENS} tokens or more");
        return warn(NAME, said, Some(fix));
    }
    ok(NAME, said)
}

/// What sessions ask of it beside tasks.
fn asked_for(used: Option<&ModelUse>) -> String {
    let Some(used) = used else { return "interviews ask it for nothing".to_owned() };
    let parts = [
        (used.wording, "words"),
        (used.assistant, "the assistant's answers"),
        (used.hearing, "evidence of what answers say"),
    ];
    let parts: Vec<_> = parts.into_iter().filter_map(|(on, part)| on.then_some(part)).collect();
    format!("new interviews ask it for {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::service::CheckStatus;

    use super::*;
    use crate::config::ModelConfig;

    #[test]
    fn what_a_server_lacks_is_said_and_none_is_no_fault() {
        let probed = |tools, schema, window_tokens| Probed {
            tools,
            schema,
            window_tokens,
            warnings: Vec::new(),
        };
        let status = |probed: Probed| found("small", &probed, None).status;
        assert_eq!(status(probed(true, true, None)), CheckStatus::Ok);
        assert_eq!(status(probed(false, true, Some(8_192))), CheckStatus::Ok);
        assert_eq!(status(probed(false, false, Some(8_192))), CheckStatus::Warn);
        assert_eq!(status(probed(true, true, Some(512))), CheckStatus::Warn);
        let check = found("small", &probed(false, true, Some(512)), None);
        assert!(check.found.contains("512 tokens") && check.found.contains("one JSON object"));
        assert!(check.found.contains("interviews ask it for nothing"), "{}", check.found);
        let name = "small".to_owned();
        let used = ModelUse { name, wording: true, assistant: false, hearing: true };
        let check = found("small", &probed(true, true, None), Some(&used));
        let told = "new interviews ask it for words, evidence of what answers say";
        assert!(check.found.contains(told), "{}", check.found);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let none = Configured::new(&ModelConfig::default());
        assert_eq!(runtime.block_on(server(&none)), None);
    }
}
