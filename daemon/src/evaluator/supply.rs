//! Where a submission's drivers come from: one that waits in the pool, or a new one.

use std::io;
use std::path::Path;
use std::sync::Arc;

use vosim_protocol::v1::evaluation::Started;
use vosim_protocol::v1::problem::Language;

use super::driver_process::Process;
use super::order::Order;
use super::pool::Pool;

/// Where a driver came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Started just now.
    Fresh,
    /// Taken from the pool, where it had waited.
    Pool,
}

/// The drivers of one submission.
#[derive(Debug)]
pub(super) struct Supply<'a> {
    language: Language,
    order: Arc<Order>,
    pool: Option<&'a Pool>,
}

impl<'a> Supply<'a> {
    pub(super) const fn new(language: Language, order: Arc<Order>, pool: Option<&'a Pool>) -> Self {
        Self { language, order, pool }
    }

    pub(super) fn sandbox(&self) -> &Path {
        self.order.sandbox()
    }

    /// A driver that waits for the word.
    pub(super) fn take(&self) -> io::Result<(Origin, Process)> {
        let waiting = self.pool.and_then(|pool| pool.take(self.language, &self.order));
        Ok(match waiting {
            Some(process) => (Origin::Pool, process),
            None => (Origin::Fresh, self.order.start()?),
        })
    }

    /// One had gone while it waited, or was of no use for this program: from now on each is started
    /// when it is needed.
    pub(super) const fn distrust(&mut self) {
        self.pool = None;
    }
}

/// What is recorded of where the drivers came from.
pub(super) fn started(origins: &[Origin]) -> Option<Started> {
    let pooled = origins.iter().filter(|origin| **origin == Origin::Pool).count();
    match (pooled, origins.len()) {
        (_, 0) => None,
        (0, _) => Some(Started::Cold),
        (some, all) if some == all => Some(Started::Warm),
        _ => Some(Started::Mixed),
    }
}
