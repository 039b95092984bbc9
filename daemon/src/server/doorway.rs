//! [`Doorway`]: where clients come in. It is looked at again and again, and made anew when somebody
//! has taken it away.
//!
//! A logout, a cleaner of temporary files or a person may remove the socket or its folder while the
//! daemon lives. Connections that are open are not touched by that; new ones would find nobody. No
//! program of the kernel tells of all the ways in which a path can go, and a look costs nothing.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use interprocess::local_socket::tokio::{Listener, Stream, prelude::*};
use interprocess::local_socket::{GenericFilePath, ListenerOptions, ToFsName};
use interprocess::os::unix::local_socket::ListenerOptionsExt;
use interprocess::os::unix::uds_local_socket;

use crate::runtime_dir::{AtSocket, Places, at_socket};

/// How often the path is looked at; a client waits longer than this for it to come back.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The longest pause between two attempts to listen there again.
const LOOK_LAST: Duration = Duration::from_secs(16);

/// Who made the socket and removes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// The daemon.
    Ours,
    /// A service manager, which listens on it after us as well.
    Given,
}

/// The socket at which the daemon listens.
#[derive(Debug)]
pub struct Doorway {
    listener: Listener,
    places: Places,
    holding: Holding,
    /// Device and number of the socket's file.
    file: Option<(u64, u64)>,
    /// How long until the next look.
    pause: Duration,
}

impl Doorway {
    /// Listens at the socket of these places, readable for us alone; one that was left over is
    /// replaced.
    ///
    /// Only the holder of the data directory's lock may call this: the socket of a daemon that is
    /// alive would be taken over too.
    pub fn open(places: &Places) -> anyhow::Result<Self> {
        places.prepare_socket_dir()?;
        let bound = bind(&places.socket).map_err(|error| places.socket_refused(&error))?;
        Ok(Self::new(bound, places, Holding::Ours))
    }

    /// Listens at the socket that a service manager has opened.
    pub fn given(socket: OwnedFd, places: &Places) -> io::Result<Self> {
        let listener = uds_local_socket::tokio::Listener::try_from(socket)?;
        Ok(Self::new(listener.into(), places, Holding::Given))
    }

    fn new(listener: Listener, places: &Places, holding: Holding) -> Self {
        let file = file_at(&places.socket);
        Self { listener, places: places.clone(), holding, file, pause: LOOK_EVERY }
    }

    /// The next client. Looks at the socket's path meanwhile.
    pub async fn accept(&mut self) -> io::Result<Stream> {
        loop {
            tokio::select! {
                accepted = self.listener.accept() => return accepted,
                () = tokio::time::sleep(self.pause) => self.look(),
            }
        }
    }

    /// Removes the socket if the daemon made it and it is still there.
    pub fn close(&self) {
        let socket = &self.places.socket;
        if self.holding == Holding::Ours && self.file.is_some() && self.file == file_at(socket) {
            // If it has gone meanwhile, all the better.
            std::fs::remove_file(socket).ok();
        }
    }

    /// Listens at the path again if nothing is there any more.
    fn look(&mut self) {
        let socket = &self.places.socket;
        // Whatever somebody has put there is not ours to replace.
        if self.file.is_none() || at_socket(socket).is_ok_and(|found| found != AtSocket::Nothing) {
            self.pause = LOOK_EVERY;
            return;
        }
        match Self::open(&self.places) {
            Ok(again) => {
                tracing::warn!(socket = %socket.display(), "the socket was gone and is there again");
                *self = again;
            }
            Err(error) => {
                if self.pause == LOOK_EVERY {
                    tracing::warn!(error = format!("{error:#}"), "the socket is gone");
                }
                self.pause = (self.pause * 2).min(LOOK_LAST);
            }
        }
    }
}

fn bind(path: &Path) -> io::Result<Listener> {
    let name = path.to_fs_name::<GenericFilePath>()?;
    ListenerOptions::new()
        .name(name)
        .mode(0o600)
        .try_overwrite(true)
        .reclaim_name(false)
        .create_tokio()
}

fn file_at(path: &Path) -> Option<(u64, u64)> {
    path.symlink_metadata().ok().map(|meta| (meta.dev(), meta.ino()))
}
