//! Has a model say what a message covers (001 6.2; DECISIONS 37). What it may move is the engine's to say.

use serde::Deserialize;
use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::effect::{Hear, Testimony};

use crate::effects::{CarryOut, Done, Run, served};
use crate::model::prompts;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdicts {
    verdicts: Vec<DimensionVerdict>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DimensionVerdict {
    dimension: String,
    level: Level,
    quote: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    Not,
    Partly,
    Fully,
}

impl CarryOut for Hear {
    async fn carry_out(self, run: &Run) -> Result<Done<Vec<Testimony>>, String> {
        let asked = served::ask(&run.daemon, &self.model, &prompts::hearing(&self)).await;
        let text = asked.map_err(|error| error.to_string())?;
        read(&text).map(Done::from)
    }
}

/// Reads what came back, strictly: what is nearly JSON is nothing.
fn read(text: &str) -> Result<Vec<Testimony>, String> {
    let Verdicts { verdicts } = serde_json::from_str(text)
        .map_err(|_| "what the model said has not the form that was asked for".to_owned())?;
    let said = verdicts.into_iter().filter_map(|DimensionVerdict { dimension, level, quote }| {
        let level = match level {
            Level::Not => return None,
            Level::Partly => Coverage::PartiallyCovered,
            Level::Fully => Coverage::Covered,
        };
        Some(Testimony { dimension, level, quote })
    });
    Ok(said.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_says_is_read_strictly_or_not_at_all() {
        let said = r#"{"verdicts": [
            {"dimension": "complexity", "level": "fully", "quote": "a call is O(1)"},
            {"dimension": "approach", "level": "not", "quote": ""}
        ]}"#;
        let testimony = Testimony {
            dimension: "complexity".to_owned(),
            level: Coverage::Covered,
            quote: "a call is O(1)".to_owned(),
        };
        assert_eq!(read(said), Ok(vec![testimony]));
        assert_eq!(read(r#"{"verdicts": []}"#), Ok(Vec::new()));
        for text in [
            "",
            "Complexity is covered.",
            "[]",
            "{}",
            r#"```json {"verdicts": []} ```"#,
            r#"{"verdicts": [{"dimension": "a", "level": "wholly", "quote": "b"}]}"#,
            r#"{"verdicts": [{"dimension": "a", "level": "fully"}]}"#,
            r#"{"verdicts": [{"dimension": "a", "level": "fully", "quote": 1}]}"#,
            r#"{"verdicts": [], "note": "yes"}"#,
        ] {
            read(text).unwrap_err();
        }
    }
}
