//! The grammar of a task's commands (002 8).

use std::path::PathBuf;

use clap::{Args, Subcommand};
use vosim_protocol::v1::agent::{ModelName, RunCaps, Sitting, TaskLanguage};

use crate::cli::live;

pub(super) const EXAMPLES: &str = "\
Examples:
  vosimctl task run                                    asks for the task and the language
  vosimctl task run --task 'Write add and double' --language python --yes
  vosimctl task run --task '...' --model script:passes a script, which shows how a task goes
  vosimctl task resume --hint 'Look at the sign'       15 more iterations
  vosimctl approvals                                   what any task waits for
  vosimctl task approve --always";

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Start a task and follow it; Ctrl-C pauses it
    Run(TaskRun),
    /// Go on with a task that is paused or has failed: 15 more iterations
    Resume(TaskResume),
    /// Pause a task after the step that is under way
    Pause {
        /// At once; the step is given up, and the model is told so
        #[arg(long)]
        now: bool,
    },
    /// List the tasks
    History,
    /// Show where a task stands: its plan, tests, files and figures
    Show,
    /// Figures over all tasks: iterations to success, pass rates, tokens, cost
    Stats,
    /// Show what the agent has changed
    Diff,
    /// Print what the model was asked and said, for --model replay:FILE
    Recording,
    /// Allow what the task waits for, once or always
    Approve {
        /// For every run of this task
        #[arg(long)]
        always: bool,
    },
    /// Refuse what the task waits for
    Deny,
    /// Put the agent's edits back to an event, and go on from there
    Rewind {
        /// The event; see: vosimctl log
        event: u64,
    },
    /// Give a task up for good
    End,
}

#[derive(Debug, Args)]
pub(crate) struct TaskRun {
    /// What is to be done, in 10 to 500 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) task: Option<String>,
    /// A problem of the bank that the agent sits as a drill, like any candidate; see: problems
    #[arg(long, value_name = "PROBLEM", conflicts_with = "task", add = live::problems())]
    pub(crate) problem: Option<String>,
    /// Sit it in the five steps of an attempt
    #[arg(long, requires = "problem")]
    pub(crate) attempt: bool,
    /// Sit a whole interview about it
    #[arg(long, requires = "problem", conflicts_with = "attempt")]
    pub(crate) interview: bool,
    /// In what: python or node
    #[arg(long, value_name = "LANGUAGE", value_parser = language, add = live::task_languages())]
    pub(crate) language: Option<TaskLanguage>,
    /// Who proposes: openai:NAME, repair, script:NAME or replay:FILE [default: the settings', else repair]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<ModelName>,
    /// Who proposes where that one is stuck or cannot be reached [default: the settings']
    #[arg(long, value_name = "MODEL")]
    pub(crate) fallback: Option<ModelName>,
    /// A folder to work in [default: one that is made for the task]
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) caps: TaskCaps,
    #[command(flatten)]
    pub(crate) run: TestRunCaps,
    /// Do not ask before it starts
    #[arg(long)]
    pub(crate) yes: bool,
    /// Start it and come back at once
    #[arg(long)]
    pub(crate) detach: bool,
}

impl TaskRun {
    /// As what a problem is sat.
    pub(crate) fn sitting(&self) -> Sitting {
        match (self.attempt, self.interview) {
            (true, _) => Sitting::Attempt,
            (false, true) => Sitting::Interview,
            (false, false) => Sitting::Drill,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TaskResume {
    /// What to tell the model
    #[arg(long, value_name = "TEXT")]
    pub(crate) hint: Option<String>,
    #[command(flatten)]
    pub(crate) caps: TaskCaps,
    #[command(flatten)]
    pub(crate) run: TestRunCaps,
    /// Let it go on and come back at once
    #[arg(long)]
    pub(crate) detach: bool,
}

/// What a task may use up.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct TaskCaps {
    /// Most tokens of the task
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tokens: Option<u64>,
    /// Most calls of a model
    #[arg(long, value_name = "NUMBER")]
    pub(crate) calls: Option<u64>,
    /// Most money, in dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    pub(crate) cost: Option<u64>,
    /// Most time at work, in minutes
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) minutes: Option<u64>,
}

/// What each run of the tests may use up.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct TestRunCaps {
    /// Most memory of each run of the tests, in MiB
    #[arg(long, value_name = "MIB",
        value_parser = clap::value_parser!(u64).range(RunCaps::MEMORY_MIB))]
    pub(crate) run_memory: Option<u64>,
    /// Most time of each run of the tests, in minutes
    #[arg(long, value_name = "NUMBER",
        value_parser = clap::value_parser!(u64).range(RunCaps::MINUTES))]
    pub(crate) run_minutes: Option<u64>,
    /// Most processes of each run of the tests
    #[arg(long, value_name = "NUMBER",
        value_parser = clap::value_parser!(u64).range(RunCaps::PROCESSES))]
    pub(crate) run_processes: Option<u64>,
}

/// 002 7.1: anything else is refused at once, with what there is.
pub(crate) fn language(word: &str) -> Result<TaskLanguage, String> {
    let found = TaskLanguage::ALL.into_iter().find(|language| language.name() == word);
    found.ok_or_else(|| "it is python or node".to_owned())
}

/// Dollars with at most six places, in millionths.
fn dollars(word: &str) -> Result<u64, String> {
    let (whole, part) = word.split_once('.').unwrap_or((word, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 6 {
        return Err("it is a number of dollars, such as 2 or 0.50".to_owned());
    }
    let micros = format!("{whole}{part:0<6}").parse();
    micros.map_err(|_| "that is too much".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_counted_in_millionths() {
        assert_eq!(dollars("2"), Ok(2_000_000));
        assert_eq!(dollars("0.5"), Ok(500_000));
        assert_eq!(dollars("1.000001"), Ok(1_000_001));
        for bad in ["", ".5", "-1", "1.2345678", "a", "99999999999999999999"] {
            assert!(dollars(bad).is_err(), "{bad}");
        }
    }
}
