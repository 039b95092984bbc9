//! The table of all settings: key, variable, accepted values, how each is applied and shown.

use std::ops::RangeInclusive;
use std::path::Path;

use tracing::Level;
use vosim_agent::model::{Endpoint, ToolForm};
use vosim_protocol::v1::agent::RunCaps;
use vosim_protocol::wire::Json;
use vosim_store::BackendKind;

use super::given::Given;
use super::values::{Config, ModelKind};

/// A setting.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Section and name.
    pub(super) key: &'static str,
    /// The variable that overrides the file.
    pub(super) variable: Option<&'static str>,
    /// The accepted values in words, after "takes".
    pub(super) accepted: &'static str,
    /// Returns None when the value is not accepted.
    pub(super) apply: fn(&mut Config, &Given<'_>) -> Option<()>,
    /// Returns null where nothing is set.
    pub(super) show: fn(&Config) -> Json,
}

const LEVELS: [(&str, Level); 5] = [
    ("error", Level::ERROR),
    ("warn", Level::WARN),
    ("info", Level::INFO),
    ("debug", Level::DEBUG),
    ("trace", Level::TRACE),
];

const MODEL_KINDS: [(ModelKind, &str); 2] =
    [(ModelKind::Offline, "offline"), (ModelKind::Openai, "openai")];

const TOOL_FORMS: [(ToolForm, &str); 3] =
    [(ToolForm::Auto, "auto"), (ToolForm::Native, "native"), (ToolForm::Json, "json")];

/// A hundred thousand dollars for a million tokens at most.
const PRICES: RangeInclusive<u64> = 0..=100_000_000_000;

/// What a cap may be.
const AMOUNTS: RangeInclusive<u64> = 1..=1_000_000_000_000;

/// Every setting, in the order in which they are shown.
pub(super) const SETTINGS: &[Known] = &[
    Known {
        key: "store.backend",
        variable: None,
        accepted: "\"sled\" or \"redb\"",
        apply: |config, given| {
            let all = [BackendKind::Sled, BackendKind::Redb];
            let name = given.text()?;
            config.store.backend = all.into_iter().find(|backend| backend.name() == name)?;
            Some(())
        },
        show: |config| config.store.backend.name().into(),
    },
    Known {
        key: "evaluator.python",
        variable: Some("VOSIM_PYTHON"),
        accepted: "the absolute path of a Python interpreter",
        apply: |config, given| {
            config.evaluator.python = Some(given.path()?);
            Some(())
        },
        show: |config| path(config.evaluator.python.as_deref()),
    },
    Known {
        key: "evaluator.node",
        variable: Some("VOSIM_NODE"),
        accepted: "the absolute path of a Node.js interpreter",
        apply: |config, given| {
            config.evaluator.node = Some(given.path()?);
            Some(())
        },
        show: |config| path(config.evaluator.node.as_deref()),
    },
    Known {
        key: "evaluator.sandbox",
        variable: Some("VOSIM_SANDBOX"),
        accepted: "the absolute path of vosim-sandbox",
        apply: |config, given| {
            config.evaluator.sandbox = Some(given.path()?);
            Some(())
        },
        show: |config| path(config.evaluator.sandbox.as_deref()),
    },
    Known {
        key: "evaluator.user",
        variable: None,
        accepted: "a user id, \"UID:GID\" or a range \"FIRST-LAST\", above 0",
        apply: |config, given| {
            config.evaluator.user = Some(given.account()?);
            Some(())
        },
        show: |config| config.evaluator.user.map_or(Json::Null, |user| user.to_string().into()),
    },
    Known {
        key: "evaluator.warm",
        variable: None,
        accepted: "a number of waiting interpreters from 0 to 8",
        apply: |config, given| {
            config.evaluator.warm = usize::try_from(given.number(0..=8)?).ok()?;
            Some(())
        },
        show: |config| config.evaluator.warm.into(),
    },
    Known {
        key: "sessions.idle_sleep_secs",
        variable: None,
        accepted: "seconds from 1 to 86400",
        apply: |config, given| {
            config.sessions.idle_sleep_secs = given.number(1..=86_400)?;
            Some(())
        },
        show: |config| config.sessions.idle_sleep_secs.into(),
    },
    Known {
        key: "attempt.attempt_v2_flow",
        variable: None,
        accepted: "true or false",
        apply: |config, given| {
            config.attempt.attempt_v2_flow = given.flag()?;
            Some(())
        },
        show: |config| config.attempt.attempt_v2_flow.into(),
    },
    Known {
        key: "attempt.beginner_mode_default",
        variable: None,
        accepted: "true or false",
        apply: |config, given| {
            config.attempt.beginner_mode_default = given.flag()?;
            Some(())
        },
        show: |config| config.attempt.beginner_mode_default.into(),
    },
    Known {
        key: "log.level",
        variable: Some("VOSIM_LOG"),
        accepted: "\"error\", \"warn\", \"info\", \"debug\" or \"trace\"",
        apply: |config, given| {
            let name = given.text()?;
            config.log.level = LEVELS.iter().find(|(level, _)| *level == name)?.1;
            Some(())
        },
        show: |config| {
            let level = LEVELS.iter().find(|(_, level)| *level == config.log.level);
            level.map_or(Json::Null, |(name, _)| (*name).into())
        },
    },
    Known {
        key: "log.keep_files",
        variable: None,
        accepted: "a number of files from 1 to 100",
        apply: |config, given| {
            config.log.keep_files = u32::try_from(given.number(1..=100)?).ok()?;
            Some(())
        },
        show: |config| config.log.keep_files.into(),
    },
    Known {
        key: "log.file_max_bytes",
        variable: None,
        accepted: "bytes from 65536 to 1073741824",
        apply: |config, given| {
            config.log.file_max_bytes = given.number(64 * 1024..=1024 * 1024 * 1024)?;
            Some(())
        },
        show: |config| config.log.file_max_bytes.into(),
    },
    Known {
        key: "model.kind",
        variable: None,
        accepted: "\"offline\" or \"openai\"",
        apply: |config, given| {
            let name = given.text()?;
            config.model.kind = MODEL_KINDS.iter().find(|(_, known)| *known == name)?.0;
            Some(())
        },
        show: |config| {
            let kind = MODEL_KINDS.iter().find(|(kind, _)| *kind == config.model.kind);
            kind.map_or(Json::Null, |(_, name)| (*name).into())
        },
    },
    Known {
        key: "model.address",
        variable: None,
        accepted: "the address of a server that begins with http and holds no key",
        apply: |config, given| {
            let address = given.text()?;
            Endpoint::new(address, "a model", None).ok()?;
            config.model.address = Some(address.to_owned());
            Some(())
        },
        show: |config| text(config.model.address.as_deref()),
    },
    Known {
        key: "model.name",
        variable: None,
        accepted: "what the server calls the model",
        apply: |config, given| {
            config.model.name = Some(word(given)?);
            Some(())
        },
        show: |config| text(config.model.name.as_deref()),
    },
    Known {
        key: "model.key_variable",
        variable: None,
        accepted: "the name of the variable that holds the key, not the key",
        apply: |config, given| {
            let name = word(given)?;
            let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            config.model.key_variable = Some(name).filter(|name| name.chars().all(is_name));
            config.model.key_variable.is_some().then_some(())
        },
        show: |config| text(config.model.key_variable.as_deref()),
    },
    Known {
        key: "model.key_file",
        variable: None,
        accepted: "the absolute path of the file that holds the key",
        apply: |config, given| {
            config.model.key_file = Some(given.path()?);
            Some(())
        },
        show: |config| path(config.model.key_file.as_deref()),
    },
    Known {
        key: "model.window_tokens",
        variable: None,
        accepted: "tokens from 1024 to 10000000",
        apply: |config, given| {
            config.model.window_tokens = Some(given.number(1024..=10_000_000)?);
            Some(())
        },
        show: |config| number(config.model.window_tokens),
    },
    Known {
        key: "model.tools",
        variable: None,
        accepted: "\"auto\", \"native\" or \"json\"",
        apply: |config, given| {
            let name = given.text()?;
            config.model.tools = TOOL_FORMS.iter().find(|(_, known)| *known == name)?.0;
            Some(())
        },
        show: |config| {
            let form = TOOL_FORMS.iter().find(|(form, _)| *form == config.model.tools);
            form.map_or(Json::Null, |(_, name)| (*name).into())
        },
    },
    Known {
        key: "model.wording",
        variable: None,
        accepted: "true or false",
        apply: |config, given| {
            config.model.wording = given.flag()?;
            Some(())
        },
        show: |config| config.model.wording.into(),
    },
    Known {
        key: "model.assistant",
        variable: None,
        accepted: "true or false",
        apply: |config, given| {
            config.model.assistant = given.flag()?;
            Some(())
        },
        show: |config| config.model.assistant.into(),
    },
    Known {
        key: "model.hearing",
        variable: None,
        accepted: "true or false",
        apply: |config, given| {
            config.model.hearing = given.flag()?;
            Some(())
        },
        show: |config| config.model.hearing.into(),
    },
    Known {
        key: "model.prompt_price_micros",
        variable: None,
        accepted: "millionths of a dollar for a million tokens of a request",
        apply: |config, given| {
            config.model.prompt_price_micros = Some(given.number(PRICES)?);
            Some(())
        },
        show: |config| number(config.model.prompt_price_micros),
    },
    Known {
        key: "model.completion_price_micros",
        variable: None,
        accepted: "millionths of a dollar for a million tokens of a reply",
        apply: |config, given| {
            config.model.completion_price_micros = Some(given.number(PRICES)?);
            Some(())
        },
        show: |config| number(config.model.completion_price_micros),
    },
    Known {
        key: "task.tokens",
        variable: None,
        accepted: "tokens from 1 to 1000000000000",
        apply: |config, given| {
            config.task.caps.tokens = Some(given.number(AMOUNTS)?);
            Some(())
        },
        show: |config| number(config.task.caps.tokens),
    },
    Known {
        key: "task.calls",
        variable: None,
        accepted: "calls of a model from 1 to 1000000000000",
        apply: |config, given| {
            config.task.caps.calls = Some(given.number(AMOUNTS)?);
            Some(())
        },
        show: |config| number(config.task.caps.calls),
    },
    Known {
        key: "task.cost_micros",
        variable: None,
        accepted: "millionths of a dollar from 1 to 1000000000000",
        apply: |config, given| {
            config.task.caps.cost_micros = Some(given.number(AMOUNTS)?);
            Some(())
        },
        show: |config| number(config.task.caps.cost_micros),
    },
    Known {
        key: "task.minutes",
        variable: None,
        accepted: "minutes from 1 to 100000",
        apply: |config, given| {
            config.task.caps.wall_secs = Some(given.number(1..=100_000)? * 60);
            Some(())
        },
        show: |config| number(config.task.caps.wall_secs.map(|secs| secs / 60)),
    },
    Known {
        key: "task.day_tokens",
        variable: None,
        accepted: "tokens from 1 to 1000000000000",
        apply: |config, given| {
            config.task.day.tokens = Some(given.number(AMOUNTS)?);
            Some(())
        },
        show: |config| number(config.task.day.tokens),
    },
    Known {
        key: "task.day_calls",
        variable: None,
        accepted: "calls of a model from 1 to 1000000000000",
        apply: |config, given| {
            config.task.day.calls = Some(given.number(AMOUNTS)?);
            Some(())
        },
        show: |config| number(config.task.day.calls),
    },
    Known {
        key: "task.day_cost_micros",
        variable: None,
        accepted: "millionths of a dollar from 1 to 1000000000000",
        apply: |config, given| {
            config.task.day.cost_micros = Some(given.number(AMOUNTS)?);
            Some(())
        },
        show: |config| number(config.task.day.cost_micros),
    },
    Known {
        key: "task.day_minutes",
        variable: None,
        accepted: "minutes from 1 to 100000",
        apply: |config, given| {
            config.task.day.wall_secs = Some(given.number(1..=100_000)? * 60);
            Some(())
        },
        show: |config| number(config.task.day.wall_secs.map(|secs| secs / 60)),
    },
    Known {
        key: "task.run_memory_mib",
        variable: None,
        accepted: "MiB of memory from 128 to 8192",
        apply: |config, given| {
            config.task.run.memory_mib = Some(given.number(RunCaps::MEMORY_MIB)?);
            Some(())
        },
        show: |config| config.task.run.in_force().memory_mib.into(),
    },
    Known {
        key: "task.run_minutes",
        variable: None,
        accepted: "minutes from 1 to 60",
        apply: |config, given| {
            config.task.run.minutes = Some(given.number(RunCaps::MINUTES)?);
            Some(())
        },
        show: |config| config.task.run.in_force().minutes.into(),
    },
    Known {
        key: "task.run_processes",
        variable: None,
        accepted: "a number of processes from 10 to 1000",
        apply: |config, given| {
            config.task.run.processes = Some(given.number(RunCaps::PROCESSES)?);
            Some(())
        },
        show: |config| config.task.run.in_force().processes.into(),
    },
    Known {
        key: "task.iterations",
        variable: None,
        accepted: "a number of iterations from 1 to 100",
        apply: |config, given| {
            config.task.iterations = u32::try_from(given.number(1..=100)?).ok()?;
            Some(())
        },
        show: |config| config.task.iterations.into(),
    },
    Known {
        key: "task.fallback",
        variable: None,
        accepted: "\"openai:NAME\", \"repair\", \"script:NAME\" or \"replay:FILE\"",
        apply: |config, given| {
            config.task.fallback = Some(given.text()?.parse().ok()?);
            Some(())
        },
        show: |config| config.task.fallback.as_ref().map_or(Json::Null, |it| it.to_string().into()),
    },
    Known {
        key: "memory.model",
        variable: None,
        accepted: "the absolute path of a sentence model as ONNX",
        apply: |config, given| {
            config.memory.model = Some(given.path()?);
            Some(())
        },
        show: |config| path(config.memory.model.as_deref()),
    },
    Known {
        key: "memory.vocabulary",
        variable: None,
        accepted: "the absolute path of its vocab.txt or tokenizer.json",
        apply: |config, given| {
            config.memory.vocabulary = Some(given.path()?);
            Some(())
        },
        show: |config| path(config.memory.vocabulary.as_deref()),
    },
    Known {
        key: "memory.server_model",
        variable: None,
        accepted: "what the server calls the model that makes vectors of texts",
        apply: |config, given| {
            config.memory.server_model = Some(word(given)?);
            Some(())
        },
        show: |config| text(config.memory.server_model.as_deref()),
    },
];

/// Returns the position of a key in [`SETTINGS`].
pub(super) fn position(key: &str) -> Option<usize> {
    SETTINGS.iter().position(|known| known.key == key)
}

/// Whether somebody may write a key there, where none belongs.
pub(super) fn may_hold_a_key(key: &str) -> bool {
    key == "model.address" || key.starts_with("model.key")
}

/// Whether a section has this name.
pub(super) fn is_section(name: &str) -> bool {
    SETTINGS.iter().any(|known| section(known.key) == name)
}

/// Returns where a key belongs that is no setting where it stands, else what there is.
pub(super) fn advice(key: &str) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    let same = SETTINGS
        .iter()
        .map(|known| known.key)
        .filter(|known| known.split_once('.').is_some_and(|(_, known)| known == name));
    let homes: Vec<_> = same.map(|key| format!("[{}]", section(key))).collect();
    match homes.is_empty() {
        true => format!("known are {}", keys_near(key)),
        false => format!("it belongs under {}", homes.join(" or ")),
    }
}

/// Returns the keys of the same section, or the sections if the section is unknown.
fn keys_near(key: &str) -> String {
    let wanted = section(key);
    let keys = SETTINGS.iter().map(|known| known.key);
    let mut near: Vec<String> = match key.contains('.') && is_section(wanted) {
        true => keys.filter(|key| section(key) == wanted).map(str::to_owned).collect(),
        false => keys.map(|key| format!("[{}]", section(key))).collect(),
    };
    near.dedup();
    near.join(", ")
}

fn section(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

fn path(path: Option<&Path>) -> Json {
    path.map_or(Json::Null, |path| path.display().to_string().into())
}

fn text(text: Option<&str>) -> Json {
    text.map_or(Json::Null, Json::from)
}

fn number(number: Option<u64>) -> Json {
    number.map_or(Json::Null, Json::from)
}

/// A text on one line that says something.
fn word(given: &Given<'_>) -> Option<String> {
    let word = given.text()?.trim();
    (!word.is_empty() && !word.chars().any(char::is_control)).then(|| word.to_owned())
}
