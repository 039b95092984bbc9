//! The daemon on a clock that stands in a file, for stories in which time passes (DECISIONS 14).
//!
//! The shipped `vosimd` has no switch that would lead here.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use vosimd::clock::Clock;
use vosimd::clock::file::FileClock;
use vosimd::config::Config;
use vosimd::daemon::{self, Daemon, OwnSocket};
use vosimd::lifecycle::{OnHangUp, Signals, Waiting, say_ready, shutdown_signal};
use vosimd::model::faulty::{Fault, FaultyModel};
use vosimd::model::{self, Model};
use vosimd::runtime_dir::{Places, make_private_dir};
use vosimd::task;

/// Names the clock's file.
const CLOCK: &str = "VOSIM_TEST_CLOCK";
/// How often the model fails before it answers properly; without it the configured one is asked.
const FAILURES: &str = "VOSIM_TEST_MODEL_FAILURES";

fn main() -> anyhow::Result<()> {
    let file = std::env::var_os(CLOCK).map(PathBuf::from).context("no clock was named")?;
    let clock = FileClock::new(&file).context("reading the clock")?;
    let places = Places::from_env()?;
    let config = Config::load(&places.paths.config)?;
    make_private_dir(&places.paths.data)?;
    actix_rt::System::new().block_on(serve(places, config, Arc::new(clock)))
}

async fn serve(places: Places, config: Config, clock: Arc<FileClock>) -> anyhow::Result<()> {
    let stands = daemon::Places { data: places.paths.data.clone(), socket: places.socket.clone() };
    let model: Box<dyn Model> = match std::env::var(FAILURES) {
        Ok(times) => Box::new(FaultyModel::new(vec![Fault::Fails; times.parse()?])),
        Err(_) => model::open(config.model),
    };
    let daemon = Daemon::open_with(config, stands, Arc::clone(&clock) as Arc<dyn Clock>, model)?;
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
