//! The daemon on a clock that stands in a file, for stories in which time passes (DECISIONS 14), in
//! which a model or an assistant misbehaves, or in which a problem has marks to be looked for.
//!
//! The shipped `vosimd` has no switch that would lead here.

mod echo;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use vosimd::clock::Clock;
use vosimd::clock::file::FileClock;
use vosimd::config::{Config, ModelConfig};
use vosimd::content::{self, Catalog, Package};
use vosimd::daemon::{self, Daemon, OwnSocket};
use vosimd::lifecycle::{OnHangUp, Signals, Waiting, say_ready, shutdown_signal};
use vosimd::model::faulty::{Fault, FaultyAssistant, FaultyModel};
use vosimd::model::{self, Assistant, Model};
use vosimd::runtime_dir::{Places, make_private_dir};
use vosimd::task;

use echo::Echo;

/// Names the clock's file.
const CLOCK: &str = "VOSIM_TEST_CLOCK";
/// How often the model fails before it answers properly; without it the configured one is asked.
const FAILURES: &str = "VOSIM_TEST_MODEL_FAILURES";
/// What the assistant does with every question: `fails`, `hangs` or `echoes`; without it the
/// configured one is asked.
const ASSISTANT: &str = "VOSIM_TEST_ASSISTANT";
/// Names the file in which an assistant that echoes keeps what it was given.
const HEARD: &str = "VOSIM_TEST_ASSISTANT_HEARD";
/// Names the folder of the one problem that there is instead of the binary's.
const PACKAGE: &str = "VOSIM_TEST_PACKAGE";

/// More questions than a story asks.
const QUESTIONS_MAX: usize = 64;

fn main() -> anyhow::Result<()> {
    let file = std::env::var_os(CLOCK).map(PathBuf::from).context("no clock was named")?;
    let clock = FileClock::new(&file).context("reading the clock")?;
    let places = Places::from_env()?;
    let config = Config::load(&places.paths.config)?;
    make_private_dir(&places.paths.data)?;
    if let Some(dir) = std::env::var_os(PACKAGE).map(PathBuf::from) {
        let package = Package::from_dir(&dir).context("reading the package")?;
        let before = content::replace_catalog(Catalog::of([package]));
        anyhow::ensure!(before.is_ok(), "the catalog has been looked at already");
    }
    actix_rt::System::new().block_on(serve(places, config, Arc::new(clock)))
}

async fn serve(places: Places, config: Config, clock: Arc<FileClock>) -> anyhow::Result<()> {
    let stands = daemon::Places { data: places.paths.data.clone(), socket: places.socket.clone() };
    let model: Box<dyn Model> = match std::env::var(FAILURES) {
        Ok(times) => Box::new(FaultyModel::new(vec![Fault::Fails; times.parse()?])),
        Err(_) => model::open(config.model),
    };
    let assistant = assistant(config.model)?;
    let ticking = Arc::clone(&clock) as Arc<dyn Clock>;
    let daemon = Daemon::open_with(config, stands, ticking, model, assistant)?;
    places.prepare_socket_dir()?;
    let listener = daemon.bind()?;
    let signals = Signals::new(OnHangUp::Ignore)?;
    let shutdown = daemon.shutdown();
    task::spawn("signals", async move {
        shutdown_signal(signals).await;
        shutdown.cancel();
    });
    let alarm = clock.alarm().context("watching the clock")?;
    say_ready(Waiting::OnStandardOutput)?;
    daemon.run(listener, OwnSocket::Yes, alarm).await
}

fn assistant(config: ModelConfig) -> anyhow::Result<Arc<dyn Assistant>> {
    let faulty = |fault| Arc::new(FaultyAssistant::new(vec![fault; QUESTIONS_MAX]));
    Ok(match std::env::var(ASSISTANT).as_deref() {
        Ok("fails") => faulty(Fault::Fails),
        Ok("hangs") => faulty(Fault::Hangs),
        Ok("echoes") => {
            let file = std::env::var_os(HEARD).context("no file for what is heard")?;
            Arc::new(Echo::new(file.into()))
        }
        Ok(other) => anyhow::bail!("there is no assistant that {other}"),
        Err(_) => model::open_assistant(config),
    })
}
