//! The program `vosimd`: runs the daemon, and does the few things that need none.
//!
//! This program takes the command line apart, carries out the command and prints what came of it.
//! Everything else is in the library.

use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use nix::sys::signal::Signal;
use sd_notify::NotifyState;
use vosim_protocol::trouble::{self, Location};
use vosim_protocol::v1::problem::{Language, listed};
use vosim_protocol::v1::service::DoctorResult;
use vosim_protocol::{EventId, Wire};
use vosimd::clock::{Clock, SystemClock};
use vosimd::config::Config;
use vosimd::content::UnknownProblem;
use vosimd::daemon::Daemon;
use vosimd::doctor::Probing;
use vosimd::evaluator;
use vosimd::lifecycle::clean::{self, Manager};
use vosimd::lifecycle::needs;
use vosimd::lifecycle::unit::{self, Starter};
use vosimd::lifecycle::{self, OnHangUp, Signals, Waiting, run_mark};
use vosimd::logging::{self, Target};
use vosimd::offline::harden::Extent;
use vosimd::offline::store::OverSound;
use vosimd::plain_text::{plain, plain_json, plain_line};
use vosimd::run;
use vosimd::runtime_dir::{
    AtSocket, PlaceError, Places, at_socket, is_listened_on, make_private_dir, trouble,
};
use vosimd::server::Doorway;
use vosimd::timer::alarm::KernelAlarm;
use vosimd::{background, doctor, offline};

/// How long the socket of a killed daemon may outlive its lock.
const SOCKET_GOES_WITHIN: Duration = Duration::from_secs(1);

/// The daemon of vosim. People use it through vosimctl, which starts it when it is needed.
#[derive(Debug, Parser)]
#[command(name = "vosimd", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve until told to stop
    Run {
        /// Leave the terminal; say one line on standard output when ready
        #[arg(long)]
        detached: bool,
    },
    /// Check an export of full records or a replay bundle
    Verify {
        file: PathBuf,
        #[command(flatten)]
        form: Form,
    },
    /// Fold the records of a replay bundle and print a report as JSON
    Replay {
        file: PathBuf,
        /// Make every decision again and compare
        #[arg(long)]
        verify: bool,
        /// Stop after this event
        #[arg(long)]
        until: Option<u64>,
    },
    /// Print as JSON what the session in a replay bundle teaches
    Report { file: PathBuf },
    /// Work on problem packages
    Problems {
        #[command(subcommand)]
        command: Problems,
    },
    /// Work on interview schemas
    Schema {
        #[command(subcommand)]
        command: Schema,
    },
    /// Check what vosim needs on this machine
    Doctor {
        /// Probe the sandbox again
        #[arg(long)]
        fresh: bool,
        #[command(flatten)]
        form: Form,
    },
    /// Replace a store that cannot be read; what was there is put aside
    Restore(Restore),
    /// List what recoveries have put aside, put it back or erase it
    Quarantine {
        #[command(subcommand)]
        command: Quarantine,
    },
}

#[derive(Debug, Subcommand)]
enum Quarantine {
    /// List it
    List,
    /// Put a store back in place; the present one is put aside
    PutBack { number: u32 },
    /// Erase a store that was put aside
    Erase { number: u32 },
}

/// Where the store comes from.
#[derive(Debug, Args)]
struct Restore {
    /// From a backup
    #[arg(required_unless_present_any = ["from_exports", "accept_loss"])]
    backup: Option<PathBuf>,
    /// From the exports of ended sessions, where there is no backup
    #[arg(long)]
    from_exports: bool,
    /// From itself: a new store of what is intact in a damaged one
    #[arg(long)]
    accept_loss: bool,
    /// Replace a store that can be opened
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Subcommand)]
enum Problems {
    /// Write a small package to begin one's own with
    New {
        dir: PathBuf,
        /// What a candidate's file must define
        #[arg(long, value_enum, default_value = "class")]
        form: offline::package::Form,
    },
    /// Read a package and have all its programs judged
    Check {
        dir: PathBuf,
        /// Also with the hidden inputs of so many seeds
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=1_000))]
        seeds: u64,
        #[command(flatten)]
        form: Form,
    },
    /// Look for wrong programs that the cases of a problem let pass
    Harden {
        problem: String,
        /// Compare with the hidden inputs of so many seeds
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000))]
        seeds: u64,
        /// Try so many changed programs of a language at most
        #[arg(long, default_value_t = 2_000)]
        most: usize,
        /// Change the right program of this language only
        #[arg(long, value_parser = language)]
        language: Option<Language>,
        #[command(flatten)]
        form: Form,
    },
}

#[derive(Debug, Subcommand)]
enum Schema {
    /// List what is wrong with a schema
    Check {
        file: PathBuf,
        #[command(flatten)]
        form: Form,
    },
    /// Print a schema: a file, or standard or short; without a name, the standard one
    Show {
        file: Option<PathBuf>,
        #[command(flatten)]
        form: Form,
    },
}

#[derive(Clone, Copy, Debug, Args)]
struct Form {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whether everything was found in order. What keeps a command from being carried out is an error
/// instead.
enum End {
    Well,
    NotWell,
}

/// Whether the daemon runs in a terminal or has left it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Attached,
    Detached,
}

impl Manner {
    fn waiting(self) -> Waiting {
        match self {
            Self::Attached => Waiting::Nobody,
            Self::Detached => Waiting::OnStandardOutput,
        }
    }

    /// Who starts it by `nohup` has said so.
    fn on_hang_up(self) -> OnHangUp {
        match self {
            Self::Attached if !clean::is_ignored(Signal::SIGHUP) => OnHangUp::Stop,
            Self::Attached | Self::Detached => OnHangUp::Ignore,
        }
    }

    fn log_target(self) -> Target {
        match self {
            Self::Attached => Target::choose(),
            Self::Detached => Target::File,
        }
    }
}

fn main() -> ExitCode {
    clean::reset_signals();
    if let Err(lacking) = needs::check_stack() {
        writeln!(io::stderr(), "vosimd: {lacking}").ok();
        return ExitCode::FAILURE;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            io::stderr().write_all(plain(&error.render().to_string()).as_bytes()).ok();
            return ExitCode::FAILURE;
        }
        Err(help) => {
            help.print().ok();
            return ExitCode::SUCCESS;
        }
    };
    let waiting = match cli.command {
        Command::Run { detached: true } => Manner::Detached.waiting(),
        _ => Waiting::Nobody,
    };
    match carry_out(cli.command) {
        Ok(End::Well) => ExitCode::SUCCESS,
        Ok(End::NotWell) => ExitCode::FAILURE,
        Err(error) => {
            let sentence = sentence(&error);
            lifecycle::say_failed(waiting, &sentence).ok();
            writeln!(io::stderr(), "vosimd: {sentence}").ok();
            ExitCode::FAILURE
        }
    }
}

/// What went wrong and what mends it, in one line; what the system said in words, without its numbers.
fn sentence(error: &anyhow::Error) -> String {
    let told = |part: &(dyn std::error::Error + 'static)| match part.downcast_ref::<io::Error>() {
        Some(error) => trouble::cause(error),
        None => part.to_string(),
    };
    let sentence = error.chain().map(told).collect::<Vec<_>>().join(": ");
    let remedy = error.downcast_ref().and_then(PlaceError::remedy);
    let remedy = remedy.or_else(|| error.downcast_ref().map(UnknownProblem::remedy));
    plain_line(&match remedy {
        Some(remedy) => format!("{sentence}; {remedy}"),
        None => sentence,
    })
}

fn carry_out(command: Command) -> anyhow::Result<End> {
    match command {
        Command::Run { detached: true } => run(Manner::Detached).map(|()| End::Well),
        Command::Run { detached: false } => run(Manner::Attached).map(|()| End::Well),
        Command::Verify { file, form } if offline::bundle::is_bundle(&file)? => {
            let checked = offline::bundle::check(&file)?;
            say(form, &checked.json(), || checked.sentence(&file));
            Ok(if checked.good() { End::Well } else { End::NotWell })
        }
        Command::Verify { file, form } => {
            let result = offline::records::verify(&file)?;
            say(form, &result, || offline::records::sentence(&file, &result));
            Ok(if result.broken.is_none() { End::Well } else { End::NotWell })
        }
        Command::Replay { file, verify, until } => {
            let report = offline::bundle::replay(&file, verify, until.map(EventId))?;
            say(Form { json: true }, &report, String::new);
            let good = report.differs.is_none() && report.chain.is_none();
            Ok(if good { End::Well } else { End::NotWell })
        }
        Command::Report { file } => {
            let data = Places::from_env()?.paths.data;
            let report = offline::bundle::report(&file, &data)?;
            say(Form { json: true }, &report, String::new);
            Ok(End::Well)
        }
        Command::Problems { command: Problems::New { dir, form } } => {
            let id = offline::package::write(&dir, form)?;
            told(id.as_str())
        }
        Command::Problems { command: Problems::Check { dir, seeds, form } } => {
            check(&dir, seeds, form)
        }
        Command::Problems {
            command: Problems::Harden { problem, seeds, most, language, form },
        } => {
            let inputs = offline::harden::INPUTS;
            harden(&problem, Extent { language, most, seeds, inputs }, form)
        }
        Command::Schema { command: Schema::Check { file, form } } => {
            let report = offline::schema::check(&file)?;
            say(form, &report, || offline::schema::text(&report));
            Ok(if report.faults.is_empty() { End::Well } else { End::NotWell })
        }
        Command::Schema { command: Schema::Show { file, form } } => {
            let (schema, text) = offline::schema::show(file.as_deref())?;
            say(form, &schema, || text);
            Ok(End::Well)
        }
        Command::Doctor { fresh, form } => {
            needs::check()?;
            examine(Probing::wanted(fresh), form)
        }
        Command::Restore(restore) => {
            let (places, config) = settings()?;
            let data = &places.paths.data;
            let over = if restore.yes { OverSound::Yes } else { OverSound::No };
            told(&match &restore.backup {
                Some(backup) => offline::store::restore(backup, data, &config, over)?,
                None if restore.from_exports => offline::store::rebuild(data, &config, over)?,
                None => offline::store::accept_loss(data, &config, over)?,
            })
        }
        Command::Quarantine { command } => {
            let data = Places::from_env()?.paths.data;
            told(&match command {
                Quarantine::List => offline::store::list_aside(&data)?,
                Quarantine::PutBack { number } => offline::store::put_back(&data, number)?,
                Quarantine::Erase { number } => offline::store::erase_aside(&data, number)?,
            })
        }
    }
}

fn settings() -> anyhow::Result<(Places, Config)> {
    let places = Places::from_env()?;
    let config = Config::load(&places.paths.config)?;
    Ok((places, config))
}

/// Prints a result; standard output may be closed, and then nobody waits for it.
fn say<T: Wire>(form: Form, result: &T, text: impl FnOnce() -> String) {
    let mut text = match form.json {
        true => plain_json(&String::from_utf8_lossy(&result.to_line())),
        false => plain(&text()),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    io::stdout().write_all(text.as_bytes()).ok();
}

fn told(sentence: &str) -> anyhow::Result<End> {
    writeln!(io::stdout(), "{}", plain(sentence)).ok();
    Ok(End::Well)
}

fn check(dir: &Path, seeds: u64, form: Form) -> anyhow::Result<End> {
    let (_, config) = settings()?;
    let evaluator = evaluator::open(&config.evaluator);
    let checked = offline::package::check(dir, seeds, &evaluator)?;
    if form.json {
        for program in &checked.proven.programs {
            say(form, program, String::new);
        }
        for invariant in checked.proven.invariants.iter().flatten() {
            say(form, invariant, String::new);
        }
    } else {
        io::stdout().write_all(plain(&checked.text()).as_bytes()).ok();
    }
    Ok(if checked.flawless() { End::Well } else { End::NotWell })
}

fn language(text: &str) -> Result<Language, String> {
    Language::named(text).ok_or_else(|| {
        let known = Language::ALL.map(|language| language.name().to_owned());
        format!("expected {}", listed(&known, "or"))
    })
}

fn harden(problem: &str, extent: Extent, form: Form) -> anyhow::Result<End> {
    let (places, config) = settings()?;
    let evaluator = evaluator::open(&config.evaluator);
    let hardened = offline::harden::harden(problem, &places.paths.data, extent, &evaluator)?;
    if form.json {
        for hole in hardened.holes() {
            say(form, hole, String::new);
        }
    } else {
        io::stdout().write_all(plain(&hardened.text()).as_bytes()).ok();
    }
    Ok(if hardened.has_holes() { End::NotWell } else { End::Well })
}

fn examine(probing: Probing, form: Form) -> anyhow::Result<End> {
    let result = DoctorResult { checks: doctor::without_daemon(probing) };
    say(form, &result, || doctor::text(&result));
    Ok(if doctor::fails(&result.checks) { End::NotWell } else { End::Well })
}

/// Runs the daemon until a signal, a request or a failure of the store ends it.
fn run(manner: Manner) -> anyhow::Result<()> {
    // This comes before any thread is started, since it changes the environment.
    let inherited = lifecycle::activated_listener().context("taking over systemd's socket")?;
    clean::close_others(inherited.as_ref().map(OwnedFd::as_fd));
    let mut waiting_room = inherited.as_ref().map(OwnedFd::try_clone).transpose()?;
    let ended = start(manner, inherited, &mut waiting_room);
    if let (Err(error), Some(socket)) = (&ended, waiting_room) {
        lifecycle::tell_those_who_wait(socket, &sentence(error)).ok();
    }
    ended
}

/// Starts the daemon and serves to the end. `waiting_room` is the socket at which clients wait; it
/// is taken once they are going to be served.
fn start(
    manner: Manner,
    inherited: Option<OwnedFd>,
    waiting_room: &mut Option<OwnedFd>,
) -> anyhow::Result<()> {
    // A policy and a priority are those of the thread that takes them, and are passed on to those that it
    // starts.
    let (policy, priority, oom_score) = match manner {
        Manner::Attached => (Ok(()), Ok(()), Ok(())),
        Manner::Detached => {
            let policy = clean::take_usual_policy();
            (policy, clean::take_usual_priority(), clean::take_usual_oom_score())
        }
    };
    needs::check()?;
    let (places, config) = settings()?;
    clean::leave_folder();
    make_private_dir(&places.paths.data, Location::Data)?;
    if manner == Manner::Detached {
        lifecycle::detach().context("leaving the terminal")?;
    }
    let folder =
        make_private_dir(&places.paths.state, Location::Log).map(|()| &*places.paths.state);
    let _log = logging::start(&config.log, manner.log_target(), folder)?;
    if let Err((policy, error)) = policy {
        let reason = vosim_protocol::trouble::cause(&error);
        tracing::info!(policy, reason, "the scheduling policy of whoever started this is kept");
    }
    if let Err((niceness, error)) = priority {
        let reason = vosim_protocol::trouble::cause(&error);
        tracing::info!(niceness, reason, "the priority of whoever started this is kept");
    }
    if let Err((score, error)) = oom_score {
        let reason = vosim_protocol::trouble::cause(&error);
        tracing::info!(score, reason, "the score for when memory runs out is kept");
    }
    let root = Path::new("/");
    // This comes before any other process is started, so that all of them are in the leaf.
    match unit::step_into_leaf(root, &Starter::of_this_process(root)) {
        Ok(Some(leaf)) => tracing::info!(leaf = %leaf.display(), "a control group is ours"),
        Ok(None) => {}
        Err(error) => tracing::info!(%error, "no control group is ours"),
    }
    let serving = serve(places, config, manner, inherited, waiting_room);
    let runtime = needs::runtime().context("starting the daemon's threads")?;
    actix_rt::System::with_tokio_rt(move || runtime).block_on(serving)
}

async fn serve(
    places: Places,
    config: Config,
    manner: Manner,
    inherited: Option<OwnedFd>,
    waiting_room: &mut Option<OwnedFd>,
) -> anyhow::Result<()> {
    let clock = Arc::new(SystemClock::new());
    // What refuses a start does so before the store is opened, which writes.
    if inherited.is_none() {
        places.prepare_socket_dir()?;
        refuse_other_file(&places.socket)?;
    }
    let daemon = Daemon::open(config, &places, Arc::clone(&clock) as Arc<dyn Clock>)?;
    let doorway = match inherited {
        Some(socket) => Doorway::given(socket, &places)?,
        None => {
            refuse_other_listener(&places.socket).await?;
            Doorway::open(&places)?
        }
    };
    let signals = Signals::new(manner.on_hang_up()).context("receiving signals")?;
    let shutdown = daemon.shutdown.clone();
    background::spawn("signals", async move {
        let stop = lifecycle::shutdown_signal(signals).await;
        tracing::info!(?stop, "told to stop");
        shutdown.cancel();
    });
    let manager = Manager::of_this_process(manner.waiting());
    let shutdown = daemon.shutdown.clone();
    background::spawn("stopping", async move {
        // Cancelled by a signal, a client or a failure.
        shutdown.cancelled().await;
        manager.tell(NotifyState::Stopping);
    });
    let alarm = KernelAlarm::new().context("making the timer")?;
    // A start that was refused is no run: the next one would tell it as killed.
    let this_run = run_mark::DaemonRun {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: clock.now().time,
        boot_id: clock.boot_id().to_owned(),
    };
    let mark = mark(&places.paths.state, &this_run);
    manager.tell(NotifyState::Ready);
    // Whoever waited may have gone; others will come.
    if let Err(error) = lifecycle::say_ready(manner.waiting()) {
        let reason = vosim_protocol::trouble::cause(&error);
        tracing::info!(reason, "nobody hears that the daemon is ready");
    }
    background::spawn("watchdog", manager.show_life());
    drop(waiting_room.take());
    let ended = run::run(daemon, doorway, alarm).await;
    if let Some(mark) = mark {
        // Nothing depends on it.
        mark.end().ok();
    }
    ended
}

/// Marks this run; where that cannot be done, the next start cannot tell how this one has ended, and
/// that is all.
fn mark(state: &Path, this_run: &run_mark::DaemonRun) -> Option<run_mark::RunMark> {
    match run_mark::RunMark::begin(state, this_run) {
        Ok((mark, before)) => {
            if let Some(before) = before {
                tracing::warn!(pid = before.pid, "the previous run did not end by itself");
            }
            Some(mark)
        }
        Err(error) => {
            let reason = trouble(&error, state, Location::Log).to_string();
            tracing::warn!(folder = %state.display(), reason, "this run is not marked");
            None
        }
    }
}

/// Returns an error if another process listens at the socket's path: replacing systemd's socket
/// would leave systemd with one that no client finds.
///
/// The listener is no other daemon, since the lock is ours. The socket of a killed daemon may
/// outlive its lock for a moment, for which this waits.
async fn refuse_other_listener(socket: &Path) -> anyhow::Result<()> {
    let until = Instant::now() + SOCKET_GOES_WITHIN;
    while at_socket(socket).is_ok_and(|found| found == AtSocket::Socket) && is_listened_on(socket) {
        if Instant::now() >= until {
            anyhow::bail!(
                "another process already listens on {}, most likely systemd, which starts the daemon \
                 when it is needed; to run one by hand: systemctl --user stop vosimd.socket",
                socket.display()
            );
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

/// Returns an error if a file is at the socket's path, since binding would remove it.
fn refuse_other_file(socket: &Path) -> anyhow::Result<()> {
    match at_socket(socket) {
        Ok(AtSocket::Other) => {
            anyhow::bail!("{} is not a socket; move it away", socket.display())
        }
        Ok(AtSocket::Nothing | AtSocket::Socket) => Ok(()),
        Err(error) => {
            let trouble = trouble(&error, socket, Location::Socket);
            anyhow::bail!("{} cannot be looked at: {trouble}", socket.display())
        }
    }
}
