//! Puts the daemon together and takes it apart again.
//!
//! Order matters: lock, then store, then clock, then actors, then socket; and back.

use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use actix::Actor;
use anyhow::Context as _;
use interprocess::local_socket::tokio::Listener;
use tokio::sync::mpsc;
use vosim_protocol::Wire;
use vosim_store::{Lock, Options, Store};

use crate::actors::presence::keep_presence;
use crate::actors::registry::Registry;
use crate::actors::timekeeper::{CLOCK_KEY, keep_time};
use crate::actors::{Parts, Shared};
use crate::clock::{Clock, SavedClock};
use crate::config::{Account, Config, EvaluatorConfig};
use crate::evaluator::{self, Evaluator};
use crate::model::{self, Assistant, Model};
use crate::timer::Timer;
use crate::timer::alarm::Alarm;
use crate::{server, task};

/// Wakes of the timer that may wait to be dealt with.
const WAKES: usize = 64;

/// Where the daemon keeps and finds things.
#[derive(Clone, Debug)]
pub struct Places {
    /// The data directory.
    pub data: PathBuf,
    /// The socket.
    pub socket: PathBuf,
}

/// A daemon that holds its lock and its store, and serves nobody yet.
pub struct Daemon {
    shared: Rc<Shared>,
    timer: Timer,
    socket: PathBuf,
    /// Held until the process has gone.
    lock: Lock,
}

impl fmt::Debug for Daemon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Daemon").field("socket", &self.socket).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Takes the lock, opens the store and reads the heads of all sessions; blocks.
    pub fn open(config: Config, places: Places, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let (model, assistant) = (model::open(config.model), model::open_assistant(config.model));
        Self::open_with(config, places, clock, model, assistant)
    }

    /// The same with a model and an assistant of the caller's.
    pub fn open_with(
        config: Config,
        places: Places,
        clock: Arc<dyn Clock>,
        model: Box<dyn Model>,
        assistant: Arc<dyn Assistant>,
    ) -> anyhow::Result<Self> {
        let about = format!(
            "pid {}, vosimd {}, socket {}",
            std::process::id(),
            env!("CARGO_PKG_VERSION"),
            places.socket.display()
        );
        let lock = Lock::take(&places.data, &about)?;
        let store = Store::open(&places.data, options(&config))?;
        let saved = store.key(CLOCK_KEY)?.and_then(|bytes| SavedClock::from_bytes(&bytes).ok());
        let timer = Timer::new(clock, saved);
        let started = timer.look().at;
        let parts = Parts {
            evaluator: Arc::new(
                Evaluator::new(evaluator_places(&config)).keep_warm(config.evaluator.warm),
            ),
            model,
            assistant,
            config,
            data: places.data,
            store,
            timer: timer.clone(),
        };
        let shared = Rc::new(Shared::new(parts, started).context("reading the sessions")?);
        Ok(Self { shared, timer, socket: places.socket, lock })
    }

    /// Binds the socket; a left-over one is replaced, since the lock is ours.
    pub fn bind(&self) -> anyhow::Result<Listener> {
        server::bind(&self.socket)
            .with_context(|| format!("opening the socket {}", self.socket.display()))
    }

    /// Ends the daemon when it is cancelled, and is cancelled when the daemon ends itself.
    pub fn shutdown(&self) -> tokio_util::sync::CancellationToken {
        self.shared.shutdown.clone()
    }

    /// Serves until it is told to stop; an error means that it could not go on.
    ///
    /// Must run on an actix `System`. Whoever made the socket unlinks it: `own_socket` says that
    /// it was us.
    pub async fn run(
        self,
        listener: Listener,
        own_socket: OwnSocket,
        alarm: impl Alarm + 'static,
    ) -> anyhow::Result<()> {
        let Self { shared, timer, socket, lock } = self;
        let registry = Registry::new(Rc::clone(&shared)).start();
        let (sink, wakes) = mpsc::channel(WAKES);
        let ticking = task::spawn("timer", timer.run(alarm, sink));
        task::spawn("timekeeper", keep_time(Rc::clone(&shared), registry.clone(), wakes));
        task::spawn("presence", keep_presence(Rc::clone(&shared), registry.clone()));
        tracing::info!(sessions = shared.count_heads(), "ready");
        server::serve(listener, Rc::clone(&shared), registry).await;
        ticking.abort();
        if own_socket == OwnSocket::Yes {
            unlink(&socket);
        }
        let (store, evaluator) = (shared.store.clone(), Arc::clone(&shared.evaluator));
        shared
            .blocking(move |_| {
                evaluator.close();
                store.close();
            })
            .await;
        let fatal = shared.fatal.borrow_mut().take();
        // Actors and tasks still hold the database and go with the process; only then may another
        // daemon open it, so it is the kernel that lets go of the lock.
        std::mem::forget(lock);
        tracing::info!("stopped");
        fatal.map_or(Ok(()), |reason| Err(anyhow::anyhow!(reason)))
    }
}

/// Whether the socket was made by us or handed to us by a service manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnSocket {
    /// We made it.
    Yes,
    /// It was handed to us.
    No,
}

fn options(config: &Config) -> Options {
    Options { backend: config.store.backend, ..Options::default() }
}

/// Where the evaluator finds what it needs; PATH is the one the daemon was started with.
pub fn evaluator_places(config: &Config) -> evaluator::Places {
    let EvaluatorConfig { python, node, sandbox, user, warm: _ } = &config.evaluator;
    evaluator::Places {
        sandbox: sandbox.clone(),
        python: python.clone(),
        node: node.clone(),
        search_path: std::env::var_os("PATH"),
        user: user.as_ref().map(|Account { uid, gid }| format!("{uid}:{gid}")),
    }
}

/// Removes the socket's name under the lock, so that no client meets a dead one.
fn unlink(socket: &Path) {
    if let Err(error) = std::fs::remove_file(socket) {
        tracing::debug!(%error, "the socket had gone already");
    }
}
