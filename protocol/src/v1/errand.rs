//! The errand: an agent works in a folder, and whoever gave it the job has the work checked and takes
//! it or sends it back.
//!
//! No program that is shipped hosts it. It shows that the seams hold for a kind that has what the
//! others have not: no problem and no candidate, an agent and an interviewer who both act, events that
//! name several blobs, and work that takes long and tells in words how far it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::blob::BlobRef;
use crate::ids::SessionId;
use crate::time::Time;
use crate::v1::effect::{ExecuteStep, ExecutedStep};
use crate::v1::events::BlobUse;
use crate::{commands, events};

/// What a person asks for to give an errand, and all that its rules depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The job in a few words.
    pub title: String,
    /// The absolute path of the folder that is worked in.
    pub folder: String,
    /// The programs of the folder that check the work.
    pub checks: Vec<ExecuteStep>,
    /// The time for all of it.
    pub minutes: u32,
}

commands! {
    /// What is asked in an errand.
    pub enum Command of Errand, settled as Settled {
        /// Hand in the work.
        HandIn {
            /// What was changed.
            patch: BlobRef,
            /// What there is to say about it.
            notes: BlobRef,
        }: "hand_in" -> WorkHandedIn, by Agent;
        /// Ask a model for advice.
        Ask {
            /// In the agent's words.
            question: String,
        }: "ask" -> AdviceGiven, by Agent;
        /// Have the work checked.
        Check {}: "check" -> WorkChecked, by Interviewer;
        /// Send the work back.
        SendBack {
            /// What is missing.
            reason: String,
        }: "send_back" -> WorkSentBack, by Interviewer;
        /// Take the work, which ends the errand.
        Take {}: "take" -> WorkTaken, by Interviewer;
    }
}

events! {
    /// What happens in an errand.
    pub enum Event {
        /// The agent may begin.
        ErrandGiven(ErrandGiven): "ERRAND_GIVEN" by System for Everyone;
        /// There is something to check.
        WorkHandedIn(WorkHandedIn): "WORK_HANDED_IN" by Agent for Everyone,
            naming |work| [BlobUse::code(work.patch.hash), BlobUse::data(work.notes.hash)];
        /// It is what was handed in before.
        WorkUnchanged(WorkUnchanged): "WORK_UNCHANGED" by System for Everyone;
        /// The agent wants advice.
        AdviceAsked(AdviceAsked): "ADVICE_ASKED" by Agent for Everyone;
        /// The model has said something, or nothing.
        AdviceGiven(AdviceGiven): "ADVICE_GIVEN" by AssistantAi for Everyone;
        /// The checks are run.
        CheckBegan(CheckBegan): "CHECK_BEGAN" by Interviewer for Everyone;
        /// The checks have ended.
        WorkChecked(WorkChecked): "WORK_CHECKED" by System for Everyone,
            naming |checked| checked.steps.iter().flat_map(|step| [&step.stdout, &step.stderr])
                .map(|output| BlobUse::data(output.hash)).collect::<Vec<_>>();
        /// The agent is to go on.
        WorkSentBack(WorkSentBack): "WORK_SENT_BACK" by Interviewer for Everyone;
        /// The work is good.
        WorkTaken(WorkTaken): "WORK_TAKEN" by Interviewer for Everyone;
        /// The time is over.
        ErrandExpired(ErrandExpired): "ERRAND_EXPIRED" by System for Everyone;
    }
}

/// The agent may begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrandGiven {
    /// The job.
    pub title: String,
    /// When the time is over.
    pub due: Time,
}

/// There is something to check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkHandedIn {
    /// How often there was, this time included.
    pub number: u32,
    /// What was changed.
    pub patch: BlobRef,
    /// What there is to say about it.
    pub notes: BlobRef,
}

/// The work is what was handed in before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkUnchanged {
    /// Which.
    pub number: u32,
}

/// The agent wants advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdviceAsked {
    /// In the agent's words.
    pub question: String,
}

/// The model has said something, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdviceGiven {
    /// Its advice; absent where it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// Why it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The checks are run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckBegan {
    /// Of which work.
    pub number: u32,
}

/// The checks have ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkChecked {
    /// Of which work.
    pub number: u32,
    /// Those that were run, with what they wrote.
    pub steps: Vec<ExecutedStep>,
    /// Why they could not be run; absent where they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The agent is to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkSentBack {
    /// What is missing.
    pub reason: String,
}

/// The work is good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkTaken {
    /// Which.
    pub number: u32,
}

/// The time is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrandExpired {}

/// Where an errand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The agent works.
    Working,
    /// There is work to check.
    HandedIn,
    /// It is being checked.
    Checking,
    /// It was taken.
    Taken,
    /// The time was over before.
    Expired,
}

impl Phase {
    /// The word on the wire and in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::HandedIn => "handed_in",
            Self::Checking => "checking",
            Self::Taken => "taken",
            Self::Expired => "expired",
        }
    }
}

/// What every role sees of an errand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// Which session.
    pub session_id: SessionId,
    /// The job.
    pub title: String,
    /// Where it is worked.
    pub folder: String,
    /// Where it stands.
    pub phase: Phase,
    /// The session's time.
    pub at: Time,
    /// When the time is over.
    pub due: Time,
    /// How often work was handed in.
    pub handed_in: u32,
}
