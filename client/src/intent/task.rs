//! The words of a task: pause, resume, answer, rewind, end.

use vosim_protocol::v1::agent::{Allow, Answered, Caps, RunCaps};
use vosim_protocol::v1::task::{Command, View};
use vosim_protocol::{EventId, Role};

use crate::errors::{Failure, code, user_error};
use crate::intent::request::{Attached, Request};
use crate::intent::{SEE_HELP, Words, alone};

/// Lines that are typed in a task.
#[derive(Debug)]
pub(crate) enum Tasks {}

/// What can be asked of a task.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Intent {
    /// Pause it, or pause it at once.
    Pause { now: bool },
    /// Go on, perhaps with a hint.
    Resume(Option<String>),
    /// An answer; which event asks is the session's to say.
    Answer(Allow, EventId),
    /// Back to an event.
    Rewind(EventId),
    /// Give it up.
    End,
}

impl Words for Tasks {
    type Intent = Intent;
    type View = View;

    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("/yes", "allow what is asked, for the next run"),
        ("/always", "allow what is asked, for every run of this task"),
        ("/no", "refuse what is asked"),
        ("/pause", "pause after the step that is under way"),
        ("/pause now", "pause at once"),
        ("/resume [HINT]", "go on with 15 more iterations"),
        ("/rewind EVENT", "put the agent's edits back to an event"),
        ("/end", "give the task up for good"),
    ];

    fn text(_: &str) -> Result<Intent, Failure> {
        let message = "nobody is talked to in a task; its commands begin with a slash";
        Err(user_error(code::USAGE, message).hint(SEE_HELP))
    }

    fn word(word: &str, rest: &str) -> Result<Option<Intent>, Failure> {
        let unasked = EventId::ZERO;
        Ok(Some(match word {
            "yes" => alone(Intent::Answer(Allow::Once, unasked), word, rest)?,
            "always" => alone(Intent::Answer(Allow::Always, unasked), word, rest)?,
            "no" => alone(Intent::Answer(Allow::No, unasked), word, rest)?,
            "pause" if rest.trim() == "now" => Intent::Pause { now: true },
            "pause" => alone(Intent::Pause { now: false }, word, rest)?,
            "resume" => {
                Intent::Resume(Some(rest.trim().to_owned()).filter(|hint| !hint.is_empty()))
            }
            "rewind" => match rest.trim().parse() {
                Ok(event) => Intent::Rewind(EventId(event)),
                Err(_) => {
                    let message = "name the event to go back to, as a number";
                    return Err(user_error(code::USAGE, message).hint(SEE_HELP));
                }
            },
            "end" => alone(Intent::End, word, rest)?,
            _ => return Ok(None),
        }))
    }

    fn is_whole(intent: &Intent) -> bool {
        !matches!(intent, Intent::Answer(_, EventId::ZERO))
    }

    fn completed(intent: Intent, view: &View, _: Option<&str>) -> Intent {
        match (intent, &view.approval) {
            (Intent::Answer(answer, EventId::ZERO), Some(pending)) => {
                Intent::Answer(answer, pending.event_id)
            }
            (intent, _) => intent,
        }
    }

    fn may(role: Role, _: &Intent) -> Result<(), Failure> {
        match role {
            Role::Candidate | Role::Interviewer => Ok(()),
            Role::Observer | Role::Agent => {
                let message = "only the candidate and an interviewer decide about a task";
                Err(user_error(vosim_protocol::ErrorCode::RoleForbidden, message))
            }
        }
    }

    fn request(intent: Intent, from: Attached) -> Result<Request, Failure> {
        let (what, command) = match intent {
            Intent::Pause { now } => ("Your 'pause'", Command::Pause { now }),
            Intent::Resume(hint) => {
                let (caps, run) = (Caps::default(), RunCaps::default());
                ("Your 'resume'", Command::Resume { hint, caps, run })
            }
            Intent::Answer(answer, approval) => {
                let because = Answered::Said;
                ("Your answer", Command::Approve { approval, answer, because })
            }
            Intent::Rewind(to) => ("Your 'rewind'", Command::Rewind { to }),
            Intent::End => ("Your 'end'", Command::End {}),
        };
        Ok(Request::command(what, from, &command, Vec::new()))
    }
}
