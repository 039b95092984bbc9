//! Next steps in the words of the place where the user stands: a shell, or a line that is typed
//! while attached (DECISIONS 44).
//!
//! The daemon says what can be done; how it is typed is known here alone.

use vosim_protocol::next::{Action, Next, Switch};

/// Where the user types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// A shell.
    CommandLine,
    /// A terminal that is attached: what is typed is said, and words stand behind a slash.
    Attached,
}

impl Spelling {
    /// The steps as one sentence; None where there are none.
    ///
    /// One that stands alone reads `finish with: X`, several read `use X to finish, or wait for Y`.
    ///
    /// A question to think about stands behind them, as a sentence of its own.
    pub(crate) fn sentence(self, steps: &[Next]) -> Option<String> {
        match steps {
            [] => None,
            [steps @ .., Next::Consider { question }] if !steps.is_empty() => {
                let steps = self.sentence(steps)?;
                Some(format!("{steps}\nA question to begin with: {question}"))
            }
            [Next::Run { to, action }] => Some(match self.action(*action) {
                Some(typed) => format!("{to} with: {typed}"),
                None => to.clone(),
            }),
            [step] => Some(self.clause(step)),
            [others @ .., last] => {
                let others: Vec<_> = others.iter().map(|step| self.clause(step)).collect();
                Some(format!("{}, or {}", others.join(", "), self.clause(last)))
            }
        }
    }

    fn clause(self, step: &Next) -> String {
        match step {
            Next::Run { to, action } => match self.action(*action) {
                Some(typed) => format!("use '{typed}' to {to}"),
                None => to.clone(),
            },
            Next::Wait { until, seen_by } => match (self, seen_by.and_then(|it| self.action(it))) {
                (Self::CommandLine, Some(typed)) => format!("wait for {until} ({typed})"),
                // It will be seen.
                (Self::Attached, _) | (_, None) => format!("wait for {until}"),
            },
            Next::Edit { how } => how.clone(),
            Next::Repeat { to, with } => match self {
                Self::CommandLine => format!("run it again with {} to {to}", flag(*with)),
                Self::Attached => format!("use '{}' to {to}", repeated(*with)),
            },
            Next::Consider { question } => question.clone(),
        }
    }

    /// How an action is typed; None where nothing but the text itself is.
    fn action(self, action: Action) -> Option<&'static str> {
        let attached = match action {
            Action::Begin => Some("/begin"),
            Action::ChoosePattern => Some("/choose PATTERN N TEXT"),
            Action::Approach => Some("/approach TEXT"),
            Action::ExplainFailure => Some("/explain N TEXT"),
            Action::Retry => Some("/retry"),
            Action::Reflect => Some("/reflect TEXT"),
            Action::Submit => Some("/submit [FILE]"),
            Action::Done => Some("/done"),
            Action::End => Some("/end"),
            Action::Status => Some("/status"),
            Action::Report => Some("/report"),
            Action::Discussion => Some("/discussion"),
            Action::Say => None,
            elsewhere => Some(on_the_command_line(elsewhere)),
        };
        match self {
            Self::Attached => attached,
            Self::CommandLine => Some(on_the_command_line(action)),
        }
    }
}

fn on_the_command_line(action: Action) -> &'static str {
    match action {
        Action::StartDrill => "vosimctl start",
        Action::StartInterview => "vosimctl interview start",
        Action::StartAttempt => "vosimctl attempt start",
        Action::Understand => "vosimctl attempt understand",
        Action::ChoosePattern => "vosimctl attempt choose PATTERN --confidence N",
        Action::Approach => "vosimctl attempt approach TEXT",
        Action::ExplainFailure => "vosimctl attempt explain N TEXT",
        Action::Retry => "vosimctl attempt retry",
        Action::Reflect => "vosimctl attempt reflect --invariant TEXT",
        Action::Begin => "vosimctl interview begin",
        Action::Submit => "vosimctl submit --file <path>",
        Action::Watch => "vosimctl interview watch FILE",
        Action::Say => "vosimctl say TEXT",
        Action::Done => "vosimctl done",
        Action::End => "vosimctl end",
        Action::Status => "vosimctl status",
        Action::Result => "vosimctl result",
        Action::Log => "vosimctl log",
        Action::Report => "vosimctl report",
        Action::Discussion => "vosimctl problem discussion",
        Action::List => "vosimctl list",
        Action::ExportRecords => "vosimctl export --format records",
        Action::ExportEvaluation => "vosimctl export --bundle evaluation",
        Action::ExportReplay => "vosimctl export --bundle replay",
        Action::Verify => "vosimctl verify",
        Action::Restore => "vosimctl restore FILE",
        Action::CheckSchema => "vosimctl schema check FILE",
        Action::CheckProblem => "vosimctl problems check DIR",
        Action::RemoveProblem => "vosimctl problems remove ID",
        Action::Problems => "vosimctl problems",
        Action::Describe => "vosimctl protocol describe",
        Action::Doctor => "vosimctl doctor",
        Action::Stop => "vosimctl daemon stop",
        Action::Journal => "journalctl --user -u vosimd",
    }
}

fn flag(switch: Switch) -> &'static str {
    match switch {
        Switch::Again => "--again",
        Switch::Beside => "--new",
        Switch::Confirm => "--yes",
    }
}

/// Most words behind a slash have no flags; their commands are typed in a shell then.
fn repeated(with: Switch) -> &'static str {
    match with {
        Switch::Again => "/submit --again",
        Switch::Beside => "vosimctl start --new",
        Switch::Confirm => "vosimctl hint --yes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(steps: &[Next]) -> [String; 2] {
        [Spelling::CommandLine, Spelling::Attached].map(|it| it.sentence(steps).unwrap())
    }

    #[test]
    fn one_step_is_told_with_what_is_typed_for_it() {
        for (action, shell, line) in [
            (Action::Done, "vosimctl done", "/done"),
            (Action::Begin, "vosimctl interview begin", "/begin"),
            (Action::Watch, "vosimctl interview watch FILE", "vosimctl interview watch FILE"),
        ] {
            let told = both(&[Next::run("do it", action)]);
            assert_eq!(told, [format!("do it with: {shell}"), format!("do it with: {line}")]);
        }
        assert_eq!(Spelling::CommandLine.sentence(&[]), None);
    }

    #[test]
    fn several_steps_are_alternatives_in_one_sentence() {
        let steps = [
            Next::wait_and_see("its verdict", Action::Status),
            Next::edit("change the file"),
            Next::repeat("have it judged again", Switch::Again),
            Next::run("answer it", Action::Say),
            Next::run("end it", Action::Done),
        ];
        insta::assert_snapshot!(both(&steps).join("\n"), @r#"
        wait for its verdict (vosimctl status), change the file, run it again with --again to have it judged again, use 'vosimctl say TEXT' to answer it, or use 'vosimctl done' to end it
        wait for its verdict, change the file, use '/submit --again' to have it judged again, answer it, or use '/done' to end it
        "#);
    }
}
