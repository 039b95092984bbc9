//! Times, reasons and actions of an interview in words.

use vosim_protocol::v1::effect::Obstacle;
use vosim_protocol::v1::interview::{AllowedAction, Phase, View};

use crate::render::text::columns;

/// A clock that runs down: `12:57`, `1:02:03`. It shows 0:00 only when nothing is left.
pub(crate) fn clock(millis: u64) -> String {
    let seconds = millis.div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Where an interview stands.
pub(crate) fn phase(view: &View) -> &'static str {
    match view.phase {
        Phase::NotStarted => "not started; the clock is not running yet",
        Phase::InProgress => "in progress",
        Phase::Paused => "paused, nobody is there; the clock keeps running",
        Phase::Closing => "the last section's time is up; late messages are still taken",
        Phase::Completed => "completed",
        Phase::Terminated => "ended before its time",
    }
}

/// An action as the command that does it.
pub(crate) fn command(action: AllowedAction) -> &'static str {
    match action {
        AllowedAction::Begin => "interview begin",
        AllowedAction::Chat => "say",
        AllowedAction::Code => "test",
        AllowedAction::Submit => "submit",
        AllowedAction::AskAssistant => "ask",
        AllowedAction::Hint => "hint",
        AllowedAction::Done => "done",
        AllowedAction::End => "end",
    }
}

/// What is wrong with a watched file, behind its name.
pub(crate) fn obstacle(why: Obstacle) -> &'static str {
    match why {
        Obstacle::Missing => "is gone",
        Obstacle::NotAFile => "is no file any more",
        Obstacle::Unreadable => "cannot be read",
        Obstacle::TooLarge => "has more than 512 KiB",
    }
}

/// What can be done now, as commands.
pub(crate) fn possible(actions: &[AllowedAction]) -> String {
    let commands: Vec<_> = actions.iter().map(|action| command(*action)).collect();
    if commands.is_empty() { "nothing".to_owned() } else { commands.join(", ") }
}

/// Pads to a number of columns.
pub(crate) fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(columns(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_nothing_left_only_at_the_end() {
        let all = [0, 1, 1000, 59_001, 777_000, 3_723_000].map(clock);
        assert_eq!(all, ["0:00", "0:01", "0:01", "1:00", "12:57", "1:02:03"]);
    }
}
