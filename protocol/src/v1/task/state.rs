//! The states of a task, and which leads to which.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a task stands (002 2.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// The workspace is made.
    Init,
    /// The task is broken down, once.
    Planning,
    /// Code is written.
    Coding,
    /// Code is tested.
    Testing,
    /// It is found out why tests failed.
    Reflecting,
    /// All tests have passed.
    Success,
    /// The iterations are used up, or the agent is stuck; it can be resumed.
    Failed,
    /// It rests; it can be resumed.
    Paused,
}

impl State {
    /// The word in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Planning => "planning",
            Self::Coding => "coding",
            Self::Testing => "testing",
            Self::Reflecting => "reflecting",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Paused => "paused",
        }
    }

    /// Whether a task may go from here to there (002 2.2, DECISIONS 50). Whatever is not listed is refused.
    pub fn leads_to(self, to: Self) -> bool {
        match self {
            Self::Init => matches!(to, Self::Planning | Self::Paused),
            Self::Planning => matches!(to, Self::Coding | Self::Paused),
            Self::Coding => matches!(to, Self::Testing | Self::Paused),
            Self::Testing => matches!(to, Self::Success | Self::Reflecting | Self::Paused),
            Self::Reflecting => matches!(to, Self::Coding | Self::Failed | Self::Paused),
            Self::Paused => matches!(
                to,
                Self::Init | Self::Planning | Self::Coding | Self::Testing | Self::Reflecting
            ),
            Self::Failed => matches!(to, Self::Coding),
            Self::Success => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [State; 8] = [
        State::Init,
        State::Planning,
        State::Coding,
        State::Testing,
        State::Reflecting,
        State::Success,
        State::Failed,
        State::Paused,
    ];

    #[test]
    fn a_task_goes_from_state_to_state_as_002_says_and_in_no_other_way() {
        let from = |state: State| -> Vec<State> {
            ALL.into_iter().filter(|to| state.leads_to(*to)).collect()
        };
        use State::{Coding, Failed, Init, Paused, Planning, Reflecting, Success, Testing};
        assert_eq!(from(Init), [Planning, Paused]);
        assert_eq!(from(Planning), [Coding, Paused]);
        assert_eq!(from(Coding), [Testing, Paused]);
        assert_eq!(from(Testing), [Reflecting, Success, Paused]);
        assert_eq!(from(Reflecting), [Coding, Failed, Paused]);
        assert_eq!(from(Failed), [Coding], "DECISIONS 50");
        assert_eq!(from(Paused), [Init, Planning, Coding, Testing, Reflecting]);
        assert_eq!(from(Success), []);
    }
}
