//! What can be done about a refusal, as data: each client spells it in its own way (DECISIONS 44).
//!
//! The daemon knows no client's commands, options or keys; the texts in here are clauses that
//! name none, to be put behind a client's own words.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::wire::{Json, Wire as _};

/// A next step. Several in a row are alternatives, the most likely one first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Next {
    /// Do another thing that vosim can do.
    Run {
        /// What for: `end the session`.
        to: String,
        /// What.
        action: Action,
    },
    /// Let something happen first.
    Wait {
        /// What is to come: `its verdict`.
        until: String,
        /// Where one can see that it has come.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen_by: Option<Action>,
    },
    /// Change what was asked, or what it is about, and ask again.
    Edit {
        /// How: `make the file smaller`.
        how: String,
    },
    /// Ask the same with one argument set.
    Repeat {
        /// What for: `have it judged again`.
        to: String,
        /// The argument.
        with: Switch,
    },
    /// Think about something meanwhile.
    Consider {
        /// One question, a whole sentence.
        question: String,
    },
}

/// What a person can do with vosim: commands of a session, requests, and what needs no daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Start a drill.
    StartDrill,
    /// Start an interview.
    StartInterview,
    /// Start an attempt.
    StartAttempt,
    /// Explain the problem of an attempt.
    Understand,
    /// Choose the pattern of an attempt.
    ChoosePattern,
    /// Write down the approach of an attempt.
    Approach,
    /// Say why a test of an attempt failed.
    ExplainFailure,
    /// Go back to the code of an attempt.
    Retry,
    /// Say what is taken along from an attempt.
    Reflect,
    /// Start the clock of an interview.
    Begin,
    /// Submit a file.
    Submit,
    /// Have a file watched.
    Watch,
    /// Say something to the interviewer.
    Say,
    /// Finish the open section.
    Done,
    /// End the session.
    End,
    /// See where the session stands.
    Status,
    /// See the last verdict again.
    Result,
    /// See what has happened in the session.
    Log,
    /// Read what a session teaches that has ended.
    Report,
    /// Read hints and solutions after the end.
    Discussion,
    /// See the sessions there are.
    List,
    /// Write a session's records to a file.
    ExportRecords,
    /// Write the evaluation bundle to a file.
    ExportEvaluation,
    /// Write the replay bundle to a file.
    ExportReplay,
    /// Look for changes in a session's log.
    Verify,
    /// Put a backup in the store's place.
    Restore,
    /// Find the faults of an interview schema.
    CheckSchema,
    /// Find out what is wrong with a problem package.
    CheckProblem,
    /// Take a problem of one's own away.
    RemoveProblem,
    /// See the problems there are.
    Problems,
    /// Read what each method takes.
    Describe,
    /// See what vosim needs and has.
    Doctor,
    /// Stop the daemon.
    Stop,
    /// Read what the service manager has noted about the daemon.
    Journal,
}

/// An argument that asks for more than its command does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// Judge what was judged before.
    Again,
    /// Open a session beside the one in progress.
    Beside,
    /// Say yes to what is asked for.
    Confirm,
}

impl Next {
    /// Do another thing.
    pub fn run(to: impl Into<String>, action: Action) -> Self {
        Self::Run { to: to.into(), action }
    }

    /// Let something happen first.
    pub fn wait(until: impl Into<String>) -> Self {
        Self::Wait { until: until.into(), seen_by: None }
    }

    /// Let something happen first that can be seen coming.
    pub fn wait_and_see(until: impl Into<String>, seen_by: Action) -> Self {
        Self::Wait { until: until.into(), seen_by: Some(seen_by) }
    }

    /// Change what was asked.
    pub fn edit(how: impl Into<String>) -> Self {
        Self::Edit { how: how.into() }
    }

    /// Ask the same with an argument set.
    pub fn repeat(to: impl Into<String>, with: Switch) -> Self {
        Self::Repeat { to: to.into(), with }
    }
}

/// Leaves out the steps that only a newer daemon knows: an error is to be readable for ever.
pub(crate) fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Next>, D::Error> {
    let steps = Vec::<Json>::deserialize(deserializer)?;
    Ok(steps.into_iter().filter_map(|step| Next::from_json(step).ok()).collect())
}
