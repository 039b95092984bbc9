//! The daemon on a clock that stands in a file, for stories in which time passes (DECISIONS 14), in
//! which a model or an assistant misbehaves, or in which a problem has marks to be looked for.
//!
//! The shipped `vosimd` has no switch that would lead here.

mod echo;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use vosim_protocol::trouble::Location;
use vosimd::background;
use vosimd::clock::file::FileClock;
use vosimd::config::Config;
use vosimd::content::{self, Catalog, Package};
use vosimd::daemon::Daemon;
use vosimd::lifecycle::{OnHangUp, Signals, Waiting, say_ready, shutdown_signal};
use vosimd::model::Assistant;
use vosimd::model::faulty::{Fault, FaultyAssistant, FaultyModel};
use vosimd::run;
use vosimd::runtime_dir::{Places, make_private_dir};
use vosimd::server::Doorway;
use vosimd::timer::file_alarm::FileAlarm;

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
    let places = Places::from_env()?;
    let config = Config::load(&places.paths.config)?;
    make_private_dir(&places.paths.data, Location::Data)?;
    if let Some(dir) = std::env::var_os(PACKAGE).map(PathBuf::from) {
        let package = Package::from_dir(&dir).context("reading the package")?;
        let before = content::replace_catalog(Catalog::of([package]));
        anyhow::ensure!(before.is_ok(), "the catalog has been looked at already");
    }
    actix_rt::System::new().block_on(serve(places, config, &file))
}

async fn serve(places: Places, config: Config, file: &Path) -> anyhow::Result<()> {
    let clock = FileClock::new(file).context("reading the clock")?;
    let mut daemon = Daemon::open(config, &places, Arc::new(clock))?;
    if let Ok(times) = std::env::var(FAILURES) {
        daemon.model = Box::new(FaultyModel::new(vec![Fault::Fails; times.parse()?]));
    }
    if let Ok(manner) = std::env::var(ASSISTANT) {
        daemon.assistant = assistant(&manner)?;
    }
    let doorway = Doorway::open(&places)?;
    let signals = Signals::new(OnHangUp::Ignore)?;
    let shutdown = daemon.shutdown.clone();
    background::spawn("signals", async move {
        shutdown_signal(signals).await;
        shutdown.cancel();
    });
    let alarm = FileAlarm::new(file).context("watching the clock")?;
    say_ready(Waiting::OnStandardOutput)?;
    run::run(daemon, doorway, alarm).await
}

fn assistant(manner: &str) -> anyhow::Result<Arc<dyn Assistant>> {
    let faulty = |fault| Arc::new(FaultyAssistant::new(vec![fault; QUESTIONS_MAX]));
    Ok(match manner {
        "fails" => faulty(Fault::Fails),
        "hangs" => faulty(Fault::Hangs),
        "echoes" => {
            let file = std::env::var_os(HEARD).context("no file for what is heard")?;
            Arc::new(Echo::new(file.into()))
        }
        other => anyhow::bail!("there is no assistant that {other}"),
    })
}
