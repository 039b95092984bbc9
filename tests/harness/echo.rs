//! An assistant that keeps nothing to itself: what it is given is in a file and in its answer.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use vosim_protocol::wire::Json;
use vosimd::model::{Assistant, ModelError, Question, Reply};

/// Answers each question with all that it was given for it.
#[derive(Debug)]
pub(crate) struct Echo {
    heard: PathBuf,
}

impl Echo {
    /// Keeps what it is given in this file, a line for each question.
    pub(crate) fn new(heard: PathBuf) -> Self {
        Self { heard }
    }

    fn keep(&self, given: &Json) -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.heard)?;
        writeln!(file, "{given}")
    }
}

impl Assistant for Echo {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn answer<'a>(&'a self, question: &'a Question) -> Reply<'a, Option<String>> {
        // Without `..`: whatever else an assistant gets to see is told here too.
        let Question { kind, text, code, language } = question;
        let code = code.as_deref().map(String::from_utf8_lossy);
        let given = serde_json::json!({
            "kind": kind, "text": text, "code": code, "language": language
        });
        Box::pin(async move {
            let failed = |error: std::io::Error| ModelError::Failed { reason: error.to_string() };
            self.keep(&given).map_err(failed)?;
            Ok(Some(given.to_string()))
        })
    }
}
