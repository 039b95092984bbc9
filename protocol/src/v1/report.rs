//! What a session that has ended teaches whoever was in it: what was heard and what was not, what was
//! tried, and what to do next.
//!
//! It is made of the session's log, and of what its problem's package says for afterwards, once, for every screen and page that shows it. Whatever it
//! says names the events that it rests on; of words only those are quoted that were heard and still held
//! at the end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{EventId, Hash, Kind, ProblemId, SessionId};
use crate::record::Outcome;
use crate::time::Time;
use crate::v1::assistant::AskKind;
use crate::v1::clauses;
use crate::v1::coverage::Coverage;
use crate::v1::evaluation::{Detail, FailureType};
use crate::v1::interview::ExitReason;
use crate::v1::judging::GrowthMeasured;
use crate::v1::phrase::Phrase;
use crate::v1::problem::GENERAL_ISSUE;
use crate::v1::telling::{Entry, ToldRecord};

/// Most things to do next.
pub const ADVICE_MAX: usize = 3;

/// What a session teaches whose bundle lies in a file, with the events that its page shows; printed by
/// `report FILE`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    /// What it teaches.
    pub report: Report,
    /// Its events as a candidate may see them.
    pub log: Vec<ToldRecord>,
}

/// What an ended session teaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The session.
    pub session_id: SessionId,
    /// The rules.
    pub kind: Kind,
    /// What lists show.
    pub title: String,
    /// Which problem; absent for a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem_id: Option<ProblemId>,
    /// Who was interviewed, or a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate_id: Option<String>,
    /// When it began; of an interview, when its clock began to run.
    pub started: Time,
    /// When it ended.
    pub ended: Time,
    /// How it came out; absent for a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The sections that began, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SectionReport>,
    /// What was submitted; the newest that fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub submissions: Vec<Tried>,
    /// Submissions before those.
    #[serde(default)]
    pub submissions_omitted: u32,
    /// Runs of the candidate's own cases; the newest that fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_runs: Vec<EventId>,
    /// The time per operation of the last right submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Grown>,
    /// The hints given; the newest that fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<HintUsed>,
    /// What was asked of the assistant; the newest that fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assistant: Vec<Asked>,
    /// What came after the time of its section; the newest that fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<Late>,
    /// What was decided on the way, in the session's own sentences; the newest that fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Entry>,
    /// What to do next, most important first; at most [`ADVICE_MAX`].
    pub next: Vec<Advice>,
}

/// How a section went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionReport {
    /// The id.
    pub section_id: String,
    /// The name on screens.
    pub title: String,
    /// The event that began it.
    pub started: EventId,
    /// The event that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<EventId>,
    /// When it began.
    pub at: Time,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_reason: Option<ExitReason>,
    /// The time it was given, milliseconds.
    pub given_ms: u64,
    /// The time it took of that, milliseconds.
    pub used_ms: u64,
    /// What it was to cover, most important first.
    pub dimensions: Vec<DimensionReport>,
}

/// How far a dimension was heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DimensionReport {
    /// The id.
    pub dimension: String,
    /// The name on screens.
    pub title: String,
    /// False for one that is never asked for.
    pub required: bool,
    /// How far it was heard.
    pub coverage: Coverage,
    /// The event that covered it as far as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<EventId>,
    /// The candidate's best sentence about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Quoted>,
    /// The event in which the candidate declined to speak of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<EventId>,
    /// The last question that was asked for it; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Quoted>,
    /// What a strong candidate says, where something was missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
}

/// Words of the log, word for word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quoted {
    /// The words.
    pub text: String,
    /// The event they stand in.
    pub event_id: EventId,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tried {
    /// The event that took it.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// 1, 2, 3 …
    pub number: u32,
    /// SHA-256 of the code.
    pub code_hash: Hash,
    /// What became of it; absent where nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judgement>,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// There was a verdict.
    Verdict {
        /// The event.
        event_id: EventId,
        /// The class.
        failure_type: FailureType,
        /// Why it applies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<Detail>,
        /// Cases that passed.
        tests_passed: u32,
        /// All others.
        tests_failed: u32,
        /// The cause that it was put down to; absent for a pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        issue: Option<String>,
    },
    /// It could not be judged and does not count.
    Aborted(Quoted),
}

impl Tried {
    /// The verdict's event and class, if it was judged.
    pub fn verdict(&self) -> Option<(EventId, FailureType)> {
        match &self.judged {
            Some(Judgement::Verdict { event_id, failure_type, .. }) => {
                Some((*event_id, *failure_type))
            }
            Some(Judgement::Aborted(_)) | None => None,
        }
    }

    /// The cause that a failure was put down to; none where nothing told what is wrong.
    pub fn issue(&self) -> Option<&str> {
        match &self.judged {
            Some(Judgement::Verdict { issue, .. }) => {
                issue.as_deref().filter(|issue| *issue != GENERAL_ISSUE)
            }
            Some(Judgement::Aborted(_)) | None => None,
        }
    }

    /// The verdict in a sentence, with its event.
    pub fn told(&self) -> Option<(EventId, Phrase)> {
        let Some(Judgement::Verdict {
            event_id,
            failure_type,
            detail,
            tests_passed,
            tests_failed,
            ..
        }) = &self.judged
        else {
            return None;
        };
        let class = clauses::class(*failure_type, *detail);
        let total = tests_passed + tests_failed;
        Some((*event_id, clauses::verdict(self.number, class, *tests_passed, total)))
    }

    /// True for one that passed.
    pub fn passed(&self) -> bool {
        self.verdict().is_some_and(|(_, class)| class == FailureType::Pass)
    }
}

/// The time per operation of a right submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grown {
    /// The event.
    pub event_id: EventId,
    /// What was measured.
    pub measured: GrowthMeasured,
}

/// A hint that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HintUsed {
    /// The event.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// 1 to 4.
    pub level: u8,
    /// The cause that it is about.
    pub issue: String,
}

/// A question to the assistant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// The event.
    pub event_id: EventId,
    /// When.
    pub at: Time,
    /// What kind of help.
    pub kind: AskKind,
    /// The event that answered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<EventId>,
    /// True when the answer broke a rule and was withheld.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
}

/// Something that came after the time of its section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Late {
    /// The event.
    pub event_id: EventId,
    /// What it was.
    pub what: LateThing,
    /// The section whose time was over.
    pub section_id: String,
    /// How long after it, milliseconds.
    pub by_ms: u64,
}

/// What came late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LateThing {
    /// A message.
    Message,
    /// A submission.
    Submission,
}

/// One thing to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// The rule that chose it.
    pub rule: AdviceRule,
    /// What to do.
    pub what: Phrase,
    /// Why: what happened.
    pub reason: Phrase,
    /// The events that the reason rests on.
    pub events: Vec<EventId>,
}

/// The rules that choose what to do next, in the order in which they are tried.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AdviceRule {
    /// Nothing was judged.
    NothingJudged,
    /// The last submission failed.
    LastFailed,
    /// A required dimension was not spoken of.
    NotSpokenOf,
    /// It was solved with help: hints, the assistant, or the solution.
    SolvedWithHelp,
    /// A required dimension was only touched.
    OnlyTouched,
    /// The same cause failed three submissions or more.
    SameCause,
    /// The first submission failed, and no cases of the candidate's own had been run.
    NotTried,
    /// Something came late.
    Late,
    /// The time per operation of a right submission grows.
    Grows,
    /// It was solved: the problem, changed.
    Variation,
    /// It was not solved: what may be read after the end.
    ReadUp,
    /// The same problem again after some days.
    ComeBack,
}
