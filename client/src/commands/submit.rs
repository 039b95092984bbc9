//! `submit`: a file is judged; the command waits for the verdict and the feedback.
//!
//! Ctrl-C only stops the waiting: the run belongs to the daemon (DECISIONS 31).

use std::time::Duration;

use vosim_protocol::v1::drill::{
    AgentResponse, CodeSubmitted, Command, GrowthMeasured, GrowthProbeStarted,
};

use vosim_protocol::v1::judging::{EvalAborted, EvalResult};
use vosim_protocol::v1::problem::CaseInfo;
use vosim_protocol::v1::service::{Accepted, ProgressNotice};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventRecord, Role};

use crate::any_view::AnyView;
use crate::cli;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::commands::call::{command, last_event, payload, problem_of};
use crate::commands::session::named;
use crate::commands::{Context, interview};
use crate::errors::{Exit, Failure};
use crate::follow::{self, Happening, Stream, overdue, unjudged};
use crate::output::Output;
use crate::render::drill as screens;
use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;
use crate::render::progress;

/// How long nothing at all may be heard of a run; its own limits are shorter.
const SILENCE: Duration = Duration::from_secs(120);

/// How long the feedback's words may take.
const FEEDBACK: Duration = Duration::from_secs(60);

/// How long it may take until the measurement of a pass begins, and until it ends.
const PROBE_BEGINS: Duration = Duration::from_secs(3);
const PROBE_ENDS: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &cli::Submit, context: &Context) -> Result<Exit, Failure> {
    let output = context.output;
    let file = CodeFile::read(args.file()?, args.language)?;
    let mut client = context.client()?;
    let session = match named(&mut client, context)? {
        AnyView::Drill(view) => view.session_id.to_string(),
        AnyView::Interview(view) => {
            return interview::submit(&mut client, &view, file, args, context);
        }
    };
    let submit = Command::Submit {
        file_path: file.path,
        code: file.code.reference(),
        language: file.language,
        again: args.again,
    };
    let blobs = vec![file.code];
    let accepted = command(&mut client, Some(&session), &submit, blobs)?;
    accepted.events.iter().try_for_each(|record| output.json(record))?;
    client.catch_interrupts()?;
    output.screen(|look| {
        line(look, Icon::Submit, &format!("Submitting code from: {}", file.shown))
    })?;
    output.screen(|look| line(look, Icon::Run, "Running evaluation..."))?;
    match wait_for_verdict(&mut client, &accepted, output) {
        Ok(passed) => Ok(exit(args, passed)),
        Err(Failure::Interrupted) => {
            output.progress_done();
            output.note(&detached(context));
            Ok(exit(args, false))
        }
        Err(failure) => Err(failure),
    }
}

/// Shows what becomes of an accepted submission; true for a pass.
fn wait_for_verdict(
    client: &mut Client,
    accepted: &Accepted,
    output: Output,
) -> Result<bool, Failure> {
    let submission = submission_of(accepted)?;
    let card = problem_of(client, accepted.session_id)?;
    let after = last_event(accepted);
    let mut stream = Stream::open(client, accepted.session_id, after, Role::Candidate)?;
    let infos = &card.cases;
    Run { output, submission, infos, stage: Stage::Judging }.watch(&mut stream)
}

/// A failing submission is a result, not an error (000: error handling).
fn exit(args: &cli::Submit, passed: bool) -> Exit {
    if args.exit_code && !passed { Exit::Fixable } else { Exit::Done }
}

fn detached(context: &Context) -> String {
    let flag = context.session_flag();
    format!("Detached; the evaluation continues. See the result with: vosimctl {flag}result")
}

fn line(look: &Look, icon: Icon, text: &str) -> String {
    let mut page = Page::new(look);
    page.say(Tone::Plain, &format!("{}{text}", look.icon(icon)));
    page.finish()
}

fn submission_of(accepted: &Accepted) -> Result<u32, Failure> {
    for record in &accepted.events {
        if let Some(submitted) = payload::<CodeSubmitted>(record, "CODE_SUBMITTED")? {
            return Ok(submitted.attempt_number);
        }
    }
    Err(Failure::garbled("drill.submit", "no CODE_SUBMITTED among the events"))
}

/// One submission on its way through the daemon.
struct Run<'r> {
    output: Output,
    submission: u32,
    infos: &'r [CaseInfo],
    stage: Stage,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Judging,
    Feedback { passed: bool },
    ProbeBegins,
    ProbeEnds,
    Over { passed: bool },
}

impl Stage {
    fn patience(self) -> Duration {
        match self {
            Self::Judging => SILENCE,
            Self::Feedback { .. } => FEEDBACK,
            Self::ProbeBegins => PROBE_BEGINS,
            Self::ProbeEnds => PROBE_ENDS,
            Self::Over { .. } => Duration::ZERO,
        }
    }

    /// What has not come in time; None where that is no fault.
    fn overdue(self) -> Option<Failure> {
        match self {
            Self::Judging => Some(overdue("a verdict", SILENCE)),
            Self::Feedback { .. } => Some(overdue("the feedback", FEEDBACK)),
            Self::ProbeBegins | Self::ProbeEnds | Self::Over { .. } => None,
        }
    }
}

impl Run<'_> {
    /// Follows the submission to its end; true for a pass.
    fn watch(&mut self, stream: &mut Stream<'_>) -> Result<bool, Failure> {
        let mut measured = None;
        loop {
            if let Stage::Over { passed } = self.stage {
                self.output.screen(|look| screens::next_step(passed, look))?;
                return Ok(passed);
            }
            match stream.next(self.stage.patience())? {
                Happening::Event(record) => self.event(&record, &mut measured)?,
                Happening::Progress(progress) => self.progress(&progress),
                Happening::Presence(_) | Happening::Typed => {}
                Happening::Reconnecting => {
                    self.output.progress_done();
                    self.output.note("The connection to vosimd was lost; reconnecting ...");
                }
                Happening::Reconnected => self.output.note("Connected again."),
                Happening::OtherStore => {
                    return Err(unjudged("vosimd has another store now"));
                }
                Happening::Nothing => {
                    self.output.progress_done();
                    if let Some(failure) = self.stage.overdue() {
                        return Err(failure);
                    }
                    if self.stage == Stage::ProbeEnds {
                        let secs = PROBE_ENDS.as_secs();
                        self.output.note(&format!(
                            "The time per operation could not be measured within {secs} s."
                        ));
                    }
                    self.stage = Stage::Over { passed: true };
                }
            }
        }
    }

    fn event(
        &mut self,
        record: &ToldRecord,
        measured: &mut Option<GrowthMeasured>,
    ) -> Result<(), Failure> {
        self.output.json(record)?;
        if let Some(result) = self.ours(record, "EVAL_RESULT", |r: &EvalResult| r.attempt_number)? {
            self.output.progress_done();
            self.output.screen(|look| screens::result(&result, self.infos, look))?;
            self.stage = Stage::Feedback { passed: result.passed };
        } else if let Some(response) =
            self.ours(record, "AGENT_RESPONSE", |r: &AgentResponse| r.metadata.attempt_number)?
        {
            self.output.screen(|look| screens::feedback(&response, look))?;
            self.after_feedback(measured.take())?;
        } else if let Some(aborted) =
            self.ours(record, "EVAL_ABORTED", |r: &EvalAborted| r.attempt_number)?
        {
            return Err(follow::aborted(&aborted.reason));
        } else if self
            .ours(record, "GROWTH_PROBE_STARTED", |r: &GrowthProbeStarted| r.attempt_number)?
            .is_some()
        {
            self.probe_started();
        } else if let Some(growth) =
            self.ours(record, "GROWTH_MEASURED", |r: &GrowthMeasured| r.attempt_number)?
        {
            self.growth(growth, measured)?;
        } else if record.event_type == "SESSION_ENDED" {
            self.session_ended()?;
        }
        Ok(())
    }

    /// An event of one type, if it belongs to this submission.
    fn ours<T: serde::de::DeserializeOwned>(
        &self,
        record: &EventRecord,
        event_type: &str,
        submission: impl Fn(&T) -> u32,
    ) -> Result<Option<T>, Failure> {
        Ok(payload::<T>(record, event_type)?
            .filter(|payload| submission(payload) == self.submission))
    }

    fn after_feedback(&mut self, measured: Option<GrowthMeasured>) -> Result<(), Failure> {
        self.stage = match (self.stage, measured) {
            (Stage::Feedback { passed: true }, Some(growth)) => {
                self.show_growth(&growth)?;
                Stage::Over { passed: true }
            }
            (Stage::Feedback { passed: true } | Stage::ProbeBegins, None) => Stage::ProbeBegins,
            (Stage::ProbeEnds, None) => Stage::ProbeEnds,
            (_, _) => Stage::Over { passed: false },
        };
        if self.stage == Stage::ProbeBegins {
            self.output.progress("Measuring the time per operation ...");
        }
        Ok(())
    }

    fn probe_started(&mut self) {
        if self.stage == Stage::ProbeBegins {
            self.stage = Stage::ProbeEnds;
        }
    }

    /// The figures may come before the feedback; they are shown behind it.
    fn growth(
        &mut self,
        growth: GrowthMeasured,
        measured: &mut Option<GrowthMeasured>,
    ) -> Result<(), Failure> {
        match self.stage {
            Stage::ProbeBegins | Stage::ProbeEnds => {
                self.show_growth(&growth)?;
                self.stage = Stage::Over { passed: true };
            }
            Stage::Judging | Stage::Feedback { .. } | Stage::Over { .. } => {
                *measured = Some(growth);
            }
        }
        Ok(())
    }

    fn show_growth(&self, growth: &GrowthMeasured) -> Result<(), Failure> {
        self.output.progress_done();
        self.output.screen(|look| format!("\n{}", screens::growth(growth, look)))
    }

    /// Somebody ended the session from another terminal.
    fn session_ended(&mut self) -> Result<(), Failure> {
        self.output.progress_done();
        match self.stage {
            Stage::Judging => Err(unjudged("the session was ended from another terminal")),
            Stage::Feedback { passed } => {
                self.stage = Stage::Over { passed };
                Ok(())
            }
            Stage::ProbeBegins | Stage::ProbeEnds | Stage::Over { .. } => {
                self.stage = Stage::Over { passed: true };
                Ok(())
            }
        }
    }

    fn progress(&self, progress: &ProgressNotice) {
        if self.stage == Stage::Judging {
            self.output.progress(&progress::line(progress, self.output.look()));
        }
    }
}
