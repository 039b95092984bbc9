//! `replay`: a session as it happened, from the daemon or from a bundle; or what the engine says
//! to its decisions.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use vosim_protocol::v1::bundle::{BUNDLE_MAX_BYTES, ReplayBundle, Unreadable};
use vosim_protocol::v1::service::{Replay, ReplayParams, View, ViewParams, ViewResult};
use vosim_protocol::v1::session::ReplayReport;
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{EventId, EventRecord, Kind, Role, SessionId, Wire as _};

use crate::cli;
use crate::commands::Context;
use crate::commands::reports::REPLAY;
use crate::errors::{Exit, Failure, code, usage_error, user_error};
use crate::files::{Input, regular_file};
use crate::launch::Offline;
use crate::log::whole;
use crate::output::Output;
use crate::playback::{NoPace, Place, RealTime, Scene, Speed, Tape, play};
use crate::render::playback::{Played, Teller, head};
use crate::render::reports as screens;
use crate::render::telling::speaks;
use crate::render::text::shell;

pub(crate) fn run(args: &cli::Replay, context: &Context) -> Result<Exit, Failure> {
    let what = args.what.as_deref().map(Input::named).transpose()?;
    let source = Source::of(what.as_ref().map(Input::path), context.session.as_deref())?;
    if args.verify || context.output.is_json() {
        return report(args, source, context);
    }
    let reel = match source {
        Source::Session(session) => Reel::of_session(session, context)?,
        Source::File(file) => Reel::of_file(file)?,
    };
    reel.show(args, context.output)
}

/// Where the events come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source<'a> {
    /// A session of the daemon's; without a name the current one.
    Session(Option<&'a str>),
    File(&'a Path),
}

impl<'a> Source<'a> {
    /// A file that is there is meant before a session whose id begins like its name.
    pub(super) fn of(what: Option<&'a Path>, session: Option<&'a str>) -> Result<Self, Failure> {
        let Some(path) = what else { return Ok(Self::Session(session)) };
        if session.is_some() {
            return Err(usage_error("the session was named twice"));
        }
        let is_id = |text: &&str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        };
        match path.to_str().filter(is_id) {
            Some(id) if !path.is_file() => Ok(Self::Session(Some(id))),
            _ => Ok(Self::File(path)),
        }
    }
}

/// What the engine says, of a file without a daemon.
fn report(args: &cli::Replay, source: Source<'_>, context: &Context) -> Result<Exit, Failure> {
    if args.speed.is_some() || args.from.is_some() {
        return Err(usage_error("--speed and --from play a session back, which --json does not"));
    }
    let until = match args.until {
        None => None,
        Some(Place::Event(event)) => Some(event),
        Some(Place::At(_)) => {
            let usage = "where nothing is played, --until takes the number of an event";
            return Err(usage_error(usage));
        }
    };
    let report = match source {
        Source::Session(session) => of_the_daemon(session, args.verify, until, context)?,
        Source::File(file) => {
            // What cannot be read is told in the same words wherever it is read.
            bundle(file)?;
            let work = Offline::new(&["replay"])?.path(file)?.flag("--verify", args.verify);
            work.option("--until", until).answered()?
        }
    };
    context.output.data(&report, |look| screens::replay(&report, look))?;
    Ok(if screens::replay_is_good(&report) { Exit::Done } else { Exit::Fixable })
}

fn of_the_daemon(
    session: Option<&str>,
    verify: bool,
    until: Option<EventId>,
    context: &Context,
) -> Result<ReplayReport, Failure> {
    let session = session.map(str::to_owned);
    let params = ReplayParams { session, verify, until, role: Role::Candidate };
    context.client()?.call_for::<Replay>(&params, REPLAY, |_| {})
}

/// The bundle in a file.
pub(super) fn bundle(file: &Path) -> Result<ReplayBundle, Failure> {
    let bytes = regular_file(file, BUNDLE_MAX_BYTES)?;
    ReplayBundle::read(&bytes).map_err(|reason| {
        let path = file.display().to_string();
        user_error(code::REFUSED, format!("{path}: {reason}")).hint(match reason {
            Unreadable::BreaksOff => "Copy it once more, or write it again with: vosimctl export \
                                      --bundle replay -o FILE"
                .to_owned(),
            Unreadable::Newer { .. } => "Use the vosimctl of that version.".to_owned(),
            Unreadable::Record(_) => {
                format!("To find out more, run: vosimctl verify {}", shell(&path))
            }
            Unreadable::TooLarge | Unreadable::Evaluation | Unreadable::Other { .. } => {
                "Write one of an ended session with: vosimctl export --bundle replay -o FILE"
                    .to_owned()
            }
        })
    })
}

/// The events of a session, ready to be shown.
struct Reel {
    session: SessionId,
    kind: Kind,
    records: Vec<ToldRecord>,
    /// Why it does not go on to the end.
    broken: Option<String>,
}

impl Reel {
    fn of_session(session: Option<&str>, context: &Context) -> Result<Self, Failure> {
        let mut client = context.client()?;
        let (session, role) = (session.map(str::to_owned), Role::Candidate);
        let ViewResult { session_id, kind, .. } =
            client.call::<View>(&ViewParams { session, role })?;
        let (session, records) = whole(&mut client, Some(session_id.to_string()), role)?;
        Ok(Self { session, kind, records, broken: None })
    }

    /// The records of a bundle as far as nobody has changed them.
    fn of_file(file: &Path) -> Result<Self, Failure> {
        let bundle = bundle(file)?;
        let broken = bundle.check_chain().err();
        let good = broken.as_ref().map_or(u64::MAX, |broken| broken.event_id.0.saturating_sub(1));
        let good = usize::try_from(good).unwrap_or(usize::MAX);
        let lines = bundle.records.iter().take(good);
        let records = lines.map_while(|line| EventRecord::from_bytes(line.as_bytes()).ok());
        // What the records say is the bundle's own word for it; `verify` compares the two.
        let tellings = bundle.timeline.into_iter().map(|entry| (entry.event_id, entry.telling));
        let mut tellings: BTreeMap<_, _> = tellings.collect();
        let records: Vec<_> = records
            .map(|record| ToldRecord { telling: tellings.remove(&record.event_id), record })
            .collect();
        let broken =
            broken.map(|broken| format!("{} has been changed at {broken}", file.display()));
        match broken {
            Some(reason) if records.is_empty() => Err(user_error(code::REFUSED, reason)),
            broken => Ok(Self { session: bundle.session_id, kind: bundle.kind, records, broken }),
        }
    }

    fn show(&self, args: &cli::Replay, output: Output) -> Result<Exit, Failure> {
        let Some(first) = self.records.first() else {
            return Err(anyhow::anyhow!("the session has no events").into());
        };
        let start = first.timestamp;
        // The rest is for programs; `log` shows it.
        let shown: Vec<_> = self.records.iter().filter(|record| speaks(record)).collect();
        let tape = Tape::new(shown.iter().map(|record| {
            let micros = record.timestamp.micros_since(start);
            (record.event_id, Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
        }));
        let range = tape.range(args.from, args.until)?;
        let terminal = output.terminal;
        let output = output.in_lines(terminal.plain);
        let played = Played { session: self.session, kind: self.kind, records: &self.records };
        output.screen(|look| head(played, start, tape.end(), look))?;
        if let Some(broken) = &self.broken {
            output.note(&format!("{broken}; it is played up to there"));
        }
        let teller = Teller::new(start, output.look());
        let tell = |scene| tell(scene, &shown, teller, output);
        let speed = args.speed.unwrap_or(match terminal.watched {
            true => Speed::Times(1.0),
            false => Speed::Max,
        });
        let ended = match speed {
            Speed::Max => play(&tape, range, speed, &mut NoPace, tell),
            Speed::Times(_) => {
                let with_keys = !terminal.plain && terminal.can_ask;
                let mut pacer = RealTime::open(with_keys).map_err(anyhow::Error::from)?;
                play(&tape, range, speed, &mut pacer, tell)
            }
        };
        output.progress_done();
        match ended {
            // That is how one leaves.
            Ok(()) | Err(Failure::Interrupted) => {}
            Err(failure) => return Err(failure),
        }
        Ok(if self.broken.is_some() { Exit::Fixable } else { Exit::Done })
    }
}

fn tell(
    scene: Scene,
    shown: &[&ToldRecord],
    teller: Teller,
    output: Output,
) -> Result<(), Failure> {
    // The line that says so goes before anything else is written.
    output.progress_done();
    match scene {
        Scene::Event(place) => output.screen(|_| teller.event(shown[place])),
        Scene::Later(distance) => output.screen(|_| teller.later(distance)),
        Scene::Back(to) => output.screen(|_| teller.back(to)),
        Scene::Paused => {
            output.progress("Paused: space resumes, left and right move, q leaves.");
            Ok(())
        }
        Scene::Resumed => Ok(()),
    }
}
