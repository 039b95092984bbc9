//! What the commands of a task result in.

use vosim_protocol::v1::task::{Command, Event, Settled};

use crate::kind::Recorded;

pub(super) fn settled(command: &Command, led_to: &[Recorded<Event>]) -> Option<Settled> {
    let mut events = led_to.iter().map(|recorded| &recorded.event);
    events.find_map(|event| match (command, event) {
        (Command::Pause { .. }, Event::PauseAsked(asked)) => Some(Settled::Pause(*asked)),
        (Command::Resume { .. }, Event::TaskResumed(resumed)) => {
            Some(Settled::Resume(resumed.clone()))
        }
        (Command::Approve { .. }, Event::ApprovalGiven(given)) => {
            Some(Settled::Approve(given.clone()))
        }
        (Command::Rewind { .. }, Event::TaskRewound(rewound)) => {
            Some(Settled::Rewind(rewound.clone()))
        }
        (Command::End {}, Event::TaskClosed(closed)) => Some(Settled::End(*closed)),
        (
            Command::Pause { .. }
            | Command::Resume { .. }
            | Command::Approve { .. }
            | Command::Rewind { .. }
            | Command::End {},
            _,
        ) => None,
    })
}
