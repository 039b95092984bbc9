//! Which commands are about a session that is there, and so can be told which one.

use crate::cli::{Attempt, Cli, Command, Interview, Task};
use crate::errors::{Failure, usage_error};

impl Cli {
    /// Refuses a session that was named to a command that has no use for it: whoever names one means
    /// something by it, and would take what happens for that.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.global.session.is_none() || is_about_a_session(&self.command) {
            return Ok(());
        }
        Err(usage_error("this command has no use for --session").hint(match &self.command {
            Command::Use(_) => "Name the session without the option: vosimctl use ID",
            Command::Verify(_) => "Leave out --session, or the file",
            _ => "Leave out --session",
        }))
    }
}

fn is_about_a_session(command: &Command) -> bool {
    match command {
        Command::Attempt { command } => !matches!(command, Attempt::Start(_)),
        Command::Interview { command } => !matches!(command, Interview::Start(_)),
        Command::Task { command } => !matches!(command, Task::Run(_) | Task::History | Task::Stats),
        Command::Verify(args) => args.file.is_none(),
        Command::Submit(_)
        | Command::Test(_)
        | Command::Hint(_)
        | Command::GiveUp(_)
        | Command::Result(_)
        | Command::Status
        | Command::End(_)
        | Command::Say(_)
        | Command::Ask(_)
        | Command::Done
        | Command::Log(_)
        | Command::Attach(_)
        | Command::Note(_)
        | Command::Notes
        | Command::Replay(_)
        | Command::Why(_)
        | Command::Code(_)
        | Command::Cancel
        | Command::Report(_)
        | Command::Export(_)
        | Command::Problem { .. }
        | Command::Diff(_)
        | Command::Delete(_) => true,
        // A new session, all of them, or none.
        Command::Start(_)
        | Command::Approvals
        | Command::List(_)
        | Command::Use(_)
        | Command::Progress(_)
        | Command::Problems { .. }
        | Command::Review
        | Command::Schema { .. }
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::Quarantine { .. }
        | Command::Store { .. }
        | Command::Config { .. }
        | Command::Protocol { .. }
        | Command::Daemon { .. }
        | Command::Doctor(_)
        | Command::Completions { .. }
        | Command::Version
        | Command::Man { .. }
        | Command::SocketPath => false,
    }
}
